{# GEMV (_gemv.wgsl) by teams that share x in workgroup memory (_gemv_staged.wgsl), as floats. #}
{% import "_weights.wgsl" as W %}
{% import "_gemv.wgsl" as G with context %}
{% import "_gemv_staged.wgsl" as S with context %}
{# One vector of padding per chunk, so that lanes read from different banks. #}
{% set STRIDE = G.XV + 1 %}
{{ G.functions() }}
var<workgroup> x_tile: array<vec4<f32>, {{ chunks * STRIDE }}>;
{{ S.memory() }}
{{ S.signature("t") }} {
{% if norm %}
    var part = 0.0;
    for (var i = t; i < {{ chunks * G.XV }}u; i += {{ threads }}u) {
        let raw = x[{{ G.XFROM }}i];
        part += dot(raw, raw);
        x_tile[i + i / {{ G.XV }}u] = raw * g[i];
    }
{% else %}
    for (var i = t; i < {{ chunks * G.XV }}u; i += {{ threads }}u) { x_tile[i + i / {{ G.XV }}u] = x[{{ G.XFROM }}i]; }
{% endif %}
{{ S.share_squares() }}
    workgroupBarrier();
{% if G.offset %}
    for (var i = t; i < {{ chunks }}u; i += {{ threads }}u) {
        var sum = x_tile[i * {{ STRIDE }}u];
        for (var j = 1u; j < {{ G.XV }}u; j++) { sum += x_tile[i * {{ STRIDE }}u + j]; }
        x_sum[i] = (sum.x + sum.y) + (sum.z + sum.w);
    }
    workgroupBarrier();
{% endif %}
{{ S.return_squares() }}
}

{% macro take(live) %}
{% for j in range(G.XV) %}
        let x{{ j }} = x_tile[c * {{ STRIDE }}u + {{ j }}u];
{% endfor %}
{% endmacro %}

{% macro add_chunk(r) %}
{{ W.values(weight, half, "q", "v") }}
{{ G.scaled_sum(r, "x_sum[c]") }}
{% endmacro %}

{{ S.main("t", take, add_chunk) }}
