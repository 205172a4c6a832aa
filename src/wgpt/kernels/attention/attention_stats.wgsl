{% set owns_keys = false %}
{% import "_pairs.wgsl" as P with context %}
{% from "_runs.wgsl" import query with context %}
{% if style == "tiles" %}
{{ P.tile_memory(weights=false) }}
// Of a row, and the others that one thread has walked: the largest score, the sum of exp(score - it); a part of out . dout.
var<workgroup> parts: array<vec4<f32>, {{ own * P.tx_count }}>;
{% endif %}

{# Add the scores score{i}_{j} of row i (where seen{i}_{j}) to top{i} and sum{i}. #}
{% macro gather(i, count) %}
            {
                var next = top{{ i }};
{% for j in range(count) %}
                next = max(next, select({{ P.LEAST }}, score{{ i }}_{{ j }}, seen{{ i }}_{{ j }}));
{% endfor %}
                sum{{ i }} *= exp(top{{ i }} - next);
                top{{ i }} = next;
{% for j in range(count) %}
                sum{{ i }} += select(0.0, exp(score{{ i }}_{{ j }} - next), seen{{ i }}_{{ j }});
{% endfor %}
            }
{% endmacro %}

{% call P.main() %}
{% if style == "thread" %}
{{ P.my_row() }}
        var top0 = f32({{ P.LEAST }});
        var sum0 = 0.0;
        for (var base = first; base < last; base += {{ unroll }}u) {
{{ P.others() }}
{{ P.products("s", "q", "k") }}
{% for j in range(unroll) %}
            let score0_{{ j }} = {{ "capped(s%d * p.scale)" % j if cap else "s%d * p.scale" % j }};
            let seen0_{{ j }} = seen{{ j }};
{% endfor %}
{{ gather(0, unroll) }}
        }
        var both = vec4<f32>();
        for (var c = 0u; c < {{ P.bound }}; c++) { both = fma(out[{{ query("at") }} + c], dout[{{ query("at") }} + c], both); }
        if (writes) {
            stats[(first_row + at) * {{ heads }}u + head] = vec2(top0 + log(sum0), dot(both, vec4(1.0)));
        }
{% else %}
{{ P.identity() }}
{% for i in range(each) %}
        var top{{ i }} = f32({{ P.LEAST }});
        var sum{{ i }} = 0.0;
{% endfor %}
        for (var base = first; base < last; base += {{ other }}u) {
{{ P.tile_products("s", "q", "k") }}
{% for j in range(4) %}
            let theirs{{ j }} = base + 4u * tx + {{ j }}u;
{% endfor %}
{% for i in range(each) %}
{% for j in range(4) %}
            let score{{ i }}_{{ j }} = {{ ("capped(s%d_%d * p.scale)" if cap else "s%d_%d * p.scale") % (i, j) }};
            let seen{{ i }}_{{ j }} = {{ P.is_pair("mine%d" % i, "theirs%d" % j) }};
{% endfor %}
{{ gather(i, 4) }}
{% endfor %}
        }
{% for i in range(each) %}
        var both{{ i }} = vec4<f32>();
        if (mine{{ i }} < stop) {
            for (var c = tx; c < {{ P.bound }}; c += {{ P.tx_count }}u) {
                let at = {{ query("mine%d" % i) }} + c;
                both{{ i }} = fma(out[at], dout[at], both{{ i }});
            }
        }
        parts[(ty + {{ i * P.ty_count }}u) * {{ P.tx_count }}u + tx] =
            vec4(top{{ i }}, sum{{ i }}, dot(both{{ i }}, vec4(1.0)), 0.0);
{% endfor %}
        workgroupBarrier();
        if (t < stop - start) {
            var all = parts[t * {{ P.tx_count }}u];
            for (var i = 1u; i < {{ P.tx_count }}u; i++) {
                let part = parts[t * {{ P.tx_count }}u + i];
                let top = max(all.x, part.x);
                all = vec4(top, all.y * exp(all.x - top) + part.y * exp(part.x - top), all.z + part.z, 0.0);
            }
            stats[(first_row + start + t) * {{ heads }}u + head] = vec2(all.x + log(all.y), all.z);
        }
{% endif %}
{% endcall %}
