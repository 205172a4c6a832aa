{# The sum of a span of rows, one element of y per thread. #}
{% import "_each.wgsl" as each with context %}
{% call each.main("p.count") %}
        let span = spans[i / p.width];
        var sum = {{ "vec4<f32>()" if x == "vec4" else "0.0" }};
        for (var row = span.x; row < span.x + span.y; row += 1u) { sum += x[row * p.width + i % p.width]; }
        y[i] = sum;
{% endcall %}
