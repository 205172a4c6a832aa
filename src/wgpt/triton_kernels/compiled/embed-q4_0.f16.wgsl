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
    let v26 = (v24 / 32i);
    let v27 = (v25 / 32i);
    let v28 = (v26 * 4i);
    let v29 = (v27 * 4i);
    let v30 = (v20 + v28);
    let v31 = (v20 + v29);
    let v32 = (v24 % 16i);
    let v33 = (v25 % 16i);
    let v34 = (v32 / 4i);
    let v35 = (v33 / 4i);
    let v36 = (v30 + v34);
    let v37 = (v31 + v35);
    let x38 = g_w[v36];
    let x39 = g_w[v37];
    let v40 = (v24 % 4i);
    let v41 = (v25 % 4i);
    let v42 = (v40 * 8i);
    let v43 = (v41 * 8i);
    let v44 = (v24 % 32i);
    let v45 = (v25 % 32i);
    let v46 = (v44 / 16i);
    let v47 = (v45 / 16i);
    let v48 = (v46 * 4i);
    let v49 = (v47 * 4i);
    let v50 = (v42 + v48);
    let v51 = (v43 + v49);
    let v52 = select(bitcast<i32>(bitcast<u32>(x38) >> (bitcast<u32>(v50) & 31u)), 0i, bitcast<u32>(v50) > 31u);
    let v53 = select(bitcast<i32>(bitcast<u32>(x39) >> (bitcast<u32>(v51) & 31u)), 0i, bitcast<u32>(v51) > 31u);
    let v54 = (v52 & 15i);
    let v55 = (v53 & 15i);
    let v56 = (v54 | 1258291200i);
    let v57 = (v55 | 1258291200i);
    let v58 = bitcast<u32>(v56);
    let v59 = bitcast<f32>(v58);
    let v60 = bitcast<u32>(v57);
    let v61 = bitcast<f32>(v60);
    let v62 = (v59 - 8388608.0f);
    let v63 = (v61 - 8388608.0f);
    let v64 = (p.a7_line / 4i);
    let v65 = (v18 * v64);
    let v66 = (v62 - 8.0f);
    let v67 = (v63 - 8.0f);
    let v68 = (v65 + v26);
    let v69 = (v65 + v27);
    let x70 = f32(g_s[v68]);
    let x71 = f32(g_s[v69]);
    let v72 = (v66 * x70);
    let v73 = (v67 * x71);
    let v74 = (v6 * p.a6_k);
    let v75 = (p.a8_first == 0i);
    let v76 = (x12 == (-1i));
    let v77 = (v75 & v76);
    let v78 = (v16 | v77);
    let v79 = select(0.0f, v72, v16);
    let v80 = select(0.0f, v73, v16);
    let v81 = (v74 + v22);
    let v82 = (v74 + v23);
    let v83 = (v22 < p.a6_k);
    let v84 = (v23 < p.a6_k);
    let v85 = (v83 & v78);
    let v86 = (v84 & v78);
    if (v85) {
        g_y[v81] = v79;
    }
    if (v86) {
        g_y[v82] = v80;
    }
}
