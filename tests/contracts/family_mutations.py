"""Ways to break what only some families need: soft caps, other activations."""

from .mutations import breaks

FAMILIES = (
    breaks(
        "geglu",
        "takes SiLU",
        (r"y\[i\] = gelu\(gate\)", "y[i] = gate * logistic(gate)"),
        (r"gelu\(vec4\(gate\)\)\.x", "gate"),
    ),
    breaks("geglu", "takes the next row's ups", (r"2u \* p\.width", "p.width")),
    breaks("norm_slice", "takes the first slice", (r" \+ p\.at;", ";")),
    breaks("norm_slice", "forgets the gains", (r"g\[c\] \* r", "r")),
    breaks("norm_slice", "forgets eps", (r" \+ p\.eps", ""), values="small"),
    breaks("softcap", "forgets the cap", (r"p\.cap \* tanh_of\(x\[i\] / p\.cap\)", "tanh_of(x[i])")),
    breaks("softcap", "loses the sign", (r"sign\(x\) \* ", ""), cap=1.3),
    breaks(
        "softcap",
        "cuts off instead",
        (r"p\.cap \* tanh_of\(x\[i\] / p\.cap\)", "clamp(x[i], vec4(-p.cap), vec4(p.cap))"),
    ),
    breaks("attention_decode", "caps only the cached keys", (r"(new\d+) = capped\(\1\);", ""), cap=[3.0, 1.5]),
    breaks("attention_decode", "forgets the cap", (r"(s\d+_\d+) = capped\(\1\);", ""), cap=[3.0, 1.5]),
    breaks(
        "attention_decode", "rotates the rest", (r"at_a(\d+) = piece\1 \+ .*;", r"at_a\1 = piece\1;"), rotary=[96, 8]
    ),
    breaks("attention_decode", "forgets the factor", (r"select\(1\.0, 1\.2, ", "select(1.0, 1.0, "), amplitude=1.2),
    breaks("rope_cache", "rotates the rest", (r"at_a = unit \+ .*;", "at_a = unit;"), rotary=[96, 16]),
    breaks("rope_cache", "mixes v up as well", (r"select\((at_[ab]), [^)]*, is_v\)", r"\1"), rotary=[96, 16]),
    breaks("rope_cache_backward", "mixes v up as well", (r"select\((at_[ab]), [^)]*, is_v\)", r"\1"), rotary=[96, 16]),
    breaks("rope_cache_backward", "forgets the factor", (r"select\(1\.0, 1\.2, ", "select(1.0, 1.0, "), amplitude=1.2),
    breaks("attention_prefill", "forgets the cap", (r"(s\d+_\d+) = capped\(\1\);", ""), cap=[3.0, 1.5]),
)
