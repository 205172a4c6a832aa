{% macro values(half, q, v, high) %}
        let {{ v }}0 = bitcast<vec4<f32>>({{ q }});
{% endmacro %}
{% macro quad(half, quads) %}
fn w4(row: u32, q: u32) -> vec4<f32> { return bitcast<vec4<f32>>(w[row * {{ quads }} + q]); }
{% endmacro %}
