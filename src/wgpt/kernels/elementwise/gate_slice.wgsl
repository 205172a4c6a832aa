{% import "_each.wgsl" as each with context %}
{% import "_activations.wgsl" as F with context %}
{{ F.logistic() }}
{{ F.gelu() }}
{% call each.main("p.count") %}
        let other = z[i / p.width * p.stride + p.at + i % p.width];
        y[i] = {{ "gelu(x[i])" if x == "vec4" else "gelu(vec4(x[i])).x" }} * other;
{% endcall %}
