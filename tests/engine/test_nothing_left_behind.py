"""The engine holds as much memory after a thousand requests as after the first ones."""

from __future__ import annotations

import random

import pytest

from wgpt import Engine, Model
from wgpt.engine.engine import Engine as Core

pytestmark = pytest.mark.gpu


@pytest.mark.full
def test_a_thousand_requests_leave_nothing_behind(model: Model) -> None:
    rng = random.Random(2)
    with Engine(model, max_batch=16) as engine:
        core: Core = engine._core
        device = model.device

        def round_of(count: int) -> None:
            with core.paused():  # all at once: the largest Programs are needed from the first round on
                requests = [
                    engine.submit(
                        [rng.randrange(300) for _ in range(rng.randrange(1, 30))], max_tokens=rng.randrange(1, 9)
                    )
                    for _ in range(count)
                ]
            for request in rng.sample(requests, count // 10):
                request.cancel()
            for request in requests:
                assert request.result(timeout=60).reason

        for _ in range(2):
            round_of(200)
        held, own = device.bytes_in_use, core.nbytes
        for _ in range(4):
            round_of(200)
        assert core.nbytes == own and not core._sequences
        assert device.bytes_in_use < held + (64 << 10), "inputs of chunks of sizes that were not seen before"
        assert engine.health.pages_used == 0 and core.pages.free == core.pages.usable
