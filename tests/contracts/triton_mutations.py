"""Ways to break the kernels that are written in Triton, in the WGSL that they were compiled to."""

from .mutations import breaks

_EPS = (r" \+ p\.a\d+_eps\)", ")")
_SCALE = (r" \* p\.a\d+_scale\)", ")")


def _last(number: str) -> tuple[str, str]:
    """The last element, row or column of so many is left out."""
    return rf"\((\w+) < (p\.a\d+_{number})\)", r"(\1 + 1i < \2)"


TRITON = (
    breaks("triton_rmsnorm", "forgets eps", _EPS),
    breaks("triton_layernorm", "forgets eps", _EPS),
    breaks("triton_gelu", "forgets the cube", (r"\* 0\.044715f", "* 0.0f")),
    breaks("triton_add", "leaves out the last element", _last("n")),
    breaks("triton_swiglu", "leaves out the last element", _last("count")),
    breaks("triton_gemv_fused", "leaves out the last row", _last("n")),
    breaks("triton_gemv_fused", "drops the last entry of x", _last("k"), weight="q4_1"),
    breaks("triton_gemm_fused", "leaves out the last column", _last("n")),
    breaks("triton_rope_cache", "leaves out the last query head", _last("heads")),
    breaks("triton_rope_cache", "forgets eps", _EPS, qk_norm=True),
    breaks("triton_rope_cache", "takes q's gains for k", (r"select\(p\.a\d+_d, 0i, ", "select(0i, 0i, "), qk_norm=True),
    breaks("triton_attention_decode", "forgets the scale", _SCALE),
    breaks("triton_attention_decode", "leaves out the square root", (r"sqrt\((\w+)\)", r"(\1)"), qk_norm=True),
    breaks("triton_attention_decode", "looks at slice 0 alone", (r"\bpid_x\b(?! =)", "0i"), splits=3),
    breaks("triton_attention_combine", "counts empty slices", (r"> 0\.0f\)", ">= 0.0f)")),
    breaks("triton_attention_prefill", "forgets the scale", _SCALE),
    breaks("triton_embed", "leaves out the last column", _last("k")),
    breaks("triton_take_rows", "leaves out the last column", _last("k")),
    breaks("triton_argmax_parts", "takes a NaN for a number", (r"> 2139095040u", "> 4294967294u")),
    breaks("triton_begin_step", "moves idle rows on", (r"!= \(-1i\)", "!= (-2i)")),
    breaks("triton_argmax_pick", "moves idle rows on", (r"!= \(-1i\)", "!= (-2i)")),
)
