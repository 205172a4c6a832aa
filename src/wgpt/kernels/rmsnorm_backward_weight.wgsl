{% set term, result = "dy[i] * x[i] * rstd[row]", "partial" %}
{% include "_columns.wgsl" %}
