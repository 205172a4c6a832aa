{% import "_chunks.wgsl" as chunks with context %}
{% import "_rows.wgsl" as R with context %}
{{ chunks.reads(["logits"]) }}
{{ chunks.stores("logits") }}
{{ R.reducers(["sum", "max"]) }}
{% call R.main() %}
        let weight = weights[row];
        // As unsigned, a negative target is beyond every vocabulary.
        let token = u32(targets[row]);
{{ R.exp_sum("logits") }}
        let log_of_sum = log(row_exps);
        if ((weight == 0.0 || token >= p.cols) && {{ R.is_first }}) { loss[row] = 0.0; }
{% call R.each() %}
            let z = logits_at(row, c, 0.0);
            var gradient = vec4<f32>();
            if (weight != 0.0) {
                // The peak first: it and the logit are close where it matters, so the difference is exact.
                gradient = exp((z - row_peak) - log_of_sum);
                let is_target = vec4(4u * c) + vec4(0u, 1u, 2u, 3u) == vec4(token);
                gradient -= select(vec4(0.0), vec4(1.0), is_target);
                // Whoever has the target's logit: others may be overwritten already.
                if (any(is_target) && token < p.cols) {
                    loss[row] = weight * (log_of_sum + (row_peak - dot(select(vec4(0.0), z, is_target), vec4(1.0))));
                }
                gradient *= weight;
            }
            store_logits(row, c, gradient);
{% endcall %}
{% endcall %}
