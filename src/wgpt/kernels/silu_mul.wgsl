{% import "_each.wgsl" as each with context %}
{% include "_logistic.wgsl" %}
{{ each.map("gate[i] * logistic(gate[i]) * up[i]") }}
