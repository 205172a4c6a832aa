"""Ways to break what layers with caches and inputs of their own need."""

from .mutations import breaks

LATENT = (
    breaks("rope_cache", "does not normalise values", (r"if \(is_v\) \{\s+x1 \*= r;\s+x2 \*= r;", "{"), v_norm=True),
    breaks(
        "rope_cache",
        "takes the next row's first head for values",
        (r"select\(head, head - \d+u, is_v\)", "head"),
        v_is_k=True,
    ),
    breaks(
        "rope_cache", "writes queries of padding", (r"select\(vec4<f32>\(\), x([12]), exists\)", r"x\1"), stored=True
    ),
    breaks(
        "attention_decode",
        "does not normalise values",
        (r"new_v_(\d+)([ab]) \*= inverseSqrt\(squares_new_v[^;]*;", ""),
        v_norm=True,
    ),
    breaks("attention_decode", "leaves out the row's own key", (r"min\(position \+ 1u,", "min(position,"), stored=True),
    breaks(
        "add_times", "does not multiply the first operand", (r"\(a\[i\] \+ b\[i\]\) \* s\[0\]", "a[i] + b[i] * s[0]")
    ),
    breaks("gate_slice", "takes the first layer's columns", (r"p\.stride \+ p\.at \+", "p.stride +"), at=[64, 13, 3]),
    breaks(
        "gate_slice", "takes rows of the gates' width", (r"i / p\.width \* p\.stride", "i / p.width * p.width"), rows=5
    ),
)
