"""The tiers of tests: quick, full and slow. Every test belongs to exactly one, by its marks.

    quick   no mark; `make test`
    full    pytest.mark.full; `make test-full`, and with it `.ci/run`
    slow    pytest.mark.slow; `make test-slow`; an eighth of it, `make test-turn`, in each `.ci/run`

Each slow test has a number from 0 to 7 that follows from its name, and runs in every eighth turn.
"""

from __future__ import annotations

import zlib

import pytest

TURNS = 8


def tier_of(item: pytest.Item) -> str:
    """quick, full or slow, by the item's marks. Two marks are an error."""
    marks = {mark.name for mark in item.iter_markers()} & {"full", "slow"}
    if len(marks) == 2:
        raise pytest.UsageError(f"{item.nodeid} is marked both full and slow; a test belongs to one tier")
    return marks.pop() if marks else "quick"


def has_turn(nodeid: str, turn: int) -> bool:
    """Whether a slow test runs in this turn."""
    return zlib.crc32(nodeid.encode()) % TURNS == turn % TURNS
