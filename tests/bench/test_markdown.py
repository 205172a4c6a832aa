"""bench/to_markdown.py: a whole run as the tables of RESULTS.md."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from wgpt.kernels import registry

from .made_up import everything

SCRIPT = Path(__file__).parents[2] / "bench" / "to_markdown.py"


def test_a_whole_run(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(everything().to_dict()))
    done = subprocess.run([sys.executable, SCRIPT, tmp_path / "run.json"], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert "| smollm2-135m | decode | torch, compile | 648.0 | tok/s |" in lines
    assert any(line.startswith("| smollm2-135m | decode | llama.cpp, - |  | skipped: no <llama") for line in lines)
    assert "| tok/s by context | 64 | 1024 | 4096 |" in lines and "| tok/s by batch | 1 | 4 | 16 |" in lines
    assert "| smollm2-135m f16 | 1,280 | 5,120 | 20,480 |" in lines
    assert {line.split(" | ")[0].strip("| ") for line in lines} >= set(registry.kernels())
    widths = [line.count(" | ") for line in lines if line.startswith("| smollm2-135m |")]
    assert len(set(widths)) == 1
