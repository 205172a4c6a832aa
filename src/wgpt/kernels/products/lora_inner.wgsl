{# Products whose result is small beside their sums. A thread adds up 4 x 4 results over every {{ lanes }}th quad of k (with
   trans_a: every {{ lanes }}th k), straight from global memory; the lanes' sums are then added in a fixed order.
   Neighbouring threads read neighbouring addresses: of k within a row, or with trans_a of the row. #}
{# vec4 loads stay inside the matrices by clamping: rows and columns beyond the result are computed and not stored. #}
{% macro begin_a() %}
{% if a_load == "vec4" and trans_a %}
    let a_quad = (min(m, {{ S.m }} - 4u) + {{ S.a_at }}) / 4u;
{% elif a_load == "vec4" %}
{% for i in range(4) %}
    let a_row{{ i }} = (min(m + {{ i }}u, {{ S.m }} - 1u) * p.a_width + {{ S.a_at }}) / 4u;
{% endfor %}
{% endif %}
{% endmacro %}
{% macro begin_b() %}
{% if b_load == "vec4" and trans_b %}
{% for i in range(4) %}
    let b_row{{ i }} = (min(n + {{ i }}u, {{ S.n }} - 1u) * {{ S.b_width }}{{ S.b_plus }}) / 4u;
{% endfor %}
{% elif b_load == "vec4" %}
    let b_quad = (min(n, {{ S.n }} - 4u){{ S.b_plus }}) / 4u;
{% endif %}
{% endmacro %}
{% macro a_m(k) %}{{ "a[%s * (p.a_width / 4u) + a_quad]" % k if a_load == "vec4" else "a_m(%s, m / 4u)" % k }}{% endmacro %}
{% macro a_k(i, q) %}{{ "a[a_row%d + %s]" % (i, q) if a_load == "vec4" else "a_k(m + %du, %s)" % (i, q) }}{% endmacro %}
{% macro b_k(i, q) %}{{ "b[b_row%d + %s]" % (i, q) if b_load == "vec4" else "b_k(n + %du, %s)" % (i, q) }}{% endmacro %}
{% macro b_n(k) %}
{% set inside = k if trans_a or a_load == "vec4" else "min(%s, %s - 1u)" % (k, S.k) %}
{{ "b[%s * (%s / 4u) + b_quad]" % (inside, S.b_width) if b_load == "vec4" else "b_n(%s, n / 4u)" % k -}}
{% endmacro %}
{% set groups, quads = bm // 4, bn // 4 %}
{% set lane_step = groups * quads if trans_a else quads %}
{% if lanes > 1 %}
var<workgroup> sums: array<vec4<f32>, {{ 4 * threads }}>;
{% endif %}
{% if split %}
var<private> part: u32;
{% endif %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
{{ enter }}
{% if trans_a %}
    let group = t / {{ quads }}u % {{ groups }}u;
    let lane = t / {{ lane_step }}u;
{% else %}
    let group = t / {{ quads * lanes }}u;
    let lane = t / {{ quads }}u % {{ lanes }}u;
{% endif %}
    let m = wid.y * {{ bm }}u + group * 4u;
    let n = wid.x * {{ bn }}u + t % {{ quads }}u * 4u;
{% if split %}
    part = {{ S.block }};
    let k_from = {{ S.block }} * p.block;
    let k_end = min({{ S.k }}, k_from + p.block);
{% else %}
    let k_from = 0u;
    let k_end = {{ S.k }};
{% endif %}
{% for i in range(4) %}
    var c{{ i }} = vec4<f32>();
{% endfor %}
{{ begin_a() }}
{{ begin_b() }}
{% if trans_a %}
    for (var k = k_from + lane; k < k_end; k += {{ lanes * unroll }}u) {
{% for u in range(unroll) %}
        let k{{ u }} = min(k + {{ u * lanes }}u, k_end - 1u);
        let a{{ u }} = {{ a_m("k%d" % u) }};
        let b{{ u }} = {{ b_n("k%d" % u) }};
{% endfor %}
{% for u in range(unroll) %}
        let x{{ u }} = {{ "a0" if u == 0 else "select(vec4<f32>(), a%d, k + %du < k_end)" % (u, u * lanes) }};
{% for i in range(4) %}
        c{{ i }} = fma(vec4(x{{ u }}.{{ "xyzw"[i] }}), b{{ u }}, c{{ i }});
{% endfor %}
{% endfor %}
    }
{% else %}
    let q_end = (k_end + 3u) / 4u;
    for (var q = k_from / 4u + lane; q < q_end; q += {{ lanes * unroll }}u) {
{% for u in range(unroll) %}
        let q{{ u }} = min(q + {{ u * lanes }}u, q_end - 1u);
{% for i in range(4) %}
        let a{{ u }}_{{ i }} = {{ a_k(i, "q%d" % u) }};
{% endfor %}
{% for i in range(4) %}
        let g{{ u }}_{{ i }} = {{ b_k(i, "q%d" % u) if trans_b else b_n("(4u * q%d + %du)" % (u, i)) }};
{% endfor %}
{% endfor %}
{% for u in range(unroll) %}
{% for e in range(4) %}
{% if trans_b %}
        let b{{ u }}_{{ e }} = vec4({% for j in range(4) %}g{{ u }}_{{ j }}.{{ "xyzw"[e] }}{{ ", " if not loop.last }}{% endfor %});
{% else %}
        let b{{ u }}_{{ e }} = g{{ u }}_{{ e }};
{% endif %}
{% endfor %}
{% for i in range(4) %}
        {
            let x = {{ "a0_%d" % i if u == 0 else "select(vec4<f32>(), a%d_%d, q + %du < q_end)" % (u, i, u * lanes) }};
{% for e in range(4) %}
            c{{ i }} = fma(vec4(x.{{ "xyzw"[e] }}), b{{ u }}_{{ e }}, c{{ i }});
{% endfor %}
        }
{% endfor %}
{% endfor %}
    }
{% endif %}
{% if lanes > 1 %}
{% for i in range(4) %}
    sums[{{ i * threads }}u + t] = c{{ i }};
{% endfor %}
    workgroupBarrier();
    for (var v = t; v < {{ bm * quads }}u; v += {{ threads }}u) {
        let quad = v % {{ quads }}u;
        let g = v / {{ quads }}u % {{ groups }}u;
        let i = v / {{ quads * groups }}u;
{% if trans_a %}
        let first = i * {{ threads }}u + g * {{ quads }}u + quad;
{% else %}
        let first = i * {{ threads }}u + g * {{ quads * lanes }}u + quad;
{% endif %}
        var sum = vec4<f32>();
        // Each group begins with another lane, so that threads read from different banks.
        for (var lane = 0u; lane < {{ lanes }}u; lane++) {
            sum += sums[first + (lane + g) % {{ lanes }}u * {{ lane_step }}u];
        }
        put(wid.y * {{ bm }}u + 4u * g + i, wid.x * {{ bn }}u + 4u * quad, sum);
    }
{% else %}
{% for i in range(4) %}
    put(m + {{ i }}u, n, c{{ i }});
{% endfor %}
{% endif %}
}
