"""Matrix units in software: the WGSL of a kernel with subgroup matrices in plain WGSL, for GPUs without them.

Every lane holds whole fragments and computes all of them. It is slow, and it proves all of a kernel but the units
themselves: tiles, edges, scales, blocks and stores.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from wgpt.contracts.contract import obligations
from wgpt.contracts.trial import check, prepare
from wgpt.gpu import GpuDevice
from wgpt.gpu.webgpu.interface import Matrix
from wgpt.kernels import registry
from wgpt.kernels.attention import attention_matrix, attention_matrix_backward
from wgpt.kernels.kernel import Case
from wgpt.kernels.products import matrix_tiles

UNIT = Matrix("f16", "f32", 4, 8, 8)  # small: a software driver compiles its loops as long as they run
_FRAGMENTS = """
struct Left {{ v: array<f32, {m} * {k}> }}
struct Right {{ v: array<f32, {n} * {k}> }}
struct Sum {{ v: array<f32, {m} * {n}> }}
// A bound that a compiler cannot know: loops stay loops.
fn upto(count: u32) -> u32 {{ return min(count, {unknown} + 65536u); }}
fn half_at(i: u32) -> f32 {{ return unpack2x16float(tile[i / 8u][i % 8u / 2u])[i % 2u]; }}
fn load_left(at: u32, stride: u32) -> Left {{
    var out: Left;
    for (var i = 0u; i < upto({m}u * {k}u); i++) {{
        out.v[i] = half_at((at + i / {k}u * stride) * 8u + i % {k}u);
    }}
    return out;
}}
fn load_right(at: u32, stride: u32) -> Right {{
    var out: Right;
    for (var i = 0u; i < upto({n}u * {k}u); i++) {{
        out.v[i] = half_at((at + i / {k}u * stride) * 8u + i % {k}u);
    }}
    return out;
}}
fn load_right_rows(at: u32, stride: u32) -> Right {{
    var out: Right;
    for (var i = 0u; i < upto({n}u * {k}u); i++) {{
        out.v[i] = half_at((at + i % {k}u * stride) * 8u + i / {k}u);
    }}
    return out;
}}
fn load_sum(at: u32, stride: u32) -> Sum {{
    var out: Sum;
    for (var i = 0u; i < upto({m}u * {n}u); i++) {{
        out.v[i] = bitcast<f32>(tile[at + i / {n}u * stride + i % {n}u / 4u][i % 4u]);
    }}
    return out;
}}
fn multiplied(a: Left, b: Right, c: Sum) -> Sum {{
    var out = c;
    var left = a;
    var right = b;
    for (var i = 0u; i < upto({m}u * {n}u); i++) {{
        for (var k = 0u; k < upto({k}u); k++) {{
            out.v[i] += left.v[i / {n}u * {k}u + k] * right.v[i % {n}u * {k}u + k];
        }}
    }}
    return out;
}}
fn store_sum(at: u32, c: Sum, stride: u32) {{
    var sums = c;
    for (var i = 0u; i < upto({m}u * {n}u); i++) {{
        tile[at + i / {n}u * stride + i % {n}u / 4u][i % 4u] = bitcast<u32>(sums.v[i]);
    }}
}}
"""
_SIZES = re.compile(
    r"alias Left = subgroup_matrix_left<f16, (?P<k>\d+), (?P<m>\d+)>;\n"
    r"alias Right = subgroup_matrix_right<f16, (?P<n>\d+)"
)
_CHANGES = (
    (r"enable chromium_experimental_subgroup_matrix;\n", ""),
    (r"diagnostic\(off, chromium\.subgroup_matrix_uniformity\);\n", ""),
    (r"enable f16;\n", ""),
    (r"alias (Left|Right|Sum) = [^;]*;\n", ""),
    (r"alias Two = vec2<f16>", "alias Two = vec2<f32>"),
    (r"Two\(f16\(v\)\)", "Two(v)"),
    (r"bitcast<Two>\(", "unpack2x16float("),
    (r"(9\.\d+)h", r"\1"),
    (r"bitcast<u32>\(both\)", "pack2x16float(both)"),
    (r"subgroupMatrixLoad<Left, row_major>\(&tile, ", "load_left("),
    (r"subgroupMatrixLoad<Right, col_major>\(&tile, ", "load_right("),
    (r"subgroupMatrixLoad<Right, row_major>\(&tile, ", "load_right_rows("),
    (r"subgroupMatrixLoad<Sum, row_major>\(&tile, ", "load_sum("),
    (r"subgroupMatrixMultiplyAccumulate\(", "multiplied("),
    (r"subgroupMatrixStore<row_major>\(&tile, ", "store_sum("),
)
# What a kernel's tiles are called, and small ones.
_BACKWARD = (attention_matrix_backward, "_SHAPES", ((2, 1, 1, 16, True), (1, 2, 1, 32, False)))
# The shallowest is taken, whose code is short; from the second on they hold whole units of packed weights.
_SMALL = (*((2, 2, 1, 1, depth) for depth in (16, 32, 64)), (1, 8, 1, 1, 16))
_PRODUCTS = (matrix_tiles, "SHAPES", _SMALL)
_TILES: dict[str, tuple[Any, str, Any]] = {
    "gemm_matrix": _PRODUCTS,
    "expert_matrix": _PRODUCTS,
    "attention_matrix": (attention_matrix, "_SHAPES", {(2, 1, 16, True): 0}),
    "attention_matrix_backward_q": _BACKWARD,
    "attention_matrix_backward_kv": _BACKWARD,
}
NAMES = tuple(_TILES)


def in_software(wgsl: str) -> str:
    """The same shader without subgroup matrices; others unchanged."""
    if not (sizes := _SIZES.search(wgsl)):
        return wgsl
    for pattern, replacement in _CHANGES:
        wgsl = re.sub(pattern, replacement, wgsl)
    assert not re.search("subgroup_?[mM]atrix", wgsl)
    params = re.findall(r"struct Params \{\s*(\w+)", wgsl)
    unknown = f"p.{params[0]}" if params else "arrayLength(&out)"
    return wgsl + _FRAGMENTS.format(**sizes.groupdict(), unknown=unknown)


def install(name: str, device: GpuDevice, patch: pytest.MonkeyPatch) -> None:
    """Give the device matrix units in software for a kernel, with small tiles."""
    kernel, source = registry.get(name), registry.get(name).source
    module, tiles, small = _TILES[name]

    def plain(problem: Any, variant: Any, dialect: str = "naga") -> str:
        return in_software(source(problem, variant, dialect))

    # Two lanes share a row of attention; wide heads have fewer products of large matrices.
    rows = device.traits.subgroup_size // 2
    attending = tuple(Matrix("f16", "f32", rows, size, size) for size in (16, 8))
    matrices = (UNIT,) if module is matrix_tiles else attending
    patch.setattr(device, "traits", replace(device.traits, matrices=matrices))
    patch.setattr(module, tiles, small)
    patch.setattr(matrix_tiles, "microseconds", lambda *args: 0.0)
    patch.setattr(kernel, "source", plain)


def check_case(name: str, case: Case, device: GpuDevice) -> None:
    """The default variant of a kernel holds its contract on a case, on the units that were installed."""
    kernel = registry.get(name)
    (obligation,) = [o for o in obligations() if o.kernel == kernel.name and o.check == "reference" and o.selects(case)]
    outcome = check(prepare(kernel, case), device)
    assert outcome.within(obligation.tolerance), outcome
