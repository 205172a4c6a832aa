{% import "_each.wgsl" as each with context %}
// PCG's output function over a counter.
fn hash(x: u32) -> u32 {
    let state = x * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}
// Small integers times a power of two: exact in every type.
fn value(byte: u32) -> f32 { return (f32(byte & 255u) - 128.0) * p.unit; }
{% call each.main("p.n") %}
        let bits = hash(i + p.seed);
{% if kind == "bits" %}
        y[i] = bits;
{% elif kind == "f32" %}
        y[i] = bitcast<u32>(value(bits));
{% elif kind == "f16" %}
        y[i] = pack2x16float(vec2(value(bits), value(bits >> 8u)));
{% else %}
        y[i] = (bitcast<u32>(value(bits)) >> 16u) | (bitcast<u32>(value(bits >> 8u)) & 0xffff0000u);
{% endif %}
{% endcall %}
