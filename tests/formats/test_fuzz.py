"""Thousands of damaged files, the same ones each time: each opens or is refused, quickly and in little memory."""

from __future__ import annotations

import json
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from tests.fuzz.mutations import BINARY, Mutation, reheaded, reworded
from wgpt.formats import FormatError, open_checkpoint

from . import made

MOST_BYTES = 8 << 20
MOST_SECONDS = 2.0  # of one file; generous for a busy machine, but a hang exceeds it


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
    """Any exception but FormatError is a bug. A file that opens can be read to its last row."""
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
    assert 0 < opened < count  # both happened: the damage was neither always harmless nor always fatal
    assert peak < MOST_BYTES
    assert longest < MOST_SECONDS


def tiny(family: str) -> dict:
    sizes = {"n_layer": 1} if family == "gpt2" else {"num_hidden_layers": 1, "intermediate_size": 64, "head_dim": 8}
    return made.config(family, **sizes)


@pytest.mark.full
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
