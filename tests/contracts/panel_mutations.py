"""Ways to break the product of the few rows of a batch."""

from .mutations import breaks

PANEL = (
    breaks("gemm_fused", "forgets the root of the norm", (r" \* root", ""), norm=True),
    breaks("gemm_fused", "forgets eps", (r"(inverseSqrt\([^;]*) \+ [\d.e-]+\);", r"\1);"), values="small"),
    breaks("gemm_fused", "forgets the gains", (r"let a = (\w+) \* \w+;", r"let a = \1;"), norm=True),
    breaks("gemm_fused", "takes the gate for the up", (r"let up = [^;]*;", "let up = gate;"), act="swiglu"),
    breaks("gemm_fused", "forgets a group of threads", (r"let s0 = sums\[at \+ 0u\]", "let s0 = 0.0"), norm=True),
)
