{# Rows of f32 as halves for matrix units: each row is scaled by a power of two that brings its largest value near the
   largest of f16, so that nothing overflows, and what is lost below is small beside the row. With two `parts`, a value
   is the sum of two halves. A row is p.vecs vectors of eight halves, zeros behind its end. #}
{% import "_rows.wgsl" as R with context %}
{% import "_activations.wgsl" as F with context %}
{% include "_halves.wgsl" %}
{{ R.reducers(["sum", "max"] if act == "norm" else ["max"]) }}
{{ F.logistic() if act == "swiglu" }}
{% include "_row_values.wgsl" %}
{% include "_row_scale.wgsl" %}
{% call R.main() %}
        let first = row * p.width + p.at;
{% if act == "norm" %}
{% call R.sums({"squares": "v * v"}) %}
            let v = x_from(first + 4u * c, first + p.cols);
{% endcall %}
        let root = inverseSqrt(squares / f32(p.cols) + p.eps);
{% else %}
        let root = 1.0;
{% endif %}
        var most = vec4<f32>();
{% call R.each() %}
            most = max(most, abs(value(first, c)));
{% endcall %}
        let top = row_max(max(max(most.x, most.y), max(most.z, most.w)){{ R.who }}) * root;
        let up = scale_for(top);
        if ({{ R.is_first }}) { scale[row] = 1.0 / up; }
        for (var j = {{ "0u" if reduce == "thread" else "t" }}; j < p.vecs; j += {{ 1 if reduce == "thread" else threads }}u) {
            let v0 = value(first, 2u * j) * root * up;
            let v1 = value(first, 2u * j + 1u) * root * up;
            let at = row * p.vecs + j;
{% if parts == 2 %}
            let high0 = high(v0);
            let high1 = high(v1);
            h[at] = halves(high0, high1);
            h[at + p.rows * p.vecs] = halves(v0 - high0, v1 - high1);
{% else %}
            h[at] = halves(v0, v1);
{% endif %}
        }
{% endcall %}
