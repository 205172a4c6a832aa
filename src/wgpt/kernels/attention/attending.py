"""Shared by the attention kernels: rows of sequences, the KV cache, and attention in float64."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.sizes import PAGE
from ...gpu.dtypes import NUMPY
from ..draw import draw
from ..grid import ceil_div
from ..kernel import Arrays, Binding, Out, Problem, Variant, reads, writes
from . import cache_types
from .cache_types import CACHES, Float, Pages, as_stored
from .head_layout import cached_names as cached_names
from .head_layout import (
    grown,
    head_order,
    is_interleaved,
    refused_layout,
    rotary_of,
    rotated,
    source_heads,
    split_heads,
    stored_heads,
)
from .head_layout import latent_part as latent_part
from .head_layout import turning as turning
from .head_layout import value_dim as value_dim
from .head_layout import valuing as valuing
from .rope import inverse_frequencies, phase_steps

PADDING = 0xFFFFFFFF  # the position of a padding row
MOST_HEAD_DIM = 576
MOST_WITH_GRADIENTS = 256

ROWS = reads("rows", "vec2<u32>", "rows 2")
STEPS = reads("steps", "vec2<u32>", "head_dim")
GAINS = reads("gains", "vec4<f32>", "")  # of queries, then of keys if they are not stored already
PAGES = reads("pages", "u32", "")
SINKS = reads("sinks", sizes="heads")  # a score of each head for nothing: it takes a share, and has no value
# Elements of the cache that are loaded at once: four of them; or as many as a kernel that reads many of them takes.
QUAD = "{{ 'u32' if in_blocks else 'vec2<u32>' if cache == 'f16' else 'vec4<f32>' }}"
PAIRS = "{{ 'vec2<u32>' if in_blocks or cache == 'f16' else 'vec4<f32>' }}"  # eight codes, otherwise four
OCTET = "{{ 'vec2<u32>' if in_blocks else 'vec4<u32>' if cache == 'f16' else 'vec4<f32>' }}"  # eight, or four floats


def cache_writes(elem: str) -> tuple[Binding, ...]:
    return writes("k", elem), writes("v", elem)


def without_unused(bindings: tuple[Binding, ...], problem: Problem) -> tuple[Binding, ...]:
    """The bindings without those of RoPE, of norms, of pages and of sinks, if there are none."""
    unused = {"steps": not problem.get("rope"), "gains": not problem.get("qk_norm"), "pages": not is_paged(problem)}
    unused |= {"sinks": not problem.get("sinks"), "v": bool(problem.get("latent"))}
    return tuple(b for b in bindings if not unused.get(b.name))


def out_width(problem: Problem) -> int:
    """Columns of the result of all heads."""
    return int(problem["heads"]) * value_dim(problem)


def head_bytes(problem: Problem) -> int:
    """Bytes of a head's key, or value, at one position."""
    return cache_types.TYPES[problem["cache"]].head_bytes(int(problem["head_dim"]))


def is_paged(problem: Problem) -> bool:
    """Whether the cache is a pool of `pages` pages with a table of them by slot; otherwise slots are contiguous."""
    return problem.get("pages", 0) > 0


def in_blocks(problem: Problem) -> bool:
    """Whether the elements of the cache have scales."""
    return cache_types.TYPES[problem["cache"]].in_blocks


def paging(problem: Problem) -> dict[str, Any]:
    """Constants of the templates: where the elements of the cache are, and how."""
    words = cache_types.scale_words(problem["head_dim"])
    return {"paged": is_paged(problem), "PAGE": PAGE, "in_blocks": in_blocks(problem), "scale_words": words}


def table_width(capacity: int) -> int:
    """Pages of a sequence of `capacity` positions."""
    return ceil_div(capacity, PAGE)


def cache_out(problem: Problem) -> Out:
    blocks = (problem["pages"], PAGE) if is_paged(problem) else (problem["slots"], problem["capacity"])
    kind = cache_types.TYPES[problem["cache"]]
    return Out(kind.shape(blocks[0], problem["kv_heads"], blocks[1], problem["head_dim"]), kind.dtype)


