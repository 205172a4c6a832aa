"""Ways to break attention of a decoded token."""

from .mutations import breaks

ATTENTION = (
    breaks("attention_decode", "counts a key too many", (r"= (base \+ member \+ \d+u) < last;", r"= \1 <= last;")),
    breaks("attention_decode", "forgets to rescale", (r"let fix = exp\(top0 - next\);", "let fix = 1.0;")),
    breaks(
        "attention_decode",
        "forgets its own key",
        (r"if \(is_last && exists\)", "if (is_last && !exists)"),
        stored=[None],
    ),
    breaks(
        "attention_decode",
        "sees a key before the window",
        (r"position \+ 1u - p\.window", "position - p.window"),
        window=37,
    ),
    breaks(
        "attention_decode",
        "writes past the cache's end",
        (r" && position < p\.capacity\)", ")"),
        cache="f16",
        stored=[None],
    ),
    breaks("attention_decode", "rounds the page up", (r"position / 64u", "(position + 1u) / 64u"), pages=30),
    breaks("attention_decode", "takes the pages in order", (r"let page = pages\[(.*)\];", r"let page = \1;"), pages=30),
    breaks("attention_decode", "takes the first block's scale", (r">> \(\(\w+ & 4u\) \* 4u\)", ">> 0u"), cache="q8_0"),
    breaks(
        "attention_decode",
        "takes its own key unrounded",
        (r"new_k_(\w+) = quad\(.*;", ""),
        cache="q8_0",
        stored=[None],
    ),
    breaks(
        "attention_decode",
        "forgets its scales",
        (r"if \(lane % 8u == 0u", "if (lane == 99u"),
        cache="q8_0",
        stored=[None],
    ),
    breaks("attention_combine", "counts empty slices", (r"> 0\.0( && s|;)", r">= 0.0\1")),
    breaks(
        "attention_decode",
        "packs sums instead of means",
        (r"packed\((.*) \* select\(0\.0, 1\.0 / \w+, (\w+) > 0\.0\)\)", r"packed(\1 * select(0.0, 1.0, \2 > 0.0))"),
        halves=True,
    ),
    breaks(
        "attention_decode",
        "forgets the first block",
        (r"var sum = qkv\[i\];", "var sum = vec4<f32>();"),
        qkv_blocks=[2, 3],
    ),
    breaks("attention_decode", "takes the first row's blocks", (r"= nwg\.z \* ", "= "), qkv_blocks=[2, 3]),
    breaks(
        "attention_decode",
        "takes a head's first sums for the others",
        (r"first_source \+ i,", "first_source + i % 4u,"),
        qkv_blocks=[2, 3],
    ),
    breaks("attention_decode", "forgets the bias", (r" \+ b\[i % \d+u\]", ""), qkv_bias=True),
    breaks("attention_combine", "packs each first two twice", (r"mean\.zw", "mean.xy"), halves=True),
    breaks("attention_combine", "forgets to rescale", (r"let fix = exp\(top - next\);", "let fix = 1.0;")),
)
