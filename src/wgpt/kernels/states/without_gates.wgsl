{# One element of y per thread. #}
{% import "_each.wgsl" as each with context %}
{% call each.main("p.count") %}
        let column = i % p.width;
        let behind = min(column / p.dim, p.first_plain / p.dim) * p.dim;
        y[i] = x[i / p.width * p.stride + column + behind];
{% endcall %}
