{% macro values(half, q, v, high) %}
{% if half == "native" %}
        let {{ v }}0 = vec4<f32>({{ q }}[0]);
        let {{ v }}1 = vec4<f32>({{ q }}[1]);
{% else %}
        let {{ v }}0 = vec4(unpack2x16float({{ q }}.x), unpack2x16float({{ q }}.y));
        let {{ v }}1 = vec4(unpack2x16float({{ q }}.z), unpack2x16float({{ q }}.w));
{% endif %}
{% endmacro %}
{% macro quad(half, quads) %}
{% if half == "native" %}
fn w4(row: u32, q: u32) -> vec4<f32> { return vec4<f32>(w[row * {{ quads }} + q]); }
{% else %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let v = w[row * {{ quads }} + q];
    return vec4(unpack2x16float(v.x), unpack2x16float(v.y));
}
{% endif %}
{% endmacro %}
