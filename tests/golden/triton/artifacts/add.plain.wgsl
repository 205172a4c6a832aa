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
    let v7 = select(0i, v3, v5);
    let x8 = g_x[v7];
    let v9 = select(0.0f, x8, v5);
    let v10 = select(0i, v4, v6);
    let x11 = g_x[v10];
    let v12 = select(0.0f, x11, v6);
    let x13 = g_y[v7];
    let v14 = select(0.0f, x13, v5);
    let x15 = g_y[v10];
    let v16 = select(0.0f, x15, v6);
    let v17 = (v9 + v14);
    let v18 = (v12 + v16);
    if (v5) {
        g_out[v3] = v17;
    }
    if (v6) {
        g_out[v4] = v18;
    }
}
