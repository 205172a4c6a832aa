"""bench/split_crossing.py: a token's way through a split model, as a table."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from wgpt.models.presets import PRESETS

SCRIPT = Path(__file__).parents[2] / "bench" / "split_crossing.py"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    small = replace(PRESETS["smollm2-135m"], layers=2, vocab=256, hidden=64, ffn=96, heads=2, kv_heads=1, head_dim=32)
    monkeypatch.setitem(PRESETS, "small", small)
    spec = importlib.util.spec_from_file_location("split_crossing", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_three_ways(script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["split_crossing.py", "--preset", "small", "--new", "40"])
    script.main()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[3:]]
    assert [row[0] for row in rows] == ["whole", "one device for both stages", "two devices"]
    for _, median, least, most, _ in rows:
        assert 0 < float(least.replace(",", "")) <= float(median.replace(",", "")) <= float(most.replace(",", ""))
    assert rows[0][4] == "" and all(row[4] for row in rows[1:])


def test_too_few_tokens(script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["split_crossing.py", "--new", "39"])
    with pytest.raises(SystemExit):
        script.main()
    assert "--new must be at least 40, not 39" in capsys.readouterr().err
