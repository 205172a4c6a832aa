"""Products of LoRA's training for all adapted slices of a layer (q, k and v; gate and up) in one dispatch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...gpu import Traits
from ..draw import draw
from ..grid import MOST, Grid
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, in_fours, reads, vec4_if, writes
from . import lora_product, tiles


class Slice(NamedTuple):
    """y[m,n] = factor * A[m,k] B[k,n]. A, B and y are rows of some width, from an element of their buffer on."""

    m: int
    n: int
    k: int
    a_at: int
    b_at: int
    b_width: int
    y_at: int
    y_width: int
    factor: float = 1.0


_SIZES = Slice._fields


def problem_of(slices: Sequence[Slice], a_width: int, y_size: int, **more: Any) -> dict[str, Any]:
    """A complete problem; y has `y_size` elements for each block of k. `summed`: one result, the sum of all slices."""
    defaults = {"trans_a": False, "trans_b": False, "onto": False, "blocks": 1, "summed": False}
    return {"slices": tuple(slices), "a_width": a_width, "y_size": y_size, **defaults, **more}


def blocks_of(traits: Traits, workgroups: int, k: int) -> int:
    """How many blocks of k to sum separately, if one block has that many workgroups."""
    return lora_product.blocks_filling(traits, workgroups, k)


class LoraLayer:
    """The problems of a layer with `n` outputs: `slices` are (first output, outputs, rank, scale) in the order of their
    matrices, A before B, in one flat buffer; t and dt have the slices' ranks side by side.

    `offsets` are the places of each A and B in that buffer; by default one directly follows the other.
    """

    def __init__(
        self,
        n: int,
        k: int,
        slices: Sequence[tuple[int, int, int, float]],
        offsets: Sequence[tuple[int, int]] = (),
        size: int = 0,
    ) -> None:
        self.n, self.k, self.slices = n, k, tuple(slices)
        self.rank = sum(r for _, _, r, _ in slices)
        at, places = 0, []
        for _, count, r, _ in slices:
            places.append((at, at + r * k))
            at += r * (k + count)
        self.offsets, self.size = tuple(offsets) or tuple(places), size or at
        self.whole = at == self.size  # whether the matrices fill the buffer
        self._ranks = [sum(r for _, _, r, _ in slices[:i]) for i in range(len(slices))]

    def _each(self) -> list[tuple[tuple[int, int, int, float], tuple[int, int], int]]:
        return list(zip(self.slices, self.offsets, self._ranks, strict=True))

    def down(self, m: int) -> dict[str, Any]:
        """t = x A^T."""
        k, width = self.k, self.rank
        slices = [Slice(m, r, k, 0, a, k, first, width) for (_, _, r, _), (a, _), first in self._each()]
        return problem_of(slices, k, m * width, trans_b=True)

    def up_onto(self, m: int) -> dict[str, Any]:
        """y += scale t B^T."""
        slices = [Slice(m, n, r, first, b, r, at, self.n, s) for (at, n, r, s), (_, b), first in self._each()]
        return problem_of(slices, self.rank, m * self.n, trans_b=True, onto=True)

    def up_back(self, m: int) -> dict[str, Any]:
        """dt = scale dy B."""
        width = self.rank
        slices = [Slice(m, r, n, at, b, r, first, width, s) for (at, n, r, s), (_, b), first in self._each()]
        return problem_of(slices, self.n, m * width)

    def b_back(self, m: int, blocks: int) -> dict[str, Any]:
        """dB = scale dy^T t, in blocks or onto the gradient."""
        width = self.rank
        slices = [Slice(n, r, m, at, first, width, b, r, s) for (at, n, r, s), (_, b), first in self._each()]
        return problem_of(slices, self.n, self.size, trans_a=True, blocks=blocks, onto=blocks == 1)

    def a_back(self, m: int, blocks: int) -> dict[str, Any]:
        """dA = dt^T x, in blocks or onto the gradient."""
        k = self.k
        slices = [Slice(r, k, m, first, 0, k, a, k) for (_, _, r, _), (a, _), first in self._each()]
        return problem_of(slices, self.rank, self.size, trans_a=True, blocks=blocks, onto=blocks == 1)

    def down_back(self, m: int, onto: bool) -> dict[str, Any]:
        """dx (+)= dt A, added up over the slices."""
        k = self.k
        slices = [Slice(m, k, r, first, a, k, 0, k) for (_, _, r, _), (a, _), first in self._each()]
        return problem_of(slices, self.rank, m * k, summed=True, onto=onto)

    def blocks(self, traits: Traits, m: int) -> int:
        """How many blocks of rows the gradients are summed in; one if there are gaps between the matrices, as sums of
        blocks are added to all of the buffer's gradient."""
        if not self.whole:
            return 1
        for_a = sum(lora_product.workgroups_of(r, self.k) for _, _, r, _ in self.slices)
        for_b = sum(lora_product.workgroups_of(n, r) for _, n, r, _ in self.slices)
        return blocks_of(traits, min(for_a, for_b), m)


