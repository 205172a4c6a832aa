{# Each workgroup owns a span of the vocabulary and reads the whole lists: no workgroup waits for another. #}
var<workgroup> tally: array<atomic<u32>, {{ span }}>;

fn clear(t: u32) {
    for (var i = t; i < {{ span }}u; i += {{ threads }}u) { atomicStore(&tally[i], 0u); }
    workgroupBarrier();
}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let slot = entries[0];
    let prompt = entries[1];
    let tokens = prompt + entries[2];
    let first = wid.x * {{ span }}u;
    let width = min({{ span }}u, p.vocab - first);
    let out = slot * p.vocab + first;
    if (slot < p.slots) {
{% if counts %}
        clear(t);
        for (var i = t; i < tokens; i += {{ threads }}u) {
            let at = entries[4u + i] - first;  // wraps around for tokens before this span
            if (at < width) {
                if (i < prompt) { atomicOr(&tally[at], {{ PROMPTED }}u); } else { atomicAdd(&tally[at], 1u); }
            }
        }
        workgroupBarrier();
        for (var i = t; i < width; i += {{ threads }}u) { counts[out + i] = atomicLoad(&tally[i]); }
{% endif %}
{% if bias %}
        let list = 4u + tokens;
        let biases = entries[3];
{% if counts %}
        workgroupBarrier();
{% endif %}
        clear(t);
        for (var i = t; i < biases; i += {{ threads }}u) {
            let at = entries[list + 2u * i] - first;
            if (at < width) { atomicMax(&tally[at], i + 1u); }  // of a token's entries, the last counts
        }
        workgroupBarrier();
        for (var i = t; i < width; i += {{ threads }}u) {
            let entry = atomicLoad(&tally[i]);
            var value = 0u;
            if (entry > 0u) { value = entries[list + 2u * entry - 1u]; }
            bias[out + i] = value;
        }
{% endif %}
    }
}
