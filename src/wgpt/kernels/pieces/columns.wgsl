{# The sum over rows of `term` (an expression of `row`, `col` and flat index i) for each column, in blocks of p.block
   rows, into `result`. `before` is a prefix of the stored expression, to add the sum to existing values. #}
{% set width = threads // lanes %}
{% if lanes > 1 %}
var<workgroup> part: array<f32, {{ threads }}>;
{% endif %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let col = (wid.x + wid.z * nwg.x) * {{ width }}u + t % {{ width }}u;
    let lane = t / {{ width }}u;
    let end = min((wid.y + 1u) * p.block, p.rows);
    var sum = 0.0;
    if (col < p.cols) {
        for (var row = wid.y * p.block + lane; row < end; row += {{ lanes }}u) {
            let i = row * p.cols + col;
            sum += {{ term }};
        }
    }
{% if lanes > 1 %}
    part[t] = sum;
    workgroupBarrier();
    for (var s = {{ lanes // 2 }}u; s > 0u; s >>= 1u) {
        if (lane < s) { part[t] += part[t + s * {{ width }}u]; }
        workgroupBarrier();
    }
    sum = part[t];
{% endif %}
    if (lane == 0u && col < p.cols) { {{ result }}[wid.y * p.cols + col] = {{ before | default("") }}sum; }
}
