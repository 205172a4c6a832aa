{% import "weights/_high.wgsl" as H %}
{% macro functions(convert) %}
{{ H.word_functions(convert, width=1) }}
fn scale_of(i: u32) -> vec2<f32> { return unpack2x16float(s[2u * i + 1u]); }
fn high_of(i: u32) -> u32 { return s[2u * i]; }
{{ H.high_word() -}}
{% endmacro %}
{% macro values(half, q, v, high) %}{{ H.values(half, q, v, high, width=1) }}{% endmacro %}
{% set word_values, quad = H.word_values, H.quad %}
{% macro whole(q, v, high) %}{{ H.whole(q, v, high, width=1, zero=0) }}{% endmacro %}
