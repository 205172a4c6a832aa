{% import "_each.wgsl" as each with context %}
{% call each.main("p.count") %}
        y[i] = x[i / p.width * p.stride + p.at + i % p.width];
{% endcall %}
