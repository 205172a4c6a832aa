{# The statistics as in layernorm, then the two means in the gradient of a row. #}
{% import "_chunks.wgsl" as chunks with context %}
{% import "_rows.wgsl" as R with context %}
{{ chunks.reads(["x", "gamma", "dy"]) }}
{{ chunks.stores("dx") }}
{{ R.reducers(["sum"]) }}
{% call R.main() %}
{% call R.sums({"sum": "x_at(row, c, 0.0)"}) %}{% endcall %}
        let mean = sum / f32(p.cols);
{% call R.sums({"rest": "d", "squares": "d * d", "ups": "h", "products": "h * d"}) %}
            let d = x_at(row, c, mean) - mean;
            let h = gamma_at(0u, c, 0.0) * dy_at(row, c, 0.0);
{% endcall %}
        let shift = rest / f32(p.cols);
        let r = inverseSqrt(squares / f32(p.cols) - shift * shift + p.eps);
        let up = ups / f32(p.cols);
        // The mean of h * (d - shift), times r^2.
        let along = r * r * (products / f32(p.cols) - shift * up);
{% call R.each() %}
            let d = x_at(row, c, 0.0) - mean - shift;
            store_dx(row, c, r * (gamma_at(0u, c, 0.0) * dy_at(row, c, 0.0) - up - d * along));
{% endcall %}
        if ({{ R.is_first }}) { stats[row] = vec2(mean + shift, r); }
{% endcall %}
