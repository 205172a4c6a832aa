{% set trans_a = false %}
{% set trans_b = false %}
{% include "_matmul.wgsl" %}
