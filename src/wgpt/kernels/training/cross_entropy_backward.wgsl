{% import "_chunks.wgsl" as chunks with context %}
{% import "_each.wgsl" as each with context %}
{{ chunks.reads(["logits"]) }}
{{ chunks.stores("dlogits") }}
{% call each.main("p.rows * p.chunks") %}
        let row = i / p.chunks;
        let c = i % p.chunks;
        var gradient = vec4<f32>();
        if (targets[row] != p.ignore_index) {
            // The peak first: it and the logit are close where it matters, so the difference is exact.
            let share = exp((logits_at(row, c, 0.0) - peak[row]) - log_sum[row]);
            let is_target = vec4(4u * c) + vec4(0u, 1u, 2u, 3u) == vec4(u32(targets[row]));
            gradient = (share - select(vec4(0.0), vec4(1.0), is_target)) * p.scale;
        }
        store_dlogits(row, c, gradient);
{% endcall %}
