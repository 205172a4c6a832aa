{% import "weights/_table.wgsl" as T %}
{% macro codebook(shared) %}{{ T.codebook(shared, "e2m1", weight_type("mxfp4").table) }}{% endmacro %}
{% macro functions(convert) %}

// A power of two by its exponent; the two smallest are subnormal.
fn scale_of(i: u32) -> vec2<f32> {
    let e = (s[i >> 2u] >> (8u * (i & 3u))) & 255u;
    return vec2(bitcast<f32>(select((e - 1u) << 23u, 0x00200000u << e, e < 2u)), 0.0);
}
{% endmacro %}
{% macro values(half, q, v, high) %}{{ T.values(q, v, "e2m1") }}{% endmacro %}
{% macro word_values(q, v, high) %}{{ T.word_values(q, v, "e2m1") }}{% endmacro %}
{% macro quad(half, quads) %}{{ T.quad(quads, "e2m1") }}{% endmacro %}
