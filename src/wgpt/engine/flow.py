"""Work that passes through the stages of a split model: hidden states go from one GPU to the next through the host.

Whoever waits for a result moves all work on: reads what is done, sends it to the next stage, and meanwhile records the
commands that are needed next. Between two GPUs there is then a write and a submit, and no other thread. All work passes
every stage in the order in which it was decided: pages and slots can be used again by the very next work.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from numpy.typing import NDArray

from ..gpu import GpuDevice, GpuTimeoutError, Patience, Pending, Program, Tensor
from .errors import EngineError
from .stage_runner import HIDDEN

Results = dict[str, NDArray[Any]]
Writes = list[tuple[Tensor, NDArray[Any]]]
Meanwhile = Callable[[], bool]  # does a little; whether there was anything to do

# For so long before and after a result is expected, ask for it all the time. A pause, even of no time at all, takes 60
# us on Linux; without one, other threads of Python do not get on.
_EARLY_SECONDS, _LATE_SECONDS = 100e-6, 200e-6
# The most that recording the commands of a stage takes, and deciding what to do next.
_RECORD_SECONDS, _DECIDE_SECONDS = 500e-6, 150e-6


class Part(NamedTuple):
    """What a stage does: a Program, and what to write before it runs. `whole`: those inputs that are always written."""

    program: Program
    writes: Writes
    whole: tuple[Tensor, ...] = ()


class Sent(NamedTuple):
    """A Program under way on one GPU; like a Future of itself, which a software driver's thread gives."""

    program: Program
    pending: Pending
    began: float

    def done(self) -> bool:
        return True

    def result(self) -> Sent:
        return self


class NotSent(NamedTuple):
    """The result of a Program that could not be submitted."""

    error: BaseException

    def done(self) -> bool:
        return True

    def result(self) -> Sent:
        raise self.error


class Clock:
    """For how long a GPU had work: the union of the times from a submit until its result is there."""

    def __init__(self) -> None:
        self._end, self.seconds = 0.0, 0.0
        self._last = WeakKeyDictionary[Program, float]()  # how long each Program took

    def send(self, part: Part, *more: tuple[Tensor, NDArray[Any]]) -> Sent:
        began = time.perf_counter()
        return Sent(part.program, part.program.submit(writes=[*part.writes, *more]), began)

    def read(self, sent: Sent) -> Results:
        """In the order of sending."""
        results, now = sent.pending.result(), time.perf_counter()
        self._last[sent.program] = seconds = now - max(sent.began, self._end)
        self.seconds += seconds
        self._end = now
        return results

    def left(self, sent: Sent) -> float:
        """How long until the result is there, if the Program takes as long as it did the last time."""
        return max(sent.began, self._end) + self._last.get(sent.program, 0.0) - time.perf_counter()


class Flow:
    """Work that passes through the stages, with a part for each or for the last one alone.

    `after`: work whose results must be there before this begins; `fill` then completes the arrays that the parts write.
    `accept` gets the results as soon as they are there.
    """

    def __init__(
        self,
        stages: Stages,
        parts: Mapping[int, Part],
        after: Sequence[Flow] = (),
        fill: Callable[[], None] | None = None,
    ) -> None:
        self.parts, self.number, self.done = parts, 0, False
        self._stages, self._after, self._fill = stages, after, fill
        self.accept: Callable[[Results], None] | None = None
        self._first, self._last = min(parts), max(parts)  # stages
        self._next = self._first
        self._results: Results | None = None  # of the newest part that was read
        self._error: BaseException | None = None

    def result(self, meanwhile: Meanwhile | None = None) -> Results:
        """Wait for the results of the last stage; `meanwhile`: what to do while GPUs work."""
        if not self.done:
            self._stages.wait_until(lambda: self.done, meanwhile)
        if self._error is not None:
            raise self._error
        assert self._results is not None
        return self._results

    def is_ready(self, stage: int) -> bool:
        """Whether its part for this stage can be sent, or never will be."""
        if self.done or self._next != stage or not all(flow.done for flow in self._after):
            return self.done
        error = next((flow._error for flow in self._after if flow._error is not None), None)
        if error is not None:
            self.fail(error)
        elif self._fill is not None:
            self._fill()
        self._after, self._fill = (), None
        return True

    def writes(self, stage: int) -> Writes:
        """What this stage gets from the one before."""
        if self._results is None:
            return []
        return [(self.parts[stage].program.inputs[HIDDEN], self._results[HIDDEN])]

    def prepare(self, stage: int) -> bool:
        """Record the commands for this stage; whether that was left to do."""
        part = self.parts[stage]
        entering = () if stage == self._first else (part.program.inputs[HIDDEN],)
        return part.program.prepare(*part.whole, *entering, close=True)

    def take(self, results: Results) -> None:
        """The results of the part that was sent."""
        self._results = results
        if self._next < self._last:
            self._next += 1
            return
        if self.accept is not None:
            self.accept(results)
        self._end()

    def fail(self, error: BaseException) -> None:
        self._error = error
        self._end()

    def _end(self) -> None:
        self.done = True
        self.parts, self._after, self._fill, self.accept = {}, (), None, None


