struct Params {
    a5_heads: i32,
    a6_kv_heads: i32,
    a7_d: i32,
    a8_slots: i32,
    a9_capacity: i32,
    a10_window: i32,
    a11_splits: i32,
    a12_scale: f32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_qkv: array<f32>;
@group(0) @binding(2) var<storage, read> g_rows: array<i32>;
@group(0) @binding(3) var<storage, read_write> g_k: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> g_v: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> g_out: array<f32>;
var<workgroup> pool: array<u32, 128>;
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
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t5 = (lane & 127i) == 0i;
    let t19 = (lane & 7i);
    let t22 = (lane & 120i) == 0i;
    let t105 = (lane >> 3u);
    let t120 = lane & 120i;
    let t178 = lane & 7i;
    let t335 = (lane & 3i);
    let t343 = (lane & 124i) == 0i;
    let v1 = (p.a5_heads / p.a6_kv_heads);
    let v2 = (pid_y / v1);
    let v3 = (p.a7_d / 2i);
    let v4 = (pid_z * 2i);
    let x6 = g_rows[v4];
    let v7 = (v4 + 1i);
    let x8 = g_rows[v7];
    let v9 = (x6 >= 0i);
    let v10 = (x6 < p.a8_slots);
    let v11 = (v9 & v10);
    let v12 = (x8 != (-1i));
    let v13 = (v11 & v12);
    let v14 = (p.a6_kv_heads * 2i);
    let v15 = (p.a5_heads + v14);
    let v16 = (pid_z * v15);
    let v17 = (v16 + pid_y);
    let v18 = (v17 * p.a7_d);
    let v20 = (v18 + t19);
    let v21 = (t19 < v3);
    let v23 = select(0i, v20, v21);
    let x24 = g_qkv[v23];
    let v25 = select(0.0f, x24, v21);
    let v26 = (v18 + v3);
    let v27 = (v26 + t19);
    let v28 = select(0i, v27, v21);
    let x29 = g_qkv[v28];
    let v30 = select(0.0f, x29, v21);
    let v31 = (v16 + p.a5_heads);
    let v32 = (v31 + v2);
    let v33 = (v32 * p.a7_d);
    let v34 = (v33 + t19);
    let v35 = select(0i, v34, v21);
    let x36 = g_qkv[v35];
    let v37 = select(0.0f, x36, v21);
    let v38 = (v33 + v3);
    let v39 = (v38 + t19);
    let v40 = select(0i, v39, v21);
    let x41 = g_qkv[v40];
    let v42 = select(0.0f, x41, v21);
    let v43 = (v31 + p.a6_kv_heads);
    let v44 = (v43 + v2);
    let v45 = (v44 * p.a7_d);
    let v46 = (v45 + t19);
    let v47 = select(0i, v46, v21);
    let x48 = g_qkv[v47];
    let v49 = select(0.0f, x48, v21);
    let v50 = (v45 + v3);
    let v51 = (v50 + t19);
    let v52 = select(0i, v51, v21);
    let x53 = g_qkv[v52];
    let v54 = select(0.0f, x53, v21);
    let v55 = fmax_num(v37, (-65504.0f));
    let v56 = fmin_num(v55, 65504.0f);
    let v57 = round_f16(v56);
    let v58 = fmax_num(v42, (-65504.0f));
    let v59 = fmin_num(v58, 65504.0f);
    let v60 = round_f16(v59);
    let v61 = fmax_num(v49, (-65504.0f));
    let v62 = fmin_num(v61, 65504.0f);
    let v63 = round_f16(v62);
    let v64 = fmax_num(v54, (-65504.0f));
    let v65 = fmin_num(v64, 65504.0f);
    let v66 = round_f16(v65);
    let v67 = (p.a11_splits - 1i);
    let v68 = (pid_x == v67);
    let v69 = (x6 * p.a6_kv_heads);
    let v70 = (v69 + v2);
    let v71 = (v70 * p.a9_capacity);
    let v72 = (v68 & v13);
    let v73 = (x8 < p.a9_capacity);
    let v74 = (v72 & v73);
    let v75 = (pid_y % v1);
    let v76 = (v75 == 0i);
    let v77 = (v74 & v76);
    let v78 = min(x8, p.a9_capacity);
    let v79 = select(0i, v78, v13);
    let v80 = (p.a10_window > 0i);
    let v81 = (x8 + 1i);
    let v82 = (v81 - p.a10_window);
    let v83 = max(v82, 0i);
    let v84 = min(v83, v79);
    let v85 = select(0i, v84, v80);
    let v86 = (v79 - v85);
    let v87 = (v86 + v67);
    let v88 = (v87 / p.a11_splits);
    let v89 = (v88 + 15i);
    let v90 = (v89 / 16i);
    let v91 = (v90 * 16i);
    let v92 = (pid_x * v91);
    let v93 = (v85 + v92);
    let v94 = min(v93, v79);
    let v95 = (v94 + v91);
    let v96 = min(v95, v79);
    let v97 = (v3 - 1i);
    let v98 = (-1e+38f);
    var m99: f32 = v98;
    var m100: f32 = 0.0f;
    var m101: f32 = 0.0f;
    var m102: f32 = 0.0f;
    for (var i103: i32 = v94; (i103 < v96); i103 = i103 + 16i) {
        let v104 = (v96 - 1i);
        let v106 = (i103 + t105);
        let v107 = min(v106, v104);
        let v108 = (v71 + v107);
        let v109 = (v108 * p.a7_d);
        let v110 = min(t19, v97);
        let v111 = (v109 + v110);
        let x112 = from_half(extractBits(atomicLoad(&g_k[(v111 >> 1u)]), u32(v111 & 1i) * 16u, 16u));
        let v113 = (v111 + v3);
        let x114 = from_half(extractBits(atomicLoad(&g_k[(v113 >> 1u)]), u32(v113 & 1i) * 16u, 16u));
        let x115 = from_half(extractBits(atomicLoad(&g_v[(v111 >> 1u)]), u32(v111 & 1i) * 16u, 16u));
        let x116 = from_half(extractBits(atomicLoad(&g_v[(v113 >> 1u)]), u32(v113 & 1i) * 16u, 16u));
        let v117 = (x112 * v25);
        let v118 = (x114 * v30);
        let v119 = (v117 + v118);
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v119);
        workgroupBarrier();
        let v121 = bitcast<f32>(pool[t120]);
        let v122 = bitcast<f32>(pool[(t120 + 1i)]);
        let v123 = bitcast<f32>(pool[(t120 + 2i)]);
        let v124 = bitcast<f32>(pool[(t120 + 3i)]);
        let v125 = bitcast<f32>(pool[(t120 + 4i)]);
        let v126 = bitcast<f32>(pool[(t120 + 5i)]);
        let v127 = bitcast<f32>(pool[(t120 + 6i)]);
        let v128 = bitcast<f32>(pool[(t120 + 7i)]);
        let v129 = (v121 + v125);
        let v130 = (v122 + v126);
        let v131 = (v123 + v127);
        let v132 = (v124 + v128);
        let v133 = (v129 + v131);
        let v134 = (v130 + v132);
        let v135 = (v133 + v134);
        let v136 = (v135 * p.a12_scale);
        let v137 = (v106 < v96);
        let v138 = select(v98, v136, v137);
        let v139 = fmax_num(m99, v138);
        let v140 = (m99 - v139);
        let v141 = exp_of(v140);
        let v142 = (v138 - v139);
        let v143 = exp_of(v142);
        let v144 = select(0.0f, v143, v137);
        let v145 = (m100 * v141);
        let v146 = (v145 + v144);
        let v147 = (m101 * v141);
        let v148 = (x115 * v144);
        let v149 = (v147 + v148);
        let v150 = (m102 * v141);
        let v151 = (x116 * v144);
        let v152 = (v150 + v151);
        m99 = v139;
        m100 = v146;
        m101 = v149;
        m102 = v152;
    }
    let v153 = (v71 + x8);
    let v154 = (v3 * 2i);
    let v155 = (v153 * v154);
    let v156 = (v155 + t19);
    let v157 = (v21 & v77);
    storageBarrier();
    if (t22 && v157) {
        put16_g_k(v156, half_bits(v57));
    }
    let v158 = (v156 + v3);
    storageBarrier();
    if (t22 && v157) {
        put16_g_k(v158, half_bits(v60));
    }
    if (t22 && v157) {
        put16_g_v(v156, half_bits(v63));
    }
    storageBarrier();
    if (t22 && v157) {
        put16_g_v(v158, half_bits(v66));
    }
    let v159 = (v25 * v57);
    let v160 = (v30 * v60);
    let v161 = (v159 + v160);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v161);
    workgroupBarrier();
    let v162 = bitcast<f32>(pool[t120]);
    let v163 = bitcast<f32>(pool[(t120 + 1i)]);
    let v164 = bitcast<f32>(pool[(t120 + 2i)]);
    let v165 = bitcast<f32>(pool[(t120 + 3i)]);
    let v166 = bitcast<f32>(pool[(t120 + 4i)]);
    let v167 = bitcast<f32>(pool[(t120 + 5i)]);
    let v168 = bitcast<f32>(pool[(t120 + 6i)]);
    let v169 = bitcast<f32>(pool[(t120 + 7i)]);
    let v170 = (v162 + v166);
    let v171 = (v163 + v167);
    let v172 = (v164 + v168);
    let v173 = (v165 + v169);
    let v174 = (v170 + v172);
    let v175 = (v171 + v173);
    let v176 = (v174 + v175);
    let v177 = (v176 * p.a12_scale);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(m99);
    workgroupBarrier();
    let v179 = bitcast<f32>(pool[t178]);
    let v180 = bitcast<f32>(pool[(t178 + 8i)]);
    let v181 = bitcast<f32>(pool[(t178 + 16i)]);
    let v182 = bitcast<f32>(pool[(t178 + 24i)]);
    let v183 = bitcast<f32>(pool[(t178 + 32i)]);
    let v184 = bitcast<f32>(pool[(t178 + 40i)]);
    let v185 = bitcast<f32>(pool[(t178 + 48i)]);
    let v186 = bitcast<f32>(pool[(t178 + 56i)]);
    let v187 = bitcast<f32>(pool[(t178 + 64i)]);
    let v188 = bitcast<f32>(pool[(t178 + 72i)]);
    let v189 = bitcast<f32>(pool[(t178 + 80i)]);
    let v190 = bitcast<f32>(pool[(t178 + 88i)]);
    let v191 = bitcast<f32>(pool[(t178 + 96i)]);
    let v192 = bitcast<f32>(pool[(t178 + 104i)]);
    let v193 = bitcast<f32>(pool[(t178 + 112i)]);
    let v194 = bitcast<f32>(pool[(t178 + 120i)]);
    let v195 = fmax_num(v179, v187);
    let v196 = fmax_num(v180, v188);
    let v197 = fmax_num(v181, v189);
    let v198 = fmax_num(v182, v190);
    let v199 = fmax_num(v183, v191);
    let v200 = fmax_num(v184, v192);
    let v201 = fmax_num(v185, v193);
    let v202 = fmax_num(v186, v194);
    let v203 = fmax_num(v195, v199);
    let v204 = fmax_num(v196, v200);
    let v205 = fmax_num(v197, v201);
    let v206 = fmax_num(v198, v202);
    let v207 = fmax_num(v203, v205);
    let v208 = fmax_num(v204, v206);
    let v209 = fmax_num(v207, v208);
    let v210 = fmax_num(v209, v177);
    let v211 = select(v209, v210, v72);
    let v212 = (m99 - v211);
    let v213 = exp_of(v212);
    let v214 = (v177 - v211);
    let v215 = exp_of(v214);
    let v216 = select(0.0f, v215, v72);
    let v217 = (m100 * v213);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v217);
    workgroupBarrier();
    let v218 = bitcast<f32>(pool[t178]);
    let v219 = bitcast<f32>(pool[(t178 + 8i)]);
    let v220 = bitcast<f32>(pool[(t178 + 16i)]);
    let v221 = bitcast<f32>(pool[(t178 + 24i)]);
    let v222 = bitcast<f32>(pool[(t178 + 32i)]);
    let v223 = bitcast<f32>(pool[(t178 + 40i)]);
    let v224 = bitcast<f32>(pool[(t178 + 48i)]);
    let v225 = bitcast<f32>(pool[(t178 + 56i)]);
    let v226 = bitcast<f32>(pool[(t178 + 64i)]);
    let v227 = bitcast<f32>(pool[(t178 + 72i)]);
    let v228 = bitcast<f32>(pool[(t178 + 80i)]);
    let v229 = bitcast<f32>(pool[(t178 + 88i)]);
    let v230 = bitcast<f32>(pool[(t178 + 96i)]);
    let v231 = bitcast<f32>(pool[(t178 + 104i)]);
    let v232 = bitcast<f32>(pool[(t178 + 112i)]);
    let v233 = bitcast<f32>(pool[(t178 + 120i)]);
    let v234 = (v218 + v226);
    let v235 = (v219 + v227);
    let v236 = (v220 + v228);
    let v237 = (v221 + v229);
    let v238 = (v222 + v230);
    let v239 = (v223 + v231);
    let v240 = (v224 + v232);
    let v241 = (v225 + v233);
    let v242 = (v234 + v238);
    let v243 = (v235 + v239);
    let v244 = (v236 + v240);
    let v245 = (v237 + v241);
    let v246 = (v242 + v244);
    let v247 = (v243 + v245);
    let v248 = (v246 + v247);
    let v249 = (v248 + v216);
    let v250 = (v249 > 0.0f);
    let v251 = (1.0f / v249);
    let v252 = select(0.0f, v251, v250);
    let v253 = (m101 * v213);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v253);
    workgroupBarrier();
    let v254 = bitcast<f32>(pool[t178]);
    let v255 = bitcast<f32>(pool[(t178 + 8i)]);
    let v256 = bitcast<f32>(pool[(t178 + 16i)]);
    let v257 = bitcast<f32>(pool[(t178 + 24i)]);
    let v258 = bitcast<f32>(pool[(t178 + 32i)]);
    let v259 = bitcast<f32>(pool[(t178 + 40i)]);
    let v260 = bitcast<f32>(pool[(t178 + 48i)]);
    let v261 = bitcast<f32>(pool[(t178 + 56i)]);
    let v262 = bitcast<f32>(pool[(t178 + 64i)]);
    let v263 = bitcast<f32>(pool[(t178 + 72i)]);
    let v264 = bitcast<f32>(pool[(t178 + 80i)]);
    let v265 = bitcast<f32>(pool[(t178 + 88i)]);
    let v266 = bitcast<f32>(pool[(t178 + 96i)]);
    let v267 = bitcast<f32>(pool[(t178 + 104i)]);
    let v268 = bitcast<f32>(pool[(t178 + 112i)]);
    let v269 = bitcast<f32>(pool[(t178 + 120i)]);
    let v270 = (v254 + v262);
    let v271 = (v255 + v263);
    let v272 = (v256 + v264);
    let v273 = (v257 + v265);
    let v274 = (v258 + v266);
    let v275 = (v259 + v267);
    let v276 = (v260 + v268);
    let v277 = (v261 + v269);
    let v278 = (v270 + v274);
    let v279 = (v271 + v275);
    let v280 = (v272 + v276);
    let v281 = (v273 + v277);
    let v282 = (v278 + v280);
    let v283 = (v279 + v281);
    let v284 = (v282 + v283);
    let v285 = (v216 * v63);
    let v286 = (v284 + v285);
    let v287 = (v286 * v252);
    let v288 = (m102 * v213);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v288);
    workgroupBarrier();
    let v289 = bitcast<f32>(pool[t178]);
    let v290 = bitcast<f32>(pool[(t178 + 8i)]);
    let v291 = bitcast<f32>(pool[(t178 + 16i)]);
    let v292 = bitcast<f32>(pool[(t178 + 24i)]);
    let v293 = bitcast<f32>(pool[(t178 + 32i)]);
    let v294 = bitcast<f32>(pool[(t178 + 40i)]);
    let v295 = bitcast<f32>(pool[(t178 + 48i)]);
    let v296 = bitcast<f32>(pool[(t178 + 56i)]);
    let v297 = bitcast<f32>(pool[(t178 + 64i)]);
    let v298 = bitcast<f32>(pool[(t178 + 72i)]);
    let v299 = bitcast<f32>(pool[(t178 + 80i)]);
    let v300 = bitcast<f32>(pool[(t178 + 88i)]);
    let v301 = bitcast<f32>(pool[(t178 + 96i)]);
    let v302 = bitcast<f32>(pool[(t178 + 104i)]);
    let v303 = bitcast<f32>(pool[(t178 + 112i)]);
    let v304 = bitcast<f32>(pool[(t178 + 120i)]);
    let v305 = (v289 + v297);
    let v306 = (v290 + v298);
    let v307 = (v291 + v299);
    let v308 = (v292 + v300);
    let v309 = (v293 + v301);
    let v310 = (v294 + v302);
    let v311 = (v295 + v303);
    let v312 = (v296 + v304);
    let v313 = (v305 + v309);
    let v314 = (v306 + v310);
    let v315 = (v307 + v311);
    let v316 = (v308 + v312);
    let v317 = (v313 + v315);
    let v318 = (v314 + v316);
    let v319 = (v317 + v318);
    let v320 = (v216 * v66);
    let v321 = (v319 + v320);
    let v322 = (v321 * v252);
    let v323 = (pid_z * p.a5_heads);
    let v324 = (v323 + pid_y);
    let v325 = (v324 * p.a7_d);
    let v326 = (p.a11_splits > 1i);
    var m327: i32;
    if (v326) {
        let v328 = (v324 * p.a11_splits);
        let v329 = (v328 + pid_x);
        let v330 = (p.a7_d + 4i);
        let v331 = (v329 * v330);
        let v332 = select(1.0f, v249, v250);
        let v333 = log(v332);
        let v334 = (v211 + v333);
        let v336 = (t335 == 1i);
        let v337 = select(0.0f, 1.0f, v336);
        let v338 = (t335 == 0i);
        let v339 = select(v337, v334, v338);
        let v340 = (v331 + p.a7_d);
        let v341 = select(0.0f, v339, v250);
        let v342 = (v340 + t335);
        if (t343) {
            g_out[v342] = v341;
        }
        m327 = v331;
    }
    else {
        m327 = v325;
    }
    let v344 = (m327 + t19);
    storageBarrier();
    if (t22 && v21) {
        g_out[v344] = v287;
    }
    let v345 = (m327 + v3);
    let v346 = (v345 + t19);
    storageBarrier();
    if (t22 && v21) {
        g_out[v346] = v322;
    }
}
