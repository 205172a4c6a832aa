{# A thread has one unit of a head (_head_units.wgsl), or all of them. #}
{% import "_turn.wgsl" as angle %}
{% set units = head_dim // 8 %}
{% set head_threads = units %}
{% set group = heads // kv_heads %}
{% set all_heads = heads + 2 * kv_heads %}
{% if rope %}{{ angle.phase() }}{% endif %}

{% include "_head_units.wgsl" %}
    let inside = head_at / {{ all_heads }}u < p.rows;
    let row = min(head_at / {{ all_heads }}u, p.rows - 1u);
    let head = head_at % {{ all_heads }}u;
    let place = rows[row];
    let position = place.y;
    let exists = place.x < p.slots && position != 0xffffffffu;
    let is_k = head >= {{ heads }}u;
    let is_v = head >= {{ heads + kv_heads }}u;
    let first = (row * {{ all_heads }}u + {{ angle.source_head("head", heads, kv_heads) if by_head else "head" }}) * {{ 2 * units }}u;
    // The first of the query heads whose gradients are this head's.
    let source = (row * {{ heads }}u + select(head, (head - {{ heads }}u) % {{ kv_heads }}u * {{ group }}u, is_k)) * {{ 2 * units }}u;
{% if qk_norm %}
    let gain = select(0u, {{ 2 * units }}u, is_k);
    var squares = 0.0;
    var products = 0.0;
{% endif %}
{% if team == "thread" %}
    for (var unit = 0u; unit < {{ units }}u; unit++) {
{% endif %}
{% if mixed %}
{{ angle.places("", "unit", units, turned, rest, interleaved, ragged) }}
{% if ragged %}
    let to_a = select(at_a, pair, is_v);
    let to_b = select(at_b, pair + {{ head_dim // 2 }}u, is_v);
{% else %}
    let to_a = first + select(at_a, unit, is_v);
    let to_b = first + select(at_b, unit + {{ units }}u, is_v);
{% endif %}
{% endif %}
    var g1 = vec4<f32>();
    var g2 = vec4<f32>();
    if (exists) {
        if (is_k) {
            for (var h = 0u; h < {{ group }}u; h++) {
                let at = source + h * {{ 2 * units }}u + unit;
                if (is_v) {
                    g1 += dv[at];
                    g2 += dv[at + {{ units }}u];
                } else {
                    g1 += dk[at];
                    g2 += dk[at + {{ units }}u];
                }
            }
        } else {
            g1 = dq[source + unit];
            g2 = dq[source + unit + {{ units }}u];
{% if growth %}
            let grown = {{ angle.growing(growth, grow_after) }};
            g1 *= grown;
            g2 *= grown;
{% endif %}
        }
    }
{% if rope or qk_norm %}
    if (!is_v) {
{% if rope %}
        let first_pair = 4u * unit;
{{ angle.sine_cosine(4) }}
        let y1 = g1 * cosine + g2 * sine;
        g2 = g2 * cosine - g1 * sine;
        g1 = y1;
{% if amplitude != 1 %}
        g1 *= {{ angle.longer(amplitude, "", "unit", turned, ragged) }};
        g2 *= {{ angle.longer(amplitude, "", "unit", turned, ragged) }};
{% endif %}
{% endif %}
{% if interleaved %}
{{ angle.interleave("g1", "g2", "turns") }}
{% endif %}
{% if qk_norm %}
{% if ragged %}
        let x1 = {{ angle.taken("qkv", "first", "to_a", true) }};
        let x2 = {{ angle.taken("qkv", "first", "to_b", true) }};
{% else %}
        let x1 = qkv[{{ "to_a" if mixed else "first + unit" }}];
        let x2 = qkv[{{ "to_b" if mixed else "first + unit + %du" % units }}];
{% endif %}
        g1 *= {{ angle.taken("gains", "gain", "at_a" if mixed else "unit", ragged) }};
        g2 *= {{ angle.taken("gains", "gain", "at_b" if mixed else "unit + %du" % units, ragged) }};
        squares += dot(x1, x1) + dot(x2, x2);
        products += dot(x1, g1) + dot(x2, g2);
{% endif %}
    }
{% endif %}
{% if team == "thread" %}
    if (inside) {
{% if ragged %}
{% for to, g in (("to_a", "g1"), ("to_b", "g2")) %}{% for j in range(4) %}
        dqkv[first + {{ to }}[{{ j }}] / 4u][{{ to }}[{{ j }}] % 4u] = {{ g }}[{{ j }}];
{% endfor %}{% endfor %}
{% else %}
        dqkv[{{ "to_a" if mixed else "first + unit" }}] = g1;
        dqkv[{{ "to_b" if mixed else "first + unit + %du" % units }}] = g2;
{% endif %}
    }
    }
{% endif %}
{% if qk_norm %}
{% if team == "shuffle" %}
{% for bit in [16, 8, 4, 2, 1] if bit < units %}
    squares += subgroupShuffleXor(squares, {{ bit }}u);
    products += subgroupShuffleXor(products, {{ bit }}u);
{% endfor %}
{% endif %}
    let r = inverseSqrt(squares / {{ head_dim }}.0 + p.eps);
    let along = r * r * (products / {{ head_dim }}.0);
{% if team == "shuffle" %}
    if (!is_v) {
        g1 = r * (g1 - along * qkv[{{ "to_a" if mixed else "first + unit" }}]);
        g2 = r * (g2 - along * qkv[{{ "to_b" if mixed else "first + unit + %du" % units }}]);
    }
{% else %}
    if (inside && exists && !is_v) {
        for (var at = first; at < first + {{ 2 * units }}u; at++) { dqkv[at] = r * (dqkv[at] - along * qkv[at]); }
    }
{% endif %}
{% endif %}
{% if team != "thread" %}
    if (inside) {
        dqkv[{{ "to_a" if mixed else "first + unit" }}] = {{ "select(vec4<f32>(), g1, exists)" if qk_norm else "g1" }};
        dqkv[{{ "to_b" if mixed else "first + unit + %du" % units }}] = {{ "select(vec4<f32>(), g2, exists)" if qk_norm else "g2" }};
    }
{% endif %}
}
