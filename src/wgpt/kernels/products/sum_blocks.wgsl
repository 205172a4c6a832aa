{% import "_each.wgsl" as each with context %}
{% call each.main("p.count") %}
        var sum = part[i];
{% for z in range(1, blocks) %}
        sum += part[i + {{ z }}u * p.count];
{% endfor %}
        y[i] = sum{{ " + b[i % p.width]" if bias }}{{ " + r[i]" if add }};
{% endcall %}
