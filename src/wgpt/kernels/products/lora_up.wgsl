{# y[M, N] += B (A x): a thread adds to one column of `rows` rows. #}
{% import "_lora.wgsl" as L %}
{{ L.functions(lora) }}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let n = wid.x * {{ threads }}u + t;
    if (n >= {{ lora | sum }}u) { return; }
    for (var m = wid.y * {{ rows }}u; m < min((wid.y + 1u) * {{ rows }}u, p.m); m++) {
        let at = m * {{ quads + 1 }}u;
        let place = low_place(low[at], at + 1u, n);
        y[m * {{ lora | sum }}u + n] += low_rank(place, low_first(place, 0u), 0u, 1u);
    }
}
