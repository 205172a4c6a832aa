{# A workgroup chooses the experts of one row (router.py). Experts are in quads, so that each can compare itself with four
   others at a time; beyond the last expert, keys are the lowest. `fixed`: for one row, all sizes are constants in the
   code, so that nothing waits for the uniforms. #}
{% set share = experts // groups %}
{% set together = [together, (experts + 3) // 4] | min %}
{% set quads = ((experts + 3) // 4 + together - 1) // together * together %}
{% set all = score == "softmax" and not norm %}
{% set WIDTH = "%du" % width if fixed else "p.width" %}
{% set SCALE = "f32(%s)" % scale if fixed else "p.scale" %}
{% import "_activations.wgsl" as F with context %}
{% import "_order.wgsl" as order with context %}
{{ F.logistic() if score == "sigmoid" }}
var<workgroup> scores: array<vec4<f32>, {{ quads }}>;
var<workgroup> keys: array<vec4<u32>, {{ quads }}>;  // of what experts are chosen by
var<workgroup> chosen: array<u32, {{ top }}>;
var<workgroup> best: array<f32, {{ top }}>;  // their scores
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
{% if fixed %}
    let row = 0u;
{% else %}
    let row = wid.x + wid.y * nwg.x;
    if (row >= p.rows) { return; }
{% endif %}
    for (var quad = t; quad < {{ quads }}u; quad += {{ threads }}u) {
        var score: vec4<f32>;
        var key: vec4<u32>;
{% for i in range(4) %}
        {
            let e = min(4u * quad + {{ i }}u, {{ experts - 1 }}u);
            let logit = logits[row * {{ WIDTH }} + e];
            score[{{ i }}] = {{ "logistic(vec4(logit)).x" if score == "sigmoid" else "logit" }};
            key[{{ i }}] = order_key(score[{{ i }}]{{ " + bias[e]" if biased }});
        }
{% endfor %}
        scores[quad] = score;
        keys[quad] = select(key, vec4<u32>(), 4u * quad + vec4(0u, 1u, 2u, 3u) >= vec4({{ experts }}u));
    }
    workgroupBarrier();
{% if groups > 1 %}
    for (var g = t; g < {{ groups }}u; g += {{ threads }}u) {
        var first = 0u;
{% if group_sum == 2 %}
        var second = 0u;
{% endif %}
        for (var e = g * {{ share }}u; e < g * {{ share }}u + {{ share }}u; e++) {
            let key = keys[e / 4u][e % 4u];
{% if group_sum == 2 %}
            second = max(second, min(first, key));
{% endif %}
            first = max(first, key);
        }
        group_keys[g] = {{ "order_key(number_of(first) + number_of(second))" if group_sum == 2 else "first" }};
    }
    workgroupBarrier();
    for (var quad = t; quad < {{ quads }}u; quad += {{ threads }}u) {
        var key = keys[quad];
        for (var i = 0u; i < 4u; i++) {
            let mine = min((4u * quad + i) / {{ share }}u, {{ groups - 1 }}u);
            var better = 0u;
            for (var g = 0u; g < {{ groups }}u; g++) {
                let other = group_keys[g];
                better += select(0u, 1u, other > group_keys[mine] || (other == group_keys[mine] && g < mine));
            }
            if (better >= {{ best_groups }}u) { key[i] = 0u; }
        }
        keys[quad] = key;
    }
    workgroupBarrier();
{% endif %}
    for (var e = t; e < {{ experts }}u; e += {{ threads }}u) {
        let mine = vec4(keys[e / 4u][e % 4u]);
        var better = vec4<u32>();
        for (var quad = 0u; quad < {{ quads }}u; quad += {{ together }}u) {
{% for i in range(together) %}
            let other{{ i }} = keys[quad + {{ i }}u];
{% endfor %}
{% for i in range(together) %}
            {
                let before = 4u * (quad + {{ i }}u) + vec4(0u, 1u, 2u, 3u) < vec4(e);
                better += select(vec4(0u), vec4(1u), (other{{ i }} > mine) | ((other{{ i }} == mine) & before));
            }
{% endfor %}
        }
        let place = (better.x + better.y) + (better.z + better.w);
        if (place < {{ top }}u) {
            chosen[place] = e;
            best[place] = scores[e / 4u][e % 4u];
        }
    }
    workgroupBarrier();
{% if score == "softmax" %}
    let peak = best[0];
{% endif %}
{% if all %}
    for (var quad = t; quad < {{ quads }}u; quad += {{ threads }}u) {
        let there = 4u * quad + vec4(0u, 1u, 2u, 3u) < vec4({{ experts }}u);
        scores[quad] = select(vec4<f32>(), exp(scores[quad] - peak), there);
    }
    workgroupBarrier();
{% endif %}
    for (var j = t; j < {{ top }}u; j += {{ threads }}u) {
        let e = chosen[j];
        let part = {{ "exp(best[j] - peak)" if score == "softmax" else "best[j]" }};
{% if all %}
        var sums = vec4<f32>();
        for (var quad = 0u; quad < {{ quads }}u; quad++) { sums += scores[quad]; }
        let sum = (sums.x + sums.y) + (sums.z + sums.w);
{% elif norm %}
        var sum = 0.0;
        for (var o = 0u; o < {{ top }}u; o++) { sum += {{ "exp(best[o] - peak)" if score == "softmax" else "best[o]" }}; }
{% endif %}
        ids[row * {{ top }}u + j] = e;
        gates[row * {{ top }}u + j] = {{ SCALE }} * part{{ " / sum" if all or norm }}{{ " * factors[e]" if with_factors }};
    }
}
