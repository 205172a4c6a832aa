fn keep(slot: u32, position: u32, token: u32) {
    recent[slot * {{ RECENT }}u + position % {{ RECENT }}u] = select(token, 0u, token == 0xffffffffu);
}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let row = (wid.x + wid.y * nwg.x) * {{ threads }}u + t;
    if (row < p.rows) {
        let place = rows[row];
        let exists = place.y != 0xffffffffu && place.x < p.slots;
{% if plain %}
        if (exists) {
            keep(place.x, place.y, ids[row]);
            keep(place.x, place.y + 1u, drawn[row]);
        }
{% else %}
        var made = vec2(0u);
        if (exists) {
            let new_tokens = min(count[row], p.width);
            keep(place.x, place.y, ids[row]);
            for (var i = 0u; i < new_tokens; i++) { keep(place.x, place.y + 1u + i, drawn[row * p.width + i]); }
            // Its own last guess is the one token that the draft model has not run.
            let at = place.x * {{ RECORD_WORDS }}u + {{ DRAFTED }}u;
            let number = min(guesses[place.x * {{ GUESS_WORDS }}u], p.width - 1u);
            if (number > 0u) { slots[at] = place.y + min(new_tokens, number); }
            made = vec2(slots[at], number);
        }
        report[row] = made;
{% endif %}
    }
}
