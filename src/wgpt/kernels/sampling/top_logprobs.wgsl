{# The `top` best of a row are among the pairs (key, index) that are no worse than the top-th best of any subset of it.
   The first subset is each thread's best pair. If too many pairs pass to be listed, the listed ones are the next. #}
{% import "_chunks.wgsl" as chunks with context %}
{% import "_order.wgsl" as order with context %}
{% import "_rows.wgsl" as R with context %}
{{ chunks.reads(["logits"]) }}
{{ R.reducers(["max", "sum"]) }}
// Finite: NaN is the lowest.
fn sound(z: vec4<f32>) -> vec4<f32> {
    let is_nan = (bitcast<vec4<u32>>(z) & vec4(0x7fffffffu)) > vec4(0x7f800000u);
    return clamp(select(z, vec4(-1.0e38), is_nan), vec4(-1.0e38), vec4(1.0e38));
}

fn sound_at(row: u32, c: u32, fill: f32) -> vec4<f32> {
    let z = sound(logits_at(row, c, fill));
{% if x == "vec4" %}
    return z;
{% else %}
    return select(z, vec4(fill), vec4(4u * c) + vec4(0u, 1u, 2u, 3u) >= vec4(p.cols));
{% endif %}
}

fn logit_of(row: u32, token: u32) -> f32 {
{% if x == "vec4" %}
    return logits[row * p.chunks + token / 4u][token % 4u];
{% else %}
    return logits[row * p.cols + token];
{% endif %}
}
{% if has_top %}
{{ order.keys() }}
const CAPACITY = {{ capacity }}u;
var<workgroup> pairs: array<vec2<u32>, {{ capacity }}>;
var<workgroup> listed: atomic<u32>;
var<workgroup> total: u32;
var<workgroup> least: vec2<u32>;

fn is_better(a: vec2<u32>, b: vec2<u32>) -> bool { return a.x > b.x || (a.x == b.x && a.y < b.y); }
{% endif %}

{% call R.main() %}
{{ R.exp_sum("sound") }}
        let log_exps = log(row_exps);
        if (t == 0u) {
            let token = tokens[row];
            chosen[row] = -1.0e38;
            if (token < p.cols) { chosen[row] = (sound(vec4(logit_of(row, token))).x - row_peak) - log_exps; }
        }
{% if has_top %}
        var best = vec2(0u, 0xffffffffu);
        for (var c = t; c < p.chunks; c += {{ threads }}u) {
            let z = logits_at(row, c, 0.0);
{% for axis in "xyzw" %}
            if (4u * c + {{ loop.index0 }}u < p.cols) {
                let pair = vec2(order_key(z.{{ axis }}), 4u * c + {{ loop.index0 }}u);
                best = select(best, pair, is_better(pair, best));
            }
{% endfor %}
        }
        pairs[t] = best;
        if (t == 0u) { total = {{ threads }}u; }
        var is_complete = false;
        loop {
            let count = min(workgroupUniformLoad(&total), CAPACITY);
            for (var i = t; i < count; i += {{ threads }}u) {
                let mine = pairs[i];
                var rank = 0u;
                for (var j = 0u; j < count; j++) {
                    let other = pairs[j];
                    rank += select(0u, 1u, is_better(other, mine) || (all(other == mine) && j < i));
                }
                if (is_complete && rank < p.top) {
                    ids[row * p.top + rank] = mine.y;
                    values[row * p.top + rank] = (sound(vec4(logit_of(row, mine.y))).x - row_peak) - log_exps;
                }
                if (rank + 1u == p.top) { least = mine; }
            }
            if (is_complete) { break; }
            let bar = workgroupUniformLoad(&least);
            if (t == 0u) { atomicStore(&listed, 0u); }
            workgroupBarrier();
            for (var c = t; c < p.chunks; c += {{ threads }}u) {
                let z = logits_at(row, c, 0.0);
{% for axis in "xyzw" %}
                if (4u * c + {{ loop.index0 }}u < p.cols) {
                    let pair = vec2(order_key(z.{{ axis }}), 4u * c + {{ loop.index0 }}u);
                    if (!is_better(bar, pair)) {
                        let at = atomicAdd(&listed, 1u);
                        if (at < CAPACITY) { pairs[at] = pair; }
                    }
                }
{% endfor %}
            }
            workgroupBarrier();
            if (t == 0u) { total = atomicLoad(&listed); }
            is_complete = workgroupUniformLoad(&total) <= CAPACITY;
        }
{% endif %}
{% endcall %}
