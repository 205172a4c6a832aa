{# A workgroup owns a part of one row of the table; no other workgroup adds to it. #}
{% set T = "vec4<f32>" if x == "vec4" else "f32" %}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let wg = wid.x + wid.y * nwg.x;
    let d = wg / p.parts;
    if (d >= p.rows) { return; }
    let begin = starts[d];
    let end = starts[d + 1u];
    // Ids before this part of the table wrap around and are beyond it, too.
    let row = ids[d] - p.first;
    if (begin >= end || row >= p.n) { return; }
    let first = wg % p.parts * {{ threads * items }}u;
    for (var c = first + t; c < min(first + {{ threads * items }}u, p.width); c += {{ threads }}u) {
        var sum = {{ T }}();
        // In pieces: a chain of thousands of additions would lose too many digits.
        for (var piece = begin; piece < end; piece += 64u) {
            var some = {{ T }}();
            for (var j = piece; j < min(piece + 64u, end); j++) { some += dy[order[j] * p.width + c]; }
            sum += some;
        }
        dtable[row * p.width + c] += sum;
    }
}
