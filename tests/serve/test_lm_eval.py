"""lm-evaluation-harness through the server (`local-completions`) has the numbers of `wgpt eval`."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from wgpt.cli.app import make

from ..integrations.test_lm_eval import TINY, tasks  # noqa: F401 (a fixture)
from .running import serving

pytest.importorskip("lm_eval", reason="the optional extra: pip install 'wgpt[eval]'")
pytestmark = [pytest.mark.gpu, pytest.mark.full]


def test_local_completions(tasks: Path, tmp_path: Path):  # noqa: F811
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    out = tmp_path / "scores.json"
    names = "tiny_choice,tiny_text"
    arguments = ["eval", "--tasks", names, "--include", str(tasks), "-m", TINY, "--json", str(out)]
    result = CliRunner().invoke(make(), arguments, prog_name="wgpt")
    assert result.exit_code == 0, (result.stderr, result.exception)
    ours = {(s["task"], s["metric"]): s["value"] for s in json.loads(out.read_text())["scores"]}
    folder = tmp_path / "server"
    folder.mkdir()
    with serving(folder, Path(TINY), "--no-warm-up") as server:
        url = f"{server.address}/v1/completions"
        options: dict[str, Any] = {"base_url": url, "model": "smollm2", "max_length": 256, "max_retries": 1}
        theirs = simple_evaluate(
            model="local-completions", model_args=options, tasks=names.split(","), bootstrap_iters=0,
            task_manager=TaskManager(include_path=str(tasks)), log_samples=True,
        )  # fmt: skip
    assert theirs is not None
    for (task, metric), value in ours.items():
        through = next(v for name, v in theirs["results"][task].items() if name.split(",")[0] == metric)
        assert through == pytest.approx(value), (task, metric)
    samples = theirs["samples"]["tiny_choice"]
    assert all(math.isfinite(float(answer[0])) for sample in samples for answer in sample["filtered_resps"])
