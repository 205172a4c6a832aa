"""Cases of the kernels that read q, k and v: the layouts of head_layout.py."""

from __future__ import annotations

from typing import Any

from ..kernel import Case, case
from .attending import NORMED, PLAIN, paged, place, shape
from .cache_types import QUANTISED

_GLM4 = {"rotary": 64, "interleaved": True}
_NEOX = {"rotary": 16, "by_head": True}
_GROWING = {"growth": 0.3, "grow_after": 16}


def prefill_cases(cache: str = "f16") -> tuple[Case, ...]:
    """Of rope_cache; with an f32 cache and without pages, of its gradient."""
    backward = cache == "f32"

    def rows(pages: int, slots: int, capacity: int, *runs: tuple[int, int, int]) -> dict[str, Any]:
        found = place(slots, capacity, *runs)
        return found if backward else paged(pages, **found)

    cases = (
        case(
            "neighbours in the first half of a head rotated",
            **shape(4, 2, 128, cache),
            **rows(5, 2, 128, (1, 61, 6), (0, 0, 3)),
            **PLAIN,
            **_GLM4,
        ),
        case(
            "neighbours in a whole head, norms, one row beyond the rest",
            **shape(3, 1, 64, "f32"),
            **place(2, 40, (1, 0, 9), (0, -1, 2), (0, 39, 1)),
            **NORMED,
            interleaved=True,
        ),
        case(
            "neighbours in a part of a head that no power of two divides, norms",
            **shape(2, 1, 48, "f32"),
            **place(1, 20, (0, 7, 5)),
            **NORMED,
            rotary=24,
            interleaved=True,
        ),
        case(
            "q, k and v in turns, a quarter rotated",
            **shape(4 if backward else 3, 2 if backward else 3, 64, cache),
            **rows(4, 2, 70, (1, 62, 5), (0, -1, 1), (0, 3, 4)),
            **PLAIN,
            **_NEOX,
        ),
        case(
            "groups in turns, without rotation, norms",
            **shape(6, 2, 32, "f32"),
            **place(2, 9, (1, 1, 7)),
            **NORMED | {"rope": False},
            by_head=True,
        ),
        case(
            "queries that grow with their position, groups in turns, neighbours",
            **shape(4, 2, 64, cache),
            **rows(6, 2, 100, (0, 14, 5), (1, 90, 4)),
            **PLAIN,
            **_GROWING,
            by_head=True,
            interleaved=True,
        ),
        case(
            "queries that grow with their position after their norm",
            **shape(2, 1, 32, "f32"),
            **place(1, 60, (0, 44, 6)),
            **NORMED,
            **_GROWING,
        ),
    )
    if backward:
        return cases
    return (
        *cases,
        case(
            "codes of rotated neighbours",
            **shape(4, 2, 64, QUANTISED),
            **paged(5, **place(2, 128, (1, 61, 6), (0, 0, 3))),
            **PLAIN,
            rotary=32,
            interleaved=True,
        ),
    )


def decode_cases() -> tuple[Case, ...]:
    some = {"window": 0, "splits": 1}
    return (
        case(
            "neighbours in the first half of a head rotated, in pages",
            **shape(4, 2, 128),
            **paged(9, **place(3, 190, (1, 160, 1), (2, 62, 1), (0, 188, 1))),
            **PLAIN,
            **some,
            **_GLM4,
        ),
        case(
            "neighbours in a part of a head that no power of two divides, norms",
            **shape(2, 1, 48, "f32"),
            **place(1, 70, (0, 64, 1)),
            **NORMED,
            **some,
            rotary=24,
            interleaved=True,
        ),
        case(
            "q, k and v of each head in turns, a quarter rotated, a window in slices",
            **shape(3, 3, 64, "f32"),
            **place(2, 90, (1, 83, 1), (0, 5, 1)),
            **PLAIN,
            window=50,
            splits=2,
            **_NEOX,
        ),
        case(
            "queries that grow with their position, groups in turns, neighbours",
            **shape(6, 2, 64, "f32"),
            **place(3, 100, (0, 14, 1), (1, 90, 1), (2, 16, 1)),
            **PLAIN,
            **some,
            **_GROWING,
            by_head=True,
            interleaved=True,
        ),
        case(
            "codes of rotated neighbours; queries that grow after their norm",
            **shape(4, 2, 64, QUANTISED),
            **paged(9, **place(2, 190, (1, 160, 1), (0, 62, 1))),
            **NORMED,
            **some,
            **_GROWING,
            rotary=32,
            interleaved=True,
        ),
    )