_QV = LoraLayer(960, 576, [(0, 576, 16, 2.0), (768, 192, 16, 2.0)])
_QKV = LoraLayer(2048, 1536, [(0, 1536, 16, 2.0), (1536, 256, 16, 2.0), (1792, 256, 16, 2.0)])
_RANK_64 = LoraLayer(2048, 1536, [(0, 1536, 64, 2.0), (1536, 256, 64, 2.0), (1792, 256, 64, 2.0)])
_EVEN = LoraLayer(76, 52, [(0, 32, 8, 0.37), (32, 12, 4, 2.5), (64, 12, 8, -1.7)])
_ODD = LoraLayer(41, 29, [(1, 19, 5, 0.37), (23, 7, 1, 2.5)], [(0, 192), (320, 384)], 448)
_HIGH = LoraLayer(24, 12, [(0, 16, 72, 0.37), (16, 8, 72, 0.25)])


def _cases(why: str, layer: LoraLayer, m: int, blocks: int) -> tuple[Any, ...]:
    problems = {
        "x A^T": layer.down(m),
        "y += t B^T": layer.up_onto(m),
        "dy B": layer.up_back(m),
        "dy^T t": layer.b_back(m, blocks),
        "dt^T x": layer.a_back(m, blocks),
        "dx += dt A": layer.down_back(m, onto=True),
    }
    return tuple(case(f"{name}, {why}", **problem) for name, problem in problems.items())


def _benches(name: str, layer: LoraLayer, blocks: int) -> tuple[BenchCase, ...]:
    cases = _cases(f"{name}, 4x512 tokens", layer, 2048, blocks)
    return tuple(BenchCase(c.problem, c.why, software=False) for c in cases)


