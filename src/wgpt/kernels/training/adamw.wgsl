{# The values of a step are uniforms, or in a buffer in the order of `hyper`. In the second case the gradient is also
   clipped, and a step with a gradient that is not finite is skipped. #}
{% import "_each.wgsl" as each with context %}
{% macro h(name) %}{{ "hyper[%d]" % hyper.index(name) if hyper else "p." ~ name }}{% endmacro %}
{% call each.main(each.quads) %}
{% if hyper %}
        if (clip[2] == 1.0) {
{% endif %}
        let gradient = {{ "clip[0] * " if hyper }}g[i];
        let old = param[i];
        let mean = {{ h("beta1") }} * m[i] + {{ h("new1") }} * gradient;
        let square = {{ h("beta2") }} * v[i] + {{ h("new2") }} * gradient * gradient;
        let direction = mean * {{ h("unbias1") }} / (sqrt(square * {{ h("unbias2") }}) + {{ h("eps") }});
        let fresh = old - {{ h("lr") }} * (direction + {{ h("decay") }} * old);
{{ each.store("param", "fresh") }}
{{ each.store("m", "mean") }}
{{ each.store("v", "square") }}
{% if hyper %}
        }
{% endif %}
{% endcall %}
