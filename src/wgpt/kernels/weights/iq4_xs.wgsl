{% import "weights/_iq4.wgsl" as T %}
{% import "weights/_groups.wgsl" as G %}
{% macro functions(convert) %}

struct Group { d: f32, top: u32, low: u32 }
fn group_of(i: u32) -> Group {
    let head = s[2u * i];
    return Group(unpack2x16float(head).x, head >> 12u, s[2u * i + 1u]);
}
fn scale_in(g: Group, at: u32) -> vec2<f32> {
    let six = ((g.low >> (4u * at)) & 15u) | ((g.top >> (2u * at)) & 0x30u);
    return vec2(g.d * (bitcast<f32>(six | 0x4b000000u) - 8388640.0), 0.0);
}
{{ G.scale_of() -}}
{% endmacro %}
{% macro codebook(shared) %}{{ T.codebook(shared, weight_type("iq4_xs").table) }}{% endmacro %}
{% set values, word_values, quad, whole = T.values, T.word_values, T.quad, T.whole %}
