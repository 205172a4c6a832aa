{% import "weights/q8_0.wgsl" as B %}
{% import "_bytes.wgsl" as bytes %}
{% set values, word_values = B.values, B.word_values %}
{% macro functions(convert) %}
{{ bytes.bytes4(convert) }}
fn scale_of(i: u32) -> vec2<f32> {
    let b = i >> 2u;
    let d = bitcast<f32>(s[2u * b]);
    return vec2(d, fma(128.0, d, bitcast<f32>(s[2u * b + 1u])));
}
{% endmacro %}
{% macro quad(half, quads) %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let i = row * {{ quads }} + q;
    let sc = scale_of(i >> 2u);
    return bytes4(w[i]) * sc.x + sc.y;
}
{% endmacro %}
