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
)
