"""Attention of a prompt's rows over the cache, which already holds their keys and values. Scores are not stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.sizes import PAGE
from ...gpu import Traits
from ..draw import draw
from ..grid import MOST, Grid, ceil_div
from ..kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, reads, writes
from . import attending
from .attending import QWEN2, SMOLLM2, Float, paged, place, shape
from .cache_types import QUANTISED

_WIDE = 32  # dimensions per lane on a software driver; more would take too long to compile
_WIDE_HEAD = 256  # of more dimensions, only threads that share them through memory compile in a few seconds
_UNITS = 2  # pieces of eight dimensions per lane, if there are enough
# Threads, rows per workgroup, rows per team, keys per team and iteration, and whether the next keys are prefetched.
_Shapes = tuple[tuple[int, int, int, int, bool], ...]
_SHAPES: _Shapes = ((128, 16, 4, 2, True), (128, 8, 4, 1, True), (256, 32, 4, 1, True), (256, 16, 4, 1, True))
# For tiles of one row: its neighbours may belong to other sequences. The fewer workgroups there are, the more threads;
# the value is the number of workgroups up to which it is worth it on a large GPU (Traits.filling).
_SINGLE = {(256, 1, 1, 4, True): 132, (128, 1, 1, 4, True): 450, (64, 1, 1, 4, True): 1 << 30}
_FOUR: _Shapes = ((128, 4, 4, 2, True), (128, 4, 4, 1, True))  # for tiles that eight does not divide


class AttentionPrefill(Kernel):
    name = "attention_prefill"
    math = "out = softmax(scale q . K[:position + 1]) V[:position + 1], of each row's own slot"
    bindings: tuple[Binding, ...] = (
        reads("q", "vec4<f32>", "rows heads*head_dim"),
        attending.ROWS,
        *(reads(name, attending.OCTET, "") for name in "kv"),
        attending.PAGES,
        attending.SINKS,
        writes("out", "vec4<f32>"),
    )
    params = (("rows", "u32"), ("slots", "u32"), ("capacity", "u32"), ("window", "u32"), ("scale", "f32"))
    static: tuple[str, ...] = ("heads", "kv_heads", "head_dim", "cache")
    cases: tuple[Case, ...] = (
        case(
            "SmolLM2's heads, one prompt from its beginning, a ragged last tile",
            **SMOLLM2,
            **place(1, 80, (0, 0, 75)),
            window=0,
            tile=16,
        ),
        case(
            "three sequences of many lengths, padding in their tiles, a chunk far into its prompt",
            **SMOLLM2,
            **place(4, 130, (3, 0, 5), (3, -1, 11), (0, 90, 26), (0, -1, 6), (2, 7, 16), (1, -1, 8)),
            window=0,
            tile=8,
        ),
        case(
            "Qwen2.5's heads, a window that leaves whole tiles out, positions that are not consecutive",
            **QWEN2,
            **place(2, 700, (1, 100, 9), (1, 311, 7), (1, 600, 16), (0, 3, 16)),
            window=37,
            tile=16,
        ),
        case(
            "every query head has its own key head; a head that no power of two divides; f32 cache",
            **shape(3, 3, 80, "f32"),
            **place(2, 64, (1, 31, 32), (0, 0, 13)),
            window=0,
            tile=32,
        ),
        case(
            "one key head for all; a slot that does not exist, rows beyond the cache",
            **shape(5, 1, 24),
            **place(2, 40, (1, 30, 16), (2, 0, 8)),
            window=0,
            tile=8,
        ),
        case(
            "scores of thousands: exp of them overflows; a scale of its own",
            **shape(2, 1, 64, "f32"),
            **place(1, 70, (0, 0, 70)),
            window=0,
            tile=16,
            values="extreme",
            scale=0.5,
        ),
        case(
            "short sequences side by side, one row to a tile, padding between them",
            **SMOLLM2,
            **place(5, 40, (3, 0, 5), (1, 0, 1), (0, 20, 3), (4, -1, 2), (2, 0, 7)),
            window=0,
            tile=1,
        ),
        case(
            "single rows of Qwen2.5's heads with a window; f32 cache",
            **{**QWEN2, "cache": "f32"},
            **place(3, 90, (1, 60, 3), (2, 0, 4), (0, 88, 2)),
            window=37,
            tile=1,
        ),
        case(
            "four rows to a tile: the guesses of a speculative step",
            **SMOLLM2,
            **paged(12, **place(4, 150, (3, 60, 4), (0, 0, 1), (0, -1, 3), (2, 133, 4), (1, 7, 2), (1, -1, 2))),
            window=0,
            tile=4,
        ),
        case(
            "soft-capped scores, most of them near the cap, and a window",
            **shape(4, 2, 64, "f32"),
            **place(2, 70, (1, 0, 40), (0, 33, 9)),
            window=21,
            tile=8,
            scale=0.5,
            cap=3.0,
        ),
        case(
            "soft-capped scores in pages, one row to a tile",
            **SMOLLM2,
            **paged(9, **place(3, 190, (1, 160, 3), (2, 62, 4), (0, 188, 2))),
            window=0,
            tile=1,
            cap=1.5,
        ),
        case(
            "sinks and a window, padding",
            **{**SMOLLM2, **place(2, 70, (1, 0, 40), (0, 33, 9), (0, -1, 7)), "window": 21, "tile": 8, "sinks": True},
        ),
        case(
            "sinks in pages, one row to a tile",
            **{**SMOLLM2, **paged(9, **place(3, 190, (1, 160, 3), (2, 62, 4), (0, 188, 2)))},
            **{"window": 0, "tile": 1, "sinks": True},
        ),
        case("a wide head", **shape(1, 1, 256, "f32"), **place(1, 40, (0, 3, 30)), window=0, tile=32),
        case("the widest head", **shape(2, 1, 512), **paged(2, **place(1, 80, (0, 58, 16))), window=20, tile=8),
        case(
            "the widest head, one row to a tile", **shape(1, 1, 512, "f32"), **place(1, 40, (0, 3, 5)), window=0, tile=1
        ),
        case(
            "latent keys of DeepSeek's size: values are a part of them",
            **shape(2, 1, 576),
            **paged(2, **place(1, 80, (0, 58, 16))),
            **{"window": 0, "tile": 8, "latent": 512},
        ),
        case("small latent keys", **shape(3, 1, 48, "f32"), **place(1, 40, (0, 3, 5)), window=0, tile=1, latent=24),
        case(
            "small latent keys in codes",
            **shape(2, 1, 96, QUANTISED),
            **paged(2, **place(1, 80, (0, 58, 16))),
            **{"window": 0, "tile": 8, "latent": 64},
        ),
        case("the smallest head", **shape(2, 2, 8), **place(1, 40, (0, 0, 40)), window=9, tile=40),
        case(
            "pages in random order, the first of them shared by all; a chunk across two pages, padding",
            **SMOLLM2,
            **paged(25, 1, **place(4, 300, (3, 120, 16), (0, 64, 20), (0, -1, 12), (2, 200, 16), (1, -1, 8))),
            window=0,
            tile=8,
        ),
        case(
            "pages of Qwen2.5's heads with a window, f32 cache, one row to a tile, a capacity of no whole pages",
            **{**QWEN2, "cache": "f32"},
            **paged(9, **place(3, 190, (1, 160, 3), (2, 62, 4), (0, 188, 2))),
            window=100,
            tile=1,
        ),
        case(
            "codes and scales in pages, the first of them shared by all; a chunk across two pages, padding",
            **{**SMOLLM2, "cache": QUANTISED},
            **paged(26, 1, **place(4, 300, (3, 120, 16), (0, 64, 20), (0, -1, 12), (2, 200, 16), (1, -1, 8))),
            window=0,
            tile=8,
        ),
        case(
            "codes of Qwen2.5's heads with a window, one row to a tile, a capacity of no whole pages",
            **{**QWEN2, "cache": QUANTISED},
            **paged(9, **place(3, 190, (1, 160, 3), (2, 62, 4), (0, 188, 2))),
            window=100,
            tile=1,
        ),
        case(
            "three blocks of codes in a head, whose last word of scales is half empty",
            **shape(4, 2, 96, QUANTISED),
            **paged(3, **place(1, 150, (0, 110, 20))),
            window=0,
            tile=16,
        ),
        case(
            "codes of the widest head, one row to a tile",
            **shape(2, 1, 256, QUANTISED),
            **paged(2, **place(1, 80, (0, 60, 7))),
            window=0,
            tile=1,
        ),
        case(
            "codes of a head of one block",
            **shape(3, 3, 32, QUANTISED),
            **paged(2, **place(1, 80, (0, 50, 24))),
            window=9,
            tile=8,
        ),
    )
    bench_cases = tuple(
        BenchCase(
            {**heads, **paged(context // PAGE, **place(1, context, (0, context - 512, 512))), "window": 0, "tile": 64},
            f"{model}, 512 tokens of {context}",
            software=None if (model, context) == ("SmolLM2", 512) else False,
        )
        for model, heads in (("SmolLM2", SMOLLM2), ("Qwen2.5-1.5B", QWEN2))
        for context in (512, 4096)
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return attending.without_unused(self.bindings, problem)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows = attending.rows_of(problem)
        q = draw(rng, (len(rows), problem["heads"] * problem["head_dim"]), problem.get("values", "normal"))
        filled: dict[int, range] = {}
        for slot, position in rows[~attending.is_padding(rows, problem)].tolist():
            keys, others = attending.visible(slot, position, problem), filled.get(slot)
            filled[slot] = range(min(keys.start, others.start), max(keys.stop, others.stop)) if others else keys
        return {"q": q, "rows": rows, **attending.random_cache(rng, problem, filled)}

    def operands(self, problem: Problem) -> dict[str, Out]:
        cache = dict.fromkeys(attending.cached_names(problem), attending.cache_out(problem))
        return {**attending.with_tables(super().operands(problem), problem), **cache}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"out": Out((problem["rows"], attending.out_width(problem)))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"out": self.attended(inputs, problem)[0]}

    def attended(self, inputs: Arrays, problem: Problem) -> tuple[Float, Float]:
        """The results, and [rows, heads] the logs of the sums of exponentials; 0 for padding."""
        q = inputs["q"].astype(np.float64).reshape(problem["rows"], -1, problem["head_dim"])
        caches, out = attending.Caches(inputs, problem), np.zeros((*q.shape[:2], attending.value_dim(problem)))
        log_sums = np.zeros(q.shape[:2])
        for i, (slot, position) in enumerate(inputs["rows"].tolist()):
            keys = attending.visible(slot, position, problem)
            if keys:
                out[i], log_sums[i] = attending.attended(q[i], *caches.keys(slot, keys), problem, inputs.get("sinks"))
        return out.reshape(problem["rows"], -1), log_sums

    def flops(self, problem: Problem) -> int:
        return 4 * int(problem["heads"]) * int(problem["head_dim"]) * attending.seen_keys(problem)

    def bytes(self, problem: Problem) -> int:
        """Keys and values are counted once: the number of sequences is unknown without the rows."""
        q = int(problem["heads"]) * int(problem["head_dim"]) * int(problem["rows"])
        return 8 * q + 2 * int(problem["kv_heads"]) * attending.head_bytes(problem) * int(problem["capacity"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        few, more, each = 4, 8, 4
        shapes: tuple[tuple[int, int, int, int, bool], ...] = _SHAPES
        if problem["tile"] == 1:
            jobs = problem["rows"] * problem["heads"]
            few, more, each = 1, 1, 1
            shapes = tuple(sorted(_SINGLE, key=lambda shape: jobs > traits.filling(_SINGLE[shape])))
        elif problem["tile"] % 8:
            more, shapes = 4, _FOUR
        threads = 64 if problem["head_dim"] <= 2 * _WIDE_HEAD else 128  # teams of 32 or 64
        lanes, memory = traits.subgroup_size, _style("memory", threads, 1, more, each, 1, False)
        if traits.software and lanes:
            unroll = 2 if problem["head_dim"] <= 64 else 1  # more would take too long to compile
            alone = _style("subgroup", lanes, lanes, few, each, unroll, False)
            variants = [alone, memory, _style("shuffle", 32, lanes, more, each, 1, True)]
            if problem["head_dim"] > _WIDE_HEAD:
                return [memory]
            return variants if problem["head_dim"] <= _WIDE * lanes else variants[1:]
        teams = [
            _style("shuffle", threads, min(lanes, 32), block, each, unroll, ahead)
            for threads, block, each, unroll, ahead in (shapes if lanes else ())
        ]
        return [v for v in (*teams, memory) if _memory(v, problem) <= traits.workgroup_bytes]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        reason = attending.refused_shape(problem)
        if reason:
            return reason
        if problem["tile"] % variant["block"]:
            return f"tiles of {problem['tile']} rows are no multiple of {variant['block']}"
        if variant["threads"] % _walkers(problem, variant):
            return f"{variant['threads']} threads are no multiple of the {_walkers(problem, variant)} that share a key"
        if ceil_div(problem["rows"], variant["block"]) > MOST:
            return f"at most {MOST * variant['block']} rows at a time, and there are {problem['rows']}"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        team = attending.team_of(problem, variant, _UNITS)
        sizes = {"team": team.size, "units": team.units, "span": team.span}
        scores = {"windowed": problem["window"] > 0, **attending.scoring(problem)}
        return {**sizes, **scores, **attending.paging(problem), **attending.valuing(problem)}

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return super().uniforms({**problem, "scale": attending.scale_of(problem)}, variant)

    def tune_key(self, problem: Problem) -> str:
        return " ".join(f"{key}={problem[key]}" for key in ("head_dim", "cache", "tile"))

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (ceil_div(problem["rows"], variant["block"]), problem["heads"], 1)


def _style(reduce: str, threads: int, lanes: int, block: int, each: int, unroll: int, ahead: bool) -> Variant:
    sizes = {"threads": threads, "lanes": lanes, "block": block, "each": each, "unroll": unroll}
    return {"reduce": reduce, **sizes, "ahead": ahead}


def _walkers(problem: Problem, v: Variant) -> int:
    """Threads that process the same keys, each team for its own rows."""
    return int(attending.team_of(problem, v, _UNITS).size * v["block"] // v["each"])


def _memory(v: Variant, problem: Problem) -> int:
    """Bytes of workgroup memory."""
    slots = v["threads"] // max(v["lanes"], _walkers(problem, v))
    merging = 4 * v["block"] * (problem["head_dim"] + 1 + slots) if slots > 1 else 0
    return int(merging + (4 * v["threads"] * v["each"] * v["unroll"] if v["reduce"] == "memory" else 0))


KERNEL = AttentionPrefill()
