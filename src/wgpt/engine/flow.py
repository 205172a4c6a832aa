"""Work that passes through the stages of a split model: hidden states go from one GPU to the next through the host.

Each stage has a thread that waits for its results and submits them to the next one, so that all GPUs work at once. All
work passes every stage in the order in which it was sent: pages and slots can be used again by the very next work.
"""

from __future__ import annotations

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
    """For how long a GPU had work: the union of the times from a submit until its result is there."""

    def __init__(self) -> None:
        self._end, self.seconds = 0.0, 0.0

    def send(self, part: Part, *more: tuple[Tensor, NDArray[Any]]) -> Sent:
        began = time.perf_counter()
        return Sent(self, part.program.submit(writes=[*part.writes, *more]), began)

    def read(self, sent: Sent) -> Results:
        """In the order of sending."""
        results, now = sent.pending.result(), time.perf_counter()
        self.seconds += now - max(sent.began, self._end)
        self._end = now
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
        self.clocks = [Clock() for _ in devices]
        self._readers = [ThreadPoolExecutor(1, f"wgpt-read-{i}") for i in range(len(devices))]
        # A software driver takes a submit only when the one before is done: that must not hold up the reader.
        self._senders = [
            ThreadPoolExecutor(1, f"wgpt-send-{i}") if device.software else self._readers[i - 1]
            for i, device in enumerate(devices)
            if i
        ]

    def run(self, parts: Sequence[Part]) -> Future[Results]:
        """A part for each stage; the results are those of the last."""
        sent: Future[Sent] = Future()
        sent.set_result(self.clocks[0].send(parts[0]))
        results = self._readers[0].submit(_read, sent)
        for sender, reader, clock, part in zip(
            self._senders, self._readers[1:], self.clocks[1:], parts[1:], strict=True
        ):
            results = reader.submit(_read, sender.submit(_pass_on, results, clock, part))
        return results

    def run_last(self, part: Part) -> Future[Results]:
        """Work for the last stage alone, after all that was sent before."""
        return self._readers[-1].submit(_read, self._senders[-1].submit(self.clocks[-1].send, part))

    def drain(self) -> None:
        """Wait until all that was sent is done."""
        for thread in self._threads():
            thread.submit(int).result()

    def _threads(self) -> list[ThreadPoolExecutor]:
        """In the order in which work passes them."""
        later = [thread for pair in zip(self._senders, self._readers[1:], strict=True) for thread in pair]
        return [self._readers[0], *later]

    def close(self) -> None:
        for thread in self._threads():
            thread.shutdown(wait=False, cancel_futures=True)
        for thread in self._threads():
            thread.shutdown()


def _pass_on(results: Future[Results], clock: Clock, part: Part) -> Sent:
    return clock.send(part, (part.program.inputs[HIDDEN], results.result()[HIDDEN]))


def _read(sent: Future[Sent]) -> Results:
    last = sent.result()
    return last.clock.read(last)
