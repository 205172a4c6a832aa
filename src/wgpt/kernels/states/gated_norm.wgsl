{# A row of x is a head; its gates are columns of the row that the head belongs to. #}
{% import "_rows.wgsl" as R with context %}
{% import "_activations.wgsl" as F with context %}
{{ F.logistic() }}
{{ R.reducers(["sum"]) }}
{% call R.main() %}
        let first = row * p.chunks;
        let first_gate = row / p.heads * p.stride + p.at + row % p.heads * p.chunks;
{% call R.sums({"squares": "v * v"}) %}
            let v = x[first + c];
{% endcall %}
        let r = inverseSqrt(squares / f32(p.cols) + p.eps);
{% call R.each() %}
            let z = gates[first_gate + c];
            y[first + c] = x[first + c] * g[c] * r * z * logistic(z);
{% endcall %}
{% endcall %}
