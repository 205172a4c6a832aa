{# C[M, N] of two plain f32 matrices. A is [M, K], or [K, M] if trans_a; B is [K, N], or [N, K] if trans_b.
   `a`, `b` and `y` are the bindings; vec4 if the lengths of rows are multiples of four. #}
{% macro loader(name, buffer, rows, columns, wide) %}
{% if wide %}
fn {{ name }}(row: u32, q: u32) -> vec4<f32> {
    if (row >= p.{{ rows }} || 4u * q >= p.{{ columns }}) { return vec4<f32>(); }
    return {{ buffer }}[row * (p.{{ columns }} / 4u) + q];
}
{% else %}
fn {{ name }}_1(row: u32, column: u32) -> f32 {
    if (row < p.{{ rows }} && column < p.{{ columns }}) { return {{ buffer }}[row * p.{{ columns }} + column]; }
    return 0.0;
}
fn {{ name }}(row: u32, q: u32) -> vec4<f32> {
    let c = 4u * q;
    return vec4({{ name }}_1(row, c), {{ name }}_1(row, c + 1u), {{ name }}_1(row, c + 2u), {{ name }}_1(row, c + 3u));
}
{% endif %}
{% endmacro %}
{{ loader("a_m", "a", "k", "m", a_load == "vec4") if trans_a else loader("a_k", "a", "m", "k", a_load == "vec4") }}
{{ loader("b_k", "b", "n", "k", b_load == "vec4") if trans_b else loader("b_n", "b", "k", "n", b_load == "vec4") }}
{% set compute = "f32" %}
{% include "_gemm_store.wgsl" %}
{% include "_gemm.wgsl" %}
