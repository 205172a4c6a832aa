{% import "weights/_nibbles.wgsl" as N %}
{% set values, word_values, quad = N.values, N.word_values, N.quad %}
{% macro functions(convert) %}
{{ N.word_functions() }}
fn scale_of(i: u32) -> vec2<f32> {
    let pair = unpack2x16float(s[i >> 1u]);
    let d = select(pair.x, pair.y, (i & 1u) == 1u);
    return vec2(d, -8.0 * d);
}
{% endmacro %}
