{# GEMV by teams within one subgroup that share x in workgroup memory: shared by gemv_staged (floats) and gemv_digits
   (integers). The number of chunks per row, `chunks`, is a constant in the code. Import with context.
   The importing template imports _gemv.wgsl as G, declares
     var x_tile             x in its own format, STRIDE vectors per chunk
     fn stage_x             with signature(); fills x_tile and the declarations of memory() for the whole workgroup
   and renders main(slot, take, add), where
     slot                   is the argument of stage_x for the index of a thread
     take()                 has the statements that read chunk c of x
     add(r)                 has those that add chunk c of dot r to sum{r}, from its bits `q` and its scale `sc` #}

{# x_sum: the sum of x over a chunk, if the type has an offset; x_squares: the sums of squares of subgroups. #}
{% macro memory() %}
{% if G.offset %}
var<workgroup> x_sum: array<f32, {{ chunks }}>;
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

{# `ahead`: the first weights are loaded before x is staged. #}
{% set steps = (chunks + lanes - 1) // lanes %}
{% set early_steps = [steps, 12 // G.dots] | min if ahead else 0 %}
{% macro load_ahead() %}
{% for u in range(early_steps) %}
    let c{{ u }} = min(lane + {{ u * lanes }}u, {{ chunks - 1 }}u);
{% for r in range(G.dots) %}
    let q{{ u }}_{{ r }} = w[base{{ r }} + c{{ u }}];
    let sc{{ u }}_{{ r }} = scale_of(base{{ r }} + c{{ u }});
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
{{ take() }}
{% for r in range(G.dots) %}
        {
{% if u < early_steps %}
            let q = q{{ u }}_{{ r }};
            let sc = sc{{ u }}_{{ r }};
{% else %}
            let q = w[base{{ r }} + c];
            let sc = scale_of(base{{ r }} + c);
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
