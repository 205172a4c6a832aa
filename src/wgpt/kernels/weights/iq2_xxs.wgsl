{% import "weights/_words.wgsl" as W %}
{% import "weights/_grid.wgsl" as G %}
{% set word_values, quad = W.word_values, W.quad %}
{% set head = weight_type("iq2_xxs").head | length %}
{% macro functions(convert, threads, by_chunks) %}
{{ G.grid(head, convert, threads, evenly="shared") -}}
{{ G.levels() -}}
fn bytes_of(word: u32, j: u32) -> u32 {
    let eight = j >> 1u;
    let minus = even4((word >> (16u + 7u * eight)) & 127u, j & 1u);
    return signed4(level4(grid_at((word >> (8u * eight)) & 255u), j & 1u), minus);
}
{{ G.quad_of() -}}
{% if not by_chunks %}
// Two bits of the scale are in each of two words.
fn scale_of(i: u32) -> vec2<f32> {
    let four = (w[i & ~1u] >> 30u) | ((w[i | 1u] >> 30u) << 2u);
    let pair = unpack2x16float(s[{{ head }}u + (i >> 5u)]);
    return vec2(select(pair.x, pair.y, (i & 16u) != 0u) * (f32(four) * 0.25 + 0.125), 0.0);
}
{% endif %}
{% endmacro %}
{% macro scale_parts() %}
fn both_scales(q: vec4<u32>) -> u32 {
    let two = q >> vec4(30u);
    return two.x | (two.y << 2u) | (two.z << 4u) | (two.w << 6u);
}
{{ G.scale_parts("both_scales(w[i])", "s[%du + (i >> 3u)] >> (4u * (i & 4u))" % head, 0.25, in_pairs=true) }}
{% endmacro %}
{% macro whole(q, v, high) %}{{ G.whole(q, v) }}{% endmacro %}
