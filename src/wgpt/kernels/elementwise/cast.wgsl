{# Four elements per step, as bits: one vec4 of f32, or two words of 16-bit pairs, so that each word has one writer. #}
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
{% include "_half.wgsl" %}
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
