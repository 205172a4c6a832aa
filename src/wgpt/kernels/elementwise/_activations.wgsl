{# Activation functions, one macro each. Import with context: those of GELU use `approximate`. #}
{% import "_tanh.wgsl" as T %}
{% macro logistic() %}
// 1 / (1 + exp(-x)) without overflow: exp only of what is not positive.
fn logistic(x: vec4<f32>) -> vec4<f32> {
    let e = exp(-abs(x));
    return select(e, vec4(1.0), x >= vec4(0.0)) / (1.0 + e);
}
{% endmacro %}

{% macro tanh_of() %}
{{ T.function("vec4<f32>") }}
{% endmacro %}

{# The derivative of SiLU; needs logistic. #}
{% macro silu_slope() %}
// 1 + x - x * s(x) as 1 + x * s(-x): nothing cancels for large x.
fn slope(x: vec4<f32>) -> vec4<f32> { return logistic(x) * (1.0 + x * logistic(-x)); }
{% endmacro %}

{# Needs logistic. #}
{% macro gelu() %}
{% if approximate == "tanh" %}
// x/2 * (1 + tanh(u)) = x * logistic(2u); WGSL's tanh may overflow for large u.
fn gelu(x: vec4<f32>) -> vec4<f32> {
    return x * logistic(1.5957691216 * (x + 0.044715 * x * x * x));
}
{% else %}
// erfc(z) for z >= 0 as t * exp(-z^2 + P(t)), t = 1 / (1 + z/2): within 1.2e-7 of the value itself, however small.
{% set C = [-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
            -0.82215223, 0.17087277] %}
fn erfc(z: vec4<f32>) -> vec4<f32> {
    let t = 1.0 / (1.0 + 0.5 * z);
    return t * exp({% for c in C[:9] %}{{ c }} + t * ({% endfor %}{{ C[9] }}{{ ")" * 9 }} - z * z);
}
fn gelu(x: vec4<f32>) -> vec4<f32> {
    let half = 0.5 * erfc(abs(x) * 0.70710678);
    return x * select(1.0 - half, half, x < vec4(0.0));
}
{% endif %}
{% endmacro %}

{# The derivative of GELU; needs logistic and gelu. #}
{% macro gelu_slope() %}
{% if approximate == "tanh" %}
// The logistic of -u, and not 1 - s(u), which cancels for large u.
fn slope(x: vec4<f32>) -> vec4<f32> {
    let u = 1.5957691216 * (x + 0.044715 * x * x * x);
    return logistic(u) * (1.0 + x * logistic(-u) * (1.5957691216 + 0.21406445 * x * x));
}
{% else %}
fn slope(x: vec4<f32>) -> vec4<f32> {
    let half = 0.5 * erfc(abs(x) * 0.70710678);
    return select(1.0 - half, half, x < vec4(0.0)) + x * (0.39894228 * exp(-0.5 * x * x));
}
{% endif %}
{% endmacro %}

{# A limited SwiGLU: silu with a steeper slope, both limited, and up around 1; needs logistic. #}
{% macro clamped() %}
fn clamped(gate: vec4<f32>, up: vec4<f32>) -> vec4<f32> {
    let g = min(gate, vec4({{ limit }}));
    return g * logistic({{ alpha }} * g) * (clamp(up, vec4(-{{ limit }}), vec4({{ limit }})) + 1.0);
}
{% endmacro %}
