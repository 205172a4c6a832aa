{% import "weights/_words.wgsl" as W %}
{% set word_values, quad = W.word_values, W.quad %}
{% macro functions(convert) %}
{{ W.fields() }}
fn quad_of(word: u32, j: u32) -> vec4<f32> { return fields4((word >> (2u * j)) & 0x03030303u, 0.0); }
// A byte of each group of 16: the scale in its low nibble, the minimum in its high nibble.
fn scale_of(i: u32) -> vec2<f32> {
    let at = (i >> 4u) * 5u;
    let both = s[at + ((i >> 2u) & 3u)] >> (8u * (i & 3u));
    let steps = bitcast<vec2<f32>>((vec2(both, both >> 4u) & vec2(15u)) | vec2(0x4b000000u)) - 8388608.0;
    return unpack2x16float(s[at + 4u]) * vec2(steps.x, -steps.y);
}
{% endmacro %}
{% macro scale_parts() %}
struct Scales { x: vec4<f32>, y: vec4<f32> }
fn scale_bits(i: u32) -> vec2<u32> {
    let at = (i >> 2u) * 5u;
    return vec2(s[at + (i & 3u)], s[at + 4u]);
}
fn scale_from(bits: vec2<u32>, i: u32) -> Scales {
    let d = unpack2x16float(bits.y);
    return Scales(fields4(bits.x & 0x0f0f0f0fu, 0.0) * d.x, fields4((bits.x >> 4u) & 0x0f0f0f0fu, 0.0) * -d.y);
}
{% endmacro %}
{% macro whole(q, v, high) %}
{% for i in range(4) %}{% for j in range(4) %}
        let {{ v }}{{ 4 * i + j }} = ({{ q }}.{{ "xyzw"[i] }}{{ " >> %du" % (2 * j) if j }}) & 0x03030303u;
{% endfor %}{% endfor %}
{% endmacro %}
