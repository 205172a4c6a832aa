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
@group(0) @binding(2) var<storage, read> g_w: array<i32>;
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
    let v26 = (v24 / 2i);
    let v27 = (v25 / 2i);
    let v28 = (v20 + v26);
    let v29 = (v20 + v27);
    let x30 = g_w[v28];
    let x31 = g_w[v29];
    let v32 = (v24 & 1i);
    let v33 = (v25 & 1i);
    let v34 = (v32 * 16i);
    let v35 = (v33 * 16i);
    let v36 = select(bitcast<i32>(bitcast<u32>(x30) >> (bitcast<u32>(v34) & 31u)), 0i, bitcast<u32>(v34) > 31u);
    let v37 = select(bitcast<i32>(bitcast<u32>(x31) >> (bitcast<u32>(v35) & 31u)), 0i, bitcast<u32>(v35) > 31u);
    let v38 = (v36 << 16u);
    let v39 = (v37 << 16u);
    let v40 = bitcast<u32>(v38);
    let v41 = bitcast<f32>(v40);
    let v42 = bitcast<u32>(v39);
    let v43 = bitcast<f32>(v42);
    let v44 = (v6 * p.a5_k);
    let v45 = (p.a7_first == 0i);
    let v46 = (x12 == (-1i));
    let v47 = (v45 & v46);
    let v48 = (v16 | v47);
    let v49 = select(0.0f, v41, v16);
    let v50 = select(0.0f, v43, v16);
    let v51 = (v44 + v22);
    let v52 = (v44 + v23);
    let v53 = (v22 < p.a5_k);
    let v54 = (v23 < p.a5_k);
    let v55 = (v53 & v48);
    let v56 = (v54 & v48);
    if (v55) {
        g_y[v51] = v49;
    }
    if (v56) {
        g_y[v52] = v50;
    }
}
