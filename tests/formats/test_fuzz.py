"""Thousands of damaged files, the same ones each time: each opens or is refused, quickly and in little memory."""

from __future__ import annotations

import json
import re
import struct
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from wgpt.formats import FormatError, open_checkpoint

from . import made

MOST_BYTES = 8 << 20
MOST_SECONDS = 2.0  # of one file; a busy machine may take its time, a hang does not end
HUGE = (0, 1, 7, 255, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40, (1 << 63) - 1, 1 << 63)
HUGE += ((1 << 64) - 1, (1 << 64) - 32)
# What a hostile hand would write into JSON.
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


def fuzz(
    model: Path, file: Path, where: int, mutations: tuple[Mutation, ...], count: int, seed: int
) -> tuple[int, int, float]:
    """Damage `file`, mostly in its first `where` bytes, `count` times; (opened, peak bytes, longest seconds)."""
    sound = file.read_bytes()
    opened, longest = 0, 0.0
    tracemalloc.start()
    try:
        for i in range(count):
            rng = np.random.default_rng([seed, i])
            raw = bytearray(sound)
            for _ in range(int(rng.choice([1, 1, 1, 2, 4]))):
                reach = where if rng.integers(8) else len(sound)  # the data is damaged too, now and then
                mutations[int(rng.integers(len(mutations)))](raw, rng, max(1, min(reach, len(raw))))
            file.write_bytes(raw)
            start = time.perf_counter()
            opened += opens(model)
            longest = max(longest, time.perf_counter() - start)
        return opened, tracemalloc.get_traced_memory()[1], longest
    finally:
        tracemalloc.stop()
        file.write_bytes(sound)


def opens(model: Path) -> bool:
    """Any exception but FormatError is the bug looked for. What opens can be read to its last row."""
    try:
        checkpoint = open_checkpoint(model)
    except FormatError as e:
        message = str(e)
        assert "\n" not in message and message.isascii() and len(message) < 1500, message
        return False
    with checkpoint:
        assert json.dumps(checkpoint.config, allow_nan=False)
        for stored in checkpoint.tensors.values():
            n = stored.shape[0]
            for lo, hi in ((0, min(n, 3)), (n - 1, n)):
                rows = stored.rows(lo, hi)
                assert rows.nbytes == (hi - lo) * (stored.nbytes // n)
                assert len(rows.tobytes()) == rows.nbytes  # touches the map
    return True


def check(outcome: tuple[int, int, float], count: int) -> None:
    opened, peak, longest = outcome
    assert 0 < opened < count  # both happened: the damage was neither harmless nor total
    assert peak < MOST_BYTES
    assert longest < MOST_SECONDS


def tiny(family: str) -> dict:
    sizes = {"n_layer": 1} if family == "gpt2" else {"num_hidden_layers": 1, "intermediate_size": 64, "head_dim": 8}
    return made.config(family, **sizes)


@pytest.mark.parametrize("family, kind, count", [("llama", "q4_1", 1000), ("gpt2", "f16", 400), ("qwen3", "q5_0", 400)])
def test_gguf(family, kind, count, tmp_path):
    path = made.write_gguf(tmp_path / "m.gguf", tiny(family), made.state(tiny(family)), kind, rope_freqs=np.ones(4))
    where = path.read_bytes().index(b"rope_freqs.weight") + 64  # the last of the header
    check(fuzz(path, path, where, BINARY, count, seed=1), count)


@pytest.mark.parametrize("family", ["qwen2", "gpt2"])
def test_safetensors(family, tmp_path):
    folder = made.write_hf(tmp_path, tiny(family), made.state(tiny(family)))
    file = folder / "model.safetensors"
    where = 8 + int.from_bytes(file.read_bytes()[:8], "little")
    check(fuzz(folder, file, where, (*BINARY, *[reheaded] * 6), 400, seed=2), 400)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors.index.json"])
def test_json(name, tmp_path):
    folder = made.write_hf(tmp_path, tiny("llama"), made.state(tiny("llama")), shards=2)
    file = folder / name
    check(fuzz(folder, file, file.stat().st_size, (*BINARY, *[reworded] * 6), 400, seed=3), 400)
