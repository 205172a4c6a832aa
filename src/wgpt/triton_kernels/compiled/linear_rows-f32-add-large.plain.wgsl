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
@group(0) @binding(2) var<storage, read> g_w: array<f32>;
@group(0) @binding(3) var<storage, read> g_r: array<f32>;
@group(0) @binding(4) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 2080>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t39 = (lane >> 4u);
    let t71 = (lane & 15i);
    let t171 = (lane >> 3u);
    let t172 = (lane & 7i);
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
        let x131 = g_w[v123];
        let x132 = g_w[v124];
        let x133 = g_w[v125];
        let x134 = g_w[v126];
        let x135 = g_w[v127];
        let x136 = g_w[v128];
        let x137 = g_w[v129];
        let x138 = g_w[v130];
        var m139: f32 = m5;
        var m140: f32 = m6;
        var m141: f32 = m7;
        var m142: f32 = m8;
        var m143: f32 = m9;
        var m144: f32 = m10;
        var m145: f32 = m11;
        var m146: f32 = m12;
        var m147: f32 = m13;
        var m148: f32 = m14;
        var m149: f32 = m15;
        var m150: f32 = m16;
        var m151: f32 = m17;
        var m152: f32 = m18;
        var m153: f32 = m19;
        var m154: f32 = m20;
        var m155: f32 = m21;
        var m156: f32 = m22;
        var m157: f32 = m23;
        var m158: f32 = m24;
        var m159: f32 = m25;
        var m160: f32 = m26;
        var m161: f32 = m27;
        var m162: f32 = m28;
        var m163: f32 = m29;
        var m164: f32 = m30;
        var m165: f32 = m31;
        var m166: f32 = m32;
        var m167: f32 = m33;
        var m168: f32 = m34;
        var m169: f32 = m35;
        var m170: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t71 * 65i) + t39) + 1040i)] = bitcast<u32>(x131);
        pool[(((t71 * 65i) + (t39 + 8i)) + 1040i)] = bitcast<u32>(x132);
        pool[(((t71 * 65i) + (t39 + 16i)) + 1040i)] = bitcast<u32>(x133);
        pool[(((t71 * 65i) + (t39 + 24i)) + 1040i)] = bitcast<u32>(x134);
        pool[(((t71 * 65i) + (t39 + 32i)) + 1040i)] = bitcast<u32>(x135);
        pool[(((t71 * 65i) + (t39 + 40i)) + 1040i)] = bitcast<u32>(x136);
        pool[(((t71 * 65i) + (t39 + 48i)) + 1040i)] = bitcast<u32>(x137);
        pool[(((t71 * 65i) + (t39 + 56i)) + 1040i)] = bitcast<u32>(x138);
        workgroupBarrier();
        for (var k173 = 0i; k173 < 16i; k173 = k173 + 1i) {
            let v174 = (t171 + ((((0i * 16i) + k173)) * 65i));
            let v175 = ((t172 + 1040i) + ((((0i * 16i) + k173)) * 65i));
            let v176 = bitcast<f32>(pool[v174]);
            let v177 = bitcast<f32>(pool[v175]);
            let v178 = bitcast<f32>(pool[(v175 + 8i)]);
            let v179 = bitcast<f32>(pool[(v175 + 16i)]);
            let v180 = bitcast<f32>(pool[(v175 + 24i)]);
            let v181 = bitcast<f32>(pool[(v175 + 32i)]);
            let v182 = bitcast<f32>(pool[(v175 + 40i)]);
            let v183 = bitcast<f32>(pool[(v175 + 48i)]);
            let v184 = bitcast<f32>(pool[(v175 + 56i)]);
            let v185 = bitcast<f32>(pool[(v174 + 16i)]);
            let v186 = bitcast<f32>(pool[(v174 + 32i)]);
            let v187 = bitcast<f32>(pool[(v174 + 48i)]);
            m139 = fma(v176, v177, m139);
            m140 = fma(v176, v178, m140);
            m141 = fma(v176, v179, m141);
            m142 = fma(v176, v180, m142);
            m143 = fma(v176, v181, m143);
            m144 = fma(v176, v182, m144);
            m145 = fma(v176, v183, m145);
            m146 = fma(v176, v184, m146);
            m147 = fma(v185, v177, m147);
            m148 = fma(v185, v178, m148);
            m149 = fma(v185, v179, m149);
            m150 = fma(v185, v180, m150);
            m151 = fma(v185, v181, m151);
            m152 = fma(v185, v182, m152);
            m153 = fma(v185, v183, m153);
            m154 = fma(v185, v184, m154);
            m155 = fma(v186, v177, m155);
            m156 = fma(v186, v178, m156);
            m157 = fma(v186, v179, m157);
            m158 = fma(v186, v180, m158);
            m159 = fma(v186, v181, m159);
            m160 = fma(v186, v182, m160);
            m161 = fma(v186, v183, m161);
            m162 = fma(v186, v184, m162);
            m163 = fma(v187, v177, m163);
            m164 = fma(v187, v178, m164);
            m165 = fma(v187, v179, m165);
            m166 = fma(v187, v180, m166);
            m167 = fma(v187, v181, m167);
            m168 = fma(v187, v182, m168);
            m169 = fma(v187, v183, m169);
            m170 = fma(v187, v184, m170);
        }
        m5 = m139;
        m6 = m140;
        m7 = m141;
        m8 = m142;
        m9 = m143;
        m10 = m144;
        m11 = m145;
        m12 = m146;
        m13 = m147;
        m14 = m148;
        m15 = m149;
        m16 = m150;
        m17 = m151;
        m18 = m152;
        m19 = m153;
        m20 = m154;
        m21 = m155;
        m22 = m156;
        m23 = m157;
        m24 = m158;
        m25 = m159;
        m26 = m160;
        m27 = m161;
        m28 = m162;
        m29 = m163;
        m30 = m164;
        m31 = m165;
        m32 = m166;
        m33 = m167;
        m34 = m168;
        m35 = m169;
        m36 = m170;
    }
    let v188 = (t171 + 16i);
    let v189 = (t171 + 32i);
    let v190 = (t171 + 48i);
    let v191 = (v1 + t171);
    let v192 = (v1 + v188);
    let v193 = (v1 + v189);
    let v194 = (v1 + v190);
    let v195 = min(v191, v3);
    let v196 = min(v192, v3);
    let v197 = min(v193, v3);
    let v198 = min(v194, v3);
    let v199 = (v195 * p.a8_width);
    let v200 = (v196 * p.a8_width);
    let v201 = (v197 * p.a8_width);
    let v202 = (v198 * p.a8_width);
    let v203 = (t172 + 8i);
    let v204 = (t172 + 16i);
    let v205 = (t172 + 24i);
    let v206 = (t172 + 32i);
    let v207 = (t172 + 40i);
    let v208 = (t172 + 48i);
    let v209 = (t172 + 56i);
    let v210 = (v2 + t172);
    let v211 = (v2 + v203);
    let v212 = (v2 + v204);
    let v213 = (v2 + v205);
    let v214 = (v2 + v206);
    let v215 = (v2 + v207);
    let v216 = (v2 + v208);
    let v217 = (v2 + v209);
    let v218 = min(v210, v4);
    let v219 = min(v211, v4);
    let v220 = min(v212, v4);
    let v221 = min(v213, v4);
    let v222 = min(v214, v4);
    let v223 = min(v215, v4);
    let v224 = min(v216, v4);
    let v225 = min(v217, v4);
    let v226 = (p.a9_at + v218);
    let v227 = (p.a9_at + v219);
    let v228 = (p.a9_at + v220);
    let v229 = (p.a9_at + v221);
    let v230 = (p.a9_at + v222);
    let v231 = (p.a9_at + v223);
    let v232 = (p.a9_at + v224);
    let v233 = (p.a9_at + v225);
    let v234 = (v199 + v226);
    let v235 = (v199 + v227);
    let v236 = (v199 + v228);
    let v237 = (v199 + v229);
    let v238 = (v199 + v230);
    let v239 = (v199 + v231);
    let v240 = (v199 + v232);
    let v241 = (v199 + v233);
    let v242 = (v200 + v226);
    let v243 = (v200 + v227);
    let v244 = (v200 + v228);
    let v245 = (v200 + v229);
    let v246 = (v200 + v230);
    let v247 = (v200 + v231);
    let v248 = (v200 + v232);
    let v249 = (v200 + v233);
    let v250 = (v201 + v226);
    let v251 = (v201 + v227);
    let v252 = (v201 + v228);
    let v253 = (v201 + v229);
    let v254 = (v201 + v230);
    let v255 = (v201 + v231);
    let v256 = (v201 + v232);
    let v257 = (v201 + v233);
    let v258 = (v202 + v226);
    let v259 = (v202 + v227);
    let v260 = (v202 + v228);
    let v261 = (v202 + v229);
    let v262 = (v202 + v230);
    let v263 = (v202 + v231);
    let v264 = (v202 + v232);
    let v265 = (v202 + v233);
    let x266 = g_r[v234];
    let x267 = g_r[v235];
    let x268 = g_r[v236];
    let x269 = g_r[v237];
    let x270 = g_r[v238];
    let x271 = g_r[v239];
    let x272 = g_r[v240];
    let x273 = g_r[v241];
    let x274 = g_r[v242];
    let x275 = g_r[v243];
    let x276 = g_r[v244];
    let x277 = g_r[v245];
    let x278 = g_r[v246];
    let x279 = g_r[v247];
    let x280 = g_r[v248];
    let x281 = g_r[v249];
    let x282 = g_r[v250];
    let x283 = g_r[v251];
    let x284 = g_r[v252];
    let x285 = g_r[v253];
    let x286 = g_r[v254];
    let x287 = g_r[v255];
    let x288 = g_r[v256];
    let x289 = g_r[v257];
    let x290 = g_r[v258];
    let x291 = g_r[v259];
    let x292 = g_r[v260];
    let x293 = g_r[v261];
    let x294 = g_r[v262];
    let x295 = g_r[v263];
    let x296 = g_r[v264];
    let x297 = g_r[v265];
    let v298 = (m5 + x266);
    let v299 = (m6 + x267);
    let v300 = (m7 + x268);
    let v301 = (m8 + x269);
    let v302 = (m9 + x270);
    let v303 = (m10 + x271);
    let v304 = (m11 + x272);
    let v305 = (m12 + x273);
    let v306 = (m13 + x274);
    let v307 = (m14 + x275);
    let v308 = (m15 + x276);
    let v309 = (m16 + x277);
    let v310 = (m17 + x278);
    let v311 = (m18 + x279);
    let v312 = (m19 + x280);
    let v313 = (m20 + x281);
    let v314 = (m21 + x282);
    let v315 = (m22 + x283);
    let v316 = (m23 + x284);
    let v317 = (m24 + x285);
    let v318 = (m25 + x286);
    let v319 = (m26 + x287);
    let v320 = (m27 + x288);
    let v321 = (m28 + x289);
    let v322 = (m29 + x290);
    let v323 = (m30 + x291);
    let v324 = (m31 + x292);
    let v325 = (m32 + x293);
    let v326 = (m33 + x294);
    let v327 = (m34 + x295);
    let v328 = (m35 + x296);
    let v329 = (m36 + x297);
    let v330 = (v191 < p.a4_m);
    let v331 = (v192 < p.a4_m);
    let v332 = (v193 < p.a4_m);
    let v333 = (v194 < p.a4_m);
    let v334 = (v210 < p.a5_n);
    let v335 = (v211 < p.a5_n);
    let v336 = (v212 < p.a5_n);
    let v337 = (v213 < p.a5_n);
    let v338 = (v214 < p.a5_n);
    let v339 = (v215 < p.a5_n);
    let v340 = (v216 < p.a5_n);
    let v341 = (v217 < p.a5_n);
    let v342 = (v330 & v334);
    let v343 = (v330 & v335);
    let v344 = (v330 & v336);
    let v345 = (v330 & v337);
    let v346 = (v330 & v338);
    let v347 = (v330 & v339);
    let v348 = (v330 & v340);
    let v349 = (v330 & v341);
    let v350 = (v331 & v334);
    let v351 = (v331 & v335);
    let v352 = (v331 & v336);
    let v353 = (v331 & v337);
    let v354 = (v331 & v338);
    let v355 = (v331 & v339);
    let v356 = (v331 & v340);
    let v357 = (v331 & v341);
    let v358 = (v332 & v334);
    let v359 = (v332 & v335);
    let v360 = (v332 & v336);
    let v361 = (v332 & v337);
    let v362 = (v332 & v338);
    let v363 = (v332 & v339);
    let v364 = (v332 & v340);
    let v365 = (v332 & v341);
    let v366 = (v333 & v334);
    let v367 = (v333 & v335);
    let v368 = (v333 & v336);
    let v369 = (v333 & v337);
    let v370 = (v333 & v338);
    let v371 = (v333 & v339);
    let v372 = (v333 & v340);
    let v373 = (v333 & v341);
    if (v342) {
        g_y[v234] = v298;
    }
    if (v343) {
        g_y[v235] = v299;
    }
    if (v344) {
        g_y[v236] = v300;
    }
    if (v345) {
        g_y[v237] = v301;
    }
    if (v346) {
        g_y[v238] = v302;
    }
    if (v347) {
        g_y[v239] = v303;
    }
    if (v348) {
        g_y[v240] = v304;
    }
    if (v349) {
        g_y[v241] = v305;
    }
    if (v350) {
        g_y[v242] = v306;
    }
    if (v351) {
        g_y[v243] = v307;
    }
    if (v352) {
        g_y[v244] = v308;
    }
    if (v353) {
        g_y[v245] = v309;
    }
    if (v354) {
        g_y[v246] = v310;
    }
    if (v355) {
        g_y[v247] = v311;
    }
    if (v356) {
        g_y[v248] = v312;
    }
    if (v357) {
        g_y[v249] = v313;
    }
    if (v358) {
        g_y[v250] = v314;
    }
    if (v359) {
        g_y[v251] = v315;
    }
    if (v360) {
        g_y[v252] = v316;
    }
    if (v361) {
        g_y[v253] = v317;
    }
    if (v362) {
        g_y[v254] = v318;
    }
    if (v363) {
        g_y[v255] = v319;
    }
    if (v364) {
        g_y[v256] = v320;
    }
    if (v365) {
        g_y[v257] = v321;
    }
    if (v366) {
        g_y[v258] = v322;
    }
    if (v367) {
        g_y[v259] = v323;
    }
    if (v368) {
        g_y[v260] = v324;
    }
    if (v369) {
        g_y[v261] = v325;
    }
    if (v370) {
        g_y[v262] = v326;
    }
    if (v371) {
        g_y[v263] = v327;
    }
    if (v372) {
        g_y[v264] = v328;
    }
    if (v373) {
        g_y[v265] = v329;
    }
}
