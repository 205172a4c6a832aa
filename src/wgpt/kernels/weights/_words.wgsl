{# Shared by types that are read by words (`by_words`): 16 neighbouring weights, four quads. A type defines
     scale_of(i)                scale and offset of flat word i
     quad_of(word, j)           quad j of a word, or
     quad_of(word, high, j)     with `high` of the trait extra_bits #}

{# Functions: small fields of the bytes of a word as floats, inserted into the mantissa of a power of two. #}
{% macro fields() %}
fn fields4(q: u32, zero: f32) -> vec4<f32> {
    let bits = (vec4(q, q, q >> 16u, q >> 16u) & vec4(0xffu, 0xff00u, 0xffu, 0xff00u))
        | vec4(0x4b000000u, 0x47000000u, 0x4b000000u, 0x47000000u);
    return bitcast<vec4<f32>>(bits) - (vec4(8388608.0, 32768.0, 8388608.0, 32768.0) + zero);
}
{% endmacro %}

{% macro word_values(q, v, high) %}
{% for j in range(4) %}
        let {{ v }}{{ j }} = quad_of({{ q }}, {{ j }}u);
{% endfor %}
{% endmacro %}
{% macro word_values_high(q, v, high) %}
{% for j in range(4) %}
        let {{ v }}{{ j }} = quad_of({{ q }}, {{ high }}, {{ j }}u);
{% endfor %}
{% endmacro %}
{% macro quad(half, quads, high="") %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let i = (row * {{ quads }} + q) >> 2u;
    let sc = scale_of(i);
    return quad_of(w[i], {{ high }}q & 3u) * sc.x + sc.y;
}
{% endmacro %}
{% macro quad_high(half, quads) %}{{ quad(half, quads, "high_word(i), ") }}{% endmacro %}
