{# Attention of many rows on subgroup matrices: f16 products, f32 sums, softmax on the way.
   A subgroup has wm x mm rows of one query head. A workgroup has `share` heads of one key head, and `groups` subgroups
   for each of them, on consecutive rows. It goes through the keys, bn at a time: a tile of keys and one of values are in
   workgroup memory, in rows of LD vectors of eight halves, the last one unused, against bank conflicts. Scores go through
   memory of the subgroup's own, rows of LS vectors, where L lanes of a row turn them into shares, halves in their place.
   Exponents are relative to `top`, a row's largest score so far. Results are scaled to a new one only if it grew by 2^8:
   shares are at most 2^15, which f16 holds; one of 2^7 is a key with the score `top`.
   `parts` (compute "f32"): each q and each share is the sum of two halves. Each row of q is scaled by a power of two that
   brings its largest value near the largest of f16. Rows may belong to any sequences: those of one are done together. #}
{% import "_cache.wgsl" as store with context %}
{% import "_cap.wgsl" as C with context %}
{% set exact = compute == "f32" %}
{% set parts = 2 if exact else 1 %}
{% set group = heads // kv_heads %}
{% set subgroups = share * groups %}
{% set block = groups * wm * mm %}
{% set quads = head_dim // 4 %}
{% set DV = head_dim // 8 %}
{% set LD = DV + 1 %}
{% set L = lanes // mm %}
{% set LS = bn // 4 + L %}
{% set V_AT = bn * LD %}
{% set S_AT = 2 * V_AT %}
{% set own_size = wm * mm * LS %}
{% set NT = (bn * DV + threads - 1) // threads %}
{% set NU = bn // (8 * L) %}
{% set columns = head_dim // mn %}
{% set at_once = [LS * 4 // mn, columns] | min %}
{% set LEAST = "-3.4028234e38" %}
{% set LOG2E = "1.44269504" %}
alias Left = subgroup_matrix_left<f16, {{ mk }}, {{ mm }}>;
alias Right = subgroup_matrix_right<f16, {{ mn }}, {{ mk }}>;
alias Sum = subgroup_matrix_result<f32, {{ mn }}, {{ mm }}>;
var<workgroup> tile: array<vec4<u32>, {{ [S_AT + subgroups * own_size, subgroups * mm * LD] | max }}>;
var<workgroup> grown: atomic<u32>;  // the last step in which a row's `top` grew
{{ store.addressing(4 if cache == "f32" else 8) }}
{{ C.functions() }}
fn halves(a: vec4<f32>, b: vec4<f32>) -> vec4<u32> {
    return vec4(pack2x16float(a.xy), pack2x16float(a.zw), pack2x16float(b.xy), pack2x16float(b.zw));
}
{% if exact %}
// The part that f16 holds, by its bits: lavapipe takes unpack2x16float(pack2x16float(v)) for v, unrounded.
fn high(v: vec4<f32>) -> vec4<f32> { return bitcast<vec4<f32>>(bitcast<vec4<u32>>(v) & vec4(0xffffe000u)); }
{% endif %}
{% if cache == "f32" %}
// Keys and values as a cache of f16 stores them.
fn stored(v: vec4<f32>) -> vec4<f32> { return clamp(v, vec4(-65504.0), vec4(65504.0)); }
{% endif %}
// 2^14 over the largest power of two in `top`, the largest magnitude of a row; below 2^-60, that of 2^-60.
fn scale_for(top: f32) -> f32 { return bitcast<f32>((268u - max(bitcast<u32>(top) >> 23u, 67u)) << 23u); }
fn largest(v: vec4<f32>) -> f32 { return max(max(v.x, v.y), max(v.z, v.w)); }
{% if cap %}
fn capped4(v: vec4<f32>) -> vec4<f32> { return vec4(capped(v.x), capped(v.y), capped(v.z), capped(v.w)) * {{ LOG2E }}; }
{% endif %}
// The keys that a row attends to: .x to .y - 1.
fn seen_by(row: u32) -> vec2<u32> {
    let at = rows[min(row, p.rows - 1u)];
    if (row >= p.rows || at.y == 0xffffffffu || at.x >= p.slots) { return vec2(0xffffffffu, 0u); }
    return vec2(select(0u, at.y + 1u - p.window, p.window != 0u && at.y >= p.window), min(at.y + 1u, p.capacity));
}

{% macro over_lanes(name, operation) %}
{% for bit in [1, 2, 4, 8, 16, 32] if bit < L %}
        {{ name }} = {{ operation % (name, "subgroupShuffleXor(%s, %du)" % (name, bit)) }};
{% endfor %}
{% endmacro %}
{# Vector i of a thread of a tile of keys or values: vector e % DV of key e / DV. #}
{% macro each(i) %}
        let e = t + {{ i * threads }}u;
        {{ "if (e < %du)" % (bn * DV) if (i + 1) * threads > bn * DV }}
{% endmacro %}
{% macro fetch(base) %}
{% for i in range(NT) %}
    {
{{ each(i) }} {
            let at = cache_at(cached, min({{ base }} + e / {{ DV }}u, most)) + {{ "2u * (e %% %du)" % DV if cache == "f32" else "e %% %du" % DV }};
{% for x in "kv" %}
            f{{ x }}{{ i }} = {{ "halves(stored(%s[at]), stored(%s[at + 1u]))" % (x, x) if cache == "f32" else "%s[at]" % x }};
{% endfor %}
        }
    }
{% endfor %}
{% endmacro %}
{# Values are in the order of the shares: those of a lane's two vectors of scores, one after the other. #}
{% macro stash(name) %}
{% for i in range(NT) %}
    {
{{ each(i) }} {
            let key = e / {{ DV }}u;
{% if name == "k" %}
            tile[key * {{ LD }}u + e % {{ DV }}u] = fk{{ i }};
{% else %}
            let place = key / {{ 8 * L }}u * {{ 8 * L }}u + key / 4u % {{ L }}u * 8u + key / {{ 4 * L }}u % 2u * 4u + key % 4u;
            tile[{{ V_AT }}u + place * {{ LD }}u + e % {{ DV }}u] = fv{{ i }};
{% endif %}
        }
    }
{% endfor %}
{% endmacro %}
{% macro scores() %}
{% for j in range(bn // mn) %}
        {
{% for i in range(wm) %}
            var c{{ i }} = Sum();
{% endfor %}
{% for kk in range(head_dim // mk) %}
            let b{{ kk }} = subgroupMatrixLoad<Right, col_major>(&tile, {{ j * mn * LD + kk * mk // 8 }}u, {{ LD }}u);
{% for i in range(wm) %}{% for part in range(parts) %}
            c{{ i }} = subgroupMatrixMultiplyAccumulate(q{{ i }}_{{ part }}_{{ kk }}, b{{ kk }}, c{{ i }});
{% endfor %}{% endfor %}
{% endfor %}
{% for i in range(wm) %}
            subgroupMatrixStore<row_major>(&tile, own + {{ i * mm * LS + j * mn // 4 }}u, c{{ i }}, {{ LS }}u);
{% endfor %}
        }
{% endfor %}
{% endmacro %}
{# Scores of fragment i become shares, and fix{i} is the factor of what was summed before. #}
{% macro shares(i) %}
        {
            let at = own + ({{ i * mm }}u + r) * {{ LS }}u;
{% for u in range(NU) %}{% for x in range(2) %}
            var s{{ u }}_{{ x }} = bitcast<vec4<f32>>(tile[at + {{ (2 * u + x) * L }}u + h]);
{% if cap %}
            s{{ u }}_{{ x }} = capped4(s{{ u }}_{{ x }} * scale{{ i }});
{% endif %}
{% endfor %}{% endfor %}
            if ({{ "base < keys%d.x || " % i if windowed }}base + {{ bn }}u > keys{{ i }}.y) {
                let key = vec4(base + 4u * h) + vec4(0u, 1u, 2u, 3u);
{% for u in range(NU) %}{% for x in range(2) %}
                let key{{ u }}_{{ x }} = key + {{ (2 * u + x) * 4 * L }}u;
                s{{ u }}_{{ x }} = select(vec4({{ LEAST }}), s{{ u }}_{{ x }}, (key{{ u }}_{{ x }} < vec4(keys{{ i }}.y)){{ " & (key%d_%d >= vec4(keys%d.x))" % (u, x, i) if windowed }});
{% endfor %}{% endfor %}
            }
            var most4 = s0_0;
{% for u in range(NU) %}{% for x in range(2) if u + x %}
            most4 = max(most4, s{{ u }}_{{ x }});
{% endfor %}{% endfor %}
            var next = largest(most4);
{{ over_lanes("next", "max(%s, %s)") }}
            next = {{ "next" if cap else "next * scale%d" % i }};
            next = select(top{{ i }}, next, next > top{{ i }} + 8.0 && keys{{ i }}.y > base{{ " && keys%d.x < base + %du" % (i, bn) if windowed }});
            if (next > top{{ i }} && step > 0u) { atomicMax(&grown, step); }
            fix{{ i }} = exp2(top{{ i }} - next);
            top{{ i }} = next;
            let shift = select(7.0 - next, {{ LEAST }}, next == {{ LEAST }});
            var total = vec4<f32>();
{% for u in range(NU) %}{% for x in range(2) %}
            let e{{ u }}_{{ x }} = exp2({{ "s%d_%d + shift" % (u, x) if cap else "fma(s%d_%d, vec4(scale%d), vec4(shift))" % (u, x, i) }});
            total += e{{ u }}_{{ x }};
{% endfor %}
{% if exact %}
{% for x in range(2) %}
            let high{{ u }}_{{ x }} = high(e{{ u }}_{{ x }});
{% endfor %}
            tile[at + {{ u * L }}u + h] = halves(high{{ u }}_0, high{{ u }}_1);
            tile[at + {{ bn // 8 + u * L }}u + h] = halves(e{{ u }}_0 - high{{ u }}_0, e{{ u }}_1 - high{{ u }}_1);
{% else %}
            tile[at + {{ u * L }}u + h] = halves(e{{ u }}_0, e{{ u }}_1);
{% endif %}
{% endfor %}
            sum{{ i }} = fma(sum{{ i }}, fix{{ i }}, (total.x + total.y) + (total.z + total.w));
        }
{% endmacro %}
{# Results, some columns of fragments at a time, through the subgroup's own memory: `change` is what becomes of vec4 c of
   a row at tile[at + c]. #}
{% macro through_memory(change, back) %}
{% for first in range(0, columns, at_once) %}
{% set some = range(first, [first + at_once, columns] | min) %}
{% for i in range(wm) %}{% for j in some %}
        subgroupMatrixStore<row_major>(&tile, own + {{ i * mm * LS + (j - first) * mn // 4 }}u, o{{ i }}_{{ j }}, {{ LS }}u);
{% endfor %}{% endfor %}
        workgroupBarrier();
{% for i in range(wm) %}
        for (var c = h; c < {{ some | length * mn // 4 }}u; c += {{ L }}u) {
            let at = own + ({{ i * mm }}u + r) * {{ LS }}u + c;
            let value = bitcast<vec4<f32>>(tile[at]);
            {{ change(i, first * mn // 4) }}
        }
{% endfor %}
        workgroupBarrier();
{% if back %}
{% for i in range(wm) %}{% for j in some %}
        o{{ i }}_{{ j }} = subgroupMatrixLoad<Sum, row_major>(&tile, own + {{ i * mm * LS + (j - first) * mn // 4 }}u, {{ LS }}u);
{% endfor %}{% endfor %}
        {{ "workgroupBarrier();" if not loop.last }}
{% endif %}
{% endfor %}
{% endmacro %}
{% macro rescaled(i, first) %}tile[at] = bitcast<vec4<u32>>(value * fix{{ i }});{% endmacro %}
{% macro written(i, first) %}
if (row{{ i }} < p.rows) { out[(row{{ i }} * {{ heads }}u + head) * {{ quads }}u + {{ first }}u + c] = value * sum{{ i }}; }
{%- endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32,
        @builtin(subgroup_id) sg: u32, @builtin(subgroup_invocation_id) lane: u32) {
    // The last rows see the most keys: they begin first.
    let first_row = (nwg.x - 1u - wid.x) * {{ block }}u;
    let head = wid.y * {{ share }}u + sg % {{ share }}u;
    let r = lane / {{ L }}u;
    let h = lane % {{ L }}u;
    let own = {{ S_AT }}u + sg * {{ own_size }}u;
    if (t == 0u) { atomicStore(&grown, 0u); }
{% for i in range(wm) %}
    let row{{ i }} = first_row + sg / {{ share }}u * {{ wm * mm }}u + {{ i * mm }}u + r;
    let q_at{{ i }} = (min(row{{ i }}, p.rows - 1u) * {{ heads }}u + head) * {{ quads }}u;
    var most{{ i }} = vec4<f32>();
    for (var c = h; c < {{ quads }}u; c += {{ L }}u) { most{{ i }} = max(most{{ i }}, abs(q[q_at{{ i }} + c])); }
    var size{{ i }} = largest(most{{ i }});
{{ over_lanes("size%d" % i, "max(%s, %s)") }}
    let up{{ i }} = scale_for(size{{ i }});
    let scale{{ i }} = p.scale * {{ "1.0" if cap else LOG2E }} / up{{ i }};
{% for part in range(parts) %}
    for (var c = h; c < {{ DV }}u; c += {{ L }}u) {
        let v0 = q[q_at{{ i }} + 2u * c] * up{{ i }};
        let v1 = q[q_at{{ i }} + 2u * c + 1u] * up{{ i }};
{% set value = "halves(v0 - high(v0), v1 - high(v1))" if part else "halves(high(v0), high(v1))" if exact else "halves(v0, v1)" %}
        tile[(sg * {{ mm }}u + r) * {{ LD }}u + c] = {{ value }};
    }
    workgroupBarrier();
{% for kk in range(head_dim // mk) %}
    let q{{ i }}_{{ part }}_{{ kk }} = subgroupMatrixLoad<Left, row_major>(&tile, sg * {{ mm * LD }}u + {{ kk * mk // 8 }}u, {{ LD }}u);
{% endfor %}
    workgroupBarrier();
{% endfor %}
    var top{{ i }} = {{ "sinks[head] * %s" % LOG2E if sinks else "f32(%s)" % LEAST }};
    var sum{{ i }} = {{ "select(0.0, 128.0, h == 0u)" if sinks else "0.0" }};
    var fix{{ i }} = 1.0;
{% for j in range(columns) %}
    var o{{ i }}_{{ j }}: Sum;
{% endfor %}
{% endfor %}
{% for i in range(NT) %}
    var fk{{ i }}: vec4<u32>;
    var fv{{ i }}: vec4<u32>;
{% endfor %}
    var step = 0u;
    let end = min(first_row + {{ block }}u, p.rows);
    var from_row = first_row;
    while (from_row < end) {
        // The rows up to to_row - 1 belong to one sequence.
        let slot = rows[from_row].x;
        var first = 0xffffffffu;
        var last = 0u;
        var to_row = from_row;
        while (to_row < end) {
            if (rows[to_row].x != slot) { break; }
            let keys = seen_by(to_row);
            first = min(first, keys.x);
            last = max(last, keys.y);
            to_row++;
        }
{% for i in range(wm) %}
        let keys{{ i }} = select(vec2(0xffffffffu, 0u), seen_by(row{{ i }}), row{{ i }} >= from_row && row{{ i }} < to_row);
{% endfor %}
        let most = max(last, 1u) - 1u;
        let cached = cache_of(min(slot, p.slots - 1u), wid.y * {{ share }}u / {{ group }}u);
{% if ahead %}
        if (first < last) {
{{ fetch("first") }}
{{ stash("k") }}
{{ stash("v") }}
            workgroupBarrier();
        }
{% endif %}
        for (var base = first; base < last; base += {{ bn }}u) {
{% if ahead %}
            let more = base + {{ bn }}u < last;
            if (more) {
{{ fetch("base + %du" % bn) }}
            }
{% else %}
{{ fetch("base") }}
{{ stash("k") }}
{{ stash("v") }}
            workgroupBarrier();
{% endif %}
{{ scores() }}
            workgroupBarrier();
{% for i in range(wm) %}
{{ shares(i) }}
{% endfor %}
            let grows = workgroupUniformLoad(&grown) == step && step > 0u;
{% for i in range(wm) %}{% for part in range(parts) %}{% for kk in range(bn // mk) %}
            let p{{ i }}_{{ part }}_{{ kk }} = subgroupMatrixLoad<Left, row_major>(&tile, own + {{ i * mm * LS + part * bn // 8 + kk * mk // 8 }}u, {{ LS }}u);
{% endfor %}{% endfor %}{% endfor %}
            if (grows) {
                workgroupBarrier();
{{ through_memory(rescaled, true) }}
            }
{% if ahead %}
            if (more) {
{{ stash("k") }}
            }
{% endif %}
{% for kk in range(bn // mk) %}{% for j in range(columns) %}
            {
                let b = subgroupMatrixLoad<Right, row_major>(&tile, {{ V_AT + kk * mk * LD + j * mn // 8 }}u, {{ LD }}u);
{% for i in range(wm) %}{% for part in range(parts) %}
                o{{ i }}_{{ j }} = subgroupMatrixMultiplyAccumulate(p{{ i }}_{{ part }}_{{ kk }}, b, o{{ i }}_{{ j }});
{% endfor %}{% endfor %}
            }
{% endfor %}{% endfor %}
            workgroupBarrier();
{% if ahead %}
            if (more) {
{{ stash("v") }}
            }
            workgroupBarrier();
{% endif %}
            step++;
        }
        from_row = to_row;
    }
{% for i in range(wm) %}
{{ over_lanes("sum%d" % i, "%s + %s") }}
{% if log_sums %}
    if (h == 0u && row{{ i }} < p.rows) {
        log_sum[row{{ i }} * {{ heads }}u + head] = select(0.0, (top{{ i }} - 7.0 + log2(sum{{ i }})) / {{ LOG2E }}, sum{{ i }} > 0.0);
    }
{% endif %}
    sum{{ i }} = select(0.0, 1.0 / sum{{ i }}, sum{{ i }} > 0.0);
{% endfor %}
{{ through_memory(written, false) }}
}
