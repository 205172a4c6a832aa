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
var<workgroup> pool: array<u32, 2064>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t39 = (lane >> 4u);
    let t71 = (lane & 15i);
    let t246 = (lane >> 6u) | ((lane & 63i) << 4u);
    let t294 = (lane >> 3u);
    let t295 = (lane & 7i);
    let t296 = (lane & 63i);
    let t297 = (lane >> 6u);
    let t336 = (lane & 120i) == 0i;
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
        let v206 = (v197 - 8.0f);
        let v207 = (v198 - 8.0f);
        let v208 = (v199 - 8.0f);
        let v209 = (v200 - 8.0f);
        let v210 = (v201 - 8.0f);
        let v211 = (v202 - 8.0f);
        let v212 = (v203 - 8.0f);
        let v213 = (v204 - 8.0f);
        let v214 = (v107 * v205);
        let v215 = (v108 * v205);
        let v216 = (v109 * v205);
        let v217 = (v110 * v205);
        let v218 = (v111 * v205);
        let v219 = (v112 * v205);
        let v220 = (v113 * v205);
        let v221 = (v114 * v205);
        let v222 = (v214 + v123);
        let v223 = (v215 + v123);
        let v224 = (v216 + v123);
        let v225 = (v217 + v123);
        let v226 = (v218 + v123);
        let v227 = (v219 + v123);
        let v228 = (v220 + v123);
        let v229 = (v221 + v123);
        let x230 = f32(g_s[v222]);
        let x231 = f32(g_s[v223]);
        let x232 = f32(g_s[v224]);
        let x233 = f32(g_s[v225]);
        let x234 = f32(g_s[v226]);
        let x235 = f32(g_s[v227]);
        let x236 = f32(g_s[v228]);
        let x237 = f32(g_s[v229]);
        let v238 = (v206 * x230);
        let v239 = (v207 * x231);
        let v240 = (v208 * x232);
        let v241 = (v209 * x233);
        let v242 = (v210 * x234);
        let v243 = (v211 * x235);
        let v244 = (v212 * x236);
        let v245 = (v213 * x237);
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v238);
        pool[(lane + 128i)] = bitcast<u32>(v239);
        pool[(lane + 256i)] = bitcast<u32>(v240);
        pool[(lane + 384i)] = bitcast<u32>(v241);
        pool[(lane + 512i)] = bitcast<u32>(v242);
        pool[(lane + 640i)] = bitcast<u32>(v243);
        pool[(lane + 768i)] = bitcast<u32>(v244);
        pool[(lane + 896i)] = bitcast<u32>(v245);
        workgroupBarrier();
        let v247 = bitcast<f32>(pool[t246]);
        let v248 = (t246 + 2i);
        let v249 = bitcast<f32>(pool[v248]);
        let v250 = (t246 + 4i);
        let v251 = bitcast<f32>(pool[v250]);
        let v252 = (t246 + 6i);
        let v253 = bitcast<f32>(pool[v252]);
        let v254 = (t246 + 8i);
        let v255 = bitcast<f32>(pool[v254]);
        let v256 = (t246 + 10i);
        let v257 = bitcast<f32>(pool[v256]);
        let v258 = (t246 + 12i);
        let v259 = bitcast<f32>(pool[v258]);
        let v260 = (t246 + 14i);
        let v261 = bitcast<f32>(pool[v260]);
        var m262: f32 = m5;
        var m263: f32 = m6;
        var m264: f32 = m7;
        var m265: f32 = m8;
        var m266: f32 = m9;
        var m267: f32 = m10;
        var m268: f32 = m11;
        var m269: f32 = m12;
        var m270: f32 = m13;
        var m271: f32 = m14;
        var m272: f32 = m15;
        var m273: f32 = m16;
        var m274: f32 = m17;
        var m275: f32 = m18;
        var m276: f32 = m19;
        var m277: f32 = m20;
        var m278: f32 = m21;
        var m279: f32 = m22;
        var m280: f32 = m23;
        var m281: f32 = m24;
        var m282: f32 = m25;
        var m283: f32 = m26;
        var m284: f32 = m27;
        var m285: f32 = m28;
        var m286: f32 = m29;
        var m287: f32 = m30;
        var m288: f32 = m31;
        var m289: f32 = m32;
        var m290: f32 = m33;
        var m291: f32 = m34;
        var m292: f32 = m35;
        var m293: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t297 * 64i) + t296) + 1040i)] = bitcast<u32>(v247);
        pool[((((t297 + 2i) * 64i) + t296) + 1040i)] = bitcast<u32>(v249);
        pool[((((t297 + 4i) * 64i) + t296) + 1040i)] = bitcast<u32>(v251);
        pool[((((t297 + 6i) * 64i) + t296) + 1040i)] = bitcast<u32>(v253);
        pool[((((t297 + 8i) * 64i) + t296) + 1040i)] = bitcast<u32>(v255);
        pool[((((t297 + 10i) * 64i) + t296) + 1040i)] = bitcast<u32>(v257);
        pool[((((t297 + 12i) * 64i) + t296) + 1040i)] = bitcast<u32>(v259);
        pool[((((t297 + 14i) * 64i) + t296) + 1040i)] = bitcast<u32>(v261);
        workgroupBarrier();
        for (var k298 = 0i; k298 < 16i; k298 = k298 + 1i) {
            let v299 = (t294 + ((((0i * 16i) + k298)) * 65i));
            let v300 = ((t295 + 1040i) + ((((0i * 16i) + k298)) * 64i));
            let v301 = bitcast<f32>(pool[v299]);
            let v302 = bitcast<f32>(pool[v300]);
            let v303 = bitcast<f32>(pool[(v300 + 8i)]);
            let v304 = bitcast<f32>(pool[(v300 + 16i)]);
            let v305 = bitcast<f32>(pool[(v300 + 24i)]);
            let v306 = bitcast<f32>(pool[(v300 + 32i)]);
            let v307 = bitcast<f32>(pool[(v300 + 40i)]);
            let v308 = bitcast<f32>(pool[(v300 + 48i)]);
            let v309 = bitcast<f32>(pool[(v300 + 56i)]);
            let v310 = bitcast<f32>(pool[(v299 + 16i)]);
            let v311 = bitcast<f32>(pool[(v299 + 32i)]);
            let v312 = bitcast<f32>(pool[(v299 + 48i)]);
            m262 = fma(v301, v302, m262);
            m263 = fma(v301, v303, m263);
            m264 = fma(v301, v304, m264);
            m265 = fma(v301, v305, m265);
            m266 = fma(v301, v306, m266);
            m267 = fma(v301, v307, m267);
            m268 = fma(v301, v308, m268);
            m269 = fma(v301, v309, m269);
            m270 = fma(v310, v302, m270);
            m271 = fma(v310, v303, m271);
            m272 = fma(v310, v304, m272);
            m273 = fma(v310, v305, m273);
            m274 = fma(v310, v306, m274);
            m275 = fma(v310, v307, m275);
            m276 = fma(v310, v308, m276);
            m277 = fma(v310, v309, m277);
            m278 = fma(v311, v302, m278);
            m279 = fma(v311, v303, m279);
            m280 = fma(v311, v304, m280);
            m281 = fma(v311, v305, m281);
            m282 = fma(v311, v306, m282);
            m283 = fma(v311, v307, m283);
            m284 = fma(v311, v308, m284);
            m285 = fma(v311, v309, m285);
            m286 = fma(v312, v302, m286);
            m287 = fma(v312, v303, m287);
            m288 = fma(v312, v304, m288);
            m289 = fma(v312, v305, m289);
            m290 = fma(v312, v306, m290);
            m291 = fma(v312, v307, m291);
            m292 = fma(v312, v308, m292);
            m293 = fma(v312, v309, m293);
        }
        m5 = m262;
        m6 = m263;
        m7 = m264;
        m8 = m265;
        m9 = m266;
        m10 = m267;
        m11 = m268;
        m12 = m269;
        m13 = m270;
        m14 = m271;
        m15 = m272;
        m16 = m273;
        m17 = m274;
        m18 = m275;
        m19 = m276;
        m20 = m277;
        m21 = m278;
        m22 = m279;
        m23 = m280;
        m24 = m281;
        m25 = m282;
        m26 = m283;
        m27 = m284;
        m28 = m285;
        m29 = m286;
        m30 = m287;
        m31 = m288;
        m32 = m289;
        m33 = m290;
        m34 = m291;
        m35 = m292;
        m36 = m293;
    }
    let v313 = (t295 + 8i);
    let v314 = (t295 + 16i);
    let v315 = (t295 + 24i);
    let v316 = (t295 + 32i);
    let v317 = (t295 + 40i);
    let v318 = (t295 + 48i);
    let v319 = (t295 + 56i);
    let v320 = (v2 + t295);
    let v321 = (v2 + v313);
    let v322 = (v2 + v314);
    let v323 = (v2 + v315);
    let v324 = (v2 + v316);
    let v325 = (v2 + v317);
    let v326 = (v2 + v318);
    let v327 = (v2 + v319);
    let v328 = min(v320, v4);
    let v329 = min(v321, v4);
    let v330 = min(v322, v4);
    let v331 = min(v323, v4);
    let v332 = min(v324, v4);
    let v333 = min(v325, v4);
    let v334 = min(v326, v4);
    let v335 = min(v327, v4);
    let x337 = g_b[v328];
    let x338 = g_b[v329];
    let x339 = g_b[v330];
    let x340 = g_b[v331];
    let x341 = g_b[v332];
    let x342 = g_b[v333];
    let x343 = g_b[v334];
    let x344 = g_b[v335];
    let v345 = (m5 + x337);
    let v346 = (m6 + x338);
    let v347 = (m7 + x339);
    let v348 = (m8 + x340);
    let v349 = (m9 + x341);
    let v350 = (m10 + x342);
    let v351 = (m11 + x343);
    let v352 = (m12 + x344);
    let v353 = (m13 + x337);
    let v354 = (m14 + x338);
    let v355 = (m15 + x339);
    let v356 = (m16 + x340);
    let v357 = (m17 + x341);
    let v358 = (m18 + x342);
    let v359 = (m19 + x343);
    let v360 = (m20 + x344);
    let v361 = (m21 + x337);
    let v362 = (m22 + x338);
    let v363 = (m23 + x339);
    let v364 = (m24 + x340);
    let v365 = (m25 + x341);
    let v366 = (m26 + x342);
    let v367 = (m27 + x343);
    let v368 = (m28 + x344);
    let v369 = (m29 + x337);
    let v370 = (m30 + x338);
    let v371 = (m31 + x339);
    let v372 = (m32 + x340);
    let v373 = (m33 + x341);
    let v374 = (m34 + x342);
    let v375 = (m35 + x343);
    let v376 = (m36 + x344);
    let v377 = (t294 + 16i);
    let v378 = (t294 + 32i);
    let v379 = (t294 + 48i);
    let v380 = (v1 + t294);
    let v381 = (v1 + v377);
    let v382 = (v1 + v378);
    let v383 = (v1 + v379);
    let v384 = min(v380, v3);
    let v385 = min(v381, v3);
    let v386 = min(v382, v3);
    let v387 = min(v383, v3);
    let v388 = (v384 * p.a9_width);
    let v389 = (v385 * p.a9_width);
    let v390 = (v386 * p.a9_width);
    let v391 = (v387 * p.a9_width);
    let v392 = (p.a10_at + v328);
    let v393 = (p.a10_at + v329);
    let v394 = (p.a10_at + v330);
    let v395 = (p.a10_at + v331);
    let v396 = (p.a10_at + v332);
    let v397 = (p.a10_at + v333);
    let v398 = (p.a10_at + v334);
    let v399 = (p.a10_at + v335);
    let v400 = (v388 + v392);
    let v401 = (v388 + v393);
    let v402 = (v388 + v394);
    let v403 = (v388 + v395);
    let v404 = (v388 + v396);
    let v405 = (v388 + v397);
    let v406 = (v388 + v398);
    let v407 = (v388 + v399);
    let v408 = (v389 + v392);
    let v409 = (v389 + v393);
    let v410 = (v389 + v394);
    let v411 = (v389 + v395);
    let v412 = (v389 + v396);
    let v413 = (v389 + v397);
    let v414 = (v389 + v398);
    let v415 = (v389 + v399);
    let v416 = (v390 + v392);
    let v417 = (v390 + v393);
    let v418 = (v390 + v394);
    let v419 = (v390 + v395);
    let v420 = (v390 + v396);
    let v421 = (v390 + v397);
    let v422 = (v390 + v398);
    let v423 = (v390 + v399);
    let v424 = (v391 + v392);
    let v425 = (v391 + v393);
    let v426 = (v391 + v394);
    let v427 = (v391 + v395);
    let v428 = (v391 + v396);
    let v429 = (v391 + v397);
    let v430 = (v391 + v398);
    let v431 = (v391 + v399);
    let v432 = (v380 < p.a5_m);
    let v433 = (v381 < p.a5_m);
    let v434 = (v382 < p.a5_m);
    let v435 = (v383 < p.a5_m);
    let v436 = (v320 < p.a6_n);
    let v437 = (v321 < p.a6_n);
    let v438 = (v322 < p.a6_n);
    let v439 = (v323 < p.a6_n);
    let v440 = (v324 < p.a6_n);
    let v441 = (v325 < p.a6_n);
    let v442 = (v326 < p.a6_n);
    let v443 = (v327 < p.a6_n);
    let v444 = (v432 & v436);
    let v445 = (v432 & v437);
    let v446 = (v432 & v438);
    let v447 = (v432 & v439);
    let v448 = (v432 & v440);
    let v449 = (v432 & v441);
    let v450 = (v432 & v442);
    let v451 = (v432 & v443);
    let v452 = (v433 & v436);
    let v453 = (v433 & v437);
    let v454 = (v433 & v438);
    let v455 = (v433 & v439);
    let v456 = (v433 & v440);
    let v457 = (v433 & v441);
    let v458 = (v433 & v442);
    let v459 = (v433 & v443);
    let v460 = (v434 & v436);
    let v461 = (v434 & v437);
    let v462 = (v434 & v438);
    let v463 = (v434 & v439);
    let v464 = (v434 & v440);
    let v465 = (v434 & v441);
    let v466 = (v434 & v442);
    let v467 = (v434 & v443);
    let v468 = (v435 & v436);
    let v469 = (v435 & v437);
    let v470 = (v435 & v438);
    let v471 = (v435 & v439);
    let v472 = (v435 & v440);
    let v473 = (v435 & v441);
    let v474 = (v435 & v442);
    let v475 = (v435 & v443);
    if (v444) {
        g_y[v400] = v345;
    }
    if (v445) {
        g_y[v401] = v346;
    }
    if (v446) {
        g_y[v402] = v347;
    }
    if (v447) {
        g_y[v403] = v348;
    }
    if (v448) {
        g_y[v404] = v349;
    }
    if (v449) {
        g_y[v405] = v350;
    }
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
}
