{# GEMV (_gemv.wgsl) by single threads: each computes `rows` rows alone, without sums over lanes, and shares loads of x
   between them. For processors where exchanging data is slow: codes are converted to floats directly, and if scales are
   grouped, those of eight chunks are loaded together. #}
{% import "_weights.wgsl" as W %}
{% import "_gemv.wgsl" as G with context %}
{% set coded = weight in W.ZERO %}
{% set grouped = weight in W.GROUPED %}
{% set bytewise = weight in W.NIBBLES %}
{{ G.functions() }}

{# zero0, and zero1 for a second half: minus the code for zero times the sum of x, where a sum of codes starts. #}
{% macro take_zeros() %}
{% for part in (((0, G.XV // 2), (G.XV // 2, G.XV)) if G.halves else ((0, G.XV),)) %}
        let xs{{ loop.index0 }} = {% for j in range(*part) %}x{{ j }}{{ " + " if not loop.last }}{% endfor %};
        let zero{{ loop.index0 }} = dot(xs{{ loop.index0 }}, vec4(-{{ W.ZERO[weight] }}.0));
{% endfor %}
{% endmacro %}

{# scaled_sum from whole bytes b = low + 16 high: low x + high y = low (x - y/16) + b (y/16), where z_j and z_(j+4) are
   the two factors. A byte takes fewer integer instructions than a high nibble. #}
{% macro take_factors() %}
{% for j in range(4) %}
        let z{{ j + 4 }} = x{{ j + 4 }} * 0.0625;
        let z{{ j }} = x{{ j }} - z{{ j + 4 }};
{% endfor %}
{% endmacro %}
{% macro bytewise_sum(r, xsum) %}
        var d = 0.0;
{% for j in range(4) %}
{% set word = "q%d.%s" % (r, "xyzw"[j]) %}
        {
        let b = vec4({{ word }} & 255u, ({{ word }} >> 8u) & 255u, ({{ word }} >> 16u) & 255u, {{ word }} >> 24u);
{% for e in "xyzw" %}
        d = fma(f32(b.{{ e }}), z{{ j + 4 }}.{{ e }}, fma(f32(b.{{ e }} & 15u), z{{ j }}.{{ e }}, d));
{% endfor %}
        }
{% endfor %}
{{ G.add_scaled(r, xsum) }}
{% endmacro %}

{# Chunk c of every row. #}
{% macro step() %}
{% for j in range(G.XV) %}
{{ G.take_x(j, "(c * %du + %du)" % (G.XV, j)) }}
{% endfor %}
{{ G.take_xsum() }}
{{ take_zeros() if coded }}
{{ take_factors() if bytewise }}
{% for r in range(G.dots) %}
        {
        let q{{ r }} = w[base{{ r }} + c];
{% if weight in W.HIGH %}
        let high = {{ "high_word" if G.by_words else "high_of" }}(base{{ r }} + c);
{% endif %}
{% if G.by_words %}
{{ W.word_values(weight, "q" ~ r, "v") }}
{% elif not bytewise %}
{{ W.values(weight, half, "q" ~ r, "v") }}
{% endif %}
{% if not G.scaled %}
{{ G.plain_sum(r) }}
{% else %}
        let sc = {{ "scale_in(group%d, c & 7u)" % r if grouped else "scale_of(base%d + c)" % r }};
{% if bytewise %}
{{ bytewise_sum(r, "xsum") }}
{% else %}
{{ G.scaled_sum(r, "xsum", ("zero0", "zero1") if coded else ("0.0", "0.0")) }}
{% endif %}
{% endif %}
        }
{% endfor %}
{% endmacro %}

{{ G.entry() }}
    let first = (wg * {{ threads }}u + t) * {{ rows }}u;
    if (first >= {{ G.N }}) { return; }
{{ G.begin("first") }}
{% if grouped %}
    for (var g = 0u; g < {{ units // 8 }}u; g++) {
{% for d in range(G.dots) %}
        let group{{ d }} = group_of((base{{ d }} >> 3u) + g);
{% endfor %}
        for (var c = 8u * g; c < 8u * g + 8u; c++) {
{{ step() }}
        }
    }
{% else %}
    var c = 0u;
    for (; c < {{ G.UNITS }}; c += 1u) {
{{ step() }}
    }
{% endif %}
{{ G.fold() }}
{{ G.store() }}
}
