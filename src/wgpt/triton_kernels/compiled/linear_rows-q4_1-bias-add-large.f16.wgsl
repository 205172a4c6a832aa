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
var<workgroup> pool: array<u32, 2064>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t39 = (lane >> 4u);
    let t71 = (lane & 15i);
    let t270 = (lane >> 6u) | ((lane & 63i) << 4u);
    let t318 = (lane >> 3u);
    let t319 = (lane & 7i);
    let t320 = (lane & 63i);
    let t321 = (lane >> 6u);
    let t360 = (lane & 120i) == 0i;
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
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v262);
        pool[(lane + 128i)] = bitcast<u32>(v263);
        pool[(lane + 256i)] = bitcast<u32>(v264);
        pool[(lane + 384i)] = bitcast<u32>(v265);
        pool[(lane + 512i)] = bitcast<u32>(v266);
        pool[(lane + 640i)] = bitcast<u32>(v267);
        pool[(lane + 768i)] = bitcast<u32>(v268);
        pool[(lane + 896i)] = bitcast<u32>(v269);
        workgroupBarrier();
        let v271 = bitcast<f32>(pool[t270]);
        let v272 = (t270 + 2i);
        let v273 = bitcast<f32>(pool[v272]);
        let v274 = (t270 + 4i);
        let v275 = bitcast<f32>(pool[v274]);
        let v276 = (t270 + 6i);
        let v277 = bitcast<f32>(pool[v276]);
        let v278 = (t270 + 8i);
        let v279 = bitcast<f32>(pool[v278]);
        let v280 = (t270 + 10i);
        let v281 = bitcast<f32>(pool[v280]);
        let v282 = (t270 + 12i);
        let v283 = bitcast<f32>(pool[v282]);
        let v284 = (t270 + 14i);
        let v285 = bitcast<f32>(pool[v284]);
        var m286: f32 = m5;
        var m287: f32 = m6;
        var m288: f32 = m7;
        var m289: f32 = m8;
        var m290: f32 = m9;
        var m291: f32 = m10;
        var m292: f32 = m11;
        var m293: f32 = m12;
        var m294: f32 = m13;
        var m295: f32 = m14;
        var m296: f32 = m15;
        var m297: f32 = m16;
        var m298: f32 = m17;
        var m299: f32 = m18;
        var m300: f32 = m19;
        var m301: f32 = m20;
        var m302: f32 = m21;
        var m303: f32 = m22;
        var m304: f32 = m23;
        var m305: f32 = m24;
        var m306: f32 = m25;
        var m307: f32 = m26;
        var m308: f32 = m27;
        var m309: f32 = m28;
        var m310: f32 = m29;
        var m311: f32 = m30;
        var m312: f32 = m31;
        var m313: f32 = m32;
        var m314: f32 = m33;
        var m315: f32 = m34;
        var m316: f32 = m35;
        var m317: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t321 * 64i) + t320) + 1040i)] = bitcast<u32>(v271);
        pool[((((t321 + 2i) * 64i) + t320) + 1040i)] = bitcast<u32>(v273);
        pool[((((t321 + 4i) * 64i) + t320) + 1040i)] = bitcast<u32>(v275);
        pool[((((t321 + 6i) * 64i) + t320) + 1040i)] = bitcast<u32>(v277);
        pool[((((t321 + 8i) * 64i) + t320) + 1040i)] = bitcast<u32>(v279);
        pool[((((t321 + 10i) * 64i) + t320) + 1040i)] = bitcast<u32>(v281);
        pool[((((t321 + 12i) * 64i) + t320) + 1040i)] = bitcast<u32>(v283);
        pool[((((t321 + 14i) * 64i) + t320) + 1040i)] = bitcast<u32>(v285);
        workgroupBarrier();
        for (var k322 = 0i; k322 < 16i; k322 = k322 + 1i) {
            let v323 = (t318 + ((((0i * 16i) + k322)) * 65i));
            let v324 = ((t319 + 1040i) + ((((0i * 16i) + k322)) * 64i));
            let v325 = bitcast<f32>(pool[v323]);
            let v326 = bitcast<f32>(pool[v324]);
            let v327 = bitcast<f32>(pool[(v324 + 8i)]);
            let v328 = bitcast<f32>(pool[(v324 + 16i)]);
            let v329 = bitcast<f32>(pool[(v324 + 24i)]);
            let v330 = bitcast<f32>(pool[(v324 + 32i)]);
            let v331 = bitcast<f32>(pool[(v324 + 40i)]);
            let v332 = bitcast<f32>(pool[(v324 + 48i)]);
            let v333 = bitcast<f32>(pool[(v324 + 56i)]);
            let v334 = bitcast<f32>(pool[(v323 + 16i)]);
            let v335 = bitcast<f32>(pool[(v323 + 32i)]);
            let v336 = bitcast<f32>(pool[(v323 + 48i)]);
            m286 = fma(v325, v326, m286);
            m287 = fma(v325, v327, m287);
            m288 = fma(v325, v328, m288);
            m289 = fma(v325, v329, m289);
            m290 = fma(v325, v330, m290);
            m291 = fma(v325, v331, m291);
            m292 = fma(v325, v332, m292);
            m293 = fma(v325, v333, m293);
            m294 = fma(v334, v326, m294);
            m295 = fma(v334, v327, m295);
            m296 = fma(v334, v328, m296);
            m297 = fma(v334, v329, m297);
            m298 = fma(v334, v330, m298);
            m299 = fma(v334, v331, m299);
            m300 = fma(v334, v332, m300);
            m301 = fma(v334, v333, m301);
            m302 = fma(v335, v326, m302);
            m303 = fma(v335, v327, m303);
            m304 = fma(v335, v328, m304);
            m305 = fma(v335, v329, m305);
            m306 = fma(v335, v330, m306);
            m307 = fma(v335, v331, m307);
            m308 = fma(v335, v332, m308);
            m309 = fma(v335, v333, m309);
            m310 = fma(v336, v326, m310);
            m311 = fma(v336, v327, m311);
            m312 = fma(v336, v328, m312);
            m313 = fma(v336, v329, m313);
            m314 = fma(v336, v330, m314);
            m315 = fma(v336, v331, m315);
            m316 = fma(v336, v332, m316);
            m317 = fma(v336, v333, m317);
        }
        m5 = m286;
        m6 = m287;
        m7 = m288;
        m8 = m289;
        m9 = m290;
        m10 = m291;
        m11 = m292;
        m12 = m293;
        m13 = m294;
        m14 = m295;
        m15 = m296;
        m16 = m297;
        m17 = m298;
        m18 = m299;
        m19 = m300;
        m20 = m301;
        m21 = m302;
        m22 = m303;
        m23 = m304;
        m24 = m305;
        m25 = m306;
        m26 = m307;
        m27 = m308;
        m28 = m309;
        m29 = m310;
        m30 = m311;
        m31 = m312;
        m32 = m313;
        m33 = m314;
        m34 = m315;
        m35 = m316;
        m36 = m317;
    }
    let v337 = (t319 + 8i);
    let v338 = (t319 + 16i);
    let v339 = (t319 + 24i);
    let v340 = (t319 + 32i);
    let v341 = (t319 + 40i);
    let v342 = (t319 + 48i);
    let v343 = (t319 + 56i);
    let v344 = (v2 + t319);
    let v345 = (v2 + v337);
    let v346 = (v2 + v338);
    let v347 = (v2 + v339);
    let v348 = (v2 + v340);
    let v349 = (v2 + v341);
    let v350 = (v2 + v342);
    let v351 = (v2 + v343);
    let v352 = min(v344, v4);
    let v353 = min(v345, v4);
    let v354 = min(v346, v4);
    let v355 = min(v347, v4);
    let v356 = min(v348, v4);
    let v357 = min(v349, v4);
    let v358 = min(v350, v4);
    let v359 = min(v351, v4);
    let x361 = g_b[v352];
    let x362 = g_b[v353];
    let x363 = g_b[v354];
    let x364 = g_b[v355];
    let x365 = g_b[v356];
    let x366 = g_b[v357];
    let x367 = g_b[v358];
    let x368 = g_b[v359];
    let v369 = (m5 + x361);
    let v370 = (m6 + x362);
    let v371 = (m7 + x363);
    let v372 = (m8 + x364);
    let v373 = (m9 + x365);
    let v374 = (m10 + x366);
    let v375 = (m11 + x367);
    let v376 = (m12 + x368);
    let v377 = (m13 + x361);
    let v378 = (m14 + x362);
    let v379 = (m15 + x363);
    let v380 = (m16 + x364);
    let v381 = (m17 + x365);
    let v382 = (m18 + x366);
    let v383 = (m19 + x367);
    let v384 = (m20 + x368);
    let v385 = (m21 + x361);
    let v386 = (m22 + x362);
    let v387 = (m23 + x363);
    let v388 = (m24 + x364);
    let v389 = (m25 + x365);
    let v390 = (m26 + x366);
    let v391 = (m27 + x367);
    let v392 = (m28 + x368);
    let v393 = (m29 + x361);
    let v394 = (m30 + x362);
    let v395 = (m31 + x363);
    let v396 = (m32 + x364);
    let v397 = (m33 + x365);
    let v398 = (m34 + x366);
    let v399 = (m35 + x367);
    let v400 = (m36 + x368);
    let v401 = (t318 + 16i);
    let v402 = (t318 + 32i);
    let v403 = (t318 + 48i);
    let v404 = (v1 + t318);
    let v405 = (v1 + v401);
    let v406 = (v1 + v402);
    let v407 = (v1 + v403);
    let v408 = min(v404, v3);
    let v409 = min(v405, v3);
    let v410 = min(v406, v3);
    let v411 = min(v407, v3);
    let v412 = (v408 * p.a10_width);
    let v413 = (v409 * p.a10_width);
    let v414 = (v410 * p.a10_width);
    let v415 = (v411 * p.a10_width);
    let v416 = (p.a11_at + v352);
    let v417 = (p.a11_at + v353);
    let v418 = (p.a11_at + v354);
    let v419 = (p.a11_at + v355);
    let v420 = (p.a11_at + v356);
    let v421 = (p.a11_at + v357);
    let v422 = (p.a11_at + v358);
    let v423 = (p.a11_at + v359);
    let v424 = (v412 + v416);
    let v425 = (v412 + v417);
    let v426 = (v412 + v418);
    let v427 = (v412 + v419);
    let v428 = (v412 + v420);
    let v429 = (v412 + v421);
    let v430 = (v412 + v422);
    let v431 = (v412 + v423);
    let v432 = (v413 + v416);
    let v433 = (v413 + v417);
    let v434 = (v413 + v418);
    let v435 = (v413 + v419);
    let v436 = (v413 + v420);
    let v437 = (v413 + v421);
    let v438 = (v413 + v422);
    let v439 = (v413 + v423);
    let v440 = (v414 + v416);
    let v441 = (v414 + v417);
    let v442 = (v414 + v418);
    let v443 = (v414 + v419);
    let v444 = (v414 + v420);
    let v445 = (v414 + v421);
    let v446 = (v414 + v422);
    let v447 = (v414 + v423);
    let v448 = (v415 + v416);
    let v449 = (v415 + v417);
    let v450 = (v415 + v418);
    let v451 = (v415 + v419);
    let v452 = (v415 + v420);
    let v453 = (v415 + v421);
    let v454 = (v415 + v422);
    let v455 = (v415 + v423);
    let x456 = g_r[v424];
    let x457 = g_r[v425];
    let x458 = g_r[v426];
    let x459 = g_r[v427];
    let x460 = g_r[v428];
    let x461 = g_r[v429];
    let x462 = g_r[v430];
    let x463 = g_r[v431];
    let x464 = g_r[v432];
    let x465 = g_r[v433];
    let x466 = g_r[v434];
    let x467 = g_r[v435];
    let x468 = g_r[v436];
    let x469 = g_r[v437];
    let x470 = g_r[v438];
    let x471 = g_r[v439];
    let x472 = g_r[v440];
    let x473 = g_r[v441];
    let x474 = g_r[v442];
    let x475 = g_r[v443];
    let x476 = g_r[v444];
    let x477 = g_r[v445];
    let x478 = g_r[v446];
    let x479 = g_r[v447];
    let x480 = g_r[v448];
    let x481 = g_r[v449];
    let x482 = g_r[v450];
    let x483 = g_r[v451];
    let x484 = g_r[v452];
    let x485 = g_r[v453];
    let x486 = g_r[v454];
    let x487 = g_r[v455];
    let v488 = (v369 + x456);
    let v489 = (v370 + x457);
    let v490 = (v371 + x458);
    let v491 = (v372 + x459);
    let v492 = (v373 + x460);
    let v493 = (v374 + x461);
    let v494 = (v375 + x462);
    let v495 = (v376 + x463);
    let v496 = (v377 + x464);
    let v497 = (v378 + x465);
    let v498 = (v379 + x466);
    let v499 = (v380 + x467);
    let v500 = (v381 + x468);
    let v501 = (v382 + x469);
    let v502 = (v383 + x470);
    let v503 = (v384 + x471);
    let v504 = (v385 + x472);
    let v505 = (v386 + x473);
    let v506 = (v387 + x474);
    let v507 = (v388 + x475);
    let v508 = (v389 + x476);
    let v509 = (v390 + x477);
    let v510 = (v391 + x478);
    let v511 = (v392 + x479);
    let v512 = (v393 + x480);
    let v513 = (v394 + x481);
    let v514 = (v395 + x482);
    let v515 = (v396 + x483);
    let v516 = (v397 + x484);
    let v517 = (v398 + x485);
    let v518 = (v399 + x486);
    let v519 = (v400 + x487);
    let v520 = (v404 < p.a6_m);
    let v521 = (v405 < p.a6_m);
    let v522 = (v406 < p.a6_m);
    let v523 = (v407 < p.a6_m);
    let v524 = (v344 < p.a7_n);
    let v525 = (v345 < p.a7_n);
    let v526 = (v346 < p.a7_n);
    let v527 = (v347 < p.a7_n);
    let v528 = (v348 < p.a7_n);
    let v529 = (v349 < p.a7_n);
    let v530 = (v350 < p.a7_n);
    let v531 = (v351 < p.a7_n);
    let v532 = (v520 & v524);
    let v533 = (v520 & v525);
    let v534 = (v520 & v526);
    let v535 = (v520 & v527);
    let v536 = (v520 & v528);
    let v537 = (v520 & v529);
    let v538 = (v520 & v530);
    let v539 = (v520 & v531);
    let v540 = (v521 & v524);
    let v541 = (v521 & v525);
    let v542 = (v521 & v526);
    let v543 = (v521 & v527);
    let v544 = (v521 & v528);
    let v545 = (v521 & v529);
    let v546 = (v521 & v530);
    let v547 = (v521 & v531);
    let v548 = (v522 & v524);
    let v549 = (v522 & v525);
    let v550 = (v522 & v526);
    let v551 = (v522 & v527);
    let v552 = (v522 & v528);
    let v553 = (v522 & v529);
    let v554 = (v522 & v530);
    let v555 = (v522 & v531);
    let v556 = (v523 & v524);
    let v557 = (v523 & v525);
    let v558 = (v523 & v526);
    let v559 = (v523 & v527);
    let v560 = (v523 & v528);
    let v561 = (v523 & v529);
    let v562 = (v523 & v530);
    let v563 = (v523 & v531);
    if (v532) {
        g_y[v424] = v488;
    }
    if (v533) {
        g_y[v425] = v489;
    }
    if (v534) {
        g_y[v426] = v490;
    }
    if (v535) {
        g_y[v427] = v491;
    }
    if (v536) {
        g_y[v428] = v492;
    }
    if (v537) {
        g_y[v429] = v493;
    }
    if (v538) {
        g_y[v430] = v494;
    }
    if (v539) {
        g_y[v431] = v495;
    }
    if (v540) {
        g_y[v432] = v496;
    }
    if (v541) {
        g_y[v433] = v497;
    }
    if (v542) {
        g_y[v434] = v498;
    }
    if (v543) {
        g_y[v435] = v499;
    }
    if (v544) {
        g_y[v436] = v500;
    }
    if (v545) {
        g_y[v437] = v501;
    }
    if (v546) {
        g_y[v438] = v502;
    }
    if (v547) {
        g_y[v439] = v503;
    }
    if (v548) {
        g_y[v440] = v504;
    }
    if (v549) {
        g_y[v441] = v505;
    }
    if (v550) {
        g_y[v442] = v506;
    }
    if (v551) {
        g_y[v443] = v507;
    }
    if (v552) {
        g_y[v444] = v508;
    }
    if (v553) {
        g_y[v445] = v509;
    }
    if (v554) {
        g_y[v446] = v510;
    }
    if (v555) {
        g_y[v447] = v511;
    }
    if (v556) {
        g_y[v448] = v512;
    }
    if (v557) {
        g_y[v449] = v513;
    }
    if (v558) {
        g_y[v450] = v514;
    }
    if (v559) {
        g_y[v451] = v515;
    }
    if (v560) {
        g_y[v452] = v516;
    }
    if (v561) {
        g_y[v453] = v517;
    }
    if (v562) {
        g_y[v454] = v518;
    }
    if (v563) {
        g_y[v455] = v519;
    }
}
