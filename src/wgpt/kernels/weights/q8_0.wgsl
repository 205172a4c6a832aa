{% macro functions(convert) %}
fn bytes4(word: u32) -> vec4<f32> {
{% if convert %}
    return vec4<f32>((vec4(bitcast<i32>(word)) << vec4(24u, 16u, 8u, 0u)) >> vec4(24u));
{% else %}
    let q = word ^ 0x80808080u;
    let bits = (vec4(q, q, q >> 16u, q >> 16u) & vec4(0xffu, 0xff00u, 0xffu, 0xff00u))
        | vec4(0x4b000000u, 0x47000000u, 0x4b000000u, 0x47000000u);
    return bitcast<vec4<f32>>(bits) - vec4(8388736.0, 32896.0, 8388736.0, 32896.0);
{% endif %}
}

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
