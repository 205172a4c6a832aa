{# y[M, N] = x[M, K] . W[N, K]^T, with weights decoded on the fly. #}
{% import "_weights.wgsl" as W %}
{% set trans_a = false %}
{% set trans_b = true %}
{% set codebook = weight in W.CODES and style != "register" %}
{% if weight in W.CODES %}{{ W.codebook(weight, style != "register") }}{% endif %}
{{ W.scale_function(weight) }}
{{ W.quad_function(weight, half) }}
{% if load == "vec4" %}
fn a_k(m: u32, q: u32) -> vec4<f32> {
{% if style == "shared" %}
    if (4u * q >= p.k) { return vec4<f32>(); }
{% endif %}
    return x[min(m, p.m - 1u) * (p.k / 4u) + q];
}
{% else %}
fn a_1(row: u32, k: u32) -> f32 { if (k < p.k) { return x[row * p.k + k]; } return 0.0; }
fn a_k(m: u32, q: u32) -> vec4<f32> {
    let row = min(m, p.m - 1u);
    return vec4(a_1(row, 4u * q), a_1(row, 4u * q + 1u), a_1(row, 4u * q + 2u), a_1(row, 4u * q + 3u));
}
{% endif %}
fn b_k(n: u32, q: u32) -> vec4<f32> {
{% if style == "shared" %}
    if (q >= p.quads) { return vec4<f32>(); }
{% endif %}
    return w4(min(n, p.n - 1u), q);
}
{% include "_gemm_store.wgsl" %}
{% include "_gemm.wgsl" %}
