{% if threads > 1 %}
var<workgroup> part: array<f32, {{ threads }}>;
{% endif %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(local_invocation_index) t: u32) {
    var sum = 0.0;
    for (var i = t; i < p.blocks; i += {{ threads }}u) { sum += partial[i]; }
{% if threads > 1 %}
    part[t] = sum;
    workgroupBarrier();
    for (var s = {{ threads // 2 }}u; s > 0u; s >>= 1u) {
        if (t < s) { part[t] += part[t + s]; }
        workgroupBarrier();
    }
    sum = part[0];
{% endif %}
    if (t == 0u) {
        let norm = sqrt(sum);
        // By its bits: a compiler may take it that no number is NaN.
        let finite = (bitcast<u32>(sum) & 0x7f800000u) != 0x7f800000u;
        let most = hyper[9];
        let limit = select(1.0, min(1.0, most / (norm + 1e-6)), most > 0.0);
        clip[0] = select(0.0, limit, finite);
        clip[1] = norm;
        clip[2] = select(0.0, 1.0, finite);
        clip[3] = 0.0;
    }
}
