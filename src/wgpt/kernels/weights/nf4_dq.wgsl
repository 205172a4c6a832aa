{% import "weights/_table.wgsl" as T %}
{% macro codebook(shared) %}{{ T.codebook(shared, "nf4", weight_type("nf4_dq").table) }}{% endmacro %}
{% macro functions(convert) %}

// quant/double.py: `level` powers of ten below one, there are 2^level steps.
fn dynamic(code: u32) -> f32 {
    let steps = u32(abs(i32(code) - 127));
    let level = firstLeadingBit(max(steps, 1u));
    let count = 1u << level;
    let within = (f32(steps) - f32(count) + 0.5) / f32(count);
    let power = select(1e-6, 1e-5, (level & 1u) != 0u) * select(1.0, 100.0, (level & 2u) != 0u)
        * select(1.0, 10000.0, (level & 4u) != 0u);
    let size = select(power * (0.1 + 0.9 * within), 1.0, code == 255u);
    return select(select(-size, size, code > 127u), 0.0, code == 127u);
}
fn scale_of(i: u32) -> vec2<f32> {
    let block = i >> 1u;
    let at = (block >> 8u) * 66u;
    let code = (s[at + 2u + ((block & 255u) >> 2u)] >> (8u * (block & 3u))) & 255u;
    return vec2(dynamic(code) * bitcast<f32>(s[at]) + bitcast<f32>(s[at + 1u]), 0.0);
}
{% endmacro %}
{% macro values(half, q, v, high) %}{{ T.values(q, v, "nf4") }}{% endmacro %}
{% macro word_values(q, v, high) %}{{ T.word_values(q, v, "nf4") }}{% endmacro %}
{% macro quad(half, quads) %}{{ T.quad(quads, "nf4") }}{% endmacro %}
