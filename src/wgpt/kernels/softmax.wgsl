{% import "_rows.wgsl" as R with context %}
{{ R.reads(["x"]) }}
{{ R.stores("y") }}
{{ R.reducers(["sum", "max"]) }}
{% call R.main() %}
{{ R.exp_sum("x") }}
        let share = 1.0 / exps;
{% call R.each() %}
            store_y(row, c, exp(x_at(row, c, 0.0) - peak) * share);
{% endcall %}
{% endcall %}
