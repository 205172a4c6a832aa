"""Training data: a JSONL file as tokenised examples, split and shuffled deterministically."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import flag, one_of, whole_number
from ..core.errors import PreconditionError
from ..formats.tokenizer import Tokenizer
from .lines import DataError, Line, lines_of, read_lines
from .tokens import Answers, Encoder, Example

MAX_LABELS = 4096
_MOST_REPORTED = 5  # broken or doubtful lines to report at most


@dataclass
class Counts:
    """Statistics of a file's lines."""

    lines: int = 0
    broken: int = 0
    empty: int = 0  # lines without anything to learn
    truncated: int = 0
    too_long: int = 0  # left out as too long, or without anything to learn after truncation
    faults: list[str] = field(default_factory=list)  # of the first broken lines
    doubtful: int = 0  # used, but probably unintended
    doubts: list[str] = field(default_factory=list)  # of the first doubtful lines

    def doubt(self, line: Line, message: str) -> None:
        self.doubtful += 1
        if len(self.doubts) < _MOST_REPORTED:
            self.doubts.append(f"{line.path}, line {line.number}: {message}")

    def __str__(self) -> str:
        named = {"broken": self.broken, "empty": self.empty, "too long": self.too_long}
        left_out = [f"{count} {name}" for name, count in named.items() if count]
        parts = [f"{self.lines} lines"]
        parts += [f"left out: {', '.join(left_out)}"] if left_out else []
        parts += [f"{self.truncated} truncated"] if self.truncated else []
        return "; ".join(parts)


@dataclass(frozen=True)
class Reading:
    """How to read a file."""

    max_tokens: int = 1024  # most tokens of an example
    too_long: Literal["truncate", "skip"] = "truncate"
    broken: Literal["stop", "skip"] = "stop"
    answers: Answers = "all"  # which answers of a chat to learn: all, or the last
    everything: bool = False  # learn prompts, too
    classify: bool = False

    def __post_init__(self) -> None:
        whole_number("max_tokens", self.max_tokens, 2)  # fewest tokens: one to predict another
        choices = {"too_long": ("truncate", "skip"), "broken": ("stop", "skip"), "answers": ("all", "last")}
        for name, allowed in choices.items():
            one_of(name, getattr(self, name), allowed)
        for name in ("everything", "classify"):
            flag(name, getattr(self, name))


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples, in file order."""

    examples: Sequence[Example] = field(repr=False)
    counts: Counts
    labels: tuple[str, ...] = ()  # names of the classes

    def __len__(self) -> int:
        return len(self.examples)

    @property
    def tokens(self) -> int:
        return sum(len(example) for example in self.examples)

    @property
    def targets(self) -> int:
        return sum(example.count for example in self.examples)

    @property
    def longest(self) -> int:
        return max(len(example) for example in self.examples)

    @property
    def fingerprint(self) -> str:
        """Hash of all ids and targets: a run is resumed only with the data it began with."""
        digest = hashlib.blake2b(digest_size=16)
        for example in self.examples:
            digest.update(np.int64(len(example)).tobytes() + example.ids.tobytes() + example.targets.tobytes())
        return digest.hexdigest()

    def split(self, fraction: float, seed: int = 0) -> tuple[Dataset, Dataset]:
        """Split into training and validation: a random share is held out, at least one example."""
        if not 0 < fraction < 1:
            raise PreconditionError(f"the held-out share must be between 0 and 1, not {fraction:g}")
        if len(self) < 2:
            raise DataError(f"cannot split {len(self)} example into training and validation: add more")
        count = min(len(self) - 1, max(1, round(fraction * len(self))))
        held_out = set(order(len(self), seed, _SPLIT)[:count].tolist())
        parts = [[e for i, e in enumerate(self.examples) if (i in held_out) == held] for held in (False, True)]
        return replace(self, examples=tuple(parts[0])), replace(self, examples=tuple(parts[1]))


_SPLIT = (1 << 64) - 1  # a pseudo-epoch for splitting, which no run reaches


def order(count: int, seed: int, epoch: int) -> NDArray[np.intp]:
    """A permutation by seed and epoch. Philox's stream is stable across NumPy versions, unlike its shuffling."""
    key = np.array([seed % (1 << 64), epoch % (1 << 64)], np.uint64)
    return np.argsort(np.random.Philox(key=key).random_raw(count), kind="stable")


