"""The attention kernels together: prompts in chunks, then steps, against attention written out in full."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.contracts.made_up import ADAPTERS

from wgpt.gpu import GpuDevice, PreconditionError, Program, Recorder, Tensor
from wgpt.kernels.attending import PADDING, shape
from wgpt.kernels.attention_decode import SLICE, part_shape, slices
from wgpt.kernels.registry import get
from wgpt.kernels.rope import inverse_frequencies, phase_steps

HEADS, KV_HEADS, D, CAPACITY, SLOTS = 4, 2, 16, 80, 3
MODEL = {**shape(HEADS, KV_HEADS, D, "f32"), "rope": True, "qk_norm": True, "eps": 1e-6, "window": 0}
PLACE = {"slots": SLOTS, "capacity": CAPACITY}


def in_full(qkv: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Causal attention of one sequence, head by head, row by row; pairs turned as complex numbers."""
    x = qkv.astype(np.float64).reshape(len(qkv), -1, D)
    omega, out = inverse_frequencies(D, 1e4), np.zeros((len(qkv), HEADS, D))

    def turned(row: np.ndarray, gain: np.ndarray, position: int) -> np.ndarray:
        y = row / np.sqrt(np.mean(row**2) + MODEL["eps"]) * gain
        z = (y[: D // 2] + 1j * y[D // 2 :]) * np.exp(1j * position * omega)
        return np.concatenate([z.real, z.imag])

    for h in range(HEADS):
        g = HEADS + h // (HEADS // KV_HEADS)
        keys = np.array([turned(x[i, g], gains[1], i) for i in range(len(x))])
        for i in range(len(x)):
            scores = keys[: i + 1] @ turned(x[i, h], gains[0], i) / np.sqrt(D)
            e = np.exp(scores - scores.max())
            out[i, h] = e / e.sum() @ x[: i + 1, g + KV_HEADS]
    return out.reshape(len(qkv), -1)


class Layer:
    """The cache of one layer on the GPU, and Programs over it."""

    def __init__(self, device: GpuDevice, rng: np.random.Generator) -> None:
        self.device = device
        self.gains = (1 + 0.2 * rng.standard_normal((2, D))).astype(np.float32)
        self.shared: dict[str, Tensor] = {
            "steps": device.tensor(phase_steps(inverse_frequencies(D, 1e4))),
            "gains": device.tensor(self.gains),
            **{name: device.tensor(np.full((SLOTS, KV_HEADS, CAPACITY, D), np.nan, np.float32)) for name in "kv"},
        }

    def release(self) -> None:
        for tensor in self.shared.values():
            tensor.buffer.release()

    def prefill(self, qkv: np.ndarray, rows: np.ndarray, tile: int) -> np.ndarray:
        recorder = Recorder(self.device)
        problem = {**MODEL, **PLACE, "rows": len(rows), "tile": tile}
        tensors = {**self.shared, "qkv": recorder.upload(qkv), "rows": recorder.upload(rows)}
        tensors |= {name: recorder.tensor((len(rows), HEADS * D)) for name in ("q", "out")}
        for name in ("rope_cache", "attention_prefill"):
            recorder.launch(get(name).launch(self.device, tensors, problem))
        with recorder.finish(out=tensors["out"]) as program:
            return program.read()["out"]

    def step(self, count: int, splits: int) -> Program:
        """A step of `count` sequences: recorded once, replayed at any position."""
        recorder = Recorder(self.device)
        problem = {**MODEL, **PLACE, "rows": count, "splits": splits}
        tensors = {**self.shared, "out": recorder.tensor((count, HEADS * D))}
        width = (HEADS + 2 * KV_HEADS) * D
        tensors["qkv"] = recorder.upload(np.zeros((count, width), np.float32), "qkv")
        tensors["rows"] = recorder.upload(np.zeros((count, 2), np.uint32), "rows")
        if splits > 1:
            tensors["part"] = recorder.tensor(part_shape(problem))
        recorder.launch(get("attention_decode").launch(self.device, tensors, problem))
        if splits > 1:
            recorder.launch(get("attention_combine").launch(self.device, tensors, problem))
        return recorder.finish(out=tensors["out"])


@pytest.mark.gpu
@pytest.mark.parametrize("splits", [1, 3])
def test_chunks_of_prompts_and_then_steps_equal_attention_in_full(device: GpuDevice, splits: int) -> None:
    rng = np.random.default_rng(splits)
    lengths = {0: 61, 2: 26}
    qkv = {s: rng.standard_normal((n, (HEADS + 2 * KV_HEADS) * D)).astype(np.float32) for s, n in lengths.items()}
    layer = Layer(device, rng)
    expected = {s: in_full(x, layer.gains) for s, x in qkv.items()}
    got: dict[int, list[np.ndarray]] = {0: [], 2: []}
    # Two chunks, both sequences in each; tiles are filled up with padding.
    for chunk in ({0: range(0, 35), 2: range(0, 8)}, {0: range(35, 56), 2: range(8, 21)}):
        rows, data = [], []
        for s, positions in chunk.items():
            padding = -len(positions) % 8
            rows += [(s, i) for i in positions] + [(s, PADDING)] * padding
            data += [*qkv[s][positions], *rng.standard_normal((padding, qkv[s].shape[1])).astype(np.float32)]
        out = layer.prefill(np.array(data), np.array(rows, np.uint32), tile=8)
        for (s, position), row in zip(rows, out, strict=True):
            if position != PADDING:
                got[s].append(row)
            else:
                assert not row.any()
    with layer.step(3, splits) as program:
        for i in range(5):
            at = {s: len(got[s]) for s in got}
            program.write("rows", np.array([(2, at[2]), (1, PADDING), (0, at[0])], np.uint32))
            program.write("qkv", np.array([qkv[2][at[2]], qkv[0][i], qkv[0][at[0]]]))
            second, nothing, first = program.read()["out"]
            got[2].append(second)
            got[0].append(first)
            assert not nothing.any()
    layer.release()
    for s in qkv:
        np.testing.assert_allclose(np.array(got[s]), expected[s], atol=2e-6 * np.abs(expected[s]).max())


def test_slices_cover_every_key_once_and_begin_at_whole_multiples() -> None:
    for start, count, splits in ((0, 0, 3), (5, 1, 1), (7, 100, 4), (0, 4096, 16), (3, 17, 8)):
        found = slices(range(start, start + count), splits)
        assert len(found) == splits
        assert [key for keys in found for key in keys] == list(range(start, start + count))
        assert all((keys.start - start) % SLICE == 0 for keys in found if keys)


@pytest.mark.parametrize("name", ["rope_cache", "attention_decode", "attention_prefill"])
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"head_dim": 20}, "multiple of 8 up to 256, and is 20"),
        ({"head_dim": 264}, "multiple of 8 up to 256, and is 264"),
        ({"heads": 5}, "5 is none of 2"),
        ({"cache": "q8_0"}, "'q8_0'"),
    ],
)
def test_shapes_that_no_variant_takes_are_refused_by_name(name: str, changes: dict[str, Any], said: str) -> None:
    problem = {**MODEL, **PLACE, "rows": 8, "splits": 1, "tile": 8, **changes}
    for traits in ADAPTERS.values():
        with pytest.raises(PreconditionError, match=said):
            get(name).usable(traits, problem)
