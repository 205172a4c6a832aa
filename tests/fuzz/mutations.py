"""Ways to damage a file: bits, numbers, lengths, pieces and the words of JSON."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

import numpy as np

HUGE = (0, 1, 7, 255, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40, (1 << 63) - 1, 1 << 63)
HUGE += ((1 << 64) - 1, (1 << 64) - 32)
# Hostile values for JSON.
WORDS = (b"0", b"-1", b"1e999", b"NaN", b"null", b"true", b"[]", b"{}", b'""', b'"F64"', b'"../x"', b'"\\ud800"')
WORDS += (b"1e-400", b"9" * 20, b"9" * 5000, b"[" * 3000, b"3.5", b"[[1]]", b"18446744073709551616")


def flipped(raw: bytearray, rng: np.random.Generator, where: int) -> None:
    for at in rng.integers(0, where, rng.integers(1, 9)):
        raw[at] ^= 1 << int(rng.integers(8))


def overwritten(raw: bytearray, rng: np.random.Generator, where: int) -> None:
    """A number anywhere, which is a count, a length or an offset somewhere."""
    value, at = int(rng.choice(np.array(HUGE, np.uint64))), int(rng.integers(0, where))
    number = struct.pack("<Q", value)[: int(rng.choice([1, 4, 8]))]
    raw[at : at + len(number)] = number


def cut(raw: bytearray, rng: np.random.Generator, where: int) -> None:
    del raw[int(rng.integers(0, len(raw) if rng.integers(2) else where)) :]


def moved(raw: bytearray, rng: np.random.Generator, where: int) -> None:
    """A piece copied over, put in or taken out elsewhere."""
    start, to = (int(at) for at in rng.integers(0, where, 2))
    piece = raw[start : start + int(rng.integers(1, 64))]
    raw[to : to + int(rng.choice([0, len(piece)]))] = piece if rng.integers(4) else b""


def noisy(raw: bytearray, rng: np.random.Generator, where: int) -> None:
    at = int(rng.integers(0, where))
    raw[at : at + 16] = rng.bytes(int(rng.integers(1, 17)))


def reworded(raw: bytearray, rng: np.random.Generator, where: int) -> None:
    """A number or string of a JSON text replaced."""
    spans = [m.span() for m in re.finditer(rb'"[^"]*"|-?\d+(\.\d+)?|null|true|false', bytes(raw[:where]))]
    start, end = spans[int(rng.integers(len(spans)))] if spans else (0, 1)
    raw[start:end] = WORDS[int(rng.integers(len(WORDS)))]


def reheaded(raw: bytearray, rng: np.random.Generator, where: int) -> None:
    """The same in a safetensors header, whose length is put right again."""
    where = min(where, 8 + int.from_bytes(raw[:8], "little"))
    header = raw[8:where]
    reworded(header, rng, len(header))
    raw[:where] = struct.pack("<Q", len(header)) + header


BINARY = (flipped, overwritten, overwritten, cut, moved, noisy)
Mutation = Callable[[bytearray, np.random.Generator, int], None]
