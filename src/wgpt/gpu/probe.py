"""Measures the speed of a GPU, because nothing reports it."""

from __future__ import annotations

import time

import numpy as np

from .bindings import most_bytes
from .device import GpuDevice
from .errors import AllocationError
from .launch import Bound, Launch
from .profile import time_program
from .program import Program
from .recorder import Recorder

_COPY = """
@group(0) @binding(0) var<storage, read> src: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> dst: array<vec4<f32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>) {
    let i = id.x + id.y * n.x * 256u;
    if (i < arrayLength(&src)) { dst[i] = src[i]; }
}
"""

_FMA_CHAINS, _FMA_UNROLL = 4, 8  # vec4 chains per thread, and unrolled steps per round


def copy_bandwidth(device: GpuDevice, megabytes: int | None = None) -> float:
    """Bytes per second of a GPU copy, counting bytes read and written."""
    size = (megabytes or (32 if device.software else 1024)) << 20
    size = min(size, most_bytes(device))
    while True:
        try:
            return _copy_bandwidth(device, size)
        except AllocationError:  # a small GPU: half as much shows the same bandwidth
            if size <= 16 << 20:
                raise
            size //= 2


def _copy_bandwidth(device: GpuDevice, size: int) -> float:
    src, dst = device.empty((size // 4,), label="copy from"), None
    try:
        dst = device.empty((size // 4,), label="copy to")
        recorder = Recorder(device)
        groups = -(-size // 16 // 256)
        x = min(groups, 65535)
        bound = (Bound("src", "read", src), Bound("dst", "read_write", dst))
        recorder.launch(Launch("probe_copy", "", _COPY, b"", bound, (x, -(-groups // x), 1)))
        with recorder.finish() as program:
            seconds = _best(program, replays=2 if device.software else 8)
    finally:
        src.buffer.release()
        if dst is not None:
            dst.buffer.release()
    return 2 * size / seconds


def _best(program: Program, replays: int = 1) -> float:
    """The shortest of three times; on a GPU, of all in 0.6 s, which an idle one takes to raise its clocks."""
    wait = 0.0 if program.device.software else 0.6
    began, times = time.perf_counter(), list[float]()
    while len(times) < 3 or time.perf_counter() - began < wait:
        times.append(time_program(program, replays, repeats=1))
    return min(times)


def fma_rate(device: GpuDevice, kind: str = "f32") -> float:
    """Floating-point operations per second of multiply-adds in f32 or f16 that touch no memory."""
    rounds, groups = (64, 64) if device.software else (512, 8192)
    recorder = Recorder(device)
    out = recorder.tensor((256 * groups,))
    # The count and the factor come from memory, so no compiler can work the result out beforehand.
    seed = recorder.upload(np.array([rounds, np.float32(0.999).view(np.uint32)], np.uint32))
    bound = (Bound("seed", "read", seed), Bound("out", "read_write", out))
    recorder.launch(Launch("probe_fma", kind, _fma_source(kind), b"", bound, (groups, 1, 1)))
    with recorder.finish() as program:
        seconds = _best(program)
    return 2 * 4 * _FMA_CHAINS * _FMA_UNROLL * rounds * 256 * groups / seconds


def _fma_source(kind: str) -> str:
    # f16 has no room for the thread's number itself
    start = "\n".join(f"    var a{c} = vec4<{kind}>({kind}(i & 255u) + {c}.0);" for c in range(_FMA_CHAINS))
    chains = [f"        a{c} = a{c} * m + b;" for c in range(_FMA_CHAINS)]
    total = " + ".join(f"a{c}" for c in range(_FMA_CHAINS))
    return f"""{"enable f16;" if kind == "f16" else ""}
@group(0) @binding(0) var<storage, read> seed: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
    let i = id.x;
    let m = vec4<{kind}>({kind}(bitcast<f32>(seed[1])));
    let b = vec4<{kind}>(1.0) - m;
{start}
    for (var r = 0u; r < seed[0]; r++) {{
{chr(10).join(chains * _FMA_UNROLL)}
    }}
    let v = {total};
    out[i] = f32(v.x + v.y + v.z + v.w);
}}
"""
