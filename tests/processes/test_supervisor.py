"""Processes that answer, refuse, are killed, do not start, and do not end by themselves."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from wgpt.core.errors import WgptError
from wgpt.processes import supervisor
from wgpt.processes.supervisor import ProcessEnded, Refused, Status, Supervised

from . import work


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_FIRST_PAUSE", 0.01)


def supervised(check: Callable[[Supervised], Awaitable[None]], main: Any = work.answer, **options: Any) -> None:
    """Start a process, check it and end it."""

    async def run() -> None:
        arguments = options.pop("arguments", lambda: ("hello",))
        process = Supervised(main, arguments, "the tester", **options)
        async with asyncio.timeout(120):
            await process.start()
            try:
                await check(process)
            finally:
                await process.stop()
        assert process.status is Status.STOPPED and not psutil.pid_exists(pid(process))

    asyncio.run(run())


def pid(process: Supervised) -> int:
    assert process._process is not None and process._process.pid is not None
    return process._process.pid


def test_calls_and_what_belongs_to_none() -> None:
    infos, told = list[Any](), asyncio.Queue[Any]()

    async def check(process: Supervised) -> None:
        with pytest.raises(ProcessEnded, match="the tester is not ready"):
            await process.call("double", 21)
        await process.until_ready()
        assert infos == ["hello"]
        assert await asyncio.gather(*(process.call("double", i) for i in range(9))) == list(range(0, 18, 2))
        with pytest.raises(Refused) as refused:
            await process.call("refuse", (404, "none"))
        assert refused.value.reason == (404, "none")
        number = process.new_number()
        waiting = asyncio.create_task(process.call("wait", number=number))
        await asyncio.sleep(0)
        assert process.calls == 1
        process.give_up(number)
        assert await told.get() == ("cancelled", number)
        with pytest.raises(asyncio.CancelledError):
            await waiting
        for each in (signal.SIGINT, signal.SIGTERM):  # a terminal sends them to all: the first process decides
            assert await process.call("signal", each) == "goes on"
        assert process.calls == 0

    supervised(check, ready=infos.append, told=lambda *message: told.put_nowait(message))


def test_a_killed_process_fails_its_calls_and_is_started_again() -> None:
    causes = list[str]()

    async def check(process: Supervised) -> None:
        for times in (1, 2):
            await process.until_ready()
            first = pid(process)
            waiting = asyncio.create_task(process.call("wait"))
            await asyncio.sleep(0)
            psutil.Process(first).kill()
            with pytest.raises(ProcessEnded, match=r"the tester has stopped \(killed by signal 9\)"):
                await waiting
            await process.until_ready()
            assert pid(process) != first and process.restarts == process.deaths == times
        assert await process.call("double", 2) == 4 and process.deaths == 0

    supervised(check, ended=causes.append)
    assert causes[:2] == ["killed by signal 9"] * 2


@pytest.mark.parametrize(
    ("main", "message"),
    [(work.fail, "^no such model$"), (work.die, r"the tester's process ended .* \(killed by signal 9\)")],
)
def test_one_that_cannot_start_is_not_started_again(main: Any, message: str) -> None:
    async def check(process: Supervised) -> None:
        with pytest.raises(WgptError, match=message):
            await process.until_ready()
        assert process.status is Status.FAILED and process.restarts == 0

    supervised(check, main, arguments=tuple)


def test_one_that_only_dies_is_given_up() -> None:
    async def check(process: Supervised) -> None:
        await process.until_ready()
        psutil.Process(pid(process)).kill()
        while not process.failure:
            process.changed.clear()
            await process.changed.wait()
        assert process.failure == "the tester has stopped 3 times without an answer (killed by signal 9)"
        assert process.restarts == 2

    lives = iter((False, True, True))
    supervised(check, work.die_in_the_second_life, arguments=lambda: (next(lives),), most_deaths=3)


def test_it_may_be_stopped_and_started() -> None:
    async def check(process: Supervised) -> None:
        await process.until_ready()
        await process.stop()
        with pytest.raises(ProcessEnded):
            await process.call("double", 1)
        await process.start()
        await process.until_ready()
        assert await process.call("double", 1) == 2 and process.restarts == 0

    supervised(check)


def runs(number: int) -> bool:
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


LEFT = """
import asyncio, sys
from tests.processes import work
from wgpt.processes.supervisor import Supervised

async def run():
    process = Supervised(work.answer, lambda: ("",), "the tester")
    await process.start()
    await process.until_ready()
    print(process._process.pid, flush=True)
    if sys.argv[1] == "killed":
        sys.stdin.read()

if __name__ == "__main__":
    asyncio.run(run())
"""


@pytest.mark.parametrize("end", ["forgotten", "killed"])
def test_none_outlives_the_process_that_started_it(end: str, tmp_path: Path) -> None:
    (tmp_path / "left.py").write_text(LEFT)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    paths = os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])
    command = [sys.executable, str(tmp_path / "left.py"), end]
    parent = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": paths}, text=True, **pipes)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    try:
        if end == "killed":
            parent.kill()
        parent.communicate(timeout=120)
        deadline = time.monotonic() + 120
        while runs(child):
            assert time.monotonic() < deadline, "it outlives the process that started it"
            time.sleep(0.05)
    finally:
        parent.kill()
