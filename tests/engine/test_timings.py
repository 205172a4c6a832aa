"""What the engine says about its times: recording Programs is not generating, and the other way round."""

from __future__ import annotations

import time
from typing import Any

import pytest

from wgpt import Engine, Model
from wgpt.engine.forward_recorder import ForwardRecorder
from wgpt.engine.runner import Runner
from wgpt.gpu import Pending

pytestmark = pytest.mark.gpu
SLOW = 1.5  # seconds that recording a step takes at least


@pytest.fixture
def recording(monkeypatch: pytest.MonkeyPatch) -> list[list[bool]]:
    """Recording a step is slow; for each, whether what was under way then had been awaited."""
    seen: list[list[bool]] = []
    record = ForwardRecorder.step

    def slow(self: ForwardRecorder, shape: Any) -> Any:
        seen.append([pending.collected for pending in submitted])
        time.sleep(SLOW)
        return record(self, shape)

    submitted: list[Pending] = []
    first = Runner.first

    def noted(self: Runner, *args: Any) -> Pending:
        submitted.append(first(self, *args))
        return submitted[-1]

    monkeypatch.setattr(ForwardRecorder, "step", slow)
    monkeypatch.setattr(Runner, "first", noted)
    return seen


def test_the_first_token_does_not_wait_for_the_program_of_the_second(model: Model, recording: list[list[bool]]) -> None:
    with Engine(model) as engine:
        request = engine.submit([1, 2, 3], max_tokens=3, ignore_eos=True)
        completion = request.result()
    assert recording == [[True]]
    assert completion.first_token_s < completion.seconds - SLOW


def test_what_is_under_way_is_awaited_before_a_program_is_recorded(model: Model, recording: list[list[bool]]) -> None:
    """Otherwise the prompt's own time would be taken for the compiler's, and its rate would be too high."""
    with Engine(model) as engine:
        engine.submit([1, 2, 3], max_tokens=1, ignore_eos=True).result()
        assert recording == []
        request = engine.submit([4, 5, 6], max_tokens=3, ignore_eos=True)
        completion = request.result()
    assert recording == [[True, True]]
    assert SLOW <= completion.compile_s < completion.first_token_s
    assert completion.prefill_rate > 0
