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
    let t278 = (lane >> 3u);
    let t279 = (lane & 7i);
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
        var m246: f32 = m5;
        var m247: f32 = m6;
        var m248: f32 = m7;
        var m249: f32 = m8;
        var m250: f32 = m9;
        var m251: f32 = m10;
        var m252: f32 = m11;
        var m253: f32 = m12;
        var m254: f32 = m13;
        var m255: f32 = m14;
        var m256: f32 = m15;
        var m257: f32 = m16;
        var m258: f32 = m17;
        var m259: f32 = m18;
        var m260: f32 = m19;
        var m261: f32 = m20;
        var m262: f32 = m21;
        var m263: f32 = m22;
        var m264: f32 = m23;
        var m265: f32 = m24;
        var m266: f32 = m25;
        var m267: f32 = m26;
        var m268: f32 = m27;
        var m269: f32 = m28;
        var m270: f32 = m29;
        var m271: f32 = m30;
        var m272: f32 = m31;
        var m273: f32 = m32;
        var m274: f32 = m33;
        var m275: f32 = m34;
        var m276: f32 = m35;
        var m277: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t71 * 65i) + t39) + 1040i)] = bitcast<u32>(v238);
        pool[(((t71 * 65i) + (t39 + 8i)) + 1040i)] = bitcast<u32>(v239);
        pool[(((t71 * 65i) + (t39 + 16i)) + 1040i)] = bitcast<u32>(v240);
        pool[(((t71 * 65i) + (t39 + 24i)) + 1040i)] = bitcast<u32>(v241);
        pool[(((t71 * 65i) + (t39 + 32i)) + 1040i)] = bitcast<u32>(v242);
        pool[(((t71 * 65i) + (t39 + 40i)) + 1040i)] = bitcast<u32>(v243);
        pool[(((t71 * 65i) + (t39 + 48i)) + 1040i)] = bitcast<u32>(v244);
        pool[(((t71 * 65i) + (t39 + 56i)) + 1040i)] = bitcast<u32>(v245);
        workgroupBarrier();
        for (var k280 = 0i; k280 < 16i; k280 = k280 + 1i) {
            let v281 = (t278 + ((((0i * 16i) + k280)) * 65i));
            let v282 = ((t279 + 1040i) + ((((0i * 16i) + k280)) * 65i));
            let v283 = bitcast<f32>(pool[v281]);
            let v284 = bitcast<f32>(pool[v282]);
            let v285 = bitcast<f32>(pool[(v282 + 8i)]);
            let v286 = bitcast<f32>(pool[(v282 + 16i)]);
            let v287 = bitcast<f32>(pool[(v282 + 24i)]);
            let v288 = bitcast<f32>(pool[(v282 + 32i)]);
            let v289 = bitcast<f32>(pool[(v282 + 40i)]);
            let v290 = bitcast<f32>(pool[(v282 + 48i)]);
            let v291 = bitcast<f32>(pool[(v282 + 56i)]);
            let v292 = bitcast<f32>(pool[(v281 + 16i)]);
            let v293 = bitcast<f32>(pool[(v281 + 32i)]);
            let v294 = bitcast<f32>(pool[(v281 + 48i)]);
            m246 = fma(v283, v284, m246);
            m247 = fma(v283, v285, m247);
            m248 = fma(v283, v286, m248);
            m249 = fma(v283, v287, m249);
            m250 = fma(v283, v288, m250);
            m251 = fma(v283, v289, m251);
            m252 = fma(v283, v290, m252);
            m253 = fma(v283, v291, m253);
            m254 = fma(v292, v284, m254);
            m255 = fma(v292, v285, m255);
            m256 = fma(v292, v286, m256);
            m257 = fma(v292, v287, m257);
            m258 = fma(v292, v288, m258);
            m259 = fma(v292, v289, m259);
            m260 = fma(v292, v290, m260);
            m261 = fma(v292, v291, m261);
            m262 = fma(v293, v284, m262);
            m263 = fma(v293, v285, m263);
            m264 = fma(v293, v286, m264);
            m265 = fma(v293, v287, m265);
            m266 = fma(v293, v288, m266);
            m267 = fma(v293, v289, m267);
            m268 = fma(v293, v290, m268);
            m269 = fma(v293, v291, m269);
            m270 = fma(v294, v284, m270);
            m271 = fma(v294, v285, m271);
            m272 = fma(v294, v286, m272);
            m273 = fma(v294, v287, m273);
            m274 = fma(v294, v288, m274);
            m275 = fma(v294, v289, m275);
            m276 = fma(v294, v290, m276);
            m277 = fma(v294, v291, m277);
        }
        m5 = m246;
        m6 = m247;
        m7 = m248;
        m8 = m249;
        m9 = m250;
        m10 = m251;
        m11 = m252;
        m12 = m253;
        m13 = m254;
        m14 = m255;
        m15 = m256;
        m16 = m257;
        m17 = m258;
        m18 = m259;
        m19 = m260;
        m20 = m261;
        m21 = m262;
        m22 = m263;
        m23 = m264;
        m24 = m265;
        m25 = m266;
        m26 = m267;
        m27 = m268;
        m28 = m269;
        m29 = m270;
        m30 = m271;
        m31 = m272;
        m32 = m273;
        m33 = m274;
        m34 = m275;
        m35 = m276;
        m36 = m277;
    }
    let v295 = (t278 + 16i);
    let v296 = (t278 + 32i);
    let v297 = (t278 + 48i);
    let v298 = (v1 + t278);
    let v299 = (v1 + v295);
    let v300 = (v1 + v296);
    let v301 = (v1 + v297);
    let v302 = min(v298, v3);
    let v303 = min(v299, v3);
    let v304 = min(v300, v3);
    let v305 = min(v301, v3);
    let v306 = (v302 * p.a8_width);
    let v307 = (v303 * p.a8_width);
    let v308 = (v304 * p.a8_width);
    let v309 = (v305 * p.a8_width);
    let v310 = (t279 + 8i);
    let v311 = (t279 + 16i);
    let v312 = (t279 + 24i);
    let v313 = (t279 + 32i);
    let v314 = (t279 + 40i);
    let v315 = (t279 + 48i);
    let v316 = (t279 + 56i);
    let v317 = (v2 + t279);
    let v318 = (v2 + v310);
    let v319 = (v2 + v311);
    let v320 = (v2 + v312);
    let v321 = (v2 + v313);
    let v322 = (v2 + v314);
    let v323 = (v2 + v315);
    let v324 = (v2 + v316);
    let v325 = min(v317, v4);
    let v326 = min(v318, v4);
    let v327 = min(v319, v4);
    let v328 = min(v320, v4);
    let v329 = min(v321, v4);
    let v330 = min(v322, v4);
    let v331 = min(v323, v4);
    let v332 = min(v324, v4);
    let v333 = (p.a9_at + v325);
    let v334 = (p.a9_at + v326);
    let v335 = (p.a9_at + v327);
    let v336 = (p.a9_at + v328);
    let v337 = (p.a9_at + v329);
    let v338 = (p.a9_at + v330);
    let v339 = (p.a9_at + v331);
    let v340 = (p.a9_at + v332);
    let v341 = (v306 + v333);
    let v342 = (v306 + v334);
    let v343 = (v306 + v335);
    let v344 = (v306 + v336);
    let v345 = (v306 + v337);
    let v346 = (v306 + v338);
    let v347 = (v306 + v339);
    let v348 = (v306 + v340);
    let v349 = (v307 + v333);
    let v350 = (v307 + v334);
    let v351 = (v307 + v335);
    let v352 = (v307 + v336);
    let v353 = (v307 + v337);
    let v354 = (v307 + v338);
    let v355 = (v307 + v339);
    let v356 = (v307 + v340);
    let v357 = (v308 + v333);
    let v358 = (v308 + v334);
    let v359 = (v308 + v335);
    let v360 = (v308 + v336);
    let v361 = (v308 + v337);
    let v362 = (v308 + v338);
    let v363 = (v308 + v339);
    let v364 = (v308 + v340);
    let v365 = (v309 + v333);
    let v366 = (v309 + v334);
    let v367 = (v309 + v335);
    let v368 = (v309 + v336);
    let v369 = (v309 + v337);
    let v370 = (v309 + v338);
    let v371 = (v309 + v339);
    let v372 = (v309 + v340);
    let v373 = (v298 < p.a4_m);
    let v374 = (v299 < p.a4_m);
    let v375 = (v300 < p.a4_m);
    let v376 = (v301 < p.a4_m);
    let v377 = (v317 < p.a5_n);
    let v378 = (v318 < p.a5_n);
    let v379 = (v319 < p.a5_n);
    let v380 = (v320 < p.a5_n);
    let v381 = (v321 < p.a5_n);
    let v382 = (v322 < p.a5_n);
    let v383 = (v323 < p.a5_n);
    let v384 = (v324 < p.a5_n);
    let v385 = (v373 & v377);
    let v386 = (v373 & v378);
    let v387 = (v373 & v379);
    let v388 = (v373 & v380);
    let v389 = (v373 & v381);
    let v390 = (v373 & v382);
    let v391 = (v373 & v383);
    let v392 = (v373 & v384);
    let v393 = (v374 & v377);
    let v394 = (v374 & v378);
    let v395 = (v374 & v379);
    let v396 = (v374 & v380);
    let v397 = (v374 & v381);
    let v398 = (v374 & v382);
    let v399 = (v374 & v383);
    let v400 = (v374 & v384);
    let v401 = (v375 & v377);
    let v402 = (v375 & v378);
    let v403 = (v375 & v379);
    let v404 = (v375 & v380);
    let v405 = (v375 & v381);
    let v406 = (v375 & v382);
    let v407 = (v375 & v383);
    let v408 = (v375 & v384);
    let v409 = (v376 & v377);
    let v410 = (v376 & v378);
    let v411 = (v376 & v379);
    let v412 = (v376 & v380);
    let v413 = (v376 & v381);
    let v414 = (v376 & v382);
    let v415 = (v376 & v383);
    let v416 = (v376 & v384);
    if (v385) {
        g_y[v341] = m5;
    }
    if (v386) {
        g_y[v342] = m6;
    }
    if (v387) {
        g_y[v343] = m7;
    }
    if (v388) {
        g_y[v344] = m8;
    }
    if (v389) {
        g_y[v345] = m9;
    }
    if (v390) {
        g_y[v346] = m10;
    }
    if (v391) {
        g_y[v347] = m11;
    }
    if (v392) {
        g_y[v348] = m12;
    }
    if (v393) {
        g_y[v349] = m13;
    }
    if (v394) {
        g_y[v350] = m14;
    }
    if (v395) {
        g_y[v351] = m15;
    }
    if (v396) {
        g_y[v352] = m16;
    }
    if (v397) {
        g_y[v353] = m17;
    }
    if (v398) {
        g_y[v354] = m18;
    }
    if (v399) {
        g_y[v355] = m19;
    }
    if (v400) {
        g_y[v356] = m20;
    }
    if (v401) {
        g_y[v357] = m21;
    }
    if (v402) {
        g_y[v358] = m22;
    }
    if (v403) {
        g_y[v359] = m23;
    }
    if (v404) {
        g_y[v360] = m24;
    }
    if (v405) {
        g_y[v361] = m25;
    }
    if (v406) {
        g_y[v362] = m26;
    }
    if (v407) {
        g_y[v363] = m27;
    }
    if (v408) {
        g_y[v364] = m28;
    }
    if (v409) {
        g_y[v365] = m29;
    }
    if (v410) {
        g_y[v366] = m30;
    }
    if (v411) {
        g_y[v367] = m31;
    }
    if (v412) {
        g_y[v368] = m32;
    }
    if (v413) {
        g_y[v369] = m33;
    }
    if (v414) {
        g_y[v370] = m34;
    }
    if (v415) {
        g_y[v371] = m35;
    }
    if (v416) {
        g_y[v372] = m36;
    }
}
