{# Two passes: the mean, then mean and variance of the differences. The mean of the differences corrects the rounding
   error of the first mean, which is large if the row has a large offset. #}
{% import "_chunks.wgsl" as chunks with context %}
{% import "_rows.wgsl" as R with context %}
{{ chunks.reads(["x", "gamma", "beta"] if shift else ["x", "gamma"]) }}
{{ chunks.stores("y") }}
{{ R.reducers(["sum"]) }}
{% call R.main() %}
{% call R.sums({"sum": "x_at(row, c, 0.0)"}) %}{% endcall %}
        let mean = sum / f32(p.cols);
{% call R.sums({"rest": "d", "squares": "d * d"}) %}
            let d = x_at(row, c, mean) - mean;
{% endcall %}
        let shift = rest / f32(p.cols);
        let r = inverseSqrt(squares / f32(p.cols) - shift * shift + p.eps);
{% call R.each() %}
            let d = x_at(row, c, 0.0) - mean - shift;
            store_y(row, c, d * r * gamma_at(0u, c, 0.0){{ " + beta_at(0u, c, 0.0)" if shift }});
{% endcall %}
{% endcall %}
