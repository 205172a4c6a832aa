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
var<workgroup> pool: array<u32, 512>;
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
    let t19 = (lane & 31i);
    let t22 = (lane & 96i) == 0i;
    let t117 = (lane >> 5u);
    let t174 = lane & 99i;
    let t235 = lane & 124i;
    let t367 = lane & 31i;
    let t452 = (lane & 3i);
    let t460 = (lane & 124i) == 0i;
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
    var m100: f32 = v98;
    var m101: f32 = v98;
    var m102: f32 = v98;
    var m103: f32 = 0.0f;
    var m104: f32 = 0.0f;
    var m105: f32 = 0.0f;
    var m106: f32 = 0.0f;
    var m107: f32 = 0.0f;
    var m108: f32 = 0.0f;
    var m109: f32 = 0.0f;
    var m110: f32 = 0.0f;
    var m111: f32 = 0.0f;
    var m112: f32 = 0.0f;
    var m113: f32 = 0.0f;
    var m114: f32 = 0.0f;
    for (var i115: i32 = v94; (i115 < v96); i115 = i115 + 16i) {
        let v116 = (v96 - 1i);
        let v118 = (t117 + 4i);
        let v119 = (t117 + 8i);
        let v120 = (t117 + 12i);
        let v121 = (i115 + t117);
        let v122 = (i115 + v118);
        let v123 = (i115 + v119);
        let v124 = (i115 + v120);
        let v125 = min(v121, v116);
        let v126 = min(v122, v116);
        let v127 = min(v123, v116);
        let v128 = min(v124, v116);
        let v129 = (v71 + v125);
        let v130 = (v71 + v126);
        let v131 = (v71 + v127);
        let v132 = (v71 + v128);
        let v133 = (v129 * p.a7_d);
        let v134 = (v130 * p.a7_d);
        let v135 = (v131 * p.a7_d);
        let v136 = (v132 * p.a7_d);
        let v137 = min(t19, v97);
        let v138 = (v133 + v137);
        let v139 = (v134 + v137);
        let v140 = (v135 + v137);
        let v141 = (v136 + v137);
        let x142 = from_half(extractBits(atomicLoad(&g_k[(v138 >> 1u)]), u32(v138 & 1i) * 16u, 16u));
        let x143 = from_half(extractBits(atomicLoad(&g_k[(v139 >> 1u)]), u32(v139 & 1i) * 16u, 16u));
        let x144 = from_half(extractBits(atomicLoad(&g_k[(v140 >> 1u)]), u32(v140 & 1i) * 16u, 16u));
        let x145 = from_half(extractBits(atomicLoad(&g_k[(v141 >> 1u)]), u32(v141 & 1i) * 16u, 16u));
        let v146 = (v138 + v3);
        let v147 = (v139 + v3);
        let v148 = (v140 + v3);
        let v149 = (v141 + v3);
        let x150 = from_half(extractBits(atomicLoad(&g_k[(v146 >> 1u)]), u32(v146 & 1i) * 16u, 16u));
        let x151 = from_half(extractBits(atomicLoad(&g_k[(v147 >> 1u)]), u32(v147 & 1i) * 16u, 16u));
        let x152 = from_half(extractBits(atomicLoad(&g_k[(v148 >> 1u)]), u32(v148 & 1i) * 16u, 16u));
        let x153 = from_half(extractBits(atomicLoad(&g_k[(v149 >> 1u)]), u32(v149 & 1i) * 16u, 16u));
        let x154 = from_half(extractBits(atomicLoad(&g_v[(v138 >> 1u)]), u32(v138 & 1i) * 16u, 16u));
        let x155 = from_half(extractBits(atomicLoad(&g_v[(v139 >> 1u)]), u32(v139 & 1i) * 16u, 16u));
        let x156 = from_half(extractBits(atomicLoad(&g_v[(v140 >> 1u)]), u32(v140 & 1i) * 16u, 16u));
        let x157 = from_half(extractBits(atomicLoad(&g_v[(v141 >> 1u)]), u32(v141 & 1i) * 16u, 16u));
        let x158 = from_half(extractBits(atomicLoad(&g_v[(v146 >> 1u)]), u32(v146 & 1i) * 16u, 16u));
        let x159 = from_half(extractBits(atomicLoad(&g_v[(v147 >> 1u)]), u32(v147 & 1i) * 16u, 16u));
        let x160 = from_half(extractBits(atomicLoad(&g_v[(v148 >> 1u)]), u32(v148 & 1i) * 16u, 16u));
        let x161 = from_half(extractBits(atomicLoad(&g_v[(v149 >> 1u)]), u32(v149 & 1i) * 16u, 16u));
        let v162 = (x142 * v25);
        let v163 = (x143 * v25);
        let v164 = (x144 * v25);
        let v165 = (x145 * v25);
        let v166 = (x150 * v30);
        let v167 = (x151 * v30);
        let v168 = (x152 * v30);
        let v169 = (x153 * v30);
        let v170 = (v162 + v166);
        let v171 = (v163 + v167);
        let v172 = (v164 + v168);
        let v173 = (v165 + v169);
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v170);
        pool[(lane + 128i)] = bitcast<u32>(v171);
        pool[(lane + 256i)] = bitcast<u32>(v172);
        pool[(lane + 384i)] = bitcast<u32>(v173);
        workgroupBarrier();
        let v175 = bitcast<f32>(pool[t174]);
        let v176 = bitcast<f32>(pool[(t174 + 4i)]);
        let v177 = bitcast<f32>(pool[(t174 + 8i)]);
        let v178 = bitcast<f32>(pool[(t174 + 12i)]);
        let v179 = bitcast<f32>(pool[(t174 + 16i)]);
        let v180 = bitcast<f32>(pool[(t174 + 20i)]);
        let v181 = bitcast<f32>(pool[(t174 + 24i)]);
        let v182 = bitcast<f32>(pool[(t174 + 28i)]);
        let v183 = (v175 + v179);
        let v184 = (v176 + v180);
        let v185 = (v177 + v181);
        let v186 = (v178 + v182);
        let v187 = (v183 + v185);
        let v188 = (v184 + v186);
        let v189 = (v187 + v188);
        let v190 = bitcast<f32>(pool[(t174 + 128i)]);
        let v191 = bitcast<f32>(pool[((t174 + 4i) + 128i)]);
        let v192 = bitcast<f32>(pool[((t174 + 8i) + 128i)]);
        let v193 = bitcast<f32>(pool[((t174 + 12i) + 128i)]);
        let v194 = bitcast<f32>(pool[((t174 + 16i) + 128i)]);
        let v195 = bitcast<f32>(pool[((t174 + 20i) + 128i)]);
        let v196 = bitcast<f32>(pool[((t174 + 24i) + 128i)]);
        let v197 = bitcast<f32>(pool[((t174 + 28i) + 128i)]);
        let v198 = (v190 + v194);
        let v199 = (v191 + v195);
        let v200 = (v192 + v196);
        let v201 = (v193 + v197);
        let v202 = (v198 + v200);
        let v203 = (v199 + v201);
        let v204 = (v202 + v203);
        let v205 = bitcast<f32>(pool[(t174 + 256i)]);
        let v206 = bitcast<f32>(pool[((t174 + 4i) + 256i)]);
        let v207 = bitcast<f32>(pool[((t174 + 8i) + 256i)]);
        let v208 = bitcast<f32>(pool[((t174 + 12i) + 256i)]);
        let v209 = bitcast<f32>(pool[((t174 + 16i) + 256i)]);
        let v210 = bitcast<f32>(pool[((t174 + 20i) + 256i)]);
        let v211 = bitcast<f32>(pool[((t174 + 24i) + 256i)]);
        let v212 = bitcast<f32>(pool[((t174 + 28i) + 256i)]);
        let v213 = (v205 + v209);
        let v214 = (v206 + v210);
        let v215 = (v207 + v211);
        let v216 = (v208 + v212);
        let v217 = (v213 + v215);
        let v218 = (v214 + v216);
        let v219 = (v217 + v218);
        let v220 = bitcast<f32>(pool[(t174 + 384i)]);
        let v221 = bitcast<f32>(pool[((t174 + 4i) + 384i)]);
        let v222 = bitcast<f32>(pool[((t174 + 8i) + 384i)]);
        let v223 = bitcast<f32>(pool[((t174 + 12i) + 384i)]);
        let v224 = bitcast<f32>(pool[((t174 + 16i) + 384i)]);
        let v225 = bitcast<f32>(pool[((t174 + 20i) + 384i)]);
        let v226 = bitcast<f32>(pool[((t174 + 24i) + 384i)]);
        let v227 = bitcast<f32>(pool[((t174 + 28i) + 384i)]);
        let v228 = (v220 + v224);
        let v229 = (v221 + v225);
        let v230 = (v222 + v226);
        let v231 = (v223 + v227);
        let v232 = (v228 + v230);
        let v233 = (v229 + v231);
        let v234 = (v232 + v233);
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v189);
        pool[(lane + 128i)] = bitcast<u32>(v204);
        pool[(lane + 256i)] = bitcast<u32>(v219);
        pool[(lane + 384i)] = bitcast<u32>(v234);
        workgroupBarrier();
        let v236 = bitcast<f32>(pool[t235]);
        let v237 = bitcast<f32>(pool[(t235 + 1i)]);
        let v238 = bitcast<f32>(pool[(t235 + 2i)]);
        let v239 = bitcast<f32>(pool[(t235 + 3i)]);
        let v240 = (v236 + v238);
        let v241 = (v237 + v239);
        let v242 = (v240 + v241);
        let v243 = bitcast<f32>(pool[(t235 + 128i)]);
        let v244 = bitcast<f32>(pool[((t235 + 1i) + 128i)]);
        let v245 = bitcast<f32>(pool[((t235 + 2i) + 128i)]);
        let v246 = bitcast<f32>(pool[((t235 + 3i) + 128i)]);
        let v247 = (v243 + v245);
        let v248 = (v244 + v246);
        let v249 = (v247 + v248);
        let v250 = bitcast<f32>(pool[(t235 + 256i)]);
        let v251 = bitcast<f32>(pool[((t235 + 1i) + 256i)]);
        let v252 = bitcast<f32>(pool[((t235 + 2i) + 256i)]);
        let v253 = bitcast<f32>(pool[((t235 + 3i) + 256i)]);
        let v254 = (v250 + v252);
        let v255 = (v251 + v253);
        let v256 = (v254 + v255);
        let v257 = bitcast<f32>(pool[(t235 + 384i)]);
        let v258 = bitcast<f32>(pool[((t235 + 1i) + 384i)]);
        let v259 = bitcast<f32>(pool[((t235 + 2i) + 384i)]);
        let v260 = bitcast<f32>(pool[((t235 + 3i) + 384i)]);
        let v261 = (v257 + v259);
        let v262 = (v258 + v260);
        let v263 = (v261 + v262);
        let v264 = (v242 * p.a12_scale);
        let v265 = (v249 * p.a12_scale);
        let v266 = (v256 * p.a12_scale);
        let v267 = (v263 * p.a12_scale);
        let v268 = (v121 < v96);
        let v269 = (v122 < v96);
        let v270 = (v123 < v96);
        let v271 = (v124 < v96);
        let v272 = select(v98, v264, v268);
        let v273 = select(v98, v265, v269);
        let v274 = select(v98, v266, v270);
        let v275 = select(v98, v267, v271);
        let v276 = fmax_num(m99, v272);
        let v277 = fmax_num(m100, v273);
        let v278 = fmax_num(m101, v274);
        let v279 = fmax_num(m102, v275);
        let v280 = (m99 - v276);
        let v281 = (m100 - v277);
        let v282 = (m101 - v278);
        let v283 = (m102 - v279);
        let v284 = exp_of(v280);
        let v285 = exp_of(v281);
        let v286 = exp_of(v282);
        let v287 = exp_of(v283);
        let v288 = (v272 - v276);
        let v289 = (v273 - v277);
        let v290 = (v274 - v278);
        let v291 = (v275 - v279);
        let v292 = exp_of(v288);
        let v293 = exp_of(v289);
        let v294 = exp_of(v290);
        let v295 = exp_of(v291);
        let v296 = select(0.0f, v292, v268);
        let v297 = select(0.0f, v293, v269);
        let v298 = select(0.0f, v294, v270);
        let v299 = select(0.0f, v295, v271);
        let v300 = (m103 * v284);
        let v301 = (m104 * v285);
        let v302 = (m105 * v286);
        let v303 = (m106 * v287);
        let v304 = (v300 + v296);
        let v305 = (v301 + v297);
        let v306 = (v302 + v298);
        let v307 = (v303 + v299);
        let v308 = (m107 * v284);
        let v309 = (m108 * v285);
        let v310 = (m109 * v286);
        let v311 = (m110 * v287);
        let v312 = (x154 * v296);
        let v313 = (x155 * v297);
        let v314 = (x156 * v298);
        let v315 = (x157 * v299);
        let v316 = (v308 + v312);
        let v317 = (v309 + v313);
        let v318 = (v310 + v314);
        let v319 = (v311 + v315);
        let v320 = (m111 * v284);
        let v321 = (m112 * v285);
        let v322 = (m113 * v286);
        let v323 = (m114 * v287);
        let v324 = (x158 * v296);
        let v325 = (x159 * v297);
        let v326 = (x160 * v298);
        let v327 = (x161 * v299);
        let v328 = (v320 + v324);
        let v329 = (v321 + v325);
        let v330 = (v322 + v326);
        let v331 = (v323 + v327);
        m99 = v276;
        m100 = v277;
        m101 = v278;
        m102 = v279;
        m103 = v304;
        m104 = v305;
        m105 = v306;
        m106 = v307;
        m107 = v316;
        m108 = v317;
        m109 = v318;
        m110 = v319;
        m111 = v328;
        m112 = v329;
        m113 = v330;
        m114 = v331;
    }
    let v332 = (v71 + x8);
    let v333 = (v3 * 2i);
    let v334 = (v332 * v333);
    let v335 = (v334 + t19);
    let v336 = (v21 & v77);
    storageBarrier();
    if (t22 && v336) {
        put16_g_k(v335, half_bits(v57));
    }
    let v337 = (v335 + v3);
    storageBarrier();
    if (t22 && v336) {
        put16_g_k(v337, half_bits(v60));
    }
    if (t22 && v336) {
        put16_g_v(v335, half_bits(v63));
    }
    storageBarrier();
    if (t22 && v336) {
        put16_g_v(v337, half_bits(v66));
    }
    let v338 = (v25 * v57);
    let v339 = (v30 * v60);
    let v340 = (v338 + v339);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v340);
    workgroupBarrier();
    let v341 = bitcast<f32>(pool[t174]);
    let v342 = bitcast<f32>(pool[(t174 + 4i)]);
    let v343 = bitcast<f32>(pool[(t174 + 8i)]);
    let v344 = bitcast<f32>(pool[(t174 + 12i)]);
    let v345 = bitcast<f32>(pool[(t174 + 16i)]);
    let v346 = bitcast<f32>(pool[(t174 + 20i)]);
    let v347 = bitcast<f32>(pool[(t174 + 24i)]);
    let v348 = bitcast<f32>(pool[(t174 + 28i)]);
    let v349 = (v341 + v345);
    let v350 = (v342 + v346);
    let v351 = (v343 + v347);
    let v352 = (v344 + v348);
    let v353 = (v349 + v351);
    let v354 = (v350 + v352);
    let v355 = (v353 + v354);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v355);
    workgroupBarrier();
    let v356 = bitcast<f32>(pool[t235]);
    let v357 = bitcast<f32>(pool[(t235 + 1i)]);
    let v358 = bitcast<f32>(pool[(t235 + 2i)]);
    let v359 = bitcast<f32>(pool[(t235 + 3i)]);
    let v360 = (v356 + v358);
    let v361 = (v357 + v359);
    let v362 = (v360 + v361);
    let v363 = (v362 * p.a12_scale);
    let v364 = fmax_num(m99, m100);
    let v365 = fmax_num(v364, m101);
    let v366 = fmax_num(v365, m102);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v366);
    workgroupBarrier();
    let v368 = bitcast<f32>(pool[t367]);
    let v369 = bitcast<f32>(pool[(t367 + 32i)]);
    let v370 = bitcast<f32>(pool[(t367 + 64i)]);
    let v371 = bitcast<f32>(pool[(t367 + 96i)]);
    let v372 = fmax_num(v368, v370);
    let v373 = fmax_num(v369, v371);
    let v374 = fmax_num(v372, v373);
    let v375 = fmax_num(v374, v363);
    let v376 = select(v374, v375, v72);
    let v377 = (m99 - v376);
    let v378 = (m100 - v376);
    let v379 = (m101 - v376);
    let v380 = (m102 - v376);
    let v381 = exp_of(v377);
    let v382 = exp_of(v378);
    let v383 = exp_of(v379);
    let v384 = exp_of(v380);
    let v385 = (v363 - v376);
    let v386 = exp_of(v385);
    let v387 = select(0.0f, v386, v72);
    let v388 = (m103 * v381);
    let v389 = (m104 * v382);
    let v390 = (m105 * v383);
    let v391 = (m106 * v384);
    let v392 = (v388 + v389);
    let v393 = (v392 + v390);
    let v394 = (v393 + v391);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v394);
    workgroupBarrier();
    let v395 = bitcast<f32>(pool[t367]);
    let v396 = bitcast<f32>(pool[(t367 + 32i)]);
    let v397 = bitcast<f32>(pool[(t367 + 64i)]);
    let v398 = bitcast<f32>(pool[(t367 + 96i)]);
    let v399 = (v395 + v397);
    let v400 = (v396 + v398);
    let v401 = (v399 + v400);
    let v402 = (v401 + v387);
    let v403 = (v402 > 0.0f);
    let v404 = (1.0f / v402);
    let v405 = select(0.0f, v404, v403);
    let v406 = (m107 * v381);
    let v407 = (m108 * v382);
    let v408 = (m109 * v383);
    let v409 = (m110 * v384);
    let v410 = (v406 + v407);
    let v411 = (v410 + v408);
    let v412 = (v411 + v409);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v412);
    workgroupBarrier();
    let v413 = bitcast<f32>(pool[t367]);
    let v414 = bitcast<f32>(pool[(t367 + 32i)]);
    let v415 = bitcast<f32>(pool[(t367 + 64i)]);
    let v416 = bitcast<f32>(pool[(t367 + 96i)]);
    let v417 = (v413 + v415);
    let v418 = (v414 + v416);
    let v419 = (v417 + v418);
    let v420 = (v387 * v63);
    let v421 = (v419 + v420);
    let v422 = (v421 * v405);
    let v423 = (m111 * v381);
    let v424 = (m112 * v382);
    let v425 = (m113 * v383);
    let v426 = (m114 * v384);
    let v427 = (v423 + v424);
    let v428 = (v427 + v425);
    let v429 = (v428 + v426);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v429);
    workgroupBarrier();
    let v430 = bitcast<f32>(pool[t367]);
    let v431 = bitcast<f32>(pool[(t367 + 32i)]);
    let v432 = bitcast<f32>(pool[(t367 + 64i)]);
    let v433 = bitcast<f32>(pool[(t367 + 96i)]);
    let v434 = (v430 + v432);
    let v435 = (v431 + v433);
    let v436 = (v434 + v435);
    let v437 = (v387 * v66);
    let v438 = (v436 + v437);
    let v439 = (v438 * v405);
    let v440 = (pid_z * p.a5_heads);
    let v441 = (v440 + pid_y);
    let v442 = (v441 * p.a7_d);
    let v443 = (p.a11_splits > 1i);
    var m444: i32;
    if (v443) {
        let v445 = (v441 * p.a11_splits);
        let v446 = (v445 + pid_x);
        let v447 = (p.a7_d + 4i);
        let v448 = (v446 * v447);
        let v449 = select(1.0f, v402, v403);
        let v450 = log(v449);
        let v451 = (v376 + v450);
        let v453 = (t452 == 1i);
        let v454 = select(0.0f, 1.0f, v453);
        let v455 = (t452 == 0i);
        let v456 = select(v454, v451, v455);
        let v457 = (v448 + p.a7_d);
        let v458 = select(0.0f, v456, v403);
        let v459 = (v457 + t452);
        if (t460) {
            g_out[v459] = v458;
        }
        m444 = v448;
    }
    else {
        m444 = v442;
    }
    let v461 = (m444 + t19);
    storageBarrier();
    if (t22 && v21) {
        g_out[v461] = v422;
    }
    let v462 = (m444 + v3);
    let v463 = (v462 + t19);
    storageBarrier();
    if (t22 && v21) {
        g_out[v463] = v439;
    }
}
