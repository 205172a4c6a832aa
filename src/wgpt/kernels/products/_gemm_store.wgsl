{# Store columns n .. n+3 of a row. Fused: the columns begin at p.at in rows of p.width; `bias` and `add` add b[n] and r
   (as wide as y), and `onto` adds the existing values. `result` is y by default; with `split`, it has one result per
   part. #}
{% set plus_bias = bias is defined and bias %}
{% set ROW = "p.width" if fused is defined else "p.n" %}
{% set PART = "part * p.m * p.n + " if split is defined and split else "" %}
{% set AT = "p.at + " if fused is defined else "" %}
{% set plus_residual = add is defined and add %}
{% set plus_own = onto is defined and onto %}
{% set Y = result if result is defined else "y" %}
{% if store == "vec4" %}
fn put(m: u32, n: u32, v: vec4<f32>) {
    if (m < p.m && n < p.n) {
        let i = ({{ PART }}m * {{ ROW }} + {{ AT }}n) / 4u;
        {{ Y }}[i] = v{{ " + b[n / 4u]" if plus_bias }}{{ " + r[i]" if plus_residual }}{{ " + %s[i]" % Y if plus_own }};
    }
}
{% else %}
fn put(m: u32, n: u32, v: vec4<f32>) {
    if (m >= p.m) { return; }
    let i = {{ PART }}m * {{ ROW }} + {{ AT }}n;
{% for e in range(4) %}
    if (n + {{ e }}u < p.n) {
        {{ Y }}[i + {{ e }}u] = v.{{ "xyzw"[e] }}{{ " + b[n + %du]" % e if plus_bias }}{{ " + r[i + %du]" % e if plus_residual }}
            {{- " + %s[i + %du]" % (Y, e) if plus_own }};
    }
{% endfor %}
}
{% endif %}
