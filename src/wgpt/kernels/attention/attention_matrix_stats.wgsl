{# A workgroup has BLOCK rows of one sequence, of one query head (q, dout, out) or, after those, one key head (k, v).
   `team` threads share a row. #}
{% import "_cache.wgsl" as store with context %}
{% set quads = head_dim // 4 %}
var<workgroup> sums: array<f32, {{ threads }}>;  // parts of out . dout
var<workgroup> sizes: array<vec2<f32>, {{ threads }}>;
{{ store.addressing() }}
fn largest(v: vec4<f32>) -> f32 { return max(max(v.x, v.y), max(v.z, v.w)); }

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let run = runs[wid.y];
    let first_row = min(run.x, p.rows);
    let count = min(run.y, min(p.rows - first_row, p.capacity));
    let of_queries = wid.x < {{ heads }}u;
    let position = wid.z * {{ BLOCK }}u + t / {{ team }}u;
    let h = t % {{ team }}u;
    let entry = (first_row + position) * {{ heads }}u + wid.x;
    if (wid.z * {{ BLOCK }}u < count) {
        var along = vec4<f32>();
        var first = vec4<f32>();
        var second = vec4<f32>();
        if (position < count && of_queries) {
            for (var c = entry * {{ quads }}u + h; c < (entry + 1u) * {{ quads }}u; c += {{ team }}u) {
                let d = dout[c];
                along = fma(out[c], d, along);
                first = max(first, abs(q[c]));
                second = max(second, abs(d));
            }
        } else if (position < count) {
            let at = cache_at(cache_of(wid.y, wid.x - {{ heads }}u), position);
            for (var c = at + h; c < at + {{ quads }}u; c += {{ team }}u) {
                first = max(first, abs(k[c]));
                second = max(second, abs(v[c]));
            }
        }
        sums[t] = dot(along, vec4(1.0));
        sizes[t] = vec2(largest(first), largest(second));
        workgroupBarrier();
        if (position < count && of_queries && h == 0u) {
            var total = sums[t];
            for (var i = 1u; i < {{ team }}u; i++) { total += sums[t + i]; }
            stats[entry] = vec2(log_sum[entry], total);
        }
        for (var half = {{ threads // 2 }}u; half > 0u; half /= 2u) {
            if (t < half) { sizes[t] = max(sizes[t], sizes[t + half]); }
            workgroupBarrier();
        }
        if (t == 0u) {
            stats[p.rows * {{ heads }}u + (wid.y * nwg.x + wid.x) * nwg.z + wid.z] = sizes[0];
        }
    }
}
