{% import "weights/_table.wgsl" as T %}
{% macro codebook(shared) %}{{ T.codebook(shared, "e2m1", weight_type("mxfp4").table) }}{% endmacro %}
{% macro functions(convert) %}

// A power of two by its exponent; the two smallest are subnormal.
fn scale_from(bits: u32, i: u32) -> vec2<f32> {
    let e = (bits >> (8u * (i & 3u))) & 255u;
    return vec2(bitcast<f32>(select((e - 1u) << 23u, 0x00200000u << e, e < 2u)), 0.0);
}
fn scale_of(i: u32) -> vec2<f32> { return scale_from(s[i >> 2u], i); }
{% endmacro %}
{% macro values(half, q, v, high) %}{{ T.values(q, v, "e2m1") }}{% endmacro %}
{% macro word_values(q, v, high) %}{{ T.word_values(q, v, "e2m1") }}{% endmacro %}
{% macro quad(half, quads) %}{{ T.quad(quads, "e2m1") }}{% endmacro %}

{# With bits b3 b2 b1 b0, the magnitude is b2b1b0 + (b2 ? b1b0 : 0) + (b2b1b0 = 7 ? 2 : 0), at most 12: eight of them
   are computed at once, in the nibbles. Bytes of 128 plus or minus a magnitude have no carries. #}
{% macro whole(q, v, high) %}
{% for j in range(4) %}
{% set word = q ~ "." ~ "xyzw"[j] %}
        let more{{ j }} = {{ word }} & (3u * (({{ word }} >> 2u) & 0x11111111u));
        let size{{ j }} = ({{ word }} & 0x77777777u) + more{{ j }} + (more{{ j }} & (more{{ j }} << 1u) & 0x22222222u);
        let {{ v }}{{ j }} = signed4(size{{ j }} & 0x0f0f0f0fu, ({{ word }} >> 3u) & 0x01010101u);
        let {{ v }}{{ j + 4 }} = signed4((size{{ j }} >> 4u) & 0x0f0f0f0fu, ({{ word }} >> 7u) & 0x01010101u);
{% endfor %}
{% endmacro %}
{% macro whole_functions() %}
fn signed4(size: u32, minus: u32) -> u32 {
    return (((size | 0x80808080u) ^ (255u * minus)) + minus) ^ 0x80808080u;
}
{% endmacro %}
{% macro scale_parts() %}
fn scale_bits(i: u32) -> u32 { return s[i >> 2u]; }
{% endmacro %}
