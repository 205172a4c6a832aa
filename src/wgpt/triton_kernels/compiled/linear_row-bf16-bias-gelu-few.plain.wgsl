struct Params {
    a4_n: i32,
    a5_k: i32,
    a6_line: i32,
    a7_at: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_w: array<i32>;
@group(0) @binding(3) var<storage, read> g_b: array<f32>;
@group(0) @binding(4) var<storage, read_write> g_y: array<f32>;
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
    // The first product is exact: fma need not be one operation.
    let r = (clamp(x, -110.0f, 100.0f) - k * 0.693359375f) + k * 2.12194440e-4f;
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
    let t44 = (lane & 32i) == 0i;
    let t120 = lane & 39i;
    let t136 = lane & 120i;
    let t154 = (lane & 95i) == 0i;
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (v2 * 2i);
    let v4 = (p.a4_n - 1i);
    var m5: f32 = 0.0f;
    var m6: f32 = 0.0f;
    var m7: f32 = 0.0f;
    var m8: f32 = 0.0f;
    for (var i9: i32 = 0i; (i9 < p.a6_line); i9 = i9 + 256i) {
        let v10 = (p.a6_line - 1i);
        let v12 = (v3 + t11);
        let v13 = min(v12, v4);
        let v14 = (v13 * p.a6_line);
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
        let v35 = (p.a5_k - 1i);
        let v36 = (v19 * 2i);
        let v37 = (v20 * 2i);
        let v38 = (v21 * 2i);
        let v39 = (v22 * 2i);
        let v40 = min(v36, v35);
        let v41 = min(v37, v35);
        let v42 = min(v38, v35);
        let v43 = min(v39, v35);
        let x45 = g_x[v40];
        let x46 = g_x[v41];
        let x47 = g_x[v42];
        let x48 = g_x[v43];
        let v49 = (v36 < p.a5_k);
        let v50 = (v37 < p.a5_k);
        let v51 = (v38 < p.a5_k);
        let v52 = (v39 < p.a5_k);
        let v53 = select(0.0f, x45, v49);
        let v54 = select(0.0f, x46, v50);
        let v55 = select(0.0f, x47, v51);
        let v56 = select(0.0f, x48, v52);
        let v57 = (x31 << 16u);
        let v58 = (x32 << 16u);
        let v59 = (x33 << 16u);
        let v60 = (x34 << 16u);
        let v61 = bitcast<u32>(v57);
        let v62 = bitcast<f32>(v61);
        let v63 = bitcast<u32>(v58);
        let v64 = bitcast<f32>(v63);
        let v65 = bitcast<u32>(v59);
        let v66 = bitcast<f32>(v65);
        let v67 = bitcast<u32>(v60);
        let v68 = bitcast<f32>(v67);
        let v69 = (v62 * v53);
        let v70 = (v64 * v54);
        let v71 = (v66 * v55);
        let v72 = (v68 * v56);
        let v73 = (m5 + v69);
        let v74 = (m6 + v70);
        let v75 = (m7 + v71);
        let v76 = (m8 + v72);
        let v77 = (v36 + 1i);
        let v78 = (v37 + 1i);
        let v79 = (v38 + 1i);
        let v80 = (v39 + 1i);
        let v81 = min(v77, v35);
        let v82 = min(v78, v35);
        let v83 = min(v79, v35);
        let v84 = min(v80, v35);
        let x85 = g_x[v81];
        let x86 = g_x[v82];
        let x87 = g_x[v83];
        let x88 = g_x[v84];
        let v89 = (v77 < p.a5_k);
        let v90 = (v78 < p.a5_k);
        let v91 = (v79 < p.a5_k);
        let v92 = (v80 < p.a5_k);
        let v93 = select(0.0f, x85, v89);
        let v94 = select(0.0f, x86, v90);
        let v95 = select(0.0f, x87, v91);
        let v96 = select(0.0f, x88, v92);
        let v97 = (x31 & (-65536i));
        let v98 = (x32 & (-65536i));
        let v99 = (x33 & (-65536i));
        let v100 = (x34 & (-65536i));
        let v101 = bitcast<u32>(v97);
        let v102 = bitcast<f32>(v101);
        let v103 = bitcast<u32>(v98);
        let v104 = bitcast<f32>(v103);
        let v105 = bitcast<u32>(v99);
        let v106 = bitcast<f32>(v105);
        let v107 = bitcast<u32>(v100);
        let v108 = bitcast<f32>(v107);
        let v109 = (v102 * v93);
        let v110 = (v104 * v94);
        let v111 = (v106 * v95);
        let v112 = (v108 * v96);
        let v113 = (v73 + v109);
        let v114 = (v74 + v110);
        let v115 = (v75 + v111);
        let v116 = (v76 + v112);
        m5 = v113;
        m6 = v114;
        m7 = v115;
        m8 = v116;
    }
    let v117 = (m5 + m6);
    let v118 = (v117 + m7);
    let v119 = (v118 + m8);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v119);
    workgroupBarrier();
    let v121 = bitcast<f32>(pool[t120]);
    let v122 = bitcast<f32>(pool[(t120 + 8i)]);
    let v123 = bitcast<f32>(pool[(t120 + 16i)]);
    let v124 = bitcast<f32>(pool[(t120 + 24i)]);
    let v125 = bitcast<f32>(pool[(t120 + 64i)]);
    let v126 = bitcast<f32>(pool[(t120 + 72i)]);
    let v127 = bitcast<f32>(pool[(t120 + 80i)]);
    let v128 = bitcast<f32>(pool[(t120 + 88i)]);
    let v129 = (v121 + v125);
    let v130 = (v122 + v126);
    let v131 = (v123 + v127);
    let v132 = (v124 + v128);
    let v133 = (v129 + v131);
    let v134 = (v130 + v132);
    let v135 = (v133 + v134);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v135);
    workgroupBarrier();
    let v137 = bitcast<f32>(pool[t136]);
    let v138 = bitcast<f32>(pool[(t136 + 1i)]);
    let v139 = bitcast<f32>(pool[(t136 + 2i)]);
    let v140 = bitcast<f32>(pool[(t136 + 3i)]);
    let v141 = bitcast<f32>(pool[(t136 + 4i)]);
    let v142 = bitcast<f32>(pool[(t136 + 5i)]);
    let v143 = bitcast<f32>(pool[(t136 + 6i)]);
    let v144 = bitcast<f32>(pool[(t136 + 7i)]);
    let v145 = (v137 + v141);
    let v146 = (v138 + v142);
    let v147 = (v139 + v143);
    let v148 = (v140 + v144);
    let v149 = (v145 + v147);
    let v150 = (v146 + v148);
    let v151 = (v149 + v150);
    let v152 = (v3 + t11);
    let v153 = min(v152, v4);
    let x155 = g_b[v153];
    let v156 = (v151 + x155);
    let v157 = (v156 * 0.044715f);
    let v158 = (v157 * v156);
    let v159 = (v158 * v156);
    let v160 = (v156 + v159);
    let v161 = (v160 * (-1.5957692f));
    let v162 = 8e+01f;
    let v163 = fmin_num(v161, v162);
    let v164 = exp_of(v163);
    let v165 = (v164 + 1.0f);
    let v166 = (v156 / v165);
    let v167 = (p.a7_at + v152);
    let v168 = (v152 < p.a4_n);
    if (t154 && v168) {
        g_y[v167] = v166;
    }
}
