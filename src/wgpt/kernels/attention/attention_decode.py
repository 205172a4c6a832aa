"""Attention of a decode step over the context, whole or in slices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.sizes import PAGE
from ...gpu import Traits
from ..grid import MOST, Grid, ceil_div
from ..kernel import Arrays, BenchCase, Binding, Kernel, Out, Problem, Variant, case, in_fours, reads, writes
from . import attending, qkv_blocks
from .attending import NORMED, PLAIN, QWEN2, SMOLLM2, paged, place, shape
from .cache_types import QUANTISED
from .layout_cases import decode_cases

HALVES_OR_FLOATS = "{{ 'vec2<u32>' if halves else 'vec4<f32>' }}"
SLICE = 16  # keys; slices of a split context are whole multiples of it
_FULL: dict[str, Any] = {"window": 0, "splits": 1}
# Threads, keys per team and iteration, and whether the next keys are prefetched; shapes for short contexts first.
_SHAPES = ((128, 4, True), (128, 2, True), (256, 4, True), (256, 2, True), (512, 2, True))
_LONG = 64  # from this many keys per slice on, more threads are faster,
_MANY = 256  # workgroups, unless a large GPU runs more of them at once (Traits.filling)
_LONGEST = 512  # from this many on, most threads are fastest for rows of a prompt
_WIDE = 32  # dimensions per lane on a software driver; more would take too long to compile
_FILLS_A_GPU = 96  # workgroups, on a large GPU (Traits.filling)
_MOST_HEADS = 8  # query heads that share the loads of a key: more do not fit in registers,
_WIDE_HEAD = 256  # up to this many dimensions; of wider heads fewer do

_FEW_ROWS, _MOST_SLICES = 64, 4  # see slices_of_few


def slices_of_few(traits: Traits, rows: int, kv_heads: int) -> int:
    """Slices of the context for the last rows of a prompt, which see the same keys, so that they fill a GPU; 0:
    attention_prefill is faster. Here all query heads of a kv head read its keys once, and there one after the other."""
    if rows > _FEW_ROWS:
        return 0
    return max(1, min(_MOST_SLICES, traits.filling(_FILLS_A_GPU) // (rows * kv_heads)))


def slices(keys: range, splits: int) -> list[range]:
    """The cached keys of each split; the row's own key belongs to the last."""
    size = ceil_div(ceil_div(len(keys), splits), SLICE) * SLICE
    bounds = [min(keys.start + i * size, keys.stop) for i in range(splits + 1)]
    return [range(a, b) for a, b in pairwise(bounds)]


def part_shape(problem: Problem) -> tuple[int, ...]:
    """Per slice: its result, then (log of its sum of exponentials, 1); all zeros if the slice has no keys."""
    return (problem["rows"], problem["heads"], problem["splits"], attending.value_dim(problem) + 4)


