struct Params {
    a4_m: i32,
    a5_n: i32,
    a6_k: i32,
    a7_line: i32,
    a8_width: i32,
    a9_at: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_w: array<u32>;
@group(0) @binding(3) var<storage, read> g_b: array<f32>;
@group(0) @binding(4) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 2064>;
fn from_half(h: u32) -> f32 {
    return unpack2x16float(h).x;
}

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t39 = (lane >> 4u);
    let t71 = (lane & 15i);
    let t139 = (lane >> 6u) | ((lane & 63i) << 4u);
    let t187 = (lane >> 3u);
    let t188 = (lane & 7i);
    let t189 = (lane & 63i);
    let t190 = (lane >> 6u);
    let t229 = (lane & 120i) == 0i;
    let v1 = (pid_y * 64i);
    let v2 = (pid_x * 64i);
    let v3 = (p.a4_m - 1i);
    let v4 = (p.a5_n - 1i);
    var m5: f32 = 0.0f;
    var m6: f32 = 0.0f;
    var m7: f32 = 0.0f;
    var m8: f32 = 0.0f;
    var m9: f32 = 0.0f;
    var m10: f32 = 0.0f;
    var m11: f32 = 0.0f;
    var m12: f32 = 0.0f;
    var m13: f32 = 0.0f;
    var m14: f32 = 0.0f;
    var m15: f32 = 0.0f;
    var m16: f32 = 0.0f;
    var m17: f32 = 0.0f;
    var m18: f32 = 0.0f;
    var m19: f32 = 0.0f;
    var m20: f32 = 0.0f;
    var m21: f32 = 0.0f;
    var m22: f32 = 0.0f;
    var m23: f32 = 0.0f;
    var m24: f32 = 0.0f;
    var m25: f32 = 0.0f;
    var m26: f32 = 0.0f;
    var m27: f32 = 0.0f;
    var m28: f32 = 0.0f;
    var m29: f32 = 0.0f;
    var m30: f32 = 0.0f;
    var m31: f32 = 0.0f;
    var m32: f32 = 0.0f;
    var m33: f32 = 0.0f;
    var m34: f32 = 0.0f;
    var m35: f32 = 0.0f;
    var m36: f32 = 0.0f;
    for (var i37: i32 = 0i; (i37 < p.a6_k); i37 = i37 + 16i) {
        let v38 = (p.a6_k - 1i);
        let v40 = (t39 + 8i);
        let v41 = (t39 + 16i);
        let v42 = (t39 + 24i);
        let v43 = (t39 + 32i);
        let v44 = (t39 + 40i);
        let v45 = (t39 + 48i);
        let v46 = (t39 + 56i);
        let v47 = (v1 + t39);
        let v48 = (v1 + v40);
        let v49 = (v1 + v41);
        let v50 = (v1 + v42);
        let v51 = (v1 + v43);
        let v52 = (v1 + v44);
        let v53 = (v1 + v45);
        let v54 = (v1 + v46);
        let v55 = min(v47, v3);
        let v56 = min(v48, v3);
        let v57 = min(v49, v3);
        let v58 = min(v50, v3);
        let v59 = min(v51, v3);
        let v60 = min(v52, v3);
        let v61 = min(v53, v3);
        let v62 = min(v54, v3);
        let v63 = (v55 * p.a6_k);
        let v64 = (v56 * p.a6_k);
        let v65 = (v57 * p.a6_k);
        let v66 = (v58 * p.a6_k);
        let v67 = (v59 * p.a6_k);
        let v68 = (v60 * p.a6_k);
        let v69 = (v61 * p.a6_k);
        let v70 = (v62 * p.a6_k);
        let v72 = (i37 + t71);
        let v73 = min(v72, v38);
        let v74 = (v63 + v73);
        let v75 = (v64 + v73);
        let v76 = (v65 + v73);
        let v77 = (v66 + v73);
        let v78 = (v67 + v73);
        let v79 = (v68 + v73);
        let v80 = (v69 + v73);
        let v81 = (v70 + v73);
        let x82 = g_x[v74];
        let x83 = g_x[v75];
        let x84 = g_x[v76];
        let x85 = g_x[v77];
        let x86 = g_x[v78];
        let x87 = g_x[v79];
        let x88 = g_x[v80];
        let x89 = g_x[v81];
        let v90 = (v72 < p.a6_k);
        let v91 = select(0.0f, x82, v90);
        let v92 = select(0.0f, x83, v90);
        let v93 = select(0.0f, x84, v90);
        let v94 = select(0.0f, x85, v90);
        let v95 = select(0.0f, x86, v90);
        let v96 = select(0.0f, x87, v90);
        let v97 = select(0.0f, x88, v90);
        let v98 = select(0.0f, x89, v90);
        let v99 = (v2 + t39);
        let v100 = (v2 + v40);
        let v101 = (v2 + v41);
        let v102 = (v2 + v42);
        let v103 = (v2 + v43);
        let v104 = (v2 + v44);
        let v105 = (v2 + v45);
        let v106 = (v2 + v46);
        let v107 = min(v99, v4);
        let v108 = min(v100, v4);
        let v109 = min(v101, v4);
        let v110 = min(v102, v4);
        let v111 = min(v103, v4);
        let v112 = min(v104, v4);
        let v113 = min(v105, v4);
        let v114 = min(v106, v4);
        let v115 = (v107 * p.a7_line);
        let v116 = (v108 * p.a7_line);
        let v117 = (v109 * p.a7_line);
        let v118 = (v110 * p.a7_line);
        let v119 = (v111 * p.a7_line);
        let v120 = (v112 * p.a7_line);
        let v121 = (v113 * p.a7_line);
        let v122 = (v114 * p.a7_line);
        let v123 = (v115 + v73);
        let v124 = (v116 + v73);
        let v125 = (v117 + v73);
        let v126 = (v118 + v73);
        let v127 = (v119 + v73);
        let v128 = (v120 + v73);
        let v129 = (v121 + v73);
        let v130 = (v122 + v73);
        let x131 = from_half(extractBits(g_w[(v123 >> 1u)], u32(v123 & 1i) * 16u, 16u));
        let x132 = from_half(extractBits(g_w[(v124 >> 1u)], u32(v124 & 1i) * 16u, 16u));
        let x133 = from_half(extractBits(g_w[(v125 >> 1u)], u32(v125 & 1i) * 16u, 16u));
        let x134 = from_half(extractBits(g_w[(v126 >> 1u)], u32(v126 & 1i) * 16u, 16u));
        let x135 = from_half(extractBits(g_w[(v127 >> 1u)], u32(v127 & 1i) * 16u, 16u));
        let x136 = from_half(extractBits(g_w[(v128 >> 1u)], u32(v128 & 1i) * 16u, 16u));
        let x137 = from_half(extractBits(g_w[(v129 >> 1u)], u32(v129 & 1i) * 16u, 16u));
        let x138 = from_half(extractBits(g_w[(v130 >> 1u)], u32(v130 & 1i) * 16u, 16u));
        workgroupBarrier();
        pool[lane] = bitcast<u32>(x131);
        pool[(lane + 128i)] = bitcast<u32>(x132);
        pool[(lane + 256i)] = bitcast<u32>(x133);
        pool[(lane + 384i)] = bitcast<u32>(x134);
        pool[(lane + 512i)] = bitcast<u32>(x135);
        pool[(lane + 640i)] = bitcast<u32>(x136);
        pool[(lane + 768i)] = bitcast<u32>(x137);
        pool[(lane + 896i)] = bitcast<u32>(x138);
        workgroupBarrier();
        let v140 = bitcast<f32>(pool[t139]);
        let v141 = (t139 + 2i);
        let v142 = bitcast<f32>(pool[v141]);
        let v143 = (t139 + 4i);
        let v144 = bitcast<f32>(pool[v143]);
        let v145 = (t139 + 6i);
        let v146 = bitcast<f32>(pool[v145]);
        let v147 = (t139 + 8i);
        let v148 = bitcast<f32>(pool[v147]);
        let v149 = (t139 + 10i);
        let v150 = bitcast<f32>(pool[v149]);
        let v151 = (t139 + 12i);
        let v152 = bitcast<f32>(pool[v151]);
        let v153 = (t139 + 14i);
        let v154 = bitcast<f32>(pool[v153]);
        var m155: f32 = m5;
        var m156: f32 = m6;
        var m157: f32 = m7;
        var m158: f32 = m8;
        var m159: f32 = m9;
        var m160: f32 = m10;
        var m161: f32 = m11;
        var m162: f32 = m12;
        var m163: f32 = m13;
        var m164: f32 = m14;
        var m165: f32 = m15;
        var m166: f32 = m16;
        var m167: f32 = m17;
        var m168: f32 = m18;
        var m169: f32 = m19;
        var m170: f32 = m20;
        var m171: f32 = m21;
        var m172: f32 = m22;
        var m173: f32 = m23;
        var m174: f32 = m24;
        var m175: f32 = m25;
        var m176: f32 = m26;
        var m177: f32 = m27;
        var m178: f32 = m28;
        var m179: f32 = m29;
        var m180: f32 = m30;
        var m181: f32 = m31;
        var m182: f32 = m32;
        var m183: f32 = m33;
        var m184: f32 = m34;
        var m185: f32 = m35;
        var m186: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t190 * 64i) + t189) + 1040i)] = bitcast<u32>(v140);
        pool[((((t190 + 2i) * 64i) + t189) + 1040i)] = bitcast<u32>(v142);
        pool[((((t190 + 4i) * 64i) + t189) + 1040i)] = bitcast<u32>(v144);
        pool[((((t190 + 6i) * 64i) + t189) + 1040i)] = bitcast<u32>(v146);
        pool[((((t190 + 8i) * 64i) + t189) + 1040i)] = bitcast<u32>(v148);
        pool[((((t190 + 10i) * 64i) + t189) + 1040i)] = bitcast<u32>(v150);
        pool[((((t190 + 12i) * 64i) + t189) + 1040i)] = bitcast<u32>(v152);
        pool[((((t190 + 14i) * 64i) + t189) + 1040i)] = bitcast<u32>(v154);
        workgroupBarrier();
        for (var k191 = 0i; k191 < 16i; k191 = k191 + 1i) {
            let v192 = (t187 + ((((0i * 16i) + k191)) * 65i));
            let v193 = ((t188 + 1040i) + ((((0i * 16i) + k191)) * 64i));
            let v194 = bitcast<f32>(pool[v192]);
            let v195 = bitcast<f32>(pool[v193]);
            let v196 = bitcast<f32>(pool[(v193 + 8i)]);
            let v197 = bitcast<f32>(pool[(v193 + 16i)]);
            let v198 = bitcast<f32>(pool[(v193 + 24i)]);
            let v199 = bitcast<f32>(pool[(v193 + 32i)]);
            let v200 = bitcast<f32>(pool[(v193 + 40i)]);
            let v201 = bitcast<f32>(pool[(v193 + 48i)]);
            let v202 = bitcast<f32>(pool[(v193 + 56i)]);
            let v203 = bitcast<f32>(pool[(v192 + 16i)]);
            let v204 = bitcast<f32>(pool[(v192 + 32i)]);
            let v205 = bitcast<f32>(pool[(v192 + 48i)]);
            m155 = fma(v194, v195, m155);
            m156 = fma(v194, v196, m156);
            m157 = fma(v194, v197, m157);
            m158 = fma(v194, v198, m158);
            m159 = fma(v194, v199, m159);
            m160 = fma(v194, v200, m160);
            m161 = fma(v194, v201, m161);
            m162 = fma(v194, v202, m162);
            m163 = fma(v203, v195, m163);
            m164 = fma(v203, v196, m164);
            m165 = fma(v203, v197, m165);
            m166 = fma(v203, v198, m166);
            m167 = fma(v203, v199, m167);
            m168 = fma(v203, v200, m168);
            m169 = fma(v203, v201, m169);
            m170 = fma(v203, v202, m170);
            m171 = fma(v204, v195, m171);
            m172 = fma(v204, v196, m172);
            m173 = fma(v204, v197, m173);
            m174 = fma(v204, v198, m174);
            m175 = fma(v204, v199, m175);
            m176 = fma(v204, v200, m176);
            m177 = fma(v204, v201, m177);
            m178 = fma(v204, v202, m178);
            m179 = fma(v205, v195, m179);
            m180 = fma(v205, v196, m180);
            m181 = fma(v205, v197, m181);
            m182 = fma(v205, v198, m182);
            m183 = fma(v205, v199, m183);
            m184 = fma(v205, v200, m184);
            m185 = fma(v205, v201, m185);
            m186 = fma(v205, v202, m186);
        }
        m5 = m155;
        m6 = m156;
        m7 = m157;
        m8 = m158;
        m9 = m159;
        m10 = m160;
        m11 = m161;
        m12 = m162;
        m13 = m163;
        m14 = m164;
        m15 = m165;
        m16 = m166;
        m17 = m167;
        m18 = m168;
        m19 = m169;
        m20 = m170;
        m21 = m171;
        m22 = m172;
        m23 = m173;
        m24 = m174;
        m25 = m175;
        m26 = m176;
        m27 = m177;
        m28 = m178;
        m29 = m179;
        m30 = m180;
        m31 = m181;
        m32 = m182;
        m33 = m183;
        m34 = m184;
        m35 = m185;
        m36 = m186;
    }
    let v206 = (t188 + 8i);
    let v207 = (t188 + 16i);
    let v208 = (t188 + 24i);
    let v209 = (t188 + 32i);
    let v210 = (t188 + 40i);
    let v211 = (t188 + 48i);
    let v212 = (t188 + 56i);
    let v213 = (v2 + t188);
    let v214 = (v2 + v206);
    let v215 = (v2 + v207);
    let v216 = (v2 + v208);
    let v217 = (v2 + v209);
    let v218 = (v2 + v210);
    let v219 = (v2 + v211);
    let v220 = (v2 + v212);
    let v221 = min(v213, v4);
    let v222 = min(v214, v4);
    let v223 = min(v215, v4);
    let v224 = min(v216, v4);
    let v225 = min(v217, v4);
    let v226 = min(v218, v4);
    let v227 = min(v219, v4);
    let v228 = min(v220, v4);
    let x230 = g_b[v221];
    let x231 = g_b[v222];
    let x232 = g_b[v223];
    let x233 = g_b[v224];
    let x234 = g_b[v225];
    let x235 = g_b[v226];
    let x236 = g_b[v227];
    let x237 = g_b[v228];
    let v238 = (m5 + x230);
    let v239 = (m6 + x231);
    let v240 = (m7 + x232);
    let v241 = (m8 + x233);
    let v242 = (m9 + x234);
    let v243 = (m10 + x235);
    let v244 = (m11 + x236);
    let v245 = (m12 + x237);
    let v246 = (m13 + x230);
    let v247 = (m14 + x231);
    let v248 = (m15 + x232);
    let v249 = (m16 + x233);
    let v250 = (m17 + x234);
    let v251 = (m18 + x235);
    let v252 = (m19 + x236);
    let v253 = (m20 + x237);
    let v254 = (m21 + x230);
    let v255 = (m22 + x231);
    let v256 = (m23 + x232);
    let v257 = (m24 + x233);
    let v258 = (m25 + x234);
    let v259 = (m26 + x235);
    let v260 = (m27 + x236);
    let v261 = (m28 + x237);
    let v262 = (m29 + x230);
    let v263 = (m30 + x231);
    let v264 = (m31 + x232);
    let v265 = (m32 + x233);
    let v266 = (m33 + x234);
    let v267 = (m34 + x235);
    let v268 = (m35 + x236);
    let v269 = (m36 + x237);
    let v270 = (t187 + 16i);
    let v271 = (t187 + 32i);
    let v272 = (t187 + 48i);
    let v273 = (v1 + t187);
    let v274 = (v1 + v270);
    let v275 = (v1 + v271);
    let v276 = (v1 + v272);
    let v277 = min(v273, v3);
    let v278 = min(v274, v3);
    let v279 = min(v275, v3);
    let v280 = min(v276, v3);
    let v281 = (v277 * p.a8_width);
    let v282 = (v278 * p.a8_width);
    let v283 = (v279 * p.a8_width);
    let v284 = (v280 * p.a8_width);
    let v285 = (p.a9_at + v221);
    let v286 = (p.a9_at + v222);
    let v287 = (p.a9_at + v223);
    let v288 = (p.a9_at + v224);
    let v289 = (p.a9_at + v225);
    let v290 = (p.a9_at + v226);
    let v291 = (p.a9_at + v227);
    let v292 = (p.a9_at + v228);
    let v293 = (v281 + v285);
    let v294 = (v281 + v286);
    let v295 = (v281 + v287);
    let v296 = (v281 + v288);
    let v297 = (v281 + v289);
    let v298 = (v281 + v290);
    let v299 = (v281 + v291);
    let v300 = (v281 + v292);
    let v301 = (v282 + v285);
    let v302 = (v282 + v286);
    let v303 = (v282 + v287);
    let v304 = (v282 + v288);
    let v305 = (v282 + v289);
    let v306 = (v282 + v290);
    let v307 = (v282 + v291);
    let v308 = (v282 + v292);
    let v309 = (v283 + v285);
    let v310 = (v283 + v286);
    let v311 = (v283 + v287);
    let v312 = (v283 + v288);
    let v313 = (v283 + v289);
    let v314 = (v283 + v290);
    let v315 = (v283 + v291);
    let v316 = (v283 + v292);
    let v317 = (v284 + v285);
    let v318 = (v284 + v286);
    let v319 = (v284 + v287);
    let v320 = (v284 + v288);
    let v321 = (v284 + v289);
    let v322 = (v284 + v290);
    let v323 = (v284 + v291);
    let v324 = (v284 + v292);
    let v325 = (v273 < p.a4_m);
    let v326 = (v274 < p.a4_m);
    let v327 = (v275 < p.a4_m);
    let v328 = (v276 < p.a4_m);
    let v329 = (v213 < p.a5_n);
    let v330 = (v214 < p.a5_n);
    let v331 = (v215 < p.a5_n);
    let v332 = (v216 < p.a5_n);
    let v333 = (v217 < p.a5_n);
    let v334 = (v218 < p.a5_n);
    let v335 = (v219 < p.a5_n);
    let v336 = (v220 < p.a5_n);
    let v337 = (v325 & v329);
    let v338 = (v325 & v330);
    let v339 = (v325 & v331);
    let v340 = (v325 & v332);
    let v341 = (v325 & v333);
    let v342 = (v325 & v334);
    let v343 = (v325 & v335);
    let v344 = (v325 & v336);
    let v345 = (v326 & v329);
    let v346 = (v326 & v330);
    let v347 = (v326 & v331);
    let v348 = (v326 & v332);
    let v349 = (v326 & v333);
    let v350 = (v326 & v334);
    let v351 = (v326 & v335);
    let v352 = (v326 & v336);
    let v353 = (v327 & v329);
    let v354 = (v327 & v330);
    let v355 = (v327 & v331);
    let v356 = (v327 & v332);
    let v357 = (v327 & v333);
    let v358 = (v327 & v334);
    let v359 = (v327 & v335);
    let v360 = (v327 & v336);
    let v361 = (v328 & v329);
    let v362 = (v328 & v330);
    let v363 = (v328 & v331);
    let v364 = (v328 & v332);
    let v365 = (v328 & v333);
    let v366 = (v328 & v334);
    let v367 = (v328 & v335);
    let v368 = (v328 & v336);
    if (v337) {
        g_y[v293] = v238;
    }
    if (v338) {
        g_y[v294] = v239;
    }
    if (v339) {
        g_y[v295] = v240;
    }
    if (v340) {
        g_y[v296] = v241;
    }
    if (v341) {
        g_y[v297] = v242;
    }
    if (v342) {
        g_y[v298] = v243;
    }
    if (v343) {
        g_y[v299] = v244;
    }
    if (v344) {
        g_y[v300] = v245;
    }
    if (v345) {
        g_y[v301] = v246;
    }
    if (v346) {
        g_y[v302] = v247;
    }
    if (v347) {
        g_y[v303] = v248;
    }
    if (v348) {
        g_y[v304] = v249;
    }
    if (v349) {
        g_y[v305] = v250;
    }
    if (v350) {
        g_y[v306] = v251;
    }
    if (v351) {
        g_y[v307] = v252;
    }
    if (v352) {
        g_y[v308] = v253;
    }
    if (v353) {
        g_y[v309] = v254;
    }
    if (v354) {
        g_y[v310] = v255;
    }
    if (v355) {
        g_y[v311] = v256;
    }
    if (v356) {
        g_y[v312] = v257;
    }
    if (v357) {
        g_y[v313] = v258;
    }
    if (v358) {
        g_y[v314] = v259;
    }
    if (v359) {
        g_y[v315] = v260;
    }
    if (v360) {
        g_y[v316] = v261;
    }
    if (v361) {
        g_y[v317] = v262;
    }
    if (v362) {
        g_y[v318] = v263;
    }
    if (v363) {
        g_y[v319] = v264;
    }
    if (v364) {
        g_y[v320] = v265;
    }
    if (v365) {
        g_y[v321] = v266;
    }
    if (v366) {
        g_y[v322] = v267;
    }
    if (v367) {
        g_y[v323] = v268;
    }
    if (v368) {
        g_y[v324] = v269;
    }
}
