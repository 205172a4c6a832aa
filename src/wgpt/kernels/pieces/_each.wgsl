{# One thread per index i (or per `items` indices), in one or two grid dimensions. Import with context.
   `before` is a statement that all threads execute first. #}
{% macro main(count, before="") %}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
{% if before %}
    {{ before }}
{% endif %}
    let first = (wid.x + wid.y * nwg.x) * {{ threads * items }}u + t;
{% if items == 1 %}
    let i = first;
    if (i < {{ count }}) {
{{ caller() }}
    }
{% else %}
    let end = min(first + {{ threads * items }}u - t, {{ count }});
    for (var i = first; i < end; i += {{ threads }}u) {
{{ caller() }}
    }
{% endif %}
}
{% endmacro %}

{# The number of vec4s that hold p.n elements. #}
{% set quads = "(p.n + 3u) / 4u" %}

{# Store vec4 `value` as vec4 i of `array`, which has p.n elements, at least one of them in vec4 i. #}
{% macro store(array, value, i="i") %}
        if (4u * {{ i }} + 4u <= p.n) {
            {{ array }}[{{ i }}] = {{ value }};
        } else {
            {{ array }}[{{ i }}].x = {{ value }}.x;
            if (4u * {{ i }} + 1u < p.n) { {{ array }}[{{ i }}].y = {{ value }}.y; }
            if (4u * {{ i }} + 2u < p.n) { {{ array }}[{{ i }}].z = {{ value }}.z; }
        }
{% endmacro %}

{# A kernel that only computes y = f(...). #}
{% macro map(expression, result="y") %}
{% call main(quads) %}
        let value = {{ expression }};
{{ store(result, "value") }}
{% endcall %}
{% endmacro %}
