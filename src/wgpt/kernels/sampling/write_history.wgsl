@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let i = (wid.x + wid.y * nwg.x) * {{ threads }}u + t;
    let slot = entries[0];
    let first = entries[1];
    if (slot < p.slots) {
        // `first` may be any number: the difference does not overflow.
        if (i < min(entries[2], p.words - 3u) && first < p.capacity && i < p.capacity - first) {
            history[slot * p.capacity + first + i] = entries[3u + i];
        }
        if (i == 0u) {
            guesses[slot * {{ GUESS_WORDS }}u] = 0u;
            hits[2u * slot] = 0u;
            hits[2u * slot + 1u] = 0u;
        }
    }
}
