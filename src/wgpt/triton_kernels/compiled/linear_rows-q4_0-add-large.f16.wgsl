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
@group(0) @binding(4) var<storage, read> g_r: array<f32>;
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
    let v313 = (t294 + 16i);
    let v314 = (t294 + 32i);
    let v315 = (t294 + 48i);
    let v316 = (v1 + t294);
    let v317 = (v1 + v313);
    let v318 = (v1 + v314);
    let v319 = (v1 + v315);
    let v320 = min(v316, v3);
    let v321 = min(v317, v3);
    let v322 = min(v318, v3);
    let v323 = min(v319, v3);
    let v324 = (v320 * p.a9_width);
    let v325 = (v321 * p.a9_width);
    let v326 = (v322 * p.a9_width);
    let v327 = (v323 * p.a9_width);
    let v328 = (t295 + 8i);
    let v329 = (t295 + 16i);
    let v330 = (t295 + 24i);
    let v331 = (t295 + 32i);
    let v332 = (t295 + 40i);
    let v333 = (t295 + 48i);
    let v334 = (t295 + 56i);
    let v335 = (v2 + t295);
    let v336 = (v2 + v328);
    let v337 = (v2 + v329);
    let v338 = (v2 + v330);
    let v339 = (v2 + v331);
    let v340 = (v2 + v332);
    let v341 = (v2 + v333);
    let v342 = (v2 + v334);
    let v343 = min(v335, v4);
    let v344 = min(v336, v4);
    let v345 = min(v337, v4);
    let v346 = min(v338, v4);
    let v347 = min(v339, v4);
    let v348 = min(v340, v4);
    let v349 = min(v341, v4);
    let v350 = min(v342, v4);
    let v351 = (p.a10_at + v343);
    let v352 = (p.a10_at + v344);
    let v353 = (p.a10_at + v345);
    let v354 = (p.a10_at + v346);
    let v355 = (p.a10_at + v347);
    let v356 = (p.a10_at + v348);
    let v357 = (p.a10_at + v349);
    let v358 = (p.a10_at + v350);
    let v359 = (v324 + v351);
    let v360 = (v324 + v352);
    let v361 = (v324 + v353);
    let v362 = (v324 + v354);
    let v363 = (v324 + v355);
    let v364 = (v324 + v356);
    let v365 = (v324 + v357);
    let v366 = (v324 + v358);
    let v367 = (v325 + v351);
    let v368 = (v325 + v352);
    let v369 = (v325 + v353);
    let v370 = (v325 + v354);
    let v371 = (v325 + v355);
    let v372 = (v325 + v356);
    let v373 = (v325 + v357);
    let v374 = (v325 + v358);
    let v375 = (v326 + v351);
    let v376 = (v326 + v352);
    let v377 = (v326 + v353);
    let v378 = (v326 + v354);
    let v379 = (v326 + v355);
    let v380 = (v326 + v356);
    let v381 = (v326 + v357);
    let v382 = (v326 + v358);
    let v383 = (v327 + v351);
    let v384 = (v327 + v352);
    let v385 = (v327 + v353);
    let v386 = (v327 + v354);
    let v387 = (v327 + v355);
    let v388 = (v327 + v356);
    let v389 = (v327 + v357);
    let v390 = (v327 + v358);
    let x391 = g_r[v359];
    let x392 = g_r[v360];
    let x393 = g_r[v361];
    let x394 = g_r[v362];
    let x395 = g_r[v363];
    let x396 = g_r[v364];
    let x397 = g_r[v365];
    let x398 = g_r[v366];
    let x399 = g_r[v367];
    let x400 = g_r[v368];
    let x401 = g_r[v369];
    let x402 = g_r[v370];
    let x403 = g_r[v371];
    let x404 = g_r[v372];
    let x405 = g_r[v373];
    let x406 = g_r[v374];
    let x407 = g_r[v375];
    let x408 = g_r[v376];
    let x409 = g_r[v377];
    let x410 = g_r[v378];
    let x411 = g_r[v379];
    let x412 = g_r[v380];
    let x413 = g_r[v381];
    let x414 = g_r[v382];
    let x415 = g_r[v383];
    let x416 = g_r[v384];
    let x417 = g_r[v385];
    let x418 = g_r[v386];
    let x419 = g_r[v387];
    let x420 = g_r[v388];
    let x421 = g_r[v389];
    let x422 = g_r[v390];
    let v423 = (m5 + x391);
    let v424 = (m6 + x392);
    let v425 = (m7 + x393);
    let v426 = (m8 + x394);
    let v427 = (m9 + x395);
    let v428 = (m10 + x396);
    let v429 = (m11 + x397);
    let v430 = (m12 + x398);
    let v431 = (m13 + x399);
    let v432 = (m14 + x400);
    let v433 = (m15 + x401);
    let v434 = (m16 + x402);
    let v435 = (m17 + x403);
    let v436 = (m18 + x404);
    let v437 = (m19 + x405);
    let v438 = (m20 + x406);
    let v439 = (m21 + x407);
    let v440 = (m22 + x408);
    let v441 = (m23 + x409);
    let v442 = (m24 + x410);
    let v443 = (m25 + x411);
    let v444 = (m26 + x412);
    let v445 = (m27 + x413);
    let v446 = (m28 + x414);
    let v447 = (m29 + x415);
    let v448 = (m30 + x416);
    let v449 = (m31 + x417);
    let v450 = (m32 + x418);
    let v451 = (m33 + x419);
    let v452 = (m34 + x420);
    let v453 = (m35 + x421);
    let v454 = (m36 + x422);
    let v455 = (v316 < p.a5_m);
    let v456 = (v317 < p.a5_m);
    let v457 = (v318 < p.a5_m);
    let v458 = (v319 < p.a5_m);
    let v459 = (v335 < p.a6_n);
    let v460 = (v336 < p.a6_n);
    let v461 = (v337 < p.a6_n);
    let v462 = (v338 < p.a6_n);
    let v463 = (v339 < p.a6_n);
    let v464 = (v340 < p.a6_n);
    let v465 = (v341 < p.a6_n);
    let v466 = (v342 < p.a6_n);
    let v467 = (v455 & v459);
    let v468 = (v455 & v460);
    let v469 = (v455 & v461);
    let v470 = (v455 & v462);
    let v471 = (v455 & v463);
    let v472 = (v455 & v464);
    let v473 = (v455 & v465);
    let v474 = (v455 & v466);
    let v475 = (v456 & v459);
    let v476 = (v456 & v460);
    let v477 = (v456 & v461);
    let v478 = (v456 & v462);
    let v479 = (v456 & v463);
    let v480 = (v456 & v464);
    let v481 = (v456 & v465);
    let v482 = (v456 & v466);
    let v483 = (v457 & v459);
    let v484 = (v457 & v460);
    let v485 = (v457 & v461);
    let v486 = (v457 & v462);
    let v487 = (v457 & v463);
    let v488 = (v457 & v464);
    let v489 = (v457 & v465);
    let v490 = (v457 & v466);
    let v491 = (v458 & v459);
    let v492 = (v458 & v460);
    let v493 = (v458 & v461);
    let v494 = (v458 & v462);
    let v495 = (v458 & v463);
    let v496 = (v458 & v464);
    let v497 = (v458 & v465);
    let v498 = (v458 & v466);
    if (v467) {
        g_y[v359] = v423;
    }
    if (v468) {
        g_y[v360] = v424;
    }
    if (v469) {
        g_y[v361] = v425;
    }
    if (v470) {
        g_y[v362] = v426;
    }
    if (v471) {
        g_y[v363] = v427;
    }
    if (v472) {
        g_y[v364] = v428;
    }
    if (v473) {
        g_y[v365] = v429;
    }
    if (v474) {
        g_y[v366] = v430;
    }
    if (v475) {
        g_y[v367] = v431;
    }
    if (v476) {
        g_y[v368] = v432;
    }
    if (v477) {
        g_y[v369] = v433;
    }
    if (v478) {
        g_y[v370] = v434;
    }
    if (v479) {
        g_y[v371] = v435;
    }
    if (v480) {
        g_y[v372] = v436;
    }
    if (v481) {
        g_y[v373] = v437;
    }
    if (v482) {
        g_y[v374] = v438;
    }
    if (v483) {
        g_y[v375] = v439;
    }
    if (v484) {
        g_y[v376] = v440;
    }
    if (v485) {
        g_y[v377] = v441;
    }
    if (v486) {
        g_y[v378] = v442;
    }
    if (v487) {
        g_y[v379] = v443;
    }
    if (v488) {
        g_y[v380] = v444;
    }
    if (v489) {
        g_y[v381] = v445;
    }
    if (v490) {
        g_y[v382] = v446;
    }
    if (v491) {
        g_y[v383] = v447;
    }
    if (v492) {
        g_y[v384] = v448;
    }
    if (v493) {
        g_y[v385] = v449;
    }
    if (v494) {
        g_y[v386] = v450;
    }
    if (v495) {
        g_y[v387] = v451;
    }
    if (v496) {
        g_y[v388] = v452;
    }
    if (v497) {
        g_y[v389] = v453;
    }
    if (v498) {
        g_y[v390] = v454;
    }
}
