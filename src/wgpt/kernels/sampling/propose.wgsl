{# One workgroup per row: the only one that uses the state of its slot. #}
const MOST_POSITION = {{ 2 ** position_bits - 1 }}u;

// What one thread reads for all: workgroup memory is uniform for the compiler, storage that is written is not.
struct Row {
    slot: u32,
    position: u32,  // before the step
    count: u32,     // tokens drawn; without any there is nothing to do
}
var<workgroup> own: Row;
var<workgroup> newest: array<u32, {{ longest }}>;  // the last tokens, the newest first
var<workgroup> best: atomic<u32>;  // the largest (length of a match, its last position + 1)

fn row_of(row: u32) -> Row {
    if (row >= p.rows) { return Row(0u, 0u, 0u); }
    let place = rows[row];
    if (place.y == 0xffffffffu || place.x >= p.slots) { return Row(0u, 0u, 0u); }
{% if plain %}
    return Row(place.x, place.y, 1u);
{% else %}
    return Row(place.x, place.y, min(count[row], p.width));
{% endif %}
}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let row = wid.x + wid.y * nwg.x;
    if (t == 0u) {
        own = row_of(row);
        atomicStore(&best, 0u);
    }
    let r = workgroupUniformLoad(&own);
    if (r.count > 0u) {
        let text = r.slot * p.capacity;
        let guess = r.slot * {{ GUESS_WORDS }}u;
        for (var i = t; i < r.count; i += {{ threads }}u) {
            let token = drawn[row * p.width + i];
            let at = r.position + 1u + i;
            if (at < p.capacity) { history[text + at] = select(token, 0u, token == 0xffffffffu); }
        }
        if (t == 0u && guesses[guess] > 0u) {
            let right = guesses[guess + 1u] == drawn[row * p.width];
            hits[2u * r.slot] += select(0u, 1u, right);
            hits[2u * r.slot + 1u] += 1u;
        }
        storageBarrier();

        let last = r.position + r.count;  // of the newest token
        let is_known = last < p.capacity;
        if (is_known && t < {{ longest }}u && t <= last) { newest[t] = history[text + last - t]; }
        workgroupBarrier();
        // Ends of earlier matches; a match may overlap the end of the text.
        let ends = select(0u, last, is_known);
        for (var end = t; end < ends; end += {{ threads }}u) {
            let most = min({{ longest }}u, end + 1u);
            var length = 0u;
            while (length < most && history[text + end - length] == newest[length]) { length++; }
            if (length >= {{ shortest }}u) { atomicMax(&best, (length << {{ position_bits }}u) + end + 1u); }
        }
        workgroupBarrier();
        let follower = atomicLoad(&best) & MOST_POSITION;  // the position after the match; 0: there is none
        let found = select(0u, {{ MOST_GUESSES }}u, follower > 0u);
        // Where the known text ends, it goes on as a loop would.
        let period = max(last + 1u, follower + 1u) - follower;
        for (var i = t; i < {{ MOST_GUESSES }}u; i += {{ threads }}u) {
            var token = 0u;
            if (i < found) { token = history[text + follower + i % period]; }
            guesses[guess + 1u + i] = token;
        }
        if (t == 0u) { guesses[guess] = found; }
    }
}
