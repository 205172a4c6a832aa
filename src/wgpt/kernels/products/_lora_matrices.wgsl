{# Loads and stores of y[M, N] (+)= factor * A . B. S has the WGSL expressions of the sizes: uniforms, or those of a
   slice. A begins at S.a_at in rows of p.a_width; so do B and y. #}
{% import "_matrix_rows.wgsl" as plain %}
{% macro loader(name, buffer, rows, columns, width, at, wide) %}
{% set first = "row * " ~ width ~ at %}
{{ plain.loader(name, buffer, rows, columns, first, "(%s) / 4u" % first, wide) }}
{%- endmacro %}
{% set wide_a, wide_b, a_at, b_at = a_load == "vec4", b_load == "vec4", " + " ~ S.a_at, S.b_plus %}
{{ loader("a_m", "a", S.k, S.m, "p.a_width", a_at, wide_a) if trans_a else loader("a_k", "a", S.m, S.k, "p.a_width", a_at, wide_a) }}
{{ loader("b_k", "b", S.n, S.k, S.b_width, b_at, wide_b) if trans_b else loader("b_n", "b", S.k, S.n, S.b_width, b_at, wide_b) }}
fn put(m: u32, n: u32, v: vec4<f32>) {
    if (m >= {{ S.m }} || n >= {{ S.n }}) { return; }
    let i = {{ "part * %s + " % S.y_size if split }}m * {{ S.y_width }} + {{ S.y_at }} + n;
{% if store == "vec4" %}
    y[i / 4u] = {{ "y[i / 4u] + " if onto }}{{ S.factor }} * v;
{% else %}
{% for e in range(4) %}
    if (n + {{ e }}u < {{ S.n }}) { y[i + {{ e }}u] = {{ "y[i + %du] + " % e if onto }}{{ S.factor }} * v.{{ "xyzw"[e] }}; }
{% endfor %}
{% endif %}
}
