"""Ways to break the kernels on matrix units."""

from .expert_mutations import of_grouped_rows
from .mutations import Mutation, breaks


def _backward(kernel: str) -> tuple[Mutation, ...]:
    """Ways to break either gradient of attention."""
    window = (r" & \(vec4\(mine\) - other < [^;]*\)\)", ")"), (r" & \(other - vec4\(mine\) < [^;]*\)\)", ")")
    return (
        breaks(kernel, "forgets out . dout", (r", -mean\d\)", ", vec4<f32>())")),
        breaks(kernel, "leaves values beyond f16 infinite", (r"\(268u - ", "(280u - "), values="large"),
        breaks(kernel, "leaves gradients below f16 zero", (r"scale_for\(sizes\.y\)", "1.0"), values="tiny"),
        breaks(kernel, "takes the first block's sizes", (r"i < \(count \+ 31u\) / 32u", "i < 1u"), values="tiny"),
        breaks(
            kernel,
            "takes another key head",
            (r"keys = cache_of\(wid\.y, head / (\d+)u\)", r"keys = cache_of(wid.y, head % \1u)"),
            heads=4,
        ),
        breaks(kernel, "forgets the window", *window, window=[2, 21]),
        breaks(kernel, "forgets the slope of the cap", (r" \* fma\(t\d, -t\d, vec4\(1\.0\)\)", ""), cap=3.0),
        breaks(kernel, "forgets the scores' scale", (r"\(p\.scale / ", "(1.0 / ")),
    )


