{% macro values(half, q, v, high) %}
        let {{ v }}l = bitcast<vec4<f32>>({{ q }} << vec4(16u));
        let {{ v }}h = bitcast<vec4<f32>>({{ q }} & vec4(0xffff0000u));
        let {{ v }}0 = vec4({{ v }}l.x, {{ v }}h.x, {{ v }}l.y, {{ v }}h.y);
        let {{ v }}1 = vec4({{ v }}l.z, {{ v }}h.z, {{ v }}l.w, {{ v }}h.w);
{% endmacro %}
{% macro quad(half, quads) %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let v = w[row * {{ quads }} + q];
    return bitcast<vec4<f32>>(vec4(v.x << 16u, v.x & 0xffff0000u, v.y << 16u, v.y & 0xffff0000u));
}
{% endmacro %}
