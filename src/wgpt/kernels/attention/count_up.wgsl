{% import "_each.wgsl" as each with context %}
{% call each.main("p.count") %}
        y[i] = i % p.period;
{% endcall %}
