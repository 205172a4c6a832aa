{% import "weights/_nibbles.wgsl" as N %}
{% import "weights/_groups.wgsl" as G %}
{% set values, word_values, quad = N.values, N.word_values, N.quad %}
{% macro functions(convert) %}
{{ N.word_functions() }}
{{ G.six_bits("s[i]") -}}
{{ G.scale_of() -}}
{% endmacro %}
