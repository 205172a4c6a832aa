struct Params {
    a3_n: i32,
    a4_k: i32,
    a5_line: i32,
    a6_at: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_w: array<u32>;
@group(0) @binding(3) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 128>;
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}
fn fmin_num(a: f32, b: f32) -> f32 {
    return select(select(min(a, b), a, is_nan(b)), b, is_nan(a));
}
fn from_half(h: u32) -> f32 {
    return unpack2x16float(h).x;
}
fn pow2(n: i32) -> f32 {
    return bitcast<f32>(u32(n + 127i) << 23u);
}
fn exp_of(x: f32) -> f32 {
    // exp(x) = 2^k * e^r: the same everywhere, to a unit in the last place.
    let k = round(clamp(x, -110.0f, 100.0f) * 1.44269502f);
    let r = fma(k, -1.42860677e-6f, fma(k, -0.693145752f, clamp(x, -110.0f, 100.0f)));
    var p = fma(r, 1.37805939e-3f, 8.37312452e-3f);
    p = fma(p, r, 4.16695364e-2f);
    p = fma(p, r, 1.66664720e-1f);
    p = fma(p, r, 4.99999851e-1f);
    p = fma(p, r, 1.0f);
    p = fma(p, r, 1.0f);
    let n = i32(k);
    let half = n >> 1u;
    let y = p * pow2(half) * pow2(n - half);
    return select(y, x, is_nan(x));
}

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
    let t34 = (lane & 32i) == 0i;
    let t50 = lane & 39i;
    let t66 = lane & 120i;
    let t123 = (lane & 95i) == 0i;
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (v2 * 2i);
    let v4 = (p.a3_n - 1i);
    var m5: f32 = 0.0f;
    var m6: f32 = 0.0f;
    var m7: f32 = 0.0f;
    var m8: f32 = 0.0f;
    for (var i9: i32 = 0i; (i9 < p.a5_line); i9 = i9 + 128i) {
        let v10 = (p.a5_line - 1i);
        let v12 = (v3 + t11);
        let v13 = min(v12, v4);
        let v14 = (v13 * p.a5_line);
        let v16 = (t15 + 64i);
        let v17 = (i9 + t15);
        let v18 = (i9 + v16);
        let v19 = min(v17, v10);
        let v20 = min(v18, v10);
        let v21 = (v14 + v19);
        let v22 = (v14 + v20);
        let x23 = from_half(extractBits(g_w[(v21 >> 1u)], u32(v21 & 1i) * 16u, 16u));
        let x24 = from_half(extractBits(g_w[(v22 >> 1u)], u32(v22 & 1i) * 16u, 16u));
        let v25 = (v13 + p.a3_n);
        let v26 = (v25 * p.a5_line);
        let v27 = (v26 + v19);
        let v28 = (v26 + v20);
        let x29 = from_half(extractBits(g_w[(v27 >> 1u)], u32(v27 & 1i) * 16u, 16u));
        let x30 = from_half(extractBits(g_w[(v28 >> 1u)], u32(v28 & 1i) * 16u, 16u));
        let v31 = (p.a4_k - 1i);
        let v32 = min(v17, v31);
        let v33 = min(v18, v31);
        let x35 = g_x[v32];
        let x36 = g_x[v33];
        let v37 = (v17 < p.a4_k);
        let v38 = (v18 < p.a4_k);
        let v39 = select(0.0f, x35, v37);
        let v40 = select(0.0f, x36, v38);
        let v41 = (x23 * v39);
        let v42 = (x24 * v40);
        let v43 = (m5 + v41);
        let v44 = (m6 + v42);
        let v45 = (x29 * v39);
        let v46 = (x30 * v40);
        let v47 = (m7 + v45);
        let v48 = (m8 + v46);
        m5 = v43;
        m6 = v44;
        m7 = v47;
        m8 = v48;
    }
    let v49 = (m5 + m6);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v49);
    workgroupBarrier();
    let v51 = bitcast<f32>(pool[t50]);
    let v52 = bitcast<f32>(pool[(t50 + 8i)]);
    let v53 = bitcast<f32>(pool[(t50 + 16i)]);
    let v54 = bitcast<f32>(pool[(t50 + 24i)]);
    let v55 = bitcast<f32>(pool[(t50 + 64i)]);
    let v56 = bitcast<f32>(pool[(t50 + 72i)]);
    let v57 = bitcast<f32>(pool[(t50 + 80i)]);
    let v58 = bitcast<f32>(pool[(t50 + 88i)]);
    let v59 = (v51 + v55);
    let v60 = (v52 + v56);
    let v61 = (v53 + v57);
    let v62 = (v54 + v58);
    let v63 = (v59 + v61);
    let v64 = (v60 + v62);
    let v65 = (v63 + v64);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v65);
    workgroupBarrier();
    let v67 = bitcast<f32>(pool[t66]);
    let v68 = bitcast<f32>(pool[(t66 + 1i)]);
    let v69 = bitcast<f32>(pool[(t66 + 2i)]);
    let v70 = bitcast<f32>(pool[(t66 + 3i)]);
    let v71 = bitcast<f32>(pool[(t66 + 4i)]);
    let v72 = bitcast<f32>(pool[(t66 + 5i)]);
    let v73 = bitcast<f32>(pool[(t66 + 6i)]);
    let v74 = bitcast<f32>(pool[(t66 + 7i)]);
    let v75 = (v67 + v71);
    let v76 = (v68 + v72);
    let v77 = (v69 + v73);
    let v78 = (v70 + v74);
    let v79 = (v75 + v77);
    let v80 = (v76 + v78);
    let v81 = (v79 + v80);
    let v82 = (m7 + m8);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v82);
    workgroupBarrier();
    let v83 = bitcast<f32>(pool[t50]);
    let v84 = bitcast<f32>(pool[(t50 + 8i)]);
    let v85 = bitcast<f32>(pool[(t50 + 16i)]);
    let v86 = bitcast<f32>(pool[(t50 + 24i)]);
    let v87 = bitcast<f32>(pool[(t50 + 64i)]);
    let v88 = bitcast<f32>(pool[(t50 + 72i)]);
    let v89 = bitcast<f32>(pool[(t50 + 80i)]);
    let v90 = bitcast<f32>(pool[(t50 + 88i)]);
    let v91 = (v83 + v87);
    let v92 = (v84 + v88);
    let v93 = (v85 + v89);
    let v94 = (v86 + v90);
    let v95 = (v91 + v93);
    let v96 = (v92 + v94);
    let v97 = (v95 + v96);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v97);
    workgroupBarrier();
    let v98 = bitcast<f32>(pool[t66]);
    let v99 = bitcast<f32>(pool[(t66 + 1i)]);
    let v100 = bitcast<f32>(pool[(t66 + 2i)]);
    let v101 = bitcast<f32>(pool[(t66 + 3i)]);
    let v102 = bitcast<f32>(pool[(t66 + 4i)]);
    let v103 = bitcast<f32>(pool[(t66 + 5i)]);
    let v104 = bitcast<f32>(pool[(t66 + 6i)]);
    let v105 = bitcast<f32>(pool[(t66 + 7i)]);
    let v106 = (v98 + v102);
    let v107 = (v99 + v103);
    let v108 = (v100 + v104);
    let v109 = (v101 + v105);
    let v110 = (v106 + v108);
    let v111 = (v107 + v109);
    let v112 = (v110 + v111);
    let v113 = (-v81);
    let v114 = 8e+01f;
    let v115 = fmin_num(v113, v114);
    let v116 = exp_of(v115);
    let v117 = (v116 + 1.0f);
    let v118 = (v81 / v117);
    let v119 = (v118 * v112);
    let v120 = (v3 + t11);
    let v121 = (p.a6_at + v120);
    let v122 = (v120 < p.a3_n);
    if (t123 && v122) {
        g_y[v121] = v119;
    }
}
