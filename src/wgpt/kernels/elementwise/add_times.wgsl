{% import "_each.wgsl" as each with context %}
{{ each.map("(a[i] + b[i]) * s[0]") }}
