{# Shared by types with a second-level scale for the scales of eight chunks. #}
{% macro scale_of() %}
fn scale_of(i: u32) -> vec2<f32> { return scale_in(group_of(i >> 3u), i & 7u); }
{% endmacro %}

{# Functions: d and dmin, and eight scales and minima of six bits (quant/gguf_blocks.py); `words` are the four words
   of group i that hold them. #}
{% macro six_bits(words) %}
struct Group { d: vec2<f32>, low: vec2<u32>, top: vec2<u32> }
fn group_from(g: vec4<u32>) -> Group {
    return Group(unpack2x16float(g.x), g.yz, vec2(g.w << 4u, g.w >> 12u));
}
fn group_of(i: u32) -> Group { return group_from({{ words }}); }
fn scale_in(g: Group, at: u32) -> vec2<f32> {
    let six = ((g.low >> vec2(4u * at)) & vec2(15u)) | ((g.top >> vec2(2u * at)) & vec2(0x30u));
    let steps = bitcast<vec2<f32>>(six | vec2(0x4b000000u)) - 8388608.0;
    return g.d * vec2(steps.x, -steps.y);
}
{% endmacro %}
{% macro six_bits_parts(words) %}
fn scale_bits(chunk: u32) -> vec4<u32> {
    let i = chunk >> 3u;
    return {{ words }};
}
fn scale_from(bits: vec4<u32>, i: u32) -> vec2<f32> { return scale_in(group_from(bits), i & 7u); }
{% endmacro %}
