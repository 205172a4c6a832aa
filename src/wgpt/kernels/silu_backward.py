"""Gradient of SiLU."""

from .elementwise import Elementwise, extremes, logistic, ragged

KERNEL = Elementwise(
    "silu_backward",
    "dx = dy * s(x) * (1 + x - x * s(x)), s the logistic function",
    lambda x, dy: dy * logistic(x) * (1.0 + x * logistic(-x)),
    operands=("x", "dy"),
    result="dx",
    work=9,
    cases=(*ragged(), *extremes()),
)
