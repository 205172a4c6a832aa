{% import "weights/_words.wgsl" as W %}
{% import "weights/_grid.wgsl" as G %}
{% set word_values, quad = W.word_values, W.quad %}
{% macro functions(convert, threads) %}
{% set head = weight_type("iq2_xs").head | length %}
{{ G.grid(head, convert, threads) -}}
{{ G.levels() -}}
{{ G.even_signs() -}}
fn quad_of(word: u32, j: u32) -> vec4<f32> {
    let eight = word >> (16u * (j >> 1u));
    let signs = even_signs((eight >> 9u) & 127u);
    return signed4(level4(grid_at(eight & 511u), j & 1u), (signs >> (4u * (j & 1u))) & 15u);
}
fn scale_of(i: u32) -> vec2<f32> {
    let at = {{ head }}u + (i >> 4u) * 3u;
    let four = (s[at + ((i >> 3u) & 1u)] >> (4u * (i & 7u))) & 15u;
    return vec2(unpack2x16float(s[at + 2u]).x * (f32(four) * 0.25 + 0.125), 0.0);
}
{% endmacro %}
