{% import "weights/_table.wgsl" as T %}
{% macro codebook(shared) %}{{ T.codebook(shared, "nf4", weight_type("nf4").table) }}{% endmacro %}
{% macro functions(convert) %}

fn scale_of(i: u32) -> vec2<f32> { return vec2(bitcast<f32>(s[i >> 1u]), 0.0); }
{% endmacro %}
{% macro values(half, q, v, high) %}{{ T.values(q, v, "nf4") }}{% endmacro %}
{% macro word_values(q, v, high) %}{{ T.word_values(q, v, "nf4") }}{% endmacro %}
{% macro quad(half, quads) %}{{ T.quad(quads, "nf4") }}{% endmacro %}
