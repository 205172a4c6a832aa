{# The weighted sum over a row's experts, one element of y per thread. #}
{% import "_each.wgsl" as each with context %}
{% call each.main("p.count") %}
        let row = i / p.width;
        var sum = {{ "r[i]" if not alone else "vec4<f32>()" if x == "vec4" else "0.0" }};
        for (var j = row * p.top; j < (row + 1u) * p.top; j++) { sum += gates[j] * x[j * p.width + i % p.width]; }
        y[i] = sum;
{% endcall %}
