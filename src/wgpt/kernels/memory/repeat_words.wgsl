{% import "_each.wgsl" as each with context %}
{% call each.main("p.n") %}
        y[i] = {{ "x[0]" if single else "x[i % p.period]" }};
{% endcall %}
