"""SiLU: x times its logistic."""

from .elementwise import Elementwise, extremes, logistic, ragged

KERNEL = Elementwise(
    "silu",
    "y = x / (1 + exp(-x))",
    lambda x: x * logistic(x),
    work=5,
    cases=(*ragged(), *extremes()),
)
