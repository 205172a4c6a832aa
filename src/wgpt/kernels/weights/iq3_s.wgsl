{% import "weights/_words.wgsl" as W %}
{% import "weights/_grid.wgsl" as G %}
{% set word_values, quad = W.word_values_high, W.quad_high %}
{% macro functions(convert, threads) %}
{% set head = weight_type("iq3_s").head | length %}
{{ G.grid(head, convert, threads) -}}
// 16 signs, and the ninth bits of four entries above them.
fn high_word(i: u32) -> u32 {
    let at = {{ head }}u + (i >> 4u) * 12u;
    let signs = (s[at + ((i >> 1u) & 7u)] >> (16u * (i & 1u))) & 0xffffu;
    return signs | ((s[at + 8u + ((i >> 3u) & 1u)] >> (4u * (i & 7u))) << 16u);
}
fn quad_of(word: u32, high: u32, j: u32) -> vec4<f32> {
    let entry = ((word >> (8u * j)) & 255u) | (((high >> (16u + j)) & 1u) << 8u);
    return signed4(grid_at(entry), (high >> (4u * j)) & 15u);
}
fn scale_of(i: u32) -> vec2<f32> {
    let at = {{ head }}u + (i >> 4u) * 12u + 10u;
    let four = (s[at] >> (4u * ((i >> 1u) & 7u))) & 15u;
    return vec2(unpack2x16float(s[at + 1u]).x * (f32(four) * 2.0 + 1.0), 0.0);
}
{% endmacro %}
