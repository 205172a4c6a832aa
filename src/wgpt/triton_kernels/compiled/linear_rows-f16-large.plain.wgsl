struct Params {
    a3_m: i32,
    a4_n: i32,
    a5_k: i32,
    a6_line: i32,
    a7_width: i32,
    a8_at: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_w: array<u32>;
@group(0) @binding(3) var<storage, read_write> g_y: array<f32>;
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
    let v1 = (pid_y * 64i);
    let v2 = (pid_x * 64i);
    let v3 = (p.a3_m - 1i);
    let v4 = (p.a4_n - 1i);
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
    for (var i37: i32 = 0i; (i37 < p.a5_k); i37 = i37 + 16i) {
        let v38 = (p.a5_k - 1i);
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
        let v63 = (v55 * p.a5_k);
        let v64 = (v56 * p.a5_k);
        let v65 = (v57 * p.a5_k);
        let v66 = (v58 * p.a5_k);
        let v67 = (v59 * p.a5_k);
        let v68 = (v60 * p.a5_k);
        let v69 = (v61 * p.a5_k);
        let v70 = (v62 * p.a5_k);
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
        let v90 = (v72 < p.a5_k);
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
        let v115 = (v107 * p.a6_line);
        let v116 = (v108 * p.a6_line);
        let v117 = (v109 * p.a6_line);
        let v118 = (v110 * p.a6_line);
        let v119 = (v111 * p.a6_line);
        let v120 = (v112 * p.a6_line);
        let v121 = (v113 * p.a6_line);
        let v122 = (v114 * p.a6_line);
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
    let v206 = (t187 + 16i);
    let v207 = (t187 + 32i);
    let v208 = (t187 + 48i);
    let v209 = (v1 + t187);
    let v210 = (v1 + v206);
    let v211 = (v1 + v207);
    let v212 = (v1 + v208);
    let v213 = min(v209, v3);
    let v214 = min(v210, v3);
    let v215 = min(v211, v3);
    let v216 = min(v212, v3);
    let v217 = (v213 * p.a7_width);
    let v218 = (v214 * p.a7_width);
    let v219 = (v215 * p.a7_width);
    let v220 = (v216 * p.a7_width);
    let v221 = (t188 + 8i);
    let v222 = (t188 + 16i);
    let v223 = (t188 + 24i);
    let v224 = (t188 + 32i);
    let v225 = (t188 + 40i);
    let v226 = (t188 + 48i);
    let v227 = (t188 + 56i);
    let v228 = (v2 + t188);
    let v229 = (v2 + v221);
    let v230 = (v2 + v222);
    let v231 = (v2 + v223);
    let v232 = (v2 + v224);
    let v233 = (v2 + v225);
    let v234 = (v2 + v226);
    let v235 = (v2 + v227);
    let v236 = min(v228, v4);
    let v237 = min(v229, v4);
    let v238 = min(v230, v4);
    let v239 = min(v231, v4);
    let v240 = min(v232, v4);
    let v241 = min(v233, v4);
    let v242 = min(v234, v4);
    let v243 = min(v235, v4);
    let v244 = (p.a8_at + v236);
    let v245 = (p.a8_at + v237);
    let v246 = (p.a8_at + v238);
    let v247 = (p.a8_at + v239);
    let v248 = (p.a8_at + v240);
    let v249 = (p.a8_at + v241);
    let v250 = (p.a8_at + v242);
    let v251 = (p.a8_at + v243);
    let v252 = (v217 + v244);
    let v253 = (v217 + v245);
    let v254 = (v217 + v246);
    let v255 = (v217 + v247);
    let v256 = (v217 + v248);
    let v257 = (v217 + v249);
    let v258 = (v217 + v250);
    let v259 = (v217 + v251);
    let v260 = (v218 + v244);
    let v261 = (v218 + v245);
    let v262 = (v218 + v246);
    let v263 = (v218 + v247);
    let v264 = (v218 + v248);
    let v265 = (v218 + v249);
    let v266 = (v218 + v250);
    let v267 = (v218 + v251);
    let v268 = (v219 + v244);
    let v269 = (v219 + v245);
    let v270 = (v219 + v246);
    let v271 = (v219 + v247);
    let v272 = (v219 + v248);
    let v273 = (v219 + v249);
    let v274 = (v219 + v250);
    let v275 = (v219 + v251);
    let v276 = (v220 + v244);
    let v277 = (v220 + v245);
    let v278 = (v220 + v246);
    let v279 = (v220 + v247);
    let v280 = (v220 + v248);
    let v281 = (v220 + v249);
    let v282 = (v220 + v250);
    let v283 = (v220 + v251);
    let v284 = (v209 < p.a3_m);
    let v285 = (v210 < p.a3_m);
    let v286 = (v211 < p.a3_m);
    let v287 = (v212 < p.a3_m);
    let v288 = (v228 < p.a4_n);
    let v289 = (v229 < p.a4_n);
    let v290 = (v230 < p.a4_n);
    let v291 = (v231 < p.a4_n);
    let v292 = (v232 < p.a4_n);
    let v293 = (v233 < p.a4_n);
    let v294 = (v234 < p.a4_n);
    let v295 = (v235 < p.a4_n);
    let v296 = (v284 & v288);
    let v297 = (v284 & v289);
    let v298 = (v284 & v290);
    let v299 = (v284 & v291);
    let v300 = (v284 & v292);
    let v301 = (v284 & v293);
    let v302 = (v284 & v294);
    let v303 = (v284 & v295);
    let v304 = (v285 & v288);
    let v305 = (v285 & v289);
    let v306 = (v285 & v290);
    let v307 = (v285 & v291);
    let v308 = (v285 & v292);
    let v309 = (v285 & v293);
    let v310 = (v285 & v294);
    let v311 = (v285 & v295);
    let v312 = (v286 & v288);
    let v313 = (v286 & v289);
    let v314 = (v286 & v290);
    let v315 = (v286 & v291);
    let v316 = (v286 & v292);
    let v317 = (v286 & v293);
    let v318 = (v286 & v294);
    let v319 = (v286 & v295);
    let v320 = (v287 & v288);
    let v321 = (v287 & v289);
    let v322 = (v287 & v290);
    let v323 = (v287 & v291);
    let v324 = (v287 & v292);
    let v325 = (v287 & v293);
    let v326 = (v287 & v294);
    let v327 = (v287 & v295);
    if (v296) {
        g_y[v252] = m5;
    }
    if (v297) {
        g_y[v253] = m6;
    }
    if (v298) {
        g_y[v254] = m7;
    }
    if (v299) {
        g_y[v255] = m8;
    }
    if (v300) {
        g_y[v256] = m9;
    }
    if (v301) {
        g_y[v257] = m10;
    }
    if (v302) {
        g_y[v258] = m11;
    }
    if (v303) {
        g_y[v259] = m12;
    }
    if (v304) {
        g_y[v260] = m13;
    }
    if (v305) {
        g_y[v261] = m14;
    }
    if (v306) {
        g_y[v262] = m15;
    }
    if (v307) {
        g_y[v263] = m16;
    }
    if (v308) {
        g_y[v264] = m17;
    }
    if (v309) {
        g_y[v265] = m18;
    }
    if (v310) {
        g_y[v266] = m19;
    }
    if (v311) {
        g_y[v267] = m20;
    }
    if (v312) {
        g_y[v268] = m21;
    }
    if (v313) {
        g_y[v269] = m22;
    }
    if (v314) {
        g_y[v270] = m23;
    }
    if (v315) {
        g_y[v271] = m24;
    }
    if (v316) {
        g_y[v272] = m25;
    }
    if (v317) {
        g_y[v273] = m26;
    }
    if (v318) {
        g_y[v274] = m27;
    }
    if (v319) {
        g_y[v275] = m28;
    }
    if (v320) {
        g_y[v276] = m29;
    }
    if (v321) {
        g_y[v277] = m30;
    }
    if (v322) {
        g_y[v278] = m31;
    }
    if (v323) {
        g_y[v279] = m32;
    }
    if (v324) {
        g_y[v280] = m33;
    }
    if (v325) {
        g_y[v281] = m34;
    }
    if (v326) {
        g_y[v282] = m35;
    }
    if (v327) {
        g_y[v283] = m36;
    }
}
