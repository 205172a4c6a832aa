"""Keeping engines busy with the lines of a file, and writing their answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..train.lines import DataError, read_lines
from .answers import Answers
from .lines import EXAMPLE, BrokenLine, Form, Key, PlainLine, is_openai, key_of
from .openai_lines import OpenAILine
from .pending_line import AnsweredLine, LineExecutor

POLL_SECONDS = 0.005  # seconds to wait for the next answer
_SHOW_SECONDS = 0.2
_MOST_HELD = 1024  # answers held back because an earlier line is unfinished, with --in-order


def forms(path: Path) -> Iterator[tuple[Key, int, Form]]:
    """(key, number, form) of every line of a file."""
    for line in read_lines(path, EXAMPLE):
        if isinstance(line, DataError):
            yield ("line", line.line), line.line, BrokenLine(line)
            continue
        yield key_of(line.value, line.number), line.number, form_of(line.value, line.number)


def form_of(value: Any, number: int) -> PlainLine | OpenAILine:
    return (OpenAILine if is_openai(value) else PlainLine)(key_of(value, number), value)


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


Lines = Iterable[tuple[Key, int, Form]]
Show = Callable[[Counts, float], None]  # called a few times a second with the current rate in tokens per second


@dataclass
class Writer:
    """Writes answers as they come, or in the order of the file, and counts them."""

    answers: Answers
    in_order: bool
    counts: Counts = field(default_factory=Counts)
    _held: dict[int, dict[str, Any]] = field(default_factory=dict)
    _next_place: int = 0
    _began: float = field(default_factory=time.perf_counter)

    def write(self, line: AnsweredLine) -> None:
        counts = self.counts
        counts.failed += line.failed
        counts.answered += not line.failed
        counts.prompt_tokens += line.prompt_tokens
        counts.cached_tokens += line.cached_tokens
        counts.tokens += line.tokens
        counts.seconds = time.perf_counter() - self._began
        if not self.in_order:
            self.answers.write(line.answer)
            return
        self._held[line.place] = line.answer
        while self._next_place in self._held:
            self.answers.write(self._held.pop(self._next_place))
            self._next_place += 1

    def has_room(self) -> bool:
        return len(self._held) < _MOST_HELD


@dataclass
class LineRunner:
    """Answers lines."""

    executor: LineExecutor

    def run(self, lines: Lines, writer: Writer, show: Show, stop: Callable[[], bool]) -> Counts:
        """Answer all lines; once `stop()` returns true, start no more and keep the ones already finished."""
        counts = writer.counts
        began = shown = time.perf_counter()
        waiting = enumerate(lines)
        try:
            while not stop():
                more = self._fill(waiting, writer, stop)
                finished = self.executor.finished(POLL_SECONDS)
                for line in finished:
                    writer.write(line)
                now = time.perf_counter()
                counts.seconds = now - began
                if now - shown > _SHOW_SECONDS:
                    shown = now
                    show(counts, (counts.tokens + self.executor.unfinished_tokens) / counts.seconds)
                if not more and not self.executor.is_busy:
                    return counts
            counts.stopped = True
        finally:
            self.executor.cancel()
        return counts

    def _fill(
        self, waiting: Iterator[tuple[int, tuple[Key, int, Form]]], writer: Writer, stop: Callable[[], bool]
    ) -> bool:
        """Start lines while there is room. Returns whether lines may be left."""
        while self.executor.has_room() and writer.has_room() and not stop():
            item = next(waiting, None)
            if item is None:
                return False
            place, (_, number, form) = item
            self.executor.start(place, number, form)
        return True


Answer = Callable[[Lines, Writer, Show, Callable[[], bool]], Counts]  # has the parameters of LineRunner.run
