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
    breaks(
        "rope_cache",
        "pairs other latent dimensions",
        (r"select\(64u, 1u, turns\)", "select(1u, 1u, turns)"),
        latent=512,
    ),
    breaks(
        "attention_decode",
        "returns the rotated dimensions, too",
        (r" - \(e / \d+u \+ 1u\) \* \d+u", ""),
        latent=[512, 64, 24],
    ),
    breaks(
        "attention_prefill",
        "returns the rotated dimensions, too",
        (r" - \(e\d+[ab] / \d+u \+ 1u\) \* \d+u", ""),
        latent=[512, 64, 24],
    ),
    breaks("latent_rows", "takes the key's parts in their order", (r"select\(e - \d+u, e \+ \d+u, turns\)", "e")),
    breaks("take_columns", "takes the first columns", (r"p\.stride \+ p\.at \+", "p.stride +"), at=[16, 3]),
    breaks("count_up", "counts on", (r"i % p\.period", "i"), n=1003),
)
