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
@group(0) @binding(3) var<storage, read> g_b: array<f32>;
@group(0) @binding(4) var<storage, read> g_r: array<f32>;
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
    let t206 = (lane >> 3u);
    let t207 = (lane & 7i);
    let t246 = (lane & 120i) == 0i;
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
    let v223 = (t207 + 8i);
    let v224 = (t207 + 16i);
    let v225 = (t207 + 24i);
    let v226 = (t207 + 32i);
    let v227 = (t207 + 40i);
    let v228 = (t207 + 48i);
    let v229 = (t207 + 56i);
    let v230 = (v2 + t207);
    let v231 = (v2 + v223);
    let v232 = (v2 + v224);
    let v233 = (v2 + v225);
    let v234 = (v2 + v226);
    let v235 = (v2 + v227);
    let v236 = (v2 + v228);
    let v237 = (v2 + v229);
    let v238 = min(v230, v4);
    let v239 = min(v231, v4);
    let v240 = min(v232, v4);
    let v241 = min(v233, v4);
    let v242 = min(v234, v4);
    let v243 = min(v235, v4);
    let v244 = min(v236, v4);
    let v245 = min(v237, v4);
    let x247 = g_b[v238];
    let x248 = g_b[v239];
    let x249 = g_b[v240];
    let x250 = g_b[v241];
    let x251 = g_b[v242];
    let x252 = g_b[v243];
    let x253 = g_b[v244];
    let x254 = g_b[v245];
    let v255 = (m5 + x247);
    let v256 = (m6 + x248);
    let v257 = (m7 + x249);
    let v258 = (m8 + x250);
    let v259 = (m9 + x251);
    let v260 = (m10 + x252);
    let v261 = (m11 + x253);
    let v262 = (m12 + x254);
    let v263 = (m13 + x247);
    let v264 = (m14 + x248);
    let v265 = (m15 + x249);
    let v266 = (m16 + x250);
    let v267 = (m17 + x251);
    let v268 = (m18 + x252);
    let v269 = (m19 + x253);
    let v270 = (m20 + x254);
    let v271 = (m21 + x247);
    let v272 = (m22 + x248);
    let v273 = (m23 + x249);
    let v274 = (m24 + x250);
    let v275 = (m25 + x251);
    let v276 = (m26 + x252);
    let v277 = (m27 + x253);
    let v278 = (m28 + x254);
    let v279 = (m29 + x247);
    let v280 = (m30 + x248);
    let v281 = (m31 + x249);
    let v282 = (m32 + x250);
    let v283 = (m33 + x251);
    let v284 = (m34 + x252);
    let v285 = (m35 + x253);
    let v286 = (m36 + x254);
    let v287 = (t206 + 16i);
    let v288 = (t206 + 32i);
    let v289 = (t206 + 48i);
    let v290 = (v1 + t206);
    let v291 = (v1 + v287);
    let v292 = (v1 + v288);
    let v293 = (v1 + v289);
    let v294 = min(v290, v3);
    let v295 = min(v291, v3);
    let v296 = min(v292, v3);
    let v297 = min(v293, v3);
    let v298 = (v294 * p.a9_width);
    let v299 = (v295 * p.a9_width);
    let v300 = (v296 * p.a9_width);
    let v301 = (v297 * p.a9_width);
    let v302 = (p.a10_at + v238);
    let v303 = (p.a10_at + v239);
    let v304 = (p.a10_at + v240);
    let v305 = (p.a10_at + v241);
    let v306 = (p.a10_at + v242);
    let v307 = (p.a10_at + v243);
    let v308 = (p.a10_at + v244);
    let v309 = (p.a10_at + v245);
    let v310 = (v298 + v302);
    let v311 = (v298 + v303);
    let v312 = (v298 + v304);
    let v313 = (v298 + v305);
    let v314 = (v298 + v306);
    let v315 = (v298 + v307);
    let v316 = (v298 + v308);
    let v317 = (v298 + v309);
    let v318 = (v299 + v302);
    let v319 = (v299 + v303);
    let v320 = (v299 + v304);
    let v321 = (v299 + v305);
    let v322 = (v299 + v306);
    let v323 = (v299 + v307);
    let v324 = (v299 + v308);
    let v325 = (v299 + v309);
    let v326 = (v300 + v302);
    let v327 = (v300 + v303);
    let v328 = (v300 + v304);
    let v329 = (v300 + v305);
    let v330 = (v300 + v306);
    let v331 = (v300 + v307);
    let v332 = (v300 + v308);
    let v333 = (v300 + v309);
    let v334 = (v301 + v302);
    let v335 = (v301 + v303);
    let v336 = (v301 + v304);
    let v337 = (v301 + v305);
    let v338 = (v301 + v306);
    let v339 = (v301 + v307);
    let v340 = (v301 + v308);
    let v341 = (v301 + v309);
    let x342 = g_r[v310];
    let x343 = g_r[v311];
    let x344 = g_r[v312];
    let x345 = g_r[v313];
    let x346 = g_r[v314];
    let x347 = g_r[v315];
    let x348 = g_r[v316];
    let x349 = g_r[v317];
    let x350 = g_r[v318];
    let x351 = g_r[v319];
    let x352 = g_r[v320];
    let x353 = g_r[v321];
    let x354 = g_r[v322];
    let x355 = g_r[v323];
    let x356 = g_r[v324];
    let x357 = g_r[v325];
    let x358 = g_r[v326];
    let x359 = g_r[v327];
    let x360 = g_r[v328];
    let x361 = g_r[v329];
    let x362 = g_r[v330];
    let x363 = g_r[v331];
    let x364 = g_r[v332];
    let x365 = g_r[v333];
    let x366 = g_r[v334];
    let x367 = g_r[v335];
    let x368 = g_r[v336];
    let x369 = g_r[v337];
    let x370 = g_r[v338];
    let x371 = g_r[v339];
    let x372 = g_r[v340];
    let x373 = g_r[v341];
    let v374 = (v255 + x342);
    let v375 = (v256 + x343);
    let v376 = (v257 + x344);
    let v377 = (v258 + x345);
    let v378 = (v259 + x346);
    let v379 = (v260 + x347);
    let v380 = (v261 + x348);
    let v381 = (v262 + x349);
    let v382 = (v263 + x350);
    let v383 = (v264 + x351);
    let v384 = (v265 + x352);
    let v385 = (v266 + x353);
    let v386 = (v267 + x354);
    let v387 = (v268 + x355);
    let v388 = (v269 + x356);
    let v389 = (v270 + x357);
    let v390 = (v271 + x358);
    let v391 = (v272 + x359);
    let v392 = (v273 + x360);
    let v393 = (v274 + x361);
    let v394 = (v275 + x362);
    let v395 = (v276 + x363);
    let v396 = (v277 + x364);
    let v397 = (v278 + x365);
    let v398 = (v279 + x366);
    let v399 = (v280 + x367);
    let v400 = (v281 + x368);
    let v401 = (v282 + x369);
    let v402 = (v283 + x370);
    let v403 = (v284 + x371);
    let v404 = (v285 + x372);
    let v405 = (v286 + x373);
    let v406 = (v290 < p.a5_m);
    let v407 = (v291 < p.a5_m);
    let v408 = (v292 < p.a5_m);
    let v409 = (v293 < p.a5_m);
    let v410 = (v230 < p.a6_n);
    let v411 = (v231 < p.a6_n);
    let v412 = (v232 < p.a6_n);
    let v413 = (v233 < p.a6_n);
    let v414 = (v234 < p.a6_n);
    let v415 = (v235 < p.a6_n);
    let v416 = (v236 < p.a6_n);
    let v417 = (v237 < p.a6_n);
    let v418 = (v406 & v410);
    let v419 = (v406 & v411);
    let v420 = (v406 & v412);
    let v421 = (v406 & v413);
    let v422 = (v406 & v414);
    let v423 = (v406 & v415);
    let v424 = (v406 & v416);
    let v425 = (v406 & v417);
    let v426 = (v407 & v410);
    let v427 = (v407 & v411);
    let v428 = (v407 & v412);
    let v429 = (v407 & v413);
    let v430 = (v407 & v414);
    let v431 = (v407 & v415);
    let v432 = (v407 & v416);
    let v433 = (v407 & v417);
    let v434 = (v408 & v410);
    let v435 = (v408 & v411);
    let v436 = (v408 & v412);
    let v437 = (v408 & v413);
    let v438 = (v408 & v414);
    let v439 = (v408 & v415);
    let v440 = (v408 & v416);
    let v441 = (v408 & v417);
    let v442 = (v409 & v410);
    let v443 = (v409 & v411);
    let v444 = (v409 & v412);
    let v445 = (v409 & v413);
    let v446 = (v409 & v414);
    let v447 = (v409 & v415);
    let v448 = (v409 & v416);
    let v449 = (v409 & v417);
    if (v418) {
        g_y[v310] = v374;
    }
    if (v419) {
        g_y[v311] = v375;
    }
    if (v420) {
        g_y[v312] = v376;
    }
    if (v421) {
        g_y[v313] = v377;
    }
    if (v422) {
        g_y[v314] = v378;
    }
    if (v423) {
        g_y[v315] = v379;
    }
    if (v424) {
        g_y[v316] = v380;
    }
    if (v425) {
        g_y[v317] = v381;
    }
    if (v426) {
        g_y[v318] = v382;
    }
    if (v427) {
        g_y[v319] = v383;
    }
    if (v428) {
        g_y[v320] = v384;
    }
    if (v429) {
        g_y[v321] = v385;
    }
    if (v430) {
        g_y[v322] = v386;
    }
    if (v431) {
        g_y[v323] = v387;
    }
    if (v432) {
        g_y[v324] = v388;
    }
    if (v433) {
        g_y[v325] = v389;
    }
    if (v434) {
        g_y[v326] = v390;
    }
    if (v435) {
        g_y[v327] = v391;
    }
    if (v436) {
        g_y[v328] = v392;
    }
    if (v437) {
        g_y[v329] = v393;
    }
    if (v438) {
        g_y[v330] = v394;
    }
    if (v439) {
        g_y[v331] = v395;
    }
    if (v440) {
        g_y[v332] = v396;
    }
    if (v441) {
        g_y[v333] = v397;
    }
    if (v442) {
        g_y[v334] = v398;
    }
    if (v443) {
        g_y[v335] = v399;
    }
    if (v444) {
        g_y[v336] = v400;
    }
    if (v445) {
        g_y[v337] = v401;
    }
    if (v446) {
        g_y[v338] = v402;
    }
    if (v447) {
        g_y[v339] = v403;
    }
    if (v448) {
        g_y[v340] = v404;
    }
    if (v449) {
        g_y[v341] = v405;
    }
}
