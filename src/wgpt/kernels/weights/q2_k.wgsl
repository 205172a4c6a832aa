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
