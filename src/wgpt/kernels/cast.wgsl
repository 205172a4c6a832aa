{# Four elements a step, as bits: one vec4 of f32, or two words of 16-bit pairs, so that no word has two writers. #}
{% import "_each.wgsl" as each with context %}

{% if src == "f32" %}
fn wide(q: vec4<u32>) -> vec4<u32> { return q; }
{% elif src == "f16" %}
fn wide(q: vec2<u32>) -> vec4<u32> {
    return bitcast<vec4<u32>>(vec4(unpack2x16float(q.x), unpack2x16float(q.y)));
}
{% else %}
fn wide(q: vec2<u32>) -> vec4<u32> {
    return vec4(q.x << 16u, q.x & 0xffff0000u, q.y << 16u, q.y & 0xffff0000u);
}
{% endif %}

{% if dst == "f16" %}
// pack2x16float may round either way (some drivers truncate), so the rounding is done here, on the bits.
fn narrow(bits: vec4<u32>) -> vec4<u32> {
    let size = bits & vec4(0x7fffffffu);
    let normal = (size - 0x38000000u + 0xfffu + ((size >> vec4(13u)) & vec4(1u))) >> vec4(13u);
    // Subnormal halves are multiples of 2^-24, which is f32's own spacing at 0.5: the addition rounds.
    let subnormal = bitcast<vec4<u32>>(bitcast<vec4<f32>>(size) + 0.5) - 0x3f000000u;
    var half = select(normal, subnormal, size < vec4(0x38800000u));
    half = select(half, vec4(0x7c00u), size >= vec4(0x477ff000u));
    half = select(half, vec4(0x7e00u), size > vec4(0x7f800000u));
    return half | ((bits >> vec4(16u)) & vec4(0x8000u));
}
{% elif dst == "bf16" %}
fn narrow(bits: vec4<u32>) -> vec4<u32> {
    let rounded = bits + 0x7fffu + ((bits >> vec4(16u)) & vec4(1u));
    let is_nan = (bits & vec4(0x7fffffffu)) > vec4(0x7f800000u);
    return select(rounded, bits | vec4(0x400000u), is_nan) >> vec4(16u);
}
{% endif %}

{% call each.main(each.quads) %}
{% if dst == "f32" %}
        let quad = wide(x[i]);
{{ each.store("y", "quad") }}
{% else %}
{% if src == dst %}
        let pairs = x[i];
{% else %}
        let h = narrow(wide(x[i]));
        let pairs = h.xz | (h.yw << vec2(16u));
{% endif %}
        if (4u * i + 2u < p.n) { y[i] = pairs; } else { y[i].x = pairs.x; }
{% endif %}
{% endcall %}
