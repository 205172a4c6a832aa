{# y[M, N] = x[M, K] . W[N, K]^T for tens of rows: a workgroup computes `bm` rows by `bn` columns of the product. It walks
   along k in slabs of `groups * depth` quads: all threads bring a slab of x and of the decoded weights into workgroup
   memory, transposed (k, then rows), then each group of threads multiplies its `depth` quads of the slab, a thread a tile
   of tm by tn. The next slab is loaded into registers before the multiplication. `buffers`: with two, a slab is written
   while the one before it is still read. At the end the sums of the groups are added in workgroup memory, in a fixed
   order, `rows` rows of each tile at a time. A load of weights is `wide` quads, as in panels. All sizes are constants in
   the code. With `split`, workgroup z computes block z of k, of `block` quads.

   A job of staging is a load of four rows, which are transposed in registers: first all of x, then all of the weights.
   Neighbouring threads have neighbouring rows, and so write to and read from different banks.

   RMSNorm of x (`norm`): x is multiplied by the gains when it is staged, the thread that stages it sums the squares, and
   the root is applied at the end. SwiGLU (`act`): of four columns, two are gates n, two are ups n + N. #}
{% import "_weights.wgsl" as W %}
{% set swiglu = act == "swiglu" %}
{% set across = bn // tn %}
{% set down = bm // tm %}
{% set places = across * down %}
{% set groups = threads // places %}
{% set deep = groups * depth %}
{% set outs = bn // 2 if swiglu else bn %}
{% set total_quads = (k + 3) // 4 %}
{% set slabs = ((block if split else total_quads) + deep - 1) // deep %}
{% set ragged = total_quads % deep > 0 or (split and block % deep > 0) %}
{% set QUADS = "end" if split else "%du" % total_quads %}
{% set FIRST = "wid.z * %du + " % block if split else "" %}
{% set FIRST_UNIT = "wid.z * %du + " % (block // wide) if split else "" %}
{% set a_row, b_row = bm // 4, bn // 4 %}
{% set a_size = 4 * deep * a_row %}
{% set size = 4 * deep * (a_row + b_row) %}
{% set a_jobs = a_row * deep %}
{% set jobs = a_jobs + b_row * deep // wide %}
{% set turns = (jobs + threads - 1) // threads %}
{% set words = wide > 1 and weight in SCALED %}
{% set LINE = "%du" % (quads // wide) %}
{% set nq = tn // 4 %}
{% set mq = tm // 4 %}
{% set unroll = [16, 4 * depth] | min %}
{% set stride = places * nq * rows %}
{% set passes = (stride + threads - 1) // threads %}
{% if weight in W.CODES %}{{ W.codebook(weight, true) }}{% endif %}
{{ W.scale_function(weight) }}
{% if wide == 1 %}
{{ W.quad_function(weight, half, "%du" % quads) }}
{% endif %}
{% for name in (["x", "g"] if norm else ["x"]) %}
{% if load == "vec4" %}
fn {{ name }}_k(row: u32, q: u32) -> vec4<f32> { return {{ name }}[row * {{ k // 4 }}u + q]; }
{% else %}
fn {{ name }}_1(row: u32, k: u32) -> f32 { if (k < {{ k }}u) { return {{ name }}[row * {{ k }}u + k]; } return 0.0; }
fn {{ name }}_k(row: u32, q: u32) -> vec4<f32> {
    let k = 4u * q;
    return vec4({{ name }}_1(row, k), {{ name }}_1(row, k + 1u), {{ name }}_1(row, k + 2u), {{ name }}_1(row, k + 3u));
}
{% endif %}
{% endfor %}
{% if swiglu %}
{% import "_activations.wgsl" as F with context %}
{{ F.logistic() }}
{% endif %}
{# A slab of x, then of weights, once per buffer; later the sums of the groups. #}
var<workgroup> slab: array<vec4<f32>, {{ [buffers * size, groups * stride] | max }}>;
{% if norm %}
var<workgroup> roots: array<vec4<f32>, {{ a_row }}>;
{% endif %}
{# Whether turn i has jobs of x, of weights, of both; and whether it has idle threads. #}
{% macro either(i, x_part, w_part) %}
{% if (i + 1) * threads <= a_jobs %}
{{ x_part }}
{%- elif i * threads >= a_jobs %}
{% if (i + 1) * threads > jobs %}
        if (t < {{ jobs - i * threads }}u) {
{{ w_part }}
        }
{% else %}
{{ w_part }}
{%- endif %}
{% else %}
        if (t < {{ a_jobs - i * threads }}u) {
{{ x_part }}
        } else {{ "if (t < %du) " % (jobs - i * threads) if (i + 1) * threads > jobs }}{
{{ w_part }}
        }
{% endif %}
{% endmacro %}
{# Load slab `s` (an expression of WGSL) into registers: four rows of x, or of weights as they are. #}
{% macro fetch_x(i, s) %}
        {
            let job = t + {{ i * threads }}u;
            let quad = {{ FIRST }}{{ s }} * {{ deep }}u + job / {{ a_row }}u;
{% if ragged %}
            let live = quad < {{ QUADS }};
            let q = select(0u, quad, live);
{% else %}
            let q = quad;
{% endif %}
{% if norm %}
            gain{{ i }} = g_k(0u, q);
{% endif %}
{% for r in range(4) %}
            f{{ i }}_{{ r }} = bitcast<vec4<u32>>({{ "select(vec4<f32>(), " if ragged }}x_k(min(first_m + job % {{ a_row }}u * 4u + {{ r }}u, {{ m - 1 }}u), q){{ ", live)" if ragged }});
{% endfor %}
        }
{% endmacro %}
{% macro fetch_w(i, s) %}
        {
            let job = t + {{ i * threads }}u - {{ a_jobs }}u;
            let unit = {{ FIRST_UNIT }}{{ s }} * {{ deep // wide }}u + job / {{ b_row }}u;
{% if ragged %}
            let live = {{ "%du * unit < %s" % (wide, QUADS) if not words else "(unit >> 2u) * 8u < %s" % QUADS }};
            let u = select(0u, unit, live);
            live{{ i }} = live;
{% else %}
            let u = unit;
{% endif %}
{% for r in range(4) %}
            {
{% if swiglu %}
                let row = min(first_n + job % {{ b_row }}u * 2u + {{ r % 2 }}u, {{ n - 1 }}u) + {{ r // 2 * n }}u;
{% else %}
                let row = min(first_n + job % {{ b_row }}u * 4u + {{ r }}u, {{ n - 1 }}u);
{% endif %}
{% if wide == 1 %}
                f{{ i }}_{{ r }} = bitcast<vec4<u32>>(w4(row, u));
{% elif words %}
                let at = row * {{ LINE }} + u;
                let s = bitcast<vec2<u32>>(scale_of(at >> 2u));
                f{{ i }}_{{ r }} = vec4(w[at], s, {{ "high_word(at >> 2u, u & 3u)" if weight in W.HIGH else "0u" }});
{% else %}
                f{{ i }}_{{ r }} = w[row * {{ LINE }} + u];
{% endif %}
            }
{% endfor %}
        }
{% endmacro %}
{% macro fetch(s) %}
{% for i in range(turns) %}
{{ either(i, fetch_x(i, s), fetch_w(i, s)) }}
{% endfor %}
{% endmacro %}
{# Four k of four rows, from v0 .. v3 (quad h). #}
{% macro put(at, v, step) %}
{% for e in range(4) %}
            slab[{{ at }} + {{ e * step }}u] = vec4({% for r in range(4) %}{{ v }}{{ r }}.{{ "xyzw"[e] }}{{ ", " if r < 3 }}{% endfor %});
{% endfor %}
{% endmacro %}
{% macro stash_x(i) %}
        {
            let job = t + {{ i * threads }}u;
            let at = to + job / {{ a_row }}u * {{ 4 * a_row }}u + job % {{ a_row }}u;
{% for r in range(4) %}
            let x{{ r }} = bitcast<vec4<f32>>(f{{ i }}_{{ r }});
{% endfor %}
{% if norm %}
            squares{{ i }} += vec4(dot(x0, x0), dot(x1, x1), dot(x2, x2), dot(x3, x3));
{% for r in range(4) %}
            let v{{ r }} = x{{ r }} * gain{{ i }};
{% endfor %}
{{ put("at", "v", a_row) }}
{% else %}
{{ put("at", "x", a_row) }}
{% endif %}
        }
{% endmacro %}
{% macro stash_w(i) %}
        {
            let job = t + {{ i * threads }}u - {{ a_jobs }}u;
            let unit = job / {{ b_row }}u;
            let at = to + {{ a_size }}u + {% if words %}((unit >> 2u) * 8u + (unit & 3u)){% else %}unit * {{ wide }}u{% endif %} * {{ 4 * b_row }}u + job % {{ b_row }}u;
{% for r in range(4) %}
{% set f = "f%d_%d" % (i, r) %}
{% if wide == 1 %}
            let d{{ r }}_0 = bitcast<vec4<f32>>({{ f }});
{% elif words %}
            let q{{ r }} = {{ f }}.x;
            let h{{ r }} = {{ f }}.w;
            let s{{ r }} = bitcast<vec2<f32>>({{ f }}.yz);
{{ W.word_values(weight, "q%d" % r, "v%d_" % r, "h%d" % r) }}
{%- for h in range(2) %}
            let d{{ r }}_{{ h }} = v{{ r }}_{{ h }} * s{{ r }}.{{ "xy"[h] if weight in W.HALVES else "x" }}{{ " + s%d.y" % r if weight in W.OFFSET }};
{% endfor %}
{% else %}
{{ W.values(weight, half, f, "d%d_" % r) }}
{%- endif %}
{% endfor %}
{% for h in range(wide) %}
            {
{% for r in range(4) %}
            let v{{ r }} = {{ "select(vec4<f32>(), d%d_%d, live%d)" % (r, h, i) if ragged else "d%d_%d" % (r, h) }};
{% endfor %}
{{ put("at + %du" % (h * 4 * b_row * (4 if words else 1)), "v", b_row) }}
            }
{% endfor %}
        }
{% endmacro %}
{% macro stash() %}
{% for i in range(turns) %}
{{ either(i, stash_x(i), stash_w(i)) }}
{% endfor %}
{% endmacro %}
{% macro multiply() %}
        {
        var a_at = from_a{{ " + to" if buffers > 1 }};
        var b_at = from_b{{ " + to" if buffers > 1 }};
        for (var kk = 0u; kk < {{ 4 * depth // unroll }}u; kk++) {
{% for k in range(unroll) %}
            {
{% for i in range(mq) %}
                let a{{ i }} = slab[a_at + {{ k * a_row + i * down }}u];
{% endfor %}
{% for j in range(nq) %}
                let b{{ j }} = slab[b_at + {{ k * b_row + j * across }}u];
{% endfor %}
{% for i in range(tm) %}{% for j in range(nq) %}
                c{{ i }}_{{ j }} = fma(vec4(a{{ i // 4 }}.{{ "xyzw"[i % 4] }}), b{{ j }}, c{{ i }}_{{ j }});
{% endfor %}{% endfor %}
            }
{% endfor %}
            a_at += {{ unroll * a_row }}u;
            b_at += {{ unroll * b_row }}u;
        }
        }
{% endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
{% if weight in W.CODES %}
    load_codebook(t);
{% endif %}
    let first_m = wid.y * {{ bm }}u;
    let first_n = wid.x * {{ outs }}u;
{% if split and ragged %}
    let end = min({{ total_quads }}u, (wid.z + 1u) * {{ block }}u);
{% endif %}
    let group = t / {{ places }}u;
    let place = t % {{ places }}u;
    let from_a = group * {{ 4 * depth * a_row }}u + place / {{ across }}u;
    let from_b = {{ a_size }}u + group * {{ 4 * depth * b_row }}u + place % {{ across }}u;
{% for i in range(tm) %}{% for j in range(nq) %}
    var c{{ i }}_{{ j }} = vec4<f32>();
{% endfor %}{% endfor %}
{% for i in range(turns) %}
{% for r in range(4) %}
    var f{{ i }}_{{ r }} = vec4<u32>();
{% endfor %}
{% if norm and i * threads < a_jobs %}
    var gain{{ i }} = vec4<f32>();
    var squares{{ i }} = vec4<f32>();
{% endif %}
{% if ragged and (i + 1) * threads > a_jobs %}
    var live{{ i }} = true;
{% endif %}
{% endfor %}
    var to = 0u;
{{ fetch("0u") }}
    for (var s = 1u; s <= {{ slabs }}u; s++) {
{{ stash() }}
        workgroupBarrier();
        if (s < {{ slabs }}u) {
{{ fetch("s") }}
        }
{{ multiply() }}
{% if buffers > 1 %}
        to = {{ size }}u - to;
{% else %}
        workgroupBarrier();
{% endif %}
    }
{% if buffers > 1 %}
    workgroupBarrier();
{% endif %}
{% if norm %}
{% for i in range(turns) if i * threads < a_jobs %}
    {{ "if (t < %du) " % (a_jobs - i * threads) if (i + 1) * threads > a_jobs }}{ slab[t + {{ i * threads }}u] = squares{{ i }}; }
{% endfor %}
    workgroupBarrier();
    for (var row = t; row < {{ a_row }}u; row += {{ threads }}u) {
        var sum = vec4<f32>();
        for (var q = 0u; q < {{ deep }}u; q++) { sum += slab[q * {{ a_row }}u + row]; }
        roots[row] = inverseSqrt(sum / {{ k }}.0 + {{ eps }});
    }
    workgroupBarrier();
{% endif %}
{% for part in range(tm // rows) %}
{% if part > 0 %}
    workgroupBarrier();
{% endif %}
{% for i in range(rows) %}{% for j in range(nq) %}
    slab[group * {{ stride }}u + place + {{ (j * rows + i) * places }}u] = c{{ part * rows + i }}_{{ j }};
{% endfor %}{% endfor %}
    workgroupBarrier();
{% for o in range(passes) %}
    {{ "if (t < %du) " % (stride - o * threads) if (o + 1) * threads > stride }}{
        let item = t + {{ o * threads }}u;
        let i = item / {{ places }}u % {{ rows }}u + {{ part * rows }}u;
        let row = i / 4u * {{ 4 * down }}u + item % {{ places }}u / {{ across }}u * 4u + i % 4u;
        let column = item % {{ across }}u + item / {{ places * rows }}u * {{ across }}u;
        let sum = {% for g in range(groups) %}{{ " + " if not loop.first }}slab[item + {{ g * stride }}u]{% endfor %};
{% if norm %}
        let root = roots[row / 4u][row % 4u];
{% endif %}
        let m = first_m + row;
{% if swiglu %}
        let gate = sum.xy{{ " * root" if norm }};
        let up = sum.zw{{ " * root" if norm }};
        let v = gate * logistic(vec4(gate, gate)).xy * up;
        let n = first_n + 2u * column;
{% else %}
        let v = sum{{ " * root" if norm }};
        let n = first_n + 4u * column;
{% endif %}
        if (m < {{ m }}u) {
            let i = {{ "wid.z * %du + " % (m * n) if split }}m * {{ width }}u + {{ at }}u + n;
{% if store == "vec4" %}
            if (n < {{ n }}u) { y[i / 4u] = v{{ " + b[n / 4u]" if bias }}{{ " + r[i / 4u]" if add }}; }
{% else %}
{% for e in range(2 if swiglu else 4) %}
            if (n + {{ e }}u < {{ n }}u) { y[i + {{ e }}u] = v.{{ "xyzw"[e] }}{{ " + b[n + %du]" % e if bias }}{{ " + r[i + %du]" % e if add }}; }
{% endfor %}
{% endif %}
        }
    }
{% endfor %}
{% endfor %}
}
