{% import "_each.wgsl" as each with context %}
{% include "_logistic.wgsl" %}
{% include "_gelu.wgsl" %}
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
{{ each.map("dy[i] * slope(x[i])", "dx") }}
