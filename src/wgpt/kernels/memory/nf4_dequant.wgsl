{# Index i is a word: eight weights, two vec4 stores, and one scale per `share` weights. #}
{% import "_each.wgsl" as each with context %}
{% import "weights/_table.wgsl" as T %}
{{ T.codebook(true, "nf4", codebook) }}

// The scale of weight k; behind the last weight there may be none.
fn scale_at(k: u32) -> f32 { return scales[min(k, p.n - 1u) / p.block]; }

{% call each.main("(p.n + 7u) / 8u", "load_codebook(t);") %}
{% if high_first %}
        let word = ((packed[i] & 0x0f0f0f0fu) << 4u) | ((packed[i] >> 4u) & 0x0f0f0f0fu);
{% else %}
        let word = packed[i];
{% endif %}
        let even = unpack4xU8(word & 0x0f0f0f0fu);
        let odd = unpack4xU8((word >> 4u) & 0x0f0f0f0fu);
{% if share == 8 %}
        let scale0 = scale_at(8u * i);
        let scale1 = scale0;
{% elif share == 4 %}
        let scale0 = scale_at(8u * i);
        let scale1 = scale_at(8u * i + 4u);
{% else %}
{% for half in (0, 1) %}
        let scale{{ half }} = vec4({% for j in range(4) %}scale_at(8u * i + {{ 4 * half + j }}u){{ ", " if not loop.last }}{% endfor %});
{% endfor %}
{% endif %}
        let value0 = nf4_value(vec4(even.x, odd.x, even.y, odd.y)) * scale0;
        let value1 = nf4_value(vec4(even.z, odd.z, even.w, odd.w)) * scale1;
{{ each.store("y", "value0", "(2u * i)") }}
        if (8u * i + 4u < p.n) {
{{ each.store("y", "value1", "(2u * i + 1u)") }}
        }
{% endcall %}
