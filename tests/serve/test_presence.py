"""A client that leaves at any moment of its request: what was begun for it in the engine is cancelled."""

from __future__ import annotations

import ast
import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

import wgpt
from wgpt.processes.messages import CALL, CANCEL, DONE, TOLD
from wgpt.serve.access_log import Record, current_record
from wgpt.serve.bodies import read_json
from wgpt.serve.engine_process import EngineProcess, Status
from wgpt.serve.exchange import Exchange
from wgpt.serve.presence import ClientGone, Presence
from wgpt.serve.responses import collect
from wgpt.serve.settings import Limits, Settings
from wgpt.serve.wire import EMBED, STEP, SUBMIT, End, Job

BODY = json.dumps({"prompt": "a"}).encode()


class Engine(EngineProcess):
    """Without a process: it answers a submission some turns of the loop later, and ends what is cancelled."""

    def __init__(self, turns: int) -> None:
        super().__init__(Settings(Path("model"), "model"))
        self._turns, self._begun, self._cancelled = turns, set[int](), set[int]()
        self._tasks = set[asyncio.Task[None]]()
        self.process.status = Status.READY
        self.process._connection = self  # type: ignore[assignment]

    def send(self, kind: int, number: int, *arguments: Any) -> None:
        if kind == CANCEL:
            self._cancelled.add(number)
            end = End("cancelled", 1, 0, 0, 0.0, 0.0)
            self._answer(TOLD, STEP, [(number, 0, "", (), (), (), end)])
        else:
            assert kind == CALL and arguments[0] in (SUBMIT, EMBED)
            self._begun.add(number)
            if arguments[0] == SUBMIT:
                self._answer(DONE, number, None)

    def _answer(self, *message: Any) -> None:
        self._tasks.add(asyncio.get_running_loop().create_task(self._later(message)))

    async def _later(self, message: tuple[Any, ...]) -> None:
        for _ in range(self._turns):
            await asyncio.sleep(0)
        self.process._received(message)

    def running(self) -> set[int]:
        return self._begun - self._cancelled


async def left(turns: int, answers_after: int, embeds: bool) -> None:
    """Leave so many turns of the loop after the body was read."""
    engine, parts = Engine(answers_after), [BODY[:5], BODY[5:]]

    async def receive() -> Any:
        if parts:
            return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}
        for _ in range(turns):
            await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        raise AssertionError(message)

    async def handle() -> None:
        record = Record("id", "", "", "")
        current_record.set(record)
        exchange = Exchange(record, receive, send, {})
        request = Request({"type": "http", "headers": []}, exchange.receive)
        try:
            await read_json(request, Limits())
            if embeds:
                await engine.embed([[1]], None, None, None, None)
            else:
                await collect(request, await engine.submit(Job([[1]], {}, stream=False)))
        except (ClientGone, asyncio.CancelledError):
            assert record.presence.gone
        finally:
            exchange.end()

    handler = asyncio.create_task(handle())
    done, _ = await asyncio.wait({handler}, timeout=20)
    assert done, f"it runs on after its client left, {turns} turns after the body"
    await handler
    assert not engine.running()


@pytest.mark.parametrize("embeds", [False, True])
def test_whenever_a_client_leaves_nothing_runs_on(embeds: bool) -> None:
    for turns in range(17):
        for answers_after in (0, 1, 3):
            asyncio.run(left(turns, answers_after, embeds))


def test_a_text_is_not_read_on_even_if_its_handler_is_never_cancelled() -> None:
    async def run() -> None:
        engine, record = Engine(0), Record("id", "", "", "")
        current_record.set(record)
        reading = asyncio.create_task(engine.embed([[1]], None, None, None, None))
        await asyncio.sleep(0)
        assert engine.running()
        record.presence.leave()
        async with asyncio.timeout(20):
            with pytest.raises(asyncio.CancelledError):
                await reading
        assert not engine.running()

    asyncio.run(run())


def test_a_state_is_not_missed() -> None:
    presence, called = Presence(), list[str]()
    presence.when_gone(lambda: called.append("before"))
    presence.check()
    presence.leave()
    presence.leave()
    presence.when_gone(lambda: called.append("after"))
    assert called == ["before", "after"] and presence.gone
    with pytest.raises(ClientGone):
        presence.check()


@pytest.mark.parametrize("folder", ["serve", "integrations"])
def test_nobody_uses_what_loses_a_cancellation(folder: str) -> None:
    """`asyncio.wait_for` of Python 3.11 does; `asyncio.timeout` does not."""
    root = Path(wgpt.__file__).parent / folder
    for path in root.rglob("*.py"):
        names = [node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)]
        assert "wait_for" not in names, path
