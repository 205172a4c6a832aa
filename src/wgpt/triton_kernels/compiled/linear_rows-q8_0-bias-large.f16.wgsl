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
@group(0) @binding(4) var<storage, read> g_b: array<f32>;
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
    let t264 = (lane >> 3u);
    let t265 = (lane & 7i);
    let t304 = (lane & 120i) == 0i;
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
        var m232: f32 = m5;
        var m233: f32 = m6;
        var m234: f32 = m7;
        var m235: f32 = m8;
        var m236: f32 = m9;
        var m237: f32 = m10;
        var m238: f32 = m11;
        var m239: f32 = m12;
        var m240: f32 = m13;
        var m241: f32 = m14;
        var m242: f32 = m15;
        var m243: f32 = m16;
        var m244: f32 = m17;
        var m245: f32 = m18;
        var m246: f32 = m19;
        var m247: f32 = m20;
        var m248: f32 = m21;
        var m249: f32 = m22;
        var m250: f32 = m23;
        var m251: f32 = m24;
        var m252: f32 = m25;
        var m253: f32 = m26;
        var m254: f32 = m27;
        var m255: f32 = m28;
        var m256: f32 = m29;
        var m257: f32 = m30;
        var m258: f32 = m31;
        var m259: f32 = m32;
        var m260: f32 = m33;
        var m261: f32 = m34;
        var m262: f32 = m35;
        var m263: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t71 * 65i) + t39) + 1040i)] = bitcast<u32>(v224);
        pool[(((t71 * 65i) + (t39 + 8i)) + 1040i)] = bitcast<u32>(v225);
        pool[(((t71 * 65i) + (t39 + 16i)) + 1040i)] = bitcast<u32>(v226);
        pool[(((t71 * 65i) + (t39 + 24i)) + 1040i)] = bitcast<u32>(v227);
        pool[(((t71 * 65i) + (t39 + 32i)) + 1040i)] = bitcast<u32>(v228);
        pool[(((t71 * 65i) + (t39 + 40i)) + 1040i)] = bitcast<u32>(v229);
        pool[(((t71 * 65i) + (t39 + 48i)) + 1040i)] = bitcast<u32>(v230);
        pool[(((t71 * 65i) + (t39 + 56i)) + 1040i)] = bitcast<u32>(v231);
        workgroupBarrier();
        for (var k266 = 0i; k266 < 16i; k266 = k266 + 1i) {
            let v267 = (t264 + ((((0i * 16i) + k266)) * 65i));
            let v268 = ((t265 + 1040i) + ((((0i * 16i) + k266)) * 65i));
            let v269 = bitcast<f32>(pool[v267]);
            let v270 = bitcast<f32>(pool[v268]);
            let v271 = bitcast<f32>(pool[(v268 + 8i)]);
            let v272 = bitcast<f32>(pool[(v268 + 16i)]);
            let v273 = bitcast<f32>(pool[(v268 + 24i)]);
            let v274 = bitcast<f32>(pool[(v268 + 32i)]);
            let v275 = bitcast<f32>(pool[(v268 + 40i)]);
            let v276 = bitcast<f32>(pool[(v268 + 48i)]);
            let v277 = bitcast<f32>(pool[(v268 + 56i)]);
            let v278 = bitcast<f32>(pool[(v267 + 16i)]);
            let v279 = bitcast<f32>(pool[(v267 + 32i)]);
            let v280 = bitcast<f32>(pool[(v267 + 48i)]);
            m232 = fma(v269, v270, m232);
            m233 = fma(v269, v271, m233);
            m234 = fma(v269, v272, m234);
            m235 = fma(v269, v273, m235);
            m236 = fma(v269, v274, m236);
            m237 = fma(v269, v275, m237);
            m238 = fma(v269, v276, m238);
            m239 = fma(v269, v277, m239);
            m240 = fma(v278, v270, m240);
            m241 = fma(v278, v271, m241);
            m242 = fma(v278, v272, m242);
            m243 = fma(v278, v273, m243);
            m244 = fma(v278, v274, m244);
            m245 = fma(v278, v275, m245);
            m246 = fma(v278, v276, m246);
            m247 = fma(v278, v277, m247);
            m248 = fma(v279, v270, m248);
            m249 = fma(v279, v271, m249);
            m250 = fma(v279, v272, m250);
            m251 = fma(v279, v273, m251);
            m252 = fma(v279, v274, m252);
            m253 = fma(v279, v275, m253);
            m254 = fma(v279, v276, m254);
            m255 = fma(v279, v277, m255);
            m256 = fma(v280, v270, m256);
            m257 = fma(v280, v271, m257);
            m258 = fma(v280, v272, m258);
            m259 = fma(v280, v273, m259);
            m260 = fma(v280, v274, m260);
            m261 = fma(v280, v275, m261);
            m262 = fma(v280, v276, m262);
            m263 = fma(v280, v277, m263);
        }
        m5 = m232;
        m6 = m233;
        m7 = m234;
        m8 = m235;
        m9 = m236;
        m10 = m237;
        m11 = m238;
        m12 = m239;
        m13 = m240;
        m14 = m241;
        m15 = m242;
        m16 = m243;
        m17 = m244;
        m18 = m245;
        m19 = m246;
        m20 = m247;
        m21 = m248;
        m22 = m249;
        m23 = m250;
        m24 = m251;
        m25 = m252;
        m26 = m253;
        m27 = m254;
        m28 = m255;
        m29 = m256;
        m30 = m257;
        m31 = m258;
        m32 = m259;
        m33 = m260;
        m34 = m261;
        m35 = m262;
        m36 = m263;
    }
    let v281 = (t265 + 8i);
    let v282 = (t265 + 16i);
    let v283 = (t265 + 24i);
    let v284 = (t265 + 32i);
    let v285 = (t265 + 40i);
    let v286 = (t265 + 48i);
    let v287 = (t265 + 56i);
    let v288 = (v2 + t265);
    let v289 = (v2 + v281);
    let v290 = (v2 + v282);
    let v291 = (v2 + v283);
    let v292 = (v2 + v284);
    let v293 = (v2 + v285);
    let v294 = (v2 + v286);
    let v295 = (v2 + v287);
    let v296 = min(v288, v4);
    let v297 = min(v289, v4);
    let v298 = min(v290, v4);
    let v299 = min(v291, v4);
    let v300 = min(v292, v4);
    let v301 = min(v293, v4);
    let v302 = min(v294, v4);
    let v303 = min(v295, v4);
    let x305 = g_b[v296];
    let x306 = g_b[v297];
    let x307 = g_b[v298];
    let x308 = g_b[v299];
    let x309 = g_b[v300];
    let x310 = g_b[v301];
    let x311 = g_b[v302];
    let x312 = g_b[v303];
    let v313 = (m5 + x305);
    let v314 = (m6 + x306);
    let v315 = (m7 + x307);
    let v316 = (m8 + x308);
    let v317 = (m9 + x309);
    let v318 = (m10 + x310);
    let v319 = (m11 + x311);
    let v320 = (m12 + x312);
    let v321 = (m13 + x305);
    let v322 = (m14 + x306);
    let v323 = (m15 + x307);
    let v324 = (m16 + x308);
    let v325 = (m17 + x309);
    let v326 = (m18 + x310);
    let v327 = (m19 + x311);
    let v328 = (m20 + x312);
    let v329 = (m21 + x305);
    let v330 = (m22 + x306);
    let v331 = (m23 + x307);
    let v332 = (m24 + x308);
    let v333 = (m25 + x309);
    let v334 = (m26 + x310);
    let v335 = (m27 + x311);
    let v336 = (m28 + x312);
    let v337 = (m29 + x305);
    let v338 = (m30 + x306);
    let v339 = (m31 + x307);
    let v340 = (m32 + x308);
    let v341 = (m33 + x309);
    let v342 = (m34 + x310);
    let v343 = (m35 + x311);
    let v344 = (m36 + x312);
    let v345 = (t264 + 16i);
    let v346 = (t264 + 32i);
    let v347 = (t264 + 48i);
    let v348 = (v1 + t264);
    let v349 = (v1 + v345);
    let v350 = (v1 + v346);
    let v351 = (v1 + v347);
    let v352 = min(v348, v3);
    let v353 = min(v349, v3);
    let v354 = min(v350, v3);
    let v355 = min(v351, v3);
    let v356 = (v352 * p.a9_width);
    let v357 = (v353 * p.a9_width);
    let v358 = (v354 * p.a9_width);
    let v359 = (v355 * p.a9_width);
    let v360 = (p.a10_at + v296);
    let v361 = (p.a10_at + v297);
    let v362 = (p.a10_at + v298);
    let v363 = (p.a10_at + v299);
    let v364 = (p.a10_at + v300);
    let v365 = (p.a10_at + v301);
    let v366 = (p.a10_at + v302);
    let v367 = (p.a10_at + v303);
    let v368 = (v356 + v360);
    let v369 = (v356 + v361);
    let v370 = (v356 + v362);
    let v371 = (v356 + v363);
    let v372 = (v356 + v364);
    let v373 = (v356 + v365);
    let v374 = (v356 + v366);
    let v375 = (v356 + v367);
    let v376 = (v357 + v360);
    let v377 = (v357 + v361);
    let v378 = (v357 + v362);
    let v379 = (v357 + v363);
    let v380 = (v357 + v364);
    let v381 = (v357 + v365);
    let v382 = (v357 + v366);
    let v383 = (v357 + v367);
    let v384 = (v358 + v360);
    let v385 = (v358 + v361);
    let v386 = (v358 + v362);
    let v387 = (v358 + v363);
    let v388 = (v358 + v364);
    let v389 = (v358 + v365);
    let v390 = (v358 + v366);
    let v391 = (v358 + v367);
    let v392 = (v359 + v360);
    let v393 = (v359 + v361);
    let v394 = (v359 + v362);
    let v395 = (v359 + v363);
    let v396 = (v359 + v364);
    let v397 = (v359 + v365);
    let v398 = (v359 + v366);
    let v399 = (v359 + v367);
    let v400 = (v348 < p.a5_m);
    let v401 = (v349 < p.a5_m);
    let v402 = (v350 < p.a5_m);
    let v403 = (v351 < p.a5_m);
    let v404 = (v288 < p.a6_n);
    let v405 = (v289 < p.a6_n);
    let v406 = (v290 < p.a6_n);
    let v407 = (v291 < p.a6_n);
    let v408 = (v292 < p.a6_n);
    let v409 = (v293 < p.a6_n);
    let v410 = (v294 < p.a6_n);
    let v411 = (v295 < p.a6_n);
    let v412 = (v400 & v404);
    let v413 = (v400 & v405);
    let v414 = (v400 & v406);
    let v415 = (v400 & v407);
    let v416 = (v400 & v408);
    let v417 = (v400 & v409);
    let v418 = (v400 & v410);
    let v419 = (v400 & v411);
    let v420 = (v401 & v404);
    let v421 = (v401 & v405);
    let v422 = (v401 & v406);
    let v423 = (v401 & v407);
    let v424 = (v401 & v408);
    let v425 = (v401 & v409);
    let v426 = (v401 & v410);
    let v427 = (v401 & v411);
    let v428 = (v402 & v404);
    let v429 = (v402 & v405);
    let v430 = (v402 & v406);
    let v431 = (v402 & v407);
    let v432 = (v402 & v408);
    let v433 = (v402 & v409);
    let v434 = (v402 & v410);
    let v435 = (v402 & v411);
    let v436 = (v403 & v404);
    let v437 = (v403 & v405);
    let v438 = (v403 & v406);
    let v439 = (v403 & v407);
    let v440 = (v403 & v408);
    let v441 = (v403 & v409);
    let v442 = (v403 & v410);
    let v443 = (v403 & v411);
    if (v412) {
        g_y[v368] = v313;
    }
    if (v413) {
        g_y[v369] = v314;
    }
    if (v414) {
        g_y[v370] = v315;
    }
    if (v415) {
        g_y[v371] = v316;
    }
    if (v416) {
        g_y[v372] = v317;
    }
    if (v417) {
        g_y[v373] = v318;
    }
    if (v418) {
        g_y[v374] = v319;
    }
    if (v419) {
        g_y[v375] = v320;
    }
    if (v420) {
        g_y[v376] = v321;
    }
    if (v421) {
        g_y[v377] = v322;
    }
    if (v422) {
        g_y[v378] = v323;
    }
    if (v423) {
        g_y[v379] = v324;
    }
    if (v424) {
        g_y[v380] = v325;
    }
    if (v425) {
        g_y[v381] = v326;
    }
    if (v426) {
        g_y[v382] = v327;
    }
    if (v427) {
        g_y[v383] = v328;
    }
    if (v428) {
        g_y[v384] = v329;
    }
    if (v429) {
        g_y[v385] = v330;
    }
    if (v430) {
        g_y[v386] = v331;
    }
    if (v431) {
        g_y[v387] = v332;
    }
    if (v432) {
        g_y[v388] = v333;
    }
    if (v433) {
        g_y[v389] = v334;
    }
    if (v434) {
        g_y[v390] = v335;
    }
    if (v435) {
        g_y[v391] = v336;
    }
    if (v436) {
        g_y[v392] = v337;
    }
    if (v437) {
        g_y[v393] = v338;
    }
    if (v438) {
        g_y[v394] = v339;
    }
    if (v439) {
        g_y[v395] = v340;
    }
    if (v440) {
        g_y[v396] = v341;
    }
    if (v441) {
        g_y[v397] = v342;
    }
    if (v442) {
        g_y[v398] = v343;
    }
    if (v443) {
        g_y[v399] = v344;
    }
}
