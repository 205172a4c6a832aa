enable f16;
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
@group(0) @binding(4) var<storage, read_write> g_k: array<f16>;
@group(0) @binding(5) var<storage, read_write> g_v: array<f16>;
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}
fn fmax_num(a: f32, b: f32) -> f32 {
    return select(select(max(a, b), a, is_nan(b)), b, is_nan(a));
}
fn fmin_num(a: f32, b: f32) -> f32 {
    return select(select(min(a, b), a, is_nan(b)), b, is_nan(a));
}
fn half_bits(x: f32) -> u32 {
    // Nearest, ties to even; pack2x16float may round either way.
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    let normal = (size - 0x38000000u + 0xfffu + ((size >> 13u) & 1u)) >> 13u;
    let subnormal = bitcast<u32>(bitcast<f32>(size) + 0.5f) - 0x3f000000u;
    var half = select(normal, subnormal, size < 0x38800000u);
    half = select(half, 0x7c00u, size >= 0x477ff000u);
    half = select(half, 0x7e00u, size > 0x7f800000u);
    return half | ((bits >> 16u) & 0x8000u);
}
fn from_half(h: u32) -> f32 {
    return unpack2x16float(h).x;
}
fn round_f16(x: f32) -> f32 {
    return from_half(half_bits(x));
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
    let t13 = (lane & 127i) == 0i;
    let t23 = (lane >> 6u);
    let t39 = (lane & 63i);
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
    let v24 = (t23 + 2i);
    let v25 = (t23 + 4i);
    let v26 = (t23 + 6i);
    let v27 = (v8 + t23);
    let v28 = (v8 + v24);
    let v29 = (v8 + v25);
    let v30 = (v8 + v26);
    let v31 = (v22 + v27);
    let v32 = (v22 + v28);
    let v33 = (v22 + v29);
    let v34 = (v22 + v30);
    let v35 = (v31 * p.a8_d);
    let v36 = (v32 * p.a8_d);
    let v37 = (v33 * p.a8_d);
    let v38 = (v34 * p.a8_d);
    let v40 = (v35 + t39);
    let v41 = (v36 + t39);
    let v42 = (v37 + t39);
    let v43 = (v38 + t39);
    let v44 = (v27 < v11);
    let v45 = (v28 < v11);
    let v46 = (v29 < v11);
    let v47 = (v30 < v11);
    let v48 = (t39 < v9);
    let v49 = (v44 & v48);
    let v50 = (v45 & v48);
    let v51 = (v46 & v48);
    let v52 = (v47 & v48);
    let v53 = select(0i, v40, v49);
    let x54 = g_qkv[v53];
    let v55 = select(0.0f, x54, v49);
    let v56 = select(0i, v41, v50);
    let x57 = g_qkv[v56];
    let v58 = select(0.0f, x57, v50);
    let v59 = select(0i, v42, v51);
    let x60 = g_qkv[v59];
    let v61 = select(0.0f, x60, v51);
    let v62 = select(0i, v43, v52);
    let x63 = g_qkv[v62];
    let v64 = select(0.0f, x63, v52);
    let v65 = (v35 + v9);
    let v66 = (v36 + v9);
    let v67 = (v37 + v9);
    let v68 = (v38 + v9);
    let v69 = (v65 + t39);
    let v70 = (v66 + t39);
    let v71 = (v67 + t39);
    let v72 = (v68 + t39);
    let v73 = select(0i, v69, v49);
    let x74 = g_qkv[v73];
    let v75 = select(0.0f, x74, v49);
    let v76 = select(0i, v70, v50);
    let x77 = g_qkv[v76];
    let v78 = select(0.0f, x77, v50);
    let v79 = select(0i, v71, v51);
    let x80 = g_qkv[v79];
    let v81 = select(0.0f, x80, v51);
    let v82 = select(0i, v72, v52);
    let x83 = g_qkv[v82];
    let v84 = select(0.0f, x83, v52);
    let v85 = (v6 * p.a6_heads);
    let v86 = select(0.0f, v55, v21);
    let v87 = select(0.0f, v58, v21);
    let v88 = select(0.0f, v61, v21);
    let v89 = select(0.0f, v64, v21);
    let v90 = (v85 + v27);
    let v91 = (v85 + v28);
    let v92 = (v85 + v29);
    let v93 = (v85 + v30);
    let v94 = (v90 * p.a8_d);
    let v95 = (v91 * p.a8_d);
    let v96 = (v92 * p.a8_d);
    let v97 = (v93 * p.a8_d);
    let v98 = (v94 + t39);
    let v99 = (v95 + t39);
    let v100 = (v96 + t39);
    let v101 = (v97 + t39);
    let v102 = (v27 < p.a6_heads);
    let v103 = (v28 < p.a6_heads);
    let v104 = (v29 < p.a6_heads);
    let v105 = (v30 < p.a6_heads);
    let v106 = (v49 & v102);
    let v107 = (v50 & v103);
    let v108 = (v51 & v104);
    let v109 = (v52 & v105);
    if (v106) {
        g_q[v98] = v86;
    }
    if (v107) {
        g_q[v99] = v87;
    }
    if (v108) {
        g_q[v100] = v88;
    }
    if (v109) {
        g_q[v101] = v89;
    }
    let v110 = select(0.0f, v75, v21);
    let v111 = select(0.0f, v78, v21);
    let v112 = select(0.0f, v81, v21);
    let v113 = select(0.0f, v84, v21);
    let v114 = (v98 + v9);
    let v115 = (v99 + v9);
    let v116 = (v100 + v9);
    let v117 = (v101 + v9);
    storageBarrier();
    if (v106) {
        g_q[v114] = v110;
    }
    if (v107) {
        g_q[v115] = v111;
    }
    if (v108) {
        g_q[v116] = v112;
    }
    if (v109) {
        g_q[v117] = v113;
    }
    let v118 = (x16 < p.a10_capacity);
    let v119 = (v21 & v118);
    let v120 = fmax_num(v55, (-65504.0f));
    let v121 = fmax_num(v58, (-65504.0f));
    let v122 = fmax_num(v61, (-65504.0f));
    let v123 = fmax_num(v64, (-65504.0f));
    let v124 = fmin_num(v120, 65504.0f);
    let v125 = fmin_num(v121, 65504.0f);
    let v126 = fmin_num(v122, 65504.0f);
    let v127 = fmin_num(v123, 65504.0f);
    let v128 = round_f16(v124);
    let v129 = round_f16(v125);
    let v130 = round_f16(v126);
    let v131 = round_f16(v127);
    let v132 = fmax_num(v75, (-65504.0f));
    let v133 = fmax_num(v78, (-65504.0f));
    let v134 = fmax_num(v81, (-65504.0f));
    let v135 = fmax_num(v84, (-65504.0f));
    let v136 = fmin_num(v132, 65504.0f);
    let v137 = fmin_num(v133, 65504.0f);
    let v138 = fmin_num(v134, 65504.0f);
    let v139 = fmin_num(v135, 65504.0f);
    let v140 = round_f16(v136);
    let v141 = round_f16(v137);
    let v142 = round_f16(v138);
    let v143 = round_f16(v139);
    let v144 = (x14 * p.a7_kv_heads);
    let v145 = (p.a6_heads + p.a7_kv_heads);
    let v146 = (v9 * 2i);
    let v147 = (v144 + v27);
    let v148 = (v144 + v28);
    let v149 = (v144 + v29);
    let v150 = (v144 + v30);
    let v151 = (v147 - p.a6_heads);
    let v152 = (v148 - p.a6_heads);
    let v153 = (v149 - p.a6_heads);
    let v154 = (v150 - p.a6_heads);
    let v155 = (v151 * p.a10_capacity);
    let v156 = (v152 * p.a10_capacity);
    let v157 = (v153 * p.a10_capacity);
    let v158 = (v154 * p.a10_capacity);
    let v159 = (v155 + x16);
    let v160 = (v156 + x16);
    let v161 = (v157 + x16);
    let v162 = (v158 + x16);
    let v163 = (v159 * v146);
    let v164 = (v160 * v146);
    let v165 = (v161 * v146);
    let v166 = (v162 * v146);
    let v167 = (v163 + t39);
    let v168 = (v164 + t39);
    let v169 = (v165 + t39);
    let v170 = (v166 + t39);
    let v171 = (v49 & v119);
    let v172 = (v50 & v119);
    let v173 = (v51 & v119);
    let v174 = (v52 & v119);
    let v175 = (v27 >= p.a6_heads);
    let v176 = (v28 >= p.a6_heads);
    let v177 = (v29 >= p.a6_heads);
    let v178 = (v30 >= p.a6_heads);
    let v179 = (v171 & v175);
    let v180 = (v172 & v176);
    let v181 = (v173 & v177);
    let v182 = (v174 & v178);
    let v183 = (v27 < v145);
    let v184 = (v28 < v145);
    let v185 = (v29 < v145);
    let v186 = (v30 < v145);
    let v187 = (v179 & v183);
    let v188 = (v180 & v184);
    let v189 = (v181 & v185);
    let v190 = (v182 & v186);
    if (v187) {
        g_k[v167] = f16(v128);
    }
    if (v188) {
        g_k[v168] = f16(v129);
    }
    if (v189) {
        g_k[v169] = f16(v130);
    }
    if (v190) {
        g_k[v170] = f16(v131);
    }
    let v191 = (v167 + v9);
    let v192 = (v168 + v9);
    let v193 = (v169 + v9);
    let v194 = (v170 + v9);
    storageBarrier();
    if (v187) {
        g_k[v191] = f16(v140);
    }
    if (v188) {
        g_k[v192] = f16(v141);
    }
    if (v189) {
        g_k[v193] = f16(v142);
    }
    if (v190) {
        g_k[v194] = f16(v143);
    }
    let v195 = (p.a7_kv_heads * p.a10_capacity);
    let v196 = (v159 - v195);
    let v197 = (v160 - v195);
    let v198 = (v161 - v195);
    let v199 = (v162 - v195);
    let v200 = (v196 * v146);
    let v201 = (v197 * v146);
    let v202 = (v198 * v146);
    let v203 = (v199 * v146);
    let v204 = (v200 + t39);
    let v205 = (v201 + t39);
    let v206 = (v202 + t39);
    let v207 = (v203 + t39);
    let v208 = (v27 >= v145);
    let v209 = (v28 >= v145);
    let v210 = (v29 >= v145);
    let v211 = (v30 >= v145);
    let v212 = (v171 & v208);
    let v213 = (v172 & v209);
    let v214 = (v173 & v210);
    let v215 = (v174 & v211);
    if (v212) {
        g_v[v204] = f16(v128);
    }
    if (v213) {
        g_v[v205] = f16(v129);
    }
    if (v214) {
        g_v[v206] = f16(v130);
    }
    if (v215) {
        g_v[v207] = f16(v131);
    }
    let v216 = (v204 + v9);
    let v217 = (v205 + v9);
    let v218 = (v206 + v9);
    let v219 = (v207 + v9);
    storageBarrier();
    if (v212) {
        g_v[v216] = f16(v140);
    }
    if (v213) {
        g_v[v217] = f16(v141);
    }
    if (v214) {
        g_v[v218] = f16(v142);
    }
    if (v215) {
        g_v[v219] = f16(v143);
    }
}
