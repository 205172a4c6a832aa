"""Ways to break what only encoders need: attention in both directions, exact GELU in a gate."""

from .mutations import breaks

ENCODERS = (
    breaks("attention_encode", "sees the next text's first row", (r"< keys(\d+)\.y;", r"<= keys\1.y;")),
    breaks("attention_encode", "sees the texts before its own", (r"key\d+ >= keys\d+\.x && ", "")),
    breaks(
        "attention_encode",
        "sees nothing behind itself",
        (r"return select\(at, ", "return select(vec2(at.x, row + 1u), "),
    ),
    breaks("attention_encode", "forgets the window", (r"p\.window != 0u", "false"), window=[17, 1, 12]),
    breaks(
        "attention_encode", "has a window on one side only", (r"row \+ p\.window \+ 1u", "row + 1u"), window=[17, 1, 12]
    ),
    breaks(
        "attention_encode",
        "has a window that is one too short",
        (r"row \+ p\.window \+ 1u", "row + p.window"),
        window=[17, 1],
    ),
    breaks(
        "attention_encode",
        "lets the window wrap around",
        (r"max\(row, p\.window\) - p\.window", "row - p.window"),
        window=4000,
    ),
    breaks(
        "attention_encode", "takes its neighbour's key head", (r"head / (\d+)u\)", r"head % \1u)"), kv_heads=[2, 12]
    ),
    breaks("attention_encode", "adds up 0 times what other texts hold", (r"if \(seen\d+_\d+\) \{", "if (true) {")),
    breaks("attention_encode", "forgets to rescale", (r"let fix = exp\(top0 - next\);", "let fix = 1.0;")),
    breaks("geglu", "drops a term of the error function", (r"0\.37409196 \+ t", "0.37 + t"), approximate="erf"),
)
