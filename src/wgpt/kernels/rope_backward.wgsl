{% set sign, given, result = "-", "dy", "dx" %}
{% include "_rope.wgsl" %}
