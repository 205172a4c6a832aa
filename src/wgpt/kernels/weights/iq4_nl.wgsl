{% import "weights/_iq4.wgsl" as T %}
{% macro functions(convert) %}

fn scale_of(i: u32) -> vec2<f32> {
    let pair = unpack2x16float(s[i >> 1u]);
    return vec2(select(pair.x, pair.y, (i & 1u) == 1u), 0.0);
}
{% endmacro %}
{% macro codebook(shared) %}{{ T.codebook(shared, weight_type("iq4_nl").table) }}{% endmacro %}
{% set values, word_values, quad, whole = T.values, T.word_values, T.quad, T.whole %}
