struct Params {
    a3_n: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_a: array<f32>;
@group(0) @binding(2) var<storage, read> g_b: array<f32>;
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
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (v2 * 1024i);
    let v4 = (lane + 128i);
    let v5 = (lane + 256i);
    let v6 = (lane + 384i);
    let v7 = (lane + 512i);
    let v8 = (lane + 640i);
    let v9 = (lane + 768i);
    let v10 = (lane + 896i);
    let v11 = (v3 + lane);
    let v12 = (v3 + v4);
    let v13 = (v3 + v5);
    let v14 = (v3 + v6);
    let v15 = (v3 + v7);
    let v16 = (v3 + v8);
    let v17 = (v3 + v9);
    let v18 = (v3 + v10);
    let v19 = (v11 < p.a3_n);
    let v20 = (v12 < p.a3_n);
    let v21 = (v13 < p.a3_n);
    let v22 = (v14 < p.a3_n);
    let v23 = (v15 < p.a3_n);
    let v24 = (v16 < p.a3_n);
    let v25 = (v17 < p.a3_n);
    let v26 = (v18 < p.a3_n);
    let v27 = select(0i, v11, v19);
    let x28 = g_a[v27];
    let v29 = select(0.0f, x28, v19);
    let v30 = select(0i, v12, v20);
    let x31 = g_a[v30];
    let v32 = select(0.0f, x31, v20);
    let v33 = select(0i, v13, v21);
    let x34 = g_a[v33];
    let v35 = select(0.0f, x34, v21);
    let v36 = select(0i, v14, v22);
    let x37 = g_a[v36];
    let v38 = select(0.0f, x37, v22);
    let v39 = select(0i, v15, v23);
    let x40 = g_a[v39];
    let v41 = select(0.0f, x40, v23);
    let v42 = select(0i, v16, v24);
    let x43 = g_a[v42];
    let v44 = select(0.0f, x43, v24);
    let v45 = select(0i, v17, v25);
    let x46 = g_a[v45];
    let v47 = select(0.0f, x46, v25);
    let v48 = select(0i, v18, v26);
    let x49 = g_a[v48];
    let v50 = select(0.0f, x49, v26);
    let x51 = g_b[v27];
    let v52 = select(0.0f, x51, v19);
    let x53 = g_b[v30];
    let v54 = select(0.0f, x53, v20);
    let x55 = g_b[v33];
    let v56 = select(0.0f, x55, v21);
    let x57 = g_b[v36];
    let v58 = select(0.0f, x57, v22);
    let x59 = g_b[v39];
    let v60 = select(0.0f, x59, v23);
    let x61 = g_b[v42];
    let v62 = select(0.0f, x61, v24);
    let x63 = g_b[v45];
    let v64 = select(0.0f, x63, v25);
    let x65 = g_b[v48];
    let v66 = select(0.0f, x65, v26);
    let v67 = (v29 + v52);
    let v68 = (v32 + v54);
    let v69 = (v35 + v56);
    let v70 = (v38 + v58);
    let v71 = (v41 + v60);
    let v72 = (v44 + v62);
    let v73 = (v47 + v64);
    let v74 = (v50 + v66);
    if (v19) {
        g_y[v11] = v67;
    }
    if (v20) {
        g_y[v12] = v68;
    }
    if (v21) {
        g_y[v13] = v69;
    }
    if (v22) {
        g_y[v14] = v70;
    }
    if (v23) {
        g_y[v15] = v71;
    }
    if (v24) {
        g_y[v16] = v72;
    }
    if (v25) {
        g_y[v17] = v73;
    }
    if (v26) {
        g_y[v18] = v74;
    }
}
