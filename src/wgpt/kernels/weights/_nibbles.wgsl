{# Shared by types with integer codes of four bits. Functions: four integers of a word as floats, without the slow
   integer-to-float conversion: the field is inserted into the mantissa of a power of two (2^23 for a field at bit 0,
   2^19 at bit 4, ...), which is then subtracted exactly. #}
{% macro word_functions() %}
fn low4(q: u32) -> vec4<f32> {
    let bits = (vec4(q, q, q >> 16u, q >> 16u) & vec4(0xfu, 0xf00u, 0xfu, 0xf00u))
        | vec4(0x4b000000u, 0x47000000u, 0x4b000000u, 0x47000000u);
    return bitcast<vec4<f32>>(bits) - vec4(8388608.0, 32768.0, 8388608.0, 32768.0);
}
fn high4(q: u32) -> vec4<f32> {
    let bits = (vec4(q, q, q >> 16u, q >> 16u) & vec4(0xf0u, 0xf000u, 0xf0u, 0xf000u))
        | vec4(0x49000000u, 0x45000000u, 0x49000000u, 0x45000000u);
    return bitcast<vec4<f32>>(bits) - vec4(524288.0, 2048.0, 524288.0, 2048.0);
}
{% endmacro %}
{% macro values(half, q, v, high) %}
{% for j in range(4) %}
        let {{ v }}{{ j }} = low4({{ q }}.{{ "xyzw"[j] }});
        let {{ v }}{{ j + 4 }} = high4({{ q }}.{{ "xyzw"[j] }});
{% endfor %}
{% endmacro %}
{% macro word_values(q, v, high) %}
        let {{ v }}0 = low4({{ q }});
        let {{ v }}1 = high4({{ q }});
{% endmacro %}
{% macro quad(half, quads) %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let chunk = (row * {{ quads }} + q) >> 3u;
    let word = w[chunk * 4u + (q & 3u)] >> (q & 4u);
    let sc = scale_of(chunk);
    return low4(word) * sc.x + sc.y;
}
{% endmacro %}
{% macro whole(q, v, high) %}
{% for j in range(4) %}
        let {{ v }}{{ j }} = {{ q }}.{{ "xyzw"[j] }} & 0x0f0f0f0fu;
        let {{ v }}{{ j + 4 }} = ({{ q }}.{{ "xyzw"[j] }} >> 4u) & 0x0f0f0f0fu;
{% endfor %}
{% endmacro %}
