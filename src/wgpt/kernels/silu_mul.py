"""The gate of SwiGLU: SiLU of one projection times the other."""

from .elementwise import Elementwise, extremes, logistic, ragged

KERNEL = Elementwise(
    "silu_mul",
    "y = gate / (1 + exp(-gate)) * up",
    lambda gate, up: gate * logistic(gate) * up,
    operands=("gate", "up"),
    work=6,
    cases=(*ragged(), *extremes()),
)
