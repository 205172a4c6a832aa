"""Work that passes through the stages of a split model: hidden states go from one GPU to the next through the host.

Each stage has a thread that waits for its results and submits them to the next one, so that all GPUs work at once. All
work passes every stage in the order in which it was sent: pages and slots can be used again by the very next work.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from numpy.typing import NDArray

from ..gpu import GpuDevice, Pending, Program, Tensor
from .stage_runner import HIDDEN

Results = dict[str, NDArray[Any]]
Writes = list[tuple[Tensor, NDArray[Any]]]


class Part(NamedTuple):
    """What a stage does: a Program, and what to write before it runs."""

    program: Program
    writes: Writes


class Clock:
    """For how long a GPU had work: the union of the times between a submit and its result."""

    def __init__(self, device: GpuDevice) -> None:
        self._software = device.software
        self._lock = threading.Lock()
        self._end, self.seconds = 0.0, 0.0

    def note(self, began: float, ended: float) -> None:
        with self._lock:
            self.seconds += max(0.0, ended - max(began, self._end))
            self._end = max(self._end, ended)

    def send(self, part: Part, *more: tuple[Tensor, NDArray[Any]]) -> Sent:
        began = time.perf_counter()
        pending = part.program.submit(writes=[*part.writes, *more])
        if self._software:  # it has computed within the submit
            self.note(began, time.perf_counter())
        return Sent(self, pending, began)

    def read(self, sent: Sent) -> Results:
        began = time.perf_counter() if self._software else sent.began
        results = sent.pending.result()
        self.note(began, time.perf_counter())
        return results


class Sent(NamedTuple):
    """A Program under way on one GPU."""

    clock: Clock
    pending: Pending
    began: float


class Flow:
    """Results of work that passes through the stages. `accept` gets them when they are first asked for."""

    def __init__(self, future: Future[Results], accept: Callable[[Results], None] | None = None) -> None:
        self._future, self._accept = future, accept
        self.asked = False

    def result(self) -> Results:
        self.asked = True
        results = self._future.result()
        if self._accept is not None:
            accept, self._accept = self._accept, None
            accept(results)
        return results


class Stages:
    """The threads and clocks of the stages."""

    def __init__(self, devices: Sequence[GpuDevice]) -> None:
        self.clocks = [Clock(device) for device in devices]
        self._readers = [ThreadPoolExecutor(1, f"wgpt-stage-{i}") for i in range(len(devices))]

    def run(self, parts: Sequence[Part]) -> Future[Results]:
        """A part for each stage; the results are those of the last."""
        sent: Future[Sent] = Future()
        sent.set_result(self.clocks[0].send(parts[0]))
        for reader, clock, part in zip(self._readers, self.clocks[1:], parts[1:], strict=False):
            sent = reader.submit(_pass_on, sent, clock, part)
        return self._readers[-1].submit(_read, sent)

    def run_last(self, part: Part) -> Future[Results]:
        """Work for the last stage alone, after all that was sent before."""
        return self._readers[-1].submit(_read, self._readers[-2].submit(self.clocks[-1].send, part))

    def drain(self) -> None:
        """Wait until all that was sent is done."""
        for reader in self._readers:
            reader.submit(int).result()

    def close(self) -> None:
        for reader in self._readers:
            reader.shutdown(wait=False, cancel_futures=True)
        for reader in self._readers:
            reader.shutdown()


def _pass_on(sent: Future[Sent], clock: Clock, part: Part) -> Sent:
    before = sent.result()
    hidden = before.clock.read(before)[HIDDEN]
    return clock.send(part, (part.program.inputs[HIDDEN], hidden))


def _read(sent: Future[Sent]) -> Results:
    last = sent.result()
    return last.clock.read(last)
