{% import "weights/_words.wgsl" as W %}
{% import "weights/_grid.wgsl" as G %}
{% set word_values, quad = W.word_values, W.quad %}
{% macro functions(convert, threads) %}
{% set head = weight_type("iq2_xxs").head | length %}
{{ G.grid(head, convert, threads) -}}
{{ G.levels() -}}
{{ G.even_signs() -}}
fn quad_of(word: u32, j: u32) -> vec4<f32> {
    let eight = j >> 1u;
    let signs = even_signs((word >> (16u + 7u * eight)) & 127u);
    return signed4(level4(grid_at((word >> (8u * eight)) & 255u), j & 1u), (signs >> (4u * (j & 1u))) & 15u);
}
// Two bits of the scale are in each of two words.
fn scale_of(i: u32) -> vec2<f32> {
    let four = (w[i & ~1u] >> 30u) | ((w[i | 1u] >> 30u) << 2u);
    let pair = unpack2x16float(s[{{ head }}u + (i >> 5u)]);
    return vec2(select(pair.x, pair.y, (i & 16u) != 0u) * (f32(four) * 0.25 + 0.125), 0.0);
}
{% endmacro %}
