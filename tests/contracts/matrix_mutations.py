"""Ways to break the kernels on matrix units."""

from .mutations import breaks

MATRIX = (
    breaks(
        "gemm_matrix",
        "drops the K tail",
        (r"k0 < (p\.k|k_end); k0 \+= (\d+)u", r"k0 + \2u <= \1; k0 += \2u"),
        k=[203, 72],
    ),
    breaks(
        "gemm_matrix", "leaves out the last row", (r"m < p\.m && ", "m + 1u < p.m && "), (r"m >= p\.m", "m + 1u >= p.m")
    ),
    breaks(
        "gemm_matrix", "takes the first columns in every subgroup", (r"u \+ my_n \*", "u + 0u * my_n *"), n=[132, 67]
    ),
    breaks("gemm_matrix", "forgets to scale back", (r"\* \((?:1\.0|0\.015625) / row_scale\[at\]\)", "")),
    breaks("gemm_matrix", "leaves values beyond f16 infinite", (r"\(268u - ", "(280u - "), values="large"),
    breaks("gemm_matrix", "drops the low halves of x", (r"v - vec4\(unpack", "vec4(0.0) * vec4(unpack"), compute="f32"),
    breaks("gemm_matrix", "forgets the residual", (r" \+ r\[i[^\]]*\]", ""), add=True),
    breaks("gemm_matrix", "forgets the bias", (r" \+ b\[n[^\]]*\]", ""), bias=True),
    breaks("gemm_matrix", "starts every block at the first", (r"wid\.z \* p\.block;", "0u * p.block;"), blocks=[3, 5]),
)
