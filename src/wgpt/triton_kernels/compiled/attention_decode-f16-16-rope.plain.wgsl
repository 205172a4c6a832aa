struct Params {
    a6_heads: i32,
    a7_kv_heads: i32,
    a8_d: i32,
    a9_slots: i32,
    a10_capacity: i32,
    a11_window: i32,
    a12_splits: i32,
    a13_scale: f32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_qkv: array<f32>;
@group(0) @binding(2) var<storage, read> g_rows: array<i32>;
@group(0) @binding(3) var<storage, read> g_steps: array<i32>;
@group(0) @binding(4) var<storage, read_write> g_k: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> g_v: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> g_out: array<f32>;
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
fn f_to_u(x: f32) -> i32 {
    // A negative number goes through the signed type, as C's casts do on GPUs.
    return select(bitcast<i32>(u32(clamp(x, 0.0f, 4294967040.0f))), i32(max(x, -2147483648.0f)), x < 0.0f);
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
    let t168 = (lane >> 3u);
    let t182 = lane & 120i;
    let t240 = lane & 7i;
    let t397 = (lane & 3i);
    let t405 = (lane & 124i) == 0i;
    let v1 = (p.a6_heads / p.a7_kv_heads);
    let v2 = (pid_y / v1);
    let v3 = (p.a8_d / 2i);
    let v4 = (pid_z * 2i);
    let x6 = g_rows[v4];
    let v7 = (v4 + 1i);
    let x8 = g_rows[v7];
    let v9 = (x6 >= 0i);
    let v10 = (x6 < p.a9_slots);
    let v11 = (v9 & v10);
    let v12 = (x8 != (-1i));
    let v13 = (v11 & v12);
    let v14 = (p.a7_kv_heads * 2i);
    let v15 = (p.a6_heads + v14);
    let v16 = (pid_z * v15);
    let v17 = (v16 + pid_y);
    let v18 = (v17 * p.a8_d);
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
    let v31 = (v16 + p.a6_heads);
    let v32 = (v31 + v2);
    let v33 = (v32 * p.a8_d);
    let v34 = (v33 + t19);
    let v35 = select(0i, v34, v21);
    let x36 = g_qkv[v35];
    let v37 = select(0.0f, x36, v21);
    let v38 = (v33 + v3);
    let v39 = (v38 + t19);
    let v40 = select(0i, v39, v21);
    let x41 = g_qkv[v40];
    let v42 = select(0.0f, x41, v21);
    let v43 = (v31 + p.a7_kv_heads);
    let v44 = (v43 + v2);
    let v45 = (v44 * p.a8_d);
    let v46 = (v45 + t19);
    let v47 = select(0i, v46, v21);
    let x48 = g_qkv[v47];
    let v49 = select(0.0f, x48, v21);
    let v50 = (v45 + v3);
    let v51 = (v50 + t19);
    let v52 = select(0i, v51, v21);
    let x53 = g_qkv[v52];
    let v54 = select(0.0f, x53, v21);
    let v55 = (v3 - 1i);
    let v56 = min(t19, v55);
    let v57 = (v56 * 2i);
    let x58 = g_steps[v57];
    let v59 = (v57 + 1i);
    let x60 = g_steps[v59];
    let v61 = (x8 * x58);
    let v62 = f32(bitcast<u32>(x8));
    let v63 = f32(bitcast<u32>(x60));
    let v64 = (v62 * v63);
    let v65 = 2.3283064e-10f;
    let v66 = (v64 * v65);
    let v67 = f_to_u(v66);
    let v68 = (v61 + v67);
    let v69 = (v68 + 536870912i);
    let v70 = bitcast<i32>(bitcast<u32>(v69) >> 30u);
    let v71 = (v69 & 1073741823i);
    let v72 = (v71 - 536870912i);
    let v73 = f32(v72);
    let v74 = 1.4629181e-09f;
    let v75 = (v73 * v74);
    let v76 = (v75 * v75);
    let v77 = (v75 * v76);
    let v78 = (v76 * 0.00019515296f);
    let v79 = (0.008332161f - v78);
    let v80 = (v76 * v79);
    let v81 = (v80 + (-0.16666655f));
    let v82 = (v77 * v81);
    let v83 = (v75 + v82);
    let v84 = (v76 * 0.5f);
    let v85 = (1.0f - v84);
    let v86 = (v76 * v76);
    let v87 = 2.4433157e-05f;
    let v88 = (v76 * v87);
    let v89 = (v88 + (-0.0013887316f));
    let v90 = (v76 * v89);
    let v91 = (v90 + 0.041666646f);
    let v92 = (v86 * v91);
    let v93 = (v85 + v92);
    let v94 = (v70 & 1i);
    let v95 = (v94 == 1i);
    let v96 = select(v83, v93, v95);
    let v97 = select(v93, v83, v95);
    let v98 = (v70 & 2i);
    let v99 = (v98 == 2i);
    let v100 = (-v96);
    let v101 = select(v96, v100, v99);
    let v102 = (v70 + 1i);
    let v103 = (v102 & 2i);
    let v104 = (v103 == 2i);
    let v105 = (-v97);
    let v106 = select(v97, v105, v104);
    let v107 = (v25 * v106);
    let v108 = (v30 * v101);
    let v109 = (v107 - v108);
    let v110 = (v30 * v106);
    let v111 = (v25 * v101);
    let v112 = (v110 + v111);
    let v113 = (v37 * v106);
    let v114 = (v42 * v101);
    let v115 = (v113 - v114);
    let v116 = (v42 * v106);
    let v117 = (v37 * v101);
    let v118 = (v116 + v117);
    let v119 = fmax_num(v115, (-65504.0f));
    let v120 = fmin_num(v119, 65504.0f);
    let v121 = round_f16(v120);
    let v122 = fmax_num(v118, (-65504.0f));
    let v123 = fmin_num(v122, 65504.0f);
    let v124 = round_f16(v123);
    let v125 = fmax_num(v49, (-65504.0f));
    let v126 = fmin_num(v125, 65504.0f);
    let v127 = round_f16(v126);
    let v128 = fmax_num(v54, (-65504.0f));
    let v129 = fmin_num(v128, 65504.0f);
    let v130 = round_f16(v129);
    let v131 = (p.a12_splits - 1i);
    let v132 = (pid_x == v131);
    let v133 = (x6 * p.a7_kv_heads);
    let v134 = (v133 + v2);
    let v135 = (v134 * p.a10_capacity);
    let v136 = (v132 & v13);
    let v137 = (x8 < p.a10_capacity);
    let v138 = (v136 & v137);
    let v139 = (pid_y % v1);
    let v140 = (v139 == 0i);
    let v141 = (v138 & v140);
    let v142 = min(x8, p.a10_capacity);
    let v143 = select(0i, v142, v13);
    let v144 = (p.a11_window > 0i);
    let v145 = (x8 + 1i);
    let v146 = (v145 - p.a11_window);
    let v147 = max(v146, 0i);
    let v148 = min(v147, v143);
    let v149 = select(0i, v148, v144);
    let v150 = (v143 - v149);
    let v151 = (v150 + v131);
    let v152 = (v151 / p.a12_splits);
    let v153 = (v152 + 15i);
    let v154 = (v153 / 16i);
    let v155 = (v154 * 16i);
    let v156 = (pid_x * v155);
    let v157 = (v149 + v156);
    let v158 = min(v157, v143);
    let v159 = (v158 + v155);
    let v160 = min(v159, v143);
    let v161 = (-1e+38f);
    var m162: f32 = v161;
    var m163: f32 = 0.0f;
    var m164: f32 = 0.0f;
    var m165: f32 = 0.0f;
    for (var i166: i32 = v158; (i166 < v160); i166 = i166 + 16i) {
        let v167 = (v160 - 1i);
        let v169 = (i166 + t168);
        let v170 = min(v169, v167);
        let v171 = (v135 + v170);
        let v172 = (v171 * p.a8_d);
        let v173 = (v172 + v56);
        let x174 = from_half(extractBits(atomicLoad(&g_k[(v173 >> 1u)]), u32(v173 & 1i) * 16u, 16u));
        let v175 = (v173 + v3);
        let x176 = from_half(extractBits(atomicLoad(&g_k[(v175 >> 1u)]), u32(v175 & 1i) * 16u, 16u));
        let x177 = from_half(extractBits(atomicLoad(&g_v[(v173 >> 1u)]), u32(v173 & 1i) * 16u, 16u));
        let x178 = from_half(extractBits(atomicLoad(&g_v[(v175 >> 1u)]), u32(v175 & 1i) * 16u, 16u));
        let v179 = (x174 * v109);
        let v180 = (x176 * v112);
        let v181 = (v179 + v180);
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v181);
        workgroupBarrier();
        let v183 = bitcast<f32>(pool[t182]);
        let v184 = bitcast<f32>(pool[(t182 + 1i)]);
        let v185 = bitcast<f32>(pool[(t182 + 2i)]);
        let v186 = bitcast<f32>(pool[(t182 + 3i)]);
        let v187 = bitcast<f32>(pool[(t182 + 4i)]);
        let v188 = bitcast<f32>(pool[(t182 + 5i)]);
        let v189 = bitcast<f32>(pool[(t182 + 6i)]);
        let v190 = bitcast<f32>(pool[(t182 + 7i)]);
        let v191 = (v183 + v187);
        let v192 = (v184 + v188);
        let v193 = (v185 + v189);
        let v194 = (v186 + v190);
        let v195 = (v191 + v193);
        let v196 = (v192 + v194);
        let v197 = (v195 + v196);
        let v198 = (v197 * p.a13_scale);
        let v199 = (v169 < v160);
        let v200 = select(v161, v198, v199);
        let v201 = fmax_num(m162, v200);
        let v202 = (m162 - v201);
        let v203 = exp_of(v202);
        let v204 = (v200 - v201);
        let v205 = exp_of(v204);
        let v206 = select(0.0f, v205, v199);
        let v207 = (m163 * v203);
        let v208 = (v207 + v206);
        let v209 = (m164 * v203);
        let v210 = (x177 * v206);
        let v211 = (v209 + v210);
        let v212 = (m165 * v203);
        let v213 = (x178 * v206);
        let v214 = (v212 + v213);
        m162 = v201;
        m163 = v208;
        m164 = v211;
        m165 = v214;
    }
    let v215 = (v135 + x8);
    let v216 = (v3 * 2i);
    let v217 = (v215 * v216);
    let v218 = (v217 + t19);
    let v219 = (v21 & v141);
    storageBarrier();
    if (t22 && v219) {
        put16_g_k(v218, half_bits(v121));
    }
    let v220 = (v218 + v3);
    storageBarrier();
    if (t22 && v219) {
        put16_g_k(v220, half_bits(v124));
    }
    if (t22 && v219) {
        put16_g_v(v218, half_bits(v127));
    }
    storageBarrier();
    if (t22 && v219) {
        put16_g_v(v220, half_bits(v130));
    }
    let v221 = (v109 * v121);
    let v222 = (v112 * v124);
    let v223 = (v221 + v222);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v223);
    workgroupBarrier();
    let v224 = bitcast<f32>(pool[t182]);
    let v225 = bitcast<f32>(pool[(t182 + 1i)]);
    let v226 = bitcast<f32>(pool[(t182 + 2i)]);
    let v227 = bitcast<f32>(pool[(t182 + 3i)]);
    let v228 = bitcast<f32>(pool[(t182 + 4i)]);
    let v229 = bitcast<f32>(pool[(t182 + 5i)]);
    let v230 = bitcast<f32>(pool[(t182 + 6i)]);
    let v231 = bitcast<f32>(pool[(t182 + 7i)]);
    let v232 = (v224 + v228);
    let v233 = (v225 + v229);
    let v234 = (v226 + v230);
    let v235 = (v227 + v231);
    let v236 = (v232 + v234);
    let v237 = (v233 + v235);
    let v238 = (v236 + v237);
    let v239 = (v238 * p.a13_scale);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(m162);
    workgroupBarrier();
    let v241 = bitcast<f32>(pool[t240]);
    let v242 = bitcast<f32>(pool[(t240 + 8i)]);
    let v243 = bitcast<f32>(pool[(t240 + 16i)]);
    let v244 = bitcast<f32>(pool[(t240 + 24i)]);
    let v245 = bitcast<f32>(pool[(t240 + 32i)]);
    let v246 = bitcast<f32>(pool[(t240 + 40i)]);
    let v247 = bitcast<f32>(pool[(t240 + 48i)]);
    let v248 = bitcast<f32>(pool[(t240 + 56i)]);
    let v249 = bitcast<f32>(pool[(t240 + 64i)]);
    let v250 = bitcast<f32>(pool[(t240 + 72i)]);
    let v251 = bitcast<f32>(pool[(t240 + 80i)]);
    let v252 = bitcast<f32>(pool[(t240 + 88i)]);
    let v253 = bitcast<f32>(pool[(t240 + 96i)]);
    let v254 = bitcast<f32>(pool[(t240 + 104i)]);
    let v255 = bitcast<f32>(pool[(t240 + 112i)]);
    let v256 = bitcast<f32>(pool[(t240 + 120i)]);
    let v257 = fmax_num(v241, v249);
    let v258 = fmax_num(v242, v250);
    let v259 = fmax_num(v243, v251);
    let v260 = fmax_num(v244, v252);
    let v261 = fmax_num(v245, v253);
    let v262 = fmax_num(v246, v254);
    let v263 = fmax_num(v247, v255);
    let v264 = fmax_num(v248, v256);
    let v265 = fmax_num(v257, v261);
    let v266 = fmax_num(v258, v262);
    let v267 = fmax_num(v259, v263);
    let v268 = fmax_num(v260, v264);
    let v269 = fmax_num(v265, v267);
    let v270 = fmax_num(v266, v268);
    let v271 = fmax_num(v269, v270);
    let v272 = fmax_num(v271, v239);
    let v273 = select(v271, v272, v136);
    let v274 = (m162 - v273);
    let v275 = exp_of(v274);
    let v276 = (v239 - v273);
    let v277 = exp_of(v276);
    let v278 = select(0.0f, v277, v136);
    let v279 = (m163 * v275);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v279);
    workgroupBarrier();
    let v280 = bitcast<f32>(pool[t240]);
    let v281 = bitcast<f32>(pool[(t240 + 8i)]);
    let v282 = bitcast<f32>(pool[(t240 + 16i)]);
    let v283 = bitcast<f32>(pool[(t240 + 24i)]);
    let v284 = bitcast<f32>(pool[(t240 + 32i)]);
    let v285 = bitcast<f32>(pool[(t240 + 40i)]);
    let v286 = bitcast<f32>(pool[(t240 + 48i)]);
    let v287 = bitcast<f32>(pool[(t240 + 56i)]);
    let v288 = bitcast<f32>(pool[(t240 + 64i)]);
    let v289 = bitcast<f32>(pool[(t240 + 72i)]);
    let v290 = bitcast<f32>(pool[(t240 + 80i)]);
    let v291 = bitcast<f32>(pool[(t240 + 88i)]);
    let v292 = bitcast<f32>(pool[(t240 + 96i)]);
    let v293 = bitcast<f32>(pool[(t240 + 104i)]);
    let v294 = bitcast<f32>(pool[(t240 + 112i)]);
    let v295 = bitcast<f32>(pool[(t240 + 120i)]);
    let v296 = (v280 + v288);
    let v297 = (v281 + v289);
    let v298 = (v282 + v290);
    let v299 = (v283 + v291);
    let v300 = (v284 + v292);
    let v301 = (v285 + v293);
    let v302 = (v286 + v294);
    let v303 = (v287 + v295);
    let v304 = (v296 + v300);
    let v305 = (v297 + v301);
    let v306 = (v298 + v302);
    let v307 = (v299 + v303);
    let v308 = (v304 + v306);
    let v309 = (v305 + v307);
    let v310 = (v308 + v309);
    let v311 = (v310 + v278);
    let v312 = (v311 > 0.0f);
    let v313 = (1.0f / v311);
    let v314 = select(0.0f, v313, v312);
    let v315 = (m164 * v275);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v315);
    workgroupBarrier();
    let v316 = bitcast<f32>(pool[t240]);
    let v317 = bitcast<f32>(pool[(t240 + 8i)]);
    let v318 = bitcast<f32>(pool[(t240 + 16i)]);
    let v319 = bitcast<f32>(pool[(t240 + 24i)]);
    let v320 = bitcast<f32>(pool[(t240 + 32i)]);
    let v321 = bitcast<f32>(pool[(t240 + 40i)]);
    let v322 = bitcast<f32>(pool[(t240 + 48i)]);
    let v323 = bitcast<f32>(pool[(t240 + 56i)]);
    let v324 = bitcast<f32>(pool[(t240 + 64i)]);
    let v325 = bitcast<f32>(pool[(t240 + 72i)]);
    let v326 = bitcast<f32>(pool[(t240 + 80i)]);
    let v327 = bitcast<f32>(pool[(t240 + 88i)]);
    let v328 = bitcast<f32>(pool[(t240 + 96i)]);
    let v329 = bitcast<f32>(pool[(t240 + 104i)]);
    let v330 = bitcast<f32>(pool[(t240 + 112i)]);
    let v331 = bitcast<f32>(pool[(t240 + 120i)]);
    let v332 = (v316 + v324);
    let v333 = (v317 + v325);
    let v334 = (v318 + v326);
    let v335 = (v319 + v327);
    let v336 = (v320 + v328);
    let v337 = (v321 + v329);
    let v338 = (v322 + v330);
    let v339 = (v323 + v331);
    let v340 = (v332 + v336);
    let v341 = (v333 + v337);
    let v342 = (v334 + v338);
    let v343 = (v335 + v339);
    let v344 = (v340 + v342);
    let v345 = (v341 + v343);
    let v346 = (v344 + v345);
    let v347 = (v278 * v127);
    let v348 = (v346 + v347);
    let v349 = (v348 * v314);
    let v350 = (m165 * v275);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v350);
    workgroupBarrier();
    let v351 = bitcast<f32>(pool[t240]);
    let v352 = bitcast<f32>(pool[(t240 + 8i)]);
    let v353 = bitcast<f32>(pool[(t240 + 16i)]);
    let v354 = bitcast<f32>(pool[(t240 + 24i)]);
    let v355 = bitcast<f32>(pool[(t240 + 32i)]);
    let v356 = bitcast<f32>(pool[(t240 + 40i)]);
    let v357 = bitcast<f32>(pool[(t240 + 48i)]);
    let v358 = bitcast<f32>(pool[(t240 + 56i)]);
    let v359 = bitcast<f32>(pool[(t240 + 64i)]);
    let v360 = bitcast<f32>(pool[(t240 + 72i)]);
    let v361 = bitcast<f32>(pool[(t240 + 80i)]);
    let v362 = bitcast<f32>(pool[(t240 + 88i)]);
    let v363 = bitcast<f32>(pool[(t240 + 96i)]);
    let v364 = bitcast<f32>(pool[(t240 + 104i)]);
    let v365 = bitcast<f32>(pool[(t240 + 112i)]);
    let v366 = bitcast<f32>(pool[(t240 + 120i)]);
    let v367 = (v351 + v359);
    let v368 = (v352 + v360);
    let v369 = (v353 + v361);
    let v370 = (v354 + v362);
    let v371 = (v355 + v363);
    let v372 = (v356 + v364);
    let v373 = (v357 + v365);
    let v374 = (v358 + v366);
    let v375 = (v367 + v371);
    let v376 = (v368 + v372);
    let v377 = (v369 + v373);
    let v378 = (v370 + v374);
    let v379 = (v375 + v377);
    let v380 = (v376 + v378);
    let v381 = (v379 + v380);
    let v382 = (v278 * v130);
    let v383 = (v381 + v382);
    let v384 = (v383 * v314);
    let v385 = (pid_z * p.a6_heads);
    let v386 = (v385 + pid_y);
    let v387 = (v386 * p.a8_d);
    let v388 = (p.a12_splits > 1i);
    var m389: i32;
    if (v388) {
        let v390 = (v386 * p.a12_splits);
        let v391 = (v390 + pid_x);
        let v392 = (p.a8_d + 4i);
        let v393 = (v391 * v392);
        let v394 = select(1.0f, v311, v312);
        let v395 = log(v394);
        let v396 = (v273 + v395);
        let v398 = (t397 == 1i);
        let v399 = select(0.0f, 1.0f, v398);
        let v400 = (t397 == 0i);
        let v401 = select(v399, v396, v400);
        let v402 = (v393 + p.a8_d);
        let v403 = select(0.0f, v401, v312);
        let v404 = (v402 + t397);
        if (t405) {
            g_out[v404] = v403;
        }
        m389 = v393;
    }
    else {
        m389 = v387;
    }
    let v406 = (m389 + t19);
    storageBarrier();
    if (t22 && v21) {
        g_out[v406] = v349;
    }
    let v407 = (m389 + v3);
    let v408 = (v407 + t19);
    storageBarrier();
    if (t22 && v21) {
        g_out[v408] = v384;
    }
}
