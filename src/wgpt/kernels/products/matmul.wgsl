{# C[M, N] of two plain f32 matrices. A is [M, K], or [K, M] if trans_a; B is [K, N], or [N, K] if trans_b.
   `a`, `b` and `y` are the bindings; vec4 if the lengths of rows are multiples of four. #}
{% import "_matrix_rows.wgsl" as rows %}
{% macro loader(name, buffer, height, width, wide) %}
{{ rows.loader(name, buffer, "p." ~ height, "p." ~ width, "row * p." ~ width, "row * (p.%s / 4u)" % width, wide) }}
{%- endmacro %}
{{ loader("a_m", "a", "k", "m", a_load == "vec4") if trans_a else loader("a_k", "a", "m", "k", a_load == "vec4") }}
{{ loader("b_k", "b", "n", "k", b_load == "vec4") if trans_b else loader("b_n", "b", "k", "n", b_load == "vec4") }}
{% set compute = "f32" %}
{% include "_gemm_store.wgsl" %}
{% include "_gemm.wgsl" %}
