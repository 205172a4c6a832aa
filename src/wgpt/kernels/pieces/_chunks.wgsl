{# Rows of p.cols elements as p.chunks chunks of four. `x`: a chunk is one vec4 load ("vec4"), or four guarded scalar
   loads. Import with context. #}
{# Functions NAME_at(row, chunk, fill): `fill` is the value of elements beyond the end of the row. #}
{% macro reads(names, type="f32") %}
{% for name in names %}
{% if x == "vec4" %}
fn {{ name }}_at(row: u32, c: u32, fill: {{ type }}) -> vec4<{{ type }}> { return {{ name }}[row * p.chunks + c]; }
{% else %}
fn {{ name }}_at(row: u32, c: u32, fill: {{ type }}) -> vec4<{{ type }}> {
    let i = row * p.cols + 4u * c;
    var v = vec4({{ name }}[i], fill, fill, fill);
    if (4u * c + 1u < p.cols) { v.y = {{ name }}[i + 1u]; }
    if (4u * c + 2u < p.cols) { v.z = {{ name }}[i + 2u]; }
    if (4u * c + 3u < p.cols) { v.w = {{ name }}[i + 3u]; }
    return v;
}
{% endif %}
{% endfor %}
{% endmacro %}

{# Function store_NAME(row, chunk, value). #}
{% macro stores(name) %}
{% if x == "vec4" %}
fn store_{{ name }}(row: u32, c: u32, v: vec4<f32>) { {{ name }}[row * p.chunks + c] = v; }
{% else %}
fn store_{{ name }}(row: u32, c: u32, v: vec4<f32>) {
    let i = row * p.cols + 4u * c;
    {{ name }}[i] = v.x;
    if (4u * c + 1u < p.cols) { {{ name }}[i + 1u] = v.y; }
    if (4u * c + 2u < p.cols) { {{ name }}[i + 2u] = v.z; }
    if (4u * c + 3u < p.cols) { {{ name }}[i + 3u] = v.w; }
}
{% endif %}
{% endmacro %}
