"""Ways to break the kernels of layers with states."""

from __future__ import annotations

from .mutations import breaks

STATES = (
    breaks(
        "short_conv", "reads the state of an older sequence", (r"if \(place\.y >= \d+u\) \{ past", "if (true) { past")
    ),
    breaks("short_conv", "leaves the state as it was", (r"state\[home \+ 0u \* p\.n\] = past0;", "")),
    breaks("short_conv", "forgets the gate", (r"x\[row \* p\.stride \+ p\.n \+ c\] \* sum", "sum"), gated=True),
    breaks("short_conv", "forgets the SiLU", (r"sum \* logistic\(sum\)", "sum"), silu=True),
    breaks(
        "short_conv",
        "takes the row before it for its own sequence's",
        (r"return r < p\.rows && all\(rows\[r\] == place\);", "return r < p.rows;"),
    ),
    breaks(
        "short_conv", "writes the state of the wrong slot", (r"let home = place\.x \*", "let home = place.x / 2u *")
    ),
    breaks("delta_rule", "reads the state of an older sequence", (r"if \(place\.y > 0u\) \{", "if (true) {")),
    breaks("delta_rule", "takes the other order of k heads", (r"head / 2u;", "head % 2u;"), tiled=False),
    breaks("delta_rule", "forgets to decay", (r"let decay = exp\([^;]*;", "let decay = 1.0;")),
    breaks("delta_rule", "forgets what it knows", (r"v - decay \* known \* k_scale", "v")),
    breaks(
        "delta_rule", "begins again with every row", (r"for \(var n = 0u; ", "for (var n = 0u; n < 1u && "), slots=3
    ),
    breaks("delta_rule", "takes b for a", (r"p\.at \+ \d+u \+ head", "p.at + head")),
    breaks("delta_rule", "leaves the state as it was", (r"state\[home \+ 0u\] = s0;|state\[[^\]]*\] = s\[i\];", "")),
    breaks("delta_rule", "forgets the second grid dimension", (r"wid\.x \+ wid\.y \* nwg\.x", "wid.x"), v_dim=4),
    breaks("without_gates", "takes the gates", (r"column \+ behind", "column")),
    breaks(
        "gate_heads",
        "takes the values for the gates",
        (r"\(column / p\.dim \+ 1u\) \* p\.dim", "column / p.dim * p.dim"),
    ),
    breaks("gated_norm", "takes the first head's gates", (r" \+ row % p\.heads \* p\.chunks", "")),
    breaks("gated_norm", "forgets the norm", (r"g\[c\] \* r \*", "g[c] *")),
)