def qkv_out(problem: Problem) -> Out:
    return Out((problem["rows"], source_heads(problem) * problem["head_dim"]))


def table_outs(problem: Problem) -> dict[str, Out]:
    """The gains of norms, and the table of pages by slot, whether they are bound or not."""
    gains = Out((1 if problem.get("stored") else 2, problem["head_dim"]))
    return {"gains": gains, "pages": Out((problem["slots"], table_width(problem["capacity"])), "u32")}


def with_tables(operands: dict[str, Out], problem: Problem) -> dict[str, Out]:
    """The operands with the sizes of these tables, as far as they are among them."""
    return operands | {name: out for name, out in table_outs(problem).items() if name in operands}


def scale_of(problem: Problem) -> float:
    return float(problem.get("scale") or problem["head_dim"] ** -0.5)


def scoring(problem: Problem) -> dict[str, Any]:
    """Constants of the templates: what becomes of scores."""
    return {"cap": cap_of(problem), "sinks": bool(problem.get("sinks"))}


def cap_of(problem: Problem) -> float:
    """Scores s become cap tanh(s / cap); 0: they stay."""
    return float(problem.get("cap") or 0.0)


def refused_shape(problem: Problem) -> str | None:
    """Why no variant supports heads of this shape; None if one does."""
    d, heads, kv_heads = problem["head_dim"], problem["heads"], problem["kv_heads"]
    if d % 8 or not 8 <= d <= MOST_HEAD_DIM:
        return f"head_dim must be a multiple of 8 up to {MOST_HEAD_DIM}, and is {d}"
    if heads % kv_heads:
        return f"heads must be a multiple of kv_heads, and {heads} is none of {kv_heads}"
    if problem["cache"] not in CACHES:
        return f"cache must be one of {CACHES}, and is {problem['cache']!r}"
    if not is_paged(problem) and problem["cache"] not in cache_types.CONTIGUOUS:
        return f"cache {problem['cache']} needs pages"
    rotary = rotary_of(problem)
    if rotary % 2 or not 2 <= rotary <= d:
        return f"rotary must be even and up to head_dim, and is {rotary}"
    if "qk_norm" in problem and (reason := refused_layout(problem)):
        return reason
    return cache_types.refused(problem["cache"], d)


# How threads share a head ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Team:
    """Threads that share a query. Each holds `units` pieces of eight dimensions.

    Teams within the same `span` of threads can exchange data without workgroup memory.
    """

    size: int
    units: int
    span: int


def team_of(problem: Problem, variant: Variant, units: int = 1) -> Team:
    """One thread per `units` pieces, rounded up to a power of two; or as many threads as a subgroup has."""
    pieces = ceil_div(problem["head_dim"], 8)
    threads = 1 << (ceil_div(pieces, units) - 1).bit_length()
    lanes = variant["lanes"]
    size = {"subgroup": lanes, "shuffle": min(threads, lanes), "memory": threads}[variant["reduce"]]
    return Team(size, ceil_div(pieces, size), max(size, lanes))


# Building blocks of cases ------------------------------------------------------------------------------------


def shape(heads: int, kv_heads: int, head_dim: int, cache: str = "f16") -> dict[str, Any]:
    return {"heads": heads, "kv_heads": kv_heads, "head_dim": head_dim, "cache": cache}


def place(slots: int, capacity: int, *runs: tuple[int, int, int]) -> dict[str, Any]:
    """Rows in runs of (slot, first position or -1 for padding, count)."""
    return {"rows": sum(count for _, _, count in runs), "slots": slots, "capacity": capacity, "runs": runs}


def paged(pages: int, shared: int = 0, **place: Any) -> dict[str, Any]:
    """The same in a pool of pages, in random order; the first `shared` pages of every slot are the same."""
    return {**place, "pages": pages, "shared": shared}


PLAIN: dict[str, Any] = {"rope": True, "qk_norm": False, "eps": 1e-6}
NORMED = PLAIN | {"qk_norm": True}
SMOLLM2, QWEN2 = shape(9, 3, 64), shape(12, 2, 128)


