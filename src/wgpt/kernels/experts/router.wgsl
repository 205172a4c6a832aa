{# A workgroup chooses the experts of one row (router.py). #}
{% set share = experts // groups %}
{% import "_activations.wgsl" as F with context %}
{% import "_order.wgsl" as order with context %}
{{ F.logistic() if score == "sigmoid" }}
var<workgroup> scores: array<f32, {{ experts }}>;
var<workgroup> keys: array<u32, {{ experts }}>;  // of what experts are chosen by
var<workgroup> chosen: array<u32, {{ top }}>;
{% if groups > 1 %}
var<workgroup> group_keys: array<u32, {{ groups }}>;
{% endif %}

{{ order.keys() }}
{% if group_sum == 2 %}
fn number_of(key: u32) -> f32 { return bitcast<f32>(select(~key, key & 0x7fffffffu, key >= 0x80000000u)); }
{% endif %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let row = wid.x + wid.y * nwg.x;
    if (row >= p.rows) { return; }
    for (var e = t; e < {{ experts }}u; e += {{ threads }}u) {
        let logit = logits[row * p.width + e];
        let score = {{ "logistic(vec4(logit)).x" if score == "sigmoid" else "logit" }};
        scores[e] = score;
        keys[e] = order_key(score{{ " + bias[e]" if biased }});
    }
    workgroupBarrier();
{% if groups > 1 %}
    for (var g = t; g < {{ groups }}u; g += {{ threads }}u) {
        var first = 0u;
{% if group_sum == 2 %}
        var second = 0u;
{% endif %}
        for (var e = g * {{ share }}u; e < g * {{ share }}u + {{ share }}u; e++) {
{% if group_sum == 2 %}
            second = max(second, min(first, keys[e]));
{% endif %}
            first = max(first, keys[e]);
        }
        group_keys[g] = {{ "order_key(number_of(first) + number_of(second))" if group_sum == 2 else "first" }};
    }
    workgroupBarrier();
    for (var e = t; e < {{ experts }}u; e += {{ threads }}u) {
        let mine = e / {{ share }}u;
        var better = 0u;
        for (var g = 0u; g < {{ groups }}u; g++) {
            let other = group_keys[g];
            better += select(0u, 1u, other > group_keys[mine] || (other == group_keys[mine] && g < mine));
        }
        if (better >= {{ best_groups }}u) { keys[e] = 0u; }
    }
    workgroupBarrier();
{% endif %}
    for (var e = t; e < {{ experts }}u; e += {{ threads }}u) {
        let mine = keys[e];
        var better = 0u;
        for (var o = 0u; o < {{ experts }}u; o++) {
            better += select(0u, 1u, keys[o] > mine || (keys[o] == mine && o < e));
        }
        if (better < {{ top }}u) { chosen[better] = e; }
    }
    workgroupBarrier();
{% set all = score == "softmax" and not norm %}
    for (var j = t; j < {{ top }}u; j += {{ threads }}u) {
        let e = chosen[j];
{% if score == "softmax" %}
        let peak = scores[chosen[0]];
        let part = exp(scores[e] - peak);
{% else %}
        let part = scores[e];
{% endif %}
{% if all %}
        var sum = 0.0;
        for (var o = 0u; o < {{ experts }}u; o++) { sum += exp(scores[o] - peak); }
{% elif norm %}
        var sum = 0.0;
        for (var o = 0u; o < {{ top }}u; o++) { sum += {{ "exp(scores[chosen[o]] - peak)" if score == "softmax" else "scores[chosen[o]]" }}; }
{% endif %}
        ids[row * {{ top }}u + j] = e;
        gates[row * {{ top }}u + j] = p.scale * part{{ " / sum" if all or norm }}{{ " * factors[e]" if with_factors }};
    }
}
