"""What an adapter really does: probes that compute, because drivers misreport and miscompute."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from .errors import AllocationError
from .profile import time_program
from .program import Bound, Launch, Program
from .recorder import Recorder

if TYPE_CHECKING:
    from .device import GpuDevice

_SUBGROUP = """
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) t: u32, @builtin(subgroup_size) size: u32,
        @builtin(subgroup_invocation_id) lane: u32) {
    let sum = subgroupAdd(1u + lane);
    if (t == 0u) { out[0] = size; out[1] = sum; }
}
"""

# llvmpipe before Mesa 25.0 stops every loop after about 65,535 iterations per invocation, without a word.
_LOOP_STEPS = 200_003
_LOOP = """
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1)
fn main() {
    var sum = 0u;
    for (var i = 0u; i < out[1]; i++) { sum = sum * 3u + i; }
    out[0] = sum;
}
"""

# A tree reduction in workgroup memory of values whose sum is exact in f32.
_BARRIER = """
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> part: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) t: u32) {
    part[t] = t * t + 1u;
    workgroupBarrier();
    for (var s = 32u; s > 0u; s >>= 1u) {
        if (t < s) { part[t] += part[t + s]; }
        workgroupBarrier();
    }
    if (t == 0u) { out[0] = part[0]; }
}
"""

_COPY = """
@group(0) @binding(0) var<storage, read> src: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> dst: array<vec4<f32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>) {
    let i = id.x + id.y * n.x * 256u;
    if (i < arrayLength(&src)) { dst[i] = src[i]; }
}
"""

_FMA_CHAINS, _FMA_UNROLL = 4, 8  # vec4 chains a thread, and steps written out per round


def _run(device: GpuDevice, name: str, wgsl: str, words: list[int]) -> np.ndarray:
    recorder = Recorder(device)
    out = recorder.upload(np.array(words, np.uint32))
    recorder.launch(Launch(name, "probe", wgsl, b"", (Bound("out", "read_write", out),), (1, 1, 1)))
    with recorder.finish(out=out) as program:
        return program.read()["out"]


def subgroup_size(device: GpuDevice) -> int:
    """The real subgroup size (wgpu-py reports a made-up one); 0 where subgroups are missing or wrong."""
    if "subgroup" not in device.features:
        return 0
    size, total = (int(v) for v in _run(device, "probe_subgroup", _SUBGROUP, [0, 0]))
    return size if size and total == size * (size + 1) // 2 else 0


def _loop_result() -> int:
    """sum = sum * 3 + i, unrolled: the sum of i * 3^(steps - 1 - i), modulo 2^32."""
    powers = np.cumprod(np.r_[1, np.full(_LOOP_STEPS - 1, 3)], dtype=np.uint32)
    return int((np.arange(_LOOP_STEPS, dtype=np.uint32) * powers[::-1]).sum(dtype=np.uint32))


def find_faults(device: GpuDevice) -> list[str]:
    """Ways in which this driver computes wrong numbers; empty for a good one."""
    faults = []
    if int(_run(device, "probe_loop", _LOOP, [0, _LOOP_STEPS])[0]) != _loop_result():
        faults.append(f"a loop of {_LOOP_STEPS} steps ends early (llvmpipe before Mesa 25.0 does this)")
    total = sum(t * t + 1 for t in range(64))
    if int(_run(device, "probe_barrier", _BARRIER, [0])[0]) != total:
        faults.append("a workgroup reduction with barriers gives a wrong sum")
    return faults


def copy_bandwidth(device: GpuDevice, megabytes: int | None = None) -> float:
    """Bytes per second of a GPU copy, counting bytes read and written."""
    size = (megabytes or (32 if device.software else 1024)) << 20
    size = min(size, device.limits["max-storage-buffer-binding-size"] // 16 * 16)
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
    """The shortest of three, and on a GPU of 0.6 s: an idle one takes so long to raise its clocks."""
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
