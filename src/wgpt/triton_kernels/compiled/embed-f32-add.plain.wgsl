struct Params {
    a3_rows: i32,
    a4_n: i32,
    a5_k: i32,
    a6_line: i32,
    a7_first: i32,
    a8_stride: i32,
    a9_offset: i32,
    a10_parts: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_ids: array<i32>;
@group(0) @binding(2) var<storage, read> g_w: array<f32>;
@group(0) @binding(3) var<storage, read_write> g_y: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let npid_x = i32(nwg.x);
    let npid_y = i32(nwg.y);
    let npid_z = i32(nwg.z);
    let t11 = (lane & 127i) == 0i;
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (p.a3_rows * p.a10_parts);
    let v4 = (v3 - 1i);
    let v5 = min(v2, v4);
    let v6 = (v5 / p.a10_parts);
    let v7 = (v5 % p.a10_parts);
    let v8 = (v7 * 256i);
    let v9 = (v6 * p.a8_stride);
    let v10 = (v9 + p.a9_offset);
    let x12 = g_ids[v10];
    let v13 = (x12 >= p.a7_first);
    let v14 = (p.a7_first + p.a4_n);
    let v15 = (x12 < v14);
    let v16 = (v13 & v15);
    let v17 = (x12 - p.a7_first);
    let v18 = select(0i, v17, v16);
    let v19 = (p.a5_k - 1i);
    let v20 = (v18 * p.a6_line);
    let v21 = (lane + 128i);
    let v22 = (v8 + lane);
    let v23 = (v8 + v21);
    let v24 = min(v22, v19);
    let v25 = min(v23, v19);
    let v26 = (v20 + v24);
    let v27 = (v20 + v25);
    let x28 = g_w[v26];
    let x29 = g_w[v27];
    let v30 = (v6 * p.a5_k);
    let v31 = (v30 + v22);
    let v32 = (v30 + v23);
    let v33 = (v22 < p.a5_k);
    let v34 = (v23 < p.a5_k);
    let v35 = (v33 & v16);
    let v36 = (v34 & v16);
    let v37 = select(0i, v31, v35);
    let x38 = g_y[v37];
    let v39 = select(0.0f, x38, v35);
    let v40 = select(0i, v32, v36);
    let x41 = g_y[v40];
    let v42 = select(0.0f, x41, v36);
    let v43 = (v39 + x28);
    let v44 = (v42 + x29);
    if (v35) {
        g_y[v31] = v43;
    }
    if (v36) {
        g_y[v32] = v44;
    }
}
