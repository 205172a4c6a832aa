"""Learning rates are transformers'; no GPU."""

from __future__ import annotations

import pytest

from wgpt.core.errors import PreconditionError
from wgpt.train import schedule

from . import golden

# What transformers' get_*_schedule_with_warmup give: (kind, total, warm-up) -> steps 0, 1, 2, 5, 9, 10, 12.
THEIRS = {
    ("cosine", 10, 0): [
        0.1,
        0.09755282581475769,
        0.09045084971874738,
        0.05,
        0.0024471741852423235,
        0.0,
        0.009549150281252623,
    ],
    ("cosine", 10, 4): [0.0, 0.025, 0.05, 0.09330127018922195, 0.006698729810778065, 0.0, 0.02499999999999998],
    ("cosine", 10, 12): [
        0.0,
        0.008333333333333333,
        0.016666666666666666,
        0.04166666666666667,
        0.07500000000000001,
        0.08333333333333334,
        0.1,
    ],
    ("linear", 10, 0): [0.1, 0.09000000000000001, 0.08000000000000002, 0.05, 0.010000000000000002, 0.0, 0.0],
    ("linear", 10, 4): [0.0, 0.025, 0.05, 0.08333333333333334, 0.016666666666666666, 0.0, 0.0],
    ("linear", 10, 10): [0.0, 0.010000000000000002, 0.020000000000000004, 0.05, 0.09000000000000001, 0.0, 0.0],
    ("constant", 10, 0): [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
    ("constant", 10, 4): [0.0, 0.025, 0.05, 0.1, 0.1, 0.1, 0.1],
}


@pytest.mark.parametrize(("arguments", "expected"), THEIRS.items(), ids=str)
def test_as_transformers(arguments, expected):
    kind, total, warmup = arguments
    rates = [schedule.rate(kind, step, total, 0.1, warmup) for step in (0, 1, 2, 5, 9, 10, 12)]
    assert rates == pytest.approx(expected, rel=1e-15, abs=1e-18)


def test_the_golden_curves():
    for curve in golden.load("gpt2").curves.values():
        rates = [schedule.rate("cosine", i, golden.STEPS, golden.RATE, golden.WARMUP) for i in range(golden.STEPS)]
        assert rates == pytest.approx(curve.rates.tolist(), rel=1e-15)


def test_what_cannot_be():
    for arguments in (("cosinus", 0, 1), ("cosine", -1, 1), ("cosine", 0, 0), ("linear", 0, 1, -1)):
        with pytest.raises(PreconditionError):
            schedule.factor(*arguments)
