{# A workgroup sorts in the pairs of one expert (expert_sort.py). #}
var<workgroup> counts: array<atomic<u32>, {{ experts }}>;
var<workgroup> found: array<u32, {{ threads }}>;  // this expert's pairs in the part of each thread

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let expert = wid.x;
    for (var e = t; e < {{ experts }}u; e += {{ threads }}u) { atomicStore(&counts[e], 0u); }
    workgroupBarrier();
    for (var i = t; i < p.pairs; i += {{ threads }}u) { atomicAdd(&counts[ids[i]], 1u); }
    let span = (p.pairs + {{ threads - 1 }}u) / {{ threads }}u;
    let begin = min(t * span, p.pairs);
    let end = min(begin + span, p.pairs);
    var mine = 0u;
    for (var i = begin; i < end; i++) { mine += select(0u, 1u, ids[i] == expert); }
    found[t] = mine;
    workgroupBarrier();
    var first = 0u;
    var tile = 0u;
    for (var e = 0u; e < expert; e++) {
        let count = atomicLoad(&counts[e]);
        first += count;
        tile += (count + {{ tile - 1 }}u) / {{ tile }}u;
    }
    let last = first + atomicLoad(&counts[expert]);
    var at = first;
    for (var i = 0u; i < t; i++) { at += found[i]; }
    for (var i = begin; i < end; i++) {
        if (ids[i] == expert) {
            order[at] = i;
            at++;
        }
    }
    let after = tile + (last - first + {{ tile - 1 }}u) / {{ tile }}u;
    for (var i = tile + t; i < after; i += {{ threads }}u) {
        let begins = first + (i - tile) * {{ tile }}u;
        tiles[i] = vec4(expert, begins, min(begins + {{ tile }}u, last), 0u);
    }
    if (expert == {{ experts - 1 }}u) {
        for (var i = after + t; i < p.tiles; i += {{ threads }}u) { tiles[i] = vec4<u32>(); }
    }
}
