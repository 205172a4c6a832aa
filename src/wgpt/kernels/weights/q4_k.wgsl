{% import "weights/_nibbles.wgsl" as N %}
{% import "weights/_groups.wgsl" as G %}
{% set values, word_values, quad = N.values, N.word_values, N.quad %}
{% set WORDS = "s[i]" %}
{% macro functions(convert) %}
{{ N.word_functions() }}
{{ G.six_bits(WORDS) -}}
{{ G.scale_of() -}}
{% endmacro %}
{% macro scale_parts() %}{{ G.six_bits_parts(WORDS) }}{% endmacro %}
