{% import "_chunks.wgsl" as chunks with context %}
{% import "_order.wgsl" as order with context %}
{% set who = {"subgroup": ", sg, sgs, lane", "workgroup": ", t"}[reduce] %}
{{ chunks.reads(["logits"]) }}
{{ order.keys() }}
{{ order.best() }}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
{% if reduce == "subgroup" %}
        @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32,
        @builtin(subgroup_invocation_id) lane: u32,
{% endif %}
        @builtin(local_invocation_index) t: u32) {
    let wg = wid.x + wid.y * nwg.x;
    if (wg < p.rows * p.parts) {
        let row = wg / p.parts;
        let first = (wg % p.parts) * p.span;
        let end = min(first + p.span, p.chunks);
        var mine = vec2(0u, 0xffffffffu);
        for (var c = first + t; c < end; c += {{ threads }}u) {
            let v = logits_at(row, c, 0.0);
{% for axis in "xyzw" %}
            {% if x == "scalar" and not loop.first %}if (4u * c + {{ loop.index0 }}u < p.cols) {% endif -%}
            { mine = better(mine, vec2(order_key(v.{{ axis }}), 4u * c + {{ loop.index0 }}u)); }
{% endfor %}
        }
        let all = best_of(mine{{ who }});
        if (t == 0u) { parts[wg] = all; }
    }
}
