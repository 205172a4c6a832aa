"""Attention in both directions: rows of many texts, packed one after the other, each over the rows of its own text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..draw import draw
from ..kernel import Arrays, BenchCase, Binding, Problem, Variant, case
from . import attending
from .attending import Float, shape
from .attention_prefill import AttentionPrefill

TILE = 64  # rows are a multiple of this
BERT = shape(12, 12, 64, "f32")


def texts(*lengths: int, window: int = 0) -> dict[str, Any]:
    """Texts of these lengths, a negative one for rows of padding. Keys and values are in a cache of one slot."""
    rows = sum(map(abs, lengths))
    return {"lengths": lengths, "rows": rows, "slots": 1, "capacity": rows, "window": window, "tile": TILE}


class AttentionEncode(AttentionPrefill):
    """As attention_prefill, but `rows` holds each row's text: (its first row, the row after its last)."""

    name = "attention_encode"
    math = "out = softmax(scale q . K[first:stop]) V[first:stop], of each row's own text"
    bindings = tuple(b for b in AttentionPrefill.bindings if b.name in ("q", "rows", "k", "v", "out"))
    cases = (
        case("BERT's heads, one text", **BERT, **texts(64)),
        case("texts of many lengths in one tile, padding at the end", **BERT, **texts(1, 37, 5, 60, 70, -19)),
        case("padding between texts of one tile; a text of several tiles", **BERT, **texts(9, -2, 201, -1, 43)),
        case("a window on both sides, cut off at both ends of each text", **BERT, **texts(80, 3, 150, -23, window=17)),
        case("a window of one row on each side", **shape(2, 2, 32, "f32"), **texts(5, 40, 19, window=1)),
        case("a window longer than every text", **shape(2, 2, 32, "f32"), **texts(30, 34, window=4000)),
        case("grouped heads", **shape(3, 1, 128, "f32"), **texts(33, 31, window=12)),
        case("a head that no power of two divides", **shape(2, 2, 24, "f32"), **texts(21, 43)),
        case("the smallest head, texts of one row", **shape(2, 2, 8, "f32"), **texts(*[1] * 20, -44)),
        case("scores of thousands: exp of them overflows", **shape(2, 2, 64, "f32"), **texts(50, 14), values="extreme"),
        case("a scale of its own, keys and values in halves", **shape(4, 2, 64), **texts(50, 14), scale=0.5),
    )
    bench_cases = (
        BenchCase({**BERT, **texts(512)}, "BERT-base, a text of 512 tokens"),
        BenchCase({**BERT, **texts(*[512] * 8)}, "BERT-base, 8 texts of 512 tokens", software=False),
        BenchCase({**BERT, **texts(8192, window=64)}, "ModernBERT-base, a window in 8192 tokens", software=False),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return self.bindings

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        heads, d = problem["heads"], problem["head_dim"]
        spans = spans_of(problem["lengths"])
        filled = np.flatnonzero(spans[:, 1]).tolist()
        cache = attending.random_cache(rng, problem, {})
        for name in ("k", "v"):
            cache[name][0][:, filled] = rng.standard_normal((problem["kv_heads"], len(filled), d))
        return {"q": draw(rng, (len(spans), heads * d), problem.get("values", "normal")), "rows": spans, **cache}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        q: Float = inputs["q"].astype(np.float64).reshape(problem["rows"], -1, problem["head_dim"])
        k, v = (inputs[name][0].astype(np.float64) for name in ("k", "v"))
        out = np.zeros_like(q)
        for i, (first, stop) in enumerate(inputs["rows"].tolist()):
            keys = seen(i, first, stop, problem["window"])
            if keys:
                at = slice(keys.start, keys.stop)
                out[i], _ = attending.attended(q[i], k[:, at], v[:, at], problem)
        return {"out": out.reshape(problem["rows"], -1)}

    def flops(self, problem: Problem) -> int:
        return 4 * int(problem["heads"]) * int(problem["head_dim"]) * _seen_keys(problem)

    def template(self, variant: Variant) -> str:
        return "attention_prefill.wgsl"

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if attending.is_paged(problem) or problem["slots"] != 1:
            return "the keys and values of all texts must be in one slot without pages"
        return super().refuses(problem, variant)

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        # Texts begin where others end, even inside a tile: a row's first key is always checked.
        return {**super().baked(problem, variant), "both": True, "windowed": True}


def spans_of(lengths: tuple[int, ...]) -> NDArray[np.uint32]:
    """[M, (first, stop)]: each row's text; (0, 0) for padding."""
    rows, at = list[tuple[int, int]](), 0
    for length in lengths:
        rows += [(at, at + length) if length > 0 else (0, 0)] * abs(length)
        at += abs(length)
    return np.array(rows, np.uint32)


def seen(row: int, first: int, stop: int, window: int) -> range:
    """The rows that a row attends to: its text's, at most `window` rows away if that is not 0."""
    return range(max(first, row - window), min(stop, row + window + 1)) if window else range(first, stop)


def _seen_keys(problem: Problem) -> int:
    """Of all rows; a forward does not say its texts' lengths, which makes it one long text."""
    if "lengths" not in problem:
        return int(problem["rows"]) ** 2
    spans = spans_of(problem["lengths"]).tolist()
    return sum(len(seen(i, first, stop, problem["window"])) for i, (first, stop) in enumerate(spans))


KERNEL = AttentionEncode()
