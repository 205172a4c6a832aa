{# y[N] = W[N, K] . x[K]: shared by all styles of GEMV. A team of `lanes` threads computes `rows` rows with `dots` dot
   products. It processes rows in units (chunks of 16 bytes, or words), lanes in turn, and adds the lanes at the end.
   `fixed`: the sizes are constants in the code, so that nothing waits for the uniforms.

   Fused (gemv_fused): RMSNorm of x before the product, then bias, SwiGLU or GELU, and a residual. The norm needs no
   separate pass or barrier: x is multiplied by the gains when it is read, each team sums the squares it reads, and the
   root is applied at the end. SwiGLU uses rows n and n + N as gate and up: two dot products per output. The second
   product of a LoRA adapter (`lora`) is added to each lane's part of a dot product.

   `many`: several rows of x (gemv_fused), one workgroup each for the same rows of weights, next to each other in the
   grid, so that a GPU reads these weights from memory once.

   Experts (expert_gemv): `gather` "each" computes the product of one expert's rows with one row of x, a workgroup's
   wid.z; "sum" adds those of a row's experts, weighted. Rows of an expert are `stride` apart, and up is `apart` after
   gate.

   Import with context. A style renders functions(), then entry(), and in it, in this order:
     begin(first)       base{d}: the first unit of the row of dot d in `w`; sum{d} = 0. It is begin_experts(), then
                        begin_rows(first), which may be repeated for other rows
     its loop           adds every unit of dot d to sum{d}, with scaled_sum for types with scales
     fold()             acc{d}: sum{d} as one number; with a norm also the sum of squares, unless `stage`
     sum over lanes     of acc{d}, d in `sums`
     store()            in one lane of a team #}
{% import "_weights.wgsl" as W %}
{% set alone = reduce == "thread" %}
{% set teams = threads // lanes %}
{% set scaled = weight in SCALED %}
{% set offset = weight in W.OFFSET %}
{% set halves = weight in W.HALVES %}
{% set by_words = weight in W.BY_WORDS %}
{# The number of vec4s of x per unit. #}
{% set XV = CHUNK[weight] // 16 * width if scaled else CHUNK[weight] // 4 %}
{% set two = act in ("swiglu", "geglu", "clamped") %}
{% set dots = rows * (2 if two else 1) %}
{% set squared = norm and not stage %}
{% set sums = range(dots + 1 if squared else dots) %}
{% set UNITS = "%du" % units if units is defined else "p.units" %}
{% set N = "%du" % n if fixed else "p.n" %}
{% set AT = ("y_from + " if many else "%du + " % at if fixed else "p.at + ") if fused else "y_from + " if gather else "" %}
{% set XFROM = "x_from + " if gather or many else "" %}
{% set WIDE = "%du" % (k // 4) if fixed and x == "vec4" else "%du" % k if fixed else "p.k / 4u" if x == "vec4" else "p.k" %}

{# Functions: weights, x, activations. #}
{% macro functions() %}
{% if gather or many %}
var<private> x_from: u32;
var<private> y_from: u32;
{% endif %}
{% if gather %}
var<private> expert: u32;
{% endif %}
{% if gather == "sum" %}
var<private> gate: f32;
{% endif %}
{% if weight in W.CODES and not digits %}{{ W.codebook(weight, not alone) }}{% endif %}
{{ W.scale_function(weight, alone, 0 if alone else threads, digits > 0) }}
{% for name in (["x", "g"] if norm else [] if splits else ["x"]) %}
{% set from, times = (XFROM, " * gate" if gather == "sum" else "") if name == "x" else ("", "") %}
{% if x == "vec4" %}
fn {{ name }}_at(i: u32) -> vec4<f32> { return {{ name }}[{{ from }}i]{{ times }}; }
{% else %}
fn {{ name }}1_at(i: u32) -> f32 { if (i < {{ '%du' % k if fixed else 'p.k' }}) { return {{ name }}[{{ from }}i]{{ times }}; } return 0.0; }
fn {{ name }}_at(i: u32) -> vec4<f32> {
    return vec4({{ name }}1_at(4u * i), {{ name }}1_at(4u * i + 1u), {{ name }}1_at(4u * i + 2u), {{ name }}1_at(4u * i + 3u));
}
{% endif %}
{% endfor %}
{% if lora %}
{% import "_lora.wgsl" as L %}
{{ L.functions(lora, parts) }}
{% endif %}
{% import "_activations.wgsl" as F with context %}
{% if act != "none" %}
{{ F.logistic() }}
{% endif %}
{% if act in ("gelu", "geglu") %}
{{ F.gelu() }}
{% endif %}
{{ F.clamped() if act == "clamped" }}
{% endmacro %}

{# The start of main, up to `wg`, the index of the workgroup. #}
{% macro entry() %}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
{% if subgroups %}
        @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32,
        @builtin(subgroup_size) sg_size: u32, @builtin(subgroup_invocation_id) sg_lane: u32,
{% endif %}
        @builtin(local_invocation_index) t: u32) {
    let wg = {{ "wid.y + wid.z * nwg.y" if many else "wid.x + wid.y * nwg.x" }};
{% if (weight in W.CODES or weight in W.GRIDS) and not alone and not digits %}
    load_codebook(t);
{% endif %}
{% endmacro %}

{# Teams of lanes in one subgroup: `lane`, and `first`, the team's first row; add_lanes() gives every lane the sums. #}
{% macro subgroup_team() %}
    // Teams are counted along subgroups, not threads: a driver may number the two differently.
    let slot = sg * sg_size + sg_lane;
    let lane = slot % {{ lanes }}u;
    let first = (wg * {{ teams * turns }}u + slot / {{ lanes }}u) * {{ rows }}u;
{% endmacro %}
{% macro add_lanes() %}
{% for d in sums %}
{% for bit in [16, 8, 4, 2, 1] if bit < lanes %}
    acc{{ d }} += subgroupShuffleXor(acc{{ d }}, {{ bit }}u);
{% endfor %}
{% endfor %}
{% endmacro %}

{# Weights without scales are summed in four parts per lane: shorter dependency chains, and less rounding in long rows.
   Values that are added at the end are loaded at the beginning, except for single threads, which lack registers. #}
{% macro begin(first) %}
{{ begin_experts() }}
{{ begin_rows(first) }}
{% endmacro %}
{% macro begin_experts() %}
{% if many %}
    x_from = wid.x * ({{ WIDE }});
    y_from = wid.x * {{ y_width }}u + {{ at }}u;
{% elif gather %}
    y_from = wid.z * {{ N }};
{% if gather == "each" %}
    expert = ids[wid.z];
    x_from = wid.z / {{ top }}u * ({{ WIDE }});
{% elif stage %}
    x_from = wid.z * {{ top }}u * ({{ WIDE }});
{% endif %}
{% endif %}
{% endmacro %}
{% macro begin_rows(first) %}
{% for r in range(rows) %}
    let row{{ r }} = {{ first }} + {{ r }}u;
    let from{{ r }} = min(row{{ r }}, {{ N }} - 1u);
{% if bias and not alone and not gather %}
    let bias{{ r }} = b[from{{ r }}];
{% endif %}
{% if add and not alone %}
    let rest{{ r }} = r[{{ AT }}from{{ r }}];
{% endif %}
{% endfor %}
{% for d in range(dots) %}
{% if gather == "each" %}
    let at{{ d }} = {{ row_of(d) }};
    let base{{ d }} = at{{ d }} * {{ UNITS }};
{% if bias %}
    let bias{{ d }} = b[at{{ d }}];
{% endif %}
{% elif not gather %}
    let base{{ d }} = {{ "from%d" % d if d < rows else "(from%d + %s)" % (d - rows, N) }} * {{ UNITS }};
{% endif %}
    var sum{{ d }} = {{ "0.0" if scaled else "vec4<f32>()" }};
{% endfor %}
{% if squared %}
    var squares = 0.0;
{% endif %}
{% if parts %}
    let entry = rows[0];
{% elif lora %}
    let head = low[0];
{% for d in range(dots) if not alone %}
{{ take_place(d) }}
{% endfor %}
{% endif %}
{% endmacro %}

{# The row of the matrix for dot d: of this expert. #}
{% macro row_of(d) %}expert * {{ stride }}u + {{ "from%d" % d if d < rows else "from%d + %du" % (d - rows, apart) }}{% endmacro %}

{# Statements: unit `flat` of all units of a row's experts, one expert after the other, as its expert's unit c. #}
{% macro take_expert(flat) %}
        let chosen = wid.z * {{ top }}u + {{ flat }} / {{ UNITS }};
        let c = {{ flat }} % {{ UNITS }};
        expert = ids[chosen];
        gate = gates[chosen];
        x_from = chosen * ({{ WIDE }});
{% for d in range(dots) %}
        let base{{ d }} = ({{ row_of(d) }}) * {{ UNITS }};
{% endfor %}
{% endmacro %}

{# The weighted biases of a row's experts, by the first lanes. #}
{% macro add_biases() %}
{% if gather == "sum" and bias %}
    for (var at = wid.z * {{ top }}u + lane; at < wid.z * {{ top }}u + {{ top }}u; at += {{ lanes }}u) {
        expert = ids[at];
        gate = gates[at];
{% for d in range(dots) %}
        sum{{ d }}{{ "" if scaled else ".x" }} += gate * b[{{ row_of(d) }}];
{% endfor %}
    }
{% endif %}
{% endmacro %}

{# Where LoRA's second product of dot d is, and the first part of B. #}
{% macro take_place(d) %}
    let place{{ d }} = low_place(head, {{ "0u" if parts else "1u" }}, {{ AT }}{{ "from%d" % d if d < rows else "from%d + %s" % (d - rows, N) }});
    let low{{ d }} = low_first(place{{ d }}, {{ "0u" if alone else "lane" }});
{% endmacro %}

{# Statements: x{{ j }} is vec4 i of x, or zeros unless `live`; squares are summed as well. #}
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

{# xsum, the sum of x0 .. x(XV-1), if the type has an offset. #}
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

{# The same with d = v . x, where v0 .. are the values of a unit, as one chain of fma. It starts with `zero` of each
   half: if v are codes, minus the code for zero times the sum of x. #}
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

{# The same for types without scales. #}
{% macro plain_sum(r) %}
        sum{{ r }} += {% for j in range(XV) %}v{{ j }} * x{{ j }}{{ " + " if not loop.last }}{% endfor %};
{% endmacro %}

{% macro fold() %}
{% for d in range(dots) %}
        var acc{{ d }} = {{ "sum%d" % d if scaled else "(sum%d.x + sum%d.y) + (sum%d.z + sum%d.w)" % (d, d, d, d) }};
{% endfor %}
{% if parts %}
    workgroupBarrier();
{% endif %}
{% for d in range(dots) if lora %}
{{ take_place(d) if alone }}
        acc{{ d }} += low_rank(place{{ d }}, low{{ d }}, {{ "0u" if alone else "lane" }}, {{ lanes }}u);
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
{% for d in ([r, r + rows] if two else [r]) %}
            let v{{ d }} = acc{{ d }}{{ " * root" if norm }}{{ " + bias%d" % d if gather == "each" and bias else (" + b[row%d]" if alone else " + bias%d") % r if bias and not gather }};
{% endfor %}
{% if act == "clamped" %}
            let out = clamped(vec4(v{{ r }}), vec4(v{{ r + rows }})).x;
{% elif act == "swiglu" %}
            let out = v{{ r }} * logistic(vec4(v{{ r }})).x * v{{ r + rows }};
{% elif act == "geglu" %}
            let out = gelu(vec4(v{{ r }})).x * v{{ r + rows }};
{% elif act == "gelu" %}
            let out = gelu(vec4(v{{ r }})).x;
{% else %}
            let out = v{{ r }};
{% endif %}
            y[{{ AT }}row{{ r }}] = {{ ("r[%srow%d] + " % (AT, r) if alone else "rest%d + " % r) if add }}out;
        }
{% endfor %}
{% endmacro %}
