struct Params {
    a6_count: i32,
    a7_heads: i32,
    a8_kv_heads: i32,
    a9_d: i32,
    a10_slots: i32,
    a11_capacity: i32,
    a12_blocks: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_qkv: array<f32>;
@group(0) @binding(2) var<storage, read> g_rows: array<i32>;
@group(0) @binding(3) var<storage, read> g_steps: array<i32>;
@group(0) @binding(4) var<storage, read_write> g_q: array<f32>;
@group(0) @binding(5) var<storage, read_write> g_k: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> g_v: array<atomic<u32>>;
fn put16_g_k(index: i32, bits: u32) {
    let at = index >> 1u;
    let shift = u32(index & 1i) * 16u;
    var old = atomicLoad(&g_k[at]);
    loop {
        let word = (old & ~(0xffffu << shift)) | ((bits & 0xffffu) << shift);
        let swapped = atomicCompareExchangeWeak(&g_k[at], old, word);
        if (swapped.exchanged) {
            break;
        }
        old = swapped.old_value;
    }
}
fn put16_g_v(index: i32, bits: u32) {
    let at = index >> 1u;
    let shift = u32(index & 1i) * 16u;
    var old = atomicLoad(&g_v[at]);
    loop {
        let word = (old & ~(0xffffu << shift)) | ((bits & 0xffffu) << shift);
        let swapped = atomicCompareExchangeWeak(&g_v[at], old, word);
        if (swapped.exchanged) {
            break;
        }
        old = swapped.old_value;
    }
}
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
fn f_to_u(x: f32) -> i32 {
    // A negative number goes through the signed type, as C's casts do on GPUs.
    return select(bitcast<i32>(u32(clamp(x, 0.0f, 4294967040.0f))), i32(max(x, -2147483648.0f)), x < 0.0f);
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
    let t23 = (lane >> 5u);
    let t31 = (lane & 31i);
    let t58 = (lane & 96i) == 0i;
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (p.a6_count * p.a12_blocks);
    let v4 = (v3 - 1i);
    let v5 = min(v2, v4);
    let v6 = (v5 / p.a12_blocks);
    let v7 = (v5 % p.a12_blocks);
    let v8 = (v7 * 8i);
    let v9 = (p.a9_d / 2i);
    let v10 = (p.a8_kv_heads * 2i);
    let v11 = (p.a7_heads + v10);
    let v12 = (v6 * 2i);
    let x14 = g_rows[v12];
    let v15 = (v12 + 1i);
    let x16 = g_rows[v15];
    let v17 = (x14 >= 0i);
    let v18 = (x14 < p.a10_slots);
    let v19 = (v17 & v18);
    let v20 = (x16 != (-1i));
    let v21 = (v19 & v20);
    let v22 = (v6 * v11);
    let v24 = (t23 + 4i);
    let v25 = (v8 + t23);
    let v26 = (v8 + v24);
    let v27 = (v22 + v25);
    let v28 = (v22 + v26);
    let v29 = (v27 * p.a9_d);
    let v30 = (v28 * p.a9_d);
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
    let v55 = (v9 - 1i);
    let v56 = min(t31, v55);
    let v57 = (v56 * 2i);
    let x59 = g_steps[v57];
    let v60 = (v57 + 1i);
    let x61 = g_steps[v60];
    let v62 = (x16 * x59);
    let v63 = f32(bitcast<u32>(x16));
    let v64 = f32(bitcast<u32>(x61));
    let v65 = (v63 * v64);
    let v66 = 2.3283064e-10f;
    let v67 = (v65 * v66);
    let v68 = f_to_u(v67);
    let v69 = (v62 + v68);
    let v70 = (v69 + 536870912i);
    let v71 = bitcast<i32>(bitcast<u32>(v70) >> 30u);
    let v72 = (v70 & 1073741823i);
    let v73 = (v72 - 536870912i);
    let v74 = f32(v73);
    let v75 = 1.4629181e-09f;
    let v76 = (v74 * v75);
    let v77 = (v76 * v76);
    let v78 = (v76 * v77);
    let v79 = (v77 * 0.00019515296f);
    let v80 = (0.008332161f - v79);
    let v81 = (v77 * v80);
    let v82 = (v81 + (-0.16666655f));
    let v83 = (v78 * v82);
    let v84 = (v76 + v83);
    let v85 = (v77 * 0.5f);
    let v86 = (1.0f - v85);
    let v87 = (v77 * v77);
    let v88 = 2.4433157e-05f;
    let v89 = (v77 * v88);
    let v90 = (v89 + (-0.0013887316f));
    let v91 = (v77 * v90);
    let v92 = (v91 + 0.041666646f);
    let v93 = (v87 * v92);
    let v94 = (v86 + v93);
    let v95 = (v71 & 1i);
    let v96 = (v95 == 1i);
    let v97 = select(v84, v94, v96);
    let v98 = select(v94, v84, v96);
    let v99 = (v71 & 2i);
    let v100 = (v99 == 2i);
    let v101 = (-v97);
    let v102 = select(v97, v101, v100);
    let v103 = (v71 + 1i);
    let v104 = (v103 & 2i);
    let v105 = (v104 == 2i);
    let v106 = (-v98);
    let v107 = select(v98, v106, v105);
    let v108 = (v41 * v107);
    let v109 = (v44 * v107);
    let v110 = (v51 * v102);
    let v111 = (v54 * v102);
    let v112 = (v108 - v110);
    let v113 = (v109 - v111);
    let v114 = (v51 * v107);
    let v115 = (v54 * v107);
    let v116 = (v41 * v102);
    let v117 = (v44 * v102);
    let v118 = (v114 + v116);
    let v119 = (v115 + v117);
    let v120 = (p.a7_heads + p.a8_kv_heads);
    let v121 = (v25 >= v120);
    let v122 = (v26 >= v120);
    let v123 = select(v112, v41, v121);
    let v124 = select(v113, v44, v122);
    let v125 = select(v118, v51, v121);
    let v126 = select(v119, v54, v122);
    let v127 = (v6 * p.a7_heads);
    let v128 = select(0.0f, v123, v21);
    let v129 = select(0.0f, v124, v21);
    let v130 = (v127 + v25);
    let v131 = (v127 + v26);
    let v132 = (v130 * p.a9_d);
    let v133 = (v131 * p.a9_d);
    let v134 = (v132 + t31);
    let v135 = (v133 + t31);
    let v136 = (v25 < p.a7_heads);
    let v137 = (v26 < p.a7_heads);
    let v138 = (v37 & v136);
    let v139 = (v38 & v137);
    if (v138) {
        g_q[v134] = v128;
    }
    if (v139) {
        g_q[v135] = v129;
    }
    let v140 = select(0.0f, v125, v21);
    let v141 = select(0.0f, v126, v21);
    let v142 = (v134 + v9);
    let v143 = (v135 + v9);
    storageBarrier();
    if (v138) {
        g_q[v142] = v140;
    }
    if (v139) {
        g_q[v143] = v141;
    }
    let v144 = (x16 < p.a11_capacity);
    let v145 = (v21 & v144);
    let v146 = fmax_num(v123, (-65504.0f));
    let v147 = fmax_num(v124, (-65504.0f));
    let v148 = fmin_num(v146, 65504.0f);
    let v149 = fmin_num(v147, 65504.0f);
    let v150 = round_f16(v148);
    let v151 = round_f16(v149);
    let v152 = fmax_num(v125, (-65504.0f));
    let v153 = fmax_num(v126, (-65504.0f));
    let v154 = fmin_num(v152, 65504.0f);
    let v155 = fmin_num(v153, 65504.0f);
    let v156 = round_f16(v154);
    let v157 = round_f16(v155);
    let v158 = (x14 * p.a8_kv_heads);
    let v159 = (v9 * 2i);
    let v160 = (v158 + v25);
    let v161 = (v158 + v26);
    let v162 = (v160 - p.a7_heads);
    let v163 = (v161 - p.a7_heads);
    let v164 = (v162 * p.a11_capacity);
    let v165 = (v163 * p.a11_capacity);
    let v166 = (v164 + x16);
    let v167 = (v165 + x16);
    let v168 = (v166 * v159);
    let v169 = (v167 * v159);
    let v170 = (v168 + t31);
    let v171 = (v169 + t31);
    let v172 = (v37 & v145);
    let v173 = (v38 & v145);
    let v174 = (v25 >= p.a7_heads);
    let v175 = (v26 >= p.a7_heads);
    let v176 = (v172 & v174);
    let v177 = (v173 & v175);
    let v178 = (v25 < v120);
    let v179 = (v26 < v120);
    let v180 = (v176 & v178);
    let v181 = (v177 & v179);
    if (v180) {
        put16_g_k(v170, half_bits(v150));
    }
    if (v181) {
        put16_g_k(v171, half_bits(v151));
    }
    let v182 = (v170 + v9);
    let v183 = (v171 + v9);
    storageBarrier();
    if (v180) {
        put16_g_k(v182, half_bits(v156));
    }
    if (v181) {
        put16_g_k(v183, half_bits(v157));
    }
    let v184 = (p.a8_kv_heads * p.a11_capacity);
    let v185 = (v166 - v184);
    let v186 = (v167 - v184);
    let v187 = (v185 * v159);
    let v188 = (v186 * v159);
    let v189 = (v187 + t31);
    let v190 = (v188 + t31);
    let v191 = (v172 & v121);
    let v192 = (v173 & v122);
    if (v191) {
        put16_g_v(v189, half_bits(v150));
    }
    if (v192) {
        put16_g_v(v190, half_bits(v151));
    }
    let v193 = (v189 + v9);
    let v194 = (v190 + v9);
    storageBarrier();
    if (v191) {
        put16_g_v(v193, half_bits(v156));
    }
    if (v192) {
        put16_g_v(v194, half_bits(v157));
    }
}
