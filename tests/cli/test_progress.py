"""Progress in a log: a line now and then, with an estimate, also where a single step takes long."""

from __future__ import annotations

import re
import threading
import time
from importlib import import_module
from pathlib import Path

import pytest

from wgpt.cli import progress, training_bar, verify_jobs
from wgpt.cli.commands import COMMANDS
from wgpt.train.trainer import Moment

QUICK = {"cache", "completion", "help", "triton"}  # commands that never take five seconds
SHOWS = re.compile(r"\b(progress_bar|byte_bar|training_bar|loaded|on_device|loaded_on)\(")


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_FIRST", 0.05)
    monkeypatch.setattr(progress, "_MOST", 0.1)


def lines_until(capsys: pytest.CaptureFixture[str], pattern: str) -> list[str]:
    """The lines that were written up to one like this; a minute is enough on the slowest machine."""
    text, deadline = "", time.monotonic() + 60
    while not re.search(rf"^{pattern}$", text, re.MULTILINE):
        assert time.monotonic() < deadline, text
        time.sleep(0.01)
        text += capsys.readouterr().err
    return text.splitlines()


def test_lines_come_without_steps(soon: None, capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress_bar("compiling"):
        for _ in range(3):
            lines_until(capsys, r"compiling: 0:\d\d so far")
    assert "progress" not in {thread.name for thread in threading.enumerate()}


def test_lines_with_counts_and_an_estimate(soon: None, capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress_bar("verifying") as step:
        step(0, 3120, "rmsnorm: one row")
        lines_until(capsys, r"verifying: 0 of 3,120 \(0%\), 0:\d\d so far: rmsnorm: one row")
        step(312, 3120, "gemv")
        lines_until(capsys, r"verifying: 312 of 3,120 \(10%\), 0:\d\d so far, about \d+:\d\d left: gemv")
    with progress.byte_bar("loading") as step:
        step(3 << 29, 3 << 30, "")
        lines_until(capsys, r"loading: 1\.5 GiB of 3\.0 GiB \(50%\), 0:\d\d so far")


def test_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    lines = progress.Lines("reading", in_bytes=False)
    lines.step(0, 40, "")
    now[0] += 30
    lines.step(10, 40, "")
    assert lines.line() == "reading: 10 of 40 (25%), 0:30 so far, about 1:30 left"
    now[0] += 4000
    lines.step(0, 7, "next")  # another task
    now[0] += 60
    lines.step(1, 7, "next")
    assert lines.line() == "reading: 1 of 7 (14%), 1:08:10 so far, about 6:00 left: next"


def test_the_estimate_of_a_run_that_is_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    lines = progress.Lines("answering", in_bytes=False)
    lines.step(900, 1000, "")
    now[0] += 60
    assert "left" not in lines.line()
    lines.step(910, 1000, "")
    assert lines.line() == "answering: 910 of 1,000 (91%), 1:00 so far, about 9:00 left"


def test_short_work_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress_bar("reading") as step:
        step(1, 2, "")
    assert capsys.readouterr() == ("", "")


def test_training(soon: None, capsys: pytest.CaptureFixture[str]) -> None:
    with training_bar.training_bar() as watch:
        lines_until(capsys, r"training: 0:\d\d so far")  # it compiles
        for number in (0, 1, 2):
            watch(Moment(number, 2000, 1, 2.5, None, None, 1e-4, 0.7, 34.0, 59.0, 1 << 20))
        # The second step is none of twenty.
        lines = lines_until(capsys, r"training: 2 of 2,000 \(0%\), .* so far, about .* left: loss 2\.5000")
        assert sum(line.startswith("step 1/2000  loss 2.5000") for line in lines) == 1
        assert not any(line.startswith("step 2/2000") for line in lines)


@pytest.mark.gpu
@pytest.mark.full
def test_verify_in_processes(wgpt, soon, monkeypatch) -> None:
    """Attempts are counted as they are made, not when a process is done with its piece."""
    seen: list[tuple[int, int]] = []
    monkeypatch.setattr(verify_jobs, "_SECONDS", 0.01)
    step = progress.Lines.step
    monkeypatch.setattr(
        progress.Lines,
        "step",
        lambda self, done, total, name: (seen.append((done, total)), step(self, done, total, name)),
    )
    result = wgpt("verify", "--only", "add", "--jobs", "2")
    assert result.exit_code == 0, result.stderr
    assert re.search(r"verifying: \d+ of \d+ \(\d+%\), ", result.stderr) and "verifying" not in result.stdout
    counts = [done for done, _ in seen]
    assert counts == sorted(counts) and counts[0] == 0 and len({total for _, total in seen}) == 1
    assert len(set(counts)) > 2, seen  # there are fewer pieces than that


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_its_progress(name: str) -> None:
    module = import_module(f"wgpt.cli.{name.replace('-', '_')}")
    assert module.__file__ is not None
    source = Path(module.__file__).read_text(encoding="utf-8")
    assert (name in QUICK) != bool(SHOWS.search(source))
