{% import "_chunks.wgsl" as chunks with context %}
{% import "_rows.wgsl" as R with context %}
{{ chunks.reads(["x", "g"]) }}
{{ chunks.stores("y") }}
{{ R.reducers(["sum"]) }}
{% call R.main() %}
{% call R.sums({"squares": "v * v"}) %}
            let v = x_at(row, c, 0.0);
{% endcall %}
        let r = inverseSqrt(squares / f32(p.cols) + p.eps);
{% call R.each() %}
            store_y(row, c, x_at(row, c, 0.0) * g_at(0u, c, 0.0) * r);
{% endcall %}
{% endcall %}
