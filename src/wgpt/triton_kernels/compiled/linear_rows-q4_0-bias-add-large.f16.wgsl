enable f16;
struct Params {
    a6_m: i32,
    a7_n: i32,
    a8_k: i32,
    a9_line: i32,
    a10_width: i32,
    a11_at: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_w: array<i32>;
@group(0) @binding(3) var<storage, read> g_s: array<f16>;
@group(0) @binding(4) var<storage, read> g_b: array<f32>;
@group(0) @binding(5) var<storage, read> g_r: array<f32>;
@group(0) @binding(6) var<storage, read_write> g_y: array<f32>;
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
    let t318 = (lane & 120i) == 0i;
    let v1 = (pid_y * 64i);
    let v2 = (pid_x * 64i);
    let v3 = (p.a6_m - 1i);
    let v4 = (p.a7_n - 1i);
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
    for (var i37: i32 = 0i; (i37 < p.a8_k); i37 = i37 + 16i) {
        let v38 = (p.a8_k - 1i);
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
        let v63 = (v55 * p.a8_k);
        let v64 = (v56 * p.a8_k);
        let v65 = (v57 * p.a8_k);
        let v66 = (v58 * p.a8_k);
        let v67 = (v59 * p.a8_k);
        let v68 = (v60 * p.a8_k);
        let v69 = (v61 * p.a8_k);
        let v70 = (v62 * p.a8_k);
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
        let v90 = (v72 < p.a8_k);
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
        let v115 = (v107 * p.a9_line);
        let v116 = (v108 * p.a9_line);
        let v117 = (v109 * p.a9_line);
        let v118 = (v110 * p.a9_line);
        let v119 = (v111 * p.a9_line);
        let v120 = (v112 * p.a9_line);
        let v121 = (v113 * p.a9_line);
        let v122 = (v114 * p.a9_line);
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
        let v205 = (p.a9_line / 4i);
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
    let v295 = (t279 + 8i);
    let v296 = (t279 + 16i);
    let v297 = (t279 + 24i);
    let v298 = (t279 + 32i);
    let v299 = (t279 + 40i);
    let v300 = (t279 + 48i);
    let v301 = (t279 + 56i);
    let v302 = (v2 + t279);
    let v303 = (v2 + v295);
    let v304 = (v2 + v296);
    let v305 = (v2 + v297);
    let v306 = (v2 + v298);
    let v307 = (v2 + v299);
    let v308 = (v2 + v300);
    let v309 = (v2 + v301);
    let v310 = min(v302, v4);
    let v311 = min(v303, v4);
    let v312 = min(v304, v4);
    let v313 = min(v305, v4);
    let v314 = min(v306, v4);
    let v315 = min(v307, v4);
    let v316 = min(v308, v4);
    let v317 = min(v309, v4);
    let x319 = g_b[v310];
    let x320 = g_b[v311];
    let x321 = g_b[v312];
    let x322 = g_b[v313];
    let x323 = g_b[v314];
    let x324 = g_b[v315];
    let x325 = g_b[v316];
    let x326 = g_b[v317];
    let v327 = (m5 + x319);
    let v328 = (m6 + x320);
    let v329 = (m7 + x321);
    let v330 = (m8 + x322);
    let v331 = (m9 + x323);
    let v332 = (m10 + x324);
    let v333 = (m11 + x325);
    let v334 = (m12 + x326);
    let v335 = (m13 + x319);
    let v336 = (m14 + x320);
    let v337 = (m15 + x321);
    let v338 = (m16 + x322);
    let v339 = (m17 + x323);
    let v340 = (m18 + x324);
    let v341 = (m19 + x325);
    let v342 = (m20 + x326);
    let v343 = (m21 + x319);
    let v344 = (m22 + x320);
    let v345 = (m23 + x321);
    let v346 = (m24 + x322);
    let v347 = (m25 + x323);
    let v348 = (m26 + x324);
    let v349 = (m27 + x325);
    let v350 = (m28 + x326);
    let v351 = (m29 + x319);
    let v352 = (m30 + x320);
    let v353 = (m31 + x321);
    let v354 = (m32 + x322);
    let v355 = (m33 + x323);
    let v356 = (m34 + x324);
    let v357 = (m35 + x325);
    let v358 = (m36 + x326);
    let v359 = (t278 + 16i);
    let v360 = (t278 + 32i);
    let v361 = (t278 + 48i);
    let v362 = (v1 + t278);
    let v363 = (v1 + v359);
    let v364 = (v1 + v360);
    let v365 = (v1 + v361);
    let v366 = min(v362, v3);
    let v367 = min(v363, v3);
    let v368 = min(v364, v3);
    let v369 = min(v365, v3);
    let v370 = (v366 * p.a10_width);
    let v371 = (v367 * p.a10_width);
    let v372 = (v368 * p.a10_width);
    let v373 = (v369 * p.a10_width);
    let v374 = (p.a11_at + v310);
    let v375 = (p.a11_at + v311);
    let v376 = (p.a11_at + v312);
    let v377 = (p.a11_at + v313);
    let v378 = (p.a11_at + v314);
    let v379 = (p.a11_at + v315);
    let v380 = (p.a11_at + v316);
    let v381 = (p.a11_at + v317);
    let v382 = (v370 + v374);
    let v383 = (v370 + v375);
    let v384 = (v370 + v376);
    let v385 = (v370 + v377);
    let v386 = (v370 + v378);
    let v387 = (v370 + v379);
    let v388 = (v370 + v380);
    let v389 = (v370 + v381);
    let v390 = (v371 + v374);
    let v391 = (v371 + v375);
    let v392 = (v371 + v376);
    let v393 = (v371 + v377);
    let v394 = (v371 + v378);
    let v395 = (v371 + v379);
    let v396 = (v371 + v380);
    let v397 = (v371 + v381);
    let v398 = (v372 + v374);
    let v399 = (v372 + v375);
    let v400 = (v372 + v376);
    let v401 = (v372 + v377);
    let v402 = (v372 + v378);
    let v403 = (v372 + v379);
    let v404 = (v372 + v380);
    let v405 = (v372 + v381);
    let v406 = (v373 + v374);
    let v407 = (v373 + v375);
    let v408 = (v373 + v376);
    let v409 = (v373 + v377);
    let v410 = (v373 + v378);
    let v411 = (v373 + v379);
    let v412 = (v373 + v380);
    let v413 = (v373 + v381);
    let x414 = g_r[v382];
    let x415 = g_r[v383];
    let x416 = g_r[v384];
    let x417 = g_r[v385];
    let x418 = g_r[v386];
    let x419 = g_r[v387];
    let x420 = g_r[v388];
    let x421 = g_r[v389];
    let x422 = g_r[v390];
    let x423 = g_r[v391];
    let x424 = g_r[v392];
    let x425 = g_r[v393];
    let x426 = g_r[v394];
    let x427 = g_r[v395];
    let x428 = g_r[v396];
    let x429 = g_r[v397];
    let x430 = g_r[v398];
    let x431 = g_r[v399];
    let x432 = g_r[v400];
    let x433 = g_r[v401];
    let x434 = g_r[v402];
    let x435 = g_r[v403];
    let x436 = g_r[v404];
    let x437 = g_r[v405];
    let x438 = g_r[v406];
    let x439 = g_r[v407];
    let x440 = g_r[v408];
    let x441 = g_r[v409];
    let x442 = g_r[v410];
    let x443 = g_r[v411];
    let x444 = g_r[v412];
    let x445 = g_r[v413];
    let v446 = (v327 + x414);
    let v447 = (v328 + x415);
    let v448 = (v329 + x416);
    let v449 = (v330 + x417);
    let v450 = (v331 + x418);
    let v451 = (v332 + x419);
    let v452 = (v333 + x420);
    let v453 = (v334 + x421);
    let v454 = (v335 + x422);
    let v455 = (v336 + x423);
    let v456 = (v337 + x424);
    let v457 = (v338 + x425);
    let v458 = (v339 + x426);
    let v459 = (v340 + x427);
    let v460 = (v341 + x428);
    let v461 = (v342 + x429);
    let v462 = (v343 + x430);
    let v463 = (v344 + x431);
    let v464 = (v345 + x432);
    let v465 = (v346 + x433);
    let v466 = (v347 + x434);
    let v467 = (v348 + x435);
    let v468 = (v349 + x436);
    let v469 = (v350 + x437);
    let v470 = (v351 + x438);
    let v471 = (v352 + x439);
    let v472 = (v353 + x440);
    let v473 = (v354 + x441);
    let v474 = (v355 + x442);
    let v475 = (v356 + x443);
    let v476 = (v357 + x444);
    let v477 = (v358 + x445);
    let v478 = (v362 < p.a6_m);
    let v479 = (v363 < p.a6_m);
    let v480 = (v364 < p.a6_m);
    let v481 = (v365 < p.a6_m);
    let v482 = (v302 < p.a7_n);
    let v483 = (v303 < p.a7_n);
    let v484 = (v304 < p.a7_n);
    let v485 = (v305 < p.a7_n);
    let v486 = (v306 < p.a7_n);
    let v487 = (v307 < p.a7_n);
    let v488 = (v308 < p.a7_n);
    let v489 = (v309 < p.a7_n);
    let v490 = (v478 & v482);
    let v491 = (v478 & v483);
    let v492 = (v478 & v484);
    let v493 = (v478 & v485);
    let v494 = (v478 & v486);
    let v495 = (v478 & v487);
    let v496 = (v478 & v488);
    let v497 = (v478 & v489);
    let v498 = (v479 & v482);
    let v499 = (v479 & v483);
    let v500 = (v479 & v484);
    let v501 = (v479 & v485);
    let v502 = (v479 & v486);
    let v503 = (v479 & v487);
    let v504 = (v479 & v488);
    let v505 = (v479 & v489);
    let v506 = (v480 & v482);
    let v507 = (v480 & v483);
    let v508 = (v480 & v484);
    let v509 = (v480 & v485);
    let v510 = (v480 & v486);
    let v511 = (v480 & v487);
    let v512 = (v480 & v488);
    let v513 = (v480 & v489);
    let v514 = (v481 & v482);
    let v515 = (v481 & v483);
    let v516 = (v481 & v484);
    let v517 = (v481 & v485);
    let v518 = (v481 & v486);
    let v519 = (v481 & v487);
    let v520 = (v481 & v488);
    let v521 = (v481 & v489);
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
    if (v499) {
        g_y[v391] = v455;
    }
    if (v500) {
        g_y[v392] = v456;
    }
    if (v501) {
        g_y[v393] = v457;
    }
    if (v502) {
        g_y[v394] = v458;
    }
    if (v503) {
        g_y[v395] = v459;
    }
    if (v504) {
        g_y[v396] = v460;
    }
    if (v505) {
        g_y[v397] = v461;
    }
    if (v506) {
        g_y[v398] = v462;
    }
    if (v507) {
        g_y[v399] = v463;
    }
    if (v508) {
        g_y[v400] = v464;
    }
    if (v509) {
        g_y[v401] = v465;
    }
    if (v510) {
        g_y[v402] = v466;
    }
    if (v511) {
        g_y[v403] = v467;
    }
    if (v512) {
        g_y[v404] = v468;
    }
    if (v513) {
        g_y[v405] = v469;
    }
    if (v514) {
        g_y[v406] = v470;
    }
    if (v515) {
        g_y[v407] = v471;
    }
    if (v516) {
        g_y[v408] = v472;
    }
    if (v517) {
        g_y[v409] = v473;
    }
    if (v518) {
        g_y[v410] = v474;
    }
    if (v519) {
        g_y[v411] = v475;
    }
    if (v520) {
        g_y[v412] = v476;
    }
    if (v521) {
        g_y[v413] = v477;
    }
}
