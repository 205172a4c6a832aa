{% import "_each.wgsl" as each with context %}
{% include "_logistic.wgsl" %}
{% include "_gelu.wgsl" %}
{{ each.map("gelu(x[i])") }}
