{# Index i rotates one pair, or the pairs of one vec4 (interleaved) or of two (half). `sign` is the direction; `operand`
   and `result` are the bindings. #}
{% import "_each.wgsl" as each with context %}
{% import "_turn.wgsl" as angle %}
{% set pairs = 1 if x == "scalar" else 4 if layout == "half" else 2 %}
{{ angle.phase() }}
{% call each.main("p.count") %}
        let first_pair = (i % p.per_head) * {{ pairs }}u;
        let row = i / p.per_head;
        let position = p.start + row % p.seq;
{{ angle.sine_cosine(pairs, sign) }}
{% if x == "scalar" %}
{% if layout == "half" %}
        let i1 = row * 2u * p.per_head + first_pair;
        let i2 = i1 + p.per_head;
{% else %}
        let i1 = 2u * i;
        let i2 = i1 + 1u;
{% endif %}
        let x1 = {{ operand }}[i1];
        let x2 = {{ operand }}[i2];
        {{ result }}[i1] = x1 * cosine - x2 * sine;
        {{ result }}[i2] = x2 * cosine + x1 * sine;
{% elif layout == "half" %}
        let i1 = row * 2u * p.per_head + i % p.per_head;
        let i2 = i1 + p.per_head;
        let x1 = {{ operand }}[i1];
        let x2 = {{ operand }}[i2];
        {{ result }}[i1] = x1 * cosine - x2 * sine;
        {{ result }}[i2] = x2 * cosine + x1 * sine;
{% else %}
        let v = {{ operand }}[i];
        {{ result }}[i] = v * cosine.xxyy + vec4(-1.0, 1.0, -1.0, 1.0) * v.yxwz * sine.xxyy;
{% endif %}
{% endcall %}
