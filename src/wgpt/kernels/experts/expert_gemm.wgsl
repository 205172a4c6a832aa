{# y[pair] = W[expert] . x, for the pairs of one expert at a time (expert_gemm.py). Rows of tiles are places of `order`;
   columns from `first_up` on are those of up, whose rows of weights are elsewhere. #}
{% import "_weights.wgsl" as W %}
{% set trans_a = false %}
{% set trans_b = true %}
{% set codebook = weight in W.CODES and style != "register" %}
{# The condition is of a value that the compiler can see to be uniform. #}
{% set enter = "let place = tiles[wid.y]; if (place.y >= place.z) { return; } tile = place;" %}
var<private> tile: vec4<u32>;  // the expert, and its places: the first one and the end
{% if weight in W.CODES %}{{ W.codebook(weight, style != "register") }}{% endif %}
{{ W.scale_function(weight) }}
{{ W.quad_function(weight, half) }}
fn pair_of(m: u32) -> u32 { return order[min(tile.y + m % {{ bm }}u, tile.z - 1u)]; }
fn row_of(n: u32) -> u32 {
    let column = min(n, p.n - 1u);
    return tile.x * p.stride + column + select(0u, p.apart, column >= p.first_up);
}
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
fn put(m: u32, n: u32, v: vec4<f32>) {
    if (tile.y + m % {{ bm }}u >= tile.z || n >= p.n) { return; }
    let at = pair_of(m) * p.n + n;
{% if bias %}
    let out = v + vec4(b[row_of(n)], b[row_of(n + 1u)], b[row_of(n + 2u)], b[row_of(n + 3u)]);
{% else %}
    let out = v;
{% endif %}
{% if store == "vec4" %}
    y[at / 4u] = out;
{% else %}
    y[at] = out.x;
    if (n + 1u < p.n) { y[at + 1u] = out.y; }
    if (n + 2u < p.n) { y[at + 2u] = out.z; }
    if (n + 3u < p.n) { y[at + 3u] = out.w; }
{% endif %}
}
{% include "_gemm.wgsl" %}
