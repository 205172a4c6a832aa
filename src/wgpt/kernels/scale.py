"""An array times a number."""

from .elementwise import Elementwise, ragged, streaming_bench
from .kernel import case

KERNEL = Elementwise(
    "scale",
    "y = alpha * x",
    lambda x, alpha: alpha * x,
    constants=("alpha",),
    cases=(
        *ragged(alpha=-1.7),
        case("more than 65,535 workgroups of 64: a second grid dimension", n=65_535 * 256 + 5, alpha=0.3),
    ),
    bench_cases=streaming_bench(alpha=0.3),
)
