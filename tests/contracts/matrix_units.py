"""Matrix units in software: the WGSL of a kernel with subgroup matrices in plain WGSL, for GPUs without them.

Every lane holds whole fragments and computes all of them. It is slow, and it proves all of a kernel but the units
themselves: tiles, edges, scales, blocks and stores.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from wgpt.gpu import GpuDevice
from wgpt.gpu.webgpu.interface import Matrix
from wgpt.kernels import registry
from wgpt.kernels.products import gemm_matrix

UNIT = Matrix("f16", "f32", 4, 8, 8)  # small: a software driver compiles its loops as long as they run
_FRAGMENTS = f"""
struct Left {{ v: array<f32, {UNIT.m * UNIT.k}> }}
struct Right {{ v: array<f32, {UNIT.n * UNIT.k}> }}
struct Sum {{ v: array<f32, {UNIT.m * UNIT.n}> }}
fn half_at(i: u32) -> f32 {{ return unpack2x16float(tile[i / 8u][i % 8u / 2u])[i % 2u]; }}
fn load_left(at: u32, stride: u32) -> Left {{
    var out: Left;
    for (var i = 0u; i < {UNIT.m * UNIT.k}u; i++) {{
        out.v[i] = half_at((at + i / {UNIT.k}u * stride) * 8u + i % {UNIT.k}u);
    }}
    return out;
}}
fn load_right_col(at: u32, stride: u32) -> Right {{
    var out: Right;
    for (var i = 0u; i < {UNIT.n * UNIT.k}u; i++) {{
        out.v[i] = half_at((at + i / {UNIT.k}u * stride) * 8u + i % {UNIT.k}u);
    }}
    return out;
}}
fn load_right_row(at: u32, stride: u32) -> Right {{
    var out: Right;
    for (var i = 0u; i < {UNIT.n * UNIT.k}u; i++) {{
        out.v[i] = half_at((at + i % {UNIT.k}u * stride) * 8u + i / {UNIT.k}u);
    }}
    return out;
}}
fn multiplied(a: Left, b: Right, c: Sum) -> Sum {{
    var out = c;
    var left = a;
    var right = b;
    for (var i = 0u; i < {UNIT.m * UNIT.n}u; i++) {{
        for (var k = 0u; k < {UNIT.k}u; k++) {{
            out.v[i] += left.v[i / {UNIT.n}u * {UNIT.k}u + k] * right.v[i % {UNIT.n}u * {UNIT.k}u + k];
        }}
    }}
    return out;
}}
fn store_sum(at: u32, c: Sum, stride: u32) {{
    var sums = c;
    for (var i = 0u; i < {UNIT.m * UNIT.n}u; i++) {{
        tile[at + i / {UNIT.n}u * stride + i % {UNIT.n}u / 4u][i % 4u] = bitcast<u32>(sums.v[i]);
    }}
}}
"""
_CHANGES = (
    (r"enable chromium_experimental_subgroup_matrix;\n", ""),
    (r"diagnostic\(off, chromium\.subgroup_matrix_uniformity\);\n", ""),
    (r"enable f16;\n", ""),
    (r"alias (Left|Right|Sum) = [^;]*;\n", ""),
    (r"subgroupMatrixLoad<Left, row_major>\(&tile, ", "load_left("),
    (r"subgroupMatrixLoad<Right, (col|row)_major>\(&tile, ", r"load_right_\1("),
    (r"subgroupMatrixMultiplyAccumulate\(", "multiplied("),
    (r"subgroupMatrixStore<row_major>\(&tile, ", "store_sum("),
)


def in_software(wgsl: str) -> str:
    """The same shader without subgroup matrices; others unchanged."""
    if "subgroup_matrix" not in wgsl:
        return wgsl
    for pattern, replacement in _CHANGES:
        wgsl, count = re.subn(pattern, replacement, wgsl)
        assert count, pattern
    return wgsl + _FRAGMENTS


def install(device: GpuDevice, patch: pytest.MonkeyPatch) -> None:
    """Give the device matrix units in software, for small tiles."""
    kernel, source = registry.get("gemm_matrix"), registry.get("gemm_matrix").source

    def plain(problem: Any, variant: Any, dialect: str = "naga") -> str:
        return in_software(source(problem, variant, dialect))

    patch.setattr(device, "traits", replace(device.traits, matrices=(UNIT,)))
    patch.setattr(gemm_matrix, "_TILES", {(2, 1, 1, 2, 8): 0})
    patch.setattr(kernel, "source", plain)
