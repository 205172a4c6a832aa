"""Ways to break products of integers."""

from __future__ import annotations

from .mutations import breaks

INTEGERS = (
    breaks("gemm_integers", "weighs the high digits as less", (r" << 8u\) \+ ", " << 7u) + "), weight="q8_0"),
    breaks(
        "gemm_integers", "takes the high digits for the low ones", (r"low_digits\(va\)", "low_digits(va >> vec4(8u))")
    ),
    breaks("gemm_integers", "forgets that digits are signed", (r" \^ vec2\(0x80808080u\)", "")),
    breaks("gemm_integers", "leaves codes 16 to 31 out", (r"high_1\.", "high_0.")),
    breaks(
        "gemm_integers", "takes one scale for both halves", (r"second \* sc(\d)\.y", r"second * sc\1.x"), weight="q6_k"
    ),
    breaks("gemm_integers", "forgets the offset", (r"fma\(sum, sc\d\.y, (c\d+_\d)\)", r"\1"), weight="q4_1"),
    breaks("gemm_integers", "takes the first sum of two", (r"fma\(sum\.y", "fma(sum.x"), weight="q2_k"),
    breaks(
        "gemm_integers", "takes the first word's scale", (r"sc(\d)\.x\.[yzw]", r"sc\1.x.x"), weight=["q3_k", "q2_k"]
    ),
    breaks(
        "gemm_integers", "multiplies the first weights again", (r"let next = min\(u", "let next = min(lane"), k=1024
    ),
    breaks("gemm_integers", "reads past the end of a row", (r"chunk < p\.x_chunks\)", "true)"), k=331),
    breaks("gemm_integers", "drops the last turn", (r"u0 < p\.units;", "u0 + 4u < p.units;"), k=1024),
    breaks("gemm_integers", "drops a lane", (r"subgroupShuffleXor\((c\d+_\d), 1u\)", "0.0")),
    breaks("gemm_integers", "reads the first rows for all", (r"min\(first_m \+ ", "min("), m=19),
    breaks("gemm_integers", "adds the first bias", (r"b\[n\]", "b[0]"), bias=True),
    breaks("gemm_integers", "forgets the residual", (r" \+ r\[i\]", ""), add=True),
    breaks("gemm_integers", "begins at the first column", (r"p\.at \+ ", ""), at=41),
    breaks("row_integers", "forgets the gain", (r"return v \* (gain|g\[c\]);", "return v;"), act="norm"),
    breaks("row_integers", "forgets the root", (r"let root = inverseSqrt\([^;]*;", "let root = 1.0;"), act="norm"),
    breaks("row_integers", "takes the gates for the ups", (r"first \+ p\.cols \+ 4u", "first + 4u"), act="swiglu"),
    breaks("row_integers", "begins at the first column", (r" \+ p\.at;", ";"), at=[40, 42]),
    breaks("row_integers", "reads past the end of a row", (r"< end\)", "< end + 4u)"), hidden=[203, 3]),
    breaks("row_integers", "sums the first half twice", (r"sum_of\(r4, r5, r6, r7\)", "sum_of(r0, r1, r2, r3)")),
    breaks(
        "row_integers",
        "takes a step for four values",
        (r"max\(max\(most\.x, most\.y\), max\(most\.z, most\.w\)\)", "most.x"),
    ),
    breaks("row_integers", "loses signs", (r"& vec4\(0xffffu\)", "& vec4(0x7fffu)")),
)
