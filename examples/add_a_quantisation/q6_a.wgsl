{# Codes of six bits: the low four are in `w`, the upper two in the first two of a group's three words. #}
{% import "weights/_high.wgsl" as H %}
{% macro functions(convert) %}
{{ H.word_functions(convert, width=2) }}
fn scale_of(i: u32) -> vec2<f32> { return unpack2x16float(s[3u * i + 2u]); }
{{ H.high_words("3u * i") -}}
{% endmacro %}
{% macro values(half, q, v, high) %}{{ H.values(half, q, v, high, width=2) }}{% endmacro %}
{% set word_values, quad = H.word_values, H.quad %}
