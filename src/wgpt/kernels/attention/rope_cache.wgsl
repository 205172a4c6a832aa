{# A thread has one unit of a head (_head_units.wgsl), or all of them. If the cache is in blocks, the eight threads of a
   word of scales exchange the magnitudes of their units. #}
{% import "_turn.wgsl" as angle %}
{% import "_cache.wgsl" as store with context %}
{% set units = head_dim // 8 %}
{% set head_threads = 8 * scale_words if in_blocks else units %}
{% set all_heads = heads if stored else heads + kv_heads if latent else heads + 2 * kv_heads %}
{% if rope %}{{ angle.phase() }}{% endif %}
{% if not stored %}
{{ store.addressing() }}
{{ store.packing() }}
{% endif %}
{% if in_blocks %}
var<workgroup> unit_sizes: array<f32, {{ threads }}>;
{% endif %}
fn square(x: vec4<f32>) -> f32 { return dot(x, x); }

{% include "_head_units.wgsl" %}
{% if in_blocks %}
    let has_unit = i % {{ head_threads }}u < {{ units }}u;
{% endif %}
    let row = head_at / {{ all_heads }}u;
    let head = head_at % {{ all_heads }}u;
    let inside = row < p.rows;
    let at = rows[min(row, p.rows - 1u)];
    let position = at.y;
    let exists = at.x < p.slots && position != 0xffffffffu;
    let is_k = head >= {{ heads }}u;
    let is_v = head >= {{ heads + kv_heads }}u;
{% if by_head %}
    let first = (min(row, p.rows - 1u) * {{ all_heads }}u + {{ angle.source_head("head", heads, kv_heads) }}) * {{ 2 * units }}u;
{% elif v_is_k %}
    let first = (min(row, p.rows - 1u) * {{ source_heads }}u + select(head, head - {{ kv_heads }}u, is_v)) * {{ 2 * units }}u;
{% else %}
    let first = min(head_at, p.rows * {{ all_heads }}u - 1u) * {{ 2 * units }}u;
{% endif %}
{% if not stored %}
    let kept = exists && position < p.capacity;
    let cell = cache_at(cache_of(select(0u, at.x, kept), (head - {{ heads }}u) % {{ kv_heads }}u), select(0u, position, kept));
{% endif %}
{% if qk_norm %}
{% if team == "shuffle" %}
    var squares = square(qkv[first + unit]) + square(qkv[first + unit + {{ units }}u]);
{% for bit in [32, 16, 8, 4, 2, 1] if bit < units %}
    squares += subgroupShuffleXor(squares, {{ bit }}u);
{% endfor %}
{% else %}
    var squares = 0.0;
    for (var j = 0u; j < {{ 2 * units }}u; j++) { squares += square(qkv[first + j]); }
{% endif %}
    let r = inverseSqrt(squares / {{ head_dim }}.0 + p.eps);
    let gain = select(0u, {{ 2 * units }}u, is_k);
{% endif %}
{% if team == "thread" %}
    for (var unit = 0u; unit < {{ units }}u; unit++) {
{% endif %}
{% if mixed %}
{{ angle.places("", "unit", units, turned, rest, interleaved, ragged) }}
{% if ragged %}
    let from_a = select(at_a, pair, is_v);
    let from_b = select(at_b, pair + {{ head_dim // 2 }}u, is_v);
    var x1 = {{ angle.taken("qkv", "first", "from_a", true) }};
    var x2 = {{ angle.taken("qkv", "first", "from_b", true) }};
{% else %}
    var x1 = qkv[first + select(at_a, unit, is_v)];
    var x2 = qkv[first + select(at_b, unit + {{ units }}u, is_v)];
{% endif %}
{% else %}
    var x1 = qkv[first + unit];
    var x2 = qkv[first + unit + {{ units }}u];
{% endif %}
    if (!is_v) {
{% if qk_norm %}
        x1 *= r * {{ angle.taken("gains", "gain", "at_a" if mixed else "unit", ragged) }};
        x2 *= r * {{ angle.taken("gains", "gain", "at_b" if mixed else "unit + %du" % units, ragged) }};
{% endif %}
{% if interleaved %}
{{ angle.deinterleave("x1", "x2", "turns") }}
{% endif %}
{% if rope %}
        let first_pair = 4u * unit;
{{ angle.sine_cosine(4) }}
        let y1 = x1 * cosine - x2 * sine;
        x2 = x2 * cosine + x1 * sine;
        x1 = y1;
{% if amplitude != 1 %}
        x1 *= {{ angle.longer(amplitude, "", "unit", turned, ragged) }};
        x2 *= {{ angle.longer(amplitude, "", "unit", turned, ragged) }};
{% endif %}
{% endif %}
{% if growth %}
        if (!is_k) {
            let grown = {{ angle.growing(growth, grow_after) }};
            x1 *= grown;
            x2 *= grown;
        }
{% endif %}
    }
{% if v_norm %}
    if (is_v) {
        x1 *= r;
        x2 *= r;
    }
{% endif %}
    if (inside && !is_k{{ " && has_unit" if in_blocks }}) {
        let to = (row * {{ heads }}u + head) * {{ 2 * units }}u + unit;
        q[to] = select(vec4<f32>(), x1, exists);
        q[to + {{ units }}u] = select(vec4<f32>(), x2, exists);
    }
{% if in_blocks %}
    let local = i % {{ threads }}u;
    unit_sizes[local] = select(0.0, size(x1, x2), has_unit);
    workgroupBarrier();
    var sizes = vec2<f32>();
    for (var j = 0u; j < 4u; j++) {
        let from_thread = local / 8u * 8u + j;
        sizes = max(sizes, vec2(unit_sizes[from_thread], unit_sizes[from_thread + 4u]));
    }
    let word = scales(sizes);
    let scale = {{ store.scale("word", "unit") }};
    if (inside && is_k && kept && has_unit) {
        let to = cell.x + 2u * unit;
{% if latent %}
        {
{% else %}
        if (is_v) {
            v[to] = codes(x1, scale);
            v[to + 1u] = codes(x2, scale);
            if (unit % 8u == 0u) { v[{{ store.scale_word("cell", "unit") }}] = word; }
        } else {
{% endif %}
            k[to] = codes(x1, scale);
            k[to + 1u] = codes(x2, scale);
            if (unit % 8u == 0u) { k[{{ store.scale_word("cell", "unit") }}] = word; }
        }
    }
{% elif not stored %}
    if (inside && is_k && kept) {
{% if latent %}
        {
{% else %}
        if (is_v) {
            v[cell + unit] = packed(x1);
            v[cell + unit + {{ units }}u] = packed(x2);
        } else {
{% endif %}
            k[cell + unit] = packed(x1);
            k[cell + unit + {{ units }}u] = packed(x2);
        }
    }
{% endif %}
{% if team == "thread" %}
    }
{% endif %}
}