class LoraSlices(Kernel):
    """With blocks > 1, y is [blocks, y_size]: partial sums over blocks of k, which `column_sum` adds.

    Slices must not overlap in y, unless they are `summed`. What lies between them is unchanged.
    """

    name = "lora_slices"
    math = "y_i[m,n] = (y_i[m,n] +) factor_i * sum_k A_i[m,k] * B_i[k,n] for each slice i, or the sum of all of them"
    bindings = (reads("a", vec4_if("a_load"), ""), reads("b", vec4_if("b_load"), ""), writes("y", vec4_if("store")))
    params = (
        *((name, "f32" if name == "factor" else "u32") for name in _SIZES),
        *((name, "u32") for name in ("a_width", "y_size", "block", "blocks")),
    )
    static = ("trans_a", "trans_b", "summed")
    cases = (
        *_cases("three slices in quads", _EVEN, 70, 3),
        *_cases("gaps between the matrices, no size a multiple of four", _ODD, 37, 1),
        *_cases("ranks above the depth of a tile", _HIGH, 21, 1),
        case("one slice, not onto anything", **LoraLayer(20, 20, [(4, 8, 4, 1.0)]).down_back(9, onto=False)),
    )
    bench_cases = (
        *_benches("SmolLM2 q and v, rank 16", _QV, 11),
        *_benches("Qwen2.5-1.5B q, k and v, rank 16", _QKV, 4),
        *_benches("Qwen2.5-1.5B q, k and v, rank 64", _RANK_64, 2),
        BenchCase(_QV.down(256), "SmolLM2 q and v: x A^T, 256 tokens", software=True),
    )

    def operands(self, problem: Problem) -> dict[str, Out]:
        a_rows = max(s.k if problem["trans_a"] else s.m for s in problem["slices"])
        b_size = max(_end(s.b_at, s.b_width, *_b_shape(s, problem)) for s in problem["slices"])
        return {"a": Out((a_rows, problem["a_width"])), "b": Out((b_size,))}

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        arrays = {name: draw(rng, out.shape) for name, out in self.operands(problem).items()}
        kept = problem["onto"] or not _covers(problem)
        return {**arrays, "y": draw(rng, self.outputs(problem)["y"].shape)} if kept else arrays

    def outputs(self, problem: Problem) -> dict[str, Out]:
        size, blocks = problem["y_size"], problem["blocks"]
        return {"y": Out((size,) if blocks == 1 else (blocks, size))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        blocks, size = problem["blocks"], problem["y_size"]
        y = np.zeros((blocks, size)) if "y" not in inputs else inputs["y"].reshape(blocks, size).astype(np.float64)
        a_all, b_all = inputs["a"].astype(np.float64).reshape(-1, problem["a_width"]), inputs["b"].astype(np.float64)
        for i, s in enumerate(problem["slices"]):
            a = a_all[:, s.a_at : s.a_at + (s.m if problem["trans_a"] else s.k)]
            b = b_all.reshape(-1)[_places(s.b_at, s.b_width, *_b_shape(s, problem))]
            a = a[: s.k].T if problem["trans_a"] else a[: s.m]
            b = b.T if problem["trans_b"] else b
            at = _places(s.y_at, s.y_width, s.m, s.n)
            for block, part in enumerate(tiles.slices(s.k, blocks)):
                before = y[block, at] if problem["onto"] or (problem["summed"] and i > 0) else 0.0
                y[block, at] = before + s.factor * (a[:, part] @ b[part])
        return {"y": y.reshape(self.outputs(problem)["y"].shape)}

    def flops(self, problem: Problem) -> int:
        return sum(2 * s.m * s.n * s.k for s in problem["slices"])

    def bytes(self, problem: Problem) -> int:
        """Slices whose A, B or y is the same matrix share it."""
        slices, per_result = problem["slices"], problem["blocks"] + problem["onto"]
        a = sum({s.a_at: s.m * s.k for s in slices}.values())
        b = sum({s.b_at: s.k * s.n for s in slices}.values())
        y = sum({s.y_at: s.m * s.n for s in slices}.values())
        return 4 * (a + b + y * int(per_result))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        wide = {name: "scalar" if any(size % 4 for size in sizes) else "vec4" for name, sizes in _rows(problem).items()}
        accesses = [wide] if "vec4" not in wide.values() else [wide, dict.fromkeys(wide, "scalar")]
        return [{**style, **access} for style in _styles(traits, problem) for access in accesses]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        slices, blocks = problem["slices"], problem["blocks"]
        if not 1 <= len(slices) * blocks <= MOST:
            return f"{len(slices)} slices in {blocks} blocks: there must be 1 to {MOST} in all"
        for s in slices:
            columns = s.m if problem["trans_a"] else s.k
            if s.a_at + columns > problem["a_width"]:
                return f"{columns} columns from {s.a_at} on exceed a's rows of {problem['a_width']}"
            if s.y_at + (s.m - 1) * s.y_width + s.n > problem["y_size"]:
                return f"{s.m} rows of {s.y_width} from {s.y_at} on exceed y's {problem['y_size']} elements"
        if blocks > 1 and (problem["onto"] or variant["style"] == "outer" or len({s.k for s in slices}) > 1):
            return "sums in blocks are of one length, fill a buffer of their own, and are no outer products"
        if problem["summed"] and len({(s.m, s.n, s.y_at, s.y_width, s.factor) for s in slices}) > 1:
            return "slices that are summed have one result and one factor"
        if problem["summed"] and variant["style"] != "outer":
            return "slices are summed as outer products"
        for access, sizes in _rows(problem).items():
            if variant[access] == "vec4" and any(size % 4 for size in sizes):
                return f"vec4 access ({access}) needs multiples of 4, not {sizes}"
        reasons = (tiles.too_large(s.m, s.n, variant) for s in slices)
        return next((reason for reason in reasons if reason), None)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        first: Slice = problem["slices"][0]
        common = {name: problem[name] for name in ("a_width", "y_size", "blocks")}
        return {**first._asdict(), **common, "block": tiles.block_of(first.k, problem["blocks"])}

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        slices, summed = problem["slices"], problem["summed"]
        differing = [name for name in _SIZES if len({getattr(s, name) for s in slices}) > 1]
        of = {name: f"s_{name}" if name in differing else f"p.{name}" for name in _SIZES}
        sizes = {**of, "b_plus": f" + {of['b_at']}", "y_size": "p.y_size", "block": "block"}
        types = {name: "f32" if name == "factor" else "u32" for name in differing}
        values = {name: [_literal(getattr(s, name)) for s in slices] for name in differing}
        picks = tuple((name, types[name], _picked(values[name])) for name in differing)
        known = {name: _picked(values[name]) if name in differing else f"p.{name}" for name in ("m", "n")}
        baked = {"sizes": tuple(sizes.items()), "picks": picks, "uniform_m": known["m"], "uniform_n": known["n"]}
        baked |= {"onto": problem["onto"], "split": problem["blocks"] > 1}
        if variant["style"] != "outer":
            return baked
        terms = [" ".join(f"s_{name} = {values[name][i]};" for name in differing) for i in range(len(slices))]
        loops = lora_product.outer_loops(max(s.k for s in slices))
        return {**baked, **loops, **({"terms": tuple(terms)} if summed else {})}

    def tune_key(self, problem: Problem) -> str:
        sizes = (max(getattr(s, name) for s in problem["slices"]) for name in "mnk")
        return f"{super().tune_key(problem)} {in_fours(*sizes)}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        grids = [tiles.grid(s.m, s.n, variant) for s in problem["slices"]]
        count = 1 if problem["summed"] else len(grids)
        return (max(x for x, _, _ in grids), max(y for _, y, _ in grids), count * problem["blocks"])


def _styles(traits: Traits, problem: Problem) -> list[Variant]:
    """By the largest sizes, as if the slices lay side by side."""
    slices = problem["slices"]
    m, n, k = (max(getattr(s, name) for s in slices) for name in "mnk")
    largest = {"m": m, "n": n, "k": k, "trans_a": problem["trans_a"], "trans_b": problem["trans_b"]}
    short = lora_product.outer(traits, largest)
    if problem["summed"]:
        return short
    long = lora_product.inner(traits, largest)
    return [*short, *long] if k <= min(m, n) else long


def _b_shape(s: Slice, problem: Problem) -> tuple[int, int]:
    return (s.n, s.k) if problem["trans_b"] else (s.k, s.n)


def _places(at: int, width: int, rows: int, columns: int) -> Any:
    """The elements of a matrix in its buffer."""
    return at + width * np.arange(rows)[:, None] + np.arange(columns)


def _end(at: int, width: int, rows: int, columns: int) -> int:
    """The element after the last one of a matrix in its buffer."""
    return at + width * (rows - 1) + columns


def _covers(problem: Problem) -> bool:
    """Whether the slices fill all of y."""
    slices = problem["slices"][:1] if problem["summed"] else problem["slices"]
    return bool(sum(s.m * s.n for s in slices) == problem["y_size"])


def _rows(problem: Problem) -> dict[str, tuple[int, ...]]:
    """Sizes that must be multiples of four for vec4 access: columns, widths and first elements."""
    slices, size = problem["slices"], (problem["y_size"],) if problem["blocks"] > 1 else ()
    return {
        "a_load": (problem["a_width"], *(n for s in slices for n in (s.m if problem["trans_a"] else s.k, s.a_at))),
        "b_load": tuple(n for s in slices for n in (_b_shape(s, problem)[1], s.b_width, s.b_at)),
        "store": (*size, *(n for s in slices for n in (s.n, s.y_width, s.y_at))),
    }


def _literal(value: float) -> str:
    return f"{value}u" if isinstance(value, int) else f"f32({value!r})"


def _picked(values: Sequence[str]) -> str:
    """The value of the workgroup's slice."""
    chosen = values[0]
    for i, value in enumerate(values[1:], 1):
        chosen = f"select({chosen}, {value}, slice == {i}u)"
    return chosen


KERNEL = LoraSlices()
