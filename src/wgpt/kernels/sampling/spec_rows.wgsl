@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let at = (wid.x + wid.y * nwg.x) * {{ threads }}u + t;
    if (at < p.rows * p.width) {
        let row = at / p.width;
        let i = at % p.width;
        let place = rows[row];
        let slot = min(place.x, p.slots - 1u);
        let is_own = i == 0u;
        let flags = slots[slot * {{ RECORD_WORDS }}u + {{ FLAGS }}u];
        let is_guessed = i <= guesses[slot * {{ GUESS_WORDS }}u] && (flags & {{ PENALISED + MASKED }}u) == 0u
            && place.y < p.capacity && i < p.capacity - place.y;
        let is_live = place.y != 0xffffffffu && place.x < p.slots && (is_own || is_guessed);
        let token = select(guesses[slot * {{ GUESS_WORDS }}u + i], ids[row], is_own);
        all_ids[at] = select(0u, token, is_live);
        all_rows[at] = vec2(place.x, select(0xffffffffu, place.y + i, is_live));
        all_loras[at] = select(0u, loras[row], is_live);
    }
}
