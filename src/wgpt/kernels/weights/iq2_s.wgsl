{% import "weights/_words.wgsl" as W %}
{% import "weights/_grid.wgsl" as G %}
{% set word_values, quad = W.word_values_high, W.quad_high %}
{% set head = weight_type("iq2_s").head | length %}
{% macro functions(convert, threads, by_chunks) %}
{{ G.grid(head, convert, threads) -}}
{{ G.levels() -}}
fn high_word(i: u32) -> u32 { return s[{{ head }}u + (i >> 4u) * 5u + ((i >> 3u) & 1u)] >> (4u * (i & 7u)); }
fn bytes_of(word: u32, high: u32, j: u32) -> u32 {
    let eight = j >> 1u;
    let entry = ((word >> (8u * eight)) & 255u) | (((high >> (2u * eight)) & 3u) << 8u);
    return signed4(level4(grid_at(entry), j & 1u), minus4(word >> (16u + 4u * j)));
}
{{ G.quad_of("u32") -}}
fn scale_of(i: u32) -> vec2<f32> {
    let at = {{ head }}u + (i >> 4u) * 5u + 2u;
    let four = (s[at + ((i >> 3u) & 1u)] >> (4u * (i & 7u))) & 15u;
    return vec2(unpack2x16float(s[at + 2u]).x * (f32(four) * 0.25 + 0.125), 0.0);
}
{% endmacro %}
{% macro scale_parts() %}
{% set at = "%du + (i >> 2u) * 5u" % head %}
fn high_of(i: u32) -> u32 { return s[{{ at }} + ((i >> 1u) & 1u)] >> (16u * (i & 1u)); }
fn high_in(high: u32, i: u32) -> u32 { return high >> (4u * i); }
{{ G.scale_parts("s[%s + 2u + ((i >> 1u) & 1u)] >> (16u * (i & 1u))" % at, "s[%s + 4u]" % at, 0.25) }}
{% endmacro %}
{% set whole = G.whole %}
