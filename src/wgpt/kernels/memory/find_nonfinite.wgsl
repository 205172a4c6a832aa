{# (exponents of the numbers in a word, the lowest bit of each, the bit above each) #}
{% set bits = {
    "f32": ("0x7f800000u", "0x00800000u", "0x80000000u"),
    "f16": ("0x7c007c00u", "0x04000400u", "0x80008000u"),
    "bf16": ("0x7f807f80u", "0x00800080u", "0x80008000u"),
    "f16_low": ("0x00007c00u", "0x00000400u", "0x00008000u"),
}[kind] %}
{% set unit = "vec4<u32>" if dense else "u32" %}
{% if dense %}
fn load(span: vec2<u32>, i: u32) -> vec4<u32> {
    let v = x[span.x / 4u + i];
    if (4u * i + 4u <= span.y) { return v; }
    return select(vec4(0u), v, vec4(4u * i) + vec4(0u, 1u, 2u, 3u) < vec4(span.y));
}
{% else %}
fn load(span: vec2<u32>, i: u32) -> u32 { return x[span.x + (i / p.count) * p.period + p.first + i % p.count]; }
{% endif %}

// On the bits: a compiler may assume that no float is NaN, and fold `x != x` away. An exponent of ones, and no other,
// overflows into the bit above it when one is added.
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let plane = p.at + wid.y;
    let span = spans[plane];
    let loads = {{ "(span.y + 3u) / 4u" if dense else "span.y" }};
    var sums = {{ unit }}();
    for (var i = wid.x * {{ threads }}u + t; i < loads; i += {{ threads * groups }}u) {
        sums |= (load(span, i) & {{ unit }}({{ bits[0] }})) + {{ unit }}({{ bits[1] }});
    }
    if (any((sums & {{ unit }}({{ bits[2] }})) != {{ unit }}())) { atomicOr(&flags[plane], 1u); }
}
