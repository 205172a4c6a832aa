{% import "_each.wgsl" as each with context %}
{% include "_logistic.wgsl" %}

// 1 + x - x * s(x) as 1 + x * s(-x): nothing cancels for large x.
fn slope(x: vec4<f32>) -> vec4<f32> { return logistic(x) * (1.0 + x * logistic(-x)); }

{{ each.map("dy[i] * slope(x[i])", "dx") }}
