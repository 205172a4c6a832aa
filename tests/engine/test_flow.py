"""Work on its way through the stages of a split model: order, what is recorded ahead, errors. No GPU."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from wgpt.engine.errors import EngineError
from wgpt.engine.flow import Flow, Part, Stages, _Stage
from wgpt.engine.stage_runner import HIDDEN
from wgpt.gpu import GpuTimeoutError, ValidationError

Log = list[str]


class Pending:
    """A result that is there when it has been asked for so many times."""

    def __init__(self, name: str, log: Log, asks: float) -> None:
        self._name, self._log, self._asks = name, log, asks

    def done(self) -> bool:
        self._asks -= 1
        return self._asks <= 0

    def result(self) -> dict[str, Any]:
        self._log.append(f"read {self._name}")
        return {HIDDEN: np.float32([len(self._log)]), "tokens": np.uint32([len(self._log)])}


class Program:
    """Notes what is done with it."""

    def __init__(self, name: str, log: Log, error: BaseException | None = None, asks: float = 2) -> None:
        self._name, self._log, self._error, self._asks = name, log, error, asks
        self.inputs, self.prepared, self.writes = {HIDDEN: "hidden"}, False, list[Any]()

    def prepare(self, *written: Any, close: bool) -> bool:
        assert close and written == (() if self._name.endswith("0") else ("hidden",))
        if self.prepared:
            return False
        self._log.append(f"prepare {self._name}")
        self.prepared = True
        return True

    def submit(self, writes: list[Any]) -> Pending:
        if self._error is not None:
            raise self._error
        self._log.append(f"send {self._name}")
        self.prepared, self.writes = False, writes
        return Pending(self._name, self._log, self._asks)


@pytest.fixture(params=[False, True], ids=["gpu", "software"])
def stages(request: pytest.FixtureRequest) -> Any:
    device = SimpleNamespace(software=request.param, timeout=5.0, info=SimpleNamespace(name="a GPU"))
    opened = Stages([device] * 3)  # type: ignore[list-item]
    yield opened
    opened.close()


def flow(stages: Stages, name: str, log: Log, after: tuple[Flow, ...] = (), **of_stage: Any) -> Flow:
    programs = [Program(f"{name}{i}", log, **of_stage.get(f"stage{i}", {})) for i in range(3)]
    return Flow(stages, {i: Part(program, []) for i, program in enumerate(programs)}, after)  # type: ignore[arg-type]


def kept(log: Log, what: str) -> list[str]:
    return [entry for entry in log if entry.startswith(what)]


def test_every_stage_gets_the_hidden_states_of_the_one_before(stages: Stages) -> None:
    log = Log()
    one = flow(stages, "a", log)
    parts = list(one.parts.values())
    stages.run(one).result()
    assert kept(log, "send") == ["send a0", "send a1", "send a2"]
    read = [log.index(f"read a{i}") + 1 for i in range(2)]
    assert [part.program.writes for part in parts] == [  # type: ignore[attr-defined]
        [],
        [("hidden", np.float32([read[0]]))],
        [("hidden", np.float32([read[1]]))],
    ]


def test_all_work_passes_every_stage_in_order_and_side_by_side(stages: Stages) -> None:
    log = Log()
    flows = [stages.run(flow(stages, name, log)) for name in "abc"]
    flows[-1].result()
    assert all(each.done for each in flows)
    for i in range(3):
        assert [entry for entry in kept(log, "send") if entry.endswith(str(i))] == [f"send {n}{i}" for n in "abc"]
    assert log.index("send b1") < log.index("send a2") or log.index("send b0") < log.index("send a1")


def test_what_follows_begins_before_the_result_is_given_to_anybody(stages: Stages) -> None:
    """Its arrays are filled with what the first one chose."""
    log = Log()
    one = flow(stages, "a", log)
    one.accept = lambda results: log.append("accept a")
    two = Flow(stages, flow(stages, "b", log).parts, (one,), lambda: log.append("fill b"))
    stages.run(one)
    stages.run(two)
    one.result()
    stages.wait_until(lambda: "send b0" in log)  # a software driver's thread may still be at it
    assert [entry for entry in log if entry in ("read a2", "accept a", "fill b", "send b0")] == [
        "read a2",
        "accept a",
        "fill b",
        "send b0",
    ]
    two.result()


def test_commands_are_recorded_ahead_the_nearest_first(stages: Stages) -> None:
    log = Log()
    one = stages.run(flow(stages, "a", log, stage0={"asks": 9}))
    stages.run(flow(stages, "b", log, (one,))).result()
    first = log.index("read a0")
    assert kept(log[:first], "prepare")[:2] == ["prepare a1", "prepare a2"]
    assert log[first + 1 :].index("send a1") < log[first + 1 :].index("prepare b1")


@pytest.mark.parametrize("left", [1.0, 1e-5])
def test_commands_for_a_busy_gpu_are_recorded_if_no_result_is_expected_meanwhile(
    left: float, stages: Stages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recording holds up the reading of what that GPU has done."""
    log = Log()
    monkeypatch.setattr(_Stage, "left", lambda stage: left if stage.under_way else np.inf)
    one = stages.run(flow(stages, "a", log, stage0={"asks": 9}, stage1={"asks": 9}))
    stages.run(flow(stages, "b", log, (one,))).result()
    assert (log.index("prepare b0") < log.index("read a0")) == (left > 0.5)


@pytest.mark.parametrize("left", [1.0, 1e-5])
def test_what_is_done_while_gpus_work(left: float, stages: Stages, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the commands that are needed next, and only if no result is expected meanwhile or a GPU has nothing to do:
    the first one, when its part is done."""
    log = Log()
    monkeypatch.setattr(_Stage, "left", lambda stage: left if stage.under_way else np.inf)
    one = flow(stages, "a", log, stage0={"asks": 9}, stage1={"asks": 9})
    stages.run(one).result(lambda: log.append("meanwhile") is not None)
    first, read = log.index("meanwhile"), log.index("read a0")
    assert log.index("prepare a2") < first < log.index("read a1")
    assert (first < read) == (left > 0.5)


def test_an_error_ends_the_work_and_what_follows_it_but_no_other(stages: Stages) -> None:
    log = Log()
    one = stages.run(flow(stages, "a", log, stage1={"error": ValidationError("refused")}))
    two, other = stages.run(flow(stages, "b", log, (one,))), stages.run(flow(stages, "c", log))
    for failed in (one, two):
        with pytest.raises(ValidationError, match="refused"):
            failed.result()
    other.result()
    assert kept(log, "send") == ["send a0", "send c0", "send c1", "send c2"]


def test_a_result_that_does_not_come(stages: Stages) -> None:
    log = Log()
    for stage in stages._stages:
        stage.device.timeout = 0.05
    one, two = stages.run(flow(stages, "a", log, stage0={"asks": np.inf})), stages.run(flow(stages, "b", log))
    with pytest.raises(GpuTimeoutError, match=r"a GPU did not finish within 0\.05 s"):
        one.result()
    two.result()


def test_closing_ends_what_is_under_way(stages: Stages) -> None:
    log = Log()
    one = stages.run(flow(stages, "a", log, stage0={"asks": np.inf}))
    stages.close()
    with pytest.raises(EngineError, match="the engine was closed"):
        one.result()
