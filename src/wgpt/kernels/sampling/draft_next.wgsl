@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let row = (wid.x + wid.y * nwg.x) * {{ threads }}u + t;
    if (row < p.rows) {
        let at = (row + 1u) * p.stride - 1u;
        let place = rows[at];
        let token = tokens[at];
        // An idle row's position is beyond any capacity.
        let is_live = place.y < p.capacity - 1u && place.x < p.slots && token < p.vocab;
        if (is_live) {
            guesses[place.x * {{ GUESS_WORDS }}u] = p.number;
            guesses[place.x * {{ GUESS_WORDS }}u + p.number] = token;
        }
        ids[row] = select(0u, token, is_live);
        next_rows[row] = vec2(place.x, select(0xffffffffu, place.y + 1u, is_live));
    }
}
