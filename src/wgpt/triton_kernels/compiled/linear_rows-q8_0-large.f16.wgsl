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
var<workgroup> pool: array<u32, 2064>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t39 = (lane >> 4u);
    let t71 = (lane & 15i);
    let t232 = (lane >> 6u) | ((lane & 63i) << 4u);
    let t280 = (lane >> 3u);
    let t281 = (lane & 7i);
    let t282 = (lane & 63i);
    let t283 = (lane >> 6u);
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
        let v123 = (v73 / 4i);
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
        let v140 = (x132 ^ (-2139062144i));
        let v141 = (x133 ^ (-2139062144i));
        let v142 = (x134 ^ (-2139062144i));
        let v143 = (x135 ^ (-2139062144i));
        let v144 = (x136 ^ (-2139062144i));
        let v145 = (x137 ^ (-2139062144i));
        let v146 = (x138 ^ (-2139062144i));
        let v147 = (x139 ^ (-2139062144i));
        let v148 = (v73 % 4i);
        let v149 = (v148 * 8i);
        let v150 = select(bitcast<i32>(bitcast<u32>(v140) >> (bitcast<u32>(v149) & 31u)), 0i, bitcast<u32>(v149) > 31u);
        let v151 = select(bitcast<i32>(bitcast<u32>(v141) >> (bitcast<u32>(v149) & 31u)), 0i, bitcast<u32>(v149) > 31u);
        let v152 = select(bitcast<i32>(bitcast<u32>(v142) >> (bitcast<u32>(v149) & 31u)), 0i, bitcast<u32>(v149) > 31u);
        let v153 = select(bitcast<i32>(bitcast<u32>(v143) >> (bitcast<u32>(v149) & 31u)), 0i, bitcast<u32>(v149) > 31u);
        let v154 = select(bitcast<i32>(bitcast<u32>(v144) >> (bitcast<u32>(v149) & 31u)), 0i, bitcast<u32>(v149) > 31u);
        let v155 = select(bitcast<i32>(bitcast<u32>(v145) >> (bitcast<u32>(v149) & 31u)), 0i, bitcast<u32>(v149) > 31u);
        let v156 = select(bitcast<i32>(bitcast<u32>(v146) >> (bitcast<u32>(v149) & 31u)), 0i, bitcast<u32>(v149) > 31u);
        let v157 = select(bitcast<i32>(bitcast<u32>(v147) >> (bitcast<u32>(v149) & 31u)), 0i, bitcast<u32>(v149) > 31u);
        let v158 = (v150 & 255i);
        let v159 = (v151 & 255i);
        let v160 = (v152 & 255i);
        let v161 = (v153 & 255i);
        let v162 = (v154 & 255i);
        let v163 = (v155 & 255i);
        let v164 = (v156 & 255i);
        let v165 = (v157 & 255i);
        let v166 = (p.a7_line / 8i);
        let v167 = (v107 * v166);
        let v168 = (v108 * v166);
        let v169 = (v109 * v166);
        let v170 = (v110 * v166);
        let v171 = (v111 * v166);
        let v172 = (v112 * v166);
        let v173 = (v113 * v166);
        let v174 = (v114 * v166);
        let v175 = (v73 / 32i);
        let v176 = (v167 + v175);
        let v177 = (v168 + v175);
        let v178 = (v169 + v175);
        let v179 = (v170 + v175);
        let v180 = (v171 + v175);
        let v181 = (v172 + v175);
        let v182 = (v173 + v175);
        let v183 = (v174 + v175);
        let x184 = f32(g_s[v176]);
        let x185 = f32(g_s[v177]);
        let x186 = f32(g_s[v178]);
        let x187 = f32(g_s[v179]);
        let x188 = f32(g_s[v180]);
        let x189 = f32(g_s[v181]);
        let x190 = f32(g_s[v182]);
        let x191 = f32(g_s[v183]);
        let v192 = (v158 | 1258291200i);
        let v193 = (v159 | 1258291200i);
        let v194 = (v160 | 1258291200i);
        let v195 = (v161 | 1258291200i);
        let v196 = (v162 | 1258291200i);
        let v197 = (v163 | 1258291200i);
        let v198 = (v164 | 1258291200i);
        let v199 = (v165 | 1258291200i);
        let v200 = bitcast<u32>(v192);
        let v201 = bitcast<f32>(v200);
        let v202 = bitcast<u32>(v193);
        let v203 = bitcast<f32>(v202);
        let v204 = bitcast<u32>(v194);
        let v205 = bitcast<f32>(v204);
        let v206 = bitcast<u32>(v195);
        let v207 = bitcast<f32>(v206);
        let v208 = bitcast<u32>(v196);
        let v209 = bitcast<f32>(v208);
        let v210 = bitcast<u32>(v197);
        let v211 = bitcast<f32>(v210);
        let v212 = bitcast<u32>(v198);
        let v213 = bitcast<f32>(v212);
        let v214 = bitcast<u32>(v199);
        let v215 = bitcast<f32>(v214);
        let v216 = (v201 - 8388736.0f);
        let v217 = (v203 - 8388736.0f);
        let v218 = (v205 - 8388736.0f);
        let v219 = (v207 - 8388736.0f);
        let v220 = (v209 - 8388736.0f);
        let v221 = (v211 - 8388736.0f);
        let v222 = (v213 - 8388736.0f);
        let v223 = (v215 - 8388736.0f);
        let v224 = (v216 * x184);
        let v225 = (v217 * x185);
        let v226 = (v218 * x186);
        let v227 = (v219 * x187);
        let v228 = (v220 * x188);
        let v229 = (v221 * x189);
        let v230 = (v222 * x190);
        let v231 = (v223 * x191);
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v224);
        pool[(lane + 128i)] = bitcast<u32>(v225);
        pool[(lane + 256i)] = bitcast<u32>(v226);
        pool[(lane + 384i)] = bitcast<u32>(v227);
        pool[(lane + 512i)] = bitcast<u32>(v228);
        pool[(lane + 640i)] = bitcast<u32>(v229);
        pool[(lane + 768i)] = bitcast<u32>(v230);
        pool[(lane + 896i)] = bitcast<u32>(v231);
        workgroupBarrier();
        let v233 = bitcast<f32>(pool[t232]);
        let v234 = (t232 + 2i);
        let v235 = bitcast<f32>(pool[v234]);
        let v236 = (t232 + 4i);
        let v237 = bitcast<f32>(pool[v236]);
        let v238 = (t232 + 6i);
        let v239 = bitcast<f32>(pool[v238]);
        let v240 = (t232 + 8i);
        let v241 = bitcast<f32>(pool[v240]);
        let v242 = (t232 + 10i);
        let v243 = bitcast<f32>(pool[v242]);
        let v244 = (t232 + 12i);
        let v245 = bitcast<f32>(pool[v244]);
        let v246 = (t232 + 14i);
        let v247 = bitcast<f32>(pool[v246]);
        var m248: f32 = m5;
        var m249: f32 = m6;
        var m250: f32 = m7;
        var m251: f32 = m8;
        var m252: f32 = m9;
        var m253: f32 = m10;
        var m254: f32 = m11;
        var m255: f32 = m12;
        var m256: f32 = m13;
        var m257: f32 = m14;
        var m258: f32 = m15;
        var m259: f32 = m16;
        var m260: f32 = m17;
        var m261: f32 = m18;
        var m262: f32 = m19;
        var m263: f32 = m20;
        var m264: f32 = m21;
        var m265: f32 = m22;
        var m266: f32 = m23;
        var m267: f32 = m24;
        var m268: f32 = m25;
        var m269: f32 = m26;
        var m270: f32 = m27;
        var m271: f32 = m28;
        var m272: f32 = m29;
        var m273: f32 = m30;
        var m274: f32 = m31;
        var m275: f32 = m32;
        var m276: f32 = m33;
        var m277: f32 = m34;
        var m278: f32 = m35;
        var m279: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t283 * 64i) + t282) + 1040i)] = bitcast<u32>(v233);
        pool[((((t283 + 2i) * 64i) + t282) + 1040i)] = bitcast<u32>(v235);
        pool[((((t283 + 4i) * 64i) + t282) + 1040i)] = bitcast<u32>(v237);
        pool[((((t283 + 6i) * 64i) + t282) + 1040i)] = bitcast<u32>(v239);
        pool[((((t283 + 8i) * 64i) + t282) + 1040i)] = bitcast<u32>(v241);
        pool[((((t283 + 10i) * 64i) + t282) + 1040i)] = bitcast<u32>(v243);
        pool[((((t283 + 12i) * 64i) + t282) + 1040i)] = bitcast<u32>(v245);
        pool[((((t283 + 14i) * 64i) + t282) + 1040i)] = bitcast<u32>(v247);
        workgroupBarrier();
        for (var k284 = 0i; k284 < 16i; k284 = k284 + 1i) {
            let v285 = (t280 + ((((0i * 16i) + k284)) * 65i));
            let v286 = ((t281 + 1040i) + ((((0i * 16i) + k284)) * 64i));
            let v287 = bitcast<f32>(pool[v285]);
            let v288 = bitcast<f32>(pool[v286]);
            let v289 = bitcast<f32>(pool[(v286 + 8i)]);
            let v290 = bitcast<f32>(pool[(v286 + 16i)]);
            let v291 = bitcast<f32>(pool[(v286 + 24i)]);
            let v292 = bitcast<f32>(pool[(v286 + 32i)]);
            let v293 = bitcast<f32>(pool[(v286 + 40i)]);
            let v294 = bitcast<f32>(pool[(v286 + 48i)]);
            let v295 = bitcast<f32>(pool[(v286 + 56i)]);
            let v296 = bitcast<f32>(pool[(v285 + 16i)]);
            let v297 = bitcast<f32>(pool[(v285 + 32i)]);
            let v298 = bitcast<f32>(pool[(v285 + 48i)]);
            m248 = fma(v287, v288, m248);
            m249 = fma(v287, v289, m249);
            m250 = fma(v287, v290, m250);
            m251 = fma(v287, v291, m251);
            m252 = fma(v287, v292, m252);
            m253 = fma(v287, v293, m253);
            m254 = fma(v287, v294, m254);
            m255 = fma(v287, v295, m255);
            m256 = fma(v296, v288, m256);
            m257 = fma(v296, v289, m257);
            m258 = fma(v296, v290, m258);
            m259 = fma(v296, v291, m259);
            m260 = fma(v296, v292, m260);
            m261 = fma(v296, v293, m261);
            m262 = fma(v296, v294, m262);
            m263 = fma(v296, v295, m263);
            m264 = fma(v297, v288, m264);
            m265 = fma(v297, v289, m265);
            m266 = fma(v297, v290, m266);
            m267 = fma(v297, v291, m267);
            m268 = fma(v297, v292, m268);
            m269 = fma(v297, v293, m269);
            m270 = fma(v297, v294, m270);
            m271 = fma(v297, v295, m271);
            m272 = fma(v298, v288, m272);
            m273 = fma(v298, v289, m273);
            m274 = fma(v298, v290, m274);
            m275 = fma(v298, v291, m275);
            m276 = fma(v298, v292, m276);
            m277 = fma(v298, v293, m277);
            m278 = fma(v298, v294, m278);
            m279 = fma(v298, v295, m279);
        }
        m5 = m248;
        m6 = m249;
        m7 = m250;
        m8 = m251;
        m9 = m252;
        m10 = m253;
        m11 = m254;
        m12 = m255;
        m13 = m256;
        m14 = m257;
        m15 = m258;
        m16 = m259;
        m17 = m260;
        m18 = m261;
        m19 = m262;
        m20 = m263;
        m21 = m264;
        m22 = m265;
        m23 = m266;
        m24 = m267;
        m25 = m268;
        m26 = m269;
        m27 = m270;
        m28 = m271;
        m29 = m272;
        m30 = m273;
        m31 = m274;
        m32 = m275;
        m33 = m276;
        m34 = m277;
        m35 = m278;
        m36 = m279;
    }
    let v299 = (t280 + 16i);
    let v300 = (t280 + 32i);
    let v301 = (t280 + 48i);
    let v302 = (v1 + t280);
    let v303 = (v1 + v299);
    let v304 = (v1 + v300);
    let v305 = (v1 + v301);
    let v306 = min(v302, v3);
    let v307 = min(v303, v3);
    let v308 = min(v304, v3);
    let v309 = min(v305, v3);
    let v310 = (v306 * p.a8_width);
    let v311 = (v307 * p.a8_width);
    let v312 = (v308 * p.a8_width);
    let v313 = (v309 * p.a8_width);
    let v314 = (t281 + 8i);
    let v315 = (t281 + 16i);
    let v316 = (t281 + 24i);
    let v317 = (t281 + 32i);
    let v318 = (t281 + 40i);
    let v319 = (t281 + 48i);
    let v320 = (t281 + 56i);
    let v321 = (v2 + t281);
    let v322 = (v2 + v314);
    let v323 = (v2 + v315);
    let v324 = (v2 + v316);
    let v325 = (v2 + v317);
    let v326 = (v2 + v318);
    let v327 = (v2 + v319);
    let v328 = (v2 + v320);
    let v329 = min(v321, v4);
    let v330 = min(v322, v4);
    let v331 = min(v323, v4);
    let v332 = min(v324, v4);
    let v333 = min(v325, v4);
    let v334 = min(v326, v4);
    let v335 = min(v327, v4);
    let v336 = min(v328, v4);
    let v337 = (p.a9_at + v329);
    let v338 = (p.a9_at + v330);
    let v339 = (p.a9_at + v331);
    let v340 = (p.a9_at + v332);
    let v341 = (p.a9_at + v333);
    let v342 = (p.a9_at + v334);
    let v343 = (p.a9_at + v335);
    let v344 = (p.a9_at + v336);
    let v345 = (v310 + v337);
    let v346 = (v310 + v338);
    let v347 = (v310 + v339);
    let v348 = (v310 + v340);
    let v349 = (v310 + v341);
    let v350 = (v310 + v342);
    let v351 = (v310 + v343);
    let v352 = (v310 + v344);
    let v353 = (v311 + v337);
    let v354 = (v311 + v338);
    let v355 = (v311 + v339);
    let v356 = (v311 + v340);
    let v357 = (v311 + v341);
    let v358 = (v311 + v342);
    let v359 = (v311 + v343);
    let v360 = (v311 + v344);
    let v361 = (v312 + v337);
    let v362 = (v312 + v338);
    let v363 = (v312 + v339);
    let v364 = (v312 + v340);
    let v365 = (v312 + v341);
    let v366 = (v312 + v342);
    let v367 = (v312 + v343);
    let v368 = (v312 + v344);
    let v369 = (v313 + v337);
    let v370 = (v313 + v338);
    let v371 = (v313 + v339);
    let v372 = (v313 + v340);
    let v373 = (v313 + v341);
    let v374 = (v313 + v342);
    let v375 = (v313 + v343);
    let v376 = (v313 + v344);
    let v377 = (v302 < p.a4_m);
    let v378 = (v303 < p.a4_m);
    let v379 = (v304 < p.a4_m);
    let v380 = (v305 < p.a4_m);
    let v381 = (v321 < p.a5_n);
    let v382 = (v322 < p.a5_n);
    let v383 = (v323 < p.a5_n);
    let v384 = (v324 < p.a5_n);
    let v385 = (v325 < p.a5_n);
    let v386 = (v326 < p.a5_n);
    let v387 = (v327 < p.a5_n);
    let v388 = (v328 < p.a5_n);
    let v389 = (v377 & v381);
    let v390 = (v377 & v382);
    let v391 = (v377 & v383);
    let v392 = (v377 & v384);
    let v393 = (v377 & v385);
    let v394 = (v377 & v386);
    let v395 = (v377 & v387);
    let v396 = (v377 & v388);
    let v397 = (v378 & v381);
    let v398 = (v378 & v382);
    let v399 = (v378 & v383);
    let v400 = (v378 & v384);
    let v401 = (v378 & v385);
    let v402 = (v378 & v386);
    let v403 = (v378 & v387);
    let v404 = (v378 & v388);
    let v405 = (v379 & v381);
    let v406 = (v379 & v382);
    let v407 = (v379 & v383);
    let v408 = (v379 & v384);
    let v409 = (v379 & v385);
    let v410 = (v379 & v386);
    let v411 = (v379 & v387);
    let v412 = (v379 & v388);
    let v413 = (v380 & v381);
    let v414 = (v380 & v382);
    let v415 = (v380 & v383);
    let v416 = (v380 & v384);
    let v417 = (v380 & v385);
    let v418 = (v380 & v386);
    let v419 = (v380 & v387);
    let v420 = (v380 & v388);
    if (v389) {
        g_y[v345] = m5;
    }
    if (v390) {
        g_y[v346] = m6;
    }
    if (v391) {
        g_y[v347] = m7;
    }
    if (v392) {
        g_y[v348] = m8;
    }
    if (v393) {
        g_y[v349] = m9;
    }
    if (v394) {
        g_y[v350] = m10;
    }
    if (v395) {
        g_y[v351] = m11;
    }
    if (v396) {
        g_y[v352] = m12;
    }
    if (v397) {
        g_y[v353] = m13;
    }
    if (v398) {
        g_y[v354] = m14;
    }
    if (v399) {
        g_y[v355] = m15;
    }
    if (v400) {
        g_y[v356] = m16;
    }
    if (v401) {
        g_y[v357] = m17;
    }
    if (v402) {
        g_y[v358] = m18;
    }
    if (v403) {
        g_y[v359] = m19;
    }
    if (v404) {
        g_y[v360] = m20;
    }
    if (v405) {
        g_y[v361] = m21;
    }
    if (v406) {
        g_y[v362] = m22;
    }
    if (v407) {
        g_y[v363] = m23;
    }
    if (v408) {
        g_y[v364] = m24;
    }
    if (v409) {
        g_y[v365] = m25;
    }
    if (v410) {
        g_y[v366] = m26;
    }
    if (v411) {
        g_y[v367] = m27;
    }
    if (v412) {
        g_y[v368] = m28;
    }
    if (v413) {
        g_y[v369] = m29;
    }
    if (v414) {
        g_y[v370] = m30;
    }
    if (v415) {
        g_y[v371] = m31;
    }
    if (v416) {
        g_y[v372] = m32;
    }
    if (v417) {
        g_y[v373] = m33;
    }
    if (v418) {
        g_y[v374] = m34;
    }
    if (v419) {
        g_y[v375] = m35;
    }
    if (v420) {
        g_y[v376] = m36;
    }
}
