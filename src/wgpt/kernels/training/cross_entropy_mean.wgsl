{% import "_chunks.wgsl" as chunks with context %}
{% import "_rows.wgsl" as R with context %}
{{ chunks.reads(["loss"]) }}
{{ chunks.reads(["targets"], "i32") }}
{{ R.reducers(["sum"]) }}
{% call R.main() %}
{% call R.sums({"losses": "loss_at(row, c, 0.0)", "used": "select(vec4(0.0), vec4(1.0), counts)"}) %}
            let counts = targets_at(row, c, p.ignore_index) != vec4(p.ignore_index);
{% endcall %}
        if ({{ R.is_first }}) {
            mean[0] = losses / max(used, 1.0);
            count[0] = u32(used);
        }
{% endcall %}
