{% import "weights/_words.wgsl" as W %}
{% import "weights/_grid.wgsl" as G %}
{% set word_values, quad = W.word_values_high, W.quad_high %}
{% macro functions(convert, threads) %}
{% set head = weight_type("iq2_s").head | length %}
{{ G.grid(head, convert, threads) -}}
{{ G.levels() -}}
fn high_word(i: u32) -> u32 { return s[{{ head }}u + (i >> 4u) * 5u + ((i >> 3u) & 1u)] >> (4u * (i & 7u)); }
fn quad_of(word: u32, high: u32, j: u32) -> vec4<f32> {
    let eight = j >> 1u;
    let entry = ((word >> (8u * eight)) & 255u) | (((high >> (2u * eight)) & 3u) << 8u);
    return signed4(level4(grid_at(entry), j & 1u), (word >> (16u + 4u * j)) & 15u);
}
fn scale_of(i: u32) -> vec2<f32> {
    let at = {{ head }}u + (i >> 4u) * 5u + 2u;
    let four = (s[at + ((i >> 3u) & 1u)] >> (4u * (i & 7u))) & 15u;
    return vec2(unpack2x16float(s[at + 2u]).x * (f32(four) * 0.25 + 0.125), 0.0);
}
{% endmacro %}
