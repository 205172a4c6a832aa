{# A unit is a vec4 of a head's first half and the one half a head further on: four pairs. A thread has one unit, or the
   whole head ("thread"). #}
{% import "_turn.wgsl" as angle %}
{% import "_cache.wgsl" as store with context %}
{% set units = head_dim // 8 %}
{% set all_heads = heads + 2 * kv_heads %}
{% if rope %}{{ angle.phase() }}{% endif %}
{{ store.packing() }}
fn square(x: vec4<f32>) -> f32 { return dot(x, x); }

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
{% if team == "shuffle" %}
        @builtin(subgroup_id) sg: u32, @builtin(subgroup_size) sg_size: u32, @builtin(subgroup_invocation_id) sg_lane: u32,
{% endif %}
        @builtin(local_invocation_index) t: u32) {
{% if team == "shuffle" %}
    // Heads are counted along subgroups, not threads: a driver may number the two differently.
    let i = (wid.x + wid.y * nwg.x) * {{ threads }}u + sg * sg_size + sg_lane;
{% else %}
    let i = (wid.x + wid.y * nwg.x) * {{ threads }}u + t;
{% endif %}
{% if team == "thread" %}
    let head_at = i;
{% else %}
    let head_at = i / {{ units }}u;
    let unit = i % {{ units }}u;
{% endif %}
    let row = head_at / {{ all_heads }}u;
    let head = head_at % {{ all_heads }}u;
    let inside = row < p.rows;
    let at = rows[min(row, p.rows - 1u)];
    let position = at.y;
    let exists = at.x < p.slots && position != 0xffffffffu;
    let first = min(head_at, p.rows * {{ all_heads }}u - 1u) * {{ 2 * units }}u;
    let is_k = head >= {{ heads }}u;
    let is_v = head >= {{ heads + kv_heads }}u;
    let cell = ((at.x * {{ kv_heads }}u + (head - {{ heads }}u) % {{ kv_heads }}u) * p.capacity + position) * {{ 2 * units }}u;
{% if qk_norm %}
{% if team == "shuffle" %}
    var squares = square(qkv[first + unit]) + square(qkv[first + unit + {{ units }}u]);
{% for bit in [16, 8, 4, 2, 1] if bit < units %}
    squares += subgroupShuffleXor(squares, {{ bit }}u);
{% endfor %}
{% else %}
    var squares = 0.0;
    for (var j = 0u; j < {{ 2 * units }}u; j++) { squares += square(qkv[first + j]); }
{% endif %}
    let r = inverseSqrt(squares / {{ head_dim }}.0 + p.eps);
    let gain = select(0u, {{ 2 * units }}u, is_k);
{% endif %}
{% if team == "thread" %}
    for (var unit = 0u; unit < {{ units }}u; unit++) {
{% endif %}
    var x1 = qkv[first + unit];
    var x2 = qkv[first + unit + {{ units }}u];
    if (!is_v) {
{% if qk_norm %}
        x1 *= r * gains[gain + unit];
        x2 *= r * gains[gain + unit + {{ units }}u];
{% endif %}
{% if rope %}
        let first_pair = 4u * unit;
{{ angle.sine_cosine(4) }}
        let y1 = x1 * cosine - x2 * sine;
        x2 = x2 * cosine + x1 * sine;
        x1 = y1;
{% endif %}
    }
    if (inside && !is_k) {
        let to = (row * {{ heads }}u + head) * {{ 2 * units }}u + unit;
        q[to] = select(vec4<f32>(), x1, exists);
        q[to + {{ units }}u] = select(vec4<f32>(), x2, exists);
    } else if (inside && exists && position < p.capacity) {
        if (is_v) {
            v[cell + unit] = packed(x1);
            v[cell + unit + {{ units }}u] = packed(x2);
        } else {
            k[cell + unit] = packed(x1);
            k[cell + unit + {{ units }}u] = packed(x2);
        }
    }
{% if team == "thread" %}
    }
{% endif %}
}
