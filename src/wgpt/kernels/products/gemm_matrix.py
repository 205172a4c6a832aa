"""A linear layer of many rows on matrix units (subgroup matrices): products of halves, sums in f32.

Rows come as halves, with their scales, from `row_halves`. Weights come as they are stored, and are unpacked on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import PreconditionError
from ...gpu import Traits
from ...gpu.webgpu.interface import Matrix
from .. import weighted
from ..draw import draw
from ..grid import MOST, Grid, ceil_div
from ..kernel import (
    Arrays,
    BenchCase,
    Binding,
    Case,
    Kernel,
    Out,
    Problem,
    Variant,
    case,
    in_twos,
    reads,
    vec4_if,
    writes,
)
from . import matrix_tiles
from .around import random_around, with_around
from .gate_halves import in_blocks
from .matrix_tiles import Sides
from .row_halves import block_size, in_halves, vectors

_OTHER_TILES = 3  # of the second product; more would take long to compile and check
UP = 16  # unpacked weights are multiplied by it: small ones are then no subnormal halves, and 480 is not beyond f16


def problem_of(m: int, n: int, k: int, **more: Any) -> dict[str, Any]:
    """A complete problem: m rows, n columns at .. at + n - 1 of rows of `width`, sums over k.

    x_parts, w_parts: halves of a value (row_halves.py). across: w is [k, n] and not [n, k]. w_width: the length of its
    rows, if it is of halves. by_block: rows have a scale for each block (gate_halves.py).
    """
    parts = {"weight": "f16", "x_parts": 1, "w_parts": 1, "across": False}
    around = {"width": n, "at": 0, "bias": False, "add": False, "onto": False, "blocks": 1, "by_block": False}
    problem = {"m": m, "n": n, "k": k, **parts, **around, **more}
    if problem["weight"] == "f16":
        problem.setdefault("w_width", 8 * vectors(n if problem["across"] else k))
    return problem


def _cases() -> list[Case]:
    exact: dict[str, Any] = {"weight": "f32", "x_parts": 2, "w_parts": 2}
    cases = []
    for weight in weighted.WEIGHTS:
        if weight == "f16":
            continue
        cases.append(case("columns in fours that are no whole tile", **problem_of(19, 68, 512, weight=weight)))
        if not weighted.few_cases(weight):
            cases += [
                case("columns that are no whole tile", **problem_of(19, 67, 512, weight=weight)),
                case("a ragged row", **problem_of(5, 36, 203, weight=weight, blocks=2)),
                case("across a ragged row", **problem_of(21, 203, 36, weight=weight, across=True)),
            ]
    for parts in ({}, exact):
        for across in (False, True):
            kind = {**parts, "across": across}
            cases += [
                case("ragged tiles", **problem_of(37, 132, 64, **kind)),
                case("nothing is a multiple of anything", **problem_of(19, 67, 203, **kind)),
                case("in blocks, the last one ragged", **problem_of(37, 68, 300, **kind, blocks=3)),
            ]
    return [
        *cases,
        case("rows in two halves", **problem_of(35, 68, 96, x_parts=2)),
        case("whole tiles", **problem_of(128, 256, 128)),
        case("more than a band of tiles", **problem_of(2100, 40, 40)),
        case("bias and residual", **problem_of(133, 68, 96, bias=True, add=True)),
        case("onto what is there", **problem_of(21, 36, 40, across=True, onto=True)),
        case("a slice of wider rows", **problem_of(19, 36, 96, width=120, at=40)),
        case("columns that begin inside a load", **problem_of(17, 36, 32, width=120, at=42)),
        case("in blocks, one stays empty", **problem_of(35, 67, 197, blocks=5)),
        case("scales of each block, the last one ragged", **problem_of(21, 36, 300, blocks=3, by_block=True)),
        case("two rows, three columns, K below a vector", **problem_of(2, 3, 3)),
        case("weights with longer rows", **problem_of(18, 20, 70, w_width=96)),
        case("weights with longer rows, across", **problem_of(18, 20, 70, w_width=96, across=True)),
        case("a long K", **problem_of(16, 24, 4096)),
    ]


def _bench_cases() -> list[BenchCase]:
    back: dict[str, Any] = {"across": True}
    added: dict[str, Any] = {"add": True}
    products: list[tuple[int, int, int, dict[str, Any], str]] = [
        (4096, 4096, 4096, {}, "4096^3"),
        (4096, 4096, 4096, {"x_parts": 2}, "4096^3, rows in two halves"),
        (4096, 4096, 4096, {"x_parts": 2, "w_parts": 2}, "4096^3, all in two halves"),
        (512, 19456, 2560, {}, "Qwen3-4B gate/up, prefill"),
        (512, 2560, 9728, {"blocks": 2}, "Qwen3-4B down, prefill"),
        (512, 2560, 9728, added, "Qwen3-4B down, prefill, in one go"),
        (512, 2560, 4096, added, "Qwen3-4B o, prefill"),
        (512, 6144, 2560, {}, "Qwen3-4B q/k/v, prefill"),
        (512, 17920, 1536, {}, "Qwen2.5-1.5B gate/up, prefill"),
        (512, 1536, 8960, {"blocks": 2}, "Qwen2.5-1.5B down, prefill"),
        (512, 2048, 1536, {}, "Qwen2.5-1.5B q/k/v, prefill"),
        (512, 1536, 1536, added, "Qwen2.5-1.5B o, prefill"),
        (2048, 1536, 17920, back, "Qwen2.5-1.5B gate/up, 4 x 512, input gradient"),
        (2048, 1536, 17920, {**back, "blocks": 2}, "the same in two blocks"),
        (2048, 1536, 8960, {"blocks": 2}, "Qwen2.5-1.5B down, 4 x 512"),
        (2048, 1536, 8960, added, "the same in one go"),
        (2048, 1536, 1536, added, "Qwen2.5-1.5B o, 4 x 512"),
        (2048, 2048, 1536, {}, "Qwen2.5-1.5B q/k/v, 4 x 512"),
        (2048, 1536, 2048, back, "Qwen2.5-1.5B q/k/v, 4 x 512, input gradient"),
        (512, 960, 576, {}, "SmolLM2 q/k/v, prefill"),
        (512, 576, 1536, added, "SmolLM2 down, prefill"),
        (512, 3072, 576, {}, "SmolLM2 gate/up, prefill"),
        (2048, 576, 576, added, "SmolLM2 o, 4 x 512"),
        (2048, 3072, 576, {}, "SmolLM2 gate/up, 4 x 512"),
        (2048, 576, 1536, added, "SmolLM2 down, 4 x 512"),
        (2048, 576, 960, back, "SmolLM2 q/k/v, 4 x 512, input gradient"),
        (2048, 576, 3072, back, "SmolLM2 gate/up, 4 x 512, input gradient"),
        (2048, 1536, 576, back, "SmolLM2 down, 4 x 512, input gradient"),
        (128, 49152, 576, {}, "SmolLM2 LM head, 128 sequences"),
    ]
    for m in (16, 64, 128):
        products += [
            (m, 17920, 1536, {}, f"Qwen2.5-1.5B gate/up, {m} sequences"),
            (m, 1536, 8960, {"blocks": 8}, f"Qwen2.5-1.5B down, {m} sequences"),
            (m, 2048, 1536, {}, f"Qwen2.5-1.5B q/k/v, {m} sequences"),
            (m, 2048, 1536, {"blocks": 3}, f"the same in blocks, {m} sequences"),
            (m, 1536, 1536, added, f"Qwen2.5-1.5B o, {m} sequences"),
            (m, 1536, 1536, {"blocks": 3}, f"the same in blocks, {m} sequences"),
            (m, 151936, 1536, {}, f"Qwen2.5-1.5B LM head, {m} sequences"),
        ]
    layer = ((19456, 2560, "gate/up"), (2560, 9728, "down"), (6144, 2560, "q/k/v"), (2560, 4096, "o"))
    products += [
        (m, n, k, {"weight": weight}, f"Qwen3-4B {name} {weight}, {m} rows")
        for m, weight in (
            (16, weighted.GROUPS),
            (64, weighted.GROUPS),
            (128, weighted.GROUPS),
            (512, weighted.GROUPS),
            (64, weighted.BYTES),
            (64, weighted.SMALL_FLOATS),
        )
        for n, k, name in layer
    ]
    return [BenchCase(problem_of(m, n, k, **more), note, software=False) for m, n, k, more, note in products]


class GemmMatrix(Kernel):
    name = "gemm_matrix"
    math = "y[m,n] = (y[m,n] +) r[m,n] + scale[m] sum_k x[m,k] W[n,k] / up + b[n], each part if asked for"
    bindings: tuple[Binding, ...] = (
        reads("x", "vec4<u32>", ""),
        reads("scale", sizes="m"),
        reads("w", "vec4<u32>", ""),
        reads("s", weighted.SCALE_ELEM, ""),
        reads("b", vec4_if("store"), "n"),
        reads("r", vec4_if("store"), "m width"),
        writes("y", vec4_if("store")),
    )
    params = tuple((name, "u32") for name in ("m", "n", "k", "x_vecs", "w_vecs", "width", "at", "block"))
    static = ("weight", "x_parts", "w_parts", "across")
    cases: Sequence[Case] = weighted.CasesOfTypes(_cases)
    bench_cases = tuple(_bench_cases())

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {name for name, key in (("b", "bias"), ("r", "add")) if not problem[key]}
        return tuple(b for b in weighted.bound(self.bindings, problem) if b.name not in absent)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        m, k = problem["m"], problem["k"]
        x, scale = in_halves(draw(rng, (m, k)), problem["x_parts"])
        if problem["by_block"]:
            growing = np.float32(8.0) ** (np.arange(k) // _block(problem)).astype(np.float32)
            x, scale = in_blocks(growing * draw(rng, (m, k)), problem["x_parts"], problem["blocks"])
        return {"x": x, "scale": scale, **self._weights(rng, problem), **random_around(rng, problem)}

    def _weights(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        if problem["weight"] != "f16":
            return weighted.random_weights(rng, _stored(problem))
        rows, used = _stored(problem)["n"], _stored(problem)["k"]
        w = np.zeros((rows, problem["w_width"]), np.float16)
        w[:, :used] = draw(rng, (rows, used))
        return {"w": w}

    def operands(self, problem: Problem) -> dict[str, Out]:
        m = problem["m"]
        x = {"x": Out((problem["x_parts"], m, 8 * vectors(problem["k"])), "f16")}
        scale = {"scale": Out((problem["blocks"], m))} if problem["by_block"] else {}
        return {**super().operands(problem), **x, **self._planes(problem), **scale}

    def _planes(self, problem: Problem) -> dict[str, Out]:
        """The operands that hold the weights."""
        if problem["weight"] == "f16":
            return {"w": Out((_stored(problem)["n"], problem["w_width"]), "f16")}
        return weighted.plane_shapes(_stored(problem))

    def outputs(self, problem: Problem) -> dict[str, Out]:
        shape = (problem["m"], problem["width"])
        return {"y": Out(shape if problem["blocks"] == 1 else (problem["blocks"], *shape))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        n, k = problem["n"], problem["k"]
        by_block = inputs["scale"].reshape(-1, problem["m"]).T
        scale = by_block.repeat(_block(problem) if problem["by_block"] else k, axis=1)[:, :k]
        x = inputs["x"].astype(np.float64).sum(axis=0)[:, :k] * scale
        w = self._values(inputs, problem)
        w = w[:, :n] if problem["across"] else w[:, :k].T
        if problem["blocks"] > 1:
            parts = [slice(at * _block(problem), (at + 1) * _block(problem)) for at in range(problem["blocks"])]
            return {"y": np.stack([x[:, part] @ w[part] for part in parts])}
        return {"y": with_around(x @ w, inputs, problem)}

    def _values(self, inputs: Arrays, problem: Problem) -> NDArray[np.float64]:
        """The weights as they are multiplied."""
        if problem["weight"] == "f16":
            return inputs["w"].astype(np.float64)
        return weighted.dequantised(inputs, _stored(problem))

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["m"]) * int(problem["n"]) * int(problem["k"])

    def bytes(self, problem: Problem) -> int:
        m, n, k = int(problem["m"]), int(problem["n"]), int(problem["k"])
        return (
            2 * m * k * int(problem["x_parts"])
            + self._weight_bytes(problem)
            + 4 * (m + n * problem["bias"] + m * n * (problem["add"] + problem["onto"] + problem["blocks"]))
        )

    def _weight_bytes(self, problem: Problem) -> int:
        if problem["weight"] == "f16":
            return 2 * int(problem["n"]) * int(problem["k"])
        return weighted.weight_bytes(_stored(problem))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Of the GPU's largest product, the fastest first; and a few of another product."""
        return _ordered(self, traits, matrix_tiles.SHAPES, tuple(problem.items()))

    def ordered(self, traits: Traits, problem: Problem) -> tuple[Variant, ...]:
        units, sides = products(traits), _sides(problem)
        if not units:
            raise PreconditionError("matrix units (subgroup matrices of f16 and f32) are missing on this GPU")
        fours = not any(problem[key] % 4 for key in ("n", "at", "width"))

        def microseconds(variant: Variant) -> float:
            x, y, z = self.grid(problem, variant)
            return matrix_tiles.microseconds(traits, variant, sides, x * y * z, problem["k"], z)

        offered: list[Variant] = []
        for product, most in zip(units, (len(matrix_tiles.SHAPES), _OTHER_TILES), strict=False):
            tiles = matrix_tiles.fitting(traits, (product.m, product.n, product.k), sides)[:most]
            offered += sorted(tiles, key=microseconds)
        if not offered:
            raise PreconditionError(f"tiles of matrix units do not fit into {traits.workgroup_bytes} bytes")
        return tuple({**variant, "store": "vec4" if fours else "scalar"} for variant in offered)

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["at"] + problem["n"] > problem["width"]:
            return f"{problem['n']} columns from {problem['at']} on exceed rows of {problem['width']}"
        if problem["weight"] == "f16" and problem["w_width"] % 8:
            return f"rows of weights must be whole vectors of 8, and have {problem['w_width']}"
        if problem["weight"] == "f16" and problem["w_parts"] == 2:
            return "a weight that is a half has one part"
        if matrix_tiles.cuts_units(variant, _sides(problem)):
            return f"rows of a tile of weights are not whole units of {_sides(problem).unit}"
        if problem["by_block"] and problem["blocks"] == 1:
            return "a product in one go takes one scale for each row"
        if problem["blocks"] > 1:
            if any(problem[key] for key in ("bias", "add", "onto")) or problem["width"] != problem["n"]:
                return "sums in blocks fill a buffer of their own: no bias, add or onto, and no slice of wider rows"
            if _block(problem) % variant["bk"]:
                return f"blocks of k are no multiple of the depth {variant['bk']}"
        if max(self.grid(problem, variant)) > MOST:
            return f"the result needs more than {MOST} workgroups in one dimension"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        sizes = {"x_vecs": vectors(problem["k"]), "w_vecs": self._w_vecs(problem), "block": _block(problem)}
        return {**{key: problem[key] for key in ("m", "n", "k", "width", "at")}, **sizes}

    def _w_vecs(self, problem: Problem) -> int:
        """Vectors, or chunks, in a row of weights."""
        if problem["weight"] == "f16":
            return int(problem["w_width"]) // 8
        return weighted.chunks_per_row(_stored(problem))

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        around = {"experts": False, **{key: problem[key] for key in ("bias", "add", "onto", "by_block")}}
        return {**around, "fused": True, "split": problem["blocks"] > 1, **self._depths(problem, variant)}

    def _depths(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        """How tiles end, and what unpacked weights are multiplied by."""
        up = 1 if problem["weight"] == "f16" else UP
        return {"tail": bool(problem["k"] % variant["bk"]), "up": up, "down": 1 / up}

    def tune_key(self, problem: Problem) -> str:
        weight = "" if problem["weight"] == "f16" else f"{problem['weight']} "
        kind = f"{weight}{problem['x_parts']} {problem['w_parts']}{' across' if problem['across'] else ''}"
        blocks = " in blocks" if problem["blocks"] > 1 else ""
        return f"{kind} {in_twos(problem['m'], problem['n'], problem['k'])}{blocks}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (ceil_div(problem["n"], variant["bn"]), ceil_div(problem["m"], variant["bm"]), problem["blocks"])


def _block(problem: Problem) -> int:
    return block_size(problem["k"], problem["blocks"])


def _stored(problem: Problem) -> dict[str, Any]:
    """The problem of the weights, [n, k] as they are stored."""
    across = problem["across"]
    return {**problem, "n": problem["k" if across else "n"], "k": problem["n" if across else "k"]}


@lru_cache(maxsize=4096)  # every launch asks, and layers are alike
def _ordered(
    kernel: GemmMatrix, traits: Traits, shapes: object, items: tuple[tuple[str, Any], ...]
) -> Sequence[Variant]:
    """`shapes`: those that tiles are made of."""
    return kernel.ordered(traits, dict(items))


def _sides(problem: Problem) -> Sides:
    kind = weighted.weight_type(problem["weight"])
    unit = max(8, kind.chunk)  # whole vectors of eight halves
    tables = 4 * (len(kind.head) + len(kind.table))
    return Sides(problem["x_parts"], problem["w_parts"], problem["across"], unit, tables)


def products(traits: Traits) -> tuple[Matrix, ...]:
    """The matrix products of this GPU."""
    return traits.half_matrices if traits.f16 and traits.subgroups else ()


KERNEL = GemmMatrix()
