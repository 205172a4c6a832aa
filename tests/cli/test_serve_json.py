"""`wgpt serve --json`: one line for the program that started it."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from tests.serve.running import serving, wait_for

TINY = Path(__file__).parents[1] / "golden" / "models" / "llama-gqa"


@pytest.mark.gpu
@pytest.mark.full
def test_a_line_with_the_address(tmp_path: Path) -> None:
    with serving(tmp_path, TINY, "--json", wait=False) as server:
        wait_for(lambda: "\n" in server.printed() or server.process.poll() is not None, 300)
        facts = json.loads(server.printed())
        assert (facts["model"], facts["loras"], facts["context"]) == ("smollm2", [], 256)
        assert facts["gpu"] and facts["memory"]
        server.address = facts["address"]
        assert server.get("/health").status_code == 200
        server.signal(signal.SIGTERM)
        server.process.wait(60)
        assert server.printed() == json.dumps(facts) + "\n"


def test_an_error_is_an_object(wgpt, tmp_path: Path) -> None:
    result = wgpt("serve", "--json", "-m", str(tmp_path / "nothing.gguf"))
    assert result.exit_code == 2 and f"unknown model '{tmp_path}"[:40] in json.loads(result.stdout)["error"]
