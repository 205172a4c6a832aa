{% import "_each.wgsl" as each with context %}
{% import "_activations.wgsl" as F with context %}
{{ F.logistic() }}
{% if gate == "gelu" %}
{{ F.gelu() }}
{{ F.gelu_slope() }}
{% endif %}
{% call each.main("p.count") %}
        let gate_at = i / p.width * 2u * p.width + i % p.width;
        let gate = {{ "x[gate_at]" if x == "vec4" else "vec4(x[gate_at])" }};
{% if gate == "gelu" %}
        let dgate = dy[i] * x[gate_at + p.width] * slope(gate);
        let dup = dy[i] * gelu(gate);
{% else %}
        let share = logistic(gate);
        // 1 + x - x * s(x) as 1 + x * s(-x): nothing cancels for large x.
        let dgate = dy[i] * x[gate_at + p.width] * (share * (1.0 + gate * logistic(-gate)));
        let dup = dy[i] * gate * share;
{% endif %}
        dx[gate_at] = dgate{{ "" if x == "vec4" else ".x" }};
        dx[gate_at + p.width] = dup{{ "" if x == "vec4" else ".x" }};
{% endcall %}
