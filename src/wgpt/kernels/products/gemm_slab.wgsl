{# y[M, N] = x[M, K] . W[N, K]^T for tens of rows: a workgroup computes `bm` rows by `bn` columns of the product. It walks
   along k in slabs of `groups * depth` quads: all threads bring a slab of x and of the decoded weights into workgroup
   memory, then each group of threads multiplies its `depth` quads of the slab, a thread a tile of tm by tn. With `ahead`,
   the next slab is loaded into registers during the multiplication. At the end the sums of the groups are added in
   workgroup memory, in a fixed order, some rows of the tiles at a time. A load of weights is `wide` quads, as in panels.
   All sizes are constants in the code.

   A thread's rows and columns are interleaved with those of its neighbours, and the rows of a slab have an odd number of
   quads: neighbours read different banks.

   RMSNorm of x (`norm`): x is multiplied by the gains when it is staged, the thread that stages it sums the squares, and
   the root is applied at the end. SwiGLU (`act`): half of the columns are gates n, half are ups n + N; the gates and ups
   of an output belong to the same thread. #}
{% import "_weights.wgsl" as W %}
{% set swiglu = act == "swiglu" %}
{% set across = bn // tn %}
{% set down = bm // tm %}
{% set places = across * down %}
{% set groups = threads // places %}
{% set deep = groups * depth %}
{% set pitch = deep + 1 - deep % 2 %}
{% set outs = bn // 2 if swiglu else bn %}
{% set total_quads = (k + 3) // 4 %}
{% set slabs = (total_quads + deep - 1) // deep %}
{% set ragged = total_quads % deep > 0 %}
{% set x_step = threads // deep %}
{% set x_passes = (bm + x_step - 1) // x_step %}
{% set units = deep // wide %}
{% set w_step = threads // units %}
{% set w_passes = (bn + w_step - 1) // w_step %}
{% set words = wide > 1 and weight in SCALED %}
{% set LINE = "%du" % (quads // wide) %}
{% set fours = tn // 4 %}
{# The sums of `rows` rows of each tile are added at a time. #}
{% set stride = places * fours * rows %}
{% set items = places * rows if swiglu else stride %}
{% set passes = (items + threads - 1) // threads %}
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
{# x from 0 on, the weights from bm * pitch on; later the sums of the groups. #}
var<workgroup> slab: array<vec4<f32>, {{ [(bm + bn) * pitch, groups * stride] | max }}>;
{% if norm %}
var<workgroup> roots: array<f32, {{ bm }}>;
{% endif %}
{# Load slab `s` (an expression of WGSL) into registers. #}
{% macro fetch(s) %}
    {
        let quad = {{ s }} * {{ deep }}u + x_quad;
        let unit = {{ s }} * {{ units }}u + w_unit;
{% if norm %}
        gain = g_k(0u, {{ "min(quad, %du)" % (total_quads - 1) if ragged else "quad" }});
{% endif %}
{% for i in range(x_passes) %}
        fx{{ i }} = x_k(x_row{{ i }}, {{ "min(quad, %du)" % (total_quads - 1) if ragged else "quad" }});
{% endfor %}
{% if ragged %}
        fx_live = quad < {{ total_quads }}u;
        let w_live = unit < {{ LINE }};
        fw_live = w_live;
        let at = select(0u, unit, w_live);
{% else %}
        let at = unit;
{% endif %}
{% for j in range(w_passes) %}
{% if wide == 1 %}
        fw{{ j }} = w4(w_row{{ j }}, at);
{% else %}
        fw{{ j }} = w[w_row{{ j }} * {{ LINE }} + at];
{% endif %}
{% if words %}
        fs{{ j }} = scale_of((w_row{{ j }} * {{ LINE }} + at) >> 2u);
{% if weight in W.HIGH %}
        fh{{ j }} = high_word((w_row{{ j }} * {{ LINE }} + at) >> 2u, at & 3u);
{% endif %}
{% endif %}
{% endfor %}
    }
{% endmacro %}
{% macro kept(value, live) %}{{ "select(vec4<f32>(), %s, %s)" % (value, live) if ragged else value }}{% endmacro %}
{# Bring what was loaded into workgroup memory: x with gains, weights decoded. #}
{% macro stash() %}
{% for i in range(x_passes) %}
    {% if (i + 1) * x_step > bm %}if (t / {{ deep }}u + {{ i * x_step }}u < {{ bm }}u) {% endif %}{
        let v = {{ kept("fx%d" % i, "fx_live") }};
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
{% if wide == 1 %}
        slab[w_to + {{ j * w_step * pitch }}u] = {{ kept("fw%d" % j, "fw_live") }};
{% else %}
{% if words %}
{{ W.word_values(weight, "fw%d" % j, "v", "fh%d" % j) }}
{%- for h in range(2) %}
        let d{{ h }} = v{{ h }} * fs{{ j }}.{{ "xy"[h] if weight in W.HALVES else "x" }}{{ " + fs%d.y" % j if weight in W.OFFSET }};
{% endfor %}
{% else %}
{{ W.values(weight, half, "fw%d" % j, "d") }}
{%- endif %}
{% for h in range(2) %}
        slab[w_to + {{ j * w_step * pitch + h * (4 if words else 1) }}u] = {{ kept("d%d" % h, "fw_live") }};
{% endfor %}
{% endif %}
    }
{% endfor %}
{% endmacro %}
{% macro multiply() %}
    for (var q = 0u; q < {{ depth }}u; q++) {
        let x_at = x_from + q;
        let w_at = w_from + q;
{% for i in range(tm) %}
        let a{{ i }} = slab[x_at + {{ i * down * pitch }}u];
{% endfor %}
{% for j in range(tn) %}
        {
            let b = slab[w_at + {{ j * across * pitch }}u];
{% for e in "xyzw" %}
{% for i in range(tm) %}
            c{{ i }}_{{ j }} = fma(a{{ i }}.{{ e }}, b.{{ e }}, c{{ i }}_{{ j }});
{% endfor %}
{% endfor %}
        }
{% endfor %}
    }
{% endmacro %}
{% macro sum_of(at) %}
{% for g in range(groups) %}{{ " + " if not loop.first }}slab[{{ at }} + {{ g * stride }}u]{% endfor %}
{% endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
{% if weight in W.CODES %}
    load_codebook(t);
{% endif %}
    let first_m = wid.y * {{ bm }}u;
    let first_n = wid.x * {{ outs }}u;
    let x_quad = t % {{ deep }}u;
    let x_to = t / {{ deep }}u * {{ pitch }}u + x_quad;
    let w_unit = t % {{ units }}u;
    let w_to = {{ bm * pitch }}u + t / {{ units }}u * {{ pitch }}u + {% if words %}(w_unit >> 2u) * 8u + (w_unit & 3u){% else %}w_unit * {{ wide }}u{% endif %};
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
    var fx_live = true;
    var fw_live = true;
{% endif %}
{% for j in range(w_passes) %}
{% set column = "t / %du + %du" % (units, j * w_step) %}
{% if swiglu %}
    let w_up{{ j }} = {{ column }} >= {{ outs }}u;
    let w_row{{ j }} = min(first_n + {{ column }} - select(0u, {{ outs }}u, w_up{{ j }}), {{ n - 1 }}u) + select(0u, {{ n }}u, w_up{{ j }});
{% else %}
    let w_row{{ j }} = min(first_n + {{ column }}, {{ n - 1 }}u);
{% endif %}
{% if wide == 1 %}
    var fw{{ j }} = vec4<f32>();
{% else %}
    var fw{{ j }}: {{ "u32" if words else "mat2x4<f16>" if half == "native" else "vec4<u32>" }};
{% endif %}
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
    let w_from = {{ bm * pitch }}u + place % {{ across }}u * {{ pitch }}u + group * {{ depth }}u;
{% for i in range(tm) %}{% for j in range(tn) %}
    var c{{ i }}_{{ j }} = 0.0;
{% endfor %}{% endfor %}
{% if ahead %}
{{ fetch("0u") }}
    for (var s = 1u; s <= {{ slabs }}u; s++) {
{{ stash() }}
        workgroupBarrier();
        if (s < {{ slabs }}u) {{ fetch("s") }}
{{ multiply() }}
        workgroupBarrier();
    }
{% else %}
    for (var s = 0u; s < {{ slabs }}u; s++) {
{{ fetch("s") }}
{{ stash() }}
        workgroupBarrier();
{{ multiply() }}
        workgroupBarrier();
    }
{% endif %}
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
{% for i in range(rows) %}{% for j in range(fours) %}
    slab[group * {{ stride }}u + place + {{ (j * rows + i) * places }}u] = vec4({% for e in range(4) %}c{{ part * rows + i }}_{{ 4 * j + e }}{{ ", " if e < 3 }}{% endfor %});
{% endfor %}{% endfor %}
    workgroupBarrier();
{% for o in range(passes) %}
    {% if (o + 1) * threads > items %}if (t < {{ items - o * threads }}u) {% endif %}{
        let item = t + {{ o * threads }}u;
        let row = item % {{ places }}u / {{ across }}u + (item / {{ places }}u{{ " %% %du" % rows if not swiglu }} + {{ part * rows }}u) * {{ down }}u;
        let column = item % {{ across }}u{{ " + item / %du * %du" % (places * rows, 4 * across) if not swiglu }};
{% if norm %}
        let root = roots[row];
{% endif %}
{% if not swiglu %}
        let v = ({{ sum_of("item") }}){{ " * root" if norm }};
{% elif fours == 1 %}
        let both = ({{ sum_of("item") }}){{ " * root" if norm }};
        let gate = both.xy;
        let up = both.zw;
        let v = gate * logistic(vec4(gate, gate)).xy * up;
{% else %}
        let gate = ({{ sum_of("item") }}){{ " * root" if norm }};
        let up = ({{ sum_of("item + %du" % (places * rows)) }}){{ " * root" if norm }};
        let v = gate * logistic(gate) * up;
{% endif %}
        let m = first_m + row;
        if (m < {{ m }}u) {
{% for e in range(2 if swiglu and fours == 1 else 4) %}
            {
                let n = first_n + column + {{ e * across }}u;
                if (n < {{ n }}u) {
                    let i = m * {{ width }}u + {{ at }}u + n;
                    y[i] = v.{{ "xyzw"[e] }}{{ " + b[n]" if bias }}{{ " + r[i]" if add }};
                }
            }
{% endfor %}
        }
    }
{% endfor %}
{% endfor %}
}