class AttentionDecode(Kernel):
    """Attention of one new row per sequence; the row's key and value are appended to the cache.

    With `halves`, the results are rounded to f16, for a product on matrix units. They need no scale: they are means of
    values that a cache of f16 has clamped to its range and rounded, those below its normal range, too. `qkv_blocks` and
    `qkv_bias`: what is left to add up (qkv_blocks.py).
    """

    name = "attention_decode"
    math = "out = softmax(scale q . [K[:position], k]) [V[:position], v]; K[position], V[position] = k, v"
    bindings = (
        reads("qkv", "vec4<f32>", ""),
        reads("b", "vec4<f32>", ""),
        attending.ROWS,
        attending.STEPS,
        attending.GAINS,
        *attending.cache_writes(attending.PAIRS),
        attending.PAGES,
        attending.SINKS,
        writes("out", HALVES_OR_FLOATS),
        writes("part", "vec4<f32>"),
    )
    params = (
        ("slots", "u32"),
        ("capacity", "u32"),
        ("window", "u32"),
        ("splits", "u32"),
        ("eps", "f32"),
        ("scale", "f32"),
    )
    static = ("heads", "kv_heads", "head_dim", "cache", "rope", "qk_norm")
    cases = (
        case(
            "SmolLM2's heads; sequences of many lengths, the first key of one, padding",
            **SMOLLM2,
            **place(6, 200, (4, 0, 1), (1, 1, 1), (0, 77, 1), (3, -1, 1), (2, 199, 1), (5, 16, 1)),
            **PLAIN,
            **_FULL,
        ),
        case(
            "the same in slices, of which some are empty and one ends in the middle of a tile",
            **SMOLLM2,
            **place(6, 200, (4, 0, 1), (1, 15, 1), (0, 77, 1), (3, -1, 1), (2, 199, 1), (5, 16, 1)),
            **PLAIN,
            window=0,
            splits=5,
        ),
        case("Qwen2.5's heads, a context of many tiles", **QWEN2, **place(1, 700, (0, 618, 1)), **PLAIN, **_FULL),
        case(
            "a window in slices, f32 cache, far along",
            **shape(4, 2, 64, "f32"),
            **place(1, 4001, (0, 4000, 1)),
            **PLAIN | {"window": 301},
            splits=8,
        ),
        case(
            "a window, shorter than the context and longer",
            **SMOLLM2,
            **place(3, 90, (0, 83, 1), (2, 20, 1), (1, 36, 1)),
            **PLAIN,
            window=37,
            splits=1,
        ),
        case(
            "every query head has its own key head; a head that no power of two divides; more slices than keys",
            **shape(3, 3, 80, "f32"),
            **place(2, 40, (1, 5, 1), (0, 39, 1)),
            **PLAIN,
            window=0,
            splits=7,
        ),
        case(
            "one key head for all of eleven; the cache's last position, and rows beyond it",
            **shape(11, 1, 24),
            **place(3, 33, (2, 32, 1), (0, 33, 1), (1, 50, 1)),
            **PLAIN,
            **_FULL,
        ),
        case(
            "norms of each head, without rotation; a slot that does not exist",
            **shape(4, 2, 64),
            **place(2, 40, (1, 30, 1), (2, 3, 1)),
            **NORMED | {"rope": False},
            **_FULL,
        ),
        case("Qwen3's norms and rotation", **shape(4, 2, 128), **place(1, 60, (0, 47, 1)), **NORMED, **_FULL),
        case(
            "scores of thousands: exp of them overflows; a scale of its own",
            **shape(2, 1, 64, "f32"),
            **place(1, 150, (0, 140, 1)),
            **PLAIN | {"rope": False},
            **_FULL,
            values="extreme",
            scale=0.5,
        ),
        case(
            "soft-capped scores, most of them near the cap",
            **shape(4, 2, 64, "f32"),
            **place(2, 70, (1, 64, 1), (0, 0, 1)),
            **PLAIN,
            **_FULL,
            scale=0.5,
            cap=3.0,
        ),
        case(
            "soft-capped scores in pages, in slices, with a window",
            **SMOLLM2,
            **paged(9, **place(3, 190, (1, 160, 1), (2, 62, 1), (0, 188, 1))),
            **PLAIN,
            window=100,
            splits=3,
            cap=1.5,
        ),
        case(
            "three quarters of a head rotated, and longer for it; norms",
            **shape(4, 2, 128),
            **paged(9, **place(3, 190, (1, 160, 1), (2, 62, 1), (0, 188, 1))),
            **NORMED,
            **_FULL,
            rotary=96,
            amplitude=1.2,
        ),
        case(
            "a quarter of a small head rotated, f32 cache",
            **shape(2, 1, 32, "f32"),
            **place(1, 70, (0, 64, 1)),
            **PLAIN,
            **_FULL,
            rotary=8,
        ),
        case(
            "results as halves; padding",
            **SMOLLM2,
            **paged(12, **place(4, 190, (1, 160, 1), (2, 62, 1), (3, -1, 1), (0, 188, 1))),
            **PLAIN,
            **_FULL,
            halves=True,
        ),
        case(
            "results as halves of a head that no power of two divides",
            **shape(4, 2, 80),
            **place(2, 40, (1, 5, 1), (0, 39, 1)),
            **PLAIN,
            **_FULL,
            halves=True,
        ),
        case("sinks", **SMOLLM2, **place(3, 90, (1, 70, 1), (0, 0, 1), (2, -1, 1)), **PLAIN, **_FULL, sinks=True),
        case(
            "sinks in pages, in slices, with a window",
            **{**SMOLLM2, **paged(9, **place(3, 190, (1, 160, 1), (2, 62, 1), (0, 188, 1))), **PLAIN},
            **{"window": 100, "splits": 3, "sinks": True},
        ),
        case("the widest head", **shape(1, 1, 256, "f32"), **place(1, 99, (0, 98, 1)), **PLAIN, **_FULL),
        case("the smallest head", **shape(2, 2, 8), **place(1, 99, (0, 90, 1)), **PLAIN, **_FULL),
        case(
            "pages in random order, partly filled, the first of them shared; padding",
            **SMOLLM2,
            **paged(30, 1, **place(5, 300, (4, 299, 1), (1, 64, 1), (0, 127, 1), (3, -1, 1), (2, 191, 1))),
            **PLAIN,
            **_FULL,
        ),
        case(
            "pages of Qwen2.5's heads in slices with a window, the first position of a page, a missing slot",
            **QWEN2,
            **paged(24, **place(3, 400, (2, 320, 1), (0, 63, 1), (3, 5, 1), (1, 0, 1))),
            **PLAIN,
            window=150,
            splits=3,
        ),
        case(
            "norms of each head in an f32 cache of pages, whose capacity is not a multiple of a page",
            **shape(4, 2, 64, "f32"),
            **paged(9, **place(2, 190, (1, 189, 1), (0, 190, 1))),
            **NORMED,
            **_FULL,
        ),
        case(
            "pages of small heads without rotation",
            **shape(2, 2, 8),
            **paged(2, **place(1, 99, (0, 90, 1))),
            **PLAIN | {"rope": False},
            **_FULL,
        ),
        case(
            "codes and scales in pages, partly filled, the first of them shared; padding",
            **{**SMOLLM2, "cache": QUANTISED},
            **paged(31, 1, **place(5, 300, (4, 299, 1), (1, 64, 1), (0, 127, 1), (3, -1, 1), (2, 191, 1))),
            **PLAIN,
            **_FULL,
        ),
        case(
            "codes of Qwen2.5's heads in slices with a window, the first position of a page, a missing slot",
            **{**QWEN2, "cache": QUANTISED},
            **paged(24, **place(3, 400, (2, 320, 1), (0, 63, 1), (3, 5, 1), (1, 0, 1))),
            **PLAIN,
            window=150,
            splits=3,
        ),
        case(
            "three blocks of codes in a head, whose last word of scales is half empty; norms; beyond the capacity",
            **shape(4, 2, 96, QUANTISED),
            **paged(9, **place(2, 190, (1, 188, 1), (0, 190, 1))),
            **NORMED,
            **_FULL,
        ),
        case(
            "codes of the widest head, one key head for two",
            **shape(2, 1, 256, QUANTISED),
            **paged(2, **place(1, 99, (0, 98, 1))),
            **PLAIN,
            **_FULL,
        ),
        case(
            "codes of a head of one block, of zeros or not",
            **shape(4, 4, 32, QUANTISED),
            **paged(7, **place(3, 70, (0, 65, 1), (2, 7, 1), (1, 64, 1))),
            **PLAIN,
            **_FULL,
            values="blank",
        ),
        case(
            "codes that saturate: no half can hold the scales of the only key and value",
            **shape(2, 2, 64, QUANTISED),
            **paged(1, **place(1, 64, (0, 0, 1))),
            **PLAIN,
            **_FULL,
            values="enormous",
        ),
        *decode_cases(),
    )
    bench_cases = tuple(
        BenchCase(
            {**heads, **paged(context // PAGE, **row), **PLAIN, "window": 0, "splits": splits},
            f"{model}, context {context}",
            software=None if model == "SmolLM2" else False,
        )
        for model, heads in (("SmolLM2", SMOLLM2), ("Qwen2.5-1.5B", QWEN2))
        for context, splits in ((64, 1), (512, 1), (512, 4), (4096, 8), (4096, 16))
        for row in (place(1, context, (0, context - 1, 1)),)
    ) + tuple(
        BenchCase(
            {**QWEN2, "cache": cache, **paged(64, **place(1, 4096, (0, 4095, 1))), **PLAIN, "window": 0, "splits": 16},
            f"Qwen2.5-1.5B, context 4096 in pages of {cache}",
            software=False,
        )
        for cache in ("f16", QUANTISED)
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        unused = {"out" if problem["splits"] > 1 else "part"} | (set() if problem.get("qkv_bias") else {"b"})
        return tuple(b for b in attending.without_unused(self.bindings, problem) if b.name not in unused)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows = attending.rows_of(problem)
        real = rows[~attending.is_padding(rows, problem)].tolist()
        filled = {slot: _cached(slot, position, problem) for slot, position in real}
        inputs = {**attending.random_qkv(rng, problem, rows), **attending.random_cache(rng, problem, filled)}
        return qkv_blocks.cut(rng, inputs, problem)

    def operands(self, problem: Problem) -> dict[str, Out]:
        qkv = qkv_blocks.operands(problem, attending.qkv_out(problem).shape)
        return {**attending.with_tables(super().operands(problem), problem), **qkv}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        if problem["splits"] > 1:
            result = {"part": Out(part_shape(problem))}
        else:
            dtype = "f16" if problem.get("halves") else "f32"
            result = {"out": Out((problem["rows"], attending.out_width(problem)), dtype)}
        return result | dict.fromkeys(attending.cached_names(problem), attending.cache_out(problem))

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        rows, splits, d = inputs["rows"], problem["splits"], attending.value_dim(problem)
        q, own_k, own_v = attending.turned(qkv_blocks.summed(inputs, problem), rows, problem)
        new_k, new_v = own_k, own_v
        if not problem.get("stored"):
            new_k, new_v = (attending.as_stored(x, problem["cache"]) for x in (own_k, own_v))
        if problem.get("latent"):
            new_v = attending.latent_part(new_k, problem)
        caches = attending.Caches(inputs, problem)
        part = np.zeros(part_shape(problem))
        for i in np.flatnonzero(~attending.is_padding(rows, problem)):
            slot, position = rows[i].tolist()
            for s, keys in enumerate(slices(_cached(slot, position, problem), splits)):
                k, v = caches.keys(slot, keys)
                if s == splits - 1 and not problem.get("stored"):
                    k, v = (np.concatenate([x, y[i][:, None]], axis=1) for x, y in ((k, new_k), (v, new_v)))
                if k.shape[1]:
                    sinks = inputs.get("sinks") if s == splits - 1 else None
                    part[i, :, s, :d], part[i, :, s, d] = attending.attended(q[i], k, v, problem, sinks)
                    part[i, :, s, d + 1] = 1
        if not problem.get("stored"):
            caches.store(rows, own_k, own_v)
        result = {"part": part} if splits > 1 else {"out": part[:, :, 0, :d].reshape(len(rows), -1)}
        return {**result, **caches.arrays}

    def flops(self, problem: Problem) -> int:
        return 4 * int(problem["heads"]) * int(problem["head_dim"]) * attending.seen_keys(problem)

    def bytes(self, problem: Problem) -> int:
        rows, d = int(problem["rows"]), int(problem["head_dim"])
        keys = 2 * int(problem["kv_heads"]) * attending.head_bytes(problem) * attending.seen_keys(problem)
        return keys + 4 * rows * d * 2 * (int(problem["heads"]) + int(problem["kv_heads"]))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        group, lanes = max(1, problem["heads"] // problem["kv_heads"]), traits.subgroup_size
        most = max(1, _MOST_HEADS * _WIDE_HEAD // max(_WIDE_HEAD, problem["head_dim"]))
        shared = [n for n in range(min(group, most), 0, -1) if group % n == 0]
        memory = _style("memory", 64, 1, 1, 2, False)
        if traits.software and lanes:
            # More heads, or more keys of a wide head, would take too long to compile.
            few, unroll = next(n for n in shared if n <= _MOST_HEADS // 2), 2 if problem["head_dim"] <= 64 else 1
            alone = _style("subgroup", lanes, lanes, few, unroll, False)
            variants = [alone, memory, _style("shuffle", 16, lanes, 1, 1, True)]
            if problem["head_dim"] > _WIDE_HEAD:
                return [memory]
            return variants if problem["head_dim"] <= _WIDE * lanes else variants[1:]
        # As many heads per load of a key as leave enough workgroups; otherwise one.
        jobs = problem["rows"] * problem["heads"] * problem["splits"]
        shared.sort(key=lambda each: each > 1 and jobs // each < traits.filling(_FILLS_A_GPU))
        keys = problem.get("context", problem["capacity"]) // problem["splits"]
        longest = keys >= _LONGEST and problem.get("stored", False)
        most_jobs = traits.filling(_MANY) if keys >= _LONG else 0
        teams = [
            _style("shuffle", threads, min(lanes, 32), each, unroll, ahead)
            for each in shared
            for threads, unroll, ahead in sorted(
                _SHAPES, key=lambda s: _shape_rank(s, jobs // each < most_jobs, longest, each)
            )
        ]
        return [v for v in (*teams, memory) if _memory(v, problem) <= traits.workgroup_bytes] if lanes else [memory]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["rows"] > MOST:
            return f"at most {MOST} rows at a time, and there are {problem['rows']}"
        if problem.get("halves") and (problem["cache"] != "f16" or problem["splits"] > 1):
            return "results are halves only with a cache of f16 and without slices"
        if problem.get("sinks") and problem["qk_norm"]:
            return "sinks beside norms of the heads need too many bindings"
        if problem.get("sinks") and problem.get("stored"):
            return "sinks beside keys that are stored already are unsupported"
        return qkv_blocks.refused(problem, len(self.bound(problem))) or attending.refused_shape(problem)

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        team = attending.team_of(problem, variant, _units(problem))
        sizes = {"team": team.size, "units": team.units, "span": team.span}
        scores = {"parted": problem["splits"] > 1, "SLICE": SLICE, **attending.scoring(problem)}
        stored = {"halves": problem.get("halves", False), **qkv_blocks.constants(problem), **attending.paging(problem)}
        return {**sizes, **scores, **attending.turning(problem), **stored}

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return super().uniforms({**problem, "scale": attending.scale_of(problem)}, variant)

    def tune_key(self, problem: Problem) -> str:
        shape = " ".join(f"{key}={problem[key]}" for key in ("heads", "kv_heads", "head_dim", "cache"))
        return f"{shape} {in_fours(problem['rows'], problem['splits'], problem['capacity'])}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (problem["splits"], problem["heads"] // variant["each"], problem["rows"])


def _units(problem: Problem) -> int:
    """Pieces of eight dimensions per lane, at least."""
    return 1 if problem["head_dim"] <= 2 * _WIDE_HEAD else 2


def _cached(slot: int, position: int, problem: Problem) -> range:
    """The keys that a row finds in the cache: all but its own, or that, too."""
    return (attending.visible if problem.get("stored") else attending.cached)(slot, position, problem)


def _shape_rank(shape: tuple[int, int, bool], large: bool, longest: bool, each: int) -> tuple[bool, ...]:
    """Sort key, lower is better.

    Two keys at a time if several heads leave no registers for four; many threads if the workgroup is to be `large`, and
    as many as there are if its slices are the `longest`.
    """
    threads, unroll, _ = shape
    return large and longest and threads < _SHAPES[-1][0], (unroll > 2) == (each > 2), (threads < 256) == large


def _style(reduce: str, threads: int, lanes: int, each: int, unroll: int, ahead: bool) -> Variant:
    return {"reduce": reduce, "threads": threads, "lanes": lanes, "each": each, "unroll": unroll, "ahead": ahead}


def _memory(v: Variant, problem: Problem) -> int:
    """Bytes of workgroup memory."""
    slots = v["threads"] // attending.team_of(problem, v, _units(problem)).span
    merging = 4 * v["each"] * slots * (problem["head_dim"] + 2) if slots > 1 else 0
    merging += 4 * (v["each"] + 2) * problem["head_dim"] if qkv_blocks.blocks_of(problem) > 1 else 0
    return int(merging + (4 * v["threads"] * (v["each"] + 1) * v["unroll"] if v["reduce"] == "memory" else 0))


DECODE = AttentionDecode()
KERNEL = DECODE
