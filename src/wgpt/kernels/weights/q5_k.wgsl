{% import "weights/_high.wgsl" as H %}
{% import "weights/_groups.wgsl" as G %}
{% set WORDS = "vec4(s[12u * i], s[12u * i + 1u], s[12u * i + 2u], s[12u * i + 3u])" %}
{% macro functions(convert) %}
{{ H.word_functions(convert, width=1) }}
{{ G.six_bits(WORDS) -}}
fn high_of(i: u32) -> u32 { return s[(i >> 3u) * 12u + 4u + (i & 7u)]; }
{{ G.scale_of() -}}
{{ H.high_word() -}}
{% endmacro %}
{% macro values(half, q, v, high) %}{{ H.values(half, q, v, high, width=1) }}{% endmacro %}
{% set word_values, quad = H.word_values, H.quad %}
{% macro whole(q, v, high) %}{{ H.whole(q, v, high, width=1, zero=0) }}{% endmacro %}
{% macro scale_parts() %}{{ G.six_bits_parts(WORDS) }}{% endmacro %}
