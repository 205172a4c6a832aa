{% import "_each.wgsl" as each with context %}
{% call each.main(each.quads) %}
        let gradient = g[i];
        let old = param[i];
        let mean = p.beta1 * m[i] + p.new1 * gradient;
        let square = p.beta2 * v[i] + p.new2 * gradient * gradient;
        let direction = mean * p.unbias1 / (sqrt(square * p.unbias2) + p.eps);
        let fresh = old - p.lr * (direction + p.decay * old);
{{ each.store("param", "fresh") }}
{{ each.store("m", "mean") }}
{{ each.store("v", "square") }}
{% endcall %}
