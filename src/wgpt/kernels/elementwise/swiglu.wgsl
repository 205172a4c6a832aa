{% import "_each.wgsl" as each with context %}
{% import "_activations.wgsl" as F with context %}
{{ F.logistic() }}
{{ F.gelu() if gate == "gelu" }}
{{ F.clamped() if gate == "clamped" }}
{% call each.main("p.count") %}
        let gate_at = i / p.width * 2u * p.width + i % p.width;
        let gate = x[gate_at];
{% if gate == "clamped" %}
        let up = x[gate_at + p.width];
        y[i] = {{ "clamped(gate, up)" if x == "vec4" else "clamped(vec4(gate), vec4(up)).x" }};
{% elif x == "vec4" %}
        y[i] = {{ "gelu(gate)" if gate == "gelu" else "gate * logistic(gate)" }} * x[gate_at + p.width];
{% else %}
        y[i] = {{ "gelu(vec4(gate)).x" if gate == "gelu" else "gate * logistic(vec4(gate)).x" }} * x[gate_at + p.width];
{% endif %}
{% endcall %}
