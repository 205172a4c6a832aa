{# y[M, N] (+)= factor * A . B of plain f32 matrices. A begins at p.a_at in rows of p.a_width; y likewise. #}
{% macro loader(name, buffer, rows, columns, width, at, wide) %}
{% if wide %}
fn {{ name }}(row: u32, q: u32) -> vec4<f32> {
    if (row >= p.{{ rows }} || 4u * q >= p.{{ columns }}) { return vec4<f32>(); }
    return {{ buffer }}[(row * p.{{ width }}{{ at }}) / 4u + q];
}
{% else %}
fn {{ name }}_1(row: u32, column: u32) -> f32 {
    if (row < p.{{ rows }} && column < p.{{ columns }}) { return {{ buffer }}[row * p.{{ width }}{{ at }} + column]; }
    return 0.0;
}
fn {{ name }}(row: u32, q: u32) -> vec4<f32> {
    let c = 4u * q;
    return vec4({{ name }}_1(row, c), {{ name }}_1(row, c + 1u), {{ name }}_1(row, c + 2u), {{ name }}_1(row, c + 3u));
}
{% endif %}
{% endmacro %}
{% set wide_a, wide_b, at = a_load == "vec4", b_load == "vec4", " + p.a_at" %}
{{ loader("a_m", "a", "k", "m", "a_width", at, wide_a) if trans_a else loader("a_k", "a", "m", "k", "a_width", at, wide_a) }}
{{ loader("b_k", "b", "n", "k", "k", "", wide_b) if trans_b else loader("b_n", "b", "k", "n", "n", "", wide_b) }}
fn put(m: u32, n: u32, v: vec4<f32>) {
    if (m >= p.m || n >= p.n) { return; }
    let i = {{ "(part * p.m + m)" if split else "m" }} * p.y_width + p.y_at + n;
{% if store == "vec4" %}
    y[i / 4u] = {{ "y[i / 4u] + " if onto }}p.factor * v;
{% else %}
{% for e in range(4) %}
    if (n + {{ e }}u < p.n) { y[i + {{ e }}u] = {{ "y[i + %du] + " % e if onto }}p.factor * v.{{ "xyzw"[e] }}; }
{% endfor %}
{% endif %}
}
{% include {"inner": "lora_inner.wgsl", "outer": "lora_outer.wgsl"}.get(style, "_gemm.wgsl") %}
