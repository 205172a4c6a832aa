{% import "_bytes.wgsl" as bytes %}
{% macro functions(convert) %}
{{ bytes.bytes4(convert) }}
fn scale_of(i: u32) -> vec2<f32> {
    let b = i >> 1u;
    let pair = unpack2x16float(s[b >> 1u]);
    return vec2(select(pair.x, pair.y, (b & 1u) == 1u), 0.0);
}
{% endmacro %}
{% macro values(half, q, v, high) %}
{% for j in range(4) %}
        let {{ v }}{{ j }} = bytes4({{ q }}.{{ "xyzw"[j] }});
{% endfor %}
{% endmacro %}
{% macro word_values(q, v, high) %}
        let {{ v }}0 = bytes4({{ q }});
{% endmacro %}
{% macro quad(half, quads) %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let i = row * {{ quads }} + q;
    return bytes4(w[i]) * scale_of(i >> 2u).x;
}
{% endmacro %}
{% macro scale_parts() %}
fn scale_bits(i: u32) -> u32 { return s[i >> 2u]; }
fn scale_from(bits: u32, i: u32) -> vec2<f32> {
    let pair = unpack2x16float(bits);
    return vec2(select(pair.x, pair.y, (i & 2u) != 0u), 0.0);
}
{% endmacro %}
