{% import "_each.wgsl" as each with context %}
{% import "_philox.wgsl" as P %}
{{ P.philox() }}
{% call each.main(each.quads) %}
        let words = philox(vec4(i, p.stream, seed[2], 0u), vec2(seed[0], seed[1]));
        let value = {{ "y[i] + " if onto }}select(vec4(0.0), p.factor * x[i], words >= vec4(p.threshold));
{{ each.store("y", "value") }}
{% endcall %}
