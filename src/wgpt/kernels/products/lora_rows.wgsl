{# rows[m] = table[loras[m]], a vec4 per thread. #}
{% import "_each.wgsl" as each with context %}
{% call each.main("p.count") %}
        rows[i] = table[loras[i / p.width] * p.width + i % p.width];
{% endcall %}
