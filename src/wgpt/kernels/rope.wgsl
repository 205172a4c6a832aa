{% set sign, given, result = "", "x", "y" %}
{% include "_rope.wgsl" %}
