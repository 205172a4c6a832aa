{% import "_each.wgsl" as each with context %}
{% call each.main("p.n") %}
        y[i] = x[i % p.period];
{% endcall %}
