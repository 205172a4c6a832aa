"""Ways to break the kernels of mixtures of experts."""

from __future__ import annotations

from .mutations import Mutation, breaks


def of_grouped_rows(kernel: str, rows: list[int], long: int) -> tuple[Mutation, ...]:
    """Ways to break a product of rows grouped by expert; `rows` and `long` are those of the cases that show it."""
    return (
        breaks(kernel, "takes the rows in their order", (r"order\[(min\([^]]*)\]; \}", r"\1; }"), rows=rows),
        breaks(kernel, "takes the first expert for all", (r"places\.x \* p\.stride", "0u"), rows=rows),
        breaks(kernel, "leaves out the last row of a tile", (r"u >= places\.z", "u + 1u >= places.z"), rows=long),
        breaks(
            kernel, "takes the gates for the ups", (r"select\(0u, p\.apart, column >= p\.first_up\)", "0u"), rows=37
        ),
        breaks(kernel, "adds the bias of a neighbour", (r"b\[row_of\(n\)\]", "b[row_of(n) + 1u]"), bias=True),
    )


EXPERTS = (
    breaks("router", "takes the last of equal experts", (r"< vec4\(e\)", "> vec4(e)"), experts=40),
    breaks(
        "router",
        "weighs by what experts are chosen by",
        (r"best\[place\] = (.*);", r"best[place] = \1 + bias[e];"),
        bias=True,
    ),
    breaks("router", "reads rows without the column behind the experts", (r"row \* p\.width", r"row * 60u"), width=61),
    breaks("router", "forgets every fourth expert", (r"\(better\.z \+ better\.w\)", "better.z"), experts=128),
    breaks("router", "counts what is behind the last expert", (r", there\)", ", vec4(true))"), experts=6, norm=False),
    breaks("router", "does not subtract the maximum", (r" - peak\)", ")"), values="extreme"),
    breaks("router", "keeps experts of all groups", (r"if \(better >= \d+u\) \{ key\[i\] = 0u; \}", ""), groups=8),
    breaks(
        "router",
        "takes the best expert of a group for its two best",
        (r"number_of\(first\) \+ number_of\(second\)", "number_of(first)"),
        group_sum=2,
    ),
    breaks("router", "forgets the second grid dimension", (r"wid\.x \+ wid\.y \* nwg\.x", "wid.x"), rows=65_539),
    breaks("router", "forgets the scale", (r"= [^=]* \* part", "= part"), scale=[0.4, 2.5, 16.0]),
    breaks("router", "forgets the experts' factors", (r" \* factors\[e\]", ""), factors=True),
    breaks("router", "takes the factors in their order", (r"factors\[e\]", "factors[j]"), factors=True),
    breaks("expert_sum", "begins with the first result", (r"var sum = .*;", "var sum = x[i];"), alone=True),
    breaks("expert_gemv", "takes SiLU", (r"= gelu\(vec4\((v\d+)\)\)\.x", r"= \1 * logistic(vec4(\1)).x"), act="geglu"),
    breaks("expert_sort", "begins every expert at the same place", (r"first \+= count;", ""), experts=[60, 128]),
    breaks(
        "expert_sort",
        "forgets the last pair of a thread",
        (r"let end = min\(begin \+ span, p\.pairs\);", "let end = min(begin + span, p.pairs) - 1u;"),
        pairs=1003,
    ),
    breaks("expert_sort", "leaves the empty tiles as they are", (r"tiles\[i\] = vec4<u32>\(\);", ""), experts=128),
    breaks(
        "expert_sort",
        "takes the next expert's pairs into a tile",
        (r"min\(begins \+ (\d+)u, last\)", r"begins + \1u"),
        pairs=1003,
    ),
    breaks(
        "expert_gemv",
        "takes the first expert for all",
        (r"expert = ids\[[\w.]+\];", "expert = ids[0];"),
        (r"return \(ids\[[^]]+\]", "return (ids[0]"),
    ),
    breaks("expert_gemv", "takes the gate for the up", (r"from(\d+) \+ \d+u;", r"from\1;"), act="swiglu"),
    breaks(
        "expert_gemv",
        "forgets the weights of the sum",
        (r" \* gate; \}", "; }"),
        (r" \* gate; \} return", "; } return"),
        (r"\] \* gate;", "];"),
        gather="sum",
    ),
    breaks("expert_gemv", "adds a bias unweighted", (r"gate \* b\[", "b["), gather="sum", bias=True),
    breaks("expert_gemv", "does not limit the up", (r"clamp\(up, vec4\(-7\.0\), vec4\(7\.0\)\)", "up"), values="huge"),
    *of_grouped_rows("expert_gemm", rows=[37, 41], long=300),
    breaks("swiglu_clamped", "does not limit the gate", (r"let g = min\(gate, vec4\([^)]*\)\);", "let g = gate;")),
    breaks("attention_decode", "counts sinks in every slice", (r"if \(is_last && exists\)", "if (exists)"), sinks=True),
    breaks("attention_decode", "forgets the sinks", (r" \+ exp\(sink\d - top\d\)", ""), sinks=True),
    breaks("attention_prefill", "has a sink in every team", (r"if \(walker == 0u\)", "if (walker < 99u)"), sinks=True),
    breaks("attention_prefill", "takes the first head's sink", (r"sinks\[head\]", "sinks[0]"), sinks=True),
    breaks("expert_sum", "forgets the last expert", (r"j < \(row \+ 1u\) \* p\.top;", "j + 1u < (row + 1u) * p.top;")),
    breaks("add_gated", "takes the first column for the gate", (r"p\.stride \+ p\.at", "p.stride"), stride=[61, 5]),
)
