{# dB = A^T . dC: the contraction runs down the columns of both. #}
{% set trans_a = true %}
{% set trans_b = false %}
{% include "_matmul.wgsl" %}
