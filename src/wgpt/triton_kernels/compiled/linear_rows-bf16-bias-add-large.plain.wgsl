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
    let t264 = (lane & 120i) == 0i;
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
    let v241 = (t223 + 8i);
    let v242 = (t223 + 16i);
    let v243 = (t223 + 24i);
    let v244 = (t223 + 32i);
    let v245 = (t223 + 40i);
    let v246 = (t223 + 48i);
    let v247 = (t223 + 56i);
    let v248 = (v2 + t223);
    let v249 = (v2 + v241);
    let v250 = (v2 + v242);
    let v251 = (v2 + v243);
    let v252 = (v2 + v244);
    let v253 = (v2 + v245);
    let v254 = (v2 + v246);
    let v255 = (v2 + v247);
    let v256 = min(v248, v4);
    let v257 = min(v249, v4);
    let v258 = min(v250, v4);
    let v259 = min(v251, v4);
    let v260 = min(v252, v4);
    let v261 = min(v253, v4);
    let v262 = min(v254, v4);
    let v263 = min(v255, v4);
    let x265 = g_b[v256];
    let x266 = g_b[v257];
    let x267 = g_b[v258];
    let x268 = g_b[v259];
    let x269 = g_b[v260];
    let x270 = g_b[v261];
    let x271 = g_b[v262];
    let x272 = g_b[v263];
    let v273 = (m5 + x265);
    let v274 = (m6 + x266);
    let v275 = (m7 + x267);
    let v276 = (m8 + x268);
    let v277 = (m9 + x269);
    let v278 = (m10 + x270);
    let v279 = (m11 + x271);
    let v280 = (m12 + x272);
    let v281 = (m13 + x265);
    let v282 = (m14 + x266);
    let v283 = (m15 + x267);
    let v284 = (m16 + x268);
    let v285 = (m17 + x269);
    let v286 = (m18 + x270);
    let v287 = (m19 + x271);
    let v288 = (m20 + x272);
    let v289 = (m21 + x265);
    let v290 = (m22 + x266);
    let v291 = (m23 + x267);
    let v292 = (m24 + x268);
    let v293 = (m25 + x269);
    let v294 = (m26 + x270);
    let v295 = (m27 + x271);
    let v296 = (m28 + x272);
    let v297 = (m29 + x265);
    let v298 = (m30 + x266);
    let v299 = (m31 + x267);
    let v300 = (m32 + x268);
    let v301 = (m33 + x269);
    let v302 = (m34 + x270);
    let v303 = (m35 + x271);
    let v304 = (m36 + x272);
    let v305 = (t222 + 16i);
    let v306 = (t222 + 32i);
    let v307 = (t222 + 48i);
    let v308 = (v1 + t222);
    let v309 = (v1 + v305);
    let v310 = (v1 + v306);
    let v311 = (v1 + v307);
    let v312 = min(v308, v3);
    let v313 = min(v309, v3);
    let v314 = min(v310, v3);
    let v315 = min(v311, v3);
    let v316 = (v312 * p.a9_width);
    let v317 = (v313 * p.a9_width);
    let v318 = (v314 * p.a9_width);
    let v319 = (v315 * p.a9_width);
    let v320 = (p.a10_at + v256);
    let v321 = (p.a10_at + v257);
    let v322 = (p.a10_at + v258);
    let v323 = (p.a10_at + v259);
    let v324 = (p.a10_at + v260);
    let v325 = (p.a10_at + v261);
    let v326 = (p.a10_at + v262);
    let v327 = (p.a10_at + v263);
    let v328 = (v316 + v320);
    let v329 = (v316 + v321);
    let v330 = (v316 + v322);
    let v331 = (v316 + v323);
    let v332 = (v316 + v324);
    let v333 = (v316 + v325);
    let v334 = (v316 + v326);
    let v335 = (v316 + v327);
    let v336 = (v317 + v320);
    let v337 = (v317 + v321);
    let v338 = (v317 + v322);
    let v339 = (v317 + v323);
    let v340 = (v317 + v324);
    let v341 = (v317 + v325);
    let v342 = (v317 + v326);
    let v343 = (v317 + v327);
    let v344 = (v318 + v320);
    let v345 = (v318 + v321);
    let v346 = (v318 + v322);
    let v347 = (v318 + v323);
    let v348 = (v318 + v324);
    let v349 = (v318 + v325);
    let v350 = (v318 + v326);
    let v351 = (v318 + v327);
    let v352 = (v319 + v320);
    let v353 = (v319 + v321);
    let v354 = (v319 + v322);
    let v355 = (v319 + v323);
    let v356 = (v319 + v324);
    let v357 = (v319 + v325);
    let v358 = (v319 + v326);
    let v359 = (v319 + v327);
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
    let x374 = g_r[v342];
    let x375 = g_r[v343];
    let x376 = g_r[v344];
    let x377 = g_r[v345];
    let x378 = g_r[v346];
    let x379 = g_r[v347];
    let x380 = g_r[v348];
    let x381 = g_r[v349];
    let x382 = g_r[v350];
    let x383 = g_r[v351];
    let x384 = g_r[v352];
    let x385 = g_r[v353];
    let x386 = g_r[v354];
    let x387 = g_r[v355];
    let x388 = g_r[v356];
    let x389 = g_r[v357];
    let x390 = g_r[v358];
    let x391 = g_r[v359];
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
    let v406 = (v287 + x374);
    let v407 = (v288 + x375);
    let v408 = (v289 + x376);
    let v409 = (v290 + x377);
    let v410 = (v291 + x378);
    let v411 = (v292 + x379);
    let v412 = (v293 + x380);
    let v413 = (v294 + x381);
    let v414 = (v295 + x382);
    let v415 = (v296 + x383);
    let v416 = (v297 + x384);
    let v417 = (v298 + x385);
    let v418 = (v299 + x386);
    let v419 = (v300 + x387);
    let v420 = (v301 + x388);
    let v421 = (v302 + x389);
    let v422 = (v303 + x390);
    let v423 = (v304 + x391);
    let v424 = (v308 < p.a5_m);
    let v425 = (v309 < p.a5_m);
    let v426 = (v310 < p.a5_m);
    let v427 = (v311 < p.a5_m);
    let v428 = (v248 < p.a6_n);
    let v429 = (v249 < p.a6_n);
    let v430 = (v250 < p.a6_n);
    let v431 = (v251 < p.a6_n);
    let v432 = (v252 < p.a6_n);
    let v433 = (v253 < p.a6_n);
    let v434 = (v254 < p.a6_n);
    let v435 = (v255 < p.a6_n);
    let v436 = (v424 & v428);
    let v437 = (v424 & v429);
    let v438 = (v424 & v430);
    let v439 = (v424 & v431);
    let v440 = (v424 & v432);
    let v441 = (v424 & v433);
    let v442 = (v424 & v434);
    let v443 = (v424 & v435);
    let v444 = (v425 & v428);
    let v445 = (v425 & v429);
    let v446 = (v425 & v430);
    let v447 = (v425 & v431);
    let v448 = (v425 & v432);
    let v449 = (v425 & v433);
    let v450 = (v425 & v434);
    let v451 = (v425 & v435);
    let v452 = (v426 & v428);
    let v453 = (v426 & v429);
    let v454 = (v426 & v430);
    let v455 = (v426 & v431);
    let v456 = (v426 & v432);
    let v457 = (v426 & v433);
    let v458 = (v426 & v434);
    let v459 = (v426 & v435);
    let v460 = (v427 & v428);
    let v461 = (v427 & v429);
    let v462 = (v427 & v430);
    let v463 = (v427 & v431);
    let v464 = (v427 & v432);
    let v465 = (v427 & v433);
    let v466 = (v427 & v434);
    let v467 = (v427 & v435);
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
    if (v450) {
        g_y[v342] = v406;
    }
    if (v451) {
        g_y[v343] = v407;
    }
    if (v452) {
        g_y[v344] = v408;
    }
    if (v453) {
        g_y[v345] = v409;
    }
    if (v454) {
        g_y[v346] = v410;
    }
    if (v455) {
        g_y[v347] = v411;
    }
    if (v456) {
        g_y[v348] = v412;
    }
    if (v457) {
        g_y[v349] = v413;
    }
    if (v458) {
        g_y[v350] = v414;
    }
    if (v459) {
        g_y[v351] = v415;
    }
    if (v460) {
        g_y[v352] = v416;
    }
    if (v461) {
        g_y[v353] = v417;
    }
    if (v462) {
        g_y[v354] = v418;
    }
    if (v463) {
        g_y[v355] = v419;
    }
    if (v464) {
        g_y[v356] = v420;
    }
    if (v465) {
        g_y[v357] = v421;
    }
    if (v466) {
        g_y[v358] = v422;
    }
    if (v467) {
        g_y[v359] = v423;
    }
}
