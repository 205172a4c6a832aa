"""Each command runs in this process through typer's runner, with its own tuning folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from wgpt.cli import progress
from wgpt.cli.app import make
from wgpt.kernels import tuning

Invoke = Callable[..., Any]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("WGPT_HOME", str(tmp_path))
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(progress, "_FIRST", 3600.0)  # a slow machine writes no lines between those that are expected
    tuning.forget()
    yield tmp_path
    tuning.forget()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Twenty small examples to fine-tune on."""
    words = ["wind", "kite", "string", "cloud", "bell"]
    lines = [{"prompt": f"{a} {b}", "completion": f" {b} {a}"} for a in words for b in words if a != b]
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def wgpt() -> Invoke:
    """Runs `wgpt ARGS`; the result has exit_code, stdout and stderr."""
    runner = CliRunner()
    return lambda *args, **more: runner.invoke(make(), list(args), prog_name="wgpt", **more)


@pytest.fixture
def wgpt_json(wgpt: Invoke) -> Invoke:
    """The parsed stdout of `wgpt ARGS --json`, which must succeed."""

    def run(*args: str) -> Any:
        result = wgpt(*args, "--json")
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    return run
