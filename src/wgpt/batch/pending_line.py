"""A line of `wgpt batch` on its way through an engine: in this process, in a replica's process, or in a Ray actor."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..api import Engine
from ..core.errors import WgptError
from ..core.naming import as_keywords
from ..engine.errors import EngineError
from ..engine.request import Request
from ..gpu import AllocationError, DeviceLostError
from .lines import Form, Work

RUN_ERRORS = (EngineError, DeviceLostError, AllocationError)  # these end the whole run instead of failing one line
# How many requests to keep in the engine, as a multiple of its batch size: the surplus waits, so that a finished
# sequence is replaced at once.
AHEAD = 2
_SEEDS = 2**64


@dataclass(frozen=True)
class AnsweredLine:
    """A line with its answer."""

    place: int  # its position in the file
    answer: dict[str, Any]
    failed: bool = False
    prompt_tokens: int = 0
    cached_tokens: int = 0
    tokens: int = 0

    def result(self) -> AnsweredLine:
        return self

    @classmethod
    def failure(cls, place: int, form: Form, error: WgptError, status: int) -> AnsweredLine:
        return cls(place, form.failure(error, status), failed=True)


@dataclass(eq=False)
class PendingLine:
    """A line that is being answered."""

    engine: Engine
    place: int
    form: Form
    work: Work
    requests: Sequence[Request]

    @property
    def done(self) -> bool:
        return all(request.done for request in self.requests)

    def result(self) -> AnsweredLine:
        """Wait for the answer. Raises errors that the line did not cause."""
        try:
            completions = [request.result() for request in self.requests]
        except RUN_ERRORS:
            raise
        except WgptError as e:
            return AnsweredLine.failure(self.place, self.form, e, 500)
        firsts = completions[:: self.work.n]
        return AnsweredLine(
            self.place,
            self.form.answer(self.engine.model, self.work, completions),
            prompt_tokens=sum(each.prompt_tokens for each in firsts),
            cached_tokens=sum(each.cached_tokens for each in firsts),
            tokens=sum(len(each.ids) for each in completions),
        )


def begin(
    engine: Engine, defaults: Mapping[str, Any], place: int, number: int, form: Form
) -> PendingLine | AnsweredLine:
    """Submit the requests of a line; an invalid line is answered with its error.

    `number`: the line number, part of its seed.
    """
    requests: list[Request] = []
    try:
        with as_keywords():
            work = form.work(engine.model)
            for row, prompt in enumerate(work.prompts):
                for sample in range(work.n):
                    options = _options(defaults, work, number, row * work.n + sample)
                    requests.append(engine.submit(prompt, lora=work.lora, **options))
    except RUN_ERRORS:
        raise
    except WgptError as e:
        for request in requests:
            request.cancel()
        return AnsweredLine.failure(place, form, e, 400)
    return PendingLine(engine, place, form, work, requests)


def _options(defaults: Mapping[str, Any], work: Work, number: int, sample: int) -> dict[str, Any]:
    """The line's options over the defaults. Every line and each of its samples gets a different seed."""
    options = {**defaults, **work.options}
    seed = options.get("seed")
    if isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0:
        options["seed"] = (seed + sample + (0 if "seed" in work.options else number - 1)) % _SEEDS
    return options


class LineExecutor(Protocol):
    """Answers lines: with one engine in this process, or with several replicas."""

    def has_room(self) -> bool: ...

    def start(self, place: int, number: int, form: Form) -> None: ...

    def finished(self, seconds: float) -> list[AnsweredLine]:
        """The lines finished since the last call; waits up to `seconds` if there are none.

        Raises an error that ends the run.
        """
        ...

    @property
    def is_busy(self) -> bool:
        """Whether any line is unfinished."""
        ...

    @property
    def unfinished_tokens(self) -> int:
        """Tokens generated so far for unfinished lines, as far as this process knows."""
        ...

    def cancel(self) -> None: ...


@dataclass
class EngineExecutor:
    """One engine, in this process."""

    engine: Engine
    defaults: Mapping[str, Any]
    max_batch: int
    _pending: list[PendingLine] = field(default_factory=list)
    _finished: list[AnsweredLine] = field(default_factory=list)

    def has_room(self) -> bool:
        requests = sum(len(line.requests) for line in self._pending)
        return requests + len(self._finished) < AHEAD * self.max_batch

    def start(self, place: int, number: int, form: Form) -> None:
        line = begin(self.engine, self.defaults, place, number, form)
        if isinstance(line, PendingLine):
            self._pending.append(line)
        else:
            self._finished.append(line)

    def finished(self, seconds: float) -> list[AnsweredLine]:
        finished, self._finished = self._finished, []
        for line in [line for line in self._pending if line.done]:
            self._pending.remove(line)
            finished.append(line.result())
        if not finished:
            time.sleep(seconds)
        return finished

    @property
    def is_busy(self) -> bool:
        return bool(self._pending or self._finished)

    @property
    def unfinished_tokens(self) -> int:
        return sum(len(request.completion.ids) for line in self._pending for request in line.requests)

    def cancel(self) -> None:
        for line in self._pending:
            for request in line.requests:
                request.cancel()
