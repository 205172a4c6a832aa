"""Elementwise sum, product and scaling of arrays."""

from ..kernel import case
from ..pieces.each import Elementwise, ragged, streaming_bench

KERNELS = (
    Elementwise("add", "y = a + b", lambda a, b: a + b, "a[i] + b[i]", names=("a", "b"), cases=ragged()),
    Elementwise("mul", "y = a * b", lambda a, b: a * b, "a[i] * b[i]", names=("a", "b"), cases=ragged()),
    Elementwise(
        "scale",
        "y = alpha * x",
        lambda x, alpha: alpha * x,
        "p.alpha * x[i]",
        constants=("alpha",),
        cases=(
            *ragged(alpha=-1.7),
            case("more than 65,535 workgroups of 64: a second grid dimension", n=65_535 * 256 + 5, alpha=0.3),
        ),
        bench_cases=streaming_bench(alpha=0.3),
    ),
)
