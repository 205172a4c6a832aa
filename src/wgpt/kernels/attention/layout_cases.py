"""Cases of the kernels that read q, k and v: the layouts of head_layout.py."""

from __future__ import annotations

from typing import Any

from ..kernel import Case, case
from .attending import NORMED, PLAIN, paged, place, shape
from .cache_types import QUANTISED

_GLM4 = {"rotary": 64, "interleaved": True}
_NEOX = {"rotary": 16, "by_head": True}
_PYTHIA = {"rotary": 20, "by_head": True}
_RAGGED = {"rotary": 14, "amplitude": 1.3}
_LATENT = {"rotary": 64, "latent": 512, "interleaved": True}
_SAME = {"v_norm": True, "v_is_k": True}
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
            "Pythia 2.8B's heads, whose rotated pairs do not fill their vec4s",
            **shape(4 if backward else 2, 2, 80, cache),
            **rows(4, 2, 70, (1, 62, 5), (0, -1, 1), (0, 3, 4)),
            **PLAIN,
            **_PYTHIA,
        ),
        case(
            "seven pairs of a head rotated, and longer for it, after their norm",
            **shape(4, 2, 32, "f32"),
            **place(1, 20, (0, 7, 5)),
            **NORMED,
            **_RAGGED,
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
            "codes of a head with seven rotated pairs",
            **shape(4, 2, 64, QUANTISED),
            **paged(5, **place(2, 128, (1, 61, 6), (0, 0, 3))),
            **PLAIN,
            **_RAGGED,
        ),
        case(
            "codes of rotated neighbours",
            **shape(4, 2, 64, QUANTISED),
            **paged(5, **place(2, 128, (1, 61, 6), (0, 0, 3))),
            **PLAIN,
            rotary=32,
            interleaved=True,
        ),
        case(
            "the widest head, values that are the keys before their norm, normalised",
            **shape(2, 1, 512, "f32"),
            **paged(3, **place(1, 128, (0, 61, 5), (0, -1, 1))),
            **NORMED | {"eps": 1e-2},
            **_SAME,
        ),
        case(
            "norms of values, in codes",
            **shape(4, 2, 64, QUANTISED),
            **paged(5, **place(2, 128, (1, 61, 6), (0, 0, 3))),
            **NORMED | {"eps": 1e-2},
            v_norm=True,
        ),
        case(
            "queries alone: the cache has their keys already",
            **shape(3, 1, 64),
            **paged(5, **place(2, 128, (1, 61, 6), (0, -1, 2), (2, 0, 1))),
            **NORMED,
            stored=True,
        ),
        case(
            "DeepSeek's latent keys: neighbours rotated, no values",
            **shape(3, 1, 576, "f32"),
            **paged(3, **place(1, 128, (0, 61, 5), (0, -1, 1))),
            **PLAIN,
            **_LATENT,
        ),
        case(
            "small latent keys in codes, rotated ones longer",
            **shape(3, 1, 96, QUANTISED),
            **paged(3, **place(1, 128, (0, 61, 5))),
            **PLAIN,
            **{"rotary": 32, "latent": 64, "amplitude": 1.2},
        ),
    )


def decode_cases() -> tuple[Case, ...]:
    some = {"window": 0, "splits": 1}
    return (
        case(
            "q, k and v in blocks, with a bias; results as halves",
            **shape(9, 3, 64),
            **paged(9, **place(3, 190, (1, 160, 1), (2, 62, 1), (0, 188, 1))),
            **PLAIN,
            **some,
            **{"qkv_blocks": 3, "qkv_bias": True, "halves": True},
        ),
        case(
            "q, k and v in blocks, norms of each head, in slices",
            **shape(4, 2, 64),
            **paged(9, **place(3, 190, (1, 160, 1), (2, -1, 1), (0, 188, 1))),
            **NORMED,
            **{"window": 0, "splits": 3, "qkv_blocks": 2},
        ),
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
            "Pythia 2.8B's heads, whose rotated pairs do not fill their vec4s",
            **shape(2, 2, 80),
            **paged(5, **place(2, 90, (1, 83, 1), (0, 5, 1))),
            **PLAIN,
            **some,
            **_PYTHIA,
        ),
        case(
            "seven pairs of a head rotated, and longer for it, after their norm; in codes",
            **shape(4, 2, 64, QUANTISED),
            **paged(9, **place(2, 190, (1, 160, 1), (0, 62, 1))),
            **NORMED,
            **some,
            **_RAGGED,
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
        case(
            "the widest head, values that are the keys before their norm, normalised; in slices",
            **shape(4, 2, 512, "f32"),
            **paged(5, **place(2, 128, (1, 77, 1), (0, 0, 1))),
            **NORMED | {"eps": 1e-2},
            **_SAME,
            window=40,
            splits=2,
        ),
        case(
            "norms of values, in codes",
            **shape(4, 2, 64, QUANTISED),
            **paged(9, **place(2, 190, (1, 160, 1), (0, 62, 1))),
            **NORMED | {"eps": 1e-2},
            **some,
            v_norm=True,
        ),
        case(
            "queries alone: the cache has the row's own key already; a window in slices, the last position",
            **shape(4, 2, 64),
            **paged(13, **place(4, 190, (1, 160, 1), (2, 0, 1), (3, -1, 1), (0, 189, 1))),
            **NORMED,
            window=100,
            splits=3,
            stored=True,
        ),
        case(
            "queries alone, rotated already: the last rows of a prompt in slices, of which they share keys",
            **shape(6, 2, 64),
            **paged(7, **place(2, 190, (1, 155, 9), (0, 3, 2), (0, -1, 5))),
            **PLAIN | {"rope": False},
            window=0,
            splits=3,
            stored=True,
        ),
        case(
            "queries alone, in codes, beyond the capacity, a missing slot",
            **shape(4, 2, 64, QUANTISED),
            **paged(9, **place(2, 150, (1, 148, 1), (0, 150, 1), (2, 3, 1))),
            **PLAIN,
            **some,
            stored=True,
        ),
        case(
            "DeepSeek's latent keys in slices, of which one is empty",
            **shape(4, 1, 576, "f32"),
            **paged(5, **place(2, 128, (1, 77, 1), (0, 3, 1))),
            **PLAIN,
            **_LATENT,
            window=0,
            splits=3,
        ),
        case(
            "small latent keys, half a head rotated, f32 cache",
            **shape(6, 1, 48, "f32"),
            **place(2, 70, (1, 64, 1), (0, -1, 1)),
            **PLAIN,
            **some,
            **{"rotary": 24, "latent": 24},
        ),
        case(
            "small latent keys in codes, a scale of its own",
            **shape(4, 1, 96, QUANTISED),
            **paged(9, **place(2, 150, (1, 148, 1), (0, 0, 1))),
            **PLAIN,
            **some,
            **{"rotary": 32, "latent": 64, "interleaved": True, "scale": 0.3},
        ),
    )