class _Stage:
    """One GPU: work that waits for it, and work under way on it, in order."""

    def __init__(self, number: int, device: GpuDevice) -> None:
        self._number, self.device, self.clock = number, device, Clock()
        self.waiting: deque[Flow] = deque()
        self.under_way: deque[tuple[Flow, Future[Sent] | Sent | NotSent]] = deque()
        # A software driver takes a submit only when the one before is done: that must not hold up the other stages.
        self._sender = ThreadPoolExecutor(1, f"wgpt-send-{number}") if device.software else None

    @property
    def idle(self) -> bool:
        return not (self.waiting or self.under_way)

    def send(self) -> None:
        """Send all that can be sent."""
        while self.waiting and self.waiting[0].is_ready(self._number):
            flow = self.waiting.popleft()
            if flow.done:  # it has failed
                continue
            part, writes = flow.parts[self._number], flow.writes(self._number)
            if self._sender is not None:
                self.under_way.append((flow, self._sender.submit(self.clock.send, part, *writes)))
                continue
            try:
                self.under_way.append((flow, self.clock.send(part, *writes)))
            except BaseException as error:
                self.under_way.append((flow, NotSent(error)))

    def read(self) -> bool:
        """Take the oldest result; whether it was there."""
        if not self.under_way or not self.under_way[-1][1].done():  # a submit under way has the device's lock
            return False
        flow, sent = self.under_way[0]
        try:
            if not sent.result().pending.done():
                return False
            flow.take(self.clock.read(sent.result()))
        except BaseException as error:
            flow.fail(error)
        self.under_way.popleft()
        return True

    def left(self) -> float:
        """How long until the oldest result is there; infinite if nothing is under way, or that is not known."""
        sent = self.under_way[0][1] if self.under_way else None
        return self.clock.left(sent) if isinstance(sent, Sent) else math.inf

    def has_time(self) -> bool:
        """Whether to record commands for what waits."""
        return bool(self.waiting) and self.left() > _RECORD_SECONDS

    def give_up(self, error: BaseException) -> None:
        """The oldest result does not come."""
        self.under_way.popleft()[0].fail(error)

    def close(self) -> None:
        if self._sender is not None:
            self._sender.shutdown(cancel_futures=True)
        for flow in [*self.waiting, *(flow for flow, _ in self.under_way)]:
            flow.fail(EngineError("the engine was closed"))
        self.waiting.clear()
        self.under_way.clear()


class Stages:
    """The GPUs of a split model. One thread uses it."""

    def __init__(self, devices: Sequence[GpuDevice]) -> None:
        self._stages = [_Stage(i, device) for i, device in enumerate(devices)]
        self.clocks = [stage.clock for stage in self._stages]
        self._numbers = itertools.count()

    def run(self, flow: Flow) -> Flow:
        """Send it through its stages, after all that was sent before."""
        flow.number = next(self._numbers)
        for stage in flow.parts:
            self._stages[stage].waiting.append(flow)
        self._send()
        return flow

    def drain(self) -> None:
        """Wait until all that was sent is done."""
        self.wait_until(lambda: not any(stage.waiting or stage.under_way for stage in self._stages))

    def wait_until(self, done: Callable[[], bool], meanwhile: Meanwhile | None = None) -> None:
        patience = None
        while not done():
            if self._advance() or self._prepare() or (meanwhile is not None and self._has_time() and meanwhile()):
                patience = None
                continue
            busy = next(stage for stage in self._stages if stage.under_way)
            patience = patience or Patience(busy.device)
            try:
                pause = patience.pause()
            except GpuTimeoutError as error:
                busy.give_up(error)
                self._send()  # what waits behind it
                patience = None
                continue
            if not self._catch():
                time.sleep(pause)

    def _advance(self) -> bool:
        """Move on what can be moved on; whether anything could."""
        moved = False
        for stage in self._stages:
            if stage.read():
                moved = True
                self._send()
        return moved

    def _send(self) -> None:
        for stage in self._stages:
            stage.send()

    def _catch(self) -> bool:
        """Ask for a result that is expected now, all the time; whether it has come."""
        lefts = [left for stage in self._stages if -_LATE_SECONDS < (left := stage.left()) < _EARLY_SECONDS]
        until = time.perf_counter() + _LATE_SECONDS + max(lefts) if lefts else 0.0
        while time.perf_counter() < until:
            if self._advance():
                return True
        return False

    def _has_time(self) -> bool:
        """Whether to decide what to do next: a GPU has nothing to do, or no result is expected meanwhile."""
        lefts = [stage.left() for stage in self._stages]
        return any(stage.idle for stage in self._stages) or min(lefts) > _DECIDE_SECONDS

    def _prepare(self) -> bool:
        """Record commands that are sent next; whether there were any. Meanwhile, no result of that GPU can be read."""
        first = [(stage.waiting[0].number, i) for i, stage in enumerate(self._stages) if stage.has_time()]
        for _, i in sorted(first):
            flow = self._stages[i].waiting[0]
            try:
                if flow.prepare(i):
                    return True
            except BaseException as error:
                flow.fail(error)
                self._send()  # what waits behind it
                return True
        return False

    def close(self) -> None:
        for stage in self._stages:
            stage.close()
