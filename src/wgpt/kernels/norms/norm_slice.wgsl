{# In place: the vec4s p.at to p.at + p.chunks of each row of p.stride. #}
{% import "_rows.wgsl" as R with context %}
{{ R.reducers(["sum"]) }}
{% call R.main() %}
        let first = row * p.stride + p.at;
{% call R.sums({"squares": "v * v"}) %}
            let v = y[first + c];
{% endcall %}
        let r = inverseSqrt(squares / f32(p.cols) + p.eps);
{% call R.each() %}
            y[first + c] *= g[c] * r;
{% endcall %}
{% endcall %}
