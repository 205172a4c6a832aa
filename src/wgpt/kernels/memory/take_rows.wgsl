{% import "_each.wgsl" as each with context %}
{% call each.main("p.count") %}
        y[i] = x[ids[i / p.width] * p.width + i % p.width];
{% endcall %}
