{% import "_each.wgsl" as each with context %}
{{ each.map("p.alpha * x[i]") }}
