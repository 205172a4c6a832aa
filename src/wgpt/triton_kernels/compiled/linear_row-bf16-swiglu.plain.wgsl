struct Params {
    a3_n: i32,
    a4_k: i32,
    a5_line: i32,
    a6_at: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_w: array<i32>;
@group(0) @binding(3) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 128>;
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}
fn fmin_num(a: f32, b: f32) -> f32 {
    return select(select(min(a, b), a, is_nan(b)), b, is_nan(a));
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
    let t36 = (lane & 32i) == 0i;
    let t94 = lane & 39i;
    let t110 = lane & 120i;
    let t167 = (lane & 95i) == 0i;
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
        let x23 = g_w[v21];
        let x24 = g_w[v22];
        let v25 = (v13 + p.a3_n);
        let v26 = (v25 * p.a5_line);
        let v27 = (v26 + v19);
        let v28 = (v26 + v20);
        let x29 = g_w[v27];
        let x30 = g_w[v28];
        let v31 = (p.a4_k - 1i);
        let v32 = (v17 * 2i);
        let v33 = (v18 * 2i);
        let v34 = min(v32, v31);
        let v35 = min(v33, v31);
        let x37 = g_x[v34];
        let x38 = g_x[v35];
        let v39 = (v32 < p.a4_k);
        let v40 = (v33 < p.a4_k);
        let v41 = select(0.0f, x37, v39);
        let v42 = select(0.0f, x38, v40);
        let v43 = (x23 << 16u);
        let v44 = (x24 << 16u);
        let v45 = bitcast<u32>(v43);
        let v46 = bitcast<f32>(v45);
        let v47 = bitcast<u32>(v44);
        let v48 = bitcast<f32>(v47);
        let v49 = (v46 * v41);
        let v50 = (v48 * v42);
        let v51 = (m5 + v49);
        let v52 = (m6 + v50);
        let v53 = (x29 << 16u);
        let v54 = (x30 << 16u);
        let v55 = bitcast<u32>(v53);
        let v56 = bitcast<f32>(v55);
        let v57 = bitcast<u32>(v54);
        let v58 = bitcast<f32>(v57);
        let v59 = (v56 * v41);
        let v60 = (v58 * v42);
        let v61 = (m7 + v59);
        let v62 = (m8 + v60);
        let v63 = (v32 + 1i);
        let v64 = (v33 + 1i);
        let v65 = min(v63, v31);
        let v66 = min(v64, v31);
        let x67 = g_x[v65];
        let x68 = g_x[v66];
        let v69 = (v63 < p.a4_k);
        let v70 = (v64 < p.a4_k);
        let v71 = select(0.0f, x67, v69);
        let v72 = select(0.0f, x68, v70);
        let v73 = (x23 & (-65536i));
        let v74 = (x24 & (-65536i));
        let v75 = bitcast<u32>(v73);
        let v76 = bitcast<f32>(v75);
        let v77 = bitcast<u32>(v74);
        let v78 = bitcast<f32>(v77);
        let v79 = (v76 * v71);
        let v80 = (v78 * v72);
        let v81 = (v51 + v79);
        let v82 = (v52 + v80);
        let v83 = (x29 & (-65536i));
        let v84 = (x30 & (-65536i));
        let v85 = bitcast<u32>(v83);
        let v86 = bitcast<f32>(v85);
        let v87 = bitcast<u32>(v84);
        let v88 = bitcast<f32>(v87);
        let v89 = (v86 * v71);
        let v90 = (v88 * v72);
        let v91 = (v61 + v89);
        let v92 = (v62 + v90);
        m5 = v81;
        m6 = v82;
        m7 = v91;
        m8 = v92;
    }
    let v93 = (m5 + m6);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v93);
    workgroupBarrier();
    let v95 = bitcast<f32>(pool[t94]);
    let v96 = bitcast<f32>(pool[(t94 + 8i)]);
    let v97 = bitcast<f32>(pool[(t94 + 16i)]);
    let v98 = bitcast<f32>(pool[(t94 + 24i)]);
    let v99 = bitcast<f32>(pool[(t94 + 64i)]);
    let v100 = bitcast<f32>(pool[(t94 + 72i)]);
    let v101 = bitcast<f32>(pool[(t94 + 80i)]);
    let v102 = bitcast<f32>(pool[(t94 + 88i)]);
    let v103 = (v95 + v99);
    let v104 = (v96 + v100);
    let v105 = (v97 + v101);
    let v106 = (v98 + v102);
    let v107 = (v103 + v105);
    let v108 = (v104 + v106);
    let v109 = (v107 + v108);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v109);
    workgroupBarrier();
    let v111 = bitcast<f32>(pool[t110]);
    let v112 = bitcast<f32>(pool[(t110 + 1i)]);
    let v113 = bitcast<f32>(pool[(t110 + 2i)]);
    let v114 = bitcast<f32>(pool[(t110 + 3i)]);
    let v115 = bitcast<f32>(pool[(t110 + 4i)]);
    let v116 = bitcast<f32>(pool[(t110 + 5i)]);
    let v117 = bitcast<f32>(pool[(t110 + 6i)]);
    let v118 = bitcast<f32>(pool[(t110 + 7i)]);
    let v119 = (v111 + v115);
    let v120 = (v112 + v116);
    let v121 = (v113 + v117);
    let v122 = (v114 + v118);
    let v123 = (v119 + v121);
    let v124 = (v120 + v122);
    let v125 = (v123 + v124);
    let v126 = (m7 + m8);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v126);
    workgroupBarrier();
    let v127 = bitcast<f32>(pool[t94]);
    let v128 = bitcast<f32>(pool[(t94 + 8i)]);
    let v129 = bitcast<f32>(pool[(t94 + 16i)]);
    let v130 = bitcast<f32>(pool[(t94 + 24i)]);
    let v131 = bitcast<f32>(pool[(t94 + 64i)]);
    let v132 = bitcast<f32>(pool[(t94 + 72i)]);
    let v133 = bitcast<f32>(pool[(t94 + 80i)]);
    let v134 = bitcast<f32>(pool[(t94 + 88i)]);
    let v135 = (v127 + v131);
    let v136 = (v128 + v132);
    let v137 = (v129 + v133);
    let v138 = (v130 + v134);
    let v139 = (v135 + v137);
    let v140 = (v136 + v138);
    let v141 = (v139 + v140);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v141);
    workgroupBarrier();
    let v142 = bitcast<f32>(pool[t110]);
    let v143 = bitcast<f32>(pool[(t110 + 1i)]);
    let v144 = bitcast<f32>(pool[(t110 + 2i)]);
    let v145 = bitcast<f32>(pool[(t110 + 3i)]);
    let v146 = bitcast<f32>(pool[(t110 + 4i)]);
    let v147 = bitcast<f32>(pool[(t110 + 5i)]);
    let v148 = bitcast<f32>(pool[(t110 + 6i)]);
    let v149 = bitcast<f32>(pool[(t110 + 7i)]);
    let v150 = (v142 + v146);
    let v151 = (v143 + v147);
    let v152 = (v144 + v148);
    let v153 = (v145 + v149);
    let v154 = (v150 + v152);
    let v155 = (v151 + v153);
    let v156 = (v154 + v155);
    let v157 = (-v125);
    let v158 = 8e+01f;
    let v159 = fmin_num(v157, v158);
    let v160 = exp_of(v159);
    let v161 = (v160 + 1.0f);
    let v162 = (v125 / v161);
    let v163 = (v162 * v156);
    let v164 = (v3 + t11);
    let v165 = (p.a6_at + v164);
    let v166 = (v164 < p.a3_n);
    if (t167 && v166) {
        g_y[v165] = v163;
    }
}
