{% import "_chunks.wgsl" as chunks with context %}
{% import "_rows.wgsl" as R with context %}
{{ chunks.reads(["x", "g", "dy"]) }}
{{ chunks.stores("dx") }}
{{ R.reducers(["sum"]) }}
{% call R.main() %}
{% call R.sums({"squares": "v * v", "products": "v * g_at(0u, c, 0.0) * dy_at(row, c, 0.0)"}) %}
            let v = x_at(row, c, 0.0);
{% endcall %}
        let r = inverseSqrt(squares / f32(p.cols) + p.eps);
        let along = r * r * (products / f32(p.cols));
{% call R.each() %}
            let upstream = g_at(0u, c, 0.0) * dy_at(row, c, 0.0);
            store_dx(row, c, r * (upstream - x_at(row, c, 0.0) * along));
{% endcall %}
        if ({{ R.is_first }}) { rstd[row] = r; }
{% endcall %}
