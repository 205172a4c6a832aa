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
@group(0) @binding(3) var<storage, read> g_s: array<u32>;
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
    let t246 = (lane >> 6u) | ((lane & 63i) << 4u);
    let t294 = (lane >> 3u);
    let t295 = (lane & 7i);
    let t296 = (lane & 63i);
    let t297 = (lane >> 6u);
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
        let x230 = from_half(extractBits(g_s[(v222 >> 1u)], u32(v222 & 1i) * 16u, 16u));
        let x231 = from_half(extractBits(g_s[(v223 >> 1u)], u32(v223 & 1i) * 16u, 16u));
        let x232 = from_half(extractBits(g_s[(v224 >> 1u)], u32(v224 & 1i) * 16u, 16u));
        let x233 = from_half(extractBits(g_s[(v225 >> 1u)], u32(v225 & 1i) * 16u, 16u));
        let x234 = from_half(extractBits(g_s[(v226 >> 1u)], u32(v226 & 1i) * 16u, 16u));
        let x235 = from_half(extractBits(g_s[(v227 >> 1u)], u32(v227 & 1i) * 16u, 16u));
        let x236 = from_half(extractBits(g_s[(v228 >> 1u)], u32(v228 & 1i) * 16u, 16u));
        let x237 = from_half(extractBits(g_s[(v229 >> 1u)], u32(v229 & 1i) * 16u, 16u));
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
    let v324 = (v320 * p.a8_width);
    let v325 = (v321 * p.a8_width);
    let v326 = (v322 * p.a8_width);
    let v327 = (v323 * p.a8_width);
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
    let v351 = (p.a9_at + v343);
    let v352 = (p.a9_at + v344);
    let v353 = (p.a9_at + v345);
    let v354 = (p.a9_at + v346);
    let v355 = (p.a9_at + v347);
    let v356 = (p.a9_at + v348);
    let v357 = (p.a9_at + v349);
    let v358 = (p.a9_at + v350);
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
    let v391 = (v316 < p.a4_m);
    let v392 = (v317 < p.a4_m);
    let v393 = (v318 < p.a4_m);
    let v394 = (v319 < p.a4_m);
    let v395 = (v335 < p.a5_n);
    let v396 = (v336 < p.a5_n);
    let v397 = (v337 < p.a5_n);
    let v398 = (v338 < p.a5_n);
    let v399 = (v339 < p.a5_n);
    let v400 = (v340 < p.a5_n);
    let v401 = (v341 < p.a5_n);
    let v402 = (v342 < p.a5_n);
    let v403 = (v391 & v395);
    let v404 = (v391 & v396);
    let v405 = (v391 & v397);
    let v406 = (v391 & v398);
    let v407 = (v391 & v399);
    let v408 = (v391 & v400);
    let v409 = (v391 & v401);
    let v410 = (v391 & v402);
    let v411 = (v392 & v395);
    let v412 = (v392 & v396);
    let v413 = (v392 & v397);
    let v414 = (v392 & v398);
    let v415 = (v392 & v399);
    let v416 = (v392 & v400);
    let v417 = (v392 & v401);
    let v418 = (v392 & v402);
    let v419 = (v393 & v395);
    let v420 = (v393 & v396);
    let v421 = (v393 & v397);
    let v422 = (v393 & v398);
    let v423 = (v393 & v399);
    let v424 = (v393 & v400);
    let v425 = (v393 & v401);
    let v426 = (v393 & v402);
    let v427 = (v394 & v395);
    let v428 = (v394 & v396);
    let v429 = (v394 & v397);
    let v430 = (v394 & v398);
    let v431 = (v394 & v399);
    let v432 = (v394 & v400);
    let v433 = (v394 & v401);
    let v434 = (v394 & v402);
    if (v403) {
        g_y[v359] = m5;
    }
    if (v404) {
        g_y[v360] = m6;
    }
    if (v405) {
        g_y[v361] = m7;
    }
    if (v406) {
        g_y[v362] = m8;
    }
    if (v407) {
        g_y[v363] = m9;
    }
    if (v408) {
        g_y[v364] = m10;
    }
    if (v409) {
        g_y[v365] = m11;
    }
    if (v410) {
        g_y[v366] = m12;
    }
    if (v411) {
        g_y[v367] = m13;
    }
    if (v412) {
        g_y[v368] = m14;
    }
    if (v413) {
        g_y[v369] = m15;
    }
    if (v414) {
        g_y[v370] = m16;
    }
    if (v415) {
        g_y[v371] = m17;
    }
    if (v416) {
        g_y[v372] = m18;
    }
    if (v417) {
        g_y[v373] = m19;
    }
    if (v418) {
        g_y[v374] = m20;
    }
    if (v419) {
        g_y[v375] = m21;
    }
    if (v420) {
        g_y[v376] = m22;
    }
    if (v421) {
        g_y[v377] = m23;
    }
    if (v422) {
        g_y[v378] = m24;
    }
    if (v423) {
        g_y[v379] = m25;
    }
    if (v424) {
        g_y[v380] = m26;
    }
    if (v425) {
        g_y[v381] = m27;
    }
    if (v426) {
        g_y[v382] = m28;
    }
    if (v427) {
        g_y[v383] = m29;
    }
    if (v428) {
        g_y[v384] = m30;
    }
    if (v429) {
        g_y[v385] = m31;
    }
    if (v430) {
        g_y[v386] = m32;
    }
    if (v431) {
        g_y[v387] = m33;
    }
    if (v432) {
        g_y[v388] = m34;
    }
    if (v433) {
        g_y[v389] = m35;
    }
    if (v434) {
        g_y[v390] = m36;
    }
}
