"""Matrix products for gradients: any transposition, slices, a factor, accumulation in place or in blocks.

For the gradients of whole weights, of biases and of gains. The thin products of LoRA, whose tiles are here too, are
computed for several slices at once where they can be: lora_slices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..draw import draw
from ..grid import Grid, ceil_div
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, in_fours, reads, vec4_if, writes
from . import tiles

_BUSY = 128  # workgroups that keep a large GPU busy (Traits.filling)
_LEAST_BLOCK = 128  # smallest block of k that is worth a separate sum
_THIN = 64  # if m, n and k are all larger, the tiles of GEMM are used
_LITTLE = 1 << 20  # multiplications, up to which a problem is small
_LONG = 64  # rows or columns of a tile along the longer side of a sum over rows


def problem_of(m: int, n: int, k: int, trans_a: bool = False, trans_b: bool = False, **more: Any) -> dict[str, Any]:
    """A complete problem. A is the columns from a_at on in rows of a_width; so is y."""
    wide = {"a_width": m if trans_a else k, "a_at": 0, "y_width": n, "y_at": 0}
    defaults = {"factor": 1.0, "onto": False, "blocks": 1}
    return {"m": m, "n": n, "k": k, "trans_a": trans_a, "trans_b": trans_b, **wide, **defaults, **more}


def _bench(note: str, m: int, n: int, k: int, **more: Any) -> BenchCase:
    return BenchCase(problem_of(m, n, k, **more), note, software=False)


def blocks_of(traits: Traits, m: int, n: int, k: int) -> int:
    """How many blocks of k to sum separately: enough to fill a GPU if the result is small; one on a CPU."""
    return blocks_filling(traits, workgroups_of(m, n), k)


def blocks_filling(traits: Traits, workgroups: int, k: int) -> int:
    """The same, if one block has that many workgroups."""
    if traits.software:
        return 1
    blocks = max(1, min(ceil_div(traits.filling(_BUSY), workgroups), k // _LEAST_BLOCK))
    return ceil_div(k, tiles.block_of(k, blocks))  # none of them empty


def workgroups_of(m: int, n: int) -> int:
    """Workgroups for a result of a sum over rows."""
    thin, long = min(m, n), max(m, n)
    return ceil_div(thin, _side(thin)) * ceil_div(long, _LONG) if thin <= _THIN else ceil_div(m, 32) * ceil_div(n, 32)


class LoraProduct(Kernel):
    """With blocks > 1, y is [blocks, m, n]: partial sums over blocks of k, which `column_sum` adds."""

    name = "lora_product"
    math = "y[m,n] = (y[m,n] +) factor * sum_k A[m,k] * B[k,n]; A and B transposed, A and y slices where asked for"
    bindings = (
        reads("a", vec4_if("a_load"), ""),
        reads("b", vec4_if("b_load"), "k*n"),
        writes("y", vec4_if("store")),
    )
    params = (
        *((name, "u32") for name in ("m", "n", "k", "a_width", "a_at", "y_width", "y_at", "block")),
        ("factor", "f32"),
    )
    static = ("trans_a", "trans_b")
    cases = (
        case("x A^T: whole quads", **problem_of(70, 16, 96, trans_b=True)),
        case("x A^T: rank 5, nothing a multiple of four", **problem_of(37, 5, 203, trans_b=True)),
        case("x A^T in blocks", **problem_of(19, 8, 260, trans_b=True, blocks=4)),
        case(
            "t B^T onto the middle of wider rows",
            **problem_of(70, 68, 8, trans_b=True, y_width=120, y_at=40, factor=0.37, onto=True),
        ),
        case(
            "t B^T onto columns that begin inside a vec4, rank 1",
            **problem_of(13, 33, 1, trans_b=True, y_width=51, y_at=7, factor=-1.7, onto=True),
        ),
        case("dy B of a slice", **problem_of(67, 16, 100, a_width=160, a_at=52, factor=0.37)),
        case("dy B of a slice inside a vec4, rank 3", **problem_of(21, 3, 70, a_width=91, a_at=9, factor=2.5)),
        case("dt A onto a gradient", **problem_of(37, 132, 8, onto=True)),
        case("dt A onto a gradient, rank 3", **problem_of(11, 45, 3, onto=True)),
        case(
            "dy^T t of a slice, in blocks, the last one ragged",
            **problem_of(68, 16, 300, trans_a=True, a_width=120, a_at=40, factor=0.37, blocks=3),
        ),
        case(
            "dy^T t, rank 5, blocks that stay empty",
            **problem_of(33, 5, 77, trans_a=True, a_width=51, a_at=7, factor=2.5, blocks=5),
        ),
        case("dt^T x: a flat result", **problem_of(8, 260, 129, trans_a=True)),
        case("dt^T x in blocks", **problem_of(16, 64, 1030, trans_a=True, blocks=7)),
        case("dt^T x, rank 1", **problem_of(1, 77, 300, trans_a=True, blocks=2)),
        case("a rank above a tile", **problem_of(40, 256, 70, trans_b=True)),
        case(
            "dy^T x onto a weight's gradient: no thin side, ragged tiles",
            **problem_of(132, 140, 76, trans_a=True, a_width=200, a_at=60, onto=True),
        ),
    )
    bench_cases = (
        _bench("SmolLM2 q: t = x A^T, 4x512 tokens", 2048, 16, 576, trans_b=True),
        _bench("SmolLM2 q: y += s t B^T", 2048, 576, 16, trans_b=True, y_width=960, factor=2.0, onto=True),
        _bench("SmolLM2 q: dt = s dy B", 2048, 16, 576, a_width=960, factor=2.0),
        _bench("SmolLM2 q: dB = s dy^T t", 576, 16, 2048, trans_a=True, a_width=960, blocks=13),
        _bench("SmolLM2 q: dA = dt^T x", 16, 576, 2048, trans_a=True, blocks=13),
        _bench("SmolLM2 q: dx += dt A", 2048, 576, 16, onto=True),
        _bench("Qwen2.5-1.5B q: t = x A^T", 2048, 16, 1536, trans_b=True),
        _bench("Qwen2.5-1.5B q: y += s t B^T", 2048, 1536, 16, trans_b=True, y_width=2048, factor=2.0, onto=True),
        _bench("Qwen2.5-1.5B q: dA = dt^T x", 16, 1536, 2048, trans_a=True, blocks=6),
        _bench("Qwen2.5-1.5B q, rank 64: t = x A^T", 2048, 64, 1536, trans_b=True),
        _bench("Qwen2.5-1.5B q, rank 64: dx += dt A", 2048, 1536, 64, onto=True),
        _bench("Qwen2.5-1.5B q, rank 64: dA = dt^T x", 64, 1536, 2048, trans_a=True, blocks=3),
        _bench("Qwen2.5-1.5B down: t = x A^T", 2048, 16, 8960, trans_b=True),
        _bench("Qwen2.5-1.5B down: dA = dt^T x", 16, 8960, 2048, trans_a=True),
        _bench("SmolLM2 gate and up: dW = dy^T x", 3072, 576, 2048, trans_a=True, onto=True),
        _bench("SmolLM2's head: dW of 320 tokens", 49152, 576, 320, trans_a=True, onto=True),
        BenchCase(problem_of(256, 16, 576, trans_b=True), "SmolLM2 q: t = x A^T, 256 tokens", software=True),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        m, n, k = problem["m"], problem["n"], problem["k"]
        a = draw(rng, (k if problem["trans_a"] else m, problem["a_width"]))
        b = draw(rng, (n, k) if problem["trans_b"] else (k, n))
        kept = problem["onto"] or problem["y_width"] != n
        return {"a": a, "b": b, **({"y": draw(rng, (m, problem["y_width"]))} if kept else {})}

    def operands(self, problem: Problem) -> dict[str, Out]:
        rows = problem["k"] if problem["trans_a"] else problem["m"]
        return {**super().operands(problem), "a": Out((rows, problem["a_width"]))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        shape = (problem["m"], problem["y_width"])
        return {"y": Out(shape if problem["blocks"] == 1 else (problem["blocks"], *shape))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        m, n, k = problem["m"], problem["n"], problem["k"]
        columns = m if problem["trans_a"] else k
        a = inputs["a"].astype(np.float64)[:, problem["a_at"] : problem["a_at"] + columns]
        b = inputs["b"].astype(np.float64)
        a, b = a.T if problem["trans_a"] else a, b.T if problem["trans_b"] else b
        if problem["blocks"] > 1:
            parts = tiles.slices(problem["k"], problem["blocks"])
            return {"y": np.stack([problem["factor"] * (a[:, part] @ b[part]) for part in parts])}
        y = inputs["y"].astype(np.float64) if "y" in inputs else np.zeros((m, n))
        at = slice(problem["y_at"], problem["y_at"] + n)
        y[:, at] = (y[:, at] if problem["onto"] else 0.0) + problem["factor"] * (a @ b)
        return {"y": y}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["m"]) * int(problem["n"]) * int(problem["k"])

    def bytes(self, problem: Problem) -> int:
        m, n, k = int(problem["m"]), int(problem["n"]), int(problem["k"])
        return 4 * (m * k + k * n + m * n * (int(problem["blocks"]) + int(problem["onto"])))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        wide = {name: "scalar" if any(size % 4 for size in sizes) else "vec4" for name, sizes in _rows(problem).items()}
        scalar = dict.fromkeys(wide, "scalar")
        accesses = [wide] if wide == scalar else [wide, scalar]
        return [{**style, **access} for style in _styles(traits, problem) for access in accesses]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        columns = problem["m"] if problem["trans_a"] else problem["k"]
        for name, at, count, width in (
            ("a", problem["a_at"], columns, problem["a_width"]),
            ("y", problem["y_at"], problem["n"], problem["y_width"]),
        ):
            if at + count > width:
                return f"{count} columns from {at} on exceed {name}'s rows of {width}"
        if problem["blocks"] > 1 and (problem["onto"] or problem["y_width"] != problem["n"]):
            return "sums in blocks fill a buffer of their own: no onto, and no slice of wider rows"
        if variant["style"] == "outer" and problem["blocks"] > 1:
            return "outer products have sums that are too short for blocks"
        for access, sizes in _rows(problem).items():
            if variant[access] == "vec4" and any(size % 4 for size in sizes):
                return f"vec4 access ({access}) needs multiples of 4 as columns, width and first column, not {sizes}"
        return tiles.too_large(problem["m"], problem["n"], variant)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        block = tiles.block_of(problem["k"], problem["blocks"])
        return {**{name: problem[name] for name, _ in self.params if name != "block"}, "block": block}

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        baked = {"compute": "f32", "onto": problem["onto"], "split": problem["blocks"] > 1}
        return {**baked, **outer_loops(problem["k"])} if variant["style"] == "outer" else baked

    def tune_key(self, problem: Problem) -> str:
        return f"{super().tune_key(problem)} {in_fours(problem['m'], problem['n'], problem['k'])}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        x, y, _ = tiles.grid(problem["m"], problem["n"], variant)
        return (x, y, problem["blocks"])


def _rows(problem: Problem) -> dict[str, tuple[int, ...]]:
    """Sizes that must be multiples of four for vec4 access: columns, width and first column of each matrix."""
    m, n, k = problem["m"], problem["n"], problem["k"]
    return {
        "a_load": (m if problem["trans_a"] else k, problem["a_width"], problem["a_at"]),
        "b_load": (k if problem["trans_b"] else n,),
        "store": (n, problem["y_width"], problem["y_at"]),
    }


def _styles(traits: Traits, problem: Problem) -> list[Variant]:
    """Tiles as thin as the result. On a software driver, those with workgroup memory are only there as a check."""
    m, n, k = problem["m"], problem["n"], problem["k"]
    if min(m, n, k) > _THIN:
        wide = tiles.styles(traits, m, n)
        return [wide[0], wide[-1]] if traits.software else wide
    short = outer(traits, problem) if k <= _THIN else []
    thin = [*short, *inner(traits, problem)] if k <= min(m, n) else [*inner(traits, problem), *short]
    shared: Variant = {"style": "shared", "bm": 32, "bn": 32, "bk": 32, "tm": 4, "tn": 4}
    register: Variant = {"style": "register", "bm": 8, "bn": 4, "threads": 16}
    if traits.software:
        # For small problems, half the height: it compiles in less than half the time, and compiling takes seconds.
        return [{**register, "bm": 4} if m * n * k <= _LITTLE else register, {**shared, "unroll": 4}, *thin]
    return [*thin, {**shared, "unroll": 16}, register]


def _side(size: int) -> int:
    """The size of a tile along the thin side of a result."""
    return 8 if size <= 8 else 16 if size <= 16 else 32


def inner(traits: Traits, problem: Problem) -> list[Variant]:
    """Threads share the sum over k. First the tallest tile that fills the GPU."""
    m, n, trans_a = problem["m"], problem["n"], problem["trans_a"]
    if trans_a and problem["trans_b"]:
        return []
    if traits.software:
        return [_inner_tile(8, 8, 16, 2)]
    if trans_a:
        side = _side(min(m, n))
        sizes = [(long, side) if n <= m else (side, long) for long in (_LONG, _LONG // 2)]
        return [_inner_tile(bm, bn, 256, unroll) for bm, bn in sizes for unroll in (8, 4)]
    bn = _side(n)
    heights = [bm for bm in (32, 16, 8) if ceil_div(m, bm) * ceil_div(n, bn) >= traits.filling(_BUSY)]
    heights += [bm for bm in (8, 16, 32) if bm not in heights]
    return [_inner_tile(bm, bn, 256, unroll) for bm in heights for unroll in (2, 4)]


def _inner_tile(bm: int, bn: int, threads: int, unroll: int) -> Variant:
    lanes = 16 * threads // (bm * bn)
    return {"style": "inner", "bm": bm, "bn": bn, "lanes": lanes, "threads": threads, "unroll": unroll}


def outer(traits: Traits, problem: Problem) -> list[Variant]:
    """For short sums; B's part of a tile is in workgroup memory."""
    if problem["trans_a"]:
        return []
    if traits.software:
        return [{"style": "outer", "bm": 8, "bn": 16, "tm": 4, "threads": 8}]
    depth = outer_loops(problem["k"])["depth"]
    tile_sizes = ((64, 64, 4), (32, 64, 4), (32, 128, 4), (64, 64, 8), (16, 64, 4))
    return [
        {"style": "outer", "bm": bm, "bn": bn, "tm": tm, "threads": bm // tm * bn // 4}
        for bm, bn, tm in tile_sizes
        if 4 * depth * bn <= traits.workgroup_bytes
    ]


def outer_loops(k: int) -> dict[str, Any]:
    """Constants of the template for outer products: how many k are in workgroup memory at once, and how often."""
    depth = min(_THIN, 4 * ceil_div(k, 4))
    return {"depth": depth, "chunks": ceil_div(k, depth), "terms": ("",)}


KERNEL = LoraProduct()
