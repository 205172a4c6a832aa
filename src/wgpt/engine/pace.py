"""How many tokens a draft model guesses for a step: what pays, by measured times and by how often it is right."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

WIDTHS = (4, 8)  # rows of a sequence in a step with guesses
_LEAST_GAIN = 1.05  # tokens per second against plain steps: less is not worth it
_PRIOR, _PRIOR_TRIES = 0.7, 2.0  # how often a guess is right before any was checked, and how many tries that counts as
_FADE, _SLOW_FADE = 0.8, 0.98  # of what was learnt, with each step: of a sequence, and of all
_SAMPLES, _LEAST_PLAIN = 3, 2  # times of steps to take the median of; how many plain ones come before all others
_CHECK_INTERVAL = 48  # steps with guesses between plain ones, which show whether it still pays
_ROWS_TWICE = 32  # rows for which a step takes twice as long as for none, before it was measured
_TRIAL_STEPS = 2  # with guesses, once in a while where they did not pay
_TRIAL_SHARE = 0.015  # of the time, for such trials
_FIRST_INTERVAL, _MOST_INTERVAL = 32, 512  # plain steps between trials
_BEST_RATE, _HOPELESS_INTERVAL = 0.9, 4096  # the same if not even guesses that are nearly always right would pay


@dataclass
class NgramState:
    """What is known of the guesses by n-gram lookup for a sequence.

    `rate`: how often the newest first guesses were right. `accepted`: right guesses of the newest steps with guesses,
    on average. `guessed`: whether the last step that was read had guesses. `right`: first guesses in this slot that
    were right.
    """

    rate: float = 0.5
    accepted: float = 0.0
    guessed: bool = False
    right: int = 0


@dataclass
class DraftState:
    """What is known of the draft model's guesses for a sequence, and how far it has followed it.

    `seen`: positions that it has run. `behind`: plain steps that were submitted since it ran. `missed`: steps in a row
    for which it should have guessed and did not.
    """

    right: float = 0.0
    tries: float = 0.0
    seen: int = 0
    behind: int = 0
    missed: int = 0

    def learn(self, right: int, made: int) -> None:
        """`right` guesses of those `made`; the first wrong one is a try, those after it say nothing."""
        self.right = _FADE * self.right + right
        self.tries = _FADE * self.tries + right + (right < made)


def expected(rate: float, guesses: int) -> float:
    """Tokens of a step whose guesses are right at this rate.

    >>> expected(0.0, 3), expected(0.5, 2), expected(1.0, 3)
    (1.0, 1.75, 4.0)
    """
    return sum(rate**i for i in range(guesses + 1))


class Pace:
    """`ratio`: how long a row of the draft model takes, as a share of the model's; a first estimate."""

    def __init__(self, ratio: float) -> None:
        self._ratio = ratio
        self._times: dict[tuple[int, int], deque[float]] = {}  # of steps, by sequences and width
        self._right, self._tries = _PRIOR * _PRIOR_TRIES, _PRIOR_TRIES
        self._plain = self._guessing = 0  # steps since the last one with guesses, and without
        self._interval, self._trials = _FIRST_INTERVAL, 0

    def learn(self, state: DraftState, right: int, made: int) -> None:
        state.learn(right, made)
        self._right = _SLOW_FADE * self._right + right
        self._tries = _SLOW_FADE * self._tries + right + (right < made)

    def timed(self, rows: int, width: int, seconds: float) -> None:
        self._times.setdefault((rows, width), deque(maxlen=_SAMPLES)).append(seconds)

    def rate(self, state: DraftState) -> float:
        """How often a guess for this sequence is right."""
        prior = self._right / max(self._tries, 1e-9)
        return (state.right + _PRIOR_TRIES * prior) / (state.tries + _PRIOR_TRIES)

    def width(self, sequences: Sequence[tuple[DraftState, int] | None]) -> int:
        """Rows of each sequence in the next step.

        `sequences`: what is known of each, and the tokens that it may still get; None where guessing is impossible.
        """
        rows, plain = len(sequences), self._seconds(len(sequences), 1)
        if plain is None or not any(sequences):
            return 1
        gains = {width: self._gain(sequences, width) for width in WIDTHS}
        best = max(gains, key=lambda width: gains[width])
        if gains[best] > _LEAST_GAIN:
            self._plain, self._trials, self._interval = 0, 0, _FIRST_INTERVAL
            self._guessing = (self._guessing + 1) % _CHECK_INTERVAL
            return best if self._guessing else 1
        if self._trials:
            self._trials -= 1
            return WIDTHS[0]
        self._plain += 1
        if self._plain < self._until_trial(rows):
            return 1
        self._plain, self._trials = 0, _TRIAL_STEPS - 1
        self._interval = min(2 * self._interval, _MOST_INTERVAL)
        return WIDTHS[0]

    def _until_trial(self, rows: int) -> float:
        """Plain steps between trials."""
        if self._seconds(rows, WIDTHS[0]) is None:  # it may be much faster than estimated
            return _FIRST_INTERVAL
        certain = len(self._times[rows, WIDTHS[0]]) == _SAMPLES
        if certain and self._is_hopeless(rows):
            return _HOPELESS_INTERVAL
        loss = _TRIAL_STEPS * (self._relative(rows, WIDTHS[0]) - 1) + 1  # in plain steps: no guess is right
        return max(self._interval, loss / _TRIAL_SHARE)

    def _is_hopeless(self, rows: int) -> bool:
        best = max(expected(_BEST_RATE, width - 1) / self._relative(rows, width) for width in WIDTHS)
        return best < _LEAST_GAIN

    def _gain(self, sequences: Sequence[tuple[DraftState, int] | None], width: int) -> float:
        """Tokens per second with guesses, as a multiple of those without."""
        tokens = 0.0
        for each in sequences:
            tokens += 1.0 if each is None else min(expected(self.rate(each[0]), width - 1), max(1, each[1]))
        return tokens / len(sequences) / self._relative(len(sequences), width)

    def _relative(self, rows: int, width: int) -> float:
        """Time of a step with guesses, as a multiple of a plain one's."""
        plain = self._seconds(rows, 1)
        for known in (width, *WIDTHS):
            seconds = self._seconds(rows, known)
            if plain is not None and seconds is not None:
                return max(1.0, seconds / plain * self._estimated(rows, width) / self._estimated(rows, known))
        return self._estimated(rows, width)

    def _estimated(self, rows: int, width: int) -> float:
        """The same before it was measured."""
        return (_ROWS_TWICE + rows * width) / (_ROWS_TWICE + rows) + (width - 1) * self._ratio

    def _seconds(self, rows: int, width: int) -> float | None:
        samples = self._times.get((rows, width), ())
        if width > 1 and 0 < len(samples) < _SAMPLES:
            return min(samples)  # the first time, a Program may take longer
        return median(samples) if len(samples) >= _LEAST_PLAIN else None
