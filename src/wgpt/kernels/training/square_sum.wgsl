{# Block wid.x of p.quads vec4s. #}
{% if reduce == "workgroup" %}
var<workgroup> part: array<f32, {{ threads }}>;
{% endif %}

fn quad(i: u32) -> vec4<f32> {
    let v = x[i];
    if (4u * i + 4u <= p.n) { return v; }
    return select(vec4(0.0), v, vec4(4u * i) + vec4(0u, 1u, 2u, 3u) < vec4(p.n));
}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let end = min((wid.x + 1u) * p.quads, (p.n + 3u) / 4u);
    var sum = 0.0;
    // In pieces: a chain of thousands of additions would lose too many digits.
    for (var first = wid.x * p.quads; first < end; first += {{ 64 * threads }}u) {
        var piece = vec4<f32>();
        for (var i = first + t; i < min(first + {{ 64 * threads }}u, end); i += {{ threads }}u) {
            let v = quad(i);
            piece += v * v;
        }
        sum += (piece.x + piece.y) + (piece.z + piece.w);
    }
{% if reduce == "workgroup" %}
    part[t] = sum;
    workgroupBarrier();
    for (var s = {{ threads // 2 }}u; s > 0u; s >>= 1u) {
        if (t < s) { part[t] += part[t + s]; }
        workgroupBarrier();
    }
    sum = part[0];
{% endif %}
    if (t == 0u) { partial[wid.x] = sum; }
}
