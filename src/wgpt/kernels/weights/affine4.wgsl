{% import "weights/_nibbles.wgsl" as N %}
{% set values, word_values, quad = N.values, N.word_values, N.quad %}
{% macro functions(convert) %}
{{ N.word_functions() }}
fn scale_of(i: u32) -> vec2<f32> { return vec2(bitcast<f32>(s[i & 0xfffffffeu]), bitcast<f32>(s[i | 1u])); }
{% endmacro %}
