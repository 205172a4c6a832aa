"""How many tokens a draft model guesses: simulated steps with known costs. No GPU."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable

import pytest

from wgpt.engine.pace import WIDTHS, DraftState, Pace, expected

AHEAD = 3  # steps whose results are not known yet


class Simulation:
    """Sequences whose guesses are right at some rate, on a GPU where a row of the draft model takes `draft`."""

    def __init__(self, draft: float, rows: int = 1, seed: int = 0, estimate: float | None = None) -> None:
        self.pace = Pace(draft if estimate is None else estimate)
        self.draft, self.rows, self.rng = draft, rows, random.Random(seed)
        self.widths: list[int] = []

    def run(self, tokens: int, rate: Callable[[int], float]) -> float:
        """Generate so many tokens of each sequence; returns the speed as a multiple of that of plain steps."""
        states, done = [DraftState() for _ in range(self.rows)], [0] * self.rows
        flight: deque[tuple[int, float, list[tuple[int, int]]]] = deque()
        seconds, behind = 0.0, 9
        while min(done) < tokens:
            width = self.pace.width([(f, tokens) for f in states])
            self.widths.append(width)
            time = self._time(width) * self.rng.uniform(0.9, 1.1)
            known = width == 1 or behind < 3
            if not known:  # it reads what it has missed
                seconds += self.draft * (1 + behind / 32)
            behind = behind + 1 if width == 1 else 0
            made = [(self._right(rate(done[i]), width - 1), width - 1) for i in range(self.rows)]
            for i, (right, _) in enumerate(made):
                done[i] += 1 + right
            seconds += time
            flight.append((width, time if known else -1.0, made))
            while len(flight) >= (AHEAD if min(done) < tokens else 1):
                width, time, made = flight.popleft()
                if time > 0:
                    self.pace.timed(self.rows, width, time)
                for state, (right, guesses) in zip(states, made, strict=True):
                    if guesses:
                        self.pace.learn(state, right, guesses)
        return sum(done) / self.rows / seconds

    def _time(self, width: int) -> float:
        return 1.0 if width == 1 else 1 + self.rows * width / 32 + (width - 1) * self.draft

    def _right(self, rate: float, guesses: int) -> int:
        right = 0
        while right < guesses and self.rng.random() < rate:
            right += 1
        return right


@pytest.mark.parametrize("rows", [1, 8])
def test_guesses_that_are_right_are_made(rows: int) -> None:
    simulation = Simulation(draft=0.1, rows=rows)
    simulation.run(100, lambda at: 0.95)
    assert simulation.run(2000, lambda at: 0.95) > (2.5 if rows == 1 else 1.5)
    assert simulation.widths[-1] == 8 or rows > 1
    assert simulation.widths.count(1) < 0.04 * len(simulation.widths)


@pytest.mark.parametrize("draft", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_guesses_that_fail_cost_little(draft: float, seed: int) -> None:
    """Little at the beginning, when nothing is known; then at most a twentieth."""
    simulation = Simulation(draft, seed=seed)
    assert simulation.run(300, lambda at: 0.0) > 0.9
    for _ in range(10):
        assert simulation.run(300, lambda at: 0.0) > 0.95


def test_some_right_guesses_do_not_pay_for_a_slow_draft_model() -> None:
    simulation = Simulation(draft=0.5)
    simulation.run(200, lambda at: 0.5)
    assert simulation.run(2000, lambda at: 0.5) > 0.95
    as_slow = Simulation(draft=1.0)
    as_slow.run(200, lambda at: 1.0)
    assert as_slow.run(1000, lambda at: 1.0) > 0.95


def test_an_estimate_that_is_wrong_is_corrected() -> None:
    """It says that guesses cannot pay, but they do; and the other way round."""
    simulation = Simulation(draft=0.1, estimate=2.0)
    simulation.run(200, lambda at: 0.9)
    assert simulation.run(1000, lambda at: 0.9) > 1.8
    simulation = Simulation(draft=1.0, estimate=0.01)
    simulation.run(200, lambda at: 0.9)
    assert simulation.run(1000, lambda at: 0.9) > 0.95


def test_times_that_change_are_noticed() -> None:
    """Plain steps become cheap, as if the GPU had been busy with something else before."""
    simulation = Simulation(draft=0.1)
    simulation.run(500, lambda at: 0.7)
    assert simulation.widths[-1] > 1
    simulation._time = lambda width: 0.4 if width == 1 else Simulation._time(simulation, width)  # type: ignore[method-assign]
    simulation.run(500, lambda at: 0.7)
    assert simulation.run(500, lambda at: 0.7) > 0.95 / 0.4


def test_a_text_that_becomes_predictable_is_noticed() -> None:
    simulation = Simulation(draft=0.1)
    simulation.run(500, lambda at: 0.0)
    assert simulation.run(3000, lambda at: 0.0 if at < 500 else 0.95) > 1.5


def test_a_sequence_that_ends_soon_is_not_guessed_far() -> None:
    pace = Pace(0.05)
    for _ in range(5):
        for width, seconds in ((1, 1.0), (4, 1.2), (8, 1.5)):
            pace.timed(1, width, seconds)
    state = DraftState(right=50, tries=50)
    assert pace.width([(state, 100)]) == 8
    assert pace.width([(state, 3)]) == 4
    assert pace.width([(state, 1)]) == 1
    assert pace.width([None]) == 1
    assert pace.width([None, None, (state, 100)]) == 1, "three sequences were never timed"


def test_expected_tokens() -> None:
    assert [expected(1.0, width - 1) for width in WIDTHS] == [float(width) for width in WIDTHS]
    assert expected(0.0, 7) == 1.0