# Rows -----------------------------------------------------------------------------------------------------


def rows_of(problem: Problem) -> NDArray[np.uint32]:
    """[M, (slot, position)] from the runs of a case."""
    runs = problem["runs"]
    rows = [(slot, PADDING if first < 0 else first + i) for slot, first, count in runs for i in range(count)]
    return np.array(rows, np.uint32)


def visible(slot: int, position: int, problem: Problem) -> range:
    """The positions in the cache that a row attends to, including its own."""
    return _seen(slot, position, position + 1, problem)


def cached(slot: int, position: int, problem: Problem) -> range:
    """The same without its own position, whose key is not in the cache yet."""
    return _seen(slot, position, position, problem)


def _seen(slot: int, position: int, stop: int, problem: Problem) -> range:
    if position == PADDING or slot >= problem["slots"]:
        return range(0)
    stop = min(stop, problem["capacity"])
    first = max(0, position + 1 - problem["window"]) if problem["window"] else 0
    return range(min(first, stop), stop)


def is_padding(rows: NDArray[np.uint32], problem: Problem) -> NDArray[np.bool_]:
    """Rows to ignore: padding, or in a slot that does not exist."""
    return (rows[:, 1] == PADDING) | (rows[:, 0] >= problem["slots"])


def seen_keys(problem: Problem) -> int:
    """Total number of keys that the rows attend to; without runs, `context` (or the whole cache) per row."""
    if "runs" not in problem:
        return int(problem["rows"]) * int(problem.get("context", problem["capacity"]))
    return sum(len(visible(slot, position, problem)) for slot, position in rows_of(problem).tolist())


# Inputs ---------------------------------------------------------------------------------------------------


