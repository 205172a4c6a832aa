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
    let t232 = (lane >> 6u) | ((lane & 63i) << 4u);
    let t280 = (lane >> 3u);
    let t281 = (lane & 7i);
    let t282 = (lane & 63i);
    let t283 = (lane >> 6u);
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
        let v166 = (p.a8_line / 8i);
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
    let v310 = (v306 * p.a9_width);
    let v311 = (v307 * p.a9_width);
    let v312 = (v308 * p.a9_width);
    let v313 = (v309 * p.a9_width);
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
    let v337 = (p.a10_at + v329);
    let v338 = (p.a10_at + v330);
    let v339 = (p.a10_at + v331);
    let v340 = (p.a10_at + v332);
    let v341 = (p.a10_at + v333);
    let v342 = (p.a10_at + v334);
    let v343 = (p.a10_at + v335);
    let v344 = (p.a10_at + v336);
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
    let v409 = (m5 + x377);
    let v410 = (m6 + x378);
    let v411 = (m7 + x379);
    let v412 = (m8 + x380);
    let v413 = (m9 + x381);
    let v414 = (m10 + x382);
    let v415 = (m11 + x383);
    let v416 = (m12 + x384);
    let v417 = (m13 + x385);
    let v418 = (m14 + x386);
    let v419 = (m15 + x387);
    let v420 = (m16 + x388);
    let v421 = (m17 + x389);
    let v422 = (m18 + x390);
    let v423 = (m19 + x391);
    let v424 = (m20 + x392);
    let v425 = (m21 + x393);
    let v426 = (m22 + x394);
    let v427 = (m23 + x395);
    let v428 = (m24 + x396);
    let v429 = (m25 + x397);
    let v430 = (m26 + x398);
    let v431 = (m27 + x399);
    let v432 = (m28 + x400);
    let v433 = (m29 + x401);
    let v434 = (m30 + x402);
    let v435 = (m31 + x403);
    let v436 = (m32 + x404);
    let v437 = (m33 + x405);
    let v438 = (m34 + x406);
    let v439 = (m35 + x407);
    let v440 = (m36 + x408);
    let v441 = (v302 < p.a5_m);
    let v442 = (v303 < p.a5_m);
    let v443 = (v304 < p.a5_m);
    let v444 = (v305 < p.a5_m);
    let v445 = (v321 < p.a6_n);
    let v446 = (v322 < p.a6_n);
    let v447 = (v323 < p.a6_n);
    let v448 = (v324 < p.a6_n);
    let v449 = (v325 < p.a6_n);
    let v450 = (v326 < p.a6_n);
    let v451 = (v327 < p.a6_n);
    let v452 = (v328 < p.a6_n);
    let v453 = (v441 & v445);
    let v454 = (v441 & v446);
    let v455 = (v441 & v447);
    let v456 = (v441 & v448);
    let v457 = (v441 & v449);
    let v458 = (v441 & v450);
    let v459 = (v441 & v451);
    let v460 = (v441 & v452);
    let v461 = (v442 & v445);
    let v462 = (v442 & v446);
    let v463 = (v442 & v447);
    let v464 = (v442 & v448);
    let v465 = (v442 & v449);
    let v466 = (v442 & v450);
    let v467 = (v442 & v451);
    let v468 = (v442 & v452);
    let v469 = (v443 & v445);
    let v470 = (v443 & v446);
    let v471 = (v443 & v447);
    let v472 = (v443 & v448);
    let v473 = (v443 & v449);
    let v474 = (v443 & v450);
    let v475 = (v443 & v451);
    let v476 = (v443 & v452);
    let v477 = (v444 & v445);
    let v478 = (v444 & v446);
    let v479 = (v444 & v447);
    let v480 = (v444 & v448);
    let v481 = (v444 & v449);
    let v482 = (v444 & v450);
    let v483 = (v444 & v451);
    let v484 = (v444 & v452);
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
}
