{% import "weights/_words.wgsl" as W %}
{% import "weights/_grid.wgsl" as G %}
{% set word_values, quad = W.word_values, W.quad %}
{% set head = weight_type("iq2_xs").head | length %}
{% macro functions(convert, threads, by_chunks) %}
{{ G.grid(head, convert, threads, evenly="shared") -}}
{{ G.levels() -}}
fn bytes_of(word: u32, j: u32) -> u32 {
    let eight = word >> (16u * (j >> 1u));
    return signed4(level4(grid_at(eight & 511u), j & 1u), even4((eight >> 9u) & 127u, j & 1u));
}
{{ G.quad_of() -}}
fn scale_of(i: u32) -> vec2<f32> {
    let at = {{ head }}u + (i >> 4u) * 3u;
    let four = (s[at + ((i >> 3u) & 1u)] >> (4u * (i & 7u))) & 15u;
    return vec2(unpack2x16float(s[at + 2u]).x * (f32(four) * 0.25 + 0.125), 0.0);
}
{% endmacro %}
{% macro scale_parts() %}
{% set at = "%du + (i >> 2u) * 3u" % head %}
{{ G.scale_parts("s[%s + ((i >> 1u) & 1u)] >> (16u * (i & 1u))" % at, "s[%s + 2u]" % at, 0.25) }}
{% endmacro %}
{% macro whole(q, v, high) %}{{ G.whole(q, v) }}{% endmacro %}
