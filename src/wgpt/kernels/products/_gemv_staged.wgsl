{# GEMV by teams within one subgroup that share x in workgroup memory: shared by gemv_staged (floats) and gemv_digits
   (integers). The number of chunks per row, `chunks`, is a constant in the code. Import with context.
   The importing template imports _gemv.wgsl as G, declares
     var x_tile             x in its own format, STRIDE vectors per chunk
     fn stage_x             with signature(); fills x_tile and the declarations of memory() for the whole workgroup
   and renders main(slot, take, add) or main_in_turns(slot, take, add), where
     slot                   is the argument of stage_x for the index of a thread
     take(live)             has the statements that read chunk c of x, or zeros unless `live`, if that is not empty
     add(r)                 has those that add chunk c of dot r to sum{r}, from its bits `q`, its scale `sc` and, where
                            the type has them, the bits `high` #}
{% import "_weights.wgsl" as W %}
{# Chunks of x: with `gather` "sum", of a row's experts, one after the other. #}
{% set ALL = chunks * top if gather == "sum" else chunks %}

{# x_sum: the sum of x over a chunk, if the type has an offset; x_squares: the sums of squares of subgroups. What belongs to
   a chunk belongs to one of its words if the type is `by_words`: those of all first words, then of all second ones, and
   so on. #}
{% set SCALED_PARTS = 4 if G.by_words else 1 %}
{% macro of_chunk(name, live) %}
{%- set value %}{{ "vec4(" if G.by_words }}{% for i in range(SCALED_PARTS) %}{{ name }}[c{{ " + %du" % (i * ALL) if i }}]{{ ", " if not loop.last }}{% endfor %}{{ ")" if G.by_words }}{% endset -%}
{{ "select(%s(), %s, live)" % ("vec4<f32>" if G.by_words else "f32", value) if live else value }}
{%- endmacro %}
{% macro memory() %}
{% if G.offset %}
var<workgroup> x_sum: array<f32, {{ ALL * SCALED_PARTS }}>;
{% endif %}
{% if norm %}
var<workgroup> x_squares: array<f32, {{ threads }}>;
{% endif %}
{% endmacro %}

{# With a norm, stage_x returns the sum of squares: each thread writes its `part` before a barrier, and reads the total
   after it. #}
{% macro signature(slot) %}
fn stage_x({{ slot }}: u32{{ ", sg: u32, sgs: u32, sg_lane: u32) -> f32" if norm else ")" }}
{%- endmacro %}
{% macro share_squares() %}
{% if norm %}
    part = subgroupAdd(part);
    if (sg_lane == 0u) { x_squares[sg] = part; }
{% endif %}
{% endmacro %}
{% macro return_squares() %}
{% if norm %}
    var squares = x_squares[0];
    for (var i = 1u; i < sgs; i++) { squares += x_squares[i]; }
    return squares;
{% endif %}
{% endmacro %}

{# `ahead`: the first weights are loaded before x is staged. Scales of a chunk's words take more registers than their bits. #}
{% set SCALES = "scale_bits" if G.by_words else "scale_of" %}
{% macro scales(bits, r) %}{{ "scale_from(%s, base%d + c)" % (bits, r) if G.by_words else bits }}{% endmacro %}
{% set steps = (chunks + lanes - 1) // lanes %}
{% set early_steps = [steps, 12 // G.dots] | min if ahead else 0 %}
{% macro load_ahead() %}
{% for u in range(early_steps) %}
    let c{{ u }} = min(lane + {{ u * lanes }}u, {{ chunks - 1 }}u);
{% for r in range(G.dots) %}
    let q{{ u }}_{{ r }} = w[base{{ r }} + c{{ u }}];
    let sc{{ u }}_{{ r }} = {{ SCALES }}(base{{ r }} + c{{ u }});
{% if weight in W.HIGH %}
    let high{{ u }}_{{ r }} = high_of(base{{ r }} + c{{ u }});
{% endif %}
{% endfor %}
{% endfor %}
{% endmacro %}

{% macro main(slot, take, add) %}
{{ G.entry() }}
{{ G.subgroup_team() }}
{{ G.begin("first") }}
{{ load_ahead() }}
    {{ "let squares = stage_x(%s, sg, sgs, sg_lane);" % slot if norm else "stage_x(%s);" % slot }}
{% for u in range(steps) %}
{% if chunks % lanes == 0 or u < chunks // lanes %}
    {
{% else %}
    if (lane < {{ chunks % lanes }}u) {
{% endif %}
        let c = lane + {{ u * lanes }}u;
{{ take("") }}
{% for r in range(G.dots) %}
        {
{% if u < early_steps %}
            let q = q{{ u }}_{{ r }};
            let sc = {{ scales("sc%d_%d" % (u, r), r) }};
            {{ "let high = high%d_%d;" % (u, r) if weight in W.HIGH }}
{% else %}
            let q = w[base{{ r }} + c];
            let sc = {{ scales("%s(base%d + c)" % (SCALES, r), r) }};
            {{ "let high = high_of(base%d + c);" % r if weight in W.HIGH }}
{% endif %}
{{ add(r) }}
        }
{% endfor %}
    }
{% endfor %}
{{ G.fold() }}
{{ G.add_lanes() }}
    if (lane == 0u) {
{{ G.store() }}
    }
}
{% endmacro %}

{# The same for few workgroups, each with `turns` times the rows, so that x is staged less often. The next `unroll`
   steps of a lane are always on their way, each in a slot of registers: further chunks of its rows, or the first of its
   next rows. #}
{% set all_steps = (ALL + lanes * unroll - 1) // (lanes * unroll) * unroll %}
{% set LOADS = [("q", "w[%s]"), ("bits", "scale_bits(%s)")] + ([("high", "high_of(%s)")] if weight in W.HIGH else []) %}
{# An expert's unit is kept as well: looking it up takes a load. #}
{% set LOADS = LOADS + ([("place", "%s")] if gather == "sum" else []) %}
{% macro unit_of(d, row, c) %}
{%- set r = "%s%d" % (row, d % rows) %}
{%- if gather == "sum" %}unit_of({{ r }}, {{ c }})
{%- else %}({{ "expert * %du + " % stride if gather }}{{ r }}{{ " + %s" % ("%du" % apart if gather else G.N) if d >= rows }}) * {{ G.UNITS }} + {{ c }}
{%- endif %}
{% endmacro %}
{# Whether every lane has as many chunks as the others, so that none needs a limit. #}
{% set even = ALL == all_steps * lanes %}
{% macro chunk_of(step) %}{{ "lane + %s" % step if even else "min(lane + %s, %du)" % (step, ALL - 1) }}{% endmacro %}
{% macro turn_functions() %}
{{ W.scale_parts(weight) }}
{% if gather == "sum" %}
fn unit_of(row: u32, c: u32) -> u32 {
    return (ids[x_from / ({{ G.WIDE }}) + c / {{ chunks }}u] * {{ stride }}u + row) * {{ chunks }}u + c % {{ chunks }}u;
}
{% endif %}
{% endmacro %}

{% macro main_in_turns(slot, take, add) %}
{% set more = G.teams * rows %}
{{ G.entry() }}
{{ G.subgroup_team() }}
{{ G.begin_experts() }}
{% for r in range(rows) %}
    let first{{ r }} = min(first + {{ r }}u, {{ G.N }} - 1u);
{% endfor %}
{% for s in range(unroll) %}{% for d in range(G.dots) %}
    let start{{ s }}_{{ d }} = {{ unit_of(d, "first", chunk_of("%du" % (s * lanes))) }};
{% for name, load in LOADS %}
    var {{ name }}{{ s }}_{{ d }} = {{ load % ("start%d_%d" % (s, d)) }};
{% endfor %}
{% endfor %}{% endfor %}
    {{ "let squares = stage_x(%s, sg, sgs, sg_lane);" % slot if norm else "stage_x(%s);" % slot }}
    for (var turn = 0u; turn < {{ turns }}u; turn++) {
        if ((wg * {{ turns }}u + turn) * {{ more }}u >= {{ G.N }}) { break; }
{{ G.begin_rows("first + turn * %du" % more) }}
{{ G.add_biases() }}
{% for r in range(rows) %}
        let onward{{ r }} = min(select(row{{ r }}, row{{ r }} + {{ more }}u, turn < {{ turns - 1 }}u), {{ G.N }} - 1u);
{% endfor %}
        for (var u = 0u; u < {{ all_steps }}u; u += {{ unroll }}u) {
            let last = u == {{ all_steps - unroll }}u;
            let ahead = select(u + {{ unroll }}u, 0u, last) * {{ lanes }}u;
{% for r in range(rows) %}
            let next{{ r }} = select(from{{ r }}, onward{{ r }}, last);
{% endfor %}
{% for s in range(unroll) %}
            {
                let step = (u + {{ s }}u) * {{ lanes }}u;
                let c = {{ chunk_of("step") }};
{% if not even %}
                let live = lane + step < {{ ALL }}u;
{% endif %}
                let next_c = {{ chunk_of("ahead + %du" % (s * lanes)) }};
{{ take("" if even else "live") }}
{% for d in range(G.dots) %}
                {
                    let q = q{{ s }}_{{ d }};
                    {{ "let high = high%d_%d;" % (s, d) if weight in W.HIGH }}
                    let bits = bits{{ s }}_{{ d }};
                    let place = {{ "place%d_%d" % (s, d) if gather == "sum" else unit_of(d, "from", "c") }};
                    let at = {{ unit_of(d, "next", "next_c") }};
{% for name, load in LOADS %}
                    {{ name }}{{ s }}_{{ d }} = {{ load % "at" }};
{% endfor %}
                    let sc = scale_from(bits, place);
{{ add(d) }}
                }
{% endfor %}
            }
{% endfor %}
        }
{{ G.fold() }}
{{ G.add_lanes() }}
        if (lane == 0u) {
{{ G.store() }}
        }
    }
}
{% endmacro %}
