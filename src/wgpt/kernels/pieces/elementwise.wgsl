{# `result` = `expression`, which uses `functions` of _activations.wgsl. #}
{% import "_each.wgsl" as each with context %}
{% import "_activations.wgsl" as activations with context %}
{% for name in functions %}
{{ activations[name]() }}
{% endfor %}
{{ each.map(expression, result) }}
