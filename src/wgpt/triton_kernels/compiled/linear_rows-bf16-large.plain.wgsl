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
var<workgroup> pool: array<u32, 2064>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t39 = (lane >> 4u);
    let t71 = (lane & 15i);
    let t174 = (lane >> 6u) | ((lane & 63i) << 4u);
    let t222 = (lane >> 3u);
    let t223 = (lane & 7i);
    let t224 = (lane & 63i);
    let t225 = (lane >> 6u);
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
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v159);
        pool[(lane + 128i)] = bitcast<u32>(v161);
        pool[(lane + 256i)] = bitcast<u32>(v163);
        pool[(lane + 384i)] = bitcast<u32>(v165);
        pool[(lane + 512i)] = bitcast<u32>(v167);
        pool[(lane + 640i)] = bitcast<u32>(v169);
        pool[(lane + 768i)] = bitcast<u32>(v171);
        pool[(lane + 896i)] = bitcast<u32>(v173);
        workgroupBarrier();
        let v175 = bitcast<f32>(pool[t174]);
        let v176 = (t174 + 2i);
        let v177 = bitcast<f32>(pool[v176]);
        let v178 = (t174 + 4i);
        let v179 = bitcast<f32>(pool[v178]);
        let v180 = (t174 + 6i);
        let v181 = bitcast<f32>(pool[v180]);
        let v182 = (t174 + 8i);
        let v183 = bitcast<f32>(pool[v182]);
        let v184 = (t174 + 10i);
        let v185 = bitcast<f32>(pool[v184]);
        let v186 = (t174 + 12i);
        let v187 = bitcast<f32>(pool[v186]);
        let v188 = (t174 + 14i);
        let v189 = bitcast<f32>(pool[v188]);
        var m190: f32 = m5;
        var m191: f32 = m6;
        var m192: f32 = m7;
        var m193: f32 = m8;
        var m194: f32 = m9;
        var m195: f32 = m10;
        var m196: f32 = m11;
        var m197: f32 = m12;
        var m198: f32 = m13;
        var m199: f32 = m14;
        var m200: f32 = m15;
        var m201: f32 = m16;
        var m202: f32 = m17;
        var m203: f32 = m18;
        var m204: f32 = m19;
        var m205: f32 = m20;
        var m206: f32 = m21;
        var m207: f32 = m22;
        var m208: f32 = m23;
        var m209: f32 = m24;
        var m210: f32 = m25;
        var m211: f32 = m26;
        var m212: f32 = m27;
        var m213: f32 = m28;
        var m214: f32 = m29;
        var m215: f32 = m30;
        var m216: f32 = m31;
        var m217: f32 = m32;
        var m218: f32 = m33;
        var m219: f32 = m34;
        var m220: f32 = m35;
        var m221: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t225 * 64i) + t224) + 1040i)] = bitcast<u32>(v175);
        pool[((((t225 + 2i) * 64i) + t224) + 1040i)] = bitcast<u32>(v177);
        pool[((((t225 + 4i) * 64i) + t224) + 1040i)] = bitcast<u32>(v179);
        pool[((((t225 + 6i) * 64i) + t224) + 1040i)] = bitcast<u32>(v181);
        pool[((((t225 + 8i) * 64i) + t224) + 1040i)] = bitcast<u32>(v183);
        pool[((((t225 + 10i) * 64i) + t224) + 1040i)] = bitcast<u32>(v185);
        pool[((((t225 + 12i) * 64i) + t224) + 1040i)] = bitcast<u32>(v187);
        pool[((((t225 + 14i) * 64i) + t224) + 1040i)] = bitcast<u32>(v189);
        workgroupBarrier();
        for (var k226 = 0i; k226 < 16i; k226 = k226 + 1i) {
            let v227 = (t222 + ((((0i * 16i) + k226)) * 65i));
            let v228 = ((t223 + 1040i) + ((((0i * 16i) + k226)) * 64i));
            let v229 = bitcast<f32>(pool[v227]);
            let v230 = bitcast<f32>(pool[v228]);
            let v231 = bitcast<f32>(pool[(v228 + 8i)]);
            let v232 = bitcast<f32>(pool[(v228 + 16i)]);
            let v233 = bitcast<f32>(pool[(v228 + 24i)]);
            let v234 = bitcast<f32>(pool[(v228 + 32i)]);
            let v235 = bitcast<f32>(pool[(v228 + 40i)]);
            let v236 = bitcast<f32>(pool[(v228 + 48i)]);
            let v237 = bitcast<f32>(pool[(v228 + 56i)]);
            let v238 = bitcast<f32>(pool[(v227 + 16i)]);
            let v239 = bitcast<f32>(pool[(v227 + 32i)]);
            let v240 = bitcast<f32>(pool[(v227 + 48i)]);
            m190 = fma(v229, v230, m190);
            m191 = fma(v229, v231, m191);
            m192 = fma(v229, v232, m192);
            m193 = fma(v229, v233, m193);
            m194 = fma(v229, v234, m194);
            m195 = fma(v229, v235, m195);
            m196 = fma(v229, v236, m196);
            m197 = fma(v229, v237, m197);
            m198 = fma(v238, v230, m198);
            m199 = fma(v238, v231, m199);
            m200 = fma(v238, v232, m200);
            m201 = fma(v238, v233, m201);
            m202 = fma(v238, v234, m202);
            m203 = fma(v238, v235, m203);
            m204 = fma(v238, v236, m204);
            m205 = fma(v238, v237, m205);
            m206 = fma(v239, v230, m206);
            m207 = fma(v239, v231, m207);
            m208 = fma(v239, v232, m208);
            m209 = fma(v239, v233, m209);
            m210 = fma(v239, v234, m210);
            m211 = fma(v239, v235, m211);
            m212 = fma(v239, v236, m212);
            m213 = fma(v239, v237, m213);
            m214 = fma(v240, v230, m214);
            m215 = fma(v240, v231, m215);
            m216 = fma(v240, v232, m216);
            m217 = fma(v240, v233, m217);
            m218 = fma(v240, v234, m218);
            m219 = fma(v240, v235, m219);
            m220 = fma(v240, v236, m220);
            m221 = fma(v240, v237, m221);
        }
        m5 = m190;
        m6 = m191;
        m7 = m192;
        m8 = m193;
        m9 = m194;
        m10 = m195;
        m11 = m196;
        m12 = m197;
        m13 = m198;
        m14 = m199;
        m15 = m200;
        m16 = m201;
        m17 = m202;
        m18 = m203;
        m19 = m204;
        m20 = m205;
        m21 = m206;
        m22 = m207;
        m23 = m208;
        m24 = m209;
        m25 = m210;
        m26 = m211;
        m27 = m212;
        m28 = m213;
        m29 = m214;
        m30 = m215;
        m31 = m216;
        m32 = m217;
        m33 = m218;
        m34 = m219;
        m35 = m220;
        m36 = m221;
    }
    let v241 = (t222 + 16i);
    let v242 = (t222 + 32i);
    let v243 = (t222 + 48i);
    let v244 = (v1 + t222);
    let v245 = (v1 + v241);
    let v246 = (v1 + v242);
    let v247 = (v1 + v243);
    let v248 = min(v244, v3);
    let v249 = min(v245, v3);
    let v250 = min(v246, v3);
    let v251 = min(v247, v3);
    let v252 = (v248 * p.a7_width);
    let v253 = (v249 * p.a7_width);
    let v254 = (v250 * p.a7_width);
    let v255 = (v251 * p.a7_width);
    let v256 = (t223 + 8i);
    let v257 = (t223 + 16i);
    let v258 = (t223 + 24i);
    let v259 = (t223 + 32i);
    let v260 = (t223 + 40i);
    let v261 = (t223 + 48i);
    let v262 = (t223 + 56i);
    let v263 = (v2 + t223);
    let v264 = (v2 + v256);
    let v265 = (v2 + v257);
    let v266 = (v2 + v258);
    let v267 = (v2 + v259);
    let v268 = (v2 + v260);
    let v269 = (v2 + v261);
    let v270 = (v2 + v262);
    let v271 = min(v263, v4);
    let v272 = min(v264, v4);
    let v273 = min(v265, v4);
    let v274 = min(v266, v4);
    let v275 = min(v267, v4);
    let v276 = min(v268, v4);
    let v277 = min(v269, v4);
    let v278 = min(v270, v4);
    let v279 = (p.a8_at + v271);
    let v280 = (p.a8_at + v272);
    let v281 = (p.a8_at + v273);
    let v282 = (p.a8_at + v274);
    let v283 = (p.a8_at + v275);
    let v284 = (p.a8_at + v276);
    let v285 = (p.a8_at + v277);
    let v286 = (p.a8_at + v278);
    let v287 = (v252 + v279);
    let v288 = (v252 + v280);
    let v289 = (v252 + v281);
    let v290 = (v252 + v282);
    let v291 = (v252 + v283);
    let v292 = (v252 + v284);
    let v293 = (v252 + v285);
    let v294 = (v252 + v286);
    let v295 = (v253 + v279);
    let v296 = (v253 + v280);
    let v297 = (v253 + v281);
    let v298 = (v253 + v282);
    let v299 = (v253 + v283);
    let v300 = (v253 + v284);
    let v301 = (v253 + v285);
    let v302 = (v253 + v286);
    let v303 = (v254 + v279);
    let v304 = (v254 + v280);
    let v305 = (v254 + v281);
    let v306 = (v254 + v282);
    let v307 = (v254 + v283);
    let v308 = (v254 + v284);
    let v309 = (v254 + v285);
    let v310 = (v254 + v286);
    let v311 = (v255 + v279);
    let v312 = (v255 + v280);
    let v313 = (v255 + v281);
    let v314 = (v255 + v282);
    let v315 = (v255 + v283);
    let v316 = (v255 + v284);
    let v317 = (v255 + v285);
    let v318 = (v255 + v286);
    let v319 = (v244 < p.a3_m);
    let v320 = (v245 < p.a3_m);
    let v321 = (v246 < p.a3_m);
    let v322 = (v247 < p.a3_m);
    let v323 = (v263 < p.a4_n);
    let v324 = (v264 < p.a4_n);
    let v325 = (v265 < p.a4_n);
    let v326 = (v266 < p.a4_n);
    let v327 = (v267 < p.a4_n);
    let v328 = (v268 < p.a4_n);
    let v329 = (v269 < p.a4_n);
    let v330 = (v270 < p.a4_n);
    let v331 = (v319 & v323);
    let v332 = (v319 & v324);
    let v333 = (v319 & v325);
    let v334 = (v319 & v326);
    let v335 = (v319 & v327);
    let v336 = (v319 & v328);
    let v337 = (v319 & v329);
    let v338 = (v319 & v330);
    let v339 = (v320 & v323);
    let v340 = (v320 & v324);
    let v341 = (v320 & v325);
    let v342 = (v320 & v326);
    let v343 = (v320 & v327);
    let v344 = (v320 & v328);
    let v345 = (v320 & v329);
    let v346 = (v320 & v330);
    let v347 = (v321 & v323);
    let v348 = (v321 & v324);
    let v349 = (v321 & v325);
    let v350 = (v321 & v326);
    let v351 = (v321 & v327);
    let v352 = (v321 & v328);
    let v353 = (v321 & v329);
    let v354 = (v321 & v330);
    let v355 = (v322 & v323);
    let v356 = (v322 & v324);
    let v357 = (v322 & v325);
    let v358 = (v322 & v326);
    let v359 = (v322 & v327);
    let v360 = (v322 & v328);
    let v361 = (v322 & v329);
    let v362 = (v322 & v330);
    if (v331) {
        g_y[v287] = m5;
    }
    if (v332) {
        g_y[v288] = m6;
    }
    if (v333) {
        g_y[v289] = m7;
    }
    if (v334) {
        g_y[v290] = m8;
    }
    if (v335) {
        g_y[v291] = m9;
    }
    if (v336) {
        g_y[v292] = m10;
    }
    if (v337) {
        g_y[v293] = m11;
    }
    if (v338) {
        g_y[v294] = m12;
    }
    if (v339) {
        g_y[v295] = m13;
    }
    if (v340) {
        g_y[v296] = m14;
    }
    if (v341) {
        g_y[v297] = m15;
    }
    if (v342) {
        g_y[v298] = m16;
    }
    if (v343) {
        g_y[v299] = m17;
    }
    if (v344) {
        g_y[v300] = m18;
    }
    if (v345) {
        g_y[v301] = m19;
    }
    if (v346) {
        g_y[v302] = m20;
    }
    if (v347) {
        g_y[v303] = m21;
    }
    if (v348) {
        g_y[v304] = m22;
    }
    if (v349) {
        g_y[v305] = m23;
    }
    if (v350) {
        g_y[v306] = m24;
    }
    if (v351) {
        g_y[v307] = m25;
    }
    if (v352) {
        g_y[v308] = m26;
    }
    if (v353) {
        g_y[v309] = m27;
    }
    if (v354) {
        g_y[v310] = m28;
    }
    if (v355) {
        g_y[v311] = m29;
    }
    if (v356) {
        g_y[v312] = m30;
    }
    if (v357) {
        g_y[v313] = m31;
    }
    if (v358) {
        g_y[v314] = m32;
    }
    if (v359) {
        g_y[v315] = m33;
    }
    if (v360) {
        g_y[v316] = m34;
    }
    if (v361) {
        g_y[v317] = m35;
    }
    if (v362) {
        g_y[v318] = m36;
    }
}
