{# The cache of one layer, [slots, kv_heads, capacity, head_dim]: four elements a load (quads), or eight (octets).
   Halves are packed in pairs, so that no adapter needs to know f16. Import with context. #}

{# fn packed: four floats as the cache keeps them. What no half can hold becomes the largest one. #}
{% macro packing() %}
{% if cache == "f16" %}
{% include "_half.wgsl" %}
fn packed(x: vec4<f32>) -> vec2<u32> {
    let h = narrow(bitcast<vec4<u32>>(clamp(x, vec4(-65504.0), vec4(65504.0))));
    return h.xz | (h.yw << vec2(16u));
}
{% else %}
fn packed(x: vec4<f32>) -> vec4<f32> { return x; }
{% endif %}
{% endmacro %}

{# fn quad: what `packed` made, as four floats. #}
{% macro reading() %}
{% if cache == "f16" %}
fn quad(x: vec2<u32>) -> vec4<f32> { return vec4(unpack2x16float(x.x), unpack2x16float(x.y)); }
{% else %}
fn quad(x: vec4<f32>) -> vec4<f32> { return x; }
{% endif %}
{% endmacro %}

{# `name`a and `name`b: piece number `piece` of eight elements behind `at`, both counted in loads of `array`. #}
{% macro octet(name, array, at, piece) %}
{% if cache == "f16" %}
        let {{ name }}w = {{ array }}[{{ at }} + {{ piece }}];
        let {{ name }}a = vec4(unpack2x16float({{ name }}w.x), unpack2x16float({{ name }}w.y));
        let {{ name }}b = vec4(unpack2x16float({{ name }}w.z), unpack2x16float({{ name }}w.w));
{% else %}
        let {{ name }}a = {{ array }}[{{ at }} + 2u * {{ piece }}];
        let {{ name }}b = {{ array }}[{{ at }} + 2u * {{ piece }} + 1u];
{% endif %}
{% endmacro %}
