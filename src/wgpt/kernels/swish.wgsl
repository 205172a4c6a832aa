{% import "_each.wgsl" as each with context %}
{% include "_logistic.wgsl" %}
{{ each.map("x[i] * logistic(p.beta * x[i])") }}
