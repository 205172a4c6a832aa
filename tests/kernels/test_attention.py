"""The attention kernels together: prompts in chunks, then steps, against attention written out in full.

The backward of a whole layer, from dout to dqkv, against differences of its float64 forward.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.contracts.made_up import ADAPTERS, NVIDIA

from wgpt.core.errors import PreconditionError
from wgpt.gpu import GpuDevice, Program, Recorder, Tensor
from wgpt.kernels.attention.attending import PADDING, place, random_qkv, rows_of, shape
from wgpt.kernels.attention.attention_backward import runs_of
from wgpt.kernels.attention.attention_decode import SLICE, part_shape, slices
from wgpt.kernels.attention.rope import inverse_frequencies, phase_steps
from wgpt.kernels.registry import get

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
    outputs: dict[int, list[np.ndarray]] = {0: [], 2: []}
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
                outputs[s].append(row)
            else:
                assert not row.any()
    with layer.step(3, splits) as program:
        for i in range(5):
            at = {s: len(outputs[s]) for s in outputs}
            program.write("rows", np.array([(2, at[2]), (1, PADDING), (0, at[0])], np.uint32))
            program.write("qkv", np.array([qkv[2][at[2]], qkv[0][i], qkv[0][at[0]]]))
            second, nothing, first = program.read()["out"]
            outputs[2].append(second)
            outputs[0].append(first)
            assert not nothing.any()
    layer.release()
    for s in qkv:
        np.testing.assert_allclose(np.array(outputs[s]), expected[s], atol=1e-5 * np.abs(expected[s]).max())


def test_slices_cover_every_key_once_and_begin_at_whole_multiples() -> None:
    for start, count, splits in ((0, 0, 3), (5, 1, 1), (7, 100, 4), (0, 4096, 16), (3, 17, 8)):
        parts = slices(range(start, start + count), splits)
        assert len(parts) == splits
        assert [key for keys in parts for key in keys] == list(range(start, start + count))
        assert all((keys.start - start) % SLICE == 0 for keys in parts if keys)


@pytest.mark.parametrize("name", ["rope_cache", "attention_decode", "attention_prefill"])
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"head_dim": 20}, "multiple of 8 up to 576, and is 20"),
        ({"head_dim": 584}, "multiple of 8 up to 576, and is 584"),
        ({"heads": 5}, "5 is none of 2"),
        ({"cache": "q4_0"}, "'q4_0'"),
        ({"cache": "q8_0", "head_dim": 32}, "q8_0 needs pages"),
        ({"cache": "q8_0", "pages": 6}, "q8_0 needs heads of a multiple of 32 dimensions, and these have 16"),
    ],
)
def test_shapes_that_no_variant_takes_are_refused_by_name(name: str, changes: dict[str, Any], message: str) -> None:
    problem = {**MODEL, **PLACE, "rows": 8, "splits": 1, "tile": 8, **changes}
    for traits in ADAPTERS.values():
        with pytest.raises(PreconditionError, match=message):
            get(name).usable(traits, problem)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"halves": True, "splits": 2}, "only with a cache of f16 and without slices"),
        ({"halves": True, "cache": "f32"}, "only with a cache of f16 and without slices"),
        ({"qkv_bias": True}, "added to blocks alone"),
        ({"qkv_blocks": 2, "rotary": 14}, "rotated pairs that do not fill their vec4s"),
        ({"qkv_blocks": 2, "qkv_bias": True, "qk_norm": True, "rope": True, "pages": 6}, "need 9 bindings of 8"),
    ],
)
def test_what_a_decode_step_cannot_be_joined_with(changes: dict[str, Any], message: str) -> None:
    problem = {**MODEL, **PLACE, "cache": "f16", "rows": 8, "splits": 1, **changes}
    with pytest.raises(PreconditionError, match=message):
        get("attention_decode").usable(ADAPTERS["nvidia"], problem)


FORWARD = ("rope_cache", "attention_prefill")
BACKWARD = ("attention_stats", "attention_backward_q", "attention_backward_kv", "rope_cache_backward")
LAYER: dict[str, Any] = {
    **shape(4, 2, 16, "f32"),
    **place(3, 20, (2, 0, 19), (2, -1, 5), (0, 0, 8)),
    "tile": 8,
    "rope": True,
    "eps": 1e-5,
}
STEP = 1e-5


def drawn(problem: dict[str, Any]) -> dict[str, np.ndarray]:
    rng, rows = np.random.default_rng(5), rows_of(problem)
    arrays = {**random_qkv(rng, problem, rows), "runs": runs_of(problem)}
    cache = (problem["slots"], problem["kv_heads"], problem["capacity"], problem["head_dim"])
    arrays |= {name: np.full(cache, np.nan, np.float32) for name in "kv"}
    dout = rng.standard_normal((len(rows), problem["heads"] * problem["head_dim"]))
    return {**arrays, "dout": dout.astype(np.float32)}


def loss(inputs: dict[str, np.ndarray], qkv: np.ndarray, problem: dict[str, Any]) -> float:
    cached = get("rope_cache").reference({**inputs, "qkv": qkv}, problem)
    out = get("attention_prefill").reference({**inputs, **cached}, problem)["out"]
    return float(np.sum(out * inputs["dout"]))


def on_gpu(device: GpuDevice, inputs: dict[str, np.ndarray], problem: dict[str, Any]) -> np.ndarray:
    recorder = Recorder(device)
    tensors = {name: recorder.upload(x) for name, x in inputs.items()}
    for name in (*FORWARD, *BACKWARD):
        kernel = get(name)
        for out, form in kernel.outputs(problem).items():
            tensors.setdefault(out, recorder.tensor(form.shape))
        recorder.launch(kernel.launch(device, tensors, problem))
    with recorder.finish(dqkv=tensors["dqkv"]) as program:
        return program.read()["dqkv"].astype(np.float64)


@pytest.mark.gpu
@pytest.mark.parametrize("qk_norm, window", [(True, 0), (False, 6)])
def test_the_gradient_of_a_layer_is_its_slope(device: GpuDevice, qk_norm: bool, window: int):
    problem = LAYER | {"qk_norm": qk_norm, "window": window}
    inputs = drawn(problem)
    gradient, qkv = on_gpu(device, inputs, problem), inputs["qkv"].astype(np.float64)
    rng = np.random.default_rng(6)
    assert not gradient[19:24].any(), "padding has no gradient"
    widths = np.cumsum([0, 4 * 16, 2 * 16, 2 * 16])
    for part in (slice(None), *(slice(*ends) for ends in pairwise(widths))):
        # All columns at once, then those of q, k and v alone, so that small errors are not hidden by large values.
        u = np.zeros_like(qkv)
        u[:, part] = rng.standard_normal(u[:, part].shape)
        slope = (loss(inputs, qkv + STEP * u, problem) - loss(inputs, qkv - STEP * u, problem)) / (2 * STEP)
        assert abs(slope - np.vdot(gradient, u)) < 1e-5 * np.linalg.norm(gradient[:, part])


@pytest.mark.gpu
def test_each_element_of_a_row_has_its_slope(device: GpuDevice):
    problem = LAYER | {"qk_norm": True, "window": 0}
    inputs = drawn(problem)
    gradient, qkv = on_gpu(device, inputs, problem), inputs["qkv"].astype(np.float64)
    slopes = np.zeros(qkv.shape[1])
    for column in range(len(slopes)):
        u = np.zeros_like(qkv)
        u[3, column] = STEP
        slopes[column] = (loss(inputs, qkv + u, problem) - loss(inputs, qkv - u, problem)) / (2 * STEP)
    np.testing.assert_allclose(gradient[3], slopes, rtol=0, atol=1e-5 * np.abs(slopes).max())


@pytest.mark.parametrize("name", BACKWARD[:3])
def test_a_cache_of_halves_is_refused(name: str):
    kernel = get(name)
    problem = {**kernel.cases[0].problem, "cache": "f16"}
    reason = kernel.refuses(problem, {"style": "thread", "own": 16, "unroll": 8})
    assert reason is not None and "f32" in reason


def test_shapes_that_no_variant_takes_are_named():
    kernel = get("attention_backward_q")
    assert "multiple of 8" in str(kernel.refuses({**kernel.cases[0].problem, "head_dim": 20}, {"own": 16}))
    with pytest.raises(PreconditionError, match="capacity"):
        kernel.usable(NVIDIA, {**kernel.cases[0].problem, "capacity": 16 * 64 * 65536})
