{% if store == "vec4" %}
fn put(m: u32, n: u32, v: vec4<f32>) {
    if (m < p.m && n < p.n) { y[(m * p.n + n) / 4u] = v; }
}
{% else %}
fn put(m: u32, n: u32, v: vec4<f32>) {
    if (m >= p.m) { return; }
{% for i in range(4) %}
    if (n + {{ i }}u < p.n) { y[m * p.n + n + {{ i }}u] = v.{{ "xyzw"[i] }}; }
{% endfor %}
}
{% endif %}
