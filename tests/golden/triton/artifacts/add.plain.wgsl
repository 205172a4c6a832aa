struct Params {
    a3_n: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_y: array<f32>;
@group(0) @binding(3) var<storage, read_write> g_out: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let v1 = (pid_x * 256i);
    let v2 = (lane + 128i);
    let v3 = (v1 + lane);
    let v4 = (v1 + v2);
    let v5 = (v3 < p.a3_n);
    let v6 = (v4 < p.a3_n);
    var x7: f32 = 0.0f;
    if (v5) {
        x7 = g_x[v3];
    }
    var x8: f32 = 0.0f;
    if (v6) {
        x8 = g_x[v4];
    }
    var x9: f32 = 0.0f;
    if (v5) {
        x9 = g_y[v3];
    }
    var x10: f32 = 0.0f;
    if (v6) {
        x10 = g_y[v4];
    }
    let v11 = (x7 + x9);
    let v12 = (x8 + x10);
    if (v5) {
        g_out[v3] = v11;
    }
    if (v6) {
        g_out[v4] = v12;
    }
}
