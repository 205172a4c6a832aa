{# One element of y per thread. #}
{% import "_each.wgsl" as each with context %}
{% import "_activations.wgsl" as F with context %}
{{ F.logistic() }}
{% call each.main("p.count") %}
        let column = i % p.width;
        let gate = gates[i / p.width * p.stride + column + (column / p.dim + 1u) * p.dim];
        y[i] = x[i] * {{ "logistic(gate)" if x == "vec4" else "logistic(vec4(gate)).x" }};
{% endcall %}
