"""A linear layer of many rows on matrix units (subgroup matrices): f16 products, f32 sums; with bias and residual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import PreconditionError, Traits
from ...gpu.webgpu.interface import Matrix
from .. import weighted
from ..grid import Grid, ceil_div
from ..kernel import BenchCase, Case, Problem, Variant, case, in_twos, reads
from . import gemm_fused, tiles
from .gemm_fused import GemmFused

PRECISIONS = ("fast", "f32")
# Subgroups down and across, fragments of each down and across, depth: larger tiles first. The value is the number of
# workgroups from which on the tile is worth it on a large GPU (Traits.filling).
_TILES = {
    (2, 2, 4, 4, 32): 100,
    (2, 2, 4, 4, 64): 100,
    (2, 2, 2, 4, 32): 100,
    (2, 2, 2, 2, 32): 0,
    (2, 2, 1, 2, 64): 0,
}


def problem_of(weight: str, m: int, n: int, k: int, compute: str = "fast", **fused: Any) -> dict[str, Any]:
    """A complete problem, as of gemm_fused, without norm, SwiGLU and LoRA.

    compute "fast" rounds x and the weights to f16: eleven bits each. "f32" splits what f16 cannot hold into two halves,
    which is as exact as f32 arithmetic.
    """
    return gemm_fused.problem_of(weight, m, n, k, compute=compute, **fused)


def _cases() -> list[Case]:
    cases = []
    for compute in PRECISIONS:
        for weight in weighted.WEIGHTS:
            few = weighted.few_cases(weight)
            cases.append(case("ragged tiles", **problem_of(weight, 37, 132, 512 if few else 64, compute)))
            if not few:
                cases.append(case("nothing is a multiple of anything", **problem_of(weight, 19, 67, 203, compute)))
        cases += [
            case("whole tiles", **problem_of("f16", 128, 256, 128, compute)),
            case("bias and residual", **problem_of("f16", 133, 68, 96, compute, bias=True, add=True)),
            case("a slice of wider rows", **problem_of(weighted.BYTES, 19, 36, 96, compute, width=120, at=40)),
            case("columns that begin inside a load", **problem_of("f16", 17, 36, 32, compute, width=120, at=42)),
            case("in blocks, the last one ragged", **problem_of(weighted.NIBBLES, 37, 68, 160, compute, blocks=3)),
            case("in blocks, one stays empty", **problem_of("f16", 35, 67, 97, compute, blocks=5)),
            case("two rows, three columns, K below a quad", **problem_of("f16", 2, 3, 3, compute)),
            case("values beyond f16", **problem_of("f16", 21, 40, 72, compute, values="large")),
            case("values below f16", **problem_of(weighted.NIBBLES, 21, 40, 96, compute, values="small")),
            case("a long K", **problem_of("f16", 16, 24, 4096, compute)),
        ]
    return cases


class GemmMatrix(GemmFused):
    name = "gemm_matrix"
    math = "y[m,n] = r[m,n] + sum_k x[m,k] * W[n,k] + b[n], each part if asked for; products of f16, sums in f32"
    bindings = (
        GemmFused.bindings[0],
        reads("w", f"{{{{ 'vec4<u32>' if direct else '' }}}}{{% if not direct %}}{weighted.QUAD_ELEM}{{% endif %}}"),
        *GemmFused.bindings[2:],
    )
    cases: Sequence[Case] = weighted.CasesOfTypes(_cases)
    bench_cases = tuple(
        BenchCase(problem_of(weight, m, n, k, compute), f"{note}, {compute}", software=False)
        for weight, m, n, k, compute, note in (
            ("f16", 4096, 4096, 4096, "fast", "4096^3"),
            ("f16", 4096, 4096, 4096, "f32", "4096^3"),
            (weighted.NIBBLES, 4096, 4096, 4096, "f32", "4096^3"),
            (weighted.NIBBLES, 4096, 4096, 4096, "fast", "4096^3"),
            ("f16", 512, 17920, 1536, "fast", "Qwen2.5-1.5B gate/up, prefill"),
            (weighted.NIBBLES, 512, 17920, 1536, "fast", "Qwen2.5-1.5B gate/up, prefill"),
            ("f16", 512, 17920, 1536, "f32", "Qwen2.5-1.5B gate/up, prefill"),
            ("f16", 512, 1536, 8960, "fast", "Qwen2.5-1.5B down, prefill"),
            ("f16", 2048, 3072, 576, "fast", "SmolLM2 gate/up, 4 x 512"),
            ("f16", 512, 576, 576, "fast", "SmolLM2 o, prefill"),
            ("f16", 64, 3072, 576, "fast", "SmolLM2 gate/up, 64 sequences"),
        )
    )

    def template(self, variant: Variant) -> str:
        return "gemm_matrix.wgsl"

    def inputs(self, rng: Any, problem: Problem) -> dict[str, Any]:
        arrays = super().inputs(rng, problem)
        if problem.get("values") == "large":
            arrays["x"] *= np.float32(2.0**17)  # up to about half a million
        return arrays

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        products = _products(traits)
        if not products:
            raise PreconditionError("matrix units (subgroup matrices of f16 and f32) are missing on this GPU")
        fours = not any(problem[key] % 4 for key in ("n", "at", "width"))
        access = {"load": "scalar" if problem["k"] % 4 else "vec4", "store": "vec4" if fours else "scalar"}
        offered: list[Variant] = []
        fitting: list[Variant] = []
        for product in products[:2]:
            for shape, enough in _TILES.items():
                variant = {**_variant(product, shape, traits.subgroup_size), "half": "packed", **access}
                if _bytes(problem, variant) > traits.workgroup_bytes:
                    continue
                x, y, z = self.grid(problem, variant)
                filled = x * y * z >= traits.filling(enough)
                (fitting if filled and product is products[0] else offered).append(variant)
        if not fitting and not offered:
            raise PreconditionError(f"tiles of matrix units do not fit into {traits.workgroup_bytes} bytes")
        return [*fitting, *offered]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["compute"] not in PRECISIONS:
            return f"compute must be one of {PRECISIONS}, and is {problem['compute']!r}"
        if problem["norm"] or problem["act"] != "none" or problem["lora"]:
            return "matrix units compute no norm, SwiGLU or LoRA"
        if problem["blocks"] > 1 and tiles.block_of(problem["k"], problem["blocks"]) % variant["bk"]:
            return f"blocks of k are no multiple of the depth {variant['bk']}"
        return super().refuses({**problem, "compute": "f32"}, variant)

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (ceil_div(problem["n"], variant["bn"]), ceil_div(problem["m"], variant["bm"]), problem["blocks"])

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**super().baked(problem, variant), "direct": _direct(problem)}

    def tune_key(self, problem: Problem) -> str:
        blocks = " in blocks" if problem["blocks"] > 1 else ""
        sizes = in_twos(problem["m"], problem["n"], problem["k"])
        return f"{problem['weight']} {problem['compute']} {sizes}{blocks}"


def _direct(problem: Problem) -> bool:
    """Whether weights are halves already."""
    return weighted.weight_type(problem["weight"]).native_halves


def _products(traits: Traits) -> list[Matrix]:
    """Those whose fragments are whole vectors of a tile: of eight halves along k, of four sums along n."""
    if not traits.f16 or not traits.subgroups:
        return []
    return [product for product in traits.half_matrices if product.k % 8 == 0 and product.n % 4 == 0]


def _variant(product: Matrix, shape: tuple[int, int, int, int, int], lanes: int) -> dict[str, Any]:
    sm, sn, wm, wn, bk = shape
    return {
        "style": "matrix",
        **{"mm": product.m, "mn": product.n, "mk": product.k},
        **{"sm": sm, "sn": sn, "wm": wm, "wn": wn, "bk": max(bk, product.k)},
        **{"bm": sm * wm * product.m, "bn": sn * wn * product.n, "lanes": lanes, "threads": sm * sn * lanes},
    }


def _bytes(problem: Problem, v: Variant) -> int:
    """Workgroup memory: the tiles, or the sums of one row of fragments of each subgroup."""
    exact = problem["compute"] == "f32"
    row = 16 * (v["bk"] // 8 + 1)
    halves = row * (v["bm"] * (1 + exact) + v["bn"] * (1 + (exact and not _direct(problem))))
    sums = 16 * v["sm"] * v["sn"] * v["mm"] * (v["wn"] * v["mn"] // 4 + 1)
    return int(max(halves, sums)) + 4 * int(v["bm"])


KERNEL = GemmMatrix()
