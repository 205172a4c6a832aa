{# Four slices at a time, so that their loads overlap. #}
{% import "_each.wgsl" as each with context %}
{% set quads = head_dim // 4 %}
{% set at_once = [splits, 4] | min %}
{% call each.main("p.count") %}
        let first = i / {{ quads }}u * {{ splits * (quads + 1) }}u;
        let e = i % {{ quads }}u;
        var top = -3.4028234e38;
        var sum = 0.0;
        var o = vec4<f32>();
        for (var s = 0u; s < {{ splits }}u; s += {{ at_once }}u) {
{% for j in range(at_once) %}
            let at{{ j }} = first + min(s + {{ j }}u, {{ splits - 1 }}u) * {{ quads + 1 }}u;
            let slice{{ j }} = part[at{{ j }} + {{ quads }}u];
            let o{{ j }} = part[at{{ j }} + e];
            let used{{ j }} = slice{{ j }}.y > 0.0{{ " && s + %du < %du" % (j, splits) if splits % at_once }};
{% endfor %}
            var next = top;
{% for j in range(at_once) %}
            next = max(next, select(top, slice{{ j }}.x, used{{ j }}));
{% endfor %}
            let fix = exp(top - next);
            top = next;
            sum *= fix;
            o *= fix;
{% for j in range(at_once) %}
            let w{{ j }} = select(0.0, exp(slice{{ j }}.x - top), used{{ j }});
            sum += w{{ j }};
            o += w{{ j }} * o{{ j }};
{% endfor %}
        }
{% if halves %}
        let mean = clamp(select(vec4<f32>(), o / sum, sum > 0.0), vec4(-65504.0), vec4(65504.0));
        out[i] = vec2(pack2x16float(mean.xy), pack2x16float(mean.zw));
{% else %}
        out[i] = select(vec4<f32>(), o / sum, sum > 0.0);
{% endif %}
{% endcall %}
