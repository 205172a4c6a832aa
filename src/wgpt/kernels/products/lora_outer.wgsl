{# Products with short sums over k: outer products, or with `terms` the sum of several. For `depth` k at a time, B's
   columns of the workgroup's tile are in workgroup memory, as quads of n by k. A thread computes `tm` rows of one quad,
   and loads what it adds to beforehand. #}
{% set quads = bn // 4 %}
{% set in_quads = onto and store == "vec4" %}
{% set early = chunks == 1 and tm * depth <= 64 %}{# A's values fit into registers, and are loaded with B's #}
{% macro multiply(a, at) %}
{% for k in range(4) %}
    {
        let b = b_tile[{{ at }} + {{ k * quads }}u + quad];
{% for i in range(tm) %}
        c{{ i }} = fma(vec4({{ a }}{{ i }}.{{ "xyzw"[k] }}), b, c{{ i }});
{% endfor %}
    }
{% endfor %}
{% endmacro %}
{# Adds the product over k from 4 * `first` on, `depth` of them. #}
{% macro add_product(first) %}
{% if early %}
{% for q in range(depth // 4) %}{% for i in range(tm) %}
    let a{{ q }}_{{ i }} = a_k(m + {{ i }}u, {{ q }}u);
{% endfor %}{% endfor %}
{% endif %}
{% if trans_b %}
    for (var e = t; e < {{ depth // 4 * quads }}u; e += {{ threads }}u) {
        let column = wid.x * {{ bn }}u + e / {{ depth // 4 }}u * 4u;
        let q = e % {{ depth // 4 }}u;
{% for j in range(4) %}
        let g{{ j }} = b_k(column + {{ j }}u, {{ first }} + q);
{% endfor %}
        let at = q * {{ 4 * quads }}u + e / {{ depth // 4 }}u;
{% for k in range(4) %}
        b_tile[at + {{ k * quads }}u] = vec4({% for j in range(4) %}g{{ j }}.{{ "xyzw"[k] }}{{ ", " if not loop.last }}{% endfor %});
{% endfor %}
    }
{% else %}
    for (var e = t; e < {{ depth * quads }}u; e += {{ threads }}u) {
        b_tile[e] = b_n(4u * {{ first }} + e / {{ quads }}u, wid.x * {{ quads }}u + e % {{ quads }}u);
    }
{% endif %}
    workgroupBarrier();
{% if early %}
{% for q in range(depth // 4) %}
{{ multiply("a%d_" % q, "%du" % (4 * q * quads)) }}
{% endfor %}
{% else %}
    for (var q = 0u; q < {{ depth // 4 }}u; q++) {
{% for i in range(tm) %}
        let a{{ i }} = a_k(m + {{ i }}u, {{ first }} + q);
{% endfor %}
{{ multiply("a", "q * %du" % (4 * quads)) }}
    }
{% endif %}
{% endmacro %}
var<workgroup> b_tile: array<vec4<f32>, {{ depth * quads }}>;

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
{{ enter }}
    let m = wid.y * {{ bm }}u + t / {{ quads }}u * {{ tm }}u;
    let quad = t % {{ quads }}u;
    let n = wid.x * {{ bn }}u + quad * 4u;
{% for i in range(tm) %}
    var c{{ i }} = vec4<f32>();
{% endfor %}
{% if in_quads %}
    let first = (m * {{ S.y_width }} + {{ S.y_at }} + n) / 4u;
    let step = {{ S.y_width }} / 4u;
{% for i in range(tm) %}
    var held{{ i }} = vec4<f32>();
    if (n < {{ S.n }} && m + {{ i }}u < {{ S.m }}) { held{{ i }} = y[first + {{ i }}u * step]; }
{% endfor %}
{% endif %}
{% for term in terms %}
{% if not loop.first %}
    workgroupBarrier();
{% endif %}
    {
    {{ term }}
{% if chunks == 1 %}
{{ add_product("0u") }}
{% else %}
    for (var chunk = 0u; chunk < {{ chunks }}u; chunk++) {
    if (chunk > 0u) { workgroupBarrier(); }
{{ add_product("chunk * %du" % (depth // 4)) }}
    }
{% endif %}
    }
{% endfor %}
{% for i in range(tm) %}
{% if in_quads %}
    if (n < {{ S.n }} && m + {{ i }}u < {{ S.m }}) { y[first + {{ i }}u * step] = held{{ i }} + {{ S.factor }} * c{{ i }}; }
{% else %}
    put(m + {{ i }}u, n, c{{ i }});
{% endif %}
{% endfor %}
}
