{% import "_chunks.wgsl" as chunks with context %}
{% import "_rows.wgsl" as R with context %}
{{ chunks.reads(["x"]) }}
{{ chunks.stores("y") }}
{{ R.reducers(["sum", "max"]) }}
{% call R.main() %}
{{ R.exp_sum("x") }}
        let share = 1.0 / row_exps;
{% call R.each() %}
            store_y(row, c, exp(x_at(row, c, 0.0) - row_peak) * share);
{% endcall %}
{% endcall %}
