{% import "_each.wgsl" as each with context %}
{{ each.map("y[i] + factor[0] * x[i]") }}
