{# GEMV (_gemv.wgsl) by teams that read x from the buffer: lanes of one subgroup (added by shuffles), or a whole
   workgroup (first within subgroups, if there are any, then in workgroup memory). Quantised types may be processed by
   words (`width` 1): neighbouring lanes then read neighbouring x, while with chunks of 32 weights each lane would read
   another cache line. Up to `straight` steps of `fixed` sizes are unrolled, so that all loads overlap.

   With `splits`, x is attention in slices (_gemv_slices.wgsl).

   With `parts`, every workgroup also computes LoRA's first product, A x, for its own rows: that many parts of k for each
   quad of ranks, one team for each. What it needs first is loaded before the rows' own product, and used after it, so
   that the loads overlap. Meanwhile the factors of the next projection are brought into the cache, a sector (two vec4s)
   by each thread. #}
{% import "_weights.wgsl" as W %}
{% import "_gemv.wgsl" as G with context %}
{% import "_gemv_slices.wgsl" as J with context %}
{% set steps = (units + lanes - 1) // lanes if fixed else 0 %}
{{ G.functions() }}

{% if parts %}
{% set part_k = (k + parts - 1) // parts %}
{% set part_steps = (part_k + lanes - 1) // lanes %}
var<workgroup> low_parts: array<vec4<f32>, {{ low_quads * parts }}>;
fn x_element(k: u32) -> f32 { return {{ "x[k >> 2u][k & 3u]" if x == "vec4" else "x[k]" }}{{ (" * g[k >> 2u][k & 3u]" if x == "vec4" else " * g[k]") if norm }}; }
{% set count = [part_steps, batch] | min %}
{# Places, and the first steps of a team's first part of A. #}
{% macro load_first() %}
    let head = vec4<f32>(vec4(entry.y % 4096u, entry.y / 4096u, entry.z & 0xffffu, entry.z >> 16u));
{% for d in range(G.dots) %}
{{ G.take_place(d) }}
{% endfor %}
    let team = slot / {{ lanes }}u;
    let next = rows[{{ apart }}];
    let far_at = 2u * (wg * {{ threads }}u + slot);
    let far = pool[select(0u, next.x + far_at, far_at < next.w)].x;
{% set column = "min(wg * %du%s, %s - 1u)" %}
    let low_begin = {% if act == "swiglu" %}0u{% else %}low_place(head, 0u, {{ G.AT }}{{ column % (G.teams * rows, "", G.N) }}).x{% endif %};
    let low_last = low_place(head, 0u, {{ G.AT }}{{ "%s + %s - 1u" % (G.N, G.N) if act == "swiglu" else column % (G.teams * rows, " + %du" % (G.teams * rows - 1), G.N) }});
    let low_start = low_begin * {{ parts }}u;
    let low_end = (low_last.x + low_last.z) * {{ parts }}u;
    let early_u = min(low_start + team, max(low_end, 1u) - 1u);
    let early_k = early_u % {{ parts }}u * {{ part_k }}u + lane;
    let early_a = entry.x + early_u / {{ parts }}u * {{ k }}u;
{% for s in range(count) %}
    let low_k{{ s }} = min(early_k + {{ s * lanes }}u, {{ k - 1 }}u);
    let low_a{{ s }} = pool[select(0u, early_a + low_k{{ s }}, low_start < low_end)];
    let low_x{{ s }} = x_element(low_k{{ s }});
{% endfor %}
{% endmacro %}
{% macro first_product() %}
    // All teams make the same steps, as shuffles require; the last ones may repeat a part without storing it.
    for (var first = low_start; first < low_end; first += {{ G.teams }}u) {
        let u = min(first + team, low_end - 1u);
        var at_k = u % {{ parts }}u * {{ part_k }}u + lane;
        let end_k = min(u % {{ parts }}u * {{ part_k }}u + {{ part_k }}u, {{ k }}u);
        let a = entry.x + u / {{ parts }}u * {{ k }}u;
        var sum = vec4<f32>();
        if (first == low_start) {
{% for s in range(count) %}
            sum += select(0.0, low_x{{ s }}, at_k + {{ s * lanes }}u < end_k) * low_a{{ s }};
{% endfor %}
            at_k += {{ count * lanes }}u;
        }
        for (; at_k < end_k; at_k += {{ count * lanes }}u) {
{% for s in range(count) %}
            let k{{ s }} = min(at_k + {{ s * lanes }}u, {{ k - 1 }}u);
            let a{{ s }} = pool[a + k{{ s }}];
            let x{{ s }} = x_element(k{{ s }});
{% endfor %}
{% for s in range(count) %}
            sum += select(0.0, x{{ s }}, at_k + {{ s * lanes }}u < end_k) * a{{ s }};
{% endfor %}
        }
{% for bit in [16, 8, 4, 2, 1] if bit < lanes %}
        sum += subgroupShuffleXor(sum, {{ bit }}u);
{% endfor %}
        if (lane == 0u && first + team < low_end) { low_parts[u] = sum; }
    }
{% endmacro %}
{% endif %}

{% if reduce == "workgroup" %}
var<workgroup> lane_sums: array<f32, {{ threads * (G.sums | length) if subgroups else threads }}>;
{% endif %}

{# The vec4s of x for unit c: the first one, and each. A word of a chunk of 32 has two, 16 elements apart; a word of a
   chunk of 64 has four neighbours. #}
{% macro first_of(c) %}
{%- if width == 4 or G.by_words %}{{ c }} * {{ G.XV }}u{% elif G.XV == 1 %}{{ c }}{% else %}({{ c }} >> 2u) * 8u{% endif %}
{%- endmacro %}
{% macro vector_of(c, j) %}
{%- if width == 4 or G.by_words %}({{ c }} * {{ G.XV }}u + {{ j }}u)
{%- elif G.XV == 1 %}{{ c }}
{%- else %}(({{ c }} >> 2u) * 8u + ({{ c }} & 3u){{ " + 4u" if j }})
{%- endif %}
{%- endmacro %}

{# Add one unit of every row to sum0 .. sum(dots-1), if `live`. #}
{% macro step(c, live=false, early="") %}
{{ J.take_shares("(%s)" % first_of(c)) if splits }}
{% for j in range(G.XV) %}
{{ J.join_x(j, vector_of(c, j), live) if splits else G.take_x(j, vector_of(c, j), live) }}
{% endfor %}
{{ G.take_xsum() }}
{% for r in range(G.dots) %}
        let q{{ r }} = {{ "%s_%d" % (early, r) if early else "w[base%d + %s]" % (r, c) }};
{% endfor %}
{% for r in range(G.dots) %}
{% set unit = "base%d + %s" % (r, c) %}
        {
{% if weight in W.HIGH %}
        let high = {{ "high_of(%s)" % unit if width == 4 else "high_word(%s)" % unit if G.by_words else "high_word((%s) >> 2u, %s & 3u)" % (unit, c) }};
{% endif %}
{{ W.values(weight, half, "q" ~ r, "v") if width == 4 else W.word_values(weight, "q" ~ r, "v") }}
{% if G.scaled %}
        let sc = scale_of({{ unit if width == 4 or G.by_words else "(%s) >> 2u" % unit }});
{{ G.scaled_sum(r, "xsum") }}
{% else %}
{{ G.plain_sum(r) }}
{% endif %}
        }
{% endfor %}
{% endmacro %}

{# The units of all of a row's experts, as those of one long row. #}
{% macro walk_experts() %}
{% set all = top * units if fixed else 0 %}
{% set flat_steps = (all + lanes - 1) // lanes %}
{{ G.add_biases() }}
{% if 0 < flat_steps <= straight %}
{% for u in range(flat_steps) %}
    {
{% set ragged = (u + 1) * lanes > all %}
        let flat = {{ "min(lane + %du, %du)" % (u * lanes, all - 1) if ragged else "lane + %du" % (u * lanes) }};
{% if ragged %}
        let live = lane + {{ u * lanes }}u < {{ all }}u;
{% endif %}
{{ G.take_expert("flat") }}
{{ step("c", ragged) }}
    }
{% endfor %}
{% else %}
    for (var flat = lane; flat < {{ top }}u * {{ G.UNITS }}; flat += {{ lanes }}u) {
{{ G.take_expert("flat") }}
{{ step("c") }}
    }
{% endif %}
{% endmacro %}

{# All units of a lane, `unroll` at a time so that their loads overlap. #}
{% macro walk() %}
{% if gather == "sum" %}
{{ walk_experts() }}
{% elif 0 < steps <= straight %}
{% set early_steps = [steps, 6 // G.dots] | min if parts else 0 %}
{% for u in range(early_steps) %}
    let early{{ u }} = {{ "lane + %du" % (u * lanes) if (u + 1) * lanes <= units else "min(lane + %du, %s - 1u)" % (u * lanes, G.UNITS) }};
{% for r in range(G.dots) %}
    let early{{ u }}_{{ r }} = w[base{{ r }} + early{{ u }}];
{% endfor %}
{% endfor %}
{{ load_first() if parts }}
{% for u in range(steps) %}
    {
{% set early = "early%d" % u if u < early_steps else "" %}
{% if (u + 1) * lanes <= units %}
        let cu = lane + {{ u * lanes }}u;
{{ step("cu", false, early) }}
{% else %}
        let live = lane + {{ u * lanes }}u < {{ G.UNITS }};
        let cu = min(lane + {{ u * lanes }}u, {{ G.UNITS }} - 1u);
{{ step("cu", true, early) }}
{% endif %}
    }
{% endfor %}
{% else %}
{{ load_first() if parts }}
    var c = lane;
{% if unroll > 1 %}
    for (; c + {{ unroll - 1 }}u * {{ lanes }}u < {{ G.UNITS }}; c += {{ unroll }}u * {{ lanes }}u) {
{% for u in range(unroll) %}
        {
        let cu = c + {{ u }}u * {{ lanes }}u;
{{ step("cu") }}
        }
{% endfor %}
    }
{% endif %}
    for (; c < {{ G.UNITS }}; c += {{ lanes }}u) {
{{ step("c") }}
    }
{% endif %}
{{ first_product() if parts }}
{{ G.fold() }}
{% endmacro %}

{{ G.entry() }}
{% if reduce == "subgroup" %}
{{ G.subgroup_team() }}
{{ G.begin("first") }}
{{ walk() }}
{{ G.add_lanes() }}
    if (lane == 0u) {
{{ G.store() }}
    }
{% if parts %}
    // Never, unless the next projection's result is not finite anyway: without a use, far would not be loaded.
    if (far > 3.4e38) { y[0] = far; }
{% endif %}
{% else %}
    let lane = t % {{ lanes }}u;
    let first = (wg * {{ G.teams }}u + t / {{ lanes }}u) * {{ rows }}u;
{{ G.begin("first") }}
{{ walk() }}
{% if subgroups %}
{% for d in G.sums %}
    acc{{ d }} = subgroupAdd(acc{{ d }});
    if (sg_lane == 0u) { lane_sums[{{ d * threads }}u + sg] = acc{{ d }}; }
{% endfor %}
    workgroupBarrier();
    if (t == 0u) {
{% for d in G.sums %}
        acc{{ d }} = lane_sums[{{ d * threads }}];
        for (var i = 1u; i < sgs; i++) { acc{{ d }} += lane_sums[{{ d * threads }}u + i]; }
{% endfor %}
{{ G.store() }}
    }
{% else %}
{% for d in G.sums %}
    lane_sums[t] = acc{{ d }};
    workgroupBarrier();
    for (var stride = {{ lanes // 2 }}u; stride > 0u; stride >>= 1u) {
        if (lane < stride) { lane_sums[t] += lane_sums[t + stride]; }
        workgroupBarrier();
    }
    acc{{ d }} = lane_sums[t];
    workgroupBarrier();
{% endfor %}
    if (lane == 0u) {
{{ G.store() }}
    }
{% endif %}
{% endif %}
}
