struct Params {
    a5_count: i32,
    a6_heads: i32,
    a7_kv_heads: i32,
    a8_d: i32,
    a9_slots: i32,
    a10_capacity: i32,
    a11_blocks: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_qkv: array<f32>;
@group(0) @binding(2) var<storage, read> g_rows: array<i32>;
@group(0) @binding(3) var<storage, read_write> g_q: array<f32>;
@group(0) @binding(4) var<storage, read_write> g_k: array<f32>;
@group(0) @binding(5) var<storage, read_write> g_v: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let npid_x = i32(nwg.x);
    let npid_y = i32(nwg.y);
    let npid_z = i32(nwg.z);
    let t13 = (lane & 127i) == 0i;
    let t23 = (lane >> 5u);
    let t31 = (lane & 31i);
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (p.a5_count * p.a11_blocks);
    let v4 = (v3 - 1i);
    let v5 = min(v2, v4);
    let v6 = (v5 / p.a11_blocks);
    let v7 = (v5 % p.a11_blocks);
    let v8 = (v7 * 8i);
    let v9 = (p.a8_d / 2i);
    let v10 = (p.a7_kv_heads * 2i);
    let v11 = (p.a6_heads + v10);
    let v12 = (v6 * 2i);
    let x14 = g_rows[v12];
    let v15 = (v12 + 1i);
    let x16 = g_rows[v15];
    let v17 = (x14 >= 0i);
    let v18 = (x14 < p.a9_slots);
    let v19 = (v17 & v18);
    let v20 = (x16 != (-1i));
    let v21 = (v19 & v20);
    let v22 = (v6 * v11);
    let v24 = (t23 + 4i);
    let v25 = (v8 + t23);
    let v26 = (v8 + v24);
    let v27 = (v22 + v25);
    let v28 = (v22 + v26);
    let v29 = (v27 * p.a8_d);
    let v30 = (v28 * p.a8_d);
    let v32 = (v29 + t31);
    let v33 = (v30 + t31);
    let v34 = (v25 < v11);
    let v35 = (v26 < v11);
    let v36 = (t31 < v9);
    let v37 = (v34 & v36);
    let v38 = (v35 & v36);
    let v39 = select(0i, v32, v37);
    let x40 = g_qkv[v39];
    let v41 = select(0.0f, x40, v37);
    let v42 = select(0i, v33, v38);
    let x43 = g_qkv[v42];
    let v44 = select(0.0f, x43, v38);
    let v45 = (v29 + v9);
    let v46 = (v30 + v9);
    let v47 = (v45 + t31);
    let v48 = (v46 + t31);
    let v49 = select(0i, v47, v37);
    let x50 = g_qkv[v49];
    let v51 = select(0.0f, x50, v37);
    let v52 = select(0i, v48, v38);
    let x53 = g_qkv[v52];
    let v54 = select(0.0f, x53, v38);
    let v55 = (v6 * p.a6_heads);
    let v56 = select(0.0f, v41, v21);
    let v57 = select(0.0f, v44, v21);
    let v58 = (v55 + v25);
    let v59 = (v55 + v26);
    let v60 = (v58 * p.a8_d);
    let v61 = (v59 * p.a8_d);
    let v62 = (v60 + t31);
    let v63 = (v61 + t31);
    let v64 = (v25 < p.a6_heads);
    let v65 = (v26 < p.a6_heads);
    let v66 = (v37 & v64);
    let v67 = (v38 & v65);
    if (v66) {
        g_q[v62] = v56;
    }
    if (v67) {
        g_q[v63] = v57;
    }
    let v68 = select(0.0f, v51, v21);
    let v69 = select(0.0f, v54, v21);
    let v70 = (v62 + v9);
    let v71 = (v63 + v9);
    storageBarrier();
    if (v66) {
        g_q[v70] = v68;
    }
    if (v67) {
        g_q[v71] = v69;
    }
    let v72 = (x16 < p.a10_capacity);
    let v73 = (v21 & v72);
    let v74 = (x14 * p.a7_kv_heads);
    let v75 = (p.a6_heads + p.a7_kv_heads);
    let v76 = (v9 * 2i);
    let v77 = (v74 + v25);
    let v78 = (v74 + v26);
    let v79 = (v77 - p.a6_heads);
    let v80 = (v78 - p.a6_heads);
    let v81 = (v79 * p.a10_capacity);
    let v82 = (v80 * p.a10_capacity);
    let v83 = (v81 + x16);
    let v84 = (v82 + x16);
    let v85 = (v83 * v76);
    let v86 = (v84 * v76);
    let v87 = (v85 + t31);
    let v88 = (v86 + t31);
    let v89 = (v37 & v73);
    let v90 = (v38 & v73);
    let v91 = (v25 >= p.a6_heads);
    let v92 = (v26 >= p.a6_heads);
    let v93 = (v89 & v91);
    let v94 = (v90 & v92);
    let v95 = (v25 < v75);
    let v96 = (v26 < v75);
    let v97 = (v93 & v95);
    let v98 = (v94 & v96);
    if (v97) {
        g_k[v87] = v41;
    }
    if (v98) {
        g_k[v88] = v44;
    }
    let v99 = (v87 + v9);
    let v100 = (v88 + v9);
    storageBarrier();
    if (v97) {
        g_k[v99] = v51;
    }
    if (v98) {
        g_k[v100] = v54;
    }
    let v101 = (p.a7_kv_heads * p.a10_capacity);
    let v102 = (v83 - v101);
    let v103 = (v84 - v101);
    let v104 = (v102 * v76);
    let v105 = (v103 * v76);
    let v106 = (v104 + t31);
    let v107 = (v105 + t31);
    let v108 = (v25 >= v75);
    let v109 = (v26 >= v75);
    let v110 = (v89 & v108);
    let v111 = (v90 & v109);
    if (v110) {
        g_v[v106] = v41;
    }
    if (v111) {
        g_v[v107] = v44;
    }
    let v112 = (v106 + v9);
    let v113 = (v107 + v9);
    storageBarrier();
    if (v110) {
        g_v[v112] = v51;
    }
    if (v111) {
        g_v[v113] = v54;
    }
}
