{% set owns_keys = true %}
{% import "_pairs.wgsl" as P with context %}
{{ P.tile_memory() if style == "tiles" }}
{% call P.main() %}
{% if style == "thread" %}
{{ P.my_row() }}
        for (var base = first; base < last; base += {{ unroll }}u) {
{{ P.others() }}
{{ P.products("s", "k", "q") }}
{{ P.products("dp", "v", "dout") }}
{% for j in range(unroll) %}
            let stat{{ j }} = stats[(first_row + other{{ j }}) * {{ heads }}u + head];
            let p{{ j }} = select(0.0, {{ P.share("s%d" % j, "stat%d.x" % j) }}, seen{{ j }});
            let ds{{ j }} = p.scale * p{{ j }} * (dp{{ j }} - stat{{ j }}.y){{ P.slope("s%d" % j) }};
{% endfor %}
{{ P.add("dv", "p", "dout") }}
{{ P.add("dk", "ds", "q") }}
        }
{% else %}
{{ P.identity() }}
{{ P.tile_zeros("dk") }}
{{ P.tile_zeros("dv") }}
        for (var base = first; base < last; base += {{ other }}u) {
{{ P.tile_products("s", "k", "q") }}
{{ P.tile_products("dp", "v", "dout") }}
{% for j in range(4) %}
            let theirs{{ j }} = base + 4u * tx + {{ j }}u;
            let stat{{ j }} = stats[(first_row + min(theirs{{ j }}, last - 1u)) * {{ heads }}u + head];
{% endfor %}
{% for i in range(each) %}
{% for j in range(4) %}
            let seen{{ i }}_{{ j }} = {{ P.is_pair("mine%d" % i, "theirs%d" % j) }};
            let p{{ i }}_{{ j }} = select(0.0, {{ P.share("s%d_%d" % (i, j), "stat%d.x" % j) }}, seen{{ i }}_{{ j }});
            let ds{{ i }}_{{ j }} = p{{ i }}_{{ j }} * (dp{{ i }}_{{ j }} - stat{{ j }}.y){{ P.slope("s%d_%d" % (i, j)) }};
{% endfor %}
            let p{{ i }} = vec4(p{{ i }}_0, p{{ i }}_1, p{{ i }}_2, p{{ i }}_3);
            let ds{{ i }} = vec4(ds{{ i }}_0, ds{{ i }}_1, ds{{ i }}_2, ds{{ i }}_3);
{% endfor %}
{{ P.tile_add("dv", "p", "dout") }}
{{ P.tile_add("dk", "ds", "q") }}
        }
{{ P.tile_write("dk", "dk", "p.scale") }}
{{ P.tile_write("dv", "dv", "1.0") }}
{% endif %}
{% endcall %}
