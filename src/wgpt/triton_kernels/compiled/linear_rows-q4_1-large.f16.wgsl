enable f16;
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
@group(0) @binding(2) var<storage, read> g_w: array<i32>;
@group(0) @binding(3) var<storage, read> g_s: array<f16>;
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
    let t302 = (lane >> 3u);
    let t303 = (lane & 7i);
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
        let v123 = (v73 / 32i);
        let v124 = (v123 * 4i);
        let v125 = (v115 + v124);
        let v126 = (v116 + v124);
        let v127 = (v117 + v124);
        let v128 = (v118 + v124);
        let v129 = (v119 + v124);
        let v130 = (v120 + v124);
        let v131 = (v121 + v124);
        let v132 = (v122 + v124);
        let v133 = (v73 % 16i);
        let v134 = (v133 / 4i);
        let v135 = (v125 + v134);
        let v136 = (v126 + v134);
        let v137 = (v127 + v134);
        let v138 = (v128 + v134);
        let v139 = (v129 + v134);
        let v140 = (v130 + v134);
        let v141 = (v131 + v134);
        let v142 = (v132 + v134);
        let x143 = g_w[v135];
        let x144 = g_w[v136];
        let x145 = g_w[v137];
        let x146 = g_w[v138];
        let x147 = g_w[v139];
        let x148 = g_w[v140];
        let x149 = g_w[v141];
        let x150 = g_w[v142];
        let v151 = (v73 % 4i);
        let v152 = (v151 * 8i);
        let v153 = (v73 % 32i);
        let v154 = (v153 / 16i);
        let v155 = (v154 * 4i);
        let v156 = (v152 + v155);
        let v157 = select(bitcast<i32>(bitcast<u32>(x143) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v158 = select(bitcast<i32>(bitcast<u32>(x144) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v159 = select(bitcast<i32>(bitcast<u32>(x145) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v160 = select(bitcast<i32>(bitcast<u32>(x146) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v161 = select(bitcast<i32>(bitcast<u32>(x147) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v162 = select(bitcast<i32>(bitcast<u32>(x148) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v163 = select(bitcast<i32>(bitcast<u32>(x149) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v164 = select(bitcast<i32>(bitcast<u32>(x150) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v165 = (v157 & 15i);
        let v166 = (v158 & 15i);
        let v167 = (v159 & 15i);
        let v168 = (v160 & 15i);
        let v169 = (v161 & 15i);
        let v170 = (v162 & 15i);
        let v171 = (v163 & 15i);
        let v172 = (v164 & 15i);
        let v173 = (v165 | 1258291200i);
        let v174 = (v166 | 1258291200i);
        let v175 = (v167 | 1258291200i);
        let v176 = (v168 | 1258291200i);
        let v177 = (v169 | 1258291200i);
        let v178 = (v170 | 1258291200i);
        let v179 = (v171 | 1258291200i);
        let v180 = (v172 | 1258291200i);
        let v181 = bitcast<u32>(v173);
        let v182 = bitcast<f32>(v181);
        let v183 = bitcast<u32>(v174);
        let v184 = bitcast<f32>(v183);
        let v185 = bitcast<u32>(v175);
        let v186 = bitcast<f32>(v185);
        let v187 = bitcast<u32>(v176);
        let v188 = bitcast<f32>(v187);
        let v189 = bitcast<u32>(v177);
        let v190 = bitcast<f32>(v189);
        let v191 = bitcast<u32>(v178);
        let v192 = bitcast<f32>(v191);
        let v193 = bitcast<u32>(v179);
        let v194 = bitcast<f32>(v193);
        let v195 = bitcast<u32>(v180);
        let v196 = bitcast<f32>(v195);
        let v197 = (v182 - 8388608.0f);
        let v198 = (v184 - 8388608.0f);
        let v199 = (v186 - 8388608.0f);
        let v200 = (v188 - 8388608.0f);
        let v201 = (v190 - 8388608.0f);
        let v202 = (v192 - 8388608.0f);
        let v203 = (v194 - 8388608.0f);
        let v204 = (v196 - 8388608.0f);
        let v205 = (p.a7_line / 4i);
        let v206 = (v107 * v205);
        let v207 = (v108 * v205);
        let v208 = (v109 * v205);
        let v209 = (v110 * v205);
        let v210 = (v111 * v205);
        let v211 = (v112 * v205);
        let v212 = (v113 * v205);
        let v213 = (v114 * v205);
        let v214 = (v206 + v123);
        let v215 = (v207 + v123);
        let v216 = (v208 + v123);
        let v217 = (v209 + v123);
        let v218 = (v210 + v123);
        let v219 = (v211 + v123);
        let v220 = (v212 + v123);
        let v221 = (v213 + v123);
        let v222 = (v214 * 2i);
        let v223 = (v215 * 2i);
        let v224 = (v216 * 2i);
        let v225 = (v217 * 2i);
        let v226 = (v218 * 2i);
        let v227 = (v219 * 2i);
        let v228 = (v220 * 2i);
        let v229 = (v221 * 2i);
        let x230 = f32(g_s[v222]);
        let x231 = f32(g_s[v223]);
        let x232 = f32(g_s[v224]);
        let x233 = f32(g_s[v225]);
        let x234 = f32(g_s[v226]);
        let x235 = f32(g_s[v227]);
        let x236 = f32(g_s[v228]);
        let x237 = f32(g_s[v229]);
        let v238 = (v197 * x230);
        let v239 = (v198 * x231);
        let v240 = (v199 * x232);
        let v241 = (v200 * x233);
        let v242 = (v201 * x234);
        let v243 = (v202 * x235);
        let v244 = (v203 * x236);
        let v245 = (v204 * x237);
        let v246 = (v222 + 1i);
        let v247 = (v223 + 1i);
        let v248 = (v224 + 1i);
        let v249 = (v225 + 1i);
        let v250 = (v226 + 1i);
        let v251 = (v227 + 1i);
        let v252 = (v228 + 1i);
        let v253 = (v229 + 1i);
        let x254 = f32(g_s[v246]);
        let x255 = f32(g_s[v247]);
        let x256 = f32(g_s[v248]);
        let x257 = f32(g_s[v249]);
        let x258 = f32(g_s[v250]);
        let x259 = f32(g_s[v251]);
        let x260 = f32(g_s[v252]);
        let x261 = f32(g_s[v253]);
        let v262 = (v238 + x254);
        let v263 = (v239 + x255);
        let v264 = (v240 + x256);
        let v265 = (v241 + x257);
        let v266 = (v242 + x258);
        let v267 = (v243 + x259);
        let v268 = (v244 + x260);
        let v269 = (v245 + x261);
        var m270: f32 = m5;
        var m271: f32 = m6;
        var m272: f32 = m7;
        var m273: f32 = m8;
        var m274: f32 = m9;
        var m275: f32 = m10;
        var m276: f32 = m11;
        var m277: f32 = m12;
        var m278: f32 = m13;
        var m279: f32 = m14;
        var m280: f32 = m15;
        var m281: f32 = m16;
        var m282: f32 = m17;
        var m283: f32 = m18;
        var m284: f32 = m19;
        var m285: f32 = m20;
        var m286: f32 = m21;
        var m287: f32 = m22;
        var m288: f32 = m23;
        var m289: f32 = m24;
        var m290: f32 = m25;
        var m291: f32 = m26;
        var m292: f32 = m27;
        var m293: f32 = m28;
        var m294: f32 = m29;
        var m295: f32 = m30;
        var m296: f32 = m31;
        var m297: f32 = m32;
        var m298: f32 = m33;
        var m299: f32 = m34;
        var m300: f32 = m35;
        var m301: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t71 * 65i) + t39) + 1040i)] = bitcast<u32>(v262);
        pool[(((t71 * 65i) + (t39 + 8i)) + 1040i)] = bitcast<u32>(v263);
        pool[(((t71 * 65i) + (t39 + 16i)) + 1040i)] = bitcast<u32>(v264);
        pool[(((t71 * 65i) + (t39 + 24i)) + 1040i)] = bitcast<u32>(v265);
        pool[(((t71 * 65i) + (t39 + 32i)) + 1040i)] = bitcast<u32>(v266);
        pool[(((t71 * 65i) + (t39 + 40i)) + 1040i)] = bitcast<u32>(v267);
        pool[(((t71 * 65i) + (t39 + 48i)) + 1040i)] = bitcast<u32>(v268);
        pool[(((t71 * 65i) + (t39 + 56i)) + 1040i)] = bitcast<u32>(v269);
        workgroupBarrier();
        for (var k304 = 0i; k304 < 16i; k304 = k304 + 1i) {
            let v305 = (t302 + ((((0i * 16i) + k304)) * 65i));
            let v306 = ((t303 + 1040i) + ((((0i * 16i) + k304)) * 65i));
            let v307 = bitcast<f32>(pool[v305]);
            let v308 = bitcast<f32>(pool[v306]);
            let v309 = bitcast<f32>(pool[(v306 + 8i)]);
            let v310 = bitcast<f32>(pool[(v306 + 16i)]);
            let v311 = bitcast<f32>(pool[(v306 + 24i)]);
            let v312 = bitcast<f32>(pool[(v306 + 32i)]);
            let v313 = bitcast<f32>(pool[(v306 + 40i)]);
            let v314 = bitcast<f32>(pool[(v306 + 48i)]);
            let v315 = bitcast<f32>(pool[(v306 + 56i)]);
            let v316 = bitcast<f32>(pool[(v305 + 16i)]);
            let v317 = bitcast<f32>(pool[(v305 + 32i)]);
            let v318 = bitcast<f32>(pool[(v305 + 48i)]);
            m270 = fma(v307, v308, m270);
            m271 = fma(v307, v309, m271);
            m272 = fma(v307, v310, m272);
            m273 = fma(v307, v311, m273);
            m274 = fma(v307, v312, m274);
            m275 = fma(v307, v313, m275);
            m276 = fma(v307, v314, m276);
            m277 = fma(v307, v315, m277);
            m278 = fma(v316, v308, m278);
            m279 = fma(v316, v309, m279);
            m280 = fma(v316, v310, m280);
            m281 = fma(v316, v311, m281);
            m282 = fma(v316, v312, m282);
            m283 = fma(v316, v313, m283);
            m284 = fma(v316, v314, m284);
            m285 = fma(v316, v315, m285);
            m286 = fma(v317, v308, m286);
            m287 = fma(v317, v309, m287);
            m288 = fma(v317, v310, m288);
            m289 = fma(v317, v311, m289);
            m290 = fma(v317, v312, m290);
            m291 = fma(v317, v313, m291);
            m292 = fma(v317, v314, m292);
            m293 = fma(v317, v315, m293);
            m294 = fma(v318, v308, m294);
            m295 = fma(v318, v309, m295);
            m296 = fma(v318, v310, m296);
            m297 = fma(v318, v311, m297);
            m298 = fma(v318, v312, m298);
            m299 = fma(v318, v313, m299);
            m300 = fma(v318, v314, m300);
            m301 = fma(v318, v315, m301);
        }
        m5 = m270;
        m6 = m271;
        m7 = m272;
        m8 = m273;
        m9 = m274;
        m10 = m275;
        m11 = m276;
        m12 = m277;
        m13 = m278;
        m14 = m279;
        m15 = m280;
        m16 = m281;
        m17 = m282;
        m18 = m283;
        m19 = m284;
        m20 = m285;
        m21 = m286;
        m22 = m287;
        m23 = m288;
        m24 = m289;
        m25 = m290;
        m26 = m291;
        m27 = m292;
        m28 = m293;
        m29 = m294;
        m30 = m295;
        m31 = m296;
        m32 = m297;
        m33 = m298;
        m34 = m299;
        m35 = m300;
        m36 = m301;
    }
    let v319 = (t302 + 16i);
    let v320 = (t302 + 32i);
    let v321 = (t302 + 48i);
    let v322 = (v1 + t302);
    let v323 = (v1 + v319);
    let v324 = (v1 + v320);
    let v325 = (v1 + v321);
    let v326 = min(v322, v3);
    let v327 = min(v323, v3);
    let v328 = min(v324, v3);
    let v329 = min(v325, v3);
    let v330 = (v326 * p.a8_width);
    let v331 = (v327 * p.a8_width);
    let v332 = (v328 * p.a8_width);
    let v333 = (v329 * p.a8_width);
    let v334 = (t303 + 8i);
    let v335 = (t303 + 16i);
    let v336 = (t303 + 24i);
    let v337 = (t303 + 32i);
    let v338 = (t303 + 40i);
    let v339 = (t303 + 48i);
    let v340 = (t303 + 56i);
    let v341 = (v2 + t303);
    let v342 = (v2 + v334);
    let v343 = (v2 + v335);
    let v344 = (v2 + v336);
    let v345 = (v2 + v337);
    let v346 = (v2 + v338);
    let v347 = (v2 + v339);
    let v348 = (v2 + v340);
    let v349 = min(v341, v4);
    let v350 = min(v342, v4);
    let v351 = min(v343, v4);
    let v352 = min(v344, v4);
    let v353 = min(v345, v4);
    let v354 = min(v346, v4);
    let v355 = min(v347, v4);
    let v356 = min(v348, v4);
    let v357 = (p.a9_at + v349);
    let v358 = (p.a9_at + v350);
    let v359 = (p.a9_at + v351);
    let v360 = (p.a9_at + v352);
    let v361 = (p.a9_at + v353);
    let v362 = (p.a9_at + v354);
    let v363 = (p.a9_at + v355);
    let v364 = (p.a9_at + v356);
    let v365 = (v330 + v357);
    let v366 = (v330 + v358);
    let v367 = (v330 + v359);
    let v368 = (v330 + v360);
    let v369 = (v330 + v361);
    let v370 = (v330 + v362);
    let v371 = (v330 + v363);
    let v372 = (v330 + v364);
    let v373 = (v331 + v357);
    let v374 = (v331 + v358);
    let v375 = (v331 + v359);
    let v376 = (v331 + v360);
    let v377 = (v331 + v361);
    let v378 = (v331 + v362);
    let v379 = (v331 + v363);
    let v380 = (v331 + v364);
    let v381 = (v332 + v357);
    let v382 = (v332 + v358);
    let v383 = (v332 + v359);
    let v384 = (v332 + v360);
    let v385 = (v332 + v361);
    let v386 = (v332 + v362);
    let v387 = (v332 + v363);
    let v388 = (v332 + v364);
    let v389 = (v333 + v357);
    let v390 = (v333 + v358);
    let v391 = (v333 + v359);
    let v392 = (v333 + v360);
    let v393 = (v333 + v361);
    let v394 = (v333 + v362);
    let v395 = (v333 + v363);
    let v396 = (v333 + v364);
    let v397 = (v322 < p.a4_m);
    let v398 = (v323 < p.a4_m);
    let v399 = (v324 < p.a4_m);
    let v400 = (v325 < p.a4_m);
    let v401 = (v341 < p.a5_n);
    let v402 = (v342 < p.a5_n);
    let v403 = (v343 < p.a5_n);
    let v404 = (v344 < p.a5_n);
    let v405 = (v345 < p.a5_n);
    let v406 = (v346 < p.a5_n);
    let v407 = (v347 < p.a5_n);
    let v408 = (v348 < p.a5_n);
    let v409 = (v397 & v401);
    let v410 = (v397 & v402);
    let v411 = (v397 & v403);
    let v412 = (v397 & v404);
    let v413 = (v397 & v405);
    let v414 = (v397 & v406);
    let v415 = (v397 & v407);
    let v416 = (v397 & v408);
    let v417 = (v398 & v401);
    let v418 = (v398 & v402);
    let v419 = (v398 & v403);
    let v420 = (v398 & v404);
    let v421 = (v398 & v405);
    let v422 = (v398 & v406);
    let v423 = (v398 & v407);
    let v424 = (v398 & v408);
    let v425 = (v399 & v401);
    let v426 = (v399 & v402);
    let v427 = (v399 & v403);
    let v428 = (v399 & v404);
    let v429 = (v399 & v405);
    let v430 = (v399 & v406);
    let v431 = (v399 & v407);
    let v432 = (v399 & v408);
    let v433 = (v400 & v401);
    let v434 = (v400 & v402);
    let v435 = (v400 & v403);
    let v436 = (v400 & v404);
    let v437 = (v400 & v405);
    let v438 = (v400 & v406);
    let v439 = (v400 & v407);
    let v440 = (v400 & v408);
    if (v409) {
        g_y[v365] = m5;
    }
    if (v410) {
        g_y[v366] = m6;
    }
    if (v411) {
        g_y[v367] = m7;
    }
    if (v412) {
        g_y[v368] = m8;
    }
    if (v413) {
        g_y[v369] = m9;
    }
    if (v414) {
        g_y[v370] = m10;
    }
    if (v415) {
        g_y[v371] = m11;
    }
    if (v416) {
        g_y[v372] = m12;
    }
    if (v417) {
        g_y[v373] = m13;
    }
    if (v418) {
        g_y[v374] = m14;
    }
    if (v419) {
        g_y[v375] = m15;
    }
    if (v420) {
        g_y[v376] = m16;
    }
    if (v421) {
        g_y[v377] = m17;
    }
    if (v422) {
        g_y[v378] = m18;
    }
    if (v423) {
        g_y[v379] = m19;
    }
    if (v424) {
        g_y[v380] = m20;
    }
    if (v425) {
        g_y[v381] = m21;
    }
    if (v426) {
        g_y[v382] = m22;
    }
    if (v427) {
        g_y[v383] = m23;
    }
    if (v428) {
        g_y[v384] = m24;
    }
    if (v429) {
        g_y[v385] = m25;
    }
    if (v430) {
        g_y[v386] = m26;
    }
    if (v431) {
        g_y[v387] = m27;
    }
    if (v432) {
        g_y[v388] = m28;
    }
    if (v433) {
        g_y[v389] = m29;
    }
    if (v434) {
        g_y[v390] = m30;
    }
    if (v435) {
        g_y[v391] = m31;
    }
    if (v436) {
        g_y[v392] = m32;
    }
    if (v437) {
        g_y[v393] = m33;
    }
    if (v438) {
        g_y[v394] = m34;
    }
    if (v439) {
        g_y[v395] = m35;
    }
    if (v440) {
        g_y[v396] = m36;
    }
}
