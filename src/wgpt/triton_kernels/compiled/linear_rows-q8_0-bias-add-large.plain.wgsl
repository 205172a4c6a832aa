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
@group(0) @binding(3) var<storage, read> g_s: array<u32>;
@group(0) @binding(4) var<storage, read> g_b: array<f32>;
@group(0) @binding(5) var<storage, read> g_r: array<f32>;
@group(0) @binding(6) var<storage, read_write> g_y: array<f32>;
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
    let t232 = (lane >> 6u) | ((lane & 63i) << 4u);
    let t280 = (lane >> 3u);
    let t281 = (lane & 7i);
    let t282 = (lane & 63i);
    let t283 = (lane >> 6u);
    let t322 = (lane & 120i) == 0i;
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
        let v166 = (p.a9_line / 8i);
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
        let x184 = from_half(extractBits(g_s[(v176 >> 1u)], u32(v176 & 1i) * 16u, 16u));
        let x185 = from_half(extractBits(g_s[(v177 >> 1u)], u32(v177 & 1i) * 16u, 16u));
        let x186 = from_half(extractBits(g_s[(v178 >> 1u)], u32(v178 & 1i) * 16u, 16u));
        let x187 = from_half(extractBits(g_s[(v179 >> 1u)], u32(v179 & 1i) * 16u, 16u));
        let x188 = from_half(extractBits(g_s[(v180 >> 1u)], u32(v180 & 1i) * 16u, 16u));
        let x189 = from_half(extractBits(g_s[(v181 >> 1u)], u32(v181 & 1i) * 16u, 16u));
        let x190 = from_half(extractBits(g_s[(v182 >> 1u)], u32(v182 & 1i) * 16u, 16u));
        let x191 = from_half(extractBits(g_s[(v183 >> 1u)], u32(v183 & 1i) * 16u, 16u));
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
    let v299 = (t281 + 8i);
    let v300 = (t281 + 16i);
    let v301 = (t281 + 24i);
    let v302 = (t281 + 32i);
    let v303 = (t281 + 40i);
    let v304 = (t281 + 48i);
    let v305 = (t281 + 56i);
    let v306 = (v2 + t281);
    let v307 = (v2 + v299);
    let v308 = (v2 + v300);
    let v309 = (v2 + v301);
    let v310 = (v2 + v302);
    let v311 = (v2 + v303);
    let v312 = (v2 + v304);
    let v313 = (v2 + v305);
    let v314 = min(v306, v4);
    let v315 = min(v307, v4);
    let v316 = min(v308, v4);
    let v317 = min(v309, v4);
    let v318 = min(v310, v4);
    let v319 = min(v311, v4);
    let v320 = min(v312, v4);
    let v321 = min(v313, v4);
    let x323 = g_b[v314];
    let x324 = g_b[v315];
    let x325 = g_b[v316];
    let x326 = g_b[v317];
    let x327 = g_b[v318];
    let x328 = g_b[v319];
    let x329 = g_b[v320];
    let x330 = g_b[v321];
    let v331 = (m5 + x323);
    let v332 = (m6 + x324);
    let v333 = (m7 + x325);
    let v334 = (m8 + x326);
    let v335 = (m9 + x327);
    let v336 = (m10 + x328);
    let v337 = (m11 + x329);
    let v338 = (m12 + x330);
    let v339 = (m13 + x323);
    let v340 = (m14 + x324);
    let v341 = (m15 + x325);
    let v342 = (m16 + x326);
    let v343 = (m17 + x327);
    let v344 = (m18 + x328);
    let v345 = (m19 + x329);
    let v346 = (m20 + x330);
    let v347 = (m21 + x323);
    let v348 = (m22 + x324);
    let v349 = (m23 + x325);
    let v350 = (m24 + x326);
    let v351 = (m25 + x327);
    let v352 = (m26 + x328);
    let v353 = (m27 + x329);
    let v354 = (m28 + x330);
    let v355 = (m29 + x323);
    let v356 = (m30 + x324);
    let v357 = (m31 + x325);
    let v358 = (m32 + x326);
    let v359 = (m33 + x327);
    let v360 = (m34 + x328);
    let v361 = (m35 + x329);
    let v362 = (m36 + x330);
    let v363 = (t280 + 16i);
    let v364 = (t280 + 32i);
    let v365 = (t280 + 48i);
    let v366 = (v1 + t280);
    let v367 = (v1 + v363);
    let v368 = (v1 + v364);
    let v369 = (v1 + v365);
    let v370 = min(v366, v3);
    let v371 = min(v367, v3);
    let v372 = min(v368, v3);
    let v373 = min(v369, v3);
    let v374 = (v370 * p.a10_width);
    let v375 = (v371 * p.a10_width);
    let v376 = (v372 * p.a10_width);
    let v377 = (v373 * p.a10_width);
    let v378 = (p.a11_at + v314);
    let v379 = (p.a11_at + v315);
    let v380 = (p.a11_at + v316);
    let v381 = (p.a11_at + v317);
    let v382 = (p.a11_at + v318);
    let v383 = (p.a11_at + v319);
    let v384 = (p.a11_at + v320);
    let v385 = (p.a11_at + v321);
    let v386 = (v374 + v378);
    let v387 = (v374 + v379);
    let v388 = (v374 + v380);
    let v389 = (v374 + v381);
    let v390 = (v374 + v382);
    let v391 = (v374 + v383);
    let v392 = (v374 + v384);
    let v393 = (v374 + v385);
    let v394 = (v375 + v378);
    let v395 = (v375 + v379);
    let v396 = (v375 + v380);
    let v397 = (v375 + v381);
    let v398 = (v375 + v382);
    let v399 = (v375 + v383);
    let v400 = (v375 + v384);
    let v401 = (v375 + v385);
    let v402 = (v376 + v378);
    let v403 = (v376 + v379);
    let v404 = (v376 + v380);
    let v405 = (v376 + v381);
    let v406 = (v376 + v382);
    let v407 = (v376 + v383);
    let v408 = (v376 + v384);
    let v409 = (v376 + v385);
    let v410 = (v377 + v378);
    let v411 = (v377 + v379);
    let v412 = (v377 + v380);
    let v413 = (v377 + v381);
    let v414 = (v377 + v382);
    let v415 = (v377 + v383);
    let v416 = (v377 + v384);
    let v417 = (v377 + v385);
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
    let x446 = g_r[v414];
    let x447 = g_r[v415];
    let x448 = g_r[v416];
    let x449 = g_r[v417];
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
    let v478 = (v359 + x446);
    let v479 = (v360 + x447);
    let v480 = (v361 + x448);
    let v481 = (v362 + x449);
    let v482 = (v366 < p.a6_m);
    let v483 = (v367 < p.a6_m);
    let v484 = (v368 < p.a6_m);
    let v485 = (v369 < p.a6_m);
    let v486 = (v306 < p.a7_n);
    let v487 = (v307 < p.a7_n);
    let v488 = (v308 < p.a7_n);
    let v489 = (v309 < p.a7_n);
    let v490 = (v310 < p.a7_n);
    let v491 = (v311 < p.a7_n);
    let v492 = (v312 < p.a7_n);
    let v493 = (v313 < p.a7_n);
    let v494 = (v482 & v486);
    let v495 = (v482 & v487);
    let v496 = (v482 & v488);
    let v497 = (v482 & v489);
    let v498 = (v482 & v490);
    let v499 = (v482 & v491);
    let v500 = (v482 & v492);
    let v501 = (v482 & v493);
    let v502 = (v483 & v486);
    let v503 = (v483 & v487);
    let v504 = (v483 & v488);
    let v505 = (v483 & v489);
    let v506 = (v483 & v490);
    let v507 = (v483 & v491);
    let v508 = (v483 & v492);
    let v509 = (v483 & v493);
    let v510 = (v484 & v486);
    let v511 = (v484 & v487);
    let v512 = (v484 & v488);
    let v513 = (v484 & v489);
    let v514 = (v484 & v490);
    let v515 = (v484 & v491);
    let v516 = (v484 & v492);
    let v517 = (v484 & v493);
    let v518 = (v485 & v486);
    let v519 = (v485 & v487);
    let v520 = (v485 & v488);
    let v521 = (v485 & v489);
    let v522 = (v485 & v490);
    let v523 = (v485 & v491);
    let v524 = (v485 & v492);
    let v525 = (v485 & v493);
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
    if (v522) {
        g_y[v414] = v478;
    }
    if (v523) {
        g_y[v415] = v479;
    }
    if (v524) {
        g_y[v416] = v480;
    }
    if (v525) {
        g_y[v417] = v481;
    }
}
