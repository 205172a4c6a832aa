{% import "weights/_words.wgsl" as W %}
{% set word_values, quad = W.word_values_high, W.quad_high %}
{% macro functions(convert) %}
{{ W.fields() }}
fn high_word(i: u32) -> u32 { return s[(i >> 4u) * 12u + ((i >> 1u) & 7u)] >> (4u * (i & 1u)); }
fn quad_of(word: u32, high: u32, j: u32) -> vec4<f32> {
    return fields4(((word >> (2u * j)) & 0x03030303u) | (((high >> j) & 0x01010101u) << 2u), 4.0);
}
// Scales of six bits around 32: low nibbles in two words, the upper pairs of bits in one.
fn scale_of(i: u32) -> vec2<f32> {
    let at = (i >> 4u) * 12u + 8u;
    let word = i & 15u;
    let low = (s[at + (word >> 3u)] >> (4u * (word & 7u))) & 15u;
    let six = low | (((s[at + 2u] >> (2u * word)) & 3u) << 4u);
    return vec2(unpack2x16float(s[at + 3u]).x * (bitcast<f32>(six | 0x4b000000u) - 8388640.0), 0.0);
}
{% endmacro %}
