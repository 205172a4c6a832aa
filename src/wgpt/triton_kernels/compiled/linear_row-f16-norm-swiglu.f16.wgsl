enable f16;
struct Params {
    a4_n: i32,
    a5_k: i32,
    a6_line: i32,
    a7_at: i32,
    a8_eps: f32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_g: array<f32>;
@group(0) @binding(3) var<storage, read> g_w: array<f16>;
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
    let t13 = ((lane >> 5u) & 1i);
    let t17 = (lane & 31i) | ((lane >> 6u) << 5u);
    let t36 = (lane & 32i) == 0i;
    let t60 = lane & 39i;
    let t76 = lane & 120i;
    let t170 = (lane & 95i) == 0i;
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (v2 * 2i);
    let v4 = (p.a4_n - 1i);
    var m5: f32 = 0.0f;
    var m6: f32 = 0.0f;
    var m7: f32 = 0.0f;
    var m8: f32 = 0.0f;
    var m9: f32 = 0.0f;
    var m10: f32 = 0.0f;
    for (var i11: i32 = 0i; (i11 < p.a6_line); i11 = i11 + 128i) {
        let v12 = (p.a6_line - 1i);
        let v14 = (v3 + t13);
        let v15 = min(v14, v4);
        let v16 = (v15 * p.a6_line);
        let v18 = (t17 + 64i);
        let v19 = (i11 + t17);
        let v20 = (i11 + v18);
        let v21 = min(v19, v12);
        let v22 = min(v20, v12);
        let v23 = (v16 + v21);
        let v24 = (v16 + v22);
        let x25 = f32(g_w[v23]);
        let x26 = f32(g_w[v24]);
        let v27 = (v15 + p.a4_n);
        let v28 = (v27 * p.a6_line);
        let v29 = (v28 + v21);
        let v30 = (v28 + v22);
        let x31 = f32(g_w[v29]);
        let x32 = f32(g_w[v30]);
        let v33 = (p.a5_k - 1i);
        let v34 = min(v19, v33);
        let v35 = min(v20, v33);
        let x37 = g_x[v34];
        let x38 = g_x[v35];
        let v39 = (v19 < p.a5_k);
        let v40 = (v20 < p.a5_k);
        let v41 = select(0.0f, x37, v39);
        let v42 = select(0.0f, x38, v40);
        let v43 = (v41 * v41);
        let v44 = (v42 * v42);
        let v45 = (m9 + v43);
        let v46 = (m10 + v44);
        let x47 = g_g[v34];
        let x48 = g_g[v35];
        let v49 = (v41 * x47);
        let v50 = (v42 * x48);
        let v51 = (x25 * v49);
        let v52 = (x26 * v50);
        let v53 = (m5 + v51);
        let v54 = (m6 + v52);
        let v55 = (x31 * v49);
        let v56 = (x32 * v50);
        let v57 = (m7 + v55);
        let v58 = (m8 + v56);
        m5 = v53;
        m6 = v54;
        m7 = v57;
        m8 = v58;
        m9 = v45;
        m10 = v46;
    }
    let v59 = (m5 + m6);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v59);
    workgroupBarrier();
    let v61 = bitcast<f32>(pool[t60]);
    let v62 = bitcast<f32>(pool[(t60 + 8i)]);
    let v63 = bitcast<f32>(pool[(t60 + 16i)]);
    let v64 = bitcast<f32>(pool[(t60 + 24i)]);
    let v65 = bitcast<f32>(pool[(t60 + 64i)]);
    let v66 = bitcast<f32>(pool[(t60 + 72i)]);
    let v67 = bitcast<f32>(pool[(t60 + 80i)]);
    let v68 = bitcast<f32>(pool[(t60 + 88i)]);
    let v69 = (v61 + v65);
    let v70 = (v62 + v66);
    let v71 = (v63 + v67);
    let v72 = (v64 + v68);
    let v73 = (v69 + v71);
    let v74 = (v70 + v72);
    let v75 = (v73 + v74);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v75);
    workgroupBarrier();
    let v77 = bitcast<f32>(pool[t76]);
    let v78 = bitcast<f32>(pool[(t76 + 1i)]);
    let v79 = bitcast<f32>(pool[(t76 + 2i)]);
    let v80 = bitcast<f32>(pool[(t76 + 3i)]);
    let v81 = bitcast<f32>(pool[(t76 + 4i)]);
    let v82 = bitcast<f32>(pool[(t76 + 5i)]);
    let v83 = bitcast<f32>(pool[(t76 + 6i)]);
    let v84 = bitcast<f32>(pool[(t76 + 7i)]);
    let v85 = (v77 + v81);
    let v86 = (v78 + v82);
    let v87 = (v79 + v83);
    let v88 = (v80 + v84);
    let v89 = (v85 + v87);
    let v90 = (v86 + v88);
    let v91 = (v89 + v90);
    let v92 = (m7 + m8);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v92);
    workgroupBarrier();
    let v93 = bitcast<f32>(pool[t60]);
    let v94 = bitcast<f32>(pool[(t60 + 8i)]);
    let v95 = bitcast<f32>(pool[(t60 + 16i)]);
    let v96 = bitcast<f32>(pool[(t60 + 24i)]);
    let v97 = bitcast<f32>(pool[(t60 + 64i)]);
    let v98 = bitcast<f32>(pool[(t60 + 72i)]);
    let v99 = bitcast<f32>(pool[(t60 + 80i)]);
    let v100 = bitcast<f32>(pool[(t60 + 88i)]);
    let v101 = (v93 + v97);
    let v102 = (v94 + v98);
    let v103 = (v95 + v99);
    let v104 = (v96 + v100);
    let v105 = (v101 + v103);
    let v106 = (v102 + v104);
    let v107 = (v105 + v106);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v107);
    workgroupBarrier();
    let v108 = bitcast<f32>(pool[t76]);
    let v109 = bitcast<f32>(pool[(t76 + 1i)]);
    let v110 = bitcast<f32>(pool[(t76 + 2i)]);
    let v111 = bitcast<f32>(pool[(t76 + 3i)]);
    let v112 = bitcast<f32>(pool[(t76 + 4i)]);
    let v113 = bitcast<f32>(pool[(t76 + 5i)]);
    let v114 = bitcast<f32>(pool[(t76 + 6i)]);
    let v115 = bitcast<f32>(pool[(t76 + 7i)]);
    let v116 = (v108 + v112);
    let v117 = (v109 + v113);
    let v118 = (v110 + v114);
    let v119 = (v111 + v115);
    let v120 = (v116 + v118);
    let v121 = (v117 + v119);
    let v122 = (v120 + v121);
    let v123 = (m9 + m10);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v123);
    workgroupBarrier();
    let v124 = bitcast<f32>(pool[t60]);
    let v125 = bitcast<f32>(pool[(t60 + 8i)]);
    let v126 = bitcast<f32>(pool[(t60 + 16i)]);
    let v127 = bitcast<f32>(pool[(t60 + 24i)]);
    let v128 = bitcast<f32>(pool[(t60 + 64i)]);
    let v129 = bitcast<f32>(pool[(t60 + 72i)]);
    let v130 = bitcast<f32>(pool[(t60 + 80i)]);
    let v131 = bitcast<f32>(pool[(t60 + 88i)]);
    let v132 = (v124 + v128);
    let v133 = (v125 + v129);
    let v134 = (v126 + v130);
    let v135 = (v127 + v131);
    let v136 = (v132 + v134);
    let v137 = (v133 + v135);
    let v138 = (v136 + v137);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v138);
    workgroupBarrier();
    let v139 = bitcast<f32>(pool[t76]);
    let v140 = bitcast<f32>(pool[(t76 + 1i)]);
    let v141 = bitcast<f32>(pool[(t76 + 2i)]);
    let v142 = bitcast<f32>(pool[(t76 + 3i)]);
    let v143 = bitcast<f32>(pool[(t76 + 4i)]);
    let v144 = bitcast<f32>(pool[(t76 + 5i)]);
    let v145 = bitcast<f32>(pool[(t76 + 6i)]);
    let v146 = bitcast<f32>(pool[(t76 + 7i)]);
    let v147 = (v139 + v143);
    let v148 = (v140 + v144);
    let v149 = (v141 + v145);
    let v150 = (v142 + v146);
    let v151 = (v147 + v149);
    let v152 = (v148 + v150);
    let v153 = (v151 + v152);
    let v154 = f32(p.a5_k);
    let v155 = (v153 / v154);
    let v156 = (v155 + p.a8_eps);
    let v157 = inverseSqrt(v156);
    let v158 = (v91 * v157);
    let v159 = (v122 * v157);
    let v160 = (-v158);
    let v161 = 8e+01f;
    let v162 = fmin_num(v160, v161);
    let v163 = exp_of(v162);
    let v164 = (v163 + 1.0f);
    let v165 = (v158 / v164);
    let v166 = (v165 * v159);
    let v167 = (v3 + t13);
    let v168 = (p.a7_at + v167);
    let v169 = (v167 < p.a4_n);
    if (t170 && v169) {
        g_y[v168] = v166;
    }
}
