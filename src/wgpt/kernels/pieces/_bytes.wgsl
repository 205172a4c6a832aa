{# fn bytes4: the four signed bytes of a word as floats; by conversions (`convert`), which GPUs have few units for, or by
   bits: a byte under the exponent of 2^23 (or of 2^15, eight bits further up) is that power plus the byte. #}
{% macro bytes4(convert) %}
fn bytes4(word: u32) -> vec4<f32> {
{% if convert %}
    return vec4<f32>((vec4(bitcast<i32>(word)) << vec4(24u, 16u, 8u, 0u)) >> vec4(24u));
{% else %}
    let q = word ^ 0x80808080u;
    let bits = (vec4(q, q, q >> 16u, q >> 16u) & vec4(0xffu, 0xff00u, 0xffu, 0xff00u))
        | vec4(0x4b000000u, 0x47000000u, 0x4b000000u, 0x47000000u);
    return bitcast<vec4<f32>>(bits) - vec4(8388736.0, 32896.0, 8388736.0, 32896.0);
{% endif %}
}
{% endmacro %}
