"""Probes that compute on the GPU, because some drivers misreport features or compute wrong results."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .buffer import Buffer, Tensor
from .core import Core
from .pipeline import PipelineCache, ShaderCode
from .pool import BufferPool
from .readback import read
from .webgpu.failures import translated
from .webgpu.interface import Matrix, Step

_SUBGROUP = """
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) t: u32, @builtin(subgroup_size) size: u32,
        @builtin(subgroup_invocation_id) lane: u32) {
    let sum = subgroupAdd(1u + lane);
    if (t == 0u) { out[0] = size; out[1] = sum; }
}
"""

# llvmpipe before Mesa 25.0 stops every loop after about 65,535 iterations per invocation, silently.
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

# A product on matrix units, through workgroup memory as in kernels; all subgroups compute the same. The words are rows
# of x, then rows of w, both of f16; the sums replace them.
_MATRIX_THREADS, _MATRIX_STEPS = 128, 3  # threads of a workgroup, and products to add up
_MATRIX = """
enable f16;
enable chromium_experimental_subgroup_matrix;
diagnostic(off, chromium.subgroup_matrix_uniformity);
alias Left = subgroup_matrix_left<f16, {k}, {m}>;
alias Right = subgroup_matrix_right<f16, {n}, {k}>;
alias Sum = subgroup_matrix_result<f32, {n}, {m}>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> tile: array<vec4<u32>, {vectors}>;
@compute @workgroup_size({threads})
fn main(@builtin(local_invocation_index) t: u32) {{
    for (var i = t; i < {operands}u; i += {threads}u) {{
        tile[i] = vec4<u32>(out[4u * i], out[4u * i + 1u], out[4u * i + 2u], out[4u * i + 3u]);
    }}
    workgroupBarrier();
    var sum: Sum;
    for (var k = 0u; k < {row}u; k += {step}u) {{
        let x = subgroupMatrixLoad<Left, row_major>(&tile, k, {row}u);
        let w = subgroupMatrixLoad<Right, col_major>(&tile, {m}u * {row}u + k, {row}u);
        sum = subgroupMatrixMultiplyAccumulate(x, w, sum);
    }}
    workgroupBarrier();
    subgroupMatrixStore<row_major>(&tile, 0u, sum, {n}u / 4u);
    workgroupBarrier();
    for (var i = t; i < {sums}u; i += {threads}u) {{ out[i] = tile[i / 4u][i % 4u]; }}
}}
"""
_MATRIX_ERROR = 1e-5  # of the sum of all products' sizes; sums in f16 are wrong by much more


def _run(device: Core, name: str, wgsl: str, words: list[int]) -> NDArray[np.uint32]:
    """The words after one workgroup of a shader has run on them."""
    pipelines, pool = PipelineCache(device), BufferPool(device)
    out = Tensor(Buffer(device, 4 * len(words), label=name), (len(words),), "u32")
    code = ShaderCode(wgsl, ("read_write",), name)
    with translated(f"probing {name}"):
        device.webgpu.write_buffer(out.buffer.handle, 0, np.array(words, np.uint32))
        layout, _ = pipelines.layout(code.access)
        group = device.webgpu.bind_group(layout, [(out.buffer.handle, 0, out.nbytes)])
        device.webgpu.submit(device.webgpu.ready([Step(pipelines.get(code), group, 1, 1, 1)]))
    try:
        return read(device, pool, out)
    finally:
        out.buffer.release()
        pool.trim()


def subgroup_size(device: Core) -> int:
    """The real subgroup size (wgpu-py reports an invented one); 0 if subgroups are missing or faulty."""
    if "subgroup" not in device.features:
        return 0
    size, total = (int(v) for v in _run(device, "probe_subgroup", _SUBGROUP, [0, 0]))
    return size if size and total == size * (size + 1) // 2 else 0


def _loop_result() -> int:
    """sum = sum * 3 + i, unrolled: the sum of i * 3^(steps - 1 - i), modulo 2^32."""
    powers = np.cumprod(np.r_[1, np.full(_LOOP_STEPS - 1, 3)], dtype=np.uint32)
    return int((np.arange(_LOOP_STEPS, dtype=np.uint32) * powers[::-1]).sum(dtype=np.uint32))


def usable_matrices(device: Core) -> list[Matrix]:
    """The products of matrix units that kernels use."""
    if not {"shader-f16", "subgroup"} <= device.features:
        return []
    return [matrix for matrix in device.webgpu.matrices if matrix.usable]


def _matrix_is_right(device: Core, matrix: Matrix) -> bool:
    m, n, k = matrix.m, matrix.n, matrix.k * _MATRIX_STEPS
    values = np.random.default_rng(5).standard_normal((m + n, k)).astype(np.float16)
    operands, sums = values.size // 8, m * n
    wgsl = _MATRIX.format(
        **{"m": m, "n": n, "k": matrix.k, "row": k // 8, "step": matrix.k // 8, "threads": _MATRIX_THREADS},
        **{"operands": operands, "sums": sums, "vectors": max(operands, sums // 4)},
    )
    words = [*map(int, values.view(np.uint32).ravel()), *[0] * sums]
    result = _run(device, "probe_matrix", wgsl, words)[:sums].view(np.float32).reshape(m, n)
    x, w = values[:m].astype(np.float64), values[m:].astype(np.float64)
    return bool(np.all(np.abs(result - x @ w.T) <= _MATRIX_ERROR * (np.abs(x) @ np.abs(w).T)))


def find_faults(device: Core) -> list[str]:
    """The ways in which this driver computes wrong numbers; empty for a correct one."""
    faults = []
    if int(_run(device, "probe_loop", _LOOP, [0, _LOOP_STEPS])[0]) != _loop_result():
        faults.append(f"a loop of {_LOOP_STEPS} steps ends early (llvmpipe before Mesa 25.0 does this)")
    total = sum(t * t + 1 for t in range(64))
    if int(_run(device, "probe_barrier", _BARRIER, [0])[0]) != total:
        faults.append("a workgroup reduction with barriers gives a wrong sum")
    wrong = [matrix for matrix in usable_matrices(device) if not _matrix_is_right(device, matrix)]
    faults += [f"its matrix units give wrong products of {matrix}" for matrix in wrong]
    return faults
