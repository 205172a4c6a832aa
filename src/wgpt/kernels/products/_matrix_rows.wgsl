{# fn name(row, q): vec4 number q of a row of a plain f32 matrix; zeros beyond its rows and columns.
   `first`: the expression of the row's first element; `quad`: of its first vec4, where the buffer has those (`wide`). #}
{% macro loader(name, buffer, rows, columns, first, quad, wide) %}
{% if wide %}
fn {{ name }}(row: u32, q: u32) -> vec4<f32> {
    if (row >= {{ rows }} || 4u * q >= {{ columns }}) { return vec4<f32>(); }
    return {{ buffer }}[{{ quad }} + q];
}
{% else %}
fn {{ name }}_1(row: u32, column: u32) -> f32 {
    if (row < {{ rows }} && column < {{ columns }}) { return {{ buffer }}[{{ first }} + column]; }
    return 0.0;
}
fn {{ name }}(row: u32, q: u32) -> vec4<f32> {
    let c = 4u * q;
    return vec4({{ name }}_1(row, c), {{ name }}_1(row, c + 1u), {{ name }}_1(row, c + 2u), {{ name }}_1(row, c + 3u));
}
{% endif %}
{% endmacro %}
