"""Small dispatches with their own WGSL: the tests of gpu/ do not depend on the kernels."""

from __future__ import annotations

import struct

import numpy as np

from wgpt.gpu import Bound, GpuDevice, Launch, Program, Recorder, Tensor

AFFINE = """
struct Params { n: u32, factor: f32, shift: f32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < p.n) { y[id.x] = x[id.x] * p.factor + p.shift; }
}
"""

# Every invocation counts on its own; `out[0]` says how far.
BUSY = """
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var sum = id.x;
    for (var i = 0u; i < out[0]; i++) { sum = sum * 1664525u + 1013904223u; }
    out[1u + id.x] = sum;
}
"""


def affine(x: Tensor, y: Tensor, factor: float = 2.0, shift: float = 1.0, **changes: object) -> Launch:
    """y = factor x + shift."""
    bound = (Bound("x", "read", x), Bound("y", "read_write", y))
    params = struct.pack("<Iff4x", x.size, factor, shift)
    facts = {"kernel": "affine", "variant": "n=64", "wgsl": AFFINE, "params": params, "bindings": bound}
    facts["grid"] = (-(-x.size // 64), 1, 1)
    return Launch(**{**facts, **changes})  # type: ignore[arg-type]


def chain(device: GpuDevice, x: np.ndarray, steps: int, factor: float = 0.5, shift: float = 1.0) -> Program:
    """A Program of `steps` affine dispatches after another; input "x", output "y"."""
    recorder = Recorder(device)
    last = recorder.upload(x, "x")
    for _ in range(steps):
        following = recorder.tensor(x.shape)
        recorder.launch(affine(last, following, factor, shift))
        last = following
    return recorder.finish(y=last)


def chained(x: np.ndarray, steps: int, factor: float = 0.5, shift: float = 1.0) -> np.ndarray:
    """What `chain` must give; exact for small integers and halves."""
    y = x.astype(np.float64)
    for _ in range(steps):
        y = y * factor + shift
    return y


def busy(device: GpuDevice, iterations: int, invocations: int = 64) -> Program:
    """A Program of adjustable duration; output "out"."""
    recorder = Recorder(device)
    words = np.zeros(1 + invocations, np.uint32)
    words[0] = iterations
    out = recorder.upload(words, "out")
    grid = (invocations // 64, 1, 1)
    recorder.launch(Launch("busy", "", BUSY, b"", (Bound("out", "read_write", out),), grid, trusted=True))
    return recorder.finish(out=out)


def busy_for(device: GpuDevice, seconds: float) -> Program:
    """`busy` for at least about `seconds` on this GPU."""
    import time

    iterations = 1 << 16
    while True:
        with busy(device, iterations) as program:
            program.read()
            began = time.perf_counter()
            program.read()
            took = time.perf_counter() - began
        if took > seconds / 8:
            return busy(device, min(int(iterations * seconds / took) + 1, 0xFFFFFFFF))
        iterations *= 4
