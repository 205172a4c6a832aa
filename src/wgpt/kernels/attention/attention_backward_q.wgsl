{% set owns_keys = false %}
{% import "_pairs.wgsl" as P with context %}
{{ P.tile_memory() if style == "tiles" }}
{% call P.main() %}
{% if style == "thread" %}
{{ P.my_row() }}
        let stat = stats[(first_row + at) * {{ heads }}u + head];
        for (var base = first; base < last; base += {{ unroll }}u) {
{{ P.others() }}
{{ P.products("s", "q", "k") }}
{{ P.products("dp", "dout", "v") }}
{% for j in range(unroll) %}
            let ds{{ j }} = select(0.0, p.scale * {{ P.share("s%d" % j, "stat.x") }} * (dp{{ j }} - stat.y){{ P.slope("s%d" % j) }}, seen{{ j }});
{% endfor %}
{{ P.add("dq", "ds", "k") }}
        }
{% else %}
{{ P.identity() }}
{% for i in range(each) %}
        let stat{{ i }} = stats[(first_row + min(mine{{ i }}, stop - 1u)) * {{ heads }}u + head];
{% endfor %}
{{ P.tile_zeros("dq") }}
        for (var base = first; base < last; base += {{ other }}u) {
{{ P.tile_products("s", "q", "k") }}
{{ P.tile_products("dp", "dout", "v") }}
{% for j in range(4) %}
            let theirs{{ j }} = base + 4u * tx + {{ j }}u;
{% endfor %}
{% for i in range(each) %}
{% for j in range(4) %}
            let seen{{ i }}_{{ j }} = {{ P.is_pair("mine%d" % i, "theirs%d" % j) }};
            let ds{{ i }}_{{ j }} = select(0.0,
                {{ P.share("s%d_%d" % (i, j), "stat%d.x" % i) }} * (dp{{ i }}_{{ j }} - stat{{ i }}.y){{ P.slope("s%d_%d" % (i, j)) }}, seen{{ i }}_{{ j }});
{% endfor %}
            let ds{{ i }} = vec4(ds{{ i }}_0, ds{{ i }}_1, ds{{ i }}_2, ds{{ i }}_3);
{% endfor %}
{{ P.tile_add("dq", "ds", "k") }}
        }
{{ P.tile_write("dq", "dq", "p.scale") }}
{% endif %}
{% endcall %}
