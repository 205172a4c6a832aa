{# One element of y per thread. #}
{% import "_each.wgsl" as each with context %}
{% import "_activations.wgsl" as F with context %}
{{ F.logistic() }}
{% call each.main("p.count") %}
        y[i] = r[i] + logistic(vec4(logits[i / p.width * p.stride + p.at])).x * x[i];
{% endcall %}
