{% import "weights/_words.wgsl" as W %}
{% import "weights/_grid.wgsl" as G %}
{% set word_values, quad = W.word_values_high, W.quad_high %}
{% set head = weight_type("iq3_s").head | length %}
{% macro functions(convert, threads, by_chunks) %}
{{ G.grid(head, convert, threads) -}}
// Signs, bit j of the bytes for quad j, and the ninth bits of four entries.
fn high_word(i: u32) -> vec2<u32> {
    let at = {{ head }}u + (i >> 4u) * 12u;
    return vec2(s[at + ((i >> 1u) & 7u)] >> (4u * (i & 1u)), s[at + 8u + ((i >> 3u) & 1u)] >> (4u * (i & 7u)));
}
fn bytes_of(word: u32, high: vec2<u32>, j: u32) -> u32 {
    let entry = ((word >> (8u * j)) & 255u) | ((high.y << (8u - j)) & 256u);
    return signed4(grid_at(entry), (high.x >> j) & 0x01010101u);
}
{{ G.quad_of("vec2<u32>") -}}
fn scale_of(i: u32) -> vec2<f32> {
    let at = {{ head }}u + (i >> 4u) * 12u + 10u;
    let four = (s[at] >> (4u * ((i >> 1u) & 7u))) & 15u;
    return vec2(unpack2x16float(s[at + 1u]).x * (f32(four) * 2.0 + 1.0), 0.0);
}
{% endmacro %}
{% macro scale_parts() %}
// The signs of two words each, and ninth bits.
fn high_of(i: u32) -> vec3<u32> {
    let at = {{ head }}u + (i >> 2u) * 12u;
    let signs = at + 2u * (i & 3u);
    return vec3(s[signs], s[signs + 1u], s[at + 8u + ((i >> 1u) & 1u)] >> (16u * (i & 1u)));
}
fn high_in(high: vec3<u32>, i: u32) -> vec2<u32> { return vec2(high[i >> 1u] >> (4u * (i & 1u)), high.z >> (4u * i)); }
{% set at = "%du + (i >> 2u) * 12u" % head %}
{{ G.scale_parts("s[%s + 10u] >> (8u * (i & 3u))" % at, "s[%s + 11u]" % at, 2.0, in_pairs=true) }}
{% endmacro %}
{% set whole = G.whole %}
