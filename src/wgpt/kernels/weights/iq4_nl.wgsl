{% import "weights/_table.wgsl" as T %}
{% macro codebook(shared) %}{{ T.codebook(shared, "iq4", weight_type("iq4_nl").table) }}{% endmacro %}
{% macro functions(convert) %}

fn scale_of(i: u32) -> vec2<f32> {
    let pair = unpack2x16float(s[i >> 1u]);
    return vec2(select(pair.x, pair.y, (i & 1u) == 1u), 0.0);
}
{% endmacro %}
{% macro values(half, q, v, high) %}{{ T.values(q, v, "iq4") }}{% endmacro %}
{% macro word_values(q, v, high) %}{{ T.word_values(q, v, "iq4") }}{% endmacro %}
{% macro quad(half, quads) %}{{ T.quad(quads, "iq4") }}{% endmacro %}
