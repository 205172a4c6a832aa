{# Rows of a tile of one expert's pairs, up to `tall`, and where its weights and results are (expert_sort.py, expert_gemm.py).
   Columns from `first_up` on are those of up, whose rows of weights are elsewhere. #}
var<private> places: vec4<u32>;  // the expert, and its places in `order`: the first one and the end
fn pair_of(m: u32) -> u32 { return order[min(places.y + m % {{ tall }}u, places.z - 1u)]; }
fn row_of(n: u32) -> u32 {
    let column = min(n, p.n - 1u);
    return places.x * p.stride + column + select(0u, p.apart, column >= p.first_up);
}
fn put(m: u32, n: u32, v: vec4<f32>) {
    if (places.y + m % {{ tall }}u >= places.z || n >= p.n) { return; }
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
