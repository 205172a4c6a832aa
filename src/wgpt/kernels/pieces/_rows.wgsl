{# Rows of p.cols elements in p.chunks chunks of four (_chunks.wgsl): one workgroup per row, or one thread ("thread").
   Import with context. #}
{% set LEAST = "-3.4028234e38" %}

{# Functions row_sum and row_max over the threads of a row; every thread gets the result. #}
{% macro reducers(names) %}
{% if reduce != "thread" %}
var<workgroup> part: array<f32, {{ threads }}>;
{% endif %}
{% for name in names %}
{% set sum = name == "sum" %}
{% if reduce == "thread" %}
fn row_{{ name }}(mine: f32) -> f32 { return mine; }
{% elif reduce == "subgroup" %}
// The driver may choose another subgroup size than the one probed: any number of subgroups will do.
fn row_{{ name }}(mine: f32, sg: u32, sgs: u32, lane: u32) -> f32 {
    let of_subgroup = {{ "subgroupAdd" if sum else "subgroupMax" }}(mine);
    if (lane == 0u) { part[sg] = of_subgroup; }
    workgroupBarrier();
    var all = part[0];
    for (var i = 1u; i < sgs; i++) { all = {{ "all + part[i]" if sum else "max(all, part[i])" }}; }
    workgroupBarrier();  // before anybody overwrites `part`
    return all;
}
{% else %}
fn row_{{ name }}(mine: f32, t: u32) -> f32 {
    part[t] = mine;
    workgroupBarrier();
    for (var s = {{ threads // 2 }}u; s > 0u; s >>= 1u) {
        if (t < s) { part[t] = {{ "part[t] + part[t + s]" if sum else "max(part[t], part[t + s])" }}; }
        workgroupBarrier();
    }
    let all = part[0];
    workgroupBarrier();  // before anybody overwrites `part`
    return all;
}
{% endif %}
{% endfor %}
{% endmacro %}

{# The further arguments of these functions. #}
{% set who = {"thread": "", "subgroup": ", sg, sgs, lane", "workgroup": ", t"}[reduce] %}
{% set is_first = "true" if reduce == "thread" else "t == 0u" %}

{# The entry point. In its body, `row` is the same in all threads of a workgroup, except with one thread per row. #}
{% macro main() %}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
{% if reduce == "subgroup" %}
        @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32,
        @builtin(subgroup_invocation_id) lane: u32,
{% endif %}
        @builtin(local_invocation_index) t: u32) {
    let wg = wid.x + wid.y * nwg.x;
    let row = {{ "wg * " ~ threads ~ "u + t" if reduce == "thread" else "wg" }};
    if (row < p.rows) {
{{ caller() }}
    }
}
{% endmacro %}

{# This thread's chunks c of the row. #}
{% macro each() %}
{% if reduce == "thread" %}
        for (var c = 0u; c < p.chunks; c++) {
{% else %}
        for (var c = t; c < p.chunks; c += {{ threads }}u) {
{% endif %}
{{ caller() }}
        }
{% endmacro %}

{# Sums over the row: `terms` is {name: vec4 expression of chunk c}; `let name` is then the sum. A
   single thread per row sums in blocks: thousands of sequential additions would lose too many digits. #}
{% macro sums(terms) %}
{% for name in terms %}
        var {{ name }}_part = vec4<f32>();
{% endfor %}
{% if reduce == "thread" %}
        for (var block = 0u; block < p.chunks; block += 64u) {
{% for name in terms %}
            var {{ name }}_block = vec4<f32>();
{% endfor %}
            for (var c = block; c < min(block + 64u, p.chunks); c++) {
{{ caller() }}
{% for name, term in terms.items() %}
                {{ name }}_block += {{ term }};
{% endfor %}
            }
{% for name in terms %}
            {{ name }}_part += {{ name }}_block;
{% endfor %}
        }
{% else %}
        for (var c = t; c < p.chunks; c += {{ threads }}u) {
{{ caller() }}
{% for name, term in terms.items() %}
            {{ name }}_part += {{ term }};
{% endfor %}
        }
{% endif %}
{% for name in terms %}
        let {{ name }} = row_sum({{ total(name ~ "_part") }}{{ who }});
{% endfor %}
{% endmacro %}

{% macro total(v) %}({{ v }}.x + {{ v }}.y) + ({{ v }}.z + {{ v }}.w){% endmacro %}

{# `let row_peak` is the row's largest element, `let row_exps` the sum of exp(element - row_peak), in one pass that
   never overflows. #}
{% macro exp_sum(name) %}
        var top = f32({{ LEAST }});
        var exps_part = vec4<f32>();
{% call each() %}
            let v = {{ name }}_at(row, c, {{ LEAST }});
            let most = max(max(v.x, v.y), max(v.z, v.w));
            if (most > top) {
                exps_part *= exp(top - most);
                top = most;
            }
            exps_part += exp(v - top);
{% endcall %}
        let row_peak = row_max(top{{ who }});
        let row_exps = row_sum(({{ total("exps_part") }}) * exp(top - row_peak){{ who }});
{% endmacro %}
