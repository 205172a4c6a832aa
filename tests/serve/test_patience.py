"""The watchdog: a step that hangs ends the engine's process, a slow GPU and a slow compiler do not."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from wgpt.processes import supervisor
from wgpt.serve.engine_process import EngineProcess, Status
from wgpt.serve.settings import Settings
from wgpt.serve.wire import State


class Process:
    killed = 0

    def kill(self) -> None:
        self.killed += 1


def engine_with(**state: Any) -> EngineProcess:
    engine = EngineProcess(Settings(Path("model"), "model", step_seconds=60))
    engine.process.status, engine.state = Status.READY, State(**state)
    return engine


@pytest.mark.parametrize(
    ("state", "healthy", "kept"),
    [
        ({"step_age": 59}, True, True),
        ({"step_age": 61}, False, True),
        ({"step_age": 121}, False, False),
        ({"step_age": 290, "compiling": True}, True, True),
        ({"step_age": 301, "compiling": True}, False, True),
        ({"step_age": 601, "compiling": True}, False, False),
        ({"step_age": 190, "longest_step": 40.0}, True, True),
        ({"step_age": 399, "longest_step": 40.0}, False, True),
        ({"step_age": 401, "longest_step": 40.0}, False, False),
        ({"step_age": 121, "longest_step": 0.1}, False, False),
    ],
)
def test_when_a_step_hangs(
    state: dict[str, Any],
    healthy: bool,
    kept: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(supervisor, "_LOOK_SECONDS", 0.001)
    process = Process()

    async def watched() -> None:
        engine = engine_with(**state)
        engine.process._process = process  # type: ignore[assignment]
        assert engine.health().ok is healthy
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(engine.watch(), 0.05)

    with caplog.at_level(logging.ERROR, "wgpt.serve"):
        asyncio.run(watched())
    assert process.killed == (not kept)  # once
    if not kept:
        assert "killed and started again" in caplog.text and "raise --step-timeout (now 60 s)" in caplog.text


def test_a_silent_process_is_killed() -> None:
    engine = engine_with(longest_step=1000.0)
    assert engine._hangs() == ""
    engine.process.silent = 121.0
    assert "has sent nothing for 121 s" in engine._hangs()
    engine.process.status = Status.LOADING  # it compiles before the first request, and says nothing
    assert engine._hangs() == ""


def test_a_stall_of_the_servers_own_process_is_not_the_engines_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """While HTTP's process does not run, it hears nothing: a clock would blame the engine."""
    monkeypatch.setattr(supervisor, "_LOOK_SECONDS", 0.01)
    process = Process()

    async def stalled() -> None:
        engine = engine_with()
        engine.settings = replace(engine.settings, step_seconds=1)
        engine.process._process = process  # type: ignore[assignment]
        watching = asyncio.create_task(engine.watch())
        for _ in range(3):
            await asyncio.sleep(0.05)
            time.sleep(2.5)  # longer than twice the limit
            assert engine.health().ok
        watching.cancel()

    asyncio.run(stalled())
    assert process.killed == 0
