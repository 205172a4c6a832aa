"""A linear layer of many rows on matrix units (subgroup matrices): products of halves, sums in f32.

Rows come as halves, with their scales, from `row_halves`. Weights come as they are stored, and are unpacked on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from .gate_halves import in_blocks
from .row_halves import block_size, in_halves, vectors

UP = 16  # unpacked weights are multiplied by it: small ones are then no subnormal halves, and 4,000 is not beyond f16
# Subgroups down and across, fragments of each down and across, depth, and how many tiles are fetched ahead, larger
# tiles first. The value is the number of workgroups from which on the tile is worth it on a large GPU (Traits.filling).
_TILES = {
    (2, 4, 4, 2, 64, 1): 90,
    (2, 2, 4, 4, 32, 1): 600,
    (2, 2, 4, 4, 16, 1): 90,  # for two halves of each value, which need twice the memory
    (4, 4, 2, 2, 64, 1): 70,
    (2, 2, 2, 2, 64, 2): 250,
    (2, 4, 2, 1, 128, 1): 60,
    (2, 2, 2, 1, 64, 2): 250,
    (1, 4, 2, 1, 64, 2): 250,
    (1, 2, 2, 1, 64, 2): 60,
    (1, 4, 1, 1, 64, 2): 600,
    (1, 2, 1, 1, 64, 2): 60,
    (2, 2, 1, 1, 64, 1): 0,
    (2, 2, 1, 1, 32, 1): 0,
    (1, 2, 1, 1, 128, 1): 0,
}
_LEAST_TALL, _TALLEST = 16, 128  # rows of a tile are at most as many as hold the product's, a power of two
_OTHER_TILES = 3  # of the second product; more would take long to compile and check

_LARGE = 128  # side of the largest tile, of which a core of the H200 sums up
_DEEP_US = 1.05 / 64  # us per step of k
_SUM_US, _SUM_BYTES = 7.0, 3e6  # what a kernel that adds up blocks takes at least, and reads and writes per us
_BLOCKS = (1, 2, 3, 4, 8, 16)
_WORTH = 0.85  # of the time in one go; less is not worth another dispatch
_FEW_BLOCKS = 4  # at most, of products with a tile's rows or more: their sums take memory
_LONG, _LEAST_BLOCK = 2048, 512  # of k, for sums in blocks
# Of products with a tile's rows or fewer, whose time is that of their weights: blocks that keep a large GPU busy, times
# columns; and at most, by rows, because more sums take longer to add up than they save.
_BUSY = 38_016
_MOST_OF_FEW = {32: 16, _LARGE: 8}


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


def blocks_of(traits: Traits, m: int, n: int, k: int, *, joined: bool = False) -> int:
    """How many blocks of k to sum separately: more than one if tiles of the whole k would leave cores without work.

    joined: the kernel that follows adds them up (sum_halves), which takes no dispatch more.
    """
    if m <= _LARGE:
        most = next(blocks for rows, blocks in _MOST_OF_FEW.items() if m <= rows)
        busy = min(most, k // _LEAST_BLOCK, round(traits.filling(_BUSY) / n))
        return max(blocks for blocks in _BLOCKS if blocks <= max(1, busy))
    if k < _LONG:
        return 1
    tiles = ceil_div(m, _LARGE) * ceil_div(n, _LARGE)

    def microseconds(blocks: int) -> float:
        product = ceil_div(tiles * blocks, traits.cores) * k / blocks * _DEEP_US
        if blocks == 1:
            return _WORTH * product
        return product + (0 if joined else _SUM_US) + 4 * (blocks + 1) * m * n / _SUM_BYTES

    most = min(max(1, k // _LEAST_BLOCK), _FEW_BLOCKS)
    return min((blocks for blocks in _BLOCKS if blocks <= most), key=microseconds)


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
        m, n, k = problem["m"], problem["n"], problem["k"]
        x, scale = in_halves(draw(rng, (m, k)), problem["x_parts"])
        if problem["by_block"]:
            growing = np.float32(8.0) ** (np.arange(k) // _block(problem)).astype(np.float32)
            x, scale = in_blocks(growing * draw(rng, (m, k)), problem["x_parts"], problem["blocks"])
        arrays: Arrays = {"x": x, "scale": scale, **self._weights(rng, problem)}
        if problem["bias"]:
            arrays["b"] = draw(rng, (n,))
        if problem["add"]:
            arrays["r"] = draw(rng, (m, problem["width"]))
        if problem["onto"] or problem["width"] != n:
            arrays["y"] = draw(rng, (m, problem["width"]))
        return arrays

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
        columns = slice(problem["at"], problem["at"] + n)
        y = x @ w
        if problem["bias"]:
            y = y + inputs["b"]
        if problem["add"]:
            y = y + inputs["r"][:, columns]
        whole = inputs["y"].astype(np.float64) if "y" in inputs else np.empty((problem["m"], problem["width"]))
        whole[:, columns] = y + (whole[:, columns] if problem["onto"] else 0.0)
        return {"y": whole}

    def _values(self, inputs: Arrays, problem: Problem) -> NDArray[np.float64]:
        """The weights as they are multiplied."""
        if problem["weight"] == "f16":
            return inputs["w"].astype(np.float64)
        w = weighted.dequantised(inputs, _stored(problem))
        return w if problem["w_parts"] == 2 else (UP * w.astype(np.float32)).astype(np.float16).astype(np.float64) / UP

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
        units = products(traits)
        if not units:
            raise PreconditionError("matrix units (subgroup matrices of f16 and f32) are missing on this GPU")
        fours = not any(problem[key] % 4 for key in ("n", "at", "width"))
        tallest = min(_TALLEST, max(_LEAST_TALL, 1 << (problem["m"] - 1).bit_length()))
        offered: list[Variant] = []
        fitting: list[Variant] = []
        for product in units[:2]:
            for shape, enough in list(_TILES.items())[: None if product is units[0] else _OTHER_TILES]:
                variant = {**_variant(product, shape, traits.subgroup_size), "store": "vec4" if fours else "scalar"}
                if _cuts_units(problem, variant) or _bytes(problem, variant) > traits.workgroup_bytes:
                    continue
                x, y, z = self.grid(problem, variant)
                filled = x * y * z >= traits.filling(enough) and variant["bm"] <= tallest
                (fitting if filled and product is units[0] else offered).append(variant)
        if not fitting and not offered:
            raise PreconditionError(f"tiles of matrix units do not fit into {traits.workgroup_bytes} bytes")
        return [*fitting, *offered]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["at"] + problem["n"] > problem["width"]:
            return f"{problem['n']} columns from {problem['at']} on exceed rows of {problem['width']}"
        if problem["weight"] == "f16" and problem["w_width"] % 8:
            return f"rows of weights must be whole vectors of 8, and have {problem['w_width']}"
        if problem["weight"] == "f16" and problem["w_parts"] == 2:
            return "a weight that is a half has one part"
        if _cuts_units(problem, variant):
            return f"rows of a tile of weights are not whole units of {_unit(problem)}"
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


def _unit(problem: Problem) -> int:
    """How many weights are unpacked at once: whole vectors of eight halves."""
    return max(8, weighted.weight_type(problem["weight"]).chunk)


def _cuts_units(problem: Problem, variant: Variant) -> bool:
    return bool(variant["bn" if problem["across"] else "bk"] % _unit(problem))


def products(traits: Traits) -> tuple[Matrix, ...]:
    """The matrix products of this GPU."""
    return traits.half_matrices if traits.f16 and traits.subgroups else ()


def _variant(product: Matrix, shape: tuple[int, ...], lanes: int) -> dict[str, Any]:
    sm, sn, wm, wn, bk, ahead = shape
    return {
        **{"mm": product.m, "mn": product.n, "mk": product.k},
        **{"sm": sm, "sn": sn, "wm": wm, "wn": wn, "bk": max(bk, product.k)},
        **{"bm": sm * wm * product.m, "bn": sn * wn * product.n, "lanes": lanes, "threads": sm * sn * lanes},
        "ahead": ahead,
    }


def _bytes(problem: Problem, v: Variant) -> int:
    """Workgroup memory: the tiles, or the sums of one row of fragments of each subgroup."""
    right = v["bk"] * (v["bn"] // 8 + 1) if problem["across"] else v["bn"] * (v["bk"] // 8 + 1)
    halves = problem["x_parts"] * v["bm"] * (v["bk"] // 8 + 1) + problem["w_parts"] * right
    sums = v["sm"] * v["sn"] * v["mm"] * (v["wn"] * v["mn"] // 4 + 1)
    kind = weighted.weight_type(problem["weight"])
    return 16 * int(max(halves, sums)) + 4 * (len(kind.head) + len(kind.table))


KERNEL = GemmMatrix()
