"""Ways to break the decoding of GGUF's types with tables, grids and two bits, as in mutations.py."""

from __future__ import annotations

from .mutations import breaks

QUANTISED = (
    breaks(
        "gemv",
        "reads the scale of the block before",
        (r"select\(pair\.x, pair\.y, \(i & 1u\) == 1u\)", "select(pair.x, pair.y, (i & 1u) == 0u)"),
        only="gemv_iq4_nl",
        weight="iq4_nl",
    ),
    breaks("gemm", "has a wrong value in the table", (r"-104\.0", "-103.0"), only="gemm_iq4_nl", weight="iq4_nl"),
    breaks("gemv", "drops the upper bits of scales", (r"& 0x30u", "& 0u"), only="gemv_iq4_xs", weight="iq4_xs"),
    breaks("embed", "takes scales around 31", (r"8388640\.0", "8388639.0"), only="embed_iq4_xs", weight="iq4_xs"),
    breaks("gemv", "reads exponents of halves", (r"<< 23u", "<< 22u"), only="gemv_mxfp4", weight="mxfp4"),
    breaks(
        "gemm",
        "takes the exponent of the first block of four",
        (r"\(8u \* \(i & 3u\)\)", "0u"),
        only="gemm_mxfp4",
        weight="mxfp4",
    ),
    breaks("gemv", "adds the minimum", (r"-steps\.y", "steps.y"), only="gemv_q2_k", weight="q2_k"),
    breaks(
        "embed",
        "takes the scale of another word",
        (r"8u \* \(i & 3u\)", "8u * (~i & 3u)"),
        only="embed_q2_k",
        weight="q2_k",
    ),
    breaks("gemv", "drops the third bit", (r"& 0x01010101u\) << 2u", "& 0u) << 2u"), only="gemv_q3_k", weight="q3_k"),
    breaks(
        "gemm", "takes another code for zero", (r"<< 2u\), 4\.0\)", "<< 2u), 3.0)"), only="gemm_q3_k", weight="q3_k"
    ),
    breaks(
        "gemm_input_grad",
        "reads the low bits of another quad",
        (r"word >> \(2u \* j\)", "word >> (2u * (j ^ 1u))"),
        weight="q3_k",
    ),
    breaks("gemv", "forgets the signs", (r"minus \* 255u", "minus * 0u"), only="gemv_iq2_xxs", weight="iq2_xxs"),
    breaks(
        "gemm",
        "reads half of the scale",
        (r"\(w\[i \| 1u\] >> 30u\)", "(w[i] >> 30u)"),
        only="gemm_iq2_xxs",
        weight="iq2_xxs",
    ),
    breaks("embed", "leaves out the eighth sign", (r"<< 7u\)", "<< 8u)"), only="embed_iq2_xs", weight="iq2_xs"),
    breaks(
        "gemv",
        "has 24 for 25 and 42 for 43",
        ("0x33333333u", "0x32323232u"),
        only="gemv_iq2_xs",
        weight="iq2_xs",
    ),
    breaks(
        "gemv", "drops the upper bits of entries", (r"& 3u\) << 8u", "& 0u) << 8u"), only="gemv_iq2_s", weight="iq2_s"
    ),
    breaks(
        "embed",
        "takes four signs for eight",
        (r"16u \+ 4u \* j", "16u + 8u * (j >> 1u)"),
        only="embed_iq2_s",
        weight="iq2_s",
    ),
    breaks(
        "gemv",
        "takes the signs of another word",
        (r"14u \* \(i & 1u\)", "14u * (~i & 1u)"),
        only="gemv_iq3_xxs",
        weight="iq3_xxs",
    ),
    breaks("gemm", "rounds scales down", (r"\* 0\.5 \+ 0\.25", "* 0.5"), only="gemm_iq3_xxs", weight="iq3_xxs"),
    breaks("gemv", "drops the ninth bit of entries", ("& 256u", "& 0u"), only="gemv_iq3_s", weight="iq3_s"),
    breaks(
        "gemm",
        "reads scales of 16 weights",
        (r"4u \* \(\(i >> 1u\) & 7u\)", "4u * (i & 7u)"),
        only="gemm_iq3_s",
        weight="iq3_s",
    ),
)
