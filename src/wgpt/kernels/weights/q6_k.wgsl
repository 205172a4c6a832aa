{% import "weights/_high.wgsl" as H %}
{% import "weights/_groups.wgsl" as G %}
{% macro functions(convert) %}
{{ H.word_functions(convert, width=2, zero=weight_type("q6_k").zero) }}
struct Group { d: f32, scales: u32 }
fn group_of(i: u32) -> Group { return Group(unpack2x16float(s[21u * i + 20u]).x, 21u * i + 16u); }
fn two_bytes(both: u32) -> vec2<f32> {
    let bits = (vec2(both ^ 0x8080u) & vec2(0xffu, 0xff00u)) | vec2(0x4b000000u, 0x47000000u);
    return bitcast<vec2<f32>>(bits) - vec2(8388736.0, 32896.0);
}
fn scale_in(g: Group, at: u32) -> vec2<f32> {
    return g.d * two_bytes(s[g.scales + (at >> 1u)] >> ((at & 1u) * 16u));
}
{{ H.high_words("(i >> 3u) * 21u + 2u * (i & 7u)") -}}
{{ G.scale_of() -}}
{% endmacro %}
{% macro values(half, q, v, high) %}{{ H.values(half, q, v, high, width=2) }}{% endmacro %}
{% set word_values = H.word_values %}
{% macro quad(half, quads) %}{{ H.quad(half, quads, two_scales=true) }}{% endmacro %}
{% macro whole(q, v, high) %}{{ H.whole(q, v, high, width=2, zero=weight_type("q6_k").zero) }}{% endmacro %}
{% set whole_unit = 0.25 %}
{% macro scale_parts() %}
fn scale_bits(i: u32) -> vec2<u32> {
    let at = (i >> 3u) * 21u;
    return vec2(s[at + 20u], s[at + 16u + ((i & 7u) >> 1u)]);
}
fn scale_from(bits: vec2<u32>, i: u32) -> vec2<f32> {
    return unpack2x16float(bits.x).x * two_bytes(bits.y >> ((i & 1u) * 16u));
}
{% endmacro %}
