"""Ways to break the layouts of q, k and v (kernels/attention/head_layout.py)."""

from .mutations import breaks

_SECONDS = (r"let seconds = vec4\((\w+)\.yw, (\w+)\.yw\)", r"let seconds = vec4(\1.zw, \2.zw)")
_STEADILY = (r"f32\(position / 16u\)", "f32(position) / 16.0")
_REST = (r"at_a(\d*) = pair\1 \+ .*;", r"at_a\1 = pair\1;")
_V_IS_K = (r"select\((\d+)u, \d+u, is_v\), is_k\)", r"\1u, is_k)")

LAYOUTS = (
    breaks("rope_cache", "takes other neighbours", _SECONDS, interleaved=True),
    breaks(
        "rope_cache", "turns neighbours beyond the rotated part", (r"let turns = .*;", "let turns = true;"), rotary=24
    ),
    breaks("rope_cache", "takes k for v of a head", _V_IS_K, by_head=True),
    breaks("rope_cache", "takes rotated dimensions for the rest", _REST, rotary=[14, 20]),
    breaks("rope_cache", "mixes v up as ragged keys", (r"select\((at_[ab]), [^)]*, is_v\)", r"\1"), rotary=20),
    breaks("rope_cache_backward", "takes rotated dimensions for the rest", _REST, rotary=[14, 20]),
    breaks(
        "rope_cache_backward", "lengthens all of a unit", (r"select\(vec4\(1\.0\), (.*), turns\)", r"\1"), rotary=14
    ),
    breaks("attention_decode", "takes rotated dimensions for the rest", _REST, rotary=[14, 20]),
    breaks("rope_cache", "lets queries grow steadily", _STEADILY, growth=0.3),
    breaks("rope_cache", "lets keys grow, too", (r"if \(!is_k\) \{\s+let grown", "{ let grown"), growth=0.3),
    breaks(
        "rope_cache_backward",
        "puts neighbours elsewhere",
        (r"let later = vec4\(g1\.z", "let later = vec4(g1.w"),
        interleaved=True,
    ),
    breaks("rope_cache_backward", "writes v over k of a head", _V_IS_K, by_head=True),
    breaks("rope_cache_backward", "forgets how queries grow", (r"g([12]) \*= grown;", ""), growth=0.3),
    breaks("attention_decode", "takes other neighbours", _SECONDS, interleaved=True),
    breaks(
        "attention_decode", "takes the first group's queries", (r"first_head \+ 2u \* kv", "first_head"), by_head=True
    ),
    breaks("attention_decode", "takes k for v of a head", (r"key_source \+ \d+u", "key_source"), by_head=True),
    breaks("attention_decode", "lets queries grow steadily", _STEADILY, growth=0.3),
)
