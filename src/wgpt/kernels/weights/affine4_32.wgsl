{% import "weights/_nibbles.wgsl" as N %}
{% set values, word_values, quad = N.values, N.word_values, N.quad %}
{% macro functions(convert) %}
{{ N.word_functions() }}
fn scale_of(i: u32) -> vec2<f32> { return vec2(bitcast<f32>(s[2u * i]), bitcast<f32>(s[2u * i + 1u])); }
{% endmacro %}
