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
{% macro scale_parts() %}
struct Scales { x: vec4<f32> }
fn scale_bits(i: u32) -> vec3<u32> {
    let at = (i >> 2u) * 12u + 8u;
    return vec3(s[at + ((i & 3u) >> 1u)] >> (16u * (i & 1u)), s[at + 2u] >> (8u * (i & 3u)), s[at + 3u]);
}
fn scale_from(bits: vec3<u32>, i: u32) -> Scales {
    let low = (vec4(bits.x) >> vec4(0u, 4u, 8u, 12u)) & vec4(15u);
    let top = ((vec4(bits.y) >> vec4(0u, 2u, 4u, 6u)) & vec4(3u)) << vec4(4u);
    return Scales(unpack2x16float(bits.z).x * (bitcast<vec4<f32>>(low | top | vec4(0x4b000000u)) - 8388640.0));
}
fn high_of(i: u32) -> vec2<u32> {
    let at = (i >> 2u) * 12u + 2u * (i & 3u);
    return vec2(s[at], s[at + 1u]);
}
{% endmacro %}
{# Code - 4, in the upper three bits of a byte, so that its sign is the byte's. #}
{% macro whole(q, v, high) %}
        let signs = ~{{ high }};
{% for i in range(4) %}{% for j in range(4) %}
        let {{ v }}{{ 4 * i + j }} = (({{ q }}.{{ "xyzw"[i] }} {{ "<< %du" % (5 - 2 * j) if j < 3 else ">> 1u" }}) & 0x60606060u)
            | ((signs.{{ "xy"[i // 2] }} << {{ 7 - j - 4 * (i % 2) }}u) & 0x80808080u);
{% endfor %}{% endfor %}
{% endmacro %}
{% set whole_unit = 0.03125 %}
