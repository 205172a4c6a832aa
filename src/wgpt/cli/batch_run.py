"""Keeping an engine busy with the lines of a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..api import Engine
from ..engine.errors import EngineError
from ..engine.request import Request
from ..gpu import AllocationError, DeviceLostError, WgptError
from ..gpu.naming import as_keywords
from ..train.lines import DataError, read_lines
from .batch_answers import Answers
from .batch_lines import EXAMPLE, BrokenLine, Form, Key, PlainLine, Work, is_openai, key_of
from .batch_openai import OpenAILine

_POLL_SECONDS = 0.005
_SHOW_SECONDS = 0.2
# Requests in the engine, as multiples of the sequences that run at once: as many again wait, so that a sequence that
# ends is followed by another at once.
_AHEAD = 2
_HELD = 8  # the same, of answers that wait for an earlier one with --in-order
_SEEDS = 2**64


def forms(path: Path) -> Iterator[tuple[Key, int, Form]]:
    """(key, number, form) of every line of a file."""
    for line in read_lines(path, EXAMPLE):
        if isinstance(line, DataError):
            yield ("line", line.line), line.line, BrokenLine(line)
            continue
        key = key_of(line.value, line.number)
        yield key, line.number, (OpenAILine if is_openai(line.value) else PlainLine)(key, line.value)


@dataclass
class Counts:
    """What has been done; lines and tokens."""

    answered: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    tokens: int = 0
    seconds: float = 0.0
    stopped: bool = False

    @property
    def lines(self) -> int:
        return self.answered + self.failed

    @property
    def rate(self) -> float:
        return self.tokens / self.seconds if self.seconds else 0.0


@dataclass(eq=False)
class _Flight:
    """A line that is being answered."""

    form: Form
    work: Work
    requests: Sequence[Request]
    place: int  # in the order of the file

    @property
    def done(self) -> bool:
        return all(request.done for request in self.requests)


@dataclass
class Runner:
    """Answers lines with an engine. `show` is called a few times a second, with the tokens per second."""

    engine: Engine
    answers: Answers
    defaults: Mapping[str, Any]
    max_batch: int
    in_order: bool
    show: Callable[[Counts, float], None]
    counts: Counts = field(default_factory=Counts)
    _flying: list[_Flight] = field(default_factory=list)
    _held: dict[int, dict[str, Any]] = field(default_factory=dict)
    _next_place: int = 0

    def run(self, lines: Iterable[tuple[Key, int, Form]], stop: Callable[[], bool]) -> Counts:
        """Answer all lines, or those that are finished when `stop()` turns true."""
        began = shown = time.perf_counter()
        waiting = enumerate(lines)
        try:
            while not stop():
                started = self._fill(waiting, stop)
                finished = [flight for flight in self._flying if flight.done]
                for flight in finished:
                    self._flying.remove(flight)
                    self._finish(flight)
                now = time.perf_counter()
                self.counts.seconds = now - began
                if now - shown > _SHOW_SECONDS:
                    shown = now
                    unfinished = sum(len(r.completion.ids) for flight in self._flying for r in flight.requests)
                    self.show(self.counts, (self.counts.tokens + unfinished) / self.counts.seconds)
                if not self._flying and not started:
                    return self.counts
                if not finished:
                    time.sleep(_POLL_SECONDS)
            self.counts.stopped = True
        finally:
            for flight in self._flying:
                for request in flight.requests:
                    request.cancel()
        return self.counts

    def _fill(self, waiting: Iterator[tuple[int, tuple[Key, int, Form]]], stop: Callable[[], bool]) -> bool:
        """Start lines while there is room; returns whether any was started or failed at once."""
        started = False
        while self._has_room() and not stop():
            item = next(waiting, None)
            if item is None:
                return started
            place, (_, number, form) = item
            started = True
            self._start(place, number, form)
        return started

    def _has_room(self) -> bool:
        requests = sum(len(flight.requests) for flight in self._flying)
        return requests < _AHEAD * self.max_batch and len(self._held) < _HELD * self.max_batch

    def _start(self, place: int, number: int, form: Form) -> None:
        requests: list[Request] = []
        try:
            with as_keywords():
                work = form.work(self.engine.model)
                for row, prompt in enumerate(work.prompts):
                    for sample in range(work.n):
                        options = self._options(work, number, row * work.n + sample)
                        requests.append(self.engine.submit(prompt, lora=work.lora, **options))
        except (EngineError, DeviceLostError, AllocationError):
            raise
        except WgptError as e:
            for request in requests:
                request.cancel()
            self._fail(place, form, e, 400)
            return
        self._flying.append(_Flight(form, work, requests, place))

    def _options(self, work: Work, number: int, sample: int) -> dict[str, Any]:
        """The line's options over the defaults. Each line and each of its samples has another seed."""
        options = {**self.defaults, **work.options}
        seed = options.get("seed")
        if isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0:
            options["seed"] = (seed + sample + (0 if "seed" in work.options else number - 1)) % _SEEDS
        return options

    def _finish(self, flight: _Flight) -> None:
        try:
            completions = [request.result() for request in flight.requests]
        except (EngineError, DeviceLostError, AllocationError):
            raise  # not the line's fault
        except WgptError as e:
            self._fail(flight.place, flight.form, e, 500)
            return
        self.counts.answered += 1
        self.counts.prompt_tokens += sum(c.prompt_tokens for c in completions[:: flight.work.n])
        self.counts.cached_tokens += sum(c.cached_tokens for c in completions[:: flight.work.n])
        self.counts.tokens += sum(len(c.ids) for c in completions)
        self._write(flight.place, flight.form.answer(self.engine.model, flight.work, completions))

    def _fail(self, place: int, form: Form, error: WgptError, status: int) -> None:
        self.counts.failed += 1
        self._write(place, form.failure(error, status))

    def _write(self, place: int, answer: dict[str, Any]) -> None:
        if not self.in_order:
            self.answers.write(answer)
            return
        self._held[place] = answer
        while self._next_place in self._held:
            self.answers.write(self._held.pop(self._next_place))
            self._next_place += 1