DataSource = str | Path | Sequence[Mapping[str, Any]]  # path of a JSONL file, or its lines as dicts


def load_data(
    data: DataSource,
    tokenizer: Tokenizer,
    how: Reading | None = None,
    labels: Sequence[str] | None = None,
    name: str = "the data",
) -> Dataset:
    """Read and tokenise data. `labels`: the classes of the training data, when reading validation data; `name`: of data
    in memory, in errors."""
    how, counts = how or Reading(), Counts()
    path, lines = (data, read_lines(data)) if isinstance(data, str | Path) else (name, lines_of(data, name))
    encoder = Encoder(tokenizer, how.answers, how.everything, counts.doubt)
    examples: list[Example] = []
    names: list[str] = []
    for line, example, label in _encoded(lines, encoder, how, counts):
        fitting = _fitting(example, how, counts)
        if fitting is None:
            continue
        if labels is not None and label not in labels and how.classify:
            _broken(line.error(f"label {label!r} is not in the training data: {', '.join(labels[:20])}"), how, counts)
            continue
        examples.append(fitting)
        names.append(label)
    for doubt in counts.doubts:
        warnings.warn(doubt, stacklevel=2)
    if more := counts.doubtful - len(counts.doubts):
        warnings.warn(f"{path}: {more} more warnings like these", stacklevel=2)
    if not counts.lines:
        raise DataError(f"{path}: is empty")
    if not examples:
        faults = f"; first error: {counts.faults[0]}" if counts.faults else ""
        raise DataError(f"{path}: has no usable examples ({counts}){faults}")
    if not how.classify:
        return Dataset(tuple(examples), counts)
    classes = _classes(path, names, labels)
    numbers = {label: i for i, label in enumerate(classes)}
    labelled = (replace(example, label=numbers[label]) for example, label in zip(examples, names, strict=True))
    return Dataset(tuple(labelled), counts, classes)


def _encoded(
    lines: Iterable[Line | DataError], encoder: Encoder, how: Reading, counts: Counts
) -> Iterator[tuple[Line, Example, str]]:
    for line in lines:
        counts.lines += 1
        try:
            if isinstance(line, DataError):
                raise line
            kind = line.kind(how.classify)
            if kind == "classify":
                example, name = encoder.labelled(line)
            else:
                example, name = getattr(encoder, kind)(line), ""
        except DataError as e:
            _broken(e, how, counts)
        else:
            yield line, example, name


def _broken(fault: DataError, how: Reading, counts: Counts) -> None:
    if how.broken == "stop":
        raise DataError(f"{fault} (to skip such lines: --broken skip, broken='skip')") from None
    counts.broken += 1
    if len(counts.faults) < _MOST_REPORTED:
        counts.faults.append(str(fault))


def _fitting(example: Example, how: Reading, counts: Counts) -> Example | None:
    """The example cut to max_tokens, or None if it is left out."""
    if not len(example) or not (how.classify or example.count):
        counts.empty += 1
        return None
    if len(example) <= how.max_tokens:
        return example
    short = example.cut(how.max_tokens)
    if how.too_long == "skip" or not (how.classify or short.count):
        counts.too_long += 1
        return None
    counts.truncated += 1
    return short


def _classes(path: str | Path, names: list[str], labels: Sequence[str] | None) -> tuple[str, ...]:
    if labels is not None:
        return tuple(labels)
    numbers = all(name.removeprefix("-").isdecimal() for name in names)
    classes = sorted(set(names), key=(lambda name: (int(name), name)) if numbers else None)
    if not 2 <= len(classes) <= MAX_LABELS:
        raise DataError(f"{path}: has {len(classes)} different labels; classification supports 2 to {MAX_LABELS}")
    return tuple(classes)
