{# Shared by types whose codes have `width` more bits (one or two) than the four in `w`. `high` of a word is shifted
   so that the lowest `width` bits of each byte belong to the low nibbles, and those four bits higher to the high
   nibbles. #}

{# Functions: bytes of a nibble and the bits above it as floats, minus the code `zero`. `convert`: with integer-to-float
   conversions, which are fast on a CPU; the caller then subtracts `zero`. #}
{% macro word_functions(convert, width, zero=0) %}
fn bytes4(q: u32) -> vec4<f32> {
{% if convert %}
    return vec4<f32>(vec4(q & 255u, (q >> 8u) & 255u, (q >> 16u) & 255u, q >> 24u));
{% else %}
    let bits = (vec4(q, q, q >> 16u, q >> 16u) & vec4(0xffu, 0xff00u, 0xffu, 0xff00u))
        | vec4(0x4b000000u, 0x47000000u, 0x4b000000u, 0x47000000u);
    return bitcast<vec4<f32>>(bits) - vec4(vec2({{ 8388608 + zero }}.0, {{ 32768 + zero }}.0).xyxy);
{% endif %}
}
{% set mask = "0x30303030u" if width == 2 else "0x10101010u" %}
fn low4(q: u32, high: u32) -> vec4<f32> { return bytes4((q & 0x0f0f0f0fu) | ((high << 4u) & {{ mask }})); }
fn high4(q: u32, high: u32) -> vec4<f32> { return bytes4(((q >> 4u) & 0x0f0f0f0fu) | (high & {{ mask }})); }
{% endmacro %}

{# Function: for types where high_of is one word; bit j of each byte is the lowest bit for word j of the chunk. #}
{% macro high_word() %}
fn high_word(i: u32, j: u32) -> u32 { return high_of(i) >> j; }
{% endmacro %}

{# Functions: for types where high_of is two words, one for the first two words of the chunk and one for the others, at
   word `first` of `s`. #}
{% macro high_words(first) %}
fn high_of(i: u32) -> vec2<u32> {
    let at = {{ first }};
    return vec2(s[at], s[at + 1u]);
}
fn high_word(i: u32, j: u32) -> u32 {
    return s[{{ first }} + (j >> 1u)] >> (2u * (j & 1u));
}
{% endmacro %}

{% macro values(half, q, v, high, width) %}
{% for j in range(4) %}
{% set bits = "%s.%s >> %du" % (high, "xy"[j // 2], j % 2 * 2) if width == 2 else "%s >> %du" % (high, j) %}
        let {{ v }}{{ j }} = low4({{ q }}.{{ "xyzw"[j] }}, {{ bits }});
        let {{ v }}{{ j + 4 }} = high4({{ q }}.{{ "xyzw"[j] }}, {{ bits }});
{% endfor %}
{% endmacro %}
{% macro word_values(q, v, high) %}
        let {{ v }}0 = low4({{ q }}, {{ high }});
        let {{ v }}1 = high4({{ q }}, {{ high }});
{% endmacro %}
{% macro quad(half, quads, two_scales=false) %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let chunk = (row * {{ quads }} + q) >> 3u;
    let word = w[chunk * 4u + (q & 3u)] >> (q & 4u);
    let sc = scale_of(chunk);
    let v = low4(word, high_word(chunk, q & 3u) >> (q & 4u));
{% if two_scales %}
    return v * select(sc.x, sc.y, (q & 4u) != 0u);
{% else %}
    return v * sc.x + sc.y;
{% endif %}
}
{% endmacro %}

{# Statements: {{ v }}0 .. {{ v }}7, four codes each as bytes: weights 0 to 15 of the chunk, then 16 to 31. With a code
   for zero, in the middle, they are signed: code - zero, in the upper bits of the byte, so that its sign is the byte's;
   shifted by 4 - width bits. #}
{% macro whole(q, v, high, width, zero) %}
{% set up = 4 - width if zero else 0 %}
{% set nibbles = {0: "0x0f0f0f0fu", 2: "0x3c3c3c3cu", 3: "0x78787878u"}[up] %}
{% set uppers = {(2, 2): "0xc0c0c0c0u", (1, 3): "0x80808080u", (1, 0): "0x10101010u", (2, 0): "0x30303030u"}[(width, up)] %}
{% if zero %}
        let signs = {{ high }} ^ {{ "vec2(0xaaaaaaaau)" if width == 2 else "0xffffffffu" }};
{% else %}
        let signs = {{ high }};
{% endif %}
{% for j in range(8) %}
{% set word, bits = q ~ "." ~ "xyzw"[j % 4], "signs." ~ "xy"[j % 4 // 2] if width == 2 else "signs" %}
{% set from = (j % 2 * 2 if width == 2 else j % 4) + (4 if j > 3 else 0) %}
        let {{ v }}{{ j }} = ({{ shifted(word, up - (4 if j > 3 else 0)) }} & {{ nibbles }}) | ({{ shifted(bits, 4 + up - from) }} & {{ uppers }});
{% endfor %}
{% endmacro %}
{% macro shifted(word, left) %}{{ "(%s << %du)" % (word, left) if left > 0 else "(%s >> %du)" % (word, -left) if left else word }}{% endmacro %}
