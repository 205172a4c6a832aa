"""The backward of a whole attention layer, from dout to dqkv, against differences of its float64 forward."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.contracts.made_up import NVIDIA

from wgpt.gpu import GpuDevice, PreconditionError, Recorder
from wgpt.kernels.attending import place, random_qkv, rows_of, shape
from wgpt.kernels.attention_backward import runs_of
from wgpt.kernels.registry import get

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
    found = {**random_qkv(rng, problem, rows), "runs": runs_of(problem)}
    cache = (problem["slots"], problem["kv_heads"], problem["capacity"], problem["head_dim"])
    found |= {name: np.full(cache, np.nan, np.float32) for name in "kv"}
    dout = rng.standard_normal((len(rows), problem["heads"] * problem["head_dim"]))
    return {**found, "dout": dout.astype(np.float32)}


def loss(inputs: dict[str, np.ndarray], qkv: np.ndarray, problem: dict[str, Any]) -> float:
    found = get("rope_cache").reference({**inputs, "qkv": qkv}, problem)
    out = get("attention_prefill").reference({**inputs, **found}, problem)["out"]
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
    found, qkv = on_gpu(device, inputs, problem), inputs["qkv"].astype(np.float64)
    rng = np.random.default_rng(6)
    assert not found[19:24].any(), "padding has no gradient"
    widths = np.cumsum([0, 4 * 16, 2 * 16, 2 * 16])
    for part in (slice(None), *(slice(*ends) for ends in pairwise(widths))):
        # All of it at once, then q's, k's and v's columns alone: what is small may not hide behind what is large.
        u = np.zeros_like(qkv)
        u[:, part] = rng.standard_normal(u[:, part].shape)
        slope = (loss(inputs, qkv + STEP * u, problem) - loss(inputs, qkv - STEP * u, problem)) / (2 * STEP)
        assert abs(slope - np.vdot(found, u)) < 1e-5 * np.linalg.norm(found[:, part])


@pytest.mark.gpu
def test_each_element_of_a_row_has_its_slope(device: GpuDevice):
    problem = LAYER | {"qk_norm": True, "window": 0}
    inputs = drawn(problem)
    found, qkv = on_gpu(device, inputs, problem), inputs["qkv"].astype(np.float64)
    slopes = np.zeros(qkv.shape[1])
    for column in range(len(slopes)):
        u = np.zeros_like(qkv)
        u[3, column] = STEP
        slopes[column] = (loss(inputs, qkv + u, problem) - loss(inputs, qkv - u, problem)) / (2 * STEP)
    np.testing.assert_allclose(found[3], slopes, rtol=0, atol=1e-5 * np.abs(slopes).max())


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
