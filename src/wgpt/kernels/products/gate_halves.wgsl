{# A workgroup computes SwiGLU of one block of a row, keeps it in registers, and scales it as a whole. #}
{% import "_rows.wgsl" as R with context %}
{% import "_activations.wgsl" as F with context %}
{% include "_halves.wgsl" %}
{% include "_row_scale.wgsl" %}
{{ R.reducers(["max"]) }}
{{ F.logistic() }}
fn summed(i: u32) -> vec4<f32> {
    var sum = x[i];
{% for s in range(1, sums) %}
    sum += x[i + {{ 2 * s }}u * (p.rows / {{ blocks }}u) * p.chunks];
{% endfor %}
    return sum;
}
fn value(m: u32, c: u32, end: u32) -> vec4<f32> {
    if (c >= end) { return vec4<f32>(); }
    let gate = summed(2u * m * p.chunks + c);
    return gate * logistic(gate) * summed((2u * m + 1u) * p.chunks + c);
}
{% call R.main() %}
        let m = row / {{ blocks }}u;
        let z = row % {{ blocks }}u;
        let first = z * p.block_vecs;
        let end = min(2u * (first + p.block_vecs), p.chunks);
        var most = vec4<f32>();
{% for e in range(each) %}
        let j{{ e }} = first + t + {{ e * threads }}u;
        let low{{ e }} = value(m, 2u * j{{ e }}, end);
        let high{{ e }} = value(m, 2u * j{{ e }} + 1u, end);
        most = max(most, max(abs(low{{ e }}), abs(high{{ e }})));
{% endfor %}
        let top = row_max(max(max(most.x, most.y), max(most.z, most.w)){{ R.who }});
        let up = scale_for(top);
        if (t == 0u) { scale[z * (p.rows / {{ blocks }}u) + m] = 1.0 / up; }
{% for e in range(each) %}
        if (2u * j{{ e }} < end) { h[m * p.vecs + j{{ e }}] = halves(low{{ e }} * up, high{{ e }} * up); }
{% endfor %}
{% endcall %}
