{# dx[M, K] = dy[M, N] . W[N, K], with weights decoded on the fly. For the tiles, p.n is K and p.k is N. #}
{% import "_weights.wgsl" as W %}
{% set trans_a = false %}
{% set trans_b = false %}
{% set result = "dx" %}
{% set codebook = weight in W.CODES and style == "shared" %}
{% if weight in W.CODES %}{{ W.codebook(weight, style == "shared") }}{% endif %}
{{ W.scale_function(weight) }}
{{ W.quad_function(weight, half) }}
{% if load == "vec4" %}
fn a_k(m: u32, q: u32) -> vec4<f32> {
{% if style == "shared" %}
    if (4u * q >= p.k) { return vec4<f32>(); }
{% endif %}
    return dy[(min(m, p.m - 1u) * p.width + p.at) / 4u + q];
}
{% else %}
fn a_1(first: u32, k: u32) -> f32 { if (k < p.k) { return dy[first + k]; } return 0.0; }
fn a_k(m: u32, q: u32) -> vec4<f32> {
    let first = min(m, p.m - 1u) * p.width + p.at;
    return vec4(a_1(first, 4u * q), a_1(first, 4u * q + 1u), a_1(first, 4u * q + 2u), a_1(first, 4u * q + 3u));
}
{% endif %}
// Beyond N dy is zero, beyond K nothing is stored: any weight will do there.
fn b_n(k: u32, q: u32) -> vec4<f32> { return w4(min(k, p.k - 1u), min(q, p.quads - 1u)); }
{% include "_gemm_store.wgsl" %}
{% include "_gemm.wgsl" %}
