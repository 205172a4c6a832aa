{# y[pair] = W[expert] . x, for the pairs of one expert at a time (expert_gemm.py). #}
{% import "_weights.wgsl" as W %}
{% set trans_a = false %}
{% set trans_b = true %}
{% set codebook = weight in W.CODES and style != "register" %}
{# The condition is of a value that the compiler can see to be uniform. #}
{% set enter = "let place = tiles[wid.y]; if (place.y >= place.z) { return; } places = place;" %}
{% if weight in W.CODES %}{{ W.codebook(weight, style != "register") }}{% endif %}
{{ W.scale_function(weight) }}
{{ W.quad_function(weight, half) }}
{% set tall = bm %}
{% include "_expert_rows.wgsl" %}
{% if load == "vec4" %}
fn a_k(m: u32, q: u32) -> vec4<f32> {
{% if style == "shared" %}
    if (4u * q >= p.k) { return vec4<f32>(); }
{% endif %}
    return x[pair_of(m) / p.per_row * (p.k / 4u) + q];
}
{% else %}
fn a_1(row: u32, k: u32) -> f32 { if (k < p.k) { return x[row * p.k + k]; } return 0.0; }
fn a_k(m: u32, q: u32) -> vec4<f32> {
    let row = pair_of(m) / p.per_row;
    return vec4(a_1(row, 4u * q), a_1(row, 4u * q + 1u), a_1(row, 4u * q + 2u), a_1(row, 4u * q + 3u));
}
{% endif %}
fn b_k(n: u32, q: u32) -> vec4<f32> {
{% if style == "shared" %}
    if (q >= p.quads) { return vec4<f32>(); }
{% endif %}
    return w4(row_of(n), q);
}
{% include "_gemm.wgsl" %}
