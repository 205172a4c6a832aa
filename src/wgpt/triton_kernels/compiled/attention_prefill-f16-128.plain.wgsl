struct Params {
    a5_count: i32,
    a6_heads: i32,
    a7_kv_heads: i32,
    a8_d: i32,
    a9_slots: i32,
    a10_capacity: i32,
    a11_window: i32,
    a12_scale: f32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_q: array<f32>;
@group(0) @binding(2) var<storage, read> g_rows: array<i32>;
@group(0) @binding(3) var<storage, read> g_k: array<u32>;
@group(0) @binding(4) var<storage, read> g_v: array<u32>;
@group(0) @binding(5) var<storage, read_write> g_out: array<f32>;
var<workgroup> pool: array<u32, 2320>;
var<workgroup> uniform_slot: u32;
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}
fn fmax_num(a: f32, b: f32) -> f32 {
    return select(select(max(a, b), a, is_nan(b)), b, is_nan(a));
}
fn from_half(h: u32) -> f32 {
    return unpack2x16float(h).x;
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

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t3 = (lane >> 4u);
    let t8 = (lane & 15i) == 0i;
    let t26 = lane & 15i;
    let t128 = (lane >> 7u);
    let t176 = (lane & 127i);
    let t294 = (lane & 15i);
    let t300 = ((lane >> 6u) & 1i);
    let t301 = (lane & 63i);
    let t313 = lane & 240i;
    let t400 = (lane >> 5u);
    let t420 = (lane & 31i);
    let v1 = (pid_x * 16i);
    let v2 = (p.a5_count - 1i);
    let v4 = (v1 + t3);
    let v5 = min(v4, v2);
    let v6 = (v5 * 2i);
    let v7 = (v6 + 1i);
    let x9 = g_rows[v7];
    let v10 = (v4 < p.a5_count);
    let v11 = select((-1i), x9, v10);
    let x12 = g_rows[v6];
    let v13 = (v11 != (-1i));
    let v14 = (x12 >= 0i);
    let v15 = (v13 & v14);
    let v16 = (x12 < p.a9_slots);
    let v17 = (v15 & v16);
    let v18 = (v11 + 1i);
    let v19 = min(v18, p.a10_capacity);
    let v20 = select(0i, v19, v17);
    let v21 = (p.a11_window > 0i);
    let v22 = (v18 - p.a11_window);
    let v23 = max(v22, 0i);
    let v24 = min(v23, v20);
    let v25 = select(0i, v24, v21);
    pool[lane] = bitcast<u32>(v20);
    workgroupBarrier();
    let v27 = bitcast<i32>(pool[t26]);
    let v28 = bitcast<i32>(pool[(t26 + 16i)]);
    let v29 = bitcast<i32>(pool[(t26 + 32i)]);
    let v30 = bitcast<i32>(pool[(t26 + 48i)]);
    let v31 = bitcast<i32>(pool[(t26 + 64i)]);
    let v32 = bitcast<i32>(pool[(t26 + 80i)]);
    let v33 = bitcast<i32>(pool[(t26 + 96i)]);
    let v34 = bitcast<i32>(pool[(t26 + 112i)]);
    let v35 = bitcast<i32>(pool[(t26 + 128i)]);
    let v36 = bitcast<i32>(pool[(t26 + 144i)]);
    let v37 = bitcast<i32>(pool[(t26 + 160i)]);
    let v38 = bitcast<i32>(pool[(t26 + 176i)]);
    let v39 = bitcast<i32>(pool[(t26 + 192i)]);
    let v40 = bitcast<i32>(pool[(t26 + 208i)]);
    let v41 = bitcast<i32>(pool[(t26 + 224i)]);
    let v42 = bitcast<i32>(pool[(t26 + 240i)]);
    let v43 = max(v27, v35);
    let v44 = max(v28, v36);
    let v45 = max(v29, v37);
    let v46 = max(v30, v38);
    let v47 = max(v31, v39);
    let v48 = max(v32, v40);
    let v49 = max(v33, v41);
    let v50 = max(v34, v42);
    let v51 = max(v43, v47);
    let v52 = max(v44, v48);
    let v53 = max(v45, v49);
    let v54 = max(v46, v50);
    let v55 = max(v51, v53);
    let v56 = max(v52, v54);
    let v57 = max(v55, v56);
    let v58 = select(v57, v25, v17);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v58);
    workgroupBarrier();
    let v59 = bitcast<i32>(pool[t26]);
    let v60 = bitcast<i32>(pool[(t26 + 16i)]);
    let v61 = bitcast<i32>(pool[(t26 + 32i)]);
    let v62 = bitcast<i32>(pool[(t26 + 48i)]);
    let v63 = bitcast<i32>(pool[(t26 + 64i)]);
    let v64 = bitcast<i32>(pool[(t26 + 80i)]);
    let v65 = bitcast<i32>(pool[(t26 + 96i)]);
    let v66 = bitcast<i32>(pool[(t26 + 112i)]);
    let v67 = bitcast<i32>(pool[(t26 + 128i)]);
    let v68 = bitcast<i32>(pool[(t26 + 144i)]);
    let v69 = bitcast<i32>(pool[(t26 + 160i)]);
    let v70 = bitcast<i32>(pool[(t26 + 176i)]);
    let v71 = bitcast<i32>(pool[(t26 + 192i)]);
    let v72 = bitcast<i32>(pool[(t26 + 208i)]);
    let v73 = bitcast<i32>(pool[(t26 + 224i)]);
    let v74 = bitcast<i32>(pool[(t26 + 240i)]);
    let v75 = min(v59, v67);
    let v76 = min(v60, v68);
    let v77 = min(v61, v69);
    let v78 = min(v62, v70);
    let v79 = min(v63, v71);
    let v80 = min(v64, v72);
    let v81 = min(v65, v73);
    let v82 = min(v66, v74);
    let v83 = min(v75, v79);
    let v84 = min(v76, v80);
    let v85 = min(v77, v81);
    let v86 = min(v78, v82);
    let v87 = min(v83, v85);
    let v88 = min(v84, v86);
    let v89 = min(v87, v88);
    let v90 = select(0i, x12, v17);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v90);
    workgroupBarrier();
    let v91 = bitcast<i32>(pool[t26]);
    let v92 = bitcast<i32>(pool[(t26 + 16i)]);
    let v93 = bitcast<i32>(pool[(t26 + 32i)]);
    let v94 = bitcast<i32>(pool[(t26 + 48i)]);
    let v95 = bitcast<i32>(pool[(t26 + 64i)]);
    let v96 = bitcast<i32>(pool[(t26 + 80i)]);
    let v97 = bitcast<i32>(pool[(t26 + 96i)]);
    let v98 = bitcast<i32>(pool[(t26 + 112i)]);
    let v99 = bitcast<i32>(pool[(t26 + 128i)]);
    let v100 = bitcast<i32>(pool[(t26 + 144i)]);
    let v101 = bitcast<i32>(pool[(t26 + 160i)]);
    let v102 = bitcast<i32>(pool[(t26 + 176i)]);
    let v103 = bitcast<i32>(pool[(t26 + 192i)]);
    let v104 = bitcast<i32>(pool[(t26 + 208i)]);
    let v105 = bitcast<i32>(pool[(t26 + 224i)]);
    let v106 = bitcast<i32>(pool[(t26 + 240i)]);
    let v107 = max(v91, v99);
    let v108 = max(v92, v100);
    let v109 = max(v93, v101);
    let v110 = max(v94, v102);
    let v111 = max(v95, v103);
    let v112 = max(v96, v104);
    let v113 = max(v97, v105);
    let v114 = max(v98, v106);
    let v115 = max(v107, v111);
    let v116 = max(v108, v112);
    let v117 = max(v109, v113);
    let v118 = max(v110, v114);
    let v119 = max(v115, v117);
    let v120 = max(v116, v118);
    let v121 = max(v119, v120);
    let v122 = (v121 * p.a7_kv_heads);
    let v123 = (p.a6_heads / p.a7_kv_heads);
    let v124 = (pid_y / v123);
    let v125 = (v122 + v124);
    let v126 = (v125 * p.a10_capacity);
    let v127 = (p.a8_d - 1i);
    let v129 = (t128 + 2i);
    let v130 = (t128 + 4i);
    let v131 = (t128 + 6i);
    let v132 = (t128 + 8i);
    let v133 = (t128 + 10i);
    let v134 = (t128 + 12i);
    let v135 = (t128 + 14i);
    let v136 = (v1 + t128);
    let v137 = (v1 + v129);
    let v138 = (v1 + v130);
    let v139 = (v1 + v131);
    let v140 = (v1 + v132);
    let v141 = (v1 + v133);
    let v142 = (v1 + v134);
    let v143 = (v1 + v135);
    let v144 = min(v136, v2);
    let v145 = min(v137, v2);
    let v146 = min(v138, v2);
    let v147 = min(v139, v2);
    let v148 = min(v140, v2);
    let v149 = min(v141, v2);
    let v150 = min(v142, v2);
    let v151 = min(v143, v2);
    let v152 = (v144 * p.a6_heads);
    let v153 = (v145 * p.a6_heads);
    let v154 = (v146 * p.a6_heads);
    let v155 = (v147 * p.a6_heads);
    let v156 = (v148 * p.a6_heads);
    let v157 = (v149 * p.a6_heads);
    let v158 = (v150 * p.a6_heads);
    let v159 = (v151 * p.a6_heads);
    let v160 = (v152 + pid_y);
    let v161 = (v153 + pid_y);
    let v162 = (v154 + pid_y);
    let v163 = (v155 + pid_y);
    let v164 = (v156 + pid_y);
    let v165 = (v157 + pid_y);
    let v166 = (v158 + pid_y);
    let v167 = (v159 + pid_y);
    let v168 = (v160 * p.a8_d);
    let v169 = (v161 * p.a8_d);
    let v170 = (v162 * p.a8_d);
    let v171 = (v163 * p.a8_d);
    let v172 = (v164 * p.a8_d);
    let v173 = (v165 * p.a8_d);
    let v174 = (v166 * p.a8_d);
    let v175 = (v167 * p.a8_d);
    let v177 = min(t176, v127);
    let v178 = (v168 + v177);
    let v179 = (v169 + v177);
    let v180 = (v170 + v177);
    let v181 = (v171 + v177);
    let v182 = (v172 + v177);
    let v183 = (v173 + v177);
    let v184 = (v174 + v177);
    let v185 = (v175 + v177);
    let x186 = g_q[v178];
    let x187 = g_q[v179];
    let x188 = g_q[v180];
    let x189 = g_q[v181];
    let x190 = g_q[v182];
    let x191 = g_q[v183];
    let x192 = g_q[v184];
    let x193 = g_q[v185];
    let v194 = (t176 < p.a8_d);
    let v195 = select(0.0f, x186, v194);
    let v196 = select(0.0f, x187, v194);
    let v197 = select(0.0f, x188, v194);
    let v198 = select(0.0f, x189, v194);
    let v199 = select(0.0f, x190, v194);
    let v200 = select(0.0f, x191, v194);
    let v201 = select(0.0f, x192, v194);
    let v202 = select(0.0f, x193, v194);
    let v203 = (v195 * p.a12_scale);
    let v204 = (v196 * p.a12_scale);
    let v205 = (v197 * p.a12_scale);
    let v206 = (v198 * p.a12_scale);
    let v207 = (v199 * p.a12_scale);
    let v208 = (v200 * p.a12_scale);
    let v209 = (v201 * p.a12_scale);
    let v210 = (v202 * p.a12_scale);
    let v211 = (v89 / 16i);
    let v212 = (v211 * 16i);
    if (lane == 0i) {
        uniform_slot = bitcast<u32>(v212);
    }
    let v213 = workgroupUniformLoad(&uniform_slot);
    let v214 = bitcast<i32>(v213);
    if (lane == 0i) {
        uniform_slot = bitcast<u32>(v57);
    }
    let v215 = workgroupUniformLoad(&uniform_slot);
    let v216 = bitcast<i32>(v215);
    let v217 = (-1e+38f);
    var m218: f32 = v217;
    var m219: f32 = 0.0f;
    var m220: f32 = 0.0f;
    var m221: f32 = 0.0f;
    var m222: f32 = 0.0f;
    var m223: f32 = 0.0f;
    var m224: f32 = 0.0f;
    var m225: f32 = 0.0f;
    var m226: f32 = 0.0f;
    var m227: f32 = 0.0f;
    for (var i228: i32 = v214; (i228 < v216); i228 = i228 + 16i) {
        let v229 = (v57 - 1i);
        let v230 = (i228 + t128);
        let v231 = (i228 + v129);
        let v232 = (i228 + v130);
        let v233 = (i228 + v131);
        let v234 = (i228 + v132);
        let v235 = (i228 + v133);
        let v236 = (i228 + v134);
        let v237 = (i228 + v135);
        let v238 = max(v230, v89);
        let v239 = max(v231, v89);
        let v240 = max(v232, v89);
        let v241 = max(v233, v89);
        let v242 = max(v234, v89);
        let v243 = max(v235, v89);
        let v244 = max(v236, v89);
        let v245 = max(v237, v89);
        let v246 = min(v238, v229);
        let v247 = min(v239, v229);
        let v248 = min(v240, v229);
        let v249 = min(v241, v229);
        let v250 = min(v242, v229);
        let v251 = min(v243, v229);
        let v252 = min(v244, v229);
        let v253 = min(v245, v229);
        let v254 = (v126 + v246);
        let v255 = (v126 + v247);
        let v256 = (v126 + v248);
        let v257 = (v126 + v249);
        let v258 = (v126 + v250);
        let v259 = (v126 + v251);
        let v260 = (v126 + v252);
        let v261 = (v126 + v253);
        let v262 = (v254 * p.a8_d);
        let v263 = (v255 * p.a8_d);
        let v264 = (v256 * p.a8_d);
        let v265 = (v257 * p.a8_d);
        let v266 = (v258 * p.a8_d);
        let v267 = (v259 * p.a8_d);
        let v268 = (v260 * p.a8_d);
        let v269 = (v261 * p.a8_d);
        let v270 = (v262 + v177);
        let v271 = (v263 + v177);
        let v272 = (v264 + v177);
        let v273 = (v265 + v177);
        let v274 = (v266 + v177);
        let v275 = (v267 + v177);
        let v276 = (v268 + v177);
        let v277 = (v269 + v177);
        let x278 = from_half(extractBits(g_k[(v270 >> 1u)], u32(v270 & 1i) * 16u, 16u));
        let x279 = from_half(extractBits(g_k[(v271 >> 1u)], u32(v271 & 1i) * 16u, 16u));
        let x280 = from_half(extractBits(g_k[(v272 >> 1u)], u32(v272 & 1i) * 16u, 16u));
        let x281 = from_half(extractBits(g_k[(v273 >> 1u)], u32(v273 & 1i) * 16u, 16u));
        let x282 = from_half(extractBits(g_k[(v274 >> 1u)], u32(v274 & 1i) * 16u, 16u));
        let x283 = from_half(extractBits(g_k[(v275 >> 1u)], u32(v275 & 1i) * 16u, 16u));
        let x284 = from_half(extractBits(g_k[(v276 >> 1u)], u32(v276 & 1i) * 16u, 16u));
        let x285 = from_half(extractBits(g_k[(v277 >> 1u)], u32(v277 & 1i) * 16u, 16u));
        let v286 = select(0.0f, x278, v194);
        let v287 = select(0.0f, x279, v194);
        let v288 = select(0.0f, x280, v194);
        let v289 = select(0.0f, x281, v194);
        let v290 = select(0.0f, x282, v194);
        let v291 = select(0.0f, x283, v194);
        let v292 = select(0.0f, x284, v194);
        let v293 = select(0.0f, x285, v194);
        let v295 = (i228 + t294);
        let v296 = (v295 < v20);
        let v297 = (v295 >= v25);
        let v298 = (v296 & v297);
        var m299: f32 = 0.0f;
        workgroupBarrier();
        if (t300 == 0i) {
            pool[((t301 * 17i) + t128)] = bitcast<u32>(v203);
            pool[((t301 * 17i) + (t128 + 2i))] = bitcast<u32>(v204);
            pool[((t301 * 17i) + (t128 + 4i))] = bitcast<u32>(v205);
            pool[((t301 * 17i) + (t128 + 6i))] = bitcast<u32>(v206);
            pool[((t301 * 17i) + (t128 + 8i))] = bitcast<u32>(v207);
            pool[((t301 * 17i) + (t128 + 10i))] = bitcast<u32>(v208);
            pool[((t301 * 17i) + (t128 + 12i))] = bitcast<u32>(v209);
            pool[((t301 * 17i) + (t128 + 14i))] = bitcast<u32>(v210);
        }
        if (t300 == 0i) {
            pool[(((t301 * 17i) + t128) + 1088i)] = bitcast<u32>(v286);
            pool[(((t301 * 17i) + (t128 + 2i)) + 1088i)] = bitcast<u32>(v287);
            pool[(((t301 * 17i) + (t128 + 4i)) + 1088i)] = bitcast<u32>(v288);
            pool[(((t301 * 17i) + (t128 + 6i)) + 1088i)] = bitcast<u32>(v289);
            pool[(((t301 * 17i) + (t128 + 8i)) + 1088i)] = bitcast<u32>(v290);
            pool[(((t301 * 17i) + (t128 + 10i)) + 1088i)] = bitcast<u32>(v291);
            pool[(((t301 * 17i) + (t128 + 12i)) + 1088i)] = bitcast<u32>(v292);
            pool[(((t301 * 17i) + (t128 + 14i)) + 1088i)] = bitcast<u32>(v293);
        }
        workgroupBarrier();
        for (var k302 = 0i; k302 < 64i; k302 = k302 + 1i) {
            let v303 = (t3 + ((((0i * 64i) + k302)) * 17i));
            let v304 = ((t294 + 1088i) + ((((0i * 64i) + k302)) * 17i));
            let v305 = bitcast<f32>(pool[v303]);
            let v306 = bitcast<f32>(pool[v304]);
            m299 = fma(v305, v306, m299);
        }
        workgroupBarrier();
        if (t300 == 1i) {
            pool[((t301 * 17i) + t128)] = bitcast<u32>(v203);
            pool[((t301 * 17i) + (t128 + 2i))] = bitcast<u32>(v204);
            pool[((t301 * 17i) + (t128 + 4i))] = bitcast<u32>(v205);
            pool[((t301 * 17i) + (t128 + 6i))] = bitcast<u32>(v206);
            pool[((t301 * 17i) + (t128 + 8i))] = bitcast<u32>(v207);
            pool[((t301 * 17i) + (t128 + 10i))] = bitcast<u32>(v208);
            pool[((t301 * 17i) + (t128 + 12i))] = bitcast<u32>(v209);
            pool[((t301 * 17i) + (t128 + 14i))] = bitcast<u32>(v210);
        }
        if (t300 == 1i) {
            pool[(((t301 * 17i) + t128) + 1088i)] = bitcast<u32>(v286);
            pool[(((t301 * 17i) + (t128 + 2i)) + 1088i)] = bitcast<u32>(v287);
            pool[(((t301 * 17i) + (t128 + 4i)) + 1088i)] = bitcast<u32>(v288);
            pool[(((t301 * 17i) + (t128 + 6i)) + 1088i)] = bitcast<u32>(v289);
            pool[(((t301 * 17i) + (t128 + 8i)) + 1088i)] = bitcast<u32>(v290);
            pool[(((t301 * 17i) + (t128 + 10i)) + 1088i)] = bitcast<u32>(v291);
            pool[(((t301 * 17i) + (t128 + 12i)) + 1088i)] = bitcast<u32>(v292);
            pool[(((t301 * 17i) + (t128 + 14i)) + 1088i)] = bitcast<u32>(v293);
        }
        workgroupBarrier();
        for (var k307 = 0i; k307 < 64i; k307 = k307 + 1i) {
            let v308 = (t3 + ((((0i * 64i) + k307)) * 17i));
            let v309 = ((t294 + 1088i) + ((((0i * 64i) + k307)) * 17i));
            let v310 = bitcast<f32>(pool[v308]);
            let v311 = bitcast<f32>(pool[v309]);
            m299 = fma(v310, v311, m299);
        }
        let v312 = select(v217, m299, v298);
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v312);
        workgroupBarrier();
        let v314 = bitcast<f32>(pool[t313]);
        let v315 = bitcast<f32>(pool[(t313 + 1i)]);
        let v316 = bitcast<f32>(pool[(t313 + 2i)]);
        let v317 = bitcast<f32>(pool[(t313 + 3i)]);
        let v318 = bitcast<f32>(pool[(t313 + 4i)]);
        let v319 = bitcast<f32>(pool[(t313 + 5i)]);
        let v320 = bitcast<f32>(pool[(t313 + 6i)]);
        let v321 = bitcast<f32>(pool[(t313 + 7i)]);
        let v322 = bitcast<f32>(pool[(t313 + 8i)]);
        let v323 = bitcast<f32>(pool[(t313 + 9i)]);
        let v324 = bitcast<f32>(pool[(t313 + 10i)]);
        let v325 = bitcast<f32>(pool[(t313 + 11i)]);
        let v326 = bitcast<f32>(pool[(t313 + 12i)]);
        let v327 = bitcast<f32>(pool[(t313 + 13i)]);
        let v328 = bitcast<f32>(pool[(t313 + 14i)]);
        let v329 = bitcast<f32>(pool[(t313 + 15i)]);
        let v330 = fmax_num(v314, v322);
        let v331 = fmax_num(v315, v323);
        let v332 = fmax_num(v316, v324);
        let v333 = fmax_num(v317, v325);
        let v334 = fmax_num(v318, v326);
        let v335 = fmax_num(v319, v327);
        let v336 = fmax_num(v320, v328);
        let v337 = fmax_num(v321, v329);
        let v338 = fmax_num(v330, v334);
        let v339 = fmax_num(v331, v335);
        let v340 = fmax_num(v332, v336);
        let v341 = fmax_num(v333, v337);
        let v342 = fmax_num(v338, v340);
        let v343 = fmax_num(v339, v341);
        let v344 = fmax_num(v342, v343);
        let v345 = fmax_num(m218, v344);
        let v346 = (m218 - v345);
        let v347 = exp_of(v346);
        let v348 = (v312 - v345);
        let v349 = exp_of(v348);
        let v350 = select(0.0f, v349, v298);
        let v351 = (m219 * v347);
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v350);
        workgroupBarrier();
        let v352 = bitcast<f32>(pool[t313]);
        let v353 = bitcast<f32>(pool[(t313 + 1i)]);
        let v354 = bitcast<f32>(pool[(t313 + 2i)]);
        let v355 = bitcast<f32>(pool[(t313 + 3i)]);
        let v356 = bitcast<f32>(pool[(t313 + 4i)]);
        let v357 = bitcast<f32>(pool[(t313 + 5i)]);
        let v358 = bitcast<f32>(pool[(t313 + 6i)]);
        let v359 = bitcast<f32>(pool[(t313 + 7i)]);
        let v360 = bitcast<f32>(pool[(t313 + 8i)]);
        let v361 = bitcast<f32>(pool[(t313 + 9i)]);
        let v362 = bitcast<f32>(pool[(t313 + 10i)]);
        let v363 = bitcast<f32>(pool[(t313 + 11i)]);
        let v364 = bitcast<f32>(pool[(t313 + 12i)]);
        let v365 = bitcast<f32>(pool[(t313 + 13i)]);
        let v366 = bitcast<f32>(pool[(t313 + 14i)]);
        let v367 = bitcast<f32>(pool[(t313 + 15i)]);
        let v368 = (v352 + v360);
        let v369 = (v353 + v361);
        let v370 = (v354 + v362);
        let v371 = (v355 + v363);
        let v372 = (v356 + v364);
        let v373 = (v357 + v365);
        let v374 = (v358 + v366);
        let v375 = (v359 + v367);
        let v376 = (v368 + v372);
        let v377 = (v369 + v373);
        let v378 = (v370 + v374);
        let v379 = (v371 + v375);
        let v380 = (v376 + v378);
        let v381 = (v377 + v379);
        let v382 = (v380 + v381);
        let v383 = (v351 + v382);
        let x384 = from_half(extractBits(g_v[(v270 >> 1u)], u32(v270 & 1i) * 16u, 16u));
        let x385 = from_half(extractBits(g_v[(v271 >> 1u)], u32(v271 & 1i) * 16u, 16u));
        let x386 = from_half(extractBits(g_v[(v272 >> 1u)], u32(v272 & 1i) * 16u, 16u));
        let x387 = from_half(extractBits(g_v[(v273 >> 1u)], u32(v273 & 1i) * 16u, 16u));
        let x388 = from_half(extractBits(g_v[(v274 >> 1u)], u32(v274 & 1i) * 16u, 16u));
        let x389 = from_half(extractBits(g_v[(v275 >> 1u)], u32(v275 & 1i) * 16u, 16u));
        let x390 = from_half(extractBits(g_v[(v276 >> 1u)], u32(v276 & 1i) * 16u, 16u));
        let x391 = from_half(extractBits(g_v[(v277 >> 1u)], u32(v277 & 1i) * 16u, 16u));
        let v392 = select(0.0f, x384, v194);
        let v393 = select(0.0f, x385, v194);
        let v394 = select(0.0f, x386, v194);
        let v395 = select(0.0f, x387, v194);
        let v396 = select(0.0f, x388, v194);
        let v397 = select(0.0f, x389, v194);
        let v398 = select(0.0f, x390, v194);
        let v399 = select(0.0f, x391, v194);
        workgroupBarrier();
        if (t8) {
            pool[t3] = bitcast<u32>(v347);
        }
        workgroupBarrier();
        let v401 = bitcast<f32>(pool[t400]);
        let v402 = (t400 + 8i);
        let v403 = bitcast<f32>(pool[v402]);
        let v404 = (m220 * v401);
        let v405 = (m221 * v401);
        let v406 = (m222 * v401);
        let v407 = (m223 * v401);
        let v408 = (m224 * v403);
        let v409 = (m225 * v403);
        let v410 = (m226 * v403);
        let v411 = (m227 * v403);
        var m412: f32 = v404;
        var m413: f32 = v405;
        var m414: f32 = v406;
        var m415: f32 = v407;
        var m416: f32 = v408;
        var m417: f32 = v409;
        var m418: f32 = v410;
        var m419: f32 = v411;
        workgroupBarrier();
        pool[((t294 * 17i) + t3)] = bitcast<u32>(v350);
        pool[(((t128 * 128i) + t176) + 272i)] = bitcast<u32>(v392);
        pool[((((t128 + 2i) * 128i) + t176) + 272i)] = bitcast<u32>(v393);
        pool[((((t128 + 4i) * 128i) + t176) + 272i)] = bitcast<u32>(v394);
        pool[((((t128 + 6i) * 128i) + t176) + 272i)] = bitcast<u32>(v395);
        pool[((((t128 + 8i) * 128i) + t176) + 272i)] = bitcast<u32>(v396);
        pool[((((t128 + 10i) * 128i) + t176) + 272i)] = bitcast<u32>(v397);
        pool[((((t128 + 12i) * 128i) + t176) + 272i)] = bitcast<u32>(v398);
        pool[((((t128 + 14i) * 128i) + t176) + 272i)] = bitcast<u32>(v399);
        workgroupBarrier();
        for (var k421 = 0i; k421 < 16i; k421 = k421 + 1i) {
            let v422 = (t400 + ((((0i * 16i) + k421)) * 17i));
            let v423 = ((t420 + 272i) + ((((0i * 16i) + k421)) * 128i));
            let v424 = bitcast<f32>(pool[v422]);
            let v425 = bitcast<f32>(pool[v423]);
            let v426 = bitcast<f32>(pool[(v423 + 32i)]);
            let v427 = bitcast<f32>(pool[(v423 + 64i)]);
            let v428 = bitcast<f32>(pool[(v423 + 96i)]);
            let v429 = bitcast<f32>(pool[(v422 + 8i)]);
            m412 = fma(v424, v425, m412);
            m413 = fma(v424, v426, m413);
            m414 = fma(v424, v427, m414);
            m415 = fma(v424, v428, m415);
            m416 = fma(v429, v425, m416);
            m417 = fma(v429, v426, m417);
            m418 = fma(v429, v427, m418);
            m419 = fma(v429, v428, m419);
        }
        m218 = v345;
        m219 = v383;
        m220 = m412;
        m221 = m413;
        m222 = m414;
        m223 = m415;
        m224 = m416;
        m225 = m417;
        m226 = m418;
        m227 = m419;
    }
    let v430 = (m219 > 0.0f);
    workgroupBarrier();
    if (t8) {
        pool[t3] = bitcast<u32>(m219);
    }
    workgroupBarrier();
    let v431 = bitcast<f32>(pool[t400]);
    let v432 = (t400 + 8i);
    let v433 = bitcast<f32>(pool[v432]);
    let v434 = (m220 / v431);
    let v435 = (m221 / v431);
    let v436 = (m222 / v431);
    let v437 = (m223 / v431);
    let v438 = (m224 / v433);
    let v439 = (m225 / v433);
    let v440 = (m226 / v433);
    let v441 = (m227 / v433);
    workgroupBarrier();
    if (t8) {
        pool[t3] = select(0u, 1u, v430);
    }
    workgroupBarrier();
    let v442 = (pool[t400] != 0u);
    let v443 = (pool[v432] != 0u);
    let v444 = select(0.0f, v434, v442);
    let v445 = select(0.0f, v435, v442);
    let v446 = select(0.0f, v436, v442);
    let v447 = select(0.0f, v437, v442);
    let v448 = select(0.0f, v438, v443);
    let v449 = select(0.0f, v439, v443);
    let v450 = select(0.0f, v440, v443);
    let v451 = select(0.0f, v441, v443);
    let v452 = (v1 + t400);
    let v453 = (v1 + v432);
    let v454 = min(v452, v2);
    let v455 = min(v453, v2);
    let v456 = (v454 * p.a6_heads);
    let v457 = (v455 * p.a6_heads);
    let v458 = (v456 + pid_y);
    let v459 = (v457 + pid_y);
    let v460 = (v458 * p.a8_d);
    let v461 = (v459 * p.a8_d);
    let v462 = (t420 + 32i);
    let v463 = (t420 + 64i);
    let v464 = (t420 + 96i);
    let v465 = min(t420, v127);
    let v466 = min(v462, v127);
    let v467 = min(v463, v127);
    let v468 = min(v464, v127);
    let v469 = (v460 + v465);
    let v470 = (v460 + v466);
    let v471 = (v460 + v467);
    let v472 = (v460 + v468);
    let v473 = (v461 + v465);
    let v474 = (v461 + v466);
    let v475 = (v461 + v467);
    let v476 = (v461 + v468);
    let v477 = (v452 < p.a5_count);
    let v478 = (v453 < p.a5_count);
    let v479 = (t420 < p.a8_d);
    let v480 = (v462 < p.a8_d);
    let v481 = (v463 < p.a8_d);
    let v482 = (v464 < p.a8_d);
    let v483 = (v477 & v479);
    let v484 = (v477 & v480);
    let v485 = (v477 & v481);
    let v486 = (v477 & v482);
    let v487 = (v478 & v479);
    let v488 = (v478 & v480);
    let v489 = (v478 & v481);
    let v490 = (v478 & v482);
    if (v483) {
        g_out[v469] = v444;
    }
    if (v484) {
        g_out[v470] = v445;
    }
    if (v485) {
        g_out[v471] = v446;
    }
    if (v486) {
        g_out[v472] = v447;
    }
    if (v487) {
        g_out[v473] = v448;
    }
    if (v488) {
        g_out[v474] = v449;
    }
    if (v489) {
        g_out[v475] = v450;
    }
    if (v490) {
        g_out[v476] = v451;
    }
}
