{% set term, result, before = "x[i]", "y", "y[col] + " if onto else "" %}
{% include "_columns.wgsl" %}
