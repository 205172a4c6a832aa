enable f16;
struct Params {
    a4_rows: i32,
    a5_n: i32,
    a6_k: i32,
    a7_line: i32,
    a8_first: i32,
    a9_stride: i32,
    a10_offset: i32,
    a11_parts: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_ids: array<i32>;
@group(0) @binding(2) var<storage, read> g_w: array<i32>;
@group(0) @binding(3) var<storage, read> g_s: array<f16>;
@group(0) @binding(4) var<storage, read_write> g_y: array<f32>;

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
    let v3 = (p.a4_rows * p.a11_parts);
    let v4 = (v3 - 1i);
    let v5 = min(v2, v4);
    let v6 = (v5 / p.a11_parts);
    let v7 = (v5 % p.a11_parts);
    let v8 = (v7 * 256i);
    let v9 = (v6 * p.a9_stride);
    let v10 = (v9 + p.a10_offset);
    let x12 = g_ids[v10];
    let v13 = (x12 >= p.a8_first);
    let v14 = (p.a8_first + p.a5_n);
    let v15 = (x12 < v14);
    let v16 = (v13 & v15);
    let v17 = (x12 - p.a8_first);
    let v18 = select(0i, v17, v16);
    let v19 = (p.a6_k - 1i);
    let v20 = (v18 * p.a7_line);
    let v21 = (lane + 128i);
    let v22 = (v8 + lane);
    let v23 = (v8 + v21);
    let v24 = min(v22, v19);
    let v25 = min(v23, v19);
    let v26 = (v24 / 4i);
    let v27 = (v25 / 4i);
    let v28 = (v20 + v26);
    let v29 = (v20 + v27);
    let x30 = g_w[v28];
    let x31 = g_w[v29];
    let v32 = (x30 ^ (-2139062144i));
    let v33 = (x31 ^ (-2139062144i));
    let v34 = (v24 % 4i);
    let v35 = (v25 % 4i);
    let v36 = (v34 * 8i);
    let v37 = (v35 * 8i);
    let v38 = select(bitcast<i32>(bitcast<u32>(v32) >> (bitcast<u32>(v36) & 31u)), 0i, bitcast<u32>(v36) > 31u);
    let v39 = select(bitcast<i32>(bitcast<u32>(v33) >> (bitcast<u32>(v37) & 31u)), 0i, bitcast<u32>(v37) > 31u);
    let v40 = (v38 & 255i);
    let v41 = (v39 & 255i);
    let v42 = (p.a7_line / 8i);
    let v43 = (v18 * v42);
    let v44 = (v24 / 32i);
    let v45 = (v25 / 32i);
    let v46 = (v43 + v44);
    let v47 = (v43 + v45);
    let x48 = f32(g_s[v46]);
    let x49 = f32(g_s[v47]);
    let v50 = (v40 | 1258291200i);
    let v51 = (v41 | 1258291200i);
    let v52 = bitcast<u32>(v50);
    let v53 = bitcast<f32>(v52);
    let v54 = bitcast<u32>(v51);
    let v55 = bitcast<f32>(v54);
    let v56 = (v53 - 8388736.0f);
    let v57 = (v55 - 8388736.0f);
    let v58 = (v56 * x48);
    let v59 = (v57 * x49);
    let v60 = (v6 * p.a6_k);
    let v61 = (v60 + v22);
    let v62 = (v60 + v23);
    let v63 = (v22 < p.a6_k);
    let v64 = (v23 < p.a6_k);
    let v65 = (v63 & v16);
    let v66 = (v64 & v16);
    let v67 = select(0i, v61, v65);
    let x68 = g_y[v67];
    let v69 = select(0.0f, x68, v65);
    let v70 = select(0i, v62, v66);
    let x71 = g_y[v70];
    let v72 = select(0.0f, x71, v66);
    let v73 = (v69 + v58);
    let v74 = (v72 + v59);
    if (v65) {
        g_y[v61] = v73;
    }
    if (v66) {
        g_y[v62] = v74;
    }
}
