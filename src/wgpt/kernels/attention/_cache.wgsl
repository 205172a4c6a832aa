{# The cache of one layer, [slots, kv_heads, capacity, head_dim], or [pages, kv_heads, PAGE, head_dim] with a table of
   pages by slot; with loads of four elements (quads) or eight (octets). Halves are packed in pairs, so that f16 support
   is not needed. Import with context. #}

{# The offset of the key (and value) of a position, in loads of `each` elements: call cache_of once per sequence and
   head, and cache_at with its result for every position below the capacity. Nothing else depends on the memory order
   of the cache. #}
{% macro addressing(each=4) %}
{% if paged | default(false) %}
fn cache_of(slot: u32, kv_head: u32) -> vec2<u32> { return vec2(slot * ((p.capacity + {{ PAGE - 1 }}u) / {{ PAGE }}u), kv_head); }
fn cache_at(start: vec2<u32>, position: u32) -> u32 {
    let page = pages[start.x + position / {{ PAGE }}u];
    return ((page * {{ kv_heads }}u + start.y) * {{ PAGE }}u + position % {{ PAGE }}u) * {{ head_dim // each }}u;
}
{% else %}
fn cache_of(slot: u32, kv_head: u32) -> u32 { return (slot * {{ kv_heads }}u + kv_head) * p.capacity * {{ head_dim // each }}u; }
fn cache_at(start: u32, position: u32) -> u32 { return start + position * {{ head_dim // each }}u; }
{% endif %}
{% endmacro %}

{# fn packed: four floats in the format of the cache. Values too large for f16 are clamped. #}
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

{# fn quad: the inverse of `packed`. #}
{% macro reading() %}
{% if cache == "f16" %}
fn quad(x: vec2<u32>) -> vec4<f32> { return vec4(unpack2x16float(x.x), unpack2x16float(x.y)); }
{% else %}
fn quad(x: vec4<f32>) -> vec4<f32> { return x; }
{% endif %}
{% endmacro %}

{# Assign piece number `piece` of eight elements after `at` (in loads of `array`), in the format of the cache. #}
{% macro fetch_octet(assign, name, array, at, piece) %}
{% if cache == "f16" %}
        {{ assign }}raw_{{ name }} = {{ array }}[{{ at }} + {{ piece }}];
{% else %}
        {{ assign }}raw_{{ name }}a = {{ array }}[{{ at }} + 2u * {{ piece }}];
        {{ assign }}raw_{{ name }}b = {{ array }}[{{ at }} + 2u * {{ piece }} + 1u];
{% endif %}
{% endmacro %}

{# `name`a and `name`b: its first and last four elements as floats. #}
{% macro octet(name) %}
{% if cache == "f16" %}
        let {{ name }}a = vec4(unpack2x16float(raw_{{ name }}.x), unpack2x16float(raw_{{ name }}.y));
        let {{ name }}b = vec4(unpack2x16float(raw_{{ name }}.z), unpack2x16float(raw_{{ name }}.w));
{% else %}
        let {{ name }}a = raw_{{ name }}a;
        let {{ name }}b = raw_{{ name }}b;
{% endif %}
{% endmacro %}
