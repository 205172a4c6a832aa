@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let i = (wid.x + wid.y * nwg.x) * {{ threads }}u + t;
    if (i < p.rows * p.hidden) {
        y[i] = x[i] * s[i / p.hidden];
    }
}
