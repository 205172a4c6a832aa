{# The soft cap of scores, if there is one (`cap`): fn capped, and its derivative. Import with context. #}
{% import "_tanh.wgsl" as T %}
{% macro functions() %}
{% if cap %}
{{ T.function("f32") }}
fn capped(score: f32) -> f32 { return {{ cap }} * tanh_of(score * {{ 1.0 / cap }}); }
fn cap_slope(score: f32) -> f32 {
    let t = tanh_of(score * {{ 1.0 / cap }});
    return 1.0 - t * t;
}
{% endif %}
{% endmacro %}
