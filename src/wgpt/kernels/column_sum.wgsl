{% set term, result = "x[i]", "y" %}
{% include "_columns.wgsl" %}
