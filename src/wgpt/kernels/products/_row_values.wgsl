{# What a row of a product's left side is made of: x, its RMSNorm before the root is applied, or SwiGLU. #}
// Four values from `at` on, of those before `end`.
fn x_from(at: u32, end: u32) -> vec4<f32> {
{% if x == "vec4" %}
    if (at >= end) { return vec4<f32>(); }
    return x[at / 4u];
{% else %}
    var v = vec4<f32>();
{% for e in range(4) %}
    if (at + {{ e }}u < end) { v.{{ "xyzw"[e] }} = x[at + {{ e }}u]; }
{% endfor %}
    return v;
{% endif %}
}
fn value(first: u32, c: u32) -> vec4<f32> {
    let v = x_from(first + 4u * c, first + p.cols);
{% if act == "norm" %}
{% if x == "vec4" %}
    if (4u * c >= p.cols) { return vec4<f32>(); }
    return v * g[c];
{% else %}
    var gain = vec4<f32>();
{% for e in range(4) %}
    if (4u * c + {{ e }}u < p.cols) { gain.{{ "xyzw"[e] }} = g[4u * c + {{ e }}u]; }
{% endfor %}
    return v * gain;
{% endif %}
{% elif act == "swiglu" %}
    return v * logistic(v) * x_from(first + p.cols + 4u * c, first + 2u * p.cols);
{% else %}
    return v;
{% endif %}
}
