@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let row = (wid.x + wid.y * nwg.x) * {{ threads }}u + t;
    if (row < p.rows) {
        let first = row * p.width;
        let place = rows[first];
        let record = place.x * {{ RECORD_WORDS }}u;
        var goes_on = place.y != 0xffffffffu && place.x < p.slots;
        var total = 0u;
        var newest = 0u;
        for (var i = 0u; i < p.width; i++) {
            var token = 0u;
            if (goes_on) {
                token = tokens[first + i];
                newest = token;
                total++;
{% if counts %}
                if (token < p.vocab && (slots[record + {{ FLAGS }}u] & {{ PENALISED }}u) != 0u) {
                    counts[place.x * p.vocab + token] += 1u;
                }
{% endif %}
                goes_on = token != 0xffffffffu && i + 1u < p.width;
                if (goes_on) { goes_on = rows[first + i + 1u].y != 0xffffffffu && ids[first + i + 1u] == token; }
            }
            drawn[first + i] = token;
        }
        count[row] = total;
        if (total > 0u) {
            slots[record + {{ TOKEN }}u] = select(newest, 0u, newest == 0xffffffffu);
            slots[record + {{ POSITION }}u] += total;
            slots[record + {{ COUNTER }}u] += total;
        }
    }
}
