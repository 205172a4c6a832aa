{% import "weights/affine8.wgsl" as A %}
{% import "_bytes.wgsl" as bytes %}
{% set values, word_values, quad = A.values, A.word_values, A.quad %}
{% macro functions(convert) %}
{{ bytes.bytes4(convert) }}
fn scale_of(i: u32) -> vec2<f32> {
    let b = i >> 1u;
    let d = bitcast<f32>(s[2u * b]);
    return vec2(d, fma(128.0, d, bitcast<f32>(s[2u * b + 1u])));
}
{% endmacro %}
