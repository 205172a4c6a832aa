{# dA = dC . B^T: the contraction runs along the rows of both. #}
{% set trans_a = false %}
{% set trans_b = true %}
{% include "_matmul.wgsl" %}
