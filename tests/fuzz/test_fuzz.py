"""A short run of every area, the same cases each time, and proof that the runner detects failures."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from wgpt.formats import FormatError

from . import cases, runner, worker
from .cases import ACCEPTED, EITHER, REFUSED, Case, Limits, areas, make_case
from .runner import Result, Worker, run_cases

COUNT = 40
SOUND = Result("gguf", 1, 0, REFUSED, EITHER, "", "", 0.1, 0)


def count_of(name: str) -> int:
    """Fewer where each case runs whole models."""
    return COUNT // 10 if name == "sizes" else COUNT


def cpu_seconds() -> float:
    """Of this process and those that it has started and that have ended."""
    return sum(os.times()[:4])


@pytest.mark.slow
def test_a_short_run() -> None:
    start = cpu_seconds()
    results = list(run_cases((name, 2, i) for i in range(COUNT) for name in areas() if i < count_of(name)))
    failures = [r for r in results if r.failed]
    assert not failures, failures[0]
    assert len(results) == sum(map(count_of, areas()))
    for name in areas():
        assert {r.outcome for r in results if r.area == name} == {ACCEPTED, REFUSED}  # neither harmless nor total
    assert cpu_seconds() - start < 120  # some ten seconds


@pytest.mark.parametrize("name", areas())
def test_cases_are_the_same_each_time(name: str, tmp_path: Path) -> None:
    first = [make_case(name, 3, i, tmp_path).description for i in range(12)]
    assert first == [make_case(name, 3, i, tmp_path).description for i in range(12)]
    assert len(set(first)) > 3


def _raises(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize(
    ("run", "outcome"),
    [
        (lambda: None, ACCEPTED),
        (lambda: _raises(FormatError("m.gguf: is cut short")), REFUSED),
        (lambda: _raises(FormatError("two\nlines")), "a message of several lines, or without end"),
        (lambda: _raises(FormatError("x" * 9999)), "a message of several lines, or without end"),
        (lambda: _raises(KeyError("x")), "traceback"),
        (lambda: _raises(type("PanicException", (BaseException,), {})()), "traceback"),
    ],
)
def test_outcomes(run, outcome: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(areas(), "made up", lambda rng, folder: Case("", EITHER, run))
    assert worker.outcome_of("made up", 1, 0, tmp_path)["outcome"] == outcome


@pytest.mark.slow
def test_several_workers_run_each_case_once() -> None:
    cases = [("gguf", 5, i) for i in range(30)]
    results = list(run_cases(iter(cases), jobs=3))
    assert sorted((r.area, r.seed, r.index) for r in results) == cases
    alone = {r.index: r.outcome for r in run_cases(iter(cases))}
    assert {r.index: r.outcome for r in results} == alone


def test_a_worker_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "Worker", lambda: _raises(RuntimeError("the worker does not start")))
    with pytest.raises(RuntimeError, match="does not start"):
        list(run_cases([("gguf", 5, i) for i in range(30)], jobs=3))


def test_a_worker_that_dies_between_cases_is_a_result_and_replaced() -> None:
    dies = Worker()
    try:
        dies.process.kill()
        dies.process.wait()
        result = dies.run("gguf", 5, 0)
    finally:
        dies.end()
    assert result.failed and result.outcome == "the worker ends with code -9"


def test_what_counts_as_a_failure() -> None:
    assert not SOUND.failed
    assert not replace(SOUND, expect=REFUSED).failed and replace(SOUND, expect=ACCEPTED).failed
    assert replace(SOUND, outcome="traceback").failed
    assert replace(SOUND, seconds=Limits().seconds + 1).failed
    assert replace(SOUND, peak=Limits().bytes + 1).failed


def test_every_area_is_found() -> None:
    modules = {path.stem for path in Path(__file__).parent.glob("*.py") if "@area(" in path.read_text()}
    assert set(cases._MODULES) == modules - {"cases", "test_fuzz"}
