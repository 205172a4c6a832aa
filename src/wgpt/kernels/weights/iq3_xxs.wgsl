{% import "weights/_words.wgsl" as W %}
{% import "weights/_grid.wgsl" as G %}
{% set word_values, quad = W.word_values_high, W.quad_high %}
{% set head = weight_type("iq3_xxs").head | length %}
{% macro functions(convert, threads, by_chunks) %}
{{ G.grid(head, convert, threads, evenly="computed") -}}
fn high_word(i: u32) -> u32 { return s[{{ head }}u + (i >> 4u) * 9u + ((i >> 1u) & 7u)] >> (14u * (i & 1u)); }
fn bytes_of(word: u32, high: u32, j: u32) -> u32 {
    return signed4(grid_at((word >> (8u * j)) & 255u), even4((high >> (7u * (j >> 1u))) & 127u, j & 1u));
}
{{ G.quad_of("u32") -}}
fn scale_of(i: u32) -> vec2<f32> {
    let at = {{ head }}u + (i >> 4u) * 9u;
    let four = s[at + ((i >> 1u) & 7u)] >> 28u;
    return vec2(unpack2x16float(s[at + 8u]).x * (f32(four) * 0.5 + 0.25), 0.0);
}
{% endmacro %}
{% macro scale_parts() %}
fn high_of(i: u32) -> vec2<u32> {
    let at = {{ head }}u + (i >> 2u) * 9u + 2u * (i & 3u);
    return vec2(s[at], s[at + 1u]);
}
fn high_in(high: vec2<u32>, i: u32) -> u32 { return high[i >> 1u] >> (14u * (i & 1u)); }
fn both_scales(high: vec2<u32>) -> u32 { return (high.x >> 28u) | ((high.y >> 28u) << 4u); }
{{ G.scale_parts("both_scales(high_of(i))", "s[%du + (i >> 2u) * 9u + 8u]" % head, 0.5, in_pairs=true) }}
{% endmacro %}
{% set whole = G.whole %}
