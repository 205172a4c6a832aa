enable f16;
struct Params {
    a4_n: i32,
    a5_k: i32,
    a6_line: i32,
    a7_at: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_w: array<f16>;
@group(0) @binding(3) var<storage, read> g_b: array<f32>;
@group(0) @binding(4) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 256>;
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
    let t15 = (lane >> 5u);
    let t23 = (lane & 31i);
    let t56 = (lane & 96i) == 0i;
    let t91 = lane & 99i;
    let t122 = lane & 124i;
    let t142 = (lane & 31i) == 0i;
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (v2 * 8i);
    let v4 = (p.a4_n - 1i);
    var m5: f32 = 0.0f;
    var m6: f32 = 0.0f;
    var m7: f32 = 0.0f;
    var m8: f32 = 0.0f;
    var m9: f32 = 0.0f;
    var m10: f32 = 0.0f;
    var m11: f32 = 0.0f;
    var m12: f32 = 0.0f;
    for (var i13: i32 = 0i; (i13 < p.a6_line); i13 = i13 + 128i) {
        let v14 = (p.a6_line - 1i);
        let v16 = (t15 + 4i);
        let v17 = (v3 + t15);
        let v18 = (v3 + v16);
        let v19 = min(v17, v4);
        let v20 = min(v18, v4);
        let v21 = (v19 * p.a6_line);
        let v22 = (v20 * p.a6_line);
        let v24 = (t23 + 32i);
        let v25 = (t23 + 64i);
        let v26 = (t23 + 96i);
        let v27 = (i13 + t23);
        let v28 = (i13 + v24);
        let v29 = (i13 + v25);
        let v30 = (i13 + v26);
        let v31 = min(v27, v14);
        let v32 = min(v28, v14);
        let v33 = min(v29, v14);
        let v34 = min(v30, v14);
        let v35 = (v21 + v31);
        let v36 = (v21 + v32);
        let v37 = (v21 + v33);
        let v38 = (v21 + v34);
        let v39 = (v22 + v31);
        let v40 = (v22 + v32);
        let v41 = (v22 + v33);
        let v42 = (v22 + v34);
        let x43 = f32(g_w[v35]);
        let x44 = f32(g_w[v36]);
        let x45 = f32(g_w[v37]);
        let x46 = f32(g_w[v38]);
        let x47 = f32(g_w[v39]);
        let x48 = f32(g_w[v40]);
        let x49 = f32(g_w[v41]);
        let x50 = f32(g_w[v42]);
        let v51 = (p.a5_k - 1i);
        let v52 = min(v27, v51);
        let v53 = min(v28, v51);
        let v54 = min(v29, v51);
        let v55 = min(v30, v51);
        let x57 = g_x[v52];
        let x58 = g_x[v53];
        let x59 = g_x[v54];
        let x60 = g_x[v55];
        let v61 = (v27 < p.a5_k);
        let v62 = (v28 < p.a5_k);
        let v63 = (v29 < p.a5_k);
        let v64 = (v30 < p.a5_k);
        let v65 = select(0.0f, x57, v61);
        let v66 = select(0.0f, x58, v62);
        let v67 = select(0.0f, x59, v63);
        let v68 = select(0.0f, x60, v64);
        let v69 = (x43 * v65);
        let v70 = (x44 * v66);
        let v71 = (x45 * v67);
        let v72 = (x46 * v68);
        let v73 = (x47 * v65);
        let v74 = (x48 * v66);
        let v75 = (x49 * v67);
        let v76 = (x50 * v68);
        let v77 = (m5 + v69);
        let v78 = (m6 + v70);
        let v79 = (m7 + v71);
        let v80 = (m8 + v72);
        let v81 = (m9 + v73);
        let v82 = (m10 + v74);
        let v83 = (m11 + v75);
        let v84 = (m12 + v76);
        m5 = v77;
        m6 = v78;
        m7 = v79;
        m8 = v80;
        m9 = v81;
        m10 = v82;
        m11 = v83;
        m12 = v84;
    }
    let v85 = (m5 + m6);
    let v86 = (v85 + m7);
    let v87 = (v86 + m8);
    let v88 = (m9 + m10);
    let v89 = (v88 + m11);
    let v90 = (v89 + m12);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v87);
    pool[(lane + 128i)] = bitcast<u32>(v90);
    workgroupBarrier();
    let v92 = bitcast<f32>(pool[t91]);
    let v93 = bitcast<f32>(pool[(t91 + 4i)]);
    let v94 = bitcast<f32>(pool[(t91 + 8i)]);
    let v95 = bitcast<f32>(pool[(t91 + 12i)]);
    let v96 = bitcast<f32>(pool[(t91 + 16i)]);
    let v97 = bitcast<f32>(pool[(t91 + 20i)]);
    let v98 = bitcast<f32>(pool[(t91 + 24i)]);
    let v99 = bitcast<f32>(pool[(t91 + 28i)]);
    let v100 = (v92 + v96);
    let v101 = (v93 + v97);
    let v102 = (v94 + v98);
    let v103 = (v95 + v99);
    let v104 = (v100 + v102);
    let v105 = (v101 + v103);
    let v106 = (v104 + v105);
    let v107 = bitcast<f32>(pool[(t91 + 128i)]);
    let v108 = bitcast<f32>(pool[((t91 + 4i) + 128i)]);
    let v109 = bitcast<f32>(pool[((t91 + 8i) + 128i)]);
    let v110 = bitcast<f32>(pool[((t91 + 12i) + 128i)]);
    let v111 = bitcast<f32>(pool[((t91 + 16i) + 128i)]);
    let v112 = bitcast<f32>(pool[((t91 + 20i) + 128i)]);
    let v113 = bitcast<f32>(pool[((t91 + 24i) + 128i)]);
    let v114 = bitcast<f32>(pool[((t91 + 28i) + 128i)]);
    let v115 = (v107 + v111);
    let v116 = (v108 + v112);
    let v117 = (v109 + v113);
    let v118 = (v110 + v114);
    let v119 = (v115 + v117);
    let v120 = (v116 + v118);
    let v121 = (v119 + v120);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v106);
    pool[(lane + 128i)] = bitcast<u32>(v121);
    workgroupBarrier();
    let v123 = bitcast<f32>(pool[t122]);
    let v124 = bitcast<f32>(pool[(t122 + 1i)]);
    let v125 = bitcast<f32>(pool[(t122 + 2i)]);
    let v126 = bitcast<f32>(pool[(t122 + 3i)]);
    let v127 = (v123 + v125);
    let v128 = (v124 + v126);
    let v129 = (v127 + v128);
    let v130 = bitcast<f32>(pool[(t122 + 128i)]);
    let v131 = bitcast<f32>(pool[((t122 + 1i) + 128i)]);
    let v132 = bitcast<f32>(pool[((t122 + 2i) + 128i)]);
    let v133 = bitcast<f32>(pool[((t122 + 3i) + 128i)]);
    let v134 = (v130 + v132);
    let v135 = (v131 + v133);
    let v136 = (v134 + v135);
    let v137 = (t15 + 4i);
    let v138 = (v3 + t15);
    let v139 = (v3 + v137);
    let v140 = min(v138, v4);
    let v141 = min(v139, v4);
    let x143 = g_b[v140];
    let x144 = g_b[v141];
    let v145 = (v129 + x143);
    let v146 = (v136 + x144);
    let v147 = (v145 * 0.044715f);
    let v148 = (v146 * 0.044715f);
    let v149 = (v147 * v145);
    let v150 = (v148 * v146);
    let v151 = (v149 * v145);
    let v152 = (v150 * v146);
    let v153 = (v145 + v151);
    let v154 = (v146 + v152);
    let v155 = (v153 * (-1.5957692f));
    let v156 = (v154 * (-1.5957692f));
    let v157 = 8e+01f;
    let v158 = fmin_num(v155, v157);
    let v159 = fmin_num(v156, v157);
    let v160 = exp_of(v158);
    let v161 = exp_of(v159);
    let v162 = (v160 + 1.0f);
    let v163 = (v161 + 1.0f);
    let v164 = (v145 / v162);
    let v165 = (v146 / v163);
    let v166 = (p.a7_at + v138);
    let v167 = (p.a7_at + v139);
    let v168 = (v138 < p.a4_n);
    let v169 = (v139 < p.a4_n);
    if (t142 && v168) {
        g_y[v166] = v164;
    }
    if (t142 && v169) {
        g_y[v167] = v165;
    }
}
