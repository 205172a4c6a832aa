"""A line of `wgpt batch` in an engine, from its form to its answer: in this process, in a replica's, or on Ray."""

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

NOT_THE_LINE = (EngineError, DeviceLostError, AllocationError)  # what ends a run instead of failing a line
# Requests in the engine, as multiples of the sequences that run at once: as many again wait, so that a sequence that
# ends is followed by another at once.
AHEAD = 2
_SEEDS = 2**64


@dataclass(frozen=True)
class Answered:
    """A line with its answer."""

    place: int  # in the order of the file
    answer: dict[str, Any]
    failed: bool = False
    prompt_tokens: int = 0
    cached_tokens: int = 0
    tokens: int = 0

    def result(self) -> Answered:
        return self

    @classmethod
    def failure(cls, place: int, form: Form, error: WgptError, status: int) -> Answered:
        return cls(place, form.failure(error, status), failed=True)


@dataclass(eq=False)
class Flight:
    """A line that is being answered."""

    engine: Engine
    place: int
    form: Form
    work: Work
    requests: Sequence[Request]

    @property
    def done(self) -> bool:
        return all(request.done for request in self.requests)

    def result(self) -> Answered:
        """Wait for the answer. Raises what is not the line's fault."""
        try:
            completions = [request.result() for request in self.requests]
        except NOT_THE_LINE:
            raise
        except WgptError as e:
            return Answered.failure(self.place, self.form, e, 500)
        firsts = completions[:: self.work.n]
        return Answered(
            self.place,
            self.form.answer(self.engine.model, self.work, completions),
            prompt_tokens=sum(each.prompt_tokens for each in firsts),
            cached_tokens=sum(each.cached_tokens for each in firsts),
            tokens=sum(len(each.ids) for each in completions),
        )


def begin(engine: Engine, defaults: Mapping[str, Any], place: int, number: int, form: Form) -> Flight | Answered:
    """Submit what a line asks for; if it is wrong, its answer says so. `number`: of the line, for its seed."""
    requests: list[Request] = []
    try:
        with as_keywords():
            work = form.work(engine.model)
            for row, prompt in enumerate(work.prompts):
                for sample in range(work.n):
                    options = _options(defaults, work, number, row * work.n + sample)
                    requests.append(engine.submit(prompt, lora=work.lora, **options))
    except NOT_THE_LINE:
        raise
    except WgptError as e:
        for request in requests:
            request.cancel()
        return Answered.failure(place, form, e, 400)
    return Flight(engine, place, form, work, requests)


def _options(defaults: Mapping[str, Any], work: Work, number: int, sample: int) -> dict[str, Any]:
    """The line's options over the defaults. Each line and each of its samples has another seed."""
    options = {**defaults, **work.options}
    seed = options.get("seed")
    if isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0:
        options["seed"] = (seed + sample + (0 if "seed" in work.options else number - 1)) % _SEEDS
    return options


class Crew(Protocol):
    """What answers lines."""

    def has_room(self) -> bool: ...

    def start(self, place: int, number: int, form: Form) -> None: ...

    def finished(self, seconds: float) -> list[Answered]:
        """Those since the last time; waits so long if there are none. Raises what ends the run."""
        ...

    @property
    def is_busy(self) -> bool:
        """Whether there are lines that are not finished."""
        ...

    @property
    def unfinished_tokens(self) -> int:
        """Generated for lines that are not finished, as far as that is known here."""
        ...

    def cancel(self) -> None: ...


@dataclass
class EngineCrew:
    """One engine, in this process."""

    engine: Engine
    defaults: Mapping[str, Any]
    max_batch: int
    _flying: list[Flight] = field(default_factory=list)
    _finished: list[Answered] = field(default_factory=list)

    def has_room(self) -> bool:
        requests = sum(len(flight.requests) for flight in self._flying)
        return requests + len(self._finished) < AHEAD * self.max_batch

    def start(self, place: int, number: int, form: Form) -> None:
        flight = begin(self.engine, self.defaults, place, number, form)
        if isinstance(flight, Flight):
            self._flying.append(flight)
        else:
            self._finished.append(flight)

    def finished(self, seconds: float) -> list[Answered]:
        finished, self._finished = self._finished, []
        for flight in [flight for flight in self._flying if flight.done]:
            self._flying.remove(flight)
            finished.append(flight.result())
        if not finished:
            time.sleep(seconds)
        return finished

    @property
    def is_busy(self) -> bool:
        return bool(self._flying or self._finished)

    @property
    def unfinished_tokens(self) -> int:
        return sum(len(request.completion.ids) for flight in self._flying for request in flight.requests)

    def cancel(self) -> None:
        for flight in self._flying:
            for request in flight.requests:
                request.cancel()
