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
@group(0) @binding(3) var<storage, read_write> g_k: array<f32>;
@group(0) @binding(4) var<storage, read_write> g_v: array<f32>;
@group(0) @binding(5) var<storage, read_write> g_out: array<f32>;
var<workgroup> pool: array<u32, 128>;
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}
fn fmax_num(a: f32, b: f32) -> f32 {
    return select(select(max(a, b), a, is_nan(b)), b, is_nan(a));
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
    let t93 = (lane >> 3u);
    let t108 = lane & 120i;
    let t166 = lane & 7i;
    let t323 = (lane & 3i);
    let t331 = (lane & 124i) == 0i;
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
    let v55 = (p.a11_splits - 1i);
    let v56 = (pid_x == v55);
    let v57 = (x6 * p.a6_kv_heads);
    let v58 = (v57 + v2);
    let v59 = (v58 * p.a9_capacity);
    let v60 = (v56 & v13);
    let v61 = (x8 < p.a9_capacity);
    let v62 = (v60 & v61);
    let v63 = (pid_y % v1);
    let v64 = (v63 == 0i);
    let v65 = (v62 & v64);
    let v66 = min(x8, p.a9_capacity);
    let v67 = select(0i, v66, v13);
    let v68 = (p.a10_window > 0i);
    let v69 = (x8 + 1i);
    let v70 = (v69 - p.a10_window);
    let v71 = max(v70, 0i);
    let v72 = min(v71, v67);
    let v73 = select(0i, v72, v68);
    let v74 = (v67 - v73);
    let v75 = (v74 + v55);
    let v76 = (v75 / p.a11_splits);
    let v77 = (v76 + 15i);
    let v78 = (v77 / 16i);
    let v79 = (v78 * 16i);
    let v80 = (pid_x * v79);
    let v81 = (v73 + v80);
    let v82 = min(v81, v67);
    let v83 = (v82 + v79);
    let v84 = min(v83, v67);
    let v85 = (v3 - 1i);
    let v86 = (-1e+38f);
    var m87: f32 = v86;
    var m88: f32 = 0.0f;
    var m89: f32 = 0.0f;
    var m90: f32 = 0.0f;
    for (var i91: i32 = v82; (i91 < v84); i91 = i91 + 16i) {
        let v92 = (v84 - 1i);
        let v94 = (i91 + t93);
        let v95 = min(v94, v92);
        let v96 = (v59 + v95);
        let v97 = (v96 * p.a7_d);
        let v98 = min(t19, v85);
        let v99 = (v97 + v98);
        let x100 = g_k[v99];
        let v101 = (v99 + v3);
        let x102 = g_k[v101];
        let x103 = g_v[v99];
        let x104 = g_v[v101];
        let v105 = (x100 * v25);
        let v106 = (x102 * v30);
        let v107 = (v105 + v106);
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v107);
        workgroupBarrier();
        let v109 = bitcast<f32>(pool[t108]);
        let v110 = bitcast<f32>(pool[(t108 + 1i)]);
        let v111 = bitcast<f32>(pool[(t108 + 2i)]);
        let v112 = bitcast<f32>(pool[(t108 + 3i)]);
        let v113 = bitcast<f32>(pool[(t108 + 4i)]);
        let v114 = bitcast<f32>(pool[(t108 + 5i)]);
        let v115 = bitcast<f32>(pool[(t108 + 6i)]);
        let v116 = bitcast<f32>(pool[(t108 + 7i)]);
        let v117 = (v109 + v113);
        let v118 = (v110 + v114);
        let v119 = (v111 + v115);
        let v120 = (v112 + v116);
        let v121 = (v117 + v119);
        let v122 = (v118 + v120);
        let v123 = (v121 + v122);
        let v124 = (v123 * p.a12_scale);
        let v125 = (v94 < v84);
        let v126 = select(v86, v124, v125);
        let v127 = fmax_num(m87, v126);
        let v128 = (m87 - v127);
        let v129 = exp_of(v128);
        let v130 = (v126 - v127);
        let v131 = exp_of(v130);
        let v132 = select(0.0f, v131, v125);
        let v133 = (m88 * v129);
        let v134 = (v133 + v132);
        let v135 = (m89 * v129);
        let v136 = (x103 * v132);
        let v137 = (v135 + v136);
        let v138 = (m90 * v129);
        let v139 = (x104 * v132);
        let v140 = (v138 + v139);
        m87 = v127;
        m88 = v134;
        m89 = v137;
        m90 = v140;
    }
    let v141 = (v59 + x8);
    let v142 = (v3 * 2i);
    let v143 = (v141 * v142);
    let v144 = (v143 + t19);
    let v145 = (v21 & v65);
    storageBarrier();
    if (t22 && v145) {
        g_k[v144] = v37;
    }
    let v146 = (v144 + v3);
    storageBarrier();
    if (t22 && v145) {
        g_k[v146] = v42;
    }
    if (t22 && v145) {
        g_v[v144] = v49;
    }
    storageBarrier();
    if (t22 && v145) {
        g_v[v146] = v54;
    }
    let v147 = (v25 * v37);
    let v148 = (v30 * v42);
    let v149 = (v147 + v148);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v149);
    workgroupBarrier();
    let v150 = bitcast<f32>(pool[t108]);
    let v151 = bitcast<f32>(pool[(t108 + 1i)]);
    let v152 = bitcast<f32>(pool[(t108 + 2i)]);
    let v153 = bitcast<f32>(pool[(t108 + 3i)]);
    let v154 = bitcast<f32>(pool[(t108 + 4i)]);
    let v155 = bitcast<f32>(pool[(t108 + 5i)]);
    let v156 = bitcast<f32>(pool[(t108 + 6i)]);
    let v157 = bitcast<f32>(pool[(t108 + 7i)]);
    let v158 = (v150 + v154);
    let v159 = (v151 + v155);
    let v160 = (v152 + v156);
    let v161 = (v153 + v157);
    let v162 = (v158 + v160);
    let v163 = (v159 + v161);
    let v164 = (v162 + v163);
    let v165 = (v164 * p.a12_scale);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(m87);
    workgroupBarrier();
    let v167 = bitcast<f32>(pool[t166]);
    let v168 = bitcast<f32>(pool[(t166 + 8i)]);
    let v169 = bitcast<f32>(pool[(t166 + 16i)]);
    let v170 = bitcast<f32>(pool[(t166 + 24i)]);
    let v171 = bitcast<f32>(pool[(t166 + 32i)]);
    let v172 = bitcast<f32>(pool[(t166 + 40i)]);
    let v173 = bitcast<f32>(pool[(t166 + 48i)]);
    let v174 = bitcast<f32>(pool[(t166 + 56i)]);
    let v175 = bitcast<f32>(pool[(t166 + 64i)]);
    let v176 = bitcast<f32>(pool[(t166 + 72i)]);
    let v177 = bitcast<f32>(pool[(t166 + 80i)]);
    let v178 = bitcast<f32>(pool[(t166 + 88i)]);
    let v179 = bitcast<f32>(pool[(t166 + 96i)]);
    let v180 = bitcast<f32>(pool[(t166 + 104i)]);
    let v181 = bitcast<f32>(pool[(t166 + 112i)]);
    let v182 = bitcast<f32>(pool[(t166 + 120i)]);
    let v183 = fmax_num(v167, v175);
    let v184 = fmax_num(v168, v176);
    let v185 = fmax_num(v169, v177);
    let v186 = fmax_num(v170, v178);
    let v187 = fmax_num(v171, v179);
    let v188 = fmax_num(v172, v180);
    let v189 = fmax_num(v173, v181);
    let v190 = fmax_num(v174, v182);
    let v191 = fmax_num(v183, v187);
    let v192 = fmax_num(v184, v188);
    let v193 = fmax_num(v185, v189);
    let v194 = fmax_num(v186, v190);
    let v195 = fmax_num(v191, v193);
    let v196 = fmax_num(v192, v194);
    let v197 = fmax_num(v195, v196);
    let v198 = fmax_num(v197, v165);
    let v199 = select(v197, v198, v60);
    let v200 = (m87 - v199);
    let v201 = exp_of(v200);
    let v202 = (v165 - v199);
    let v203 = exp_of(v202);
    let v204 = select(0.0f, v203, v60);
    let v205 = (m88 * v201);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v205);
    workgroupBarrier();
    let v206 = bitcast<f32>(pool[t166]);
    let v207 = bitcast<f32>(pool[(t166 + 8i)]);
    let v208 = bitcast<f32>(pool[(t166 + 16i)]);
    let v209 = bitcast<f32>(pool[(t166 + 24i)]);
    let v210 = bitcast<f32>(pool[(t166 + 32i)]);
    let v211 = bitcast<f32>(pool[(t166 + 40i)]);
    let v212 = bitcast<f32>(pool[(t166 + 48i)]);
    let v213 = bitcast<f32>(pool[(t166 + 56i)]);
    let v214 = bitcast<f32>(pool[(t166 + 64i)]);
    let v215 = bitcast<f32>(pool[(t166 + 72i)]);
    let v216 = bitcast<f32>(pool[(t166 + 80i)]);
    let v217 = bitcast<f32>(pool[(t166 + 88i)]);
    let v218 = bitcast<f32>(pool[(t166 + 96i)]);
    let v219 = bitcast<f32>(pool[(t166 + 104i)]);
    let v220 = bitcast<f32>(pool[(t166 + 112i)]);
    let v221 = bitcast<f32>(pool[(t166 + 120i)]);
    let v222 = (v206 + v214);
    let v223 = (v207 + v215);
    let v224 = (v208 + v216);
    let v225 = (v209 + v217);
    let v226 = (v210 + v218);
    let v227 = (v211 + v219);
    let v228 = (v212 + v220);
    let v229 = (v213 + v221);
    let v230 = (v222 + v226);
    let v231 = (v223 + v227);
    let v232 = (v224 + v228);
    let v233 = (v225 + v229);
    let v234 = (v230 + v232);
    let v235 = (v231 + v233);
    let v236 = (v234 + v235);
    let v237 = (v236 + v204);
    let v238 = (v237 > 0.0f);
    let v239 = (1.0f / v237);
    let v240 = select(0.0f, v239, v238);
    let v241 = (m89 * v201);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v241);
    workgroupBarrier();
    let v242 = bitcast<f32>(pool[t166]);
    let v243 = bitcast<f32>(pool[(t166 + 8i)]);
    let v244 = bitcast<f32>(pool[(t166 + 16i)]);
    let v245 = bitcast<f32>(pool[(t166 + 24i)]);
    let v246 = bitcast<f32>(pool[(t166 + 32i)]);
    let v247 = bitcast<f32>(pool[(t166 + 40i)]);
    let v248 = bitcast<f32>(pool[(t166 + 48i)]);
    let v249 = bitcast<f32>(pool[(t166 + 56i)]);
    let v250 = bitcast<f32>(pool[(t166 + 64i)]);
    let v251 = bitcast<f32>(pool[(t166 + 72i)]);
    let v252 = bitcast<f32>(pool[(t166 + 80i)]);
    let v253 = bitcast<f32>(pool[(t166 + 88i)]);
    let v254 = bitcast<f32>(pool[(t166 + 96i)]);
    let v255 = bitcast<f32>(pool[(t166 + 104i)]);
    let v256 = bitcast<f32>(pool[(t166 + 112i)]);
    let v257 = bitcast<f32>(pool[(t166 + 120i)]);
    let v258 = (v242 + v250);
    let v259 = (v243 + v251);
    let v260 = (v244 + v252);
    let v261 = (v245 + v253);
    let v262 = (v246 + v254);
    let v263 = (v247 + v255);
    let v264 = (v248 + v256);
    let v265 = (v249 + v257);
    let v266 = (v258 + v262);
    let v267 = (v259 + v263);
    let v268 = (v260 + v264);
    let v269 = (v261 + v265);
    let v270 = (v266 + v268);
    let v271 = (v267 + v269);
    let v272 = (v270 + v271);
    let v273 = (v204 * v49);
    let v274 = (v272 + v273);
    let v275 = (v274 * v240);
    let v276 = (m90 * v201);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v276);
    workgroupBarrier();
    let v277 = bitcast<f32>(pool[t166]);
    let v278 = bitcast<f32>(pool[(t166 + 8i)]);
    let v279 = bitcast<f32>(pool[(t166 + 16i)]);
    let v280 = bitcast<f32>(pool[(t166 + 24i)]);
    let v281 = bitcast<f32>(pool[(t166 + 32i)]);
    let v282 = bitcast<f32>(pool[(t166 + 40i)]);
    let v283 = bitcast<f32>(pool[(t166 + 48i)]);
    let v284 = bitcast<f32>(pool[(t166 + 56i)]);
    let v285 = bitcast<f32>(pool[(t166 + 64i)]);
    let v286 = bitcast<f32>(pool[(t166 + 72i)]);
    let v287 = bitcast<f32>(pool[(t166 + 80i)]);
    let v288 = bitcast<f32>(pool[(t166 + 88i)]);
    let v289 = bitcast<f32>(pool[(t166 + 96i)]);
    let v290 = bitcast<f32>(pool[(t166 + 104i)]);
    let v291 = bitcast<f32>(pool[(t166 + 112i)]);
    let v292 = bitcast<f32>(pool[(t166 + 120i)]);
    let v293 = (v277 + v285);
    let v294 = (v278 + v286);
    let v295 = (v279 + v287);
    let v296 = (v280 + v288);
    let v297 = (v281 + v289);
    let v298 = (v282 + v290);
    let v299 = (v283 + v291);
    let v300 = (v284 + v292);
    let v301 = (v293 + v297);
    let v302 = (v294 + v298);
    let v303 = (v295 + v299);
    let v304 = (v296 + v300);
    let v305 = (v301 + v303);
    let v306 = (v302 + v304);
    let v307 = (v305 + v306);
    let v308 = (v204 * v54);
    let v309 = (v307 + v308);
    let v310 = (v309 * v240);
    let v311 = (pid_z * p.a5_heads);
    let v312 = (v311 + pid_y);
    let v313 = (v312 * p.a7_d);
    let v314 = (p.a11_splits > 1i);
    var m315: i32;
    if (v314) {
        let v316 = (v312 * p.a11_splits);
        let v317 = (v316 + pid_x);
        let v318 = (p.a7_d + 4i);
        let v319 = (v317 * v318);
        let v320 = select(1.0f, v237, v238);
        let v321 = log(v320);
        let v322 = (v199 + v321);
        let v324 = (t323 == 1i);
        let v325 = select(0.0f, 1.0f, v324);
        let v326 = (t323 == 0i);
        let v327 = select(v325, v322, v326);
        let v328 = (v319 + p.a7_d);
        let v329 = select(0.0f, v327, v238);
        let v330 = (v328 + t323);
        if (t331) {
            g_out[v330] = v329;
        }
        m315 = v319;
    }
    else {
        m315 = v313;
    }
    let v332 = (m315 + t19);
    storageBarrier();
    if (t22 && v21) {
        g_out[v332] = v275;
    }
    let v333 = (m315 + v3);
    let v334 = (v333 + t19);
    storageBarrier();
    if (t22 && v21) {
        g_out[v334] = v310;
    }
}
