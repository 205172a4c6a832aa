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
    let t23 = (lane >> 6u);
    let t39 = (lane & 63i);
    let t88 = (lane & 64i) == 0i;
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
    let v35 = (v31 * p.a9_d);
    let v36 = (v32 * p.a9_d);
    let v37 = (v33 * p.a9_d);
    let v38 = (v34 * p.a9_d);
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
    let v85 = (v9 - 1i);
    let v86 = min(t39, v85);
    let v87 = (v86 * 2i);
    let x89 = g_steps[v87];
    let v90 = (v87 + 1i);
    let x91 = g_steps[v90];
    let v92 = (x16 * x89);
    let v93 = f32(bitcast<u32>(x16));
    let v94 = f32(bitcast<u32>(x91));
    let v95 = (v93 * v94);
    let v96 = 2.3283064e-10f;
    let v97 = (v95 * v96);
    let v98 = f_to_u(v97);
    let v99 = (v92 + v98);
    let v100 = (v99 + 536870912i);
    let v101 = bitcast<i32>(bitcast<u32>(v100) >> 30u);
    let v102 = (v100 & 1073741823i);
    let v103 = (v102 - 536870912i);
    let v104 = f32(v103);
    let v105 = 1.4629181e-09f;
    let v106 = (v104 * v105);
    let v107 = (v106 * v106);
    let v108 = (v106 * v107);
    let v109 = (v107 * 0.00019515296f);
    let v110 = (0.008332161f - v109);
    let v111 = (v107 * v110);
    let v112 = (v111 + (-0.16666655f));
    let v113 = (v108 * v112);
    let v114 = (v106 + v113);
    let v115 = (v107 * 0.5f);
    let v116 = (1.0f - v115);
    let v117 = (v107 * v107);
    let v118 = 2.4433157e-05f;
    let v119 = (v107 * v118);
    let v120 = (v119 + (-0.0013887316f));
    let v121 = (v107 * v120);
    let v122 = (v121 + 0.041666646f);
    let v123 = (v117 * v122);
    let v124 = (v116 + v123);
    let v125 = (v101 & 1i);
    let v126 = (v125 == 1i);
    let v127 = select(v114, v124, v126);
    let v128 = select(v124, v114, v126);
    let v129 = (v101 & 2i);
    let v130 = (v129 == 2i);
    let v131 = (-v127);
    let v132 = select(v127, v131, v130);
    let v133 = (v101 + 1i);
    let v134 = (v133 & 2i);
    let v135 = (v134 == 2i);
    let v136 = (-v128);
    let v137 = select(v128, v136, v135);
    let v138 = (v55 * v137);
    let v139 = (v58 * v137);
    let v140 = (v61 * v137);
    let v141 = (v64 * v137);
    let v142 = (v75 * v132);
    let v143 = (v78 * v132);
    let v144 = (v81 * v132);
    let v145 = (v84 * v132);
    let v146 = (v138 - v142);
    let v147 = (v139 - v143);
    let v148 = (v140 - v144);
    let v149 = (v141 - v145);
    let v150 = (v75 * v137);
    let v151 = (v78 * v137);
    let v152 = (v81 * v137);
    let v153 = (v84 * v137);
    let v154 = (v55 * v132);
    let v155 = (v58 * v132);
    let v156 = (v61 * v132);
    let v157 = (v64 * v132);
    let v158 = (v150 + v154);
    let v159 = (v151 + v155);
    let v160 = (v152 + v156);
    let v161 = (v153 + v157);
    let v162 = (p.a7_heads + p.a8_kv_heads);
    let v163 = (v27 >= v162);
    let v164 = (v28 >= v162);
    let v165 = (v29 >= v162);
    let v166 = (v30 >= v162);
    let v167 = select(v146, v55, v163);
    let v168 = select(v147, v58, v164);
    let v169 = select(v148, v61, v165);
    let v170 = select(v149, v64, v166);
    let v171 = select(v158, v75, v163);
    let v172 = select(v159, v78, v164);
    let v173 = select(v160, v81, v165);
    let v174 = select(v161, v84, v166);
    let v175 = (v6 * p.a7_heads);
    let v176 = select(0.0f, v167, v21);
    let v177 = select(0.0f, v168, v21);
    let v178 = select(0.0f, v169, v21);
    let v179 = select(0.0f, v170, v21);
    let v180 = (v175 + v27);
    let v181 = (v175 + v28);
    let v182 = (v175 + v29);
    let v183 = (v175 + v30);
    let v184 = (v180 * p.a9_d);
    let v185 = (v181 * p.a9_d);
    let v186 = (v182 * p.a9_d);
    let v187 = (v183 * p.a9_d);
    let v188 = (v184 + t39);
    let v189 = (v185 + t39);
    let v190 = (v186 + t39);
    let v191 = (v187 + t39);
    let v192 = (v27 < p.a7_heads);
    let v193 = (v28 < p.a7_heads);
    let v194 = (v29 < p.a7_heads);
    let v195 = (v30 < p.a7_heads);
    let v196 = (v49 & v192);
    let v197 = (v50 & v193);
    let v198 = (v51 & v194);
    let v199 = (v52 & v195);
    if (v196) {
        g_q[v188] = v176;
    }
    if (v197) {
        g_q[v189] = v177;
    }
    if (v198) {
        g_q[v190] = v178;
    }
    if (v199) {
        g_q[v191] = v179;
    }
    let v200 = select(0.0f, v171, v21);
    let v201 = select(0.0f, v172, v21);
    let v202 = select(0.0f, v173, v21);
    let v203 = select(0.0f, v174, v21);
    let v204 = (v188 + v9);
    let v205 = (v189 + v9);
    let v206 = (v190 + v9);
    let v207 = (v191 + v9);
    storageBarrier();
    if (v196) {
        g_q[v204] = v200;
    }
    if (v197) {
        g_q[v205] = v201;
    }
    if (v198) {
        g_q[v206] = v202;
    }
    if (v199) {
        g_q[v207] = v203;
    }
    let v208 = (x16 < p.a11_capacity);
    let v209 = (v21 & v208);
    let v210 = fmax_num(v167, (-65504.0f));
    let v211 = fmax_num(v168, (-65504.0f));
    let v212 = fmax_num(v169, (-65504.0f));
    let v213 = fmax_num(v170, (-65504.0f));
    let v214 = fmin_num(v210, 65504.0f);
    let v215 = fmin_num(v211, 65504.0f);
    let v216 = fmin_num(v212, 65504.0f);
    let v217 = fmin_num(v213, 65504.0f);
    let v218 = round_f16(v214);
    let v219 = round_f16(v215);
    let v220 = round_f16(v216);
    let v221 = round_f16(v217);
    let v222 = fmax_num(v171, (-65504.0f));
    let v223 = fmax_num(v172, (-65504.0f));
    let v224 = fmax_num(v173, (-65504.0f));
    let v225 = fmax_num(v174, (-65504.0f));
    let v226 = fmin_num(v222, 65504.0f);
    let v227 = fmin_num(v223, 65504.0f);
    let v228 = fmin_num(v224, 65504.0f);
    let v229 = fmin_num(v225, 65504.0f);
    let v230 = round_f16(v226);
    let v231 = round_f16(v227);
    let v232 = round_f16(v228);
    let v233 = round_f16(v229);
    let v234 = (x14 * p.a8_kv_heads);
    let v235 = (v9 * 2i);
    let v236 = (v234 + v27);
    let v237 = (v234 + v28);
    let v238 = (v234 + v29);
    let v239 = (v234 + v30);
    let v240 = (v236 - p.a7_heads);
    let v241 = (v237 - p.a7_heads);
    let v242 = (v238 - p.a7_heads);
    let v243 = (v239 - p.a7_heads);
    let v244 = (v240 * p.a11_capacity);
    let v245 = (v241 * p.a11_capacity);
    let v246 = (v242 * p.a11_capacity);
    let v247 = (v243 * p.a11_capacity);
    let v248 = (v244 + x16);
    let v249 = (v245 + x16);
    let v250 = (v246 + x16);
    let v251 = (v247 + x16);
    let v252 = (v248 * v235);
    let v253 = (v249 * v235);
    let v254 = (v250 * v235);
    let v255 = (v251 * v235);
    let v256 = (v252 + t39);
    let v257 = (v253 + t39);
    let v258 = (v254 + t39);
    let v259 = (v255 + t39);
    let v260 = (v49 & v209);
    let v261 = (v50 & v209);
    let v262 = (v51 & v209);
    let v263 = (v52 & v209);
    let v264 = (v27 >= p.a7_heads);
    let v265 = (v28 >= p.a7_heads);
    let v266 = (v29 >= p.a7_heads);
    let v267 = (v30 >= p.a7_heads);
    let v268 = (v260 & v264);
    let v269 = (v261 & v265);
    let v270 = (v262 & v266);
    let v271 = (v263 & v267);
    let v272 = (v27 < v162);
    let v273 = (v28 < v162);
    let v274 = (v29 < v162);
    let v275 = (v30 < v162);
    let v276 = (v268 & v272);
    let v277 = (v269 & v273);
    let v278 = (v270 & v274);
    let v279 = (v271 & v275);
    if (v276) {
        put16_g_k(v256, half_bits(v218));
    }
    if (v277) {
        put16_g_k(v257, half_bits(v219));
    }
    if (v278) {
        put16_g_k(v258, half_bits(v220));
    }
    if (v279) {
        put16_g_k(v259, half_bits(v221));
    }
    let v280 = (v256 + v9);
    let v281 = (v257 + v9);
    let v282 = (v258 + v9);
    let v283 = (v259 + v9);
    storageBarrier();
    if (v276) {
        put16_g_k(v280, half_bits(v230));
    }
    if (v277) {
        put16_g_k(v281, half_bits(v231));
    }
    if (v278) {
        put16_g_k(v282, half_bits(v232));
    }
    if (v279) {
        put16_g_k(v283, half_bits(v233));
    }
    let v284 = (p.a8_kv_heads * p.a11_capacity);
    let v285 = (v248 - v284);
    let v286 = (v249 - v284);
    let v287 = (v250 - v284);
    let v288 = (v251 - v284);
    let v289 = (v285 * v235);
    let v290 = (v286 * v235);
    let v291 = (v287 * v235);
    let v292 = (v288 * v235);
    let v293 = (v289 + t39);
    let v294 = (v290 + t39);
    let v295 = (v291 + t39);
    let v296 = (v292 + t39);
    let v297 = (v260 & v163);
    let v298 = (v261 & v164);
    let v299 = (v262 & v165);
    let v300 = (v263 & v166);
    if (v297) {
        put16_g_v(v293, half_bits(v218));
    }
    if (v298) {
        put16_g_v(v294, half_bits(v219));
    }
    if (v299) {
        put16_g_v(v295, half_bits(v220));
    }
    if (v300) {
        put16_g_v(v296, half_bits(v221));
    }
    let v301 = (v293 + v9);
    let v302 = (v294 + v9);
    let v303 = (v295 + v9);
    let v304 = (v296 + v9);
    storageBarrier();
    if (v297) {
        put16_g_v(v301, half_bits(v230));
    }
    if (v298) {
        put16_g_v(v302, half_bits(v231));
    }
    if (v299) {
        put16_g_v(v303, half_bits(v232));
    }
    if (v300) {
        put16_g_v(v304, half_bits(v233));
    }
}
