{% import "weights/_high.wgsl" as H %}
{% macro functions(convert) %}
{{ H.word_functions(convert, width=1, zero=weight_type("q5_0").zero) }}
fn scale_of(i: u32) -> vec2<f32> {
    let pair = unpack2x16float(s[(i >> 1u) * 3u + 2u]);
    return vec2(select(pair.x, pair.y, (i & 1u) == 1u), 0.0);
}
fn high_of(i: u32) -> u32 { return s[(i >> 1u) * 3u + (i & 1u)]; }
{{ H.high_word() -}}
{% endmacro %}
{% macro values(half, q, v, high) %}{{ H.values(half, q, v, high, width=1) }}{% endmacro %}
{% set word_values, quad = H.word_values, H.quad %}
{% macro whole(q, v, high) %}{{ H.whole(q, v, high, width=1, zero=weight_type("q5_0").zero) }}{% endmacro %}
{% set whole_unit = 0.125 %}
