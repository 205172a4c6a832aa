{% import "_chunks.wgsl" as chunks with context %}
{% import "_rows.wgsl" as R with context %}
{{ chunks.reads(["logits"]) }}
{{ R.reducers(["sum", "max"]) }}
{% call R.main() %}
{{ R.exp_sum("logits") }}
        if ({{ R.is_first }}) {
            let log_of_sum = log(row_exps);
            // As unsigned, a negative target is beyond every vocabulary: nothing is read out of bounds.
            let token = u32(targets[row]);
            var row_loss = 0.0;
            if (targets[row] != p.ignore_index && token < p.cols) {
                let picked = {{ "logits[row * p.chunks + token / 4u][token % 4u]" if x == "vec4" else "logits[row * p.cols + token]" }};
                row_loss = log_of_sum + (row_peak - picked);
            }
            loss[row] = row_loss;
            peak[row] = row_peak;
            log_sum[row] = log_of_sum;
        }
{% endcall %}
