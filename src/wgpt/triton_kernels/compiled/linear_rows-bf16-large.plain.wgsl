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
@group(0) @binding(2) var<storage, read> g_w: array<i32>;
@group(0) @binding(3) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 2080>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t39 = (lane >> 4u);
    let t71 = (lane & 15i);
    let t206 = (lane >> 3u);
    let t207 = (lane & 7i);
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
        let v123 = (v73 / 2i);
        let v124 = (v115 + v123);
        let v125 = (v116 + v123);
        let v126 = (v117 + v123);
        let v127 = (v118 + v123);
        let v128 = (v119 + v123);
        let v129 = (v120 + v123);
        let v130 = (v121 + v123);
        let v131 = (v122 + v123);
        let x132 = g_w[v124];
        let x133 = g_w[v125];
        let x134 = g_w[v126];
        let x135 = g_w[v127];
        let x136 = g_w[v128];
        let x137 = g_w[v129];
        let x138 = g_w[v130];
        let x139 = g_w[v131];
        let v140 = (v73 & 1i);
        let v141 = (v140 * 16i);
        let v142 = select(bitcast<i32>(bitcast<u32>(x132) >> (bitcast<u32>(v141) & 31u)), 0i, bitcast<u32>(v141) > 31u);
        let v143 = select(bitcast<i32>(bitcast<u32>(x133) >> (bitcast<u32>(v141) & 31u)), 0i, bitcast<u32>(v141) > 31u);
        let v144 = select(bitcast<i32>(bitcast<u32>(x134) >> (bitcast<u32>(v141) & 31u)), 0i, bitcast<u32>(v141) > 31u);
        let v145 = select(bitcast<i32>(bitcast<u32>(x135) >> (bitcast<u32>(v141) & 31u)), 0i, bitcast<u32>(v141) > 31u);
        let v146 = select(bitcast<i32>(bitcast<u32>(x136) >> (bitcast<u32>(v141) & 31u)), 0i, bitcast<u32>(v141) > 31u);
        let v147 = select(bitcast<i32>(bitcast<u32>(x137) >> (bitcast<u32>(v141) & 31u)), 0i, bitcast<u32>(v141) > 31u);
        let v148 = select(bitcast<i32>(bitcast<u32>(x138) >> (bitcast<u32>(v141) & 31u)), 0i, bitcast<u32>(v141) > 31u);
        let v149 = select(bitcast<i32>(bitcast<u32>(x139) >> (bitcast<u32>(v141) & 31u)), 0i, bitcast<u32>(v141) > 31u);
        let v150 = (v142 << 16u);
        let v151 = (v143 << 16u);
        let v152 = (v144 << 16u);
        let v153 = (v145 << 16u);
        let v154 = (v146 << 16u);
        let v155 = (v147 << 16u);
        let v156 = (v148 << 16u);
        let v157 = (v149 << 16u);
        let v158 = bitcast<u32>(v150);
        let v159 = bitcast<f32>(v158);
        let v160 = bitcast<u32>(v151);
        let v161 = bitcast<f32>(v160);
        let v162 = bitcast<u32>(v152);
        let v163 = bitcast<f32>(v162);
        let v164 = bitcast<u32>(v153);
        let v165 = bitcast<f32>(v164);
        let v166 = bitcast<u32>(v154);
        let v167 = bitcast<f32>(v166);
        let v168 = bitcast<u32>(v155);
        let v169 = bitcast<f32>(v168);
        let v170 = bitcast<u32>(v156);
        let v171 = bitcast<f32>(v170);
        let v172 = bitcast<u32>(v157);
        let v173 = bitcast<f32>(v172);
        var m174: f32 = m5;
        var m175: f32 = m6;
        var m176: f32 = m7;
        var m177: f32 = m8;
        var m178: f32 = m9;
        var m179: f32 = m10;
        var m180: f32 = m11;
        var m181: f32 = m12;
        var m182: f32 = m13;
        var m183: f32 = m14;
        var m184: f32 = m15;
        var m185: f32 = m16;
        var m186: f32 = m17;
        var m187: f32 = m18;
        var m188: f32 = m19;
        var m189: f32 = m20;
        var m190: f32 = m21;
        var m191: f32 = m22;
        var m192: f32 = m23;
        var m193: f32 = m24;
        var m194: f32 = m25;
        var m195: f32 = m26;
        var m196: f32 = m27;
        var m197: f32 = m28;
        var m198: f32 = m29;
        var m199: f32 = m30;
        var m200: f32 = m31;
        var m201: f32 = m32;
        var m202: f32 = m33;
        var m203: f32 = m34;
        var m204: f32 = m35;
        var m205: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t71 * 65i) + t39) + 1040i)] = bitcast<u32>(v159);
        pool[(((t71 * 65i) + (t39 + 8i)) + 1040i)] = bitcast<u32>(v161);
        pool[(((t71 * 65i) + (t39 + 16i)) + 1040i)] = bitcast<u32>(v163);
        pool[(((t71 * 65i) + (t39 + 24i)) + 1040i)] = bitcast<u32>(v165);
        pool[(((t71 * 65i) + (t39 + 32i)) + 1040i)] = bitcast<u32>(v167);
        pool[(((t71 * 65i) + (t39 + 40i)) + 1040i)] = bitcast<u32>(v169);
        pool[(((t71 * 65i) + (t39 + 48i)) + 1040i)] = bitcast<u32>(v171);
        pool[(((t71 * 65i) + (t39 + 56i)) + 1040i)] = bitcast<u32>(v173);
        workgroupBarrier();
        for (var k208 = 0i; k208 < 16i; k208 = k208 + 1i) {
            let v209 = (t206 + ((((0i * 16i) + k208)) * 65i));
            let v210 = ((t207 + 1040i) + ((((0i * 16i) + k208)) * 65i));
            let v211 = bitcast<f32>(pool[v209]);
            let v212 = bitcast<f32>(pool[v210]);
            let v213 = bitcast<f32>(pool[(v210 + 8i)]);
            let v214 = bitcast<f32>(pool[(v210 + 16i)]);
            let v215 = bitcast<f32>(pool[(v210 + 24i)]);
            let v216 = bitcast<f32>(pool[(v210 + 32i)]);
            let v217 = bitcast<f32>(pool[(v210 + 40i)]);
            let v218 = bitcast<f32>(pool[(v210 + 48i)]);
            let v219 = bitcast<f32>(pool[(v210 + 56i)]);
            let v220 = bitcast<f32>(pool[(v209 + 16i)]);
            let v221 = bitcast<f32>(pool[(v209 + 32i)]);
            let v222 = bitcast<f32>(pool[(v209 + 48i)]);
            m174 = fma(v211, v212, m174);
            m175 = fma(v211, v213, m175);
            m176 = fma(v211, v214, m176);
            m177 = fma(v211, v215, m177);
            m178 = fma(v211, v216, m178);
            m179 = fma(v211, v217, m179);
            m180 = fma(v211, v218, m180);
            m181 = fma(v211, v219, m181);
            m182 = fma(v220, v212, m182);
            m183 = fma(v220, v213, m183);
            m184 = fma(v220, v214, m184);
            m185 = fma(v220, v215, m185);
            m186 = fma(v220, v216, m186);
            m187 = fma(v220, v217, m187);
            m188 = fma(v220, v218, m188);
            m189 = fma(v220, v219, m189);
            m190 = fma(v221, v212, m190);
            m191 = fma(v221, v213, m191);
            m192 = fma(v221, v214, m192);
            m193 = fma(v221, v215, m193);
            m194 = fma(v221, v216, m194);
            m195 = fma(v221, v217, m195);
            m196 = fma(v221, v218, m196);
            m197 = fma(v221, v219, m197);
            m198 = fma(v222, v212, m198);
            m199 = fma(v222, v213, m199);
            m200 = fma(v222, v214, m200);
            m201 = fma(v222, v215, m201);
            m202 = fma(v222, v216, m202);
            m203 = fma(v222, v217, m203);
            m204 = fma(v222, v218, m204);
            m205 = fma(v222, v219, m205);
        }
        m5 = m174;
        m6 = m175;
        m7 = m176;
        m8 = m177;
        m9 = m178;
        m10 = m179;
        m11 = m180;
        m12 = m181;
        m13 = m182;
        m14 = m183;
        m15 = m184;
        m16 = m185;
        m17 = m186;
        m18 = m187;
        m19 = m188;
        m20 = m189;
        m21 = m190;
        m22 = m191;
        m23 = m192;
        m24 = m193;
        m25 = m194;
        m26 = m195;
        m27 = m196;
        m28 = m197;
        m29 = m198;
        m30 = m199;
        m31 = m200;
        m32 = m201;
        m33 = m202;
        m34 = m203;
        m35 = m204;
        m36 = m205;
    }
    let v223 = (t206 + 16i);
    let v224 = (t206 + 32i);
    let v225 = (t206 + 48i);
    let v226 = (v1 + t206);
    let v227 = (v1 + v223);
    let v228 = (v1 + v224);
    let v229 = (v1 + v225);
    let v230 = min(v226, v3);
    let v231 = min(v227, v3);
    let v232 = min(v228, v3);
    let v233 = min(v229, v3);
    let v234 = (v230 * p.a7_width);
    let v235 = (v231 * p.a7_width);
    let v236 = (v232 * p.a7_width);
    let v237 = (v233 * p.a7_width);
    let v238 = (t207 + 8i);
    let v239 = (t207 + 16i);
    let v240 = (t207 + 24i);
    let v241 = (t207 + 32i);
    let v242 = (t207 + 40i);
    let v243 = (t207 + 48i);
    let v244 = (t207 + 56i);
    let v245 = (v2 + t207);
    let v246 = (v2 + v238);
    let v247 = (v2 + v239);
    let v248 = (v2 + v240);
    let v249 = (v2 + v241);
    let v250 = (v2 + v242);
    let v251 = (v2 + v243);
    let v252 = (v2 + v244);
    let v253 = min(v245, v4);
    let v254 = min(v246, v4);
    let v255 = min(v247, v4);
    let v256 = min(v248, v4);
    let v257 = min(v249, v4);
    let v258 = min(v250, v4);
    let v259 = min(v251, v4);
    let v260 = min(v252, v4);
    let v261 = (p.a8_at + v253);
    let v262 = (p.a8_at + v254);
    let v263 = (p.a8_at + v255);
    let v264 = (p.a8_at + v256);
    let v265 = (p.a8_at + v257);
    let v266 = (p.a8_at + v258);
    let v267 = (p.a8_at + v259);
    let v268 = (p.a8_at + v260);
    let v269 = (v234 + v261);
    let v270 = (v234 + v262);
    let v271 = (v234 + v263);
    let v272 = (v234 + v264);
    let v273 = (v234 + v265);
    let v274 = (v234 + v266);
    let v275 = (v234 + v267);
    let v276 = (v234 + v268);
    let v277 = (v235 + v261);
    let v278 = (v235 + v262);
    let v279 = (v235 + v263);
    let v280 = (v235 + v264);
    let v281 = (v235 + v265);
    let v282 = (v235 + v266);
    let v283 = (v235 + v267);
    let v284 = (v235 + v268);
    let v285 = (v236 + v261);
    let v286 = (v236 + v262);
    let v287 = (v236 + v263);
    let v288 = (v236 + v264);
    let v289 = (v236 + v265);
    let v290 = (v236 + v266);
    let v291 = (v236 + v267);
    let v292 = (v236 + v268);
    let v293 = (v237 + v261);
    let v294 = (v237 + v262);
    let v295 = (v237 + v263);
    let v296 = (v237 + v264);
    let v297 = (v237 + v265);
    let v298 = (v237 + v266);
    let v299 = (v237 + v267);
    let v300 = (v237 + v268);
    let v301 = (v226 < p.a3_m);
    let v302 = (v227 < p.a3_m);
    let v303 = (v228 < p.a3_m);
    let v304 = (v229 < p.a3_m);
    let v305 = (v245 < p.a4_n);
    let v306 = (v246 < p.a4_n);
    let v307 = (v247 < p.a4_n);
    let v308 = (v248 < p.a4_n);
    let v309 = (v249 < p.a4_n);
    let v310 = (v250 < p.a4_n);
    let v311 = (v251 < p.a4_n);
    let v312 = (v252 < p.a4_n);
    let v313 = (v301 & v305);
    let v314 = (v301 & v306);
    let v315 = (v301 & v307);
    let v316 = (v301 & v308);
    let v317 = (v301 & v309);
    let v318 = (v301 & v310);
    let v319 = (v301 & v311);
    let v320 = (v301 & v312);
    let v321 = (v302 & v305);
    let v322 = (v302 & v306);
    let v323 = (v302 & v307);
    let v324 = (v302 & v308);
    let v325 = (v302 & v309);
    let v326 = (v302 & v310);
    let v327 = (v302 & v311);
    let v328 = (v302 & v312);
    let v329 = (v303 & v305);
    let v330 = (v303 & v306);
    let v331 = (v303 & v307);
    let v332 = (v303 & v308);
    let v333 = (v303 & v309);
    let v334 = (v303 & v310);
    let v335 = (v303 & v311);
    let v336 = (v303 & v312);
    let v337 = (v304 & v305);
    let v338 = (v304 & v306);
    let v339 = (v304 & v307);
    let v340 = (v304 & v308);
    let v341 = (v304 & v309);
    let v342 = (v304 & v310);
    let v343 = (v304 & v311);
    let v344 = (v304 & v312);
    if (v313) {
        g_y[v269] = m5;
    }
    if (v314) {
        g_y[v270] = m6;
    }
    if (v315) {
        g_y[v271] = m7;
    }
    if (v316) {
        g_y[v272] = m8;
    }
    if (v317) {
        g_y[v273] = m9;
    }
    if (v318) {
        g_y[v274] = m10;
    }
    if (v319) {
        g_y[v275] = m11;
    }
    if (v320) {
        g_y[v276] = m12;
    }
    if (v321) {
        g_y[v277] = m13;
    }
    if (v322) {
        g_y[v278] = m14;
    }
    if (v323) {
        g_y[v279] = m15;
    }
    if (v324) {
        g_y[v280] = m16;
    }
    if (v325) {
        g_y[v281] = m17;
    }
    if (v326) {
        g_y[v282] = m18;
    }
    if (v327) {
        g_y[v283] = m19;
    }
    if (v328) {
        g_y[v284] = m20;
    }
    if (v329) {
        g_y[v285] = m21;
    }
    if (v330) {
        g_y[v286] = m22;
    }
    if (v331) {
        g_y[v287] = m23;
    }
    if (v332) {
        g_y[v288] = m24;
    }
    if (v333) {
        g_y[v289] = m25;
    }
    if (v334) {
        g_y[v290] = m26;
    }
    if (v335) {
        g_y[v291] = m27;
    }
    if (v336) {
        g_y[v292] = m28;
    }
    if (v337) {
        g_y[v293] = m29;
    }
    if (v338) {
        g_y[v294] = m30;
    }
    if (v339) {
        g_y[v295] = m31;
    }
    if (v340) {
        g_y[v296] = m32;
    }
    if (v341) {
        g_y[v297] = m33;
    }
    if (v342) {
        g_y[v298] = m34;
    }
    if (v343) {
        g_y[v299] = m35;
    }
    if (v344) {
        g_y[v300] = m36;
    }
}
