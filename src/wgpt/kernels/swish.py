"""Swish: SiLU with a slope."""

from .elementwise import Elementwise, extremes, logistic, ragged, streaming_bench

KERNEL = Elementwise(
    "swish",
    "y = x / (1 + exp(-beta * x))",
    lambda x, beta: x * logistic(beta * x),
    constants=("beta",),
    work=6,
    cases=(*ragged(beta=1.702), *extremes(beta=1.702), *extremes(beta=-0.5)),
    bench_cases=streaming_bench(beta=1.702),
)
