{# Weights of any type as halves for matrix units, times {{ up }}: rows of p.vecs vectors of eight halves. With two
   `parts`, a weight is the sum of two halves. #}
{% import "_weights.wgsl" as W %}
{% include "_halves.wgsl" %}
{% if weight in W.CODES %}{{ W.codebook(weight, true) }}{% endif %}
{{ W.scale_function(weight) }}
{{ W.quad_function(weight, "packed") }}
fn value(n: u32, q: u32) -> vec4<f32> {
    if (4u * q >= p.k) { return vec4<f32>(); }
    return select(vec4<f32>(), {{ up }}.0 * w4(n, q), 4u * q + vec4(0u, 1u, 2u, 3u) < vec4(p.k));
}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
{% if weight in W.CODES %}
    load_codebook(t);
{% endif %}
    let i = (wid.x + wid.y * nwg.x) * {{ threads }}u + t;
    if (i < p.n * p.vecs) {
        let v0 = value(i / p.vecs, 2u * (i % p.vecs));
        let v1 = value(i / p.vecs, 2u * (i % p.vecs) + 1u);
{% if parts == 2 %}
        let high0 = high(v0);
        let high1 = high(v1);
        h[i] = halves(high0, high1);
        h[i + p.n * p.vecs] = halves(v0 - high0, v1 - high1);
{% else %}
        h[i] = halves(v0, v1);
{% endif %}
    }
}
