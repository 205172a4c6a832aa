"""Shared by the kernels that choose the next token: rows, realistic logits, and floats as ordered integers.

Also sampling in float64 NumPy: the filters, the generator, and the order in which `sample` draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...core.generation import SAMPLING
from ..grid import ceil_div
from ..kernel import Arrays, Problem
from .settings import Settings
from .slots import COUNTER, IDLE, LORA, NO_TOKEN, POSITION, PROMPTED, RECORD_WORDS, TOKEN

LEAST_INDEX = 0xFFFFFFFF  # of an empty part: every other index is preferred
LOWEST_KEY = 0x007FFFFF  # of -inf


def random_rows(rng: np.random.Generator, problem: Problem) -> NDArray[np.uint32]:
    """[rows, 2] of (slot, position) with distinct slots; every `idle`-th row is IDLE."""
    count = int(problem["rows"])
    rows = np.empty((count, 2), np.uint32)
    rows[:, 0] = rng.permutation(max(problem["slots"], count))[:count]
    rows[:, 1] = rng.integers(0, 4096, count)
    if "idle" in problem:
        rows[:: problem["idle"], 1] = IDLE
    return rows


def several_rows(rng: np.random.Generator, problem: Problem, slots: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """`width` rows of each sequence from its record's position on, as in a speculative step; some are padding."""
    width = int(problem["width"])
    own = random_rows(rng, {**problem, "rows": problem["rows"] // width})
    exists = own[:, 0] < len(slots)
    exists &= own[:, 1] != IDLE
    own[exists, 1] = slots[own[exists, 0], POSITION]
    rows = np.repeat(own, width, axis=0)
    i = np.tile(np.arange(width, dtype=np.uint32), len(own))
    live = (rows[:, 1] != IDLE) & (i < np.repeat(rng.integers(1, width, len(own), endpoint=True), width))
    rows[:, 1] = np.where(live, rows[:, 1] + i, IDLE)
    return rows


def random_slots(rng: np.random.Generator, slots: int) -> NDArray[np.uint32]:
    """Records of sequences that have begun; flags and settings are 0."""
    records = np.zeros((slots, RECORD_WORDS), np.uint32)
    records[:, TOKEN] = rng.integers(0, 1000, slots)
    records[:, POSITION] = rng.integers(0, 4096, slots)
    records[:, COUNTER] = rng.integers(0, 1000, slots)
    records[:, LORA] = rng.integers(0, 9, slots)
    return records


def advances(problem: Problem) -> bool:
    """Whether choosing a token changes the record: the problem key `advance`."""
    return bool(problem.get("advance", True))


def in_use(inputs: Arrays, row: int) -> bool:
    """Whether a token is chosen for a row: it is not idle, and its slot exists."""
    slot, position = inputs["rows"][row]
    return bool(position != IDLE and slot < len(inputs["slots"]))


def reported(inputs: Arrays, chosen: Sequence[int]) -> NDArray[np.float64]:
    """`tokens`: what each row has chosen, 0 for rows that are not in use."""
    return np.array([token if in_use(inputs, row) else 0 for row, token in enumerate(chosen)], np.float64)


def advanced(inputs: Arrays, chosen: Sequence[int]) -> Arrays:
    """`tokens` and `slots` after each row has chosen a token, or NO_TOKEN."""
    tokens, slots = reported(inputs, chosen), inputs["slots"].astype(np.float64)
    for row, token in enumerate(chosen):
        if in_use(inputs, row):
            record = slots[inputs["rows"][row, 0]]
            record[TOKEN] = 0 if token == NO_TOKEN else token
            record[[POSITION, COUNTER]] += 1
    return {"tokens": tokens, "slots": slots}


def order_key(x: NDArray[np.float32]) -> NDArray[np.uint32]:
    """u32 keys in the same order as the floats: -0 equals 0, and NaN is 0, below everything."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    bits = np.where(bits == 0x80000000, np.uint32(0), bits)
    key = np.where(bits >> 31 == 1, ~bits, bits | np.uint32(0x80000000))
    return np.where((bits & np.uint32(0x7FFFFFFF)) > 0x7F800000, np.uint32(0), key)


def language_logits(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Logits like those of a language model: a broad bulk, and a few tokens several nats above it."""
    bulk = rng.normal(0.0, 2.5, shape)
    likely = rng.integers(0, shape[1], (shape[0], min(40, shape[1])))
    rise = 12.0 - 2.5 * np.log1p(np.arange(likely.shape[1])) + rng.normal(0.0, 0.7, likely.shape)
    np.put_along_axis(bulk, likely, np.take_along_axis(bulk, likely, 1) * 0.2 + rise, axis=1)
    return bulk.astype(np.float32)


NATS = 32.0  # tokens less likely than exp(-32) times the likeliest are never drawn: they vanish in f32 sums
LANES = 1024  # chunks of four logits are assigned to lanes in turn; a draw picks lane, chunk and token

Floats = NDArray[np.float64]
_THRESHOLDS = ("top_p", "min_p", "typical_p")
_MULTIPLY = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Philox 4x32-10 (Salmon et al., 2011)."""
    c, k = counter, key
    for _ in range(10):
        first, second = _MULTIPLY[0] * c[0], _MULTIPLY[1] * c[2]
        low = 0xFFFFFFFF
        c = ((second >> 32) ^ c[1] ^ k[0], second & low, (first >> 32) ^ c[3] ^ k[1], first & low)
        k = ((k[0] + _WEYL[0]) & low, (k[1] + _WEYL[1]) & low)
    return c


def uniforms(seed: int, step: int) -> Floats:
    """Three 24-bit random numbers in (0, 1]: for the lane, the chunk and the token."""
    words = philox((step, 0, 0, 0), (seed & 0xFFFFFFFF, seed >> 32))
    return np.array([((word >> 8) + 1) * 2.0**-24 for word in words[:3]])


def mask_words(vocab: int) -> int:
    """Words of a slot's mask of allowed tokens."""
    return ceil_div(vocab, 32)


def scores(
    logits: Floats,
    settings: Settings,
    counts: NDArray[np.uint32] | None,
    bias: Floats | None,
    ruled_out: NDArray[np.bool_] | None = None,
) -> Floats:
    """Logits after penalties and bias; NaN, and what is ruled out, is treated as the lowest value."""
    z = logits.astype(np.float64)
    if counts is not None:
        penalty, generated = settings.repetition_penalty, counts & np.uint32(~PROMPTED & 0xFFFFFFFF)
        z = np.where(counts != 0, np.where(z > 0, z / penalty, z * penalty), z)
        z = z - settings.frequency_penalty * generated - settings.presence_penalty * (generated > 0)
    if bias is not None:
        z = z + bias
    if ruled_out is not None:
        z = np.where(ruled_out, -np.inf, z)
    return np.where(np.isnan(z), -np.inf, z)


def masses(z: Floats, settings: Settings, excludes: bool = False, moved: float = 0.0) -> Floats:
    """Weights of the tokens after all filters: 1 for the likeliest, 0 if filtered out. They come in llama.cpp's order,
    after the temperature: top-k, typical-p, top-p, min-p, XTC.

    `excludes`: whether XTC leaves tokens out. `moved`: relative, of what is rounded within a filter.
    """
    z = np.clip(z, -1e38, 1e38)
    behind = (z.max() - z) / settings.temperature
    mass = np.where(behind < NATS, np.exp(-behind), 0.0)
    if settings.top_k:
        kth = np.sort(z)[-min(settings.top_k, z.size)]
        mass[z < kth] = 0
    if settings.typical_p < 1:
        mass[~_typical(behind, mass, settings.typical_p, moved)] = 0
    if settings.top_p < 1:
        order = np.argsort(-z, kind="stable")
        running = mass[order].cumsum()
        last = order[np.searchsorted(running, settings.top_p * running[-1])]
        mass[z < z[last]] = 0
    mass[mass < settings.min_p * mass.max()] = 0
    if excludes:
        above = mass[mass >= settings.xtc_threshold * mass.sum()]
        mass[mass > above.min(initial=np.inf)] = 0
    return mass


def distribution(z: Floats, settings: Settings) -> Floats:
    """Probabilities of the tokens, over all seeds."""
    kept, left = masses(z, settings), masses(z, settings, excludes=True)
    share = settings.xtc_probability if settings.xtc_threshold <= 0.5 else 0.0
    return np.asarray((1 - share) * kept / kept.sum() + share * left / left.sum())


def excludes(settings: Settings, step: int) -> bool:
    """Whether XTC leaves tokens out at this step: by the fourth word of what `uniforms` has three of."""
    word = philox((step, 0, 0, 0), (settings.seed & 0xFFFFFFFF, settings.seed >> 32))[3]
    chance = (word >> 8) * 2.0**-24
    return 0 < settings.xtc_probability >= chance and settings.xtc_threshold <= 0.5


def _typical(behind: Floats, mass: Floats, p: float, moved: float = 0.0) -> NDArray[np.bool_]:
    """Locally typical tokens, as in llama.cpp: those whose surprise is nearest to the entropy, up to a mass above p.

    The surprise is a token's distance from the likeliest plus a constant, so that the entropy is the average distance
    plus the same constant.
    """
    average = (mass * np.where(mass > 0, behind, 0.0)).sum() / mass.sum()
    away = np.where(mass > 0, np.abs(behind - average * (1 + moved)), np.inf)
    order = np.argsort(away, kind="stable")
    running = mass[order].cumsum()
    reached = int(np.searchsorted(running, p * running[-1], side="right"))
    last = order[min(reached, int(np.count_nonzero(mass)) - 1)]
    return np.asarray(away <= away[last])


def draw_token(mass: Floats, u: Floats) -> int:
    """Inverse transform sampling in three steps: lane, chunk, token."""
    blocks = ceil_div(mass.size, 4 * LANES)
    padded = np.zeros(blocks * LANES * 4)
    padded[: mass.size] = mass
    dealt = padded.reshape(blocks, LANES, 4)
    lane = _crossing(dealt.sum(axis=(0, 2)), u[0])
    block = _crossing(dealt[:, lane].sum(axis=1), u[1])
    return 4 * (block * LANES + lane) + _crossing(dealt[block, lane], u[2])


def _crossing(weights: Floats, u: float) -> int:
    running = weights.cumsum()
    return int(np.searchsorted(running, u * running[-1]))


def sample_token(z: Floats, settings: Settings, step: int) -> int:
    """The token of these scores; NO_TOKEN if none is above -inf."""
    if z.max() == -np.inf:
        return NO_TOKEN
    if settings.temperature == 0 or z.max() <= -1e38:
        return int(z.argmax())
    return draw_token(masses(z, settings, excludes(settings, step)), uniforms(settings.seed, step))


def is_steady(z: Floats, settings: Settings, step: int) -> bool:
    """Whether rounding cannot change the token: it stays the same if every threshold is moved a little."""
    ordered = np.sort(np.clip(z, -1e38, 1e38))
    k = 1 if settings.temperature == 0 else settings.top_k
    if 0 < k < z.size and 0 < ordered[-k] - ordered[-k - 1] < 3e-7 * max(abs(ordered[-1]), 1, settings.temperature):
        return False
    if settings.temperature == 0 or z.max() <= -1e38:
        return True
    u = uniforms(settings.seed, int(step))
    places = [np.clip(u + move, 1e-9, 1.0) for move in (0.0, -3e-5, 3e-5)]
    moves = (-1e-5, 1e-5) if settings.filtered else (0.0,)
    weights = [masses(z, s, excludes(s, int(step)), moved) for s in _moved(settings) for moved in moves]
    return len({draw_token(mass, v) for mass in weights for v in places}) == 1


def _moved(settings: Settings) -> Iterator[Settings]:
    """The settings with the thresholds (of filters that are on) moved in both directions."""
    names = [name for name in _THRESHOLDS if getattr(settings, name) != SAMPLING[name].neutral]
    names += ["xtc_threshold"] if settings.xtc_probability > 0 else []
    for factors in product((0.99999, 1.00001), repeat=len(names)):
        yield replace(settings, **{n: getattr(settings, n) * f for n, f in zip(names, factors, strict=True)})
