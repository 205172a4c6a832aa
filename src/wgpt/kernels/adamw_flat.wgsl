{% import "_each.wgsl" as each with context %}
{% set H = dict(lr=0, beta1=1, beta2=2, eps=3, decay=4, new1=5, new2=6, unbias1=7, unbias2=8) %}
{% macro h(name) %}hyper[{{ H[name] }}]{% endmacro %}
{% call each.main(each.quads) %}
        if (clip[2] == 1.0) {
            let gradient = clip[0] * g[i];
            let old = param[i];
            let mean = {{ h("beta1") }} * m[i] + {{ h("new1") }} * gradient;
            let square = {{ h("beta2") }} * v[i] + {{ h("new2") }} * gradient * gradient;
            let direction = mean * {{ h("unbias1") }} / (sqrt(square * {{ h("unbias2") }}) + {{ h("eps") }});
            let fresh = old - {{ h("lr") }} * (direction + {{ h("decay") }} * old);
{{ each.store("param", "fresh") }}
{{ each.store("m", "mean") }}
{{ each.store("v", "square") }}
        }
{% endcall %}
