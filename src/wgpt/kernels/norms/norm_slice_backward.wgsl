{# In place: the vec4s p.at to p.at + p.chunks of each row of p.stride. #}
{% import "_rows.wgsl" as R with context %}
{{ R.reducers(["sum"]) }}
{% call R.main() %}
        let first = row * p.stride + p.at;
{% call R.sums({"squares": "v * v", "products": "v * g[c] * dx[first + c]"}) %}
            let v = x[first + c];
{% endcall %}
        let r = inverseSqrt(squares / f32(p.cols) + p.eps);
        let along = r * r * (products / f32(p.cols));
{% call R.each() %}
            dx[first + c] = r * (g[c] * dx[first + c] - x[first + c] * along);
{% endcall %}
{% endcall %}
