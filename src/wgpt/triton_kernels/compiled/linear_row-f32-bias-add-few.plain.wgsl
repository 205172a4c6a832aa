struct Params {
    a5_n: i32,
    a6_k: i32,
    a7_line: i32,
    a8_at: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_w: array<f32>;
@group(0) @binding(3) var<storage, read> g_b: array<f32>;
@group(0) @binding(4) var<storage, read> g_r: array<f32>;
@group(0) @binding(5) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 128>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let npid_x = i32(nwg.x);
    let npid_y = i32(nwg.y);
    let npid_z = i32(nwg.z);
    let t11 = ((lane >> 5u) & 1i);
    let t15 = (lane & 31i) | ((lane >> 6u) << 5u);
    let t40 = (lane & 32i) == 0i;
    let t64 = lane & 39i;
    let t80 = lane & 120i;
    let t98 = (lane & 95i) == 0i;
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (v2 * 2i);
    let v4 = (p.a5_n - 1i);
    var m5: f32 = 0.0f;
    var m6: f32 = 0.0f;
    var m7: f32 = 0.0f;
    var m8: f32 = 0.0f;
    for (var i9: i32 = 0i; (i9 < p.a7_line); i9 = i9 + 256i) {
        let v10 = (p.a7_line - 1i);
        let v12 = (v3 + t11);
        let v13 = min(v12, v4);
        let v14 = (v13 * p.a7_line);
        let v16 = (t15 + 64i);
        let v17 = (t15 + 128i);
        let v18 = (t15 + 192i);
        let v19 = (i9 + t15);
        let v20 = (i9 + v16);
        let v21 = (i9 + v17);
        let v22 = (i9 + v18);
        let v23 = min(v19, v10);
        let v24 = min(v20, v10);
        let v25 = min(v21, v10);
        let v26 = min(v22, v10);
        let v27 = (v14 + v23);
        let v28 = (v14 + v24);
        let v29 = (v14 + v25);
        let v30 = (v14 + v26);
        let x31 = g_w[v27];
        let x32 = g_w[v28];
        let x33 = g_w[v29];
        let x34 = g_w[v30];
        let v35 = (p.a6_k - 1i);
        let v36 = min(v19, v35);
        let v37 = min(v20, v35);
        let v38 = min(v21, v35);
        let v39 = min(v22, v35);
        let x41 = g_x[v36];
        let x42 = g_x[v37];
        let x43 = g_x[v38];
        let x44 = g_x[v39];
        let v45 = (v19 < p.a6_k);
        let v46 = (v20 < p.a6_k);
        let v47 = (v21 < p.a6_k);
        let v48 = (v22 < p.a6_k);
        let v49 = select(0.0f, x41, v45);
        let v50 = select(0.0f, x42, v46);
        let v51 = select(0.0f, x43, v47);
        let v52 = select(0.0f, x44, v48);
        let v53 = (x31 * v49);
        let v54 = (x32 * v50);
        let v55 = (x33 * v51);
        let v56 = (x34 * v52);
        let v57 = (m5 + v53);
        let v58 = (m6 + v54);
        let v59 = (m7 + v55);
        let v60 = (m8 + v56);
        m5 = v57;
        m6 = v58;
        m7 = v59;
        m8 = v60;
    }
    let v61 = (m5 + m6);
    let v62 = (v61 + m7);
    let v63 = (v62 + m8);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v63);
    workgroupBarrier();
    let v65 = bitcast<f32>(pool[t64]);
    let v66 = bitcast<f32>(pool[(t64 + 8i)]);
    let v67 = bitcast<f32>(pool[(t64 + 16i)]);
    let v68 = bitcast<f32>(pool[(t64 + 24i)]);
    let v69 = bitcast<f32>(pool[(t64 + 64i)]);
    let v70 = bitcast<f32>(pool[(t64 + 72i)]);
    let v71 = bitcast<f32>(pool[(t64 + 80i)]);
    let v72 = bitcast<f32>(pool[(t64 + 88i)]);
    let v73 = (v65 + v69);
    let v74 = (v66 + v70);
    let v75 = (v67 + v71);
    let v76 = (v68 + v72);
    let v77 = (v73 + v75);
    let v78 = (v74 + v76);
    let v79 = (v77 + v78);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v79);
    workgroupBarrier();
    let v81 = bitcast<f32>(pool[t80]);
    let v82 = bitcast<f32>(pool[(t80 + 1i)]);
    let v83 = bitcast<f32>(pool[(t80 + 2i)]);
    let v84 = bitcast<f32>(pool[(t80 + 3i)]);
    let v85 = bitcast<f32>(pool[(t80 + 4i)]);
    let v86 = bitcast<f32>(pool[(t80 + 5i)]);
    let v87 = bitcast<f32>(pool[(t80 + 6i)]);
    let v88 = bitcast<f32>(pool[(t80 + 7i)]);
    let v89 = (v81 + v85);
    let v90 = (v82 + v86);
    let v91 = (v83 + v87);
    let v92 = (v84 + v88);
    let v93 = (v89 + v91);
    let v94 = (v90 + v92);
    let v95 = (v93 + v94);
    let v96 = (v3 + t11);
    let v97 = min(v96, v4);
    let x99 = g_b[v97];
    let v100 = (v95 + x99);
    let v101 = (p.a8_at + v97);
    let x102 = g_r[v101];
    let v103 = (v100 + x102);
    let v104 = (p.a8_at + v96);
    let v105 = (v96 < p.a5_n);
    if (t98 && v105) {
        g_y[v104] = v103;
    }
}
