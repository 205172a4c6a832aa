{# y[M, N] = x[M, K] . W[N, K]^T for tens of rows: a workgroup computes `bm` rows by `bn` columns of the product. It walks
   along k in slabs of `groups * depth` quads: all threads bring a slab of x and of the weights into workgroup memory, then
   each group of threads multiplies its `depth` quads of the slab, a thread a tile of tm by tn. The next slab is loaded into
   registers before the multiplication. A load of weights is `wide` quads, as in panels. Weights are decoded when they are
   staged, or (`raw`) when they are multiplied, which moves less data for more conversions. At the end the sums of the
   groups are added in workgroup memory, in a fixed order, `rows` rows of each tile at a time. All sizes are constants in
   the code. With `split`, workgroup z computes block z of k, of `block` quads.

   The rows of a slab have an odd number of vectors, and neighbouring threads have neighbouring rows and columns: they read
   different banks.

   RMSNorm of x (`norm`): x is multiplied by the gains when it is staged, the thread that stages it sums the squares, and
   the root is applied at the end. SwiGLU (`act`): of four columns, two are gates n, two are ups n + N. #}
{% import "_weights.wgsl" as W %}
{% set swiglu = act == "swiglu" %}
{% set across = bn // tn %}
{% set down = bm // tm %}
{% set places = across * down %}
{% set groups = threads // places %}
{% set deep = groups * depth %}
{% set units = deep // wide %}
{% set pitch = deep + 1 - deep % 2 %}
{% set raw_pitch = units + 1 - units % 2 %}
{% set outs = bn // 2 if swiglu else bn %}
{% set total_quads = (k + 3) // 4 %}
{% set slabs = ((block if split else total_quads) + deep - 1) // deep %}
{% set ragged = total_quads % deep > 0 or (split and (block % deep > 0 or blocks * block > total_quads)) %}
{% set END = "end" if split else "%du" % total_quads %}
{% set FIRST_QUAD = "wid.z * %du + " % block if split else "" %}
{% set FIRST_UNIT = "wid.z * %du + " % (block // wide) if split else "" %}
{% set x_step = threads // deep %}
{% set x_passes = (bm + x_step - 1) // x_step %}
{% set w_step = threads // units %}
{% set w_passes = (bn + w_step - 1) // w_step %}
{% set words = wide > 1 and weight in SCALED %}
{% set LINE = "%du" % (quads // wide) %}
{% set nq = tn // 4 %}
{% set size = (bm if raw else bm + bn) * pitch %}
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
fn {{ name }}_1(row: u32, k: u32) -> f32 { return select(0.0, {{ name }}[row * {{ k }}u + min(k, {{ k - 1 }}u)], k < {{ k }}u); }
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
{# x, then decoded weights; later the sums of the groups. #}
var<workgroup> slab: array<vec4<f32>, {{ [size, groups * stride] | max }}>;
{% if raw %}
var<workgroup> raw_slab: array<vec4<u32>, {{ bn * raw_pitch }}>;
{% endif %}
{% if norm %}
var<workgroup> roots: array<f32, {{ bm }}>;
{% endif %}
{# Load slab `s` (an expression of WGSL) into registers. #}
{% macro fetch(s) %}
        {
            let quad = {{ FIRST_QUAD }}{{ s }} * {{ deep }}u + x_quad;
            let unit = {{ FIRST_UNIT }}{{ s }} * {{ units }}u + w_unit;
{% if ragged %}
            x_live = quad < {{ END }};
            w_live = {{ "(unit >> 2u) * 8u" if words else "unit * %du" % wide }} < {{ END }};
            let q = select(0u, quad, x_live);
            let u = select(0u, unit, w_live);
{% else %}
            let q = quad;
            let u = unit;
{% endif %}
{% if norm %}
            gain = g_k(0u, q);
{% endif %}
{% for i in range(x_passes) %}
            fx{{ i }} = x_k(x_row{{ i }}, q);
{% endfor %}
{% for j in range(w_passes) %}
{% if wide == 1 %}
            fw{{ j }} = w4(w_row{{ j }}, u);
{% else %}
            fw{{ j }} = w[w_row{{ j }} * {{ LINE }} + u];
{% endif %}
{% if words %}
            fs{{ j }} = scale_of((w_row{{ j }} * {{ LINE }} + u) >> 2u);
{% if weight in W.HIGH %}
            fh{{ j }} = high_word((w_row{{ j }} * {{ LINE }} + u) >> 2u, u & 3u);
{% endif %}
{% endif %}
{% endfor %}
        }
{% endmacro %}
{% macro kept(value, live, zero="vec4<f32>()") %}{{ "select(%s, %s, %s)" % (zero, value, live) if ragged else value }}{% endmacro %}
{# Bring what was loaded into workgroup memory: x with gains, weights decoded or raw. #}
{% macro stash() %}
{% for i in range(x_passes) %}
        {% if (i + 1) * x_step > bm %}if (t / {{ deep }}u + {{ i * x_step }}u < {{ bm }}u) {% endif %}{
            let v = {{ kept("fx%d" % i, "x_live") }};
{% if norm %}
            squares{{ i }} += dot(v, v);
            let a = v * gain;
            slab[x_to + {{ i * x_step * pitch }}u] = a;
{% else %}
            slab[x_to + {{ i * x_step * pitch }}u] = v;
{% endif %}
        }
{% endfor %}
{% for j in range(w_passes) %}
        {% if (j + 1) * w_step > bn %}if (t / {{ units }}u + {{ j * w_step }}u < {{ bn }}u) {% endif %}{
{% if raw %}
            raw_slab[w_to + {{ j * w_step * raw_pitch }}u] = {{ kept("fw%d" % j, "w_live", "vec4<u32>()") }};
{% else %}
{% if wide == 1 %}
            let d0 = fw{{ j }};
{% elif words %}
{{ W.word_values(weight, "fw%d" % j, "v", "fh%d" % j) }}
{%- for h in range(2) %}
            let d{{ h }} = v{{ h }} * fs{{ j }}.{{ "xy"[h] if weight in W.HALVES else "x" }}{{ " + fs%d.y" % j if weight in W.OFFSET }};
{% endfor %}
{% else %}
{{ W.values(weight, half, "fw%d" % j, "d") }}
{%- endif %}
{% for h in range(wide) %}
            slab[w_to + {{ j * w_step * pitch + h * (4 if words else 1) }}u] = {{ kept("d%d" % h, "w_live") }};
{% endfor %}
{% endif %}
        }
{% endfor %}
{% endmacro %}
{% macro sums(a, b, j) %}
{% for e in "xyzw" %}{% for i in range(tm) %}
                c{{ i }}_{{ j }} = fma({{ a }}{{ i }}.{{ e }}, {{ b }}.{{ e }}, c{{ i }}_{{ j }});
{% endfor %}{% endfor %}
{% endmacro %}
{% macro multiply() %}
{% if raw %}
        for (var u = 0u; u < {{ depth // 2 }}u; u++) {
            let x_at = x_from + 2u * u;
            let w_at = w_from + u;
{% for j in range(tn) %}
            let w{{ j }} = raw_slab[w_at + {{ j * across * raw_pitch }}u];
{% endfor %}
{% for h in range(2) %}
            {
{% for i in range(tm) %}
                let a{{ i }} = slab[x_at + {{ h + i * down * pitch }}u];
{% endfor %}
{% for j in range(tn) %}
                {
{{ W.values(weight, half, "w%d" % j, "d") }}
{{- sums("a", "d%d" % h, j) }}
                }
{% endfor %}
            }
{% endfor %}
        }
{% else %}
        for (var q = 0u; q < {{ depth }}u; q++) {
            let x_at = x_from + q;
            let w_at = w_from + q;
{% for i in range(tm) %}
            let a{{ i }} = slab[x_at + {{ i * down * pitch }}u];
{% endfor %}
{% for j in range(tn) %}
            {
                let b = slab[w_at + {{ j * across * pitch }}u];
{{ sums("a", "b", j) }}
            }
{% endfor %}
        }
{% endif %}
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
    let x_quad = t % {{ deep }}u;
    let x_to = t / {{ deep }}u * {{ pitch }}u + x_quad;
    let w_unit = t % {{ units }}u;
{% if raw %}
    let w_to = t / {{ units }}u * {{ raw_pitch }}u + w_unit;
{% else %}
    let w_to = {{ bm * pitch }}u + t / {{ units }}u * {{ pitch }}u + {{ "(w_unit >> 2u) * 8u + (w_unit & 3u)" if words else "w_unit * %du" % wide }};
{% endif %}
{% for i in range(x_passes) %}
    let x_row{{ i }} = min(first_m + t / {{ deep }}u + {{ i * x_step }}u, {{ m - 1 }}u);
    var fx{{ i }} = vec4<f32>();
{% if norm %}
    var squares{{ i }} = 0.0;
{% endif %}
{% endfor %}
{% if norm %}
    var gain = vec4<f32>();
{% endif %}
{% if ragged %}
    var x_live = true;
    var w_live = true;
{% endif %}
{# A thread's columns are every across-th row of the slab, and four neighbours of the result. #}
{% for j in range(w_passes) %}
    let row{{ j }} = t / {{ units }}u + {{ j * w_step }}u;
    let four{{ j }} = row{{ j }} % {{ across }}u + row{{ j }} / {{ 4 * across }}u * {{ across }}u;
    let of_four{{ j }} = row{{ j }} / {{ across }}u % 4u;
{% if swiglu %}
    let w_row{{ j }} = min(first_n + 2u * four{{ j }} + of_four{{ j }} % 2u, {{ n - 1 }}u) + of_four{{ j }} / 2u * {{ n }}u;
{% else %}
    let w_row{{ j }} = min(first_n + 4u * four{{ j }} + of_four{{ j }}, {{ n - 1 }}u);
{% endif %}
    var fw{{ j }}{{ " = vec4<f32>()" if wide == 1 else ": u32" if words else ": vec4<u32>" }};
{% if words %}
    var fs{{ j }} = vec2<f32>();
{% if weight in W.HIGH %}
    var fh{{ j }} = 0u;
{% endif %}
{% endif %}
{% endfor %}
    let group = t / {{ places }}u;
    let place = t % {{ places }}u;
    let x_from = place / {{ across }}u * {{ pitch }}u + group * {{ depth }}u;
{% if raw %}
    let w_from = place % {{ across }}u * {{ raw_pitch }}u + group * {{ depth // 2 }}u;
{% else %}
    let w_from = {{ bm * pitch }}u + place % {{ across }}u * {{ pitch }}u + group * {{ depth }}u;
{% endif %}
{% for i in range(tm) %}{% for j in range(tn) %}
    var c{{ i }}_{{ j }} = 0.0;
{% endfor %}{% endfor %}
{{ fetch("0u") }}
    for (var s = 1u; s <= {{ slabs }}u; s++) {
{{ stash() }}
        workgroupBarrier();
        if (s < {{ slabs }}u) {
{{ fetch("s") }}
        }
{{ multiply() }}
        workgroupBarrier();
    }
{% if norm %}
{% for i in range(x_passes) %}
    {% if (i + 1) * x_step > bm %}if (t / {{ deep }}u + {{ i * x_step }}u < {{ bm }}u) {% endif %}{ slab[x_to + {{ i * x_step * pitch }}u] = vec4(squares{{ i }}); }
{% endfor %}
    workgroupBarrier();
    for (var row = t; row < {{ bm }}u; row += {{ threads }}u) {
        var sum = 0.0;
        for (var q = 0u; q < {{ deep }}u; q++) { sum += slab[row * {{ pitch }}u + q].x; }
        roots[row] = inverseSqrt(sum / {{ k }}.0 + {{ eps }});
    }
    workgroupBarrier();
{% endif %}
{% for part in range(tm // rows) %}
{% if part > 0 %}
    workgroupBarrier();
{% endif %}
{% for i in range(rows) %}{% for j in range(nq) %}
    slab[group * {{ stride }}u + place + {{ (j * rows + i) * places }}u] = vec4({% for e in range(4) %}c{{ part * rows + i }}_{{ 4 * j + e }}{{ ", " if e < 3 }}{% endfor %});
{% endfor %}{% endfor %}
    workgroupBarrier();
{% for o in range(passes) %}
    {{ "if (t < %du) " % (stride - o * threads) if (o + 1) * threads > stride }}{
        let item = t + {{ o * threads }}u;
        let row = item % {{ places }}u / {{ across }}u + (item / {{ places }}u % {{ rows }}u + {{ part * rows }}u) * {{ down }}u;
        let four = item % {{ across }}u + item / {{ places * rows }}u * {{ across }}u;
        let sum = {% for g in range(groups) %}{{ " + " if not loop.first }}slab[item + {{ g * stride }}u]{% endfor %};
{% if norm %}
        let root = roots[row];
{% endif %}
{% if swiglu %}
        let gate = sum.xy{{ " * root" if norm }};
        let up = sum.zw{{ " * root" if norm }};
        let v = gate * logistic(vec4(gate, gate)).xy * up;
        let n = first_n + 2u * four;
{% else %}
        let v = sum{{ " * root" if norm }};
        let n = first_n + 4u * four;
{% endif %}
        let m = first_m + row;
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
