{# y[N] = W[N, K] . x[K]: what all styles of GEMV share. A team of `lanes` threads computes `rows` rows, `dots` dots of
   them: it walks them in units (chunks of 16 bytes, or words), each lane the next one, and adds the lanes up at the end.
   `fixed`: the sizes are part of the code, so nothing waits for the uniforms.

   Fused (gemv_fused): RMSNorm of x before (x is multiplied by the gains as it is read, each team adds up the squares
   it meets, and the root comes in at the end: no pass and no barrier of its own), bias, SwiGLU or GELU, and a
   residual after. SwiGLU takes rows n and n + N as gate and up: two dots to an output.

   Import with context. A style renders functions(), then entry(), and in it, in this order:
     begin(first)       base{d}: where the row of dot d begins in `w`, in units; sum{d} = 0
     its walk           adds every unit of dot d to sum{d}: scaled_sum, for types with scales
     fold()             acc{d}: sum{d} as one number; with a norm one more, the sum of squares, unless `stage`
     adding lanes       to acc{d}, d in `sums`
     store()            of one lane of a team #}
{% import "_weights.wgsl" as W %}
{% set alone = reduce == "thread" %}
{% set teams = threads // lanes %}
{% set scaled = weight in SCALED %}
{% set offset = weight in W.OFFSET %}
{% set halves = weight in W.HALVES %}
{# vec4 of x that a unit is multiplied by #}
{% set XV = CHUNK[weight] // 16 * width if scaled else CHUNK[weight] // 4 %}
{% set dots = rows * (2 if act == "swiglu" else 1) %}
{% set squared = norm and not stage %}
{% set sums = range(dots + 1 if squared else dots) %}
{% set UNITS = "%du" % units if units is defined else "p.units" %}
{% set N = "%du" % n if fixed else "p.n" %}
{% set AT = ("%du + " % at if fixed else "p.at + ") if fused else "" %}

{# Functions: weights, x, activations. #}
{% macro functions() %}
{% if weight in W.CODES %}{{ W.codebook(weight, not alone) }}{% endif %}
{{ W.scale_function(weight, alone) }}
{% for name in (["x", "g"] if norm else [] if splits else ["x"]) %}
{% if x == "vec4" %}
fn {{ name }}_at(i: u32) -> vec4<f32> { return {{ name }}[i]; }
{% else %}
fn {{ name }}1_at(i: u32) -> f32 { if (i < {{ '%du' % k if fixed else 'p.k' }}) { return {{ name }}[i]; } return 0.0; }
fn {{ name }}_at(i: u32) -> vec4<f32> {
    return vec4({{ name }}1_at(4u * i), {{ name }}1_at(4u * i + 1u), {{ name }}1_at(4u * i + 2u), {{ name }}1_at(4u * i + 3u));
}
{% endif %}
{% endfor %}
{% import "_activations.wgsl" as F with context %}
{% if act != "none" %}
{{ F.logistic() }}
{% endif %}
{% if act == "gelu" %}
{{ F.gelu() }}
{% endif %}
{% endmacro %}

{# The head of main, up to `wg`, the number of the workgroup. #}
{% macro entry() %}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
{% if subgroups %}
        @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32,
        @builtin(subgroup_size) sg_size: u32, @builtin(subgroup_invocation_id) sg_lane: u32,
{% endif %}
        @builtin(local_invocation_index) t: u32) {
    let wg = wid.x + wid.y * nwg.x;
{% if weight in W.CODES and not alone %}
    load_codebook(t);
{% endif %}
{% endmacro %}

{# Teams of lanes of one subgroup: `lane`, and `first`, the team's first row; add_lanes() gives every lane the sums. #}
{% macro subgroup_team() %}
    // Teams are counted along subgroups, not threads: a driver may number the two differently.
    let slot = sg * sg_size + sg_lane;
    let lane = slot % {{ lanes }}u;
    let first = (wg * {{ teams }}u + slot / {{ lanes }}u) * {{ rows }}u;
{% endmacro %}
{% macro add_lanes() %}
{% for d in sums %}
{% for bit in [16, 8, 4, 2, 1] if bit < lanes %}
    acc{{ d }} += subgroupShuffleXor(acc{{ d }}, {{ bit }}u);
{% endfor %}
{% endfor %}
{% endmacro %}

{# Weights without scales are summed in four parts a lane: shorter chains, and less rounding on long rows. What is added
   at the end is asked for at the beginning, where it does not cost registers that a lone thread needs. #}
{% macro begin(first) %}
{% for r in range(rows) %}
    let row{{ r }} = {{ first }} + {{ r }}u;
    let from{{ r }} = min(row{{ r }}, {{ N }} - 1u);
{% if bias and not alone %}
    let bias{{ r }} = b[from{{ r }}];
{% endif %}
{% if add and not alone %}
    let rest{{ r }} = r[{{ AT }}from{{ r }}];
{% endif %}
{% endfor %}
{% for d in range(dots) %}
    let base{{ d }} = {{ "from%d" % d if d < rows else "(from%d + %s)" % (d - rows, N) }} * {{ UNITS }};
    var sum{{ d }} = {{ "0.0" if scaled else "vec4<f32>()" }};
{% endfor %}
{% if squared %}
    var squares = 0.0;
{% endif %}
{% endmacro %}

{# Statements: x{{ j }}, vec4 i of x, or zeros unless `live`; squares are added up on the way. #}
{% macro take_x(j, i, live=false) %}
{% set value = "select(vec4<f32>(), x_at(%s), live)" % i if live else "x_at(%s)" % i %}
{% if norm %}
        let raw{{ j }} = {{ value }};
        squares += dot(raw{{ j }}, raw{{ j }});
        let x{{ j }} = raw{{ j }} * g_at({{ i }});
{% else %}
        let x{{ j }} = {{ value }};
{% endif %}
{% endmacro %}

{# xsum, the sum of x0 .. x(XV-1), where the type has an offset. #}
{% macro take_xsum() %}
{% if offset %}
        let xs = {% for j in range(XV) %}x{{ j }}{{ " + " if not loop.last }}{% endfor %};
        let xsum = (xs.x + xs.y) + (xs.z + xs.w);
{% endif %}
{% endmacro %}

{# sum_r += scale * d + offset * (sum of x), with scale and offset in `sc`. #}
{% macro add_scaled(r, xsum) %}
        sum{{ r }} = fma(sc.x, d, {{ "fma(sc.y, %s, sum%d)" % (xsum, r) if offset else "sum%d" % r }});
{% endmacro %}

{# The same with d = v . x, values v0 .. of a unit, as one chain of fma. It begins at `zero`, of each half: where v are
   codes, at what a code for zero would add up to. #}
{% macro scaled_sum(r, xsum, zero=("0.0", "0.0")) %}
        var d = {{ zero[0] }};
{% for j in range(XV) %}
{% if halves and j == XV // 2 %}
        let d0 = d;
        d = {{ zero[1] }};
{% endif %}
{% for e in "xyzw" %}
        d = fma(v{{ j }}.{{ e }}, x{{ j }}.{{ e }}, d);
{% endfor %}
{% endfor %}
{% if halves %}
        sum{{ r }} = fma(sc.x, d0, fma(sc.y, d, sum{{ r }}));
{% else %}
{{ add_scaled(r, xsum) }}
{% endif %}
{% endmacro %}

{# The same of types without scales. #}
{% macro plain_sum(r) %}
        sum{{ r }} += {% for j in range(XV) %}v{{ j }} * x{{ j }}{{ " + " if not loop.last }}{% endfor %};
{% endmacro %}

{% macro fold() %}
{% for d in range(dots) %}
        var acc{{ d }} = {{ "sum%d" % d if scaled else "(sum%d.x + sum%d.y) + (sum%d.z + sum%d.w)" % (d, d, d, d) }};
{% endfor %}
{% if squared %}
        var acc{{ dots }} = squares;
{% endif %}
{% endmacro %}

{% macro store() %}
{% if norm %}
    let root = inverseSqrt({{ "acc%d" % dots if squared else "squares" }} / {{ "%d.0" % k if fixed else "f32(p.k)" }} + {{ eps if fixed else "p.eps" }});
{% endif %}
{% for r in range(rows) %}
        if (row{{ r }} < {{ N }}) {
{% for d in ([r, r + rows] if act == "swiglu" else [r]) %}
            let v{{ d }} = acc{{ d }}{{ " * root" if norm }}{{ (" + b[row%d]" if alone else " + bias%d") % r if bias }};
{% endfor %}
{% if act == "swiglu" %}
            let out = v{{ r }} * logistic(vec4(v{{ r }})).x * v{{ r + rows }};
{% elif act == "gelu" %}
            let out = gelu(vec4(v{{ r }})).x;
{% else %}
            let out = v{{ r }};
{% endif %}
            y[{{ AT }}row{{ r }}] = {{ ("r[%srow%d] + " % (AT, r) if alone else "rest%d + " % r) if add }}out;
        }
{% endfor %}
{% endmacro %}
