enable f16;
struct Params {
    a5_m: i32,
    a6_n: i32,
    a7_k: i32,
    a8_line: i32,
    a9_width: i32,
    a10_at: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_w: array<i32>;
@group(0) @binding(3) var<storage, read> g_s: array<f16>;
@group(0) @binding(4) var<storage, read> g_b: array<f32>;
@group(0) @binding(5) var<storage, read_write> g_y: array<f32>;
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
    let t342 = (lane & 120i) == 0i;
    let v1 = (pid_y * 64i);
    let v2 = (pid_x * 64i);
    let v3 = (p.a5_m - 1i);
    let v4 = (p.a6_n - 1i);
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
    for (var i37: i32 = 0i; (i37 < p.a7_k); i37 = i37 + 16i) {
        let v38 = (p.a7_k - 1i);
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
        let v63 = (v55 * p.a7_k);
        let v64 = (v56 * p.a7_k);
        let v65 = (v57 * p.a7_k);
        let v66 = (v58 * p.a7_k);
        let v67 = (v59 * p.a7_k);
        let v68 = (v60 * p.a7_k);
        let v69 = (v61 * p.a7_k);
        let v70 = (v62 * p.a7_k);
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
        let v90 = (v72 < p.a7_k);
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
        let v115 = (v107 * p.a8_line);
        let v116 = (v108 * p.a8_line);
        let v117 = (v109 * p.a8_line);
        let v118 = (v110 * p.a8_line);
        let v119 = (v111 * p.a8_line);
        let v120 = (v112 * p.a8_line);
        let v121 = (v113 * p.a8_line);
        let v122 = (v114 * p.a8_line);
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
        let v205 = (p.a8_line / 4i);
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
    let v319 = (t303 + 8i);
    let v320 = (t303 + 16i);
    let v321 = (t303 + 24i);
    let v322 = (t303 + 32i);
    let v323 = (t303 + 40i);
    let v324 = (t303 + 48i);
    let v325 = (t303 + 56i);
    let v326 = (v2 + t303);
    let v327 = (v2 + v319);
    let v328 = (v2 + v320);
    let v329 = (v2 + v321);
    let v330 = (v2 + v322);
    let v331 = (v2 + v323);
    let v332 = (v2 + v324);
    let v333 = (v2 + v325);
    let v334 = min(v326, v4);
    let v335 = min(v327, v4);
    let v336 = min(v328, v4);
    let v337 = min(v329, v4);
    let v338 = min(v330, v4);
    let v339 = min(v331, v4);
    let v340 = min(v332, v4);
    let v341 = min(v333, v4);
    let x343 = g_b[v334];
    let x344 = g_b[v335];
    let x345 = g_b[v336];
    let x346 = g_b[v337];
    let x347 = g_b[v338];
    let x348 = g_b[v339];
    let x349 = g_b[v340];
    let x350 = g_b[v341];
    let v351 = (m5 + x343);
    let v352 = (m6 + x344);
    let v353 = (m7 + x345);
    let v354 = (m8 + x346);
    let v355 = (m9 + x347);
    let v356 = (m10 + x348);
    let v357 = (m11 + x349);
    let v358 = (m12 + x350);
    let v359 = (m13 + x343);
    let v360 = (m14 + x344);
    let v361 = (m15 + x345);
    let v362 = (m16 + x346);
    let v363 = (m17 + x347);
    let v364 = (m18 + x348);
    let v365 = (m19 + x349);
    let v366 = (m20 + x350);
    let v367 = (m21 + x343);
    let v368 = (m22 + x344);
    let v369 = (m23 + x345);
    let v370 = (m24 + x346);
    let v371 = (m25 + x347);
    let v372 = (m26 + x348);
    let v373 = (m27 + x349);
    let v374 = (m28 + x350);
    let v375 = (m29 + x343);
    let v376 = (m30 + x344);
    let v377 = (m31 + x345);
    let v378 = (m32 + x346);
    let v379 = (m33 + x347);
    let v380 = (m34 + x348);
    let v381 = (m35 + x349);
    let v382 = (m36 + x350);
    let v383 = (t302 + 16i);
    let v384 = (t302 + 32i);
    let v385 = (t302 + 48i);
    let v386 = (v1 + t302);
    let v387 = (v1 + v383);
    let v388 = (v1 + v384);
    let v389 = (v1 + v385);
    let v390 = min(v386, v3);
    let v391 = min(v387, v3);
    let v392 = min(v388, v3);
    let v393 = min(v389, v3);
    let v394 = (v390 * p.a9_width);
    let v395 = (v391 * p.a9_width);
    let v396 = (v392 * p.a9_width);
    let v397 = (v393 * p.a9_width);
    let v398 = (p.a10_at + v334);
    let v399 = (p.a10_at + v335);
    let v400 = (p.a10_at + v336);
    let v401 = (p.a10_at + v337);
    let v402 = (p.a10_at + v338);
    let v403 = (p.a10_at + v339);
    let v404 = (p.a10_at + v340);
    let v405 = (p.a10_at + v341);
    let v406 = (v394 + v398);
    let v407 = (v394 + v399);
    let v408 = (v394 + v400);
    let v409 = (v394 + v401);
    let v410 = (v394 + v402);
    let v411 = (v394 + v403);
    let v412 = (v394 + v404);
    let v413 = (v394 + v405);
    let v414 = (v395 + v398);
    let v415 = (v395 + v399);
    let v416 = (v395 + v400);
    let v417 = (v395 + v401);
    let v418 = (v395 + v402);
    let v419 = (v395 + v403);
    let v420 = (v395 + v404);
    let v421 = (v395 + v405);
    let v422 = (v396 + v398);
    let v423 = (v396 + v399);
    let v424 = (v396 + v400);
    let v425 = (v396 + v401);
    let v426 = (v396 + v402);
    let v427 = (v396 + v403);
    let v428 = (v396 + v404);
    let v429 = (v396 + v405);
    let v430 = (v397 + v398);
    let v431 = (v397 + v399);
    let v432 = (v397 + v400);
    let v433 = (v397 + v401);
    let v434 = (v397 + v402);
    let v435 = (v397 + v403);
    let v436 = (v397 + v404);
    let v437 = (v397 + v405);
    let v438 = (v386 < p.a5_m);
    let v439 = (v387 < p.a5_m);
    let v440 = (v388 < p.a5_m);
    let v441 = (v389 < p.a5_m);
    let v442 = (v326 < p.a6_n);
    let v443 = (v327 < p.a6_n);
    let v444 = (v328 < p.a6_n);
    let v445 = (v329 < p.a6_n);
    let v446 = (v330 < p.a6_n);
    let v447 = (v331 < p.a6_n);
    let v448 = (v332 < p.a6_n);
    let v449 = (v333 < p.a6_n);
    let v450 = (v438 & v442);
    let v451 = (v438 & v443);
    let v452 = (v438 & v444);
    let v453 = (v438 & v445);
    let v454 = (v438 & v446);
    let v455 = (v438 & v447);
    let v456 = (v438 & v448);
    let v457 = (v438 & v449);
    let v458 = (v439 & v442);
    let v459 = (v439 & v443);
    let v460 = (v439 & v444);
    let v461 = (v439 & v445);
    let v462 = (v439 & v446);
    let v463 = (v439 & v447);
    let v464 = (v439 & v448);
    let v465 = (v439 & v449);
    let v466 = (v440 & v442);
    let v467 = (v440 & v443);
    let v468 = (v440 & v444);
    let v469 = (v440 & v445);
    let v470 = (v440 & v446);
    let v471 = (v440 & v447);
    let v472 = (v440 & v448);
    let v473 = (v440 & v449);
    let v474 = (v441 & v442);
    let v475 = (v441 & v443);
    let v476 = (v441 & v444);
    let v477 = (v441 & v445);
    let v478 = (v441 & v446);
    let v479 = (v441 & v447);
    let v480 = (v441 & v448);
    let v481 = (v441 & v449);
    if (v450) {
        g_y[v406] = v351;
    }
    if (v451) {
        g_y[v407] = v352;
    }
    if (v452) {
        g_y[v408] = v353;
    }
    if (v453) {
        g_y[v409] = v354;
    }
    if (v454) {
        g_y[v410] = v355;
    }
    if (v455) {
        g_y[v411] = v356;
    }
    if (v456) {
        g_y[v412] = v357;
    }
    if (v457) {
        g_y[v413] = v358;
    }
    if (v458) {
        g_y[v414] = v359;
    }
    if (v459) {
        g_y[v415] = v360;
    }
    if (v460) {
        g_y[v416] = v361;
    }
    if (v461) {
        g_y[v417] = v362;
    }
    if (v462) {
        g_y[v418] = v363;
    }
    if (v463) {
        g_y[v419] = v364;
    }
    if (v464) {
        g_y[v420] = v365;
    }
    if (v465) {
        g_y[v421] = v366;
    }
    if (v466) {
        g_y[v422] = v367;
    }
    if (v467) {
        g_y[v423] = v368;
    }
    if (v468) {
        g_y[v424] = v369;
    }
    if (v469) {
        g_y[v425] = v370;
    }
    if (v470) {
        g_y[v426] = v371;
    }
    if (v471) {
        g_y[v427] = v372;
    }
    if (v472) {
        g_y[v428] = v373;
    }
    if (v473) {
        g_y[v429] = v374;
    }
    if (v474) {
        g_y[v430] = v375;
    }
    if (v475) {
        g_y[v431] = v376;
    }
    if (v476) {
        g_y[v432] = v377;
    }
    if (v477) {
        g_y[v433] = v378;
    }
    if (v478) {
        g_y[v434] = v379;
    }
    if (v479) {
        g_y[v435] = v380;
    }
    if (v480) {
        g_y[v436] = v381;
    }
    if (v481) {
        g_y[v437] = v382;
    }
}
