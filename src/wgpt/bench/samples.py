"""Sample Programs for `wgpt explain`: a feed-forward block, a training step, or one kernel alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..gpu import GpuDevice, PreconditionError, Program, Recorder, Tensor
from ..kernels import registry, weighted
from ..quant.weights import pack
from . import workset
from .kernels import cases


@dataclass(frozen=True)
class Shape:
    """Sizes of a sample; the defaults are SmolLM2-135M's."""

    rows: int = 1
    hidden: int = 576
    ffn: int = 1536
    weights: str = "f16"


class _Sheet:
    """Records kernels by name; outputs are allocated from the kernel's facts."""

    def __init__(self, device: GpuDevice) -> None:
        self.device, self.recorder = device, Recorder(device)
        self.rng = np.random.default_rng(0)

    def random(self, *shape: int, name: str | None = None) -> Tensor:
        return self.recorder.upload(self.rng.standard_normal(shape).astype(np.float32), name)

    def call(self, kernel_name: str, problem: dict[str, Any], **tensors: Tensor) -> dict[str, Tensor]:
        """Record one kernel; returns its outputs (those given are updated in place)."""
        found = registry.get(kernel_name)
        outs = {
            name: tensors.get(name) or self.recorder.tensor(out.shape, out.dtype)
            for name, out in found.outputs(problem).items()
        }
        self.recorder.launch(found.launch(self.device, {**tensors, **outs}, problem))
        return outs

    def linear(self, x: Tensor, weights: dict[str, Tensor], weight: str, n: int) -> Tensor:
        """M = 1 goes to GEMV, M > 1 to GEMM."""
        m, k = x.shape
        if m == 1:
            return self.call("gemv", {"weight": weight, "n": n, "k": k}, x=x, **weights)["y"].reshape(1, n)
        return self.call("gemm", {"weight": weight, "compute": "f32", "m": m, "n": n, "k": k}, x=x, **weights)["y"]

    def matrix(self, n: int, k: int, weight: str) -> dict[str, Tensor]:
        packed = pack(self.rng.standard_normal((n, k)) / np.sqrt(k), weight)
        return {name: self.recorder.upload(plane) for name, plane in weighted.planes(packed).items()}


def mlp(device: GpuDevice, shape: Shape) -> Program:
    """x + down(silu(gate(norm(x))) * up(norm(x)))."""
    m, h, f, weight = shape.rows, shape.hidden, shape.ffn, shape.weights
    sheet = _Sheet(device)
    x, gain = sheet.random(m, h, name="x"), sheet.random(h)
    gate_w, up_w, down_w = sheet.matrix(f, h, weight), sheet.matrix(f, h, weight), sheet.matrix(h, f, weight)
    normed = sheet.call("rmsnorm", {"rows": m, "hidden": h, "eps": 1e-5}, x=x, g=gain)["y"]
    gate = sheet.linear(normed, gate_w, weight, f)
    up = sheet.linear(normed, up_w, weight, f)
    active = sheet.call("silu_mul", {"n": m * f}, gate=gate, up=up)["y"].reshape(m, f)
    down = sheet.linear(active, down_w, weight, h)
    y = sheet.call("add", {"n": m * h}, a=down, b=x)["y"]
    return sheet.recorder.finish(y=y.reshape(m, h))


def step(device: GpuDevice, shape: Shape) -> Program:
    """y = x W, cross entropy of y, its gradients for W and x, and W updated by AdamW."""
    m, k, n = shape.rows, shape.hidden, shape.ffn
    sheet = _Sheet(device)
    x, w = sheet.random(m, k, name="x"), sheet.random(k, n)
    moments = {name: sheet.recorder.upload(np.zeros((k, n), np.float32)) for name in ("m", "v")}
    targets = sheet.recorder.upload(sheet.rng.integers(0, n, m, np.int32), "targets")
    product = {"m": m, "k": k, "n": n}
    loss = {"rows": m, "vocab": n, "ignore_index": -100}
    logits = sheet.call("matmul", product, a=x, b=w)["y"]
    rows = sheet.call("cross_entropy_forward", loss, logits=logits, targets=targets)
    mean = sheet.call("cross_entropy_mean", {"rows": m, "ignore_index": -100}, loss=rows["loss"], targets=targets)
    statistics = {"peak": rows["peak"], "log_sum": rows["log_sum"]}
    dlogits = sheet.call(
        "cross_entropy_backward", {**loss, "scale": 1 / m}, logits=logits, targets=targets, **statistics
    )["dlogits"]
    dw = sheet.call("gemm_backward_b", product, a=x, b=dlogits)["y"]
    dx = sheet.call("gemm_backward_a", product, a=dlogits, b=w)["y"]
    rates = {"step": 1, "lr": 1e-3, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "decay": 0.01}
    sheet.call("adamw_step", {"n": k * n, **rates}, g=dw, param=w, **moments)
    return sheet.recorder.finish(loss=mean["mean"], dx=dx, w=w)


def kernel(device: GpuDevice, name: str) -> tuple[Program, str]:
    """One kernel with its first bench case for this kind of adapter; and a title that says which."""
    found = registry.get(name)
    applicable = cases(device, found)
    if not applicable:
        raise PreconditionError(f"{name} has no bench case for this adapter")
    problem = applicable[0].problem
    recorder = Recorder(device)
    tensors = {n: recorder.upload(a) for n, a in workset.random_inputs(found, problem).items()}
    for n, out in found.outputs(problem).items():
        tensors.setdefault(n, recorder.tensor(out.shape, out.dtype))
    recorder.launch(found.launch(device, tensors, problem))
    return recorder.finish(), f"{name}: {found.math} ({applicable[0].note})"


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
