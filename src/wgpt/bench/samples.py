"""Sample Programs for `wgpt explain`: a feed-forward block, a training step, or one kernel alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..gpu import GpuDevice, Program
from ..kernels import registry
from ..ops import CommandBatch
from ..quant.weights import pack
from . import workset
from .kernels import cases


@dataclass(frozen=True)
class Shape:
    """A sample's sizes; by default SmolLM2-135M's."""

    rows: int = 1
    hidden: int = 576
    ffn: int = 1536
    weights: str = "f16"


def _random(rng: np.random.Generator, *shape: int) -> NDArray[np.float32]:
    return rng.standard_normal(shape).astype(np.float32)


def mlp(device: GpuDevice, shape: Shape) -> Program:
    """x + down(silu(gate(norm(x))) * up(norm(x)))."""
    m, h, f = shape.rows, shape.hidden, shape.ffn
    rng = np.random.default_rng(0)
    with CommandBatch(device) as batch:
        gate_w, up_w, down_w = (
            batch.upload_weight(pack(rng.standard_normal((n, k)) / np.sqrt(k), shape.weights))
            for n, k in ((f, h), (f, h), (h, f))
        )
        x, gain = batch.upload(_random(rng, m, h), "x"), batch.upload(_random(rng, h))
        normed = batch.rmsnorm(x, gain)
        gate, up = batch.matmul(normed, gate_w), batch.matmul(normed, up_w)
        down = batch.matmul(batch.silu_mul(gate, up), down_w)
        return batch.finish(y=batch.add(x, down))


def step(device: GpuDevice, shape: Shape) -> Program:
    """y = x W, cross entropy of y, its gradients for W and x, and W updated by AdamW."""
    m, k, n = shape.rows, shape.hidden, shape.ffn
    rng = np.random.default_rng(0)
    product = {"m": m, "k": k, "n": n}
    loss = {"rows": m, "vocab": n, "ignore_index": -100}
    rates = {"step": 1, "lr": 1e-3, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "decay": 0.01}
    with CommandBatch(device) as batch:
        x, w = batch.upload(_random(rng, m, k), "x"), batch.upload(_random(rng, k, n))
        targets = batch.upload(rng.integers(0, n, m, np.int32), "targets")
        moments = {name: batch.upload(np.zeros((k, n), np.float32)) for name in ("m", "v")}
        logits = batch.matmul(x, w)
        rows = batch.apply("cross_entropy_forward", loss, logits=logits, targets=targets)
        losses = rows.pop("loss")
        mean = batch.apply("cross_entropy_mean", {"rows": m, "ignore_index": -100}, loss=losses, targets=targets)
        backward = {**loss, "scale": 1 / m}
        d = batch.apply("cross_entropy_backward", backward, logits=logits, targets=targets, **rows)["dlogits"]
        dw = batch.apply("gemm_backward_b", product, a=x, b=d)["y"]
        dx = batch.apply("gemm_backward_a", product, a=d, b=w)["y"]
        batch.apply("adamw_step", {"n": k * n, **rates}, g=dw, param=w, **moments)
        return batch.finish(loss=mean["mean"], dx=dx, w=w)


def kernel(device: GpuDevice, name: str) -> tuple[Program, str]:
    """One kernel with its first bench case for this kind of GPU, and a title."""
    chosen = registry.get(name)
    applicable = cases(device, chosen)
    if not applicable:
        raise PreconditionError(f"{name} has no bench case for this GPU")
    problem = dict(applicable[0].problem)
    with CommandBatch(device) as batch:
        tensors = {n: batch.upload(array) for n, array in workset.random_inputs(chosen, problem).items()}
        batch.apply(name, problem, **tensors)
        return batch.finish(), f"{name}: {chosen.math} ({applicable[0].note})"


def record(
    device: GpuDevice, name: str, rows: int | None = None, hidden: int = 576, ffn: int = 1536, weights: str = "f16"
) -> tuple[Program, str]:
    """A sample by name, and a title for it."""
    if name == "mlp":
        shape = Shape(rows or 1, hidden, ffn, weights)
        return mlp(device, shape), f"mlp: {shape.rows} x {hidden} through {ffn}, {weights} weights"
    if name == "step":
        shape = Shape(rows or 64, hidden, ffn, "f32")
        return step(device, shape), f"step: {shape.rows} rows, {hidden} to {ffn} classes, f32"
    return kernel(device, name)
