{# One workgroup per row. q is the distance of a token from the likeliest: fixed point, 2^23 per nat, below 2^28. #}
{% import "_chunks.wgsl" as chunks with context %}
{% import "_order.wgsl" as order with context %}
{% import "_philox.wgsl" as random with context %}
{% import "_slots.wgsl" as S with context %}
{% set who = {"subgroup": ", t, sg, sgs, lane", "workgroup": ", t"}[reduce] %}
{% set best_who = {"subgroup": ", sg, sgs, lane", "workgroup": ", t"}[reduce] %}
{% set who_takes = {"subgroup": ", t: u32, sg: u32, sgs: u32, lane: u32", "workgroup": ", t: u32"}[reduce] %}
{% set key = "key" if filters else "q" %}
{% import "_filters.wgsl" as F with context %}
{{ chunks.reads(["logits"] + (["bias"] if bias else [])) }}
{% if counts %}
{{ chunks.reads(["counts"], "u32") }}
{% endif %}
{{ order.keys() }}
{{ order.best() }}
{{ random.philox() }}
{{ S.finish() }}
const FAR = 268435456.0;     // 2^28: 32 nats
const NATS = 1.1920929e-7;   // of one step of q
const COARSE = 18u;          // `shift`: bins of 2^18 steps; then 2^9, then 1
const FINE = 2048u;          // where the finer histogram starts
const COUNT = 0u;            // the searches
const MASS = 1u;
{% if filters %}
const TYPICAL = 2u;
const LANE = 3u;
const CHUNK = 4u;

{{ F.state() }}
{% else %}
const LANE = 2u;
const CHUNK = 3u;
{% endif %}
const DRAW = 99u;            // a `shift` that says: f32 weights, no histogram

// Coarse: 1,024 bins, fine: 512. First how many tokens each has, then what their masses lack of its start's.
var<workgroup> hist: array<atomic<u32>, 3072>;
var<workgroup> winner: atomic<u32>;
var<workgroup> last: atomic<u32>;
var<workgroup> top: vec2<u32>;
var<workgroup> dice: vec3<f32>;

// What a search found: a bin, its tokens, and (tokens, mass) up to its start and up to its end.
struct Found {
    bin: u32,
    tokens: u32,
    goal: f32,
    start: vec2<f32>,
    end: vec2<f32>,
}
var<workgroup> found: Found;

// The row's own. One thread reads it from the record, which is written: for the compiler, only what all threads load
// from workgroup memory is certain to be the same in all.
struct Row {
    row: u32,
    slot: u32,
    position: u32,
    counter: u32,
    flags: u32,
    stops: u32,      // number of stop ids that are ruled out
{% for name, type, word in settings %}
    {{ name }}: {{ type }},
{% endfor %}
    peak: f32,
    rate: f32,       // steps of q to a logit
}
var<workgroup> own: Row;

fn setting(slot: u32, i: u32) -> u32 { return slots[slot * {{ RECORD_WORDS }}u + {{ SETTINGS }}u + i]; }

fn row_of(row: u32) -> Row {
    var r: Row;
    r.row = row;
    r.position = 0xffffffffu;
    if (row >= p.rows) { return r; }
    r.slot = rows[row].x;
    if (r.slot >= p.slots) { return r; }
    let record = r.slot * {{ RECORD_WORDS }}u;
    r.position = rows[row].y;
    r.counter = slots[record + {{ COUNTER }}u];
{% if not advance %}
    r.counter += r.position - slots[record + {{ POSITION }}u];  // a token was drawn for each row before
{% endif %}
    r.flags = slots[record + {{ FLAGS }}u];
    let stops = min(slots[record + {{ STOP_COUNT }}u], {{ MOST_STOP_IDS }}u);
    r.stops = select(0u, stops, r.counter < slots[record + {{ MIN_TOKENS }}u]);
{% for name, type, word in settings %}
    r.{{ name }} = {{ "bitcast<f32>(" if type == "f32" }}setting(r.slot, {{ word }}u){{ ")" if type == "f32" }};
{% endfor %}
    r.rate = 8388608.0 / max(r.temperature, 1.0e-6);
    return r;
}

// The bits of -inf where a token is ruled out: WGSL has no literal for it.
fn without(z: vec4<f32>, ruled_out: vec4<bool>) -> vec4<f32> {
    return bitcast<vec4<f32>>(select(bitcast<vec4<u32>>(z), vec4(0xff800000u), ruled_out));
}

fn scores_at(r: Row, c: u32) -> vec4<f32> {
    var z = logits_at(r.row, c, -3.0e38);
{% if counts %}
    if ((r.flags & {{ PENALISED }}u) != 0u) {
        let count = counts_at(r.slot, c, 0u);
        let generated = count & vec4(0x7fffffffu);
        let repeated = select(z * r.repetition_penalty, z / r.repetition_penalty, z > vec4(0.0));
        z = select(z, repeated, count != vec4(0u));
        let present = select(vec4(0.0), vec4(r.presence_penalty), generated > vec4(0u));
        z -= r.frequency_penalty * vec4<f32>(generated) + present;
    }
{% endif %}
{% if bias %}
    if ((r.flags & {{ BIASED }}u) != 0u) { z += bias_at(r.slot, c, 0.0); }
{% endif %}
    for (var i = 0u; i < r.stops; i++) {
        let stop = slots[r.slot * {{ RECORD_WORDS }}u + {{ STOP_IDS }}u + i];
        z = without(z, vec4(stop) == vec4(4u * c) + vec4(0u, 1u, 2u, 3u));
    }
{% if mask %}
    if ((r.flags & {{ MASKED }}u) != 0u) {
        let bits = mask[r.slot * p.words + c / 8u] >> (4u * (c % 8u));
        z = without(z, (vec4(bits) & vec4(1u, 2u, 4u, 8u)) == vec4(0u));
    }
{% endif %}
    return z;
}

// How far behind, in steps of q; beyond FAR for what cannot be drawn.
fn behind(r: Row, c: u32) -> vec4<f32> {
    let z = scores_at(r, c);
    let is_nan = (bitcast<vec4<u32>>(z) & vec4(0x7fffffffu)) > vec4(0x7f800000u);
    let sound = clamp(select(z, vec4(-1.0e38), is_nan), vec4(-1.0e38), vec4(1.0e38));
    return min((vec4(r.peak) - sound) * r.rate, vec4(FAR));
}

fn masses_at(r: Row, c: u32, limit: u32) -> vec4<f32> {
    let far = behind(r, c);
{% if filters %}
    let q = vec4<u32>(far);
    return select(vec4(0.0), exp(-NATS * far), (q >= vec4(nearest)) & (q <= vec4(limit)));
{% else %}
    return select(vec4(0.0), exp(-NATS * far), vec4<u32>(far) <= vec4(limit));
{% endif %}
}

fn total(m: vec4<f32>) -> f32 { return (m.x + m.y) + (m.z + m.w); }

// Counts the tokens of the 2^(shift + bits) steps from q = edge on in 2^bits bins, which start at word `base`.
{% if filters %}
// With an `average`, of those up to the limit, by their distance from it; those before it in further bins.
{% endif %}
fn fill(r: Row, base: u32, shift: u32, bits: u32, edge: u32, with_masses: bool, {{ "limit: u32, " if filters }}t: u32) {
    let scale = exp2(37.0 - f32(shift));
    for (var c = t; c < p.chunks; c += {{ threads }}u) {
        let far = behind(r, c);
        let q = vec4<u32>(far);
{% if filters %}
        let is_before = q < vec4(average);
        let key = select(q - vec4(average), vec4(average - 1u) - q, is_before);
        let from_start = select(key, ~key, is_before);
        let is_kept = (q >= vec4(nearest)) & ((q <= vec4(limit)) | vec4(average == 0u));
{% endif %}
{% for axis in "xyzw" %}
        if (far.{{ axis }} < FAR && {{ "is_kept." ~ axis ~ " && " if filters }}(({{ key }}.{{ axis }} ^ edge) >> (shift + bits)) == 0u) {
            let bin = base + (({{ key }}.{{ axis }} - edge) >> shift){{ " + select(0u, 2u << bits, is_before." ~ axis ~ ")" if filters }};
            atomicAdd(&hist[bin], 1u);
            if (with_masses) {
                // 1 - exp(-x) for x below 1/{{ 16 if filters else 32 }}.
                let x = f32({{ "from_start" if filters else "q" }}.{{ axis }} & ((1u << shift) - 1u)) * NATS;
                atomicAdd(&hist[bin + (1u << bits)], u32(x * (1.0 - x * (0.5 - x * 0.16666667)) * scale + 0.5));
            }
        }
{% endfor %}
    }
}

// (tokens, mass) of a bin.
fn weight(bin: u32, base: u32, shift: u32, edge: u32) -> vec2<f32> {
    if (shift == DRAW) { return vec2(0.0, bitcast<f32>(atomicLoad(&hist[bin]))); }
    let tokens = f32(atomicLoad(&hist[base + bin]));
    let lacking = f32(atomicLoad(&hist[base + select(512u, 1024u, shift == COARSE) + bin])) * exp2(f32(shift) - 37.0);
{% if filters %}
    let mass = (tokens - lacking) * exp(-NATS * f32(average + edge + (bin << shift)));
    if (average == 0u) { return vec2(tokens, mass); }
    // And of the bin as far before the average: it ends where this one starts.
    let before = f32(atomicLoad(&hist[base + 1024u + bin]));
    let before_lacking = f32(atomicLoad(&hist[base + 1536u + bin])) * exp2(f32(shift) - 37.0);
    let begin = f32(i32(average) - i32(edge + ((bin + 1u) << shift)));
    return vec2(tokens + before, mass + (before - before_lacking) * exp(-NATS * begin));
{% else %}
    return vec2(tokens, (tokens - lacking) * exp(-NATS * f32(edge + (bin << shift))));
{% endif %}
}

// The sums of all threads' `mine` up to and with this thread's in its order; `part` of the last is the whole.
{% if reduce == "subgroup" %}
fn running(mine: vec2<f32>{{ who_takes }}) -> vec2<f32> {
    var sum = subgroupInclusiveAdd(mine);
    let whole = subgroupAdd(mine);
    if (lane == 0u) { part[sg] = bitcast<vec2<u32>>(whole); }
    workgroupBarrier();
    for (var i = 0u; i < sg; i++) { sum += bitcast<vec2<f32>>(part[i]); }
    workgroupBarrier();
    part[t] = bitcast<vec2<u32>>(sum);
    workgroupBarrier();
    return sum;
}
{% else %}
fn running(mine: vec2<f32>{{ who_takes }}) -> vec2<f32> {
    var sum = mine;
    part[t] = bitcast<vec2<u32>>(sum);
    workgroupBarrier();
    for (var s = 1u; s < {{ threads }}u; s <<= 1u) {
        if (t >= s) { sum += bitcast<vec2<f32>>(part[t - s]); }
        workgroupBarrier();
        part[t] = bitcast<vec2<u32>>(sum);
        workgroupBarrier();
    }
    return sum;
}
{% endif %}

// The first bin with which the running weight (tokens, or mass) from `start` on reaches the goal: `aim`, or that share
// of all mass. The last bin that weighs anything where rounding or a lack of tokens keeps it from being reached.
fn find(base: u32, bins: u32, shift: u32, edge: u32, by_mass: bool, aim: f32, is_share: bool,
        start: vec2<f32>{{ who_takes }}) -> Found {
    let kind = select(vec2(1.0, 0.0), vec2(0.0, 1.0), by_mass);
    let each = (bins + {{ threads - 1 }}u) / {{ threads }}u;
    let first = min(t * each, bins);
    let end = min(first + each, bins);
    var mine = vec2(0.0);
    for (var bin = first; bin < end; bin++) { mine += weight(bin, base, shift, edge); }
    if (t == 0u) {
        atomicStore(&winner, 0xffffffffu);
        atomicStore(&last, 0u);
    }
    let sum = running(mine{{ who }});
    let goal = select(aim, aim * bitcast<vec2<f32>>(part[{{ threads - 1 }}]).y, is_share);
    if (dot(mine, kind) > 0.0) {
        if (dot(start + sum, kind) >= goal) { atomicMin(&winner, t); }
        atomicMax(&last, t);
    }
    workgroupBarrier();
    let reached = atomicLoad(&winner);
    if (t == select(reached, atomicLoad(&last), reached == 0xffffffffu)) {
        var here = start;
        if (t > 0u) { here += bitcast<vec2<f32>>(part[t - 1u]); }
        for (var bin = first; bin < end; bin++) {
            let w = weight(bin, base, shift, edge);
            if (dot(w, kind) > 0.0) {
                found = Found(bin, u32(w.x), goal, here, here + w);
                if (dot(here + w, kind) >= goal) { break; }
            }
            here += w;
        }
    }
    return workgroupUniformLoad(&found);
}

{% if filters %}
{{ F.functions() }}
{% endif %}
// The token of a chunk that the last draw falls on.
fn token_of(r: Row, chunk: u32, limit: u32) -> u32 {
    let mass = masses_at(r, chunk, limit);
    let goal = dice.z * total(mass);
    var token = 4u * chunk;
    var here = 0.0;
{% for axis in "xyzw" %}
    if (mass.{{ axis }} > 0.0 && here < goal) { token = 4u * chunk + {{ loop.index0 }}u; }
    here += mass.{{ axis }};
{% endfor %}
    return token;
}

// Weighs what a draw chooses from: the lanes, or (`of_lane` is one of them) the chunks of a lane.
fn weigh(r: Row, limit: u32, of_lane: u32, t: u32) {
    let is_chunk = of_lane < {{ lanes }}u;
    for (var i = t; i < {{ lanes }}u; i += {{ threads }}u) {
        let first = select(i, of_lane + i * {{ lanes }}u, is_chunk);
        let end = select(p.chunks, min(first + 1u, p.chunks), is_chunk);
        var mass = 0.0;
        for (var c = first; c < end; c += {{ lanes }}u) { mass += total(masses_at(r, c, limit)); }
        atomicStore(&hist[i], bitcast<u32>(mass));
    }
}

// Four searches of one kind: the k-th token, the mass p, then the draw's lane and its chunk. One loop, for a compiler
// copies every function to every call.
fn chosen(asked: Row{{ who_takes }}) -> u32 {
    var r = asked;
    var mine = vec2(0u, 0xffffffffu);
    for (var c = t; c < p.chunks; c += {{ threads }}u) {
        let z = scores_at(r, c);
{% for axis in "xyzw" %}
        {% if x == "scalar" and not loop.first %}if (4u * c + {{ loop.index0 }}u < p.cols) {% endif -%}
        { mine = better(mine, vec2(order_key(z.{{ axis }}), 4u * c + {{ loop.index0 }}u)); }
{% endfor %}
    }
    let best = best_of(mine{{ best_who }});
    if (t == 0u) {
        top = best;
        let bits = philox(vec4(r.counter, 0u, 0u, 0u), vec2(setting(r.slot, {{ seed }}u), setting(r.slot, {{ seed + 1 }}u)));
        dice = vec3<f32>((bits.xyz >> vec3(8u)) + 1u) * 5.9604645e-8;
{% if filters %}
{{ F.draw() }}
{% endif %}
    }
    let likeliest = workgroupUniformLoad(&top);
    if (likeliest.x <= {{ order.LOWEST }}) { return 0xffffffffu; }
    // Greedy; or nothing above -1e38.
    if (r.temperature == 0.0 || likeliest.x <= 0x01698966u) { return likeliest.y; }
    r.peak = min(bitcast<f32>(select(~likeliest.x, likeliest.x & 0x7fffffffu, likeliest.x >= 0x80000000u)), 1.0e38);

    let by_k = r.top_k > 0u && r.top_k < p.cols;
    let by_p = r.top_p < 1.0;
    var limit = 0x0fffffffu;
{% if filters %}
    let by_type = r.typical_p < 1.0;
    var is_averaged = false;
    var is_narrowed = false;
    nearest = 0u;
    average = 0u;
    var stage = select(select(select(LANE, MASS, by_p), TYPICAL, by_type), COUNT, by_k);
    var aim = select(select(select(dice.x, r.top_p, by_p), r.typical_p, by_type), f32(r.top_k), by_k);
{% else %}
    if (r.min_p > 0.0) { limit = min(limit, u32(-log(max(r.min_p, 1.0e-13)) / NATS)); }
    var stage = select(select(LANE, MASS, by_p), COUNT, by_k);
    var aim = select(select(dice.x, r.top_p, by_p), f32(r.top_k), by_k);
{% endif %}
    var is_share = !by_k;
    var start = vec2(0.0);
    var shift = {{ "select(COARSE, COARSE + 1u, stage == TYPICAL)" if filters else "COARSE" }};
    var edge = 0u;
    var has_coarse = false;
    var lane_drawn = {{ lanes }}u;
    loop {
{% if filters %}
        if (stage == TYPICAL && !is_averaged) {
            let s = sums(r, limit{{ who }});
            average = max(1u, u32(s.y / s.x + 0.5));
            is_averaged = true;
        }
        if (stage == LANE && !is_narrowed) {
{{ F.narrow() }}
            is_narrowed = true;
        }
        let is_both_ways = stage == TYPICAL;
{% endif %}
        let is_coarse = shift == COARSE;
        let base = select(FINE, 0u, is_coarse{{ " || is_both_ways" if filters }});
        if (stage >= LANE) {
            weigh(r, limit, lane_drawn, t);
        } else if (!(is_coarse && has_coarse)) {
            let words = select(1024u, 2048u, is_coarse{{ " || is_both_ways" if filters }});
            for (var i = t; i < words; i += {{ threads }}u) { atomicStore(&hist[base + i], 0u); }
            workgroupBarrier();
            fill(r, base, shift, select(9u, 10u, is_coarse), edge, by_p{{ " || is_both_ways, limit" if filters }}, t);
            has_coarse = true;
        }
        workgroupBarrier();
        let kind = select(shift, DRAW, stage >= LANE);
        let f = find(base, select(512u, 1024u, is_coarse), kind, edge, stage != COUNT, aim, is_share, start{{ who }});
        if (stage == CHUNK) {
            edge = f.bin;
            break;
        }
        edge += f.bin << shift;
        if (stage < LANE && shift {{ ">= 9u" if filters else "> 0u" }} && f.tokens > 1u && select(f.end.x, f.end.y, stage {{ "!= COUNT" if filters else "== MASS" }}) > f.goal) {
            // The threshold is among several tokens of a bin: look at that bin alone.
            shift -= 9u;
            aim = f.goal;
            is_share = false;
            start = f.start;
            continue;
        }
        if (stage == LANE) {
            lane_drawn = f.bin;
            stage = CHUNK;
            aim = dice.y;
{% if filters %}
        } else if (stage == COUNT && by_type) {
            limit = min(limit, edge + (1u << shift) - 1u);
            is_share = true;
            aim = r.typical_p;
            stage = TYPICAL;
        } else {
            let end = edge + (1u << shift);
            if (stage == TYPICAL) {
                nearest = max(average, end) - end;
                limit = min(limit, average + end - 1u);
                average = 0u;
                has_coarse = false;
            } else {
                limit = min(limit, end - 1u);
            }
            is_share = !(stage != MASS && by_p);
            aim = select(r.top_p * f.end.y, dice.x, is_share);
            stage = select(MASS, LANE, is_share);
        }
{% else %}
        } else {
            limit = min(limit, edge + (1u << shift) - 1u);
            is_share = !(stage == COUNT && by_p);
            aim = select(r.top_p * f.end.y, dice.x, is_share);
            stage = select(MASS, LANE, is_share);
        }
{% endif %}
        start = vec2(0.0);
        shift = {{ "select(COARSE, COARSE + 1u, stage == TYPICAL)" if filters else "COARSE" }};
        edge = 0u;
    }
    return token_of(r, lane_drawn + edge * {{ lanes }}u, limit);
}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
{% if reduce == "subgroup" %}
        @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32,
        @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) size: u32) {
    let t = sg * size + lane;  // in the order in which subgroups add
{% else %}
        @builtin(local_invocation_index) t: u32) {
{% endif %}
    let row = wid.x + wid.y * nwg.x;
    if (t == 0u) { own = row_of(row); }
    let asked = workgroupUniformLoad(&own);
    if (asked.position != 0xffffffffu) {
        let token = chosen(asked{{ who }});
        if (t == 0u) {
            finish_row(row, asked.slot, token, token == 0xffffffffu);
{% if counts and advance %}
            if (token != 0xffffffffu && (asked.flags & {{ PENALISED }}u) != 0u) {
{% if x == "vec4" %}
                counts[asked.slot * p.chunks + token / 4u][token % 4u] += 1u;
{% else %}
                counts[asked.slot * p.cols + token] += 1u;
{% endif %}
            }
{% endif %}
        }
    } else if (t == 0u && row < p.rows) {
        tokens[row] = 0u;
    }
}
