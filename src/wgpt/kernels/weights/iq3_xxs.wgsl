{% import "weights/_words.wgsl" as W %}
{% import "weights/_grid.wgsl" as G %}
{% set word_values, quad = W.word_values_high, W.quad_high %}
{% macro functions(convert, threads) %}
{% set head = weight_type("iq3_xxs").head | length %}
{{ G.grid(head, convert, threads) -}}
{{ G.even_signs() -}}
fn high_word(i: u32) -> u32 { return s[{{ head }}u + (i >> 4u) * 9u + ((i >> 1u) & 7u)] >> (14u * (i & 1u)); }
fn quad_of(word: u32, high: u32, j: u32) -> vec4<f32> {
    let signs = even_signs((high >> (7u * (j >> 1u))) & 127u);
    return signed4(grid_at((word >> (8u * j)) & 255u), (signs >> (4u * (j & 1u))) & 15u);
}
fn scale_of(i: u32) -> vec2<f32> {
    let at = {{ head }}u + (i >> 4u) * 9u;
    let four = s[at + ((i >> 1u) & 7u)] >> 28u;
    return vec2(unpack2x16float(s[at + 8u]).x * (f32(four) * 0.5 + 0.25), 0.0);
}
{% endmacro %}
