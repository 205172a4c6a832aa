{# Shared by types whose codes are looked up in a table of 16: in workgroup memory on a GPU, in private memory where
   barriers are expensive. `name` is the name of the table, so that a shader may have several. #}
{% macro codebook(shared, name, table) %}
const {{ name | upper }} = array<f32, 16>({{ table | join(", ") }});
{% if shared %}
var<workgroup> {{ name }}_code: array<f32, 16>;
fn load_codebook(t: u32) {
    var code = {{ name | upper }};
    if (t < 16u) { {{ name }}_code[t] = code[t]; }
    workgroupBarrier();
}
{% else %}
var<private> {{ name }}_code: array<f32, 16> = {{ name | upper }};
{% endif %}
fn {{ name }}_value(codes: vec4<u32>) -> vec4<f32> {
    return vec4({{ name }}_code[codes.x], {{ name }}_code[codes.y], {{ name }}_code[codes.z], {{ name }}_code[codes.w]);
}
{% endmacro %}
{% macro values(q, v, name) %}
{% for j in range(4) %}
        let {{ v }}{{ j }} = {{ name }}_value(unpack4xU8({{ q }}.{{ "xyzw"[j] }} & 0x0f0f0f0fu));
        let {{ v }}{{ j + 4 }} = {{ name }}_value(unpack4xU8(({{ q }}.{{ "xyzw"[j] }} >> 4u) & 0x0f0f0f0fu));
{% endfor %}
{% endmacro %}
{% macro word_values(q, v, name) %}
        let {{ v }}0 = {{ name }}_value(unpack4xU8({{ q }} & 0x0f0f0f0fu));
        let {{ v }}1 = {{ name }}_value(unpack4xU8(({{ q }} >> 4u) & 0x0f0f0f0fu));
{% endmacro %}
{% macro quad(quads, name) %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let chunk = (row * {{ quads }} + q) >> 3u;
    let word = w[chunk * 4u + (q & 3u)] >> (q & 4u);
    let sc = scale_of(chunk);
    return {{ name }}_value(unpack4xU8(word & 0x0f0f0f0fu)) * sc.x;
}
{% endmacro %}