def random_qkv(rng: np.random.Generator, problem: Problem, rows: NDArray[np.uint32]) -> Arrays:
    """qkv, and the tables for RoPE and norms of its heads.

    Keys and values that end up close to the midpoint of two values that the cache can store are drawn again: f32 and
    float64 would round them differently.
    """
    d, heads = problem["head_dim"], source_heads(problem)
    tables: Arrays = {}
    if problem["rope"]:
        radians = np.zeros(d // 2)
        radians[: rotary_of(problem) // 2] = inverse_frequencies(rotary_of(problem), problem.get("theta", 1e4))
        tables["steps"] = phase_steps(radians)
    if problem["qk_norm"]:
        tables["gains"] = (1.0 + 0.3 * rng.standard_normal(table_outs(problem)["gains"].shape)).astype(np.float32)
    qkv = draw(rng, (problem["rows"], heads, d), problem.get("values", "normal"))
    if problem.get("stored"):
        return {"qkv": qkv.reshape(len(rows), -1), "rows": rows, **tables}
    stored = stored_heads(problem)
    while True:
        _, k, v = turned({**tables, "qkv": qkv}, rows, problem)
        if problem.get("latent"):
            unsure = _unsure_keys(k, problem)
        elif problem.get("v_is_k"):
            unsure = _unsure_keys(k, problem) | _unsure_values(v, problem)
        else:
            unsure = np.concatenate([_unsure_keys(k, problem), _unsure_values(v, problem)], axis=1)
        if not unsure.any():
            return {"qkv": qkv.reshape(len(rows), -1), "rows": rows, **tables}
        fresh = draw(rng, unsure.shape, problem.get("values", "normal"))
        qkv[:, stored] = np.where(unsure, fresh, qkv[:, stored])


_UNSURE = 1e-6  # how much f32 and float64 may differ, relative to the largest element of a head


def _unsure_keys(k: Float, problem: Problem) -> NDArray[np.bool_]:
    """The elements to draw again: which of them f32 and float64 may round differently depends on norms and RoPE."""
    if problem["cache"] == "f32" or (problem["cache"] == "f16" and not (problem["rope"] or problem["qk_norm"])):
        return np.zeros(k.shape, np.bool_)
    if in_blocks(problem):
        return _unsure_blocks(k)
    size = np.abs(k).max(axis=-1, keepdims=True)
    low, high = (as_stored(k + sign * _UNSURE * size, problem["cache"]) for sign in (-1, 1))
    unsure = np.abs(high - low) > 2 * _UNSURE * np.abs(k).max()
    if problem["qk_norm"] or problem.get("rotary") or is_interleaved(problem):
        return np.broadcast_to(unsure.any(axis=-1, keepdims=True), k.shape)
    return np.asarray(unsure | np.roll(unsure, problem["head_dim"] // 2, -1))


def _unsure_values(v: Float, problem: Problem) -> NDArray[np.bool_]:
    """The rounding of values, which are exact until a norm or a scale divides them."""
    if problem.get("v_norm") and not in_blocks(problem):
        return _unsure_keys(v, problem)
    return _unsure_blocks(v) if in_blocks(problem) else np.zeros(v.shape, np.bool_)


def _unsure_blocks(x: Float) -> NDArray[np.bool_]:
    """Whole heads whose scales or codes are close to the midpoint of two values."""
    blocks = cache_types.in_stored_order(x)
    low, high = (cache_types.scales_of(blocks * (1 + sign * _UNSURE)) for sign in (-1, 1))
    scales = cache_types.scales_of(blocks)
    steps = cache_types.steps_of(blocks, scales)
    size = np.abs(x).max(axis=-1)[..., None, None]
    margin = cache_types.steps_of(np.broadcast_to(_UNSURE * size, blocks.shape), scales)
    middle = (np.abs(steps) < cache_types.MOST_CODE + 1) & (np.abs(steps - np.floor(steps) - 0.5) < margin)
    unsure = (low != high).any(axis=-1) | middle.any(axis=(-2, -1))
    return np.broadcast_to(unsure[..., None], x.shape)


def random_cache(rng: np.random.Generator, problem: Problem, filled: dict[int, range]) -> Arrays:
    """k and v of one layer, the table of pages if it has pages, and sinks if there are any.

    Everything outside the positions `filled` of each slot is NaN, so reading it shows.
    """
    arrays: Arrays = {}
    if is_paged(problem):
        arrays["pages"] = _random_table(rng, problem)
    out, blocks = cache_out(problem), _blocks(problem, arrays)
    heads = (problem["kv_heads"], problem["head_dim"])
    for name in cached_names(problem):
        places = [blocks(slot, position) for slot, positions in filled.items() for position in positions]
        if in_blocks(problem):
            pages = Pages.unwritten(out.shape, problem["head_dim"])
            for page, at in places:
                pages.store(page, at, rng.standard_normal(heads))
            arrays[name] = pages.raw
        else:
            arrays[name] = np.full(out.shape, np.nan, NUMPY[out.dtype])
            for block, at in places:
                arrays[name][block, :, at] = rng.standard_normal(heads)
    return arrays | ({"sinks": draw(rng, (problem["heads"],))} if problem.get("sinks") else {})


def _random_table(rng: np.random.Generator, problem: Problem) -> NDArray[np.uint32]:
    """Distinct pages in random order, except for the shared ones at the beginning."""
    shape = (problem["slots"], table_width(problem["capacity"]))
    shared = problem.get("shared", 0)
    order = rng.permutation(problem["pages"]).astype(np.uint32)
    table = order[: shape[0] * shape[1]].reshape(shape).copy()
    table[:, :shared] = table[0, :shared]
    return table


def _blocks(problem: Problem, arrays: Arrays) -> Callable[[int, int], tuple[int, int]]:
    """Where a slot's position is in the cache: its block (page or slot), and the position in it."""
    if not is_paged(problem):
        return lambda slot, position: (slot, position)
    table = arrays["pages"]
    return lambda slot, position: (int(table[slot, position // PAGE]), position % PAGE)


# In float64 -----------------------------------------------------------------------------------------------


def turned(inputs: Arrays, rows: NDArray[np.uint32], problem: Problem) -> tuple[Float, Float, Float]:
    """q, k and v [M, heads, head_dim] after norms and RoPE, before the cache rounds them."""
    q, k, v = split_heads(inputs["qkv"].astype(np.float64), problem)
    if problem["qk_norm"]:
        gains = inputs["gains"].astype(np.float64)
        q = _normed(q, gains[0], problem["eps"])
        k = k if problem.get("stored") else _normed(k, gains[1], problem["eps"])
    if problem["rope"]:
        radians = inverse_frequencies(rotary_of(problem), problem.get("theta", 1e4))
        angle = np.outer(rows[:, 1].astype(np.float64), radians)[:, None]
        q, k = (rotated(y, angle, problem)[..., head_order(problem)] for y in (q, k))
    if problem.get("v_norm"):
        v = _normed(v, np.ones(problem["head_dim"]), problem["eps"])
    if problem.get("latent"):
        v = latent_part(k, problem)
    return grown(q, rows[:, 1], problem), k, v


class Caches:
    """k and v in float64, by slot and position, with or without pages."""

    def __init__(self, inputs: Arrays, problem: Problem) -> None:
        self._problem, self._blocks = problem, _blocks(problem, inputs)
        self._pages: dict[str, Pages] = {}
        if in_blocks(problem):
            self._pages = {name: Pages(inputs[name].copy(), problem["head_dim"]) for name in cached_names(problem)}
            self._values = {name: pages.values() for name, pages in self._pages.items()}
        else:
            self._values = {name: inputs[name].astype(np.float64) for name in cached_names(problem)}

    @property
    def arrays(self) -> dict[str, Float]:
        """The elements of the tensors: of a type in blocks, their bytes."""
        return {name: pages.raw.astype(np.float64) for name, pages in self._pages.items()} or self._values

    def keys(self, slot: int, positions: range) -> tuple[Float, Float]:
        """k [kv_heads, positions, head_dim], and v."""
        at = [self._blocks(slot, position) for position in positions]
        blocks, places = [b for b, _ in at], [p for _, p in at]
        both = [np.swapaxes(values[blocks, :, places], 0, 1) for values in self._values.values()]
        return both[0], latent_part(both[0], self._problem) if len(both) == 1 else both[1]

    def store(self, rows: NDArray[np.uint32], k: Float, v: Float) -> None:
        """Write k and v [M, kv_heads, head_dim] as the cache stores them; rows outside the cache are skipped."""
        for i, (slot, position) in enumerate(rows.tolist()):
            if slot < self._problem["slots"] and position < self._problem["capacity"]:
                block, at = self._blocks(slot, position)
                for name, x in zip(self._values, (k[i], v[i]), strict=False):
                    self._values[name][block, :, at] = as_stored(x, self._problem["cache"])
                    if self._pages:
                        self._pages[name].store(block, at, x)


def _normed(x: Float, gain: Float, eps: float) -> Float:
    return np.asarray(x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * gain)


def scores_of(products: Float, problem: Problem) -> Float:
    """The scores of dot products of queries and keys."""
    scores, cap = scale_of(problem) * products, cap_of(problem)
    return cap * np.tanh(scores / cap) if cap else scores


def attended(
    q: Float, keys: Float, values: Float, problem: Problem, sinks: NDArray[Any] | None = None
) -> tuple[Float, Float]:
    """For one row: softmax(q . keys) values, and the log of the sum of exponentials.

    q is [heads, head_dim], keys and values are [kv_heads, n, dimensions]; `sinks` are further scores, without values.
    """
    grouped = q.reshape(len(keys), -1, q.shape[-1])
    scores = scores_of(grouped @ keys.transpose(0, 2, 1), problem)
    peak = scores.max(-1, keepdims=True)
    more = np.full_like(peak, -np.inf) if sinks is None else sinks.astype(np.float64).reshape(peak.shape)
    peak = np.maximum(peak, more)
    e = np.exp(scores - peak)
    total = e.sum(-1, keepdims=True) + np.exp(more - peak)
    return (e @ values / total).reshape(len(q), -1), (peak + np.log(total)).reshape(len(q))
