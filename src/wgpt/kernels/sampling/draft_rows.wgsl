@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let at = (wid.x + wid.y * nwg.x) * {{ threads }}u + t;
    if (at < p.rows * p.window) {
        let row = at / p.window;
        let back = p.window - 1u - at % p.window;
        let place = rows[row];
        let exists = place.y != 0xffffffffu && place.x < p.slots;
        let slot = min(place.x, p.slots - 1u);
        let record = slot * {{ RECORD_WORDS }}u;
        let drafted = slots[record + {{ DRAFTED }}u];
        let behind = place.y - drafted;
        let is_live = exists && place.y < p.capacity && drafted <= place.y && behind < p.window && back <= behind
            && (slots[record + {{ FLAGS }}u] & {{ PENALISED + MASKED }}u) == 0u;
        let earlier = recent[slot * {{ RECENT }}u + (place.y - back) % {{ RECENT }}u];
        let token = select(earlier, ids[row], back == 0u);
        all_ids[at] = select(0u, min(token, p.vocab - 1u), is_live);
        all_rows[at] = vec2(place.x, select(0xffffffffu, place.y - back, is_live));
        if (exists && back == 0u) { guesses[slot * {{ GUESS_WORDS }}u] = 0u; }
    }
}
