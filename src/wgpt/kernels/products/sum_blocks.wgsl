{% import "_each.wgsl" as each with context %}
{% if act == "swiglu" %}
{% import "_activations.wgsl" as F with context %}
{{ F.logistic() }}
{% endif %}
{% call each.main("p.count") %}
{% if act == "swiglu" %}
        let at = i / p.width * 2u * p.width + i % p.width;
        var sum = part[at];
        var up = part[at + p.width];
{% for z in range(1, blocks) %}
        sum += part[at + {{ 2 * z }}u * p.count];
        up += part[at + {{ 2 * z }}u * p.count + p.width];
{% endfor %}
        y[i] = sum * {{ "logistic(sum)" if x == "vec4" else "logistic(vec4(sum)).x" }} * up{{ " + r[i]" if add }};
{% else %}
        var sum = part[i];
{% for z in range(1, blocks) %}
        sum += part[i + {{ z }}u * p.count];
{% endfor %}
        y[i] = sum{{ " + b[i % p.width]" if bias }}{{ " + r[i]" if add }};
{% endif %}
{% endcall %}