MATRIX = (
    breaks(
        "gemm_matrix",
        "drops the K tail",
        (r"k0 < (p\.k|k_end); k0 \+= (\d+)u", r"k0 + \2u <= \1; k0 += \2u"),
        k=203,
    ),
    breaks(
        "gemm_matrix", "leaves out the last row", (r"m < p\.m && ", "m + 1u < p.m && "), (r"m >= p\.m", "m + 1u >= p.m")
    ),
    breaks("gemm_matrix", "takes the first columns in every subgroup", (r"u \+ my_n", "u + 0u * my_n"), n=[132, 67]),
    breaks("gemm_matrix", "forgets to scale back", (r"scale\[.*min\(row, p\.m - 1u\)\]", "1.0")),
    breaks("gemm_matrix", "takes the first block's scales", (r"scale\[part \* p\.m \+ ", "scale["), by_block=True),
    breaks("gemm_matrix", "drops the low halves of x", (r"a\d+_1, b", "a0_0, b"), x_parts=2),
    breaks("gemm_matrix", "reads past a row of x", (r", \([^,;]*\) / 8u \+ at_x\d+ < p\.x_vecs\);", ", true);"), k=40),
    breaks("gemm_matrix", "counts the last band as the others", (r"min\(16u, nwg\.y - band \* 16u\)", "16u"), m=2100),
    breaks("gemm_matrix", "forgets the residual", (r" \+ r\[i[^\]]*\]", ""), add=True),
    breaks("gemm_matrix", "forgets the bias", (r" \+ b\[n[^\]]*\]", ""), bias=True),
    breaks("gemm_matrix", "forgets what is there", (r" \+ y\[i[^\]]*\]", ""), onto=True),
    breaks(
        "gemm_matrix",
        "drops the low halves of weights",
        (r"halves\(u\d+ - high0, [^;]*;", "vec4<u32>();"),
        w_parts=2,
        only="gemm_matrix_exact",
    ),
    breaks(
        "gemm_matrix",
        "takes each first four twice",
        (r"halves\((u\d+), u\d+\)", r"halves(\1, \1)"),
        weight="nf4",
        only="gemm_matrix_nf4",
    ),
    breaks(
        "gemm_matrix",
        "takes two weights for the next two",
        (r"Two\(even\.y, odd\.y\)", "Two(even.x, odd.x)"),
        weight="q4_k",
        only="gemm_matrix_q4_k",
    ),
    breaks("gemm_matrix", "forgets the scales", (r"two\(sc\.x", "two(1.0"), weight="q6_k", only="gemm_matrix_q6_k"),
    breaks("gemm_matrix", "forgets the offsets", (r" \+ offset0", ""), weight="q5_1", only="gemm_matrix_q5_1"),
    breaks(
        "gemm_matrix",
        "takes one scale for both halves",
        (r"two\(sc\.y", "two(sc.x"),
        weight="q6_k",
        only="gemm_matrix_q6_k",
    ),
    breaks(
        "gemm_matrix",
        "takes one scale for all words",
        (r"sc\.x\.[yzw]", "sc.x.x"),
        weight="q2_k",
        only="gemm_matrix_q2_k",
    ),
    breaks(
        "gemm_matrix",
        "unpacks the first units again",
        (r"min\(\(k0 \+ \d+u\) / ", "min(0u * k0 / "),
        across=False,
        weight="q8_0",
        only="gemm_matrix_q8_0",
    ),
    breaks(
        "gemm_matrix",
        "unpacks the first rows again",
        (r"min\(k0 \+ \d+u \+ row_w", "min(row_w"),
        across=True,
        weight="q8_0",
        only="gemm_matrix_q8_0",
    ),
    breaks("gemm_matrix", "starts every block at the first", (r"wid\.z \* p\.block;", "0u * p.block;"), blocks=[3, 5]),
    *of_grouped_rows("expert_matrix", rows=[37], long=37),
    breaks("expert_matrix", "reads the first part of a long tile again", (r" % \d+u \* \d+u;", " * 0u;"), rows=150),
    breaks(
        "expert_matrix", "scales all rows as the first", (r"scale\[pair_of\(row\) / p\.per_row\]", "scale[0]"), rows=37
    ),
    breaks("attention_matrix", "sees a key of the future", (r"(key\d+_\d+) < vec4\(", r"\1 <= vec4(")),
    breaks("attention_matrix", "forgets the window", (r" & \(key\d+_\d+ >= vec4\(keys\d+\.x\)\)", ""), window=37),
    breaks("attention_matrix", "forgets to rescale the results", (r"value \* fix\d+", "value"), values="growing"),
    breaks(
        "attention_matrix", "forgets to rescale the sum", (r"fma\(sum(\d+), fix\d+,", r"(sum\1 +"), values="growing"
    ),
    breaks("attention_matrix", "never scales again", (r"atomicMax\(&grown, step\)", "fix0 = 1.0"), values="growing"),
    breaks("attention_matrix", "leaves values beyond f16 infinite", (r"\(268u - ", "(280u - "), values="large"),
    breaks(
        "attention_matrix",
        "drops the low halves of q",
        (r"halves\(v0 - high\(v0\), v1 - high\(v1\)\)", "vec4<u32>()"),
        only="attention_matrix_exact",
        compute="f32",
    ),
    breaks(
        "attention_matrix",
        "drops the low halves of shares",
        (r"halves\(e(\d)_0 - high\d_0, e\d_1 - high\d_1\)", "vec4<u32>()"),
        only="attention_matrix_exact",
        compute="f32",
    ),
    breaks("attention_matrix", "takes its neighbour's key head", (r"wid\.y \* \d+u / \d+u\)", "0u)"), heads=4),
    breaks("attention_matrix", "takes one head for all that share", (r"\+ sg % \d+u;", ";"), heads=4),
    breaks(
        "attention_matrix",
        "takes all rows for one sequence's",
        (r"if \(rows\[to_row\]\.x != slot\)", "if (false)"),
        slots=3,
    ),
    breaks("attention_matrix", "stays in the first page", (r"position / 64u", "0u"), pages=25),
    breaks(
        "attention_matrix",
        "forgets the cap",
        (r"= capped\(v\.x\)", "= v.x"),
        (r"vec4\(capped\(v\.x\),", "vec4(v.x,"),
        cap=3.0,
    ),
    breaks("attention_matrix", "takes the first head's sink", (r"sinks\[head\]", "sinks[0]"), sinks=True),
    breaks("attention_matrix", "forgets the sink's share", (r"select\(0\.0, 128\.0, h == 0u\)", "0.0"), sinks=True),
    breaks(
        "attention_matrix",
        "leaves values in the keys' order",
        (r"tile\[(\d+u) \+ place \*", r"tile[\1 + key *"),
        heads=4,
    ),
    breaks("attention_matrix", "takes the first four of eight twice", (r"\[at \+ 1u\]", "[at]"), cache="f32"),
    breaks("attention_matrix", "forgets that shares are scaled", (r" - 7\.0 \+ log2", " + log2"), log_sums=True),
    *(broken for side in ("q", "kv") for broken in _backward(f"attention_matrix_backward_{side}")),
    breaks(
        "attention_matrix_backward_q",
        "sees a key of the future",
        (r"\(other <= vec4\(mine\)\)", "(other <= vec4(mine + 1u))"),
    ),
    breaks(
        "attention_matrix_backward_q",
        "drops the last keys",
        (r"base < last; base \+= (\d+)u", r"base + \1u <= last; base += \1u"),
    ),
    breaks(
        "attention_matrix_backward_kv",
        "leaves a key's own row out",
        (r"\(vec4\(mine\) <= other\)", "(vec4(mine) < other)"),
    ),
    breaks("attention_matrix_backward_kv", "takes the last row again", (r"vec4\(other < last\)", "vec4(true)")),
    breaks("attention_matrix_backward_kv", "takes every fourth row's statistics", (r"fs(\d)_[123]\.x", r"fs\1_0.x")),
)
HALVES = (
    breaks("row_halves", "leaves values beyond f16 infinite", (r"\(268u - ", "(280u - "), values="large"),
    breaks("row_halves", "drops the low halves", (r"halves\(v0 - high0, v1 - high1\)", "vec4<u32>()"), parts=2),
    breaks("row_halves", "forgets the gain", (r"return v \* (gain|g\[c\]);", "return v;"), act="norm"),
    breaks("row_halves", "forgets the root", (r"let root = inverseSqrt\([^;]*;", "let root = 1.0;"), act="norm"),
    breaks("row_halves", "takes the gates for the ups", (r"first \+ p\.cols \+ 4u", "first + 4u"), act="swiglu"),
    breaks("row_halves", "begins at the first column", (r" \+ p\.at;", ";"), at=[40, 42]),
    breaks("row_halves", "reads past the end of a row", (r"< end\)", "< end + 4u)"), hidden=[203, 3]),
    breaks("sum_halves", "forgets the first block", (r"var sum = sums\[i\];", "var sum = sums[i] * 0.0;")),
    breaks("sum_halves", "takes the next row for the next block", (r" \* p\.rows \* p\.chunks\]", " * p.chunks]")),
    breaks(
        "sum_halves",
        "norms without the residual",
        (r" \+ r\[i\];\n    y\[i\] = sum;", ";\n    y[i] = sum + r[i];"),
        add=True,
    ),
    breaks("sum_halves", "forgets the bias", (r" \+ b\[c\]", ""), bias=True),
    breaks("sum_halves", "forgets the gain", (r"return g\[c\];", "return vec4(1.0);")),
    breaks("sum_halves", "takes half a row for its size", (r" \+ high(\d) \* high\d;", ";")),
    breaks("sum_halves", "leaves values beyond f16 infinite", (r"\(268u - ", "(280u - "), values="large"),
    breaks("sum_halves", "goes on into the next row", (r"if \(c >= p\.chunks\)", "if (false)"), hidden=[68, 1004]),
    breaks("gate_halves", "takes the gates for the ups", (r"summed\(\(2u \* m \+ 1u\)", "summed((2u * m)")),
    breaks(
        "gate_halves",
        "takes the next row for the next sum",
        (r" \* \(p\.rows / \d+u\) \* p\.chunks\]", " * p.chunks]"),
        sums=3,
    ),
    breaks("gate_halves", "leaves values beyond f16 infinite", (r"\(268u - ", "(280u - "), values="large"),
    breaks("gate_halves", "scales by the first block", (r"let first = z \* p\.block_vecs;", "let first = 0u * z;")),
    breaks("gate_halves", "goes on into the next block", (r"min\(2u \* .*, p\.chunks\)", "p.chunks"), values="scales"),
    breaks("gate_halves", "reads past the end of a row", (r"if \(c >= end\)", "if (false)"), hidden=[300, 9004]),
)
