{% import "weights/_nibbles.wgsl" as N %}
{% set values, word_values, quad = N.values, N.word_values, N.quad %}
{% macro functions(convert) %}
{{ N.word_functions() }}
fn scale_of(i: u32) -> vec2<f32> { return unpack2x16float(s[i]); }
{% endmacro %}
{% macro scale_parts() %}
fn scale_bits(i: u32) -> u32 { return s[i]; }
fn scale_from(bits: u32, i: u32) -> vec2<f32> { return unpack2x16float(bits); }
{% endmacro %}
