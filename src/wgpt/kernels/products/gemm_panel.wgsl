{# y[M, N] = x[M, K] . W[N, K]^T for few rows: a workgroup computes `bm` rows by `bn` columns of the product, a thread a
   tile of tm by tn of them. `groups` of threads share k: each processes every groups-th unit (one load of a row's
   weights: `wide` quads), `unroll` units at a time, so that their loads overlap. Two quads are 16 bytes of halves, or a
   word of a chunk of 32: its low and its high nibbles. The sums of the groups are added in workgroup memory, in a fixed
   order. `span` neighbouring threads read neighbouring units of the same rows. All sizes are constants in the code, so
   that nothing waits for the uniforms.

   RMSNorm of x (`norm`): x is multiplied by the gains when it is read, each thread sums the squares it reads (one more
   column of the sums), and the root is applied at the end. SwiGLU (`act`): half of the columns are gates n, half are
   ups n + N. LoRA (`lora`): the second product of each row's own adapter is added to the sums. #}
{% import "_weights.wgsl" as W %}
{% set swiglu = act == "swiglu" %}
{% set across = bn // tn %}
{% set places = (bm // tm) * across %}
{% set groups = threads // places %}
{% set outs = bn // 2 if swiglu else bn %}
{% set columns = bn + 1 if norm else bn %}
{# One more than needed, so that groups write to different banks. #}
{% set slab = bm * columns + 1 %}
{% set units = ((k + 3) // 4 + wide - 1) // wide %}
{% set full = units // groups %}
{% set rest = units % groups %}
{% set passes = (bm * outs + threads - 1) // threads %}
{% set words = wide > 1 and weight in SCALED %}
{% set LINE = "%du" % (quads // wide) %}
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
{% if lora %}
{% import "_lora.wgsl" as L %}
{{ L.functions(lora) }}
{% endif %}
{# Statements: `name` is the LoRA product of pass o's column n (an expression). #}
{% macro take_low(name, o, n) %}
    let {{ name }}_at = low_place(head{{ o }}, low{{ o }} + 1u, {{ n }});
    let {{ name }} = low_rank({{ name }}_at, low_first({{ name }}_at, 0u), 0u, 1u);
{% endmacro %}
{# A sum with the norm's root. #}
{% macro scaled(sum) %}{{ ("(%s) * root" if lora else "%s * root") % sum if norm else sum }}{% endmacro %}
{% if swiglu %}
{% import "_activations.wgsl" as F with context %}
{{ F.logistic() }}
{% endif %}
fn plus_dot(sum: f32, a: vec4<f32>, b: vec4<f32>) -> f32 {
    return fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, sum))));
}
var<workgroup> sums: array<f32, {{ groups * slab }}>;
fn total(at: u32) -> f32 {
{% for lane in range([4, groups] | min) %}
    let s{{ lane }} = {% for g in range(lane, groups, 4) %}{{ " + " if not loop.first }}sums[at + {{ g * slab }}u]{% endfor %};
{% endfor %}
    return {% for lane in range([4, groups] | min) %}{{ " + " if not loop.first }}s{{ lane }}{% endfor %};
}
{# Quad h of unit u. #}
{% macro quad(u, h) %}
{% if words %}(u{{ u }} >> 2u) * 8u + (u{{ u }} & 3u) + {{ 4 * h }}u{% else %}u{{ u }} * {{ wide }}u + {{ h }}u{% endif %}
{% endmacro %}
{# Statements for units first, first + groups, ... of `count` steps: all loads, then all sums. #}
{% macro steps(first, count) %}
{% for u in range(count) %}
        let u{{ u }} = {{ first }} + {{ u * groups }}u;
{% for h in range(wide) %}
{% if norm %}
        let g{{ u }}_{{ h }} = g_k(0u, {{ quad(u, h) }});
{% endif %}
{% for i in range(tm) %}
        let x{{ u }}_{{ h }}_{{ i }} = x_k(row{{ i }}, {{ quad(u, h) }});
{% endfor %}
{% endfor %}
{% for j in range(tn) %}
{% if wide == 1 %}
        let w{{ u }}_{{ j }}_0 = w4(from{{ j }}, u{{ u }});
{% else %}
        let q{{ u }}_{{ j }} = w[from{{ j }} * {{ LINE }} + u{{ u }}];
{% endif %}
{% if words %}
        let s{{ u }}_{{ j }} = scale_of((from{{ j }} * {{ LINE }} + u{{ u }}) >> 2u);
{% if weight in W.HIGH %}
        let h{{ u }}_{{ j }} = high_word((from{{ j }} * {{ LINE }} + u{{ u }}) >> 2u, u{{ u }} & 3u);
{% endif %}
{% endif %}
{% endfor %}
{% endfor %}
{% for u in range(count) %}
{% for j in range(tn) if wide > 1 %}
{% set of = "%d_%d" % (u, j) %}
{% if words %}
{{ W.word_values(weight, "q" ~ of, "v%s_" % of, "h" ~ of) }}
{%- for h in range(2) %}
        let w{{ of }}_{{ h }} = v{{ of }}_{{ h }} * s{{ of }}.{{ "xy"[h] if weight in W.HALVES else "x" }}{{ " + s%s.y" % of if weight in W.OFFSET }};
{% endfor %}
{% else %}
{{ W.values(weight, half, "q" ~ of, "w%s_" % of) }}
{%- endif %}
{% endfor %}
{% for h in range(wide) %}
{% for i in range(tm) %}
{% set raw = "x%d_%d_%d" % (u, h, i) %}
        {
{% if norm %}
            squares{{ i }} = plus_dot(squares{{ i }}, {{ raw }}, {{ raw }});
            let a = {{ raw }} * g{{ u }}_{{ h }};
{% else %}
            let a = {{ raw }};
{% endif %}
{% for j in range(tn) %}
            c{{ i }}_{{ j }} = plus_dot(c{{ i }}_{{ j }}, a, w{{ u }}_{{ j }}_{{ h }});
{% endfor %}
        }
{% endfor %}
{% endfor %}
{% endfor %}
{% endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
{% if weight in W.CODES %}
    load_codebook(t);
{% endif %}
    let first_m = wid.y * {{ bm }}u;
    let first_n = wid.x * {{ outs }}u;
    let place = t / {{ span }}u % {{ places }}u;
    let group = t / {{ span * places }}u * {{ span }}u + t % {{ span }}u;
    let tile_m = place / {{ across }}u * {{ tm }}u;
    let tile_n = place % {{ across }}u * {{ tn }}u;
{# Values that are added at the end are loaded at the beginning. #}
{% for o in range(passes) %}
    let at_m{{ o }} = (t + {{ o * threads }}u) / {{ outs }}u;
    let at_n{{ o }} = (t + {{ o * threads }}u) % {{ outs }}u;
    let m{{ o }} = first_m + at_m{{ o }};
    let n{{ o }} = first_n + at_n{{ o }};
    let i{{ o }} = min(m{{ o }}, {{ m - 1 }}u) * {{ width }}u + {{ at }}u + min(n{{ o }}, {{ n - 1 }}u);
{% if bias %}
    let bias{{ o }} = b[min(n{{ o }}, {{ n - 1 }}u)];
{% endif %}
{% if add %}
    let rest{{ o }} = r[i{{ o }}];
{% endif %}
{% if lora %}
    let low{{ o }} = min(m{{ o }}, {{ m - 1 }}u) * {{ low_quads + 1 }}u;
    let head{{ o }} = low[low{{ o }}];
{% endif %}
{% endfor %}
{% for i in range(tm) %}
    let row{{ i }} = min(first_m + tile_m + {{ i }}u, {{ m - 1 }}u);
{% if norm %}
    var squares{{ i }} = 0.0;
{% endif %}
{% for j in range(tn) %}
    var c{{ i }}_{{ j }} = 0.0;
{% endfor %}
{% endfor %}
{% for j in range(tn) %}
{% if swiglu %}
    let up{{ j }} = tile_n + {{ j }}u >= {{ outs }}u;
    let from{{ j }} = min(first_n + tile_n + {{ j }}u - select(0u, {{ outs }}u, up{{ j }}), {{ n - 1 }}u) + select(0u, {{ n }}u, up{{ j }});
{% else %}
    let from{{ j }} = min(first_n + tile_n + {{ j }}u, {{ n - 1 }}u);
{% endif %}
{% endfor %}
{% if full // unroll > 1 %}
    for (var unit = group; unit < {{ full // unroll * unroll * groups }}u; unit += {{ unroll * groups }}u) {
{{ steps("unit", unroll) }}
    }
{% elif full >= unroll %}
    {
{{ steps("group", unroll) }}
    }
{% endif %}
{% if full % unroll %}
    {
{{ steps("group + %du" % (full // unroll * unroll * groups), full % unroll) }}
    }
{% endif %}
{% if rest %}
    if (group < {{ rest }}u) {
{{ steps("group + %du" % (full * groups), 1) }}
    }
{% endif %}
{% for i in range(tm) %}
    let to{{ i }} = group * {{ slab }}u + (tile_m + {{ i }}u) * {{ columns }}u;
{% for j in range(tn) %}
    sums[to{{ i }} + tile_n + {{ j }}u] = c{{ i }}_{{ j }};
{% endfor %}
{% if norm %}
    if (tile_n == 0u) { sums[to{{ i }} + {{ bn }}u] = squares{{ i }}; }
{% endif %}
{% endfor %}
{# Before the barrier, so that its loads overlap with other threads' work. #}
{% for o in range(passes) if lora %}
    let column{{ o }} = min(n{{ o }}, {{ n - 1 }}u){{ " + %du" % at if at }};
{{ take_low("more%d" % o, o, "column%d" % o) }}
{%- if swiglu %}
{{ take_low("more_up%d" % o, o, "column%d + %du" % (o, n)) }}
{%- endif %}
{% endfor %}
    workgroupBarrier();
{% for o in range(passes) %}
    if (at_m{{ o }} < {{ bm }}u && m{{ o }} < {{ m }}u && n{{ o }} < {{ n }}u) {
        let at = at_m{{ o }} * {{ columns }}u;
{% if norm %}
        let root = inverseSqrt(total(at + {{ bn }}u) / {{ k }}.0 + {{ eps }});
{% endif %}
{% set plus = " + more%d" % o if lora else "" %}
{% set plus_up = " + more_up%d" % o if lora else "" %}
{% if swiglu %}
        let gate = {{ scaled("total(at + at_n%d)%s" % (o, plus)) }};
        let up = {{ scaled("total(at + at_n%d + %du)%s" % (o, outs, plus_up)) }};
        let v = gate * logistic(vec4(gate)).x * up;
{% else %}
        let v = {{ scaled("total(at + at_n%d)%s" % (o, plus)) }};
{% endif %}
        y[i{{ o }}] = v{{ " + bias%d" % o if bias }}{{ " + rest%d" % o if add }};
    }
{% endfor %}
}
