"""Which steps have guesses by n-gram lookup: where they fail they cost little, where they are right they are used."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from wgpt.engine.ngram_proposer import WIDTH, NgramProposer
from wgpt.engine.pace import NgramState

TOKENS, AHEAD = 400, 3  # tokens of a text, and steps that are submitted before one is read


def rate(right: Any, cost: float) -> float:
    """Tokens in the time of a plain step; `right()` guesses are right at each place, a wide step takes `cost`."""
    speculation = NgramProposer.__new__(NgramProposer)  # without a GPU
    speculation.drafted = speculation.accepted = 0
    rows: Any = [SimpleNamespace(slot=0, needs=0, top=-1, ngram_state=NgramState())]
    hits, made, time, under_way = 0, 0, 0.0, deque[tuple[int, dict[str, Any]]]()
    while made < TOKENS:
        width, guesses = speculation.width(rows), min(right(), WIDTH - 1)
        hits += guesses > 0
        count = 1 + guesses if width > 1 else 1
        time += cost if width > 1 else 1.0
        made += count
        under_way.append((width, {"count": np.array([count]), "hits": np.array([[hits, 0]])}))
        if len(under_way) == AHEAD:
            done, result = under_way.popleft()
            speculation.learn(rows, done, result, None)
    return made / time


@pytest.mark.parametrize("cost", [1.5, 1.75, 2.0])
@pytest.mark.parametrize("often", [0.0, 0.2, 0.4, 0.5, 0.6])
def test_guesses_that_do_not_pay_cost_little(often: float, cost: float) -> None:
    rng = np.random.default_rng(1)
    rates = [rate(lambda: int(rng.geometric(1 - often)) - 1, cost) for _ in range(40)]
    assert np.mean(rates) > 0.95


@pytest.mark.parametrize("often", [0.9, 1.0])
def test_guesses_that_are_right_are_used(often: float) -> None:
    rng = np.random.default_rng(2)
    wide = sum(often**i for i in range(WIDTH)) / 1.75
    assert rate(lambda: int(rng.geometric(max(1 - often, 1e-9))) - 1, 1.75) > 0.9 * wide


def test_a_text_that_begins_to_repeat_itself() -> None:
    """None of the first 200 guesses is right, all of the others are."""
    count = iter(range(TOKENS))
    assert rate(lambda: 0 if next(count) < 200 else 7, 1.75) > 1.5  # at best 400 tokens in 200 steps and 25 wide ones
