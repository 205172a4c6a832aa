{# y[m, :] = a row of the table. A workgroup handles a part of one row, so the id is loaded and checked once. #}
{% import "_weights.wgsl" as W %}
{% if weight in W.CODES %}{{ W.codebook(weight, false) }}{% endif %}
{{ W.scale_function(weight) }}
{{ W.quad_function(weight, half) }}

fn put(row: u32, q: u32, v: vec4<f32>) {
{% if store == "vec4" %}
    let at = row * (p.k / 4u) + q;
    y[at] = {{ "y[at] + " if add }}v;
{% else %}
    let at = row * p.k + 4u * q;
    let left = p.k - 4u * q;
{% for e in "xyzw" %}
    if ({{ loop.index0 }}u < left) { y[at + {{ loop.index0 }}u] {{ "+=" if add else "=" }} v.{{ e }}; }
{% endfor %}
{% endif %}
}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let wg = wid.x + wid.y * nwg.x;
    let row = wg / p.parts;
    if (row >= p.rows) { return; }
    let first = wg % p.parts * {{ threads * items }}u;
    let end = min(first + {{ threads * items }}u, (p.k + 3u) / 4u);
    let id = ids[row * p.stride + p.offset];
    // Ids before this part of the table wrap around and are beyond it, too.
    if (id - p.first < p.n) {
        for (var q = first + t; q < end; q += {{ threads }}u) { put(row, q, w4(id - p.first, q)); }
    }{% if not add %} else if (id == 0xffffffffu && p.first == 0u) {
        for (var q = first + t; q < end; q += {{ threads }}u) { put(row, q, vec4<f32>()); }
    }{% endif %}

}
