{# The cache of one layer, [slots, kv_heads, capacity, head_dim], or [pages, kv_heads, PAGE, head_dim] with a table of
   pages by slot; with loads of four elements (quads) or eight (octets). Halves are packed in pairs, so that f16 support
   is not needed. A type with scales (`in_blocks`) always has pages; cache_types.py describes it. Import with context. #}
{% import "_bytes.wgsl" as bytes %}
{% set in_blocks = in_blocks | default(false) %}
{% set pieces = head_dim // 8 %}

{# The offset of the key (and value) of a position, in loads of `each` elements: call cache_of once per sequence and
   head, and cache_at with its result for every position below the capacity. Nothing else depends on the memory order
   of the cache. If it is in blocks, .x is the offset of the codes, and .y that of the scales, in words. #}
{% macro addressing(each=4) %}
{% if paged | default(false) %}
fn cache_of(slot: u32, kv_head: u32) -> vec2<u32> { return vec2(slot * ((p.capacity + {{ PAGE - 1 }}u) / {{ PAGE }}u), kv_head); }
{% if in_blocks %}
fn cache_at(start: vec2<u32>, position: u32) -> vec2<u32> {
    let page = pages[start.x + position / {{ PAGE }}u];
    let place = position % {{ PAGE }}u;
    let words = (page * {{ kv_heads }}u + start.y) * {{ PAGE * (head_dim // 4 + scale_words) }}u;
    return vec2(words{{ " / %du" % (each // 4) if each > 4 }} + place * {{ head_dim // each }}u, words + {{ PAGE * head_dim // 4 }}u + place * {{ scale_words }}u);
}
{% else %}
fn cache_at(start: vec2<u32>, position: u32) -> u32 {
    let page = pages[start.x + position / {{ PAGE }}u];
    return ((page * {{ kv_heads }}u + start.y) * {{ PAGE }}u + position % {{ PAGE }}u) * {{ head_dim // each }}u;
}
{% endif %}
{% else %}
fn cache_of(slot: u32, kv_head: u32) -> u32 { return (slot * {{ kv_heads }}u + kv_head) * p.capacity * {{ head_dim // each }}u; }
fn cache_at(start: u32, position: u32) -> u32 { return start + position * {{ head_dim // each }}u; }
{% endif %}
{% endmacro %}

{# fn packed: four floats in the format of the cache. Values too large for f16 are clamped.
   If it is in blocks, instead:
     fn size      the largest magnitude of eight elements
     fn scales    the two scales of a word, by the largest magnitudes of their blocks
     fn codes     four floats in units of their scale, rounded #}
{% macro packing() %}
{% if cache != "f32" %}
{% include "_half.wgsl" %}
{% endif %}
{% if in_blocks %}
fn size(a: vec4<f32>, b: vec4<f32>) -> f32 {
    let most = max(abs(a), abs(b));
    return max(max(most.x, most.y), max(most.z, most.w));
}
fn scales(sizes: vec2<f32>) -> u32 {
    let h = narrow(bitcast<vec4<u32>>(vec4(min(sizes / 127.0, vec2(65504.0)), 0.0, 0.0)));
    return h.x | (h.y << 16u);
}
fn codes(x: vec4<f32>, scale: f32) -> u32 {
    let q = vec4<i32>(round(clamp(x * select(0.0, 1.0 / scale, scale > 0.0), vec4(-127.0), vec4(127.0))));
    let bytes = bitcast<vec4<u32>>(q) & vec4(0xffu);
    return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}
{% elif cache == "f16" %}
fn packed(x: vec4<f32>) -> vec2<u32> {
    let h = narrow(bitcast<vec4<u32>>(clamp(x, vec4(-65504.0), vec4(65504.0))));
    return h.xz | (h.yw << vec2(16u));
}
{% else %}
fn packed(x: vec4<f32>) -> vec4<f32> { return x; }
{% endif %}
{% endmacro %}

{# fn quad: the inverse of `packed`, or of `codes`. #}
{% macro reading() %}
{% if in_blocks %}
{{ bytes.bytes4(false) }}
fn quad(codes: u32, scale: f32) -> vec4<f32> { return bytes4(codes) * scale; }
{% elif cache == "f16" %}
fn quad(x: vec2<u32>) -> vec4<f32> { return vec4(unpack2x16float(x.x), unpack2x16float(x.y)); }
{% else %}
fn quad(x: vec4<f32>) -> vec4<f32> { return x; }
{% endif %}
{% endmacro %}

{# Scales of a type in blocks: a word has those of pieces 8 i to 8 i + 7, of eight elements each. The array is one of
   vec2<u32>. #}
{% macro scale_word(at, piece) %}{{ at }}.y{{ " + %s / 8u" % piece if scale_words > 1 }}{% endmacro %}
{% macro word(array, index) %}{{ array }}[({{ index }}) >> 1u][({{ index }}) & 1u]{% endmacro %}
{% macro scale(word, piece) %}unpack2x16float({{ word }} >> (({{ piece }} & 4u) * 4u)).x{% endmacro %}

{# Which of a head's vec4s is the first (`h` is "a") or second ("b") of a piece: they are half a head apart (pairs of
   RoPE), or neighbours. #}
{% macro vec4_of(piece, h, pairs) %}
{% if pairs %}{{ piece }}{{ " + %du" % pieces if h == "b" }}{% else %}2u * {{ piece }} + {{ "ab".index(h) }}u{% endif %}
{% endmacro %}

{# Assign piece number `piece` of eight elements after `at` (in loads of `array`), in the format of the cache. `pairs`:
   vec4s half a head apart, otherwise neighbours; a type in blocks has only pairs. #}
{% macro fetch(assign, name, array, at, piece, pairs) %}
{% if in_blocks %}
        {{ assign }}raw_{{ name }} = {{ array }}[{{ at }}.x + {{ piece }}];
        {{ assign }}word_{{ name }} = {{ word(array, scale_word(at, piece)) }};
{% elif cache == "f16" and not pairs %}
        {{ assign }}raw_{{ name }} = {{ array }}[{{ at }} + {{ piece }}];
{% else %}
{% for h in "ab" %}
        {{ assign }}raw_{{ name }}{{ h }} = {{ array }}[{{ at }} + {{ vec4_of(piece, h, pairs) }}];
{% endfor %}
{% endif %}
{% endmacro %}

{# `name`a and `name`b: its first and last four elements as floats. #}
{% macro piece(name, piece, pairs) %}
{% if in_blocks %}
        let scale_{{ name }} = {{ scale("word_" ~ name, piece) }};
        let {{ name }}a = quad(raw_{{ name }}.x, scale_{{ name }});
        let {{ name }}b = quad(raw_{{ name }}.y, scale_{{ name }});
{% elif cache == "f16" and not pairs %}
        let {{ name }}a = quad(raw_{{ name }}.xy);
        let {{ name }}b = quad(raw_{{ name }}.zw);
{% else %}
        let {{ name }}a = quad(raw_{{ name }}a);
        let {{ name }}b = quad(raw_{{ name }}b);
{% endif %}
{% endmacro %}

{# If values are a part of the keys (`latent`): whether vec4 number `e` of a key is one of the value, and which. #}
{% macro is_value(e) %}{{ e }} % {{ pieces }}u >= {{ skipped }}u{% endmacro %}
{% macro value_at(e) %}{% if latent %}{{ e }} - ({{ e }} / {{ pieces }}u + 1u) * {{ skipped }}u{% else %}{{ e }}{% endif %}{% endmacro %}
