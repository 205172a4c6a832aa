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
@group(0) @binding(3) var<storage, read> g_s: array<u32>;
@group(0) @binding(4) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 2080>;
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
    let t264 = (lane >> 3u);
    let t265 = (lane & 7i);
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
    let v281 = (t264 + 16i);
    let v282 = (t264 + 32i);
    let v283 = (t264 + 48i);
    let v284 = (v1 + t264);
    let v285 = (v1 + v281);
    let v286 = (v1 + v282);
    let v287 = (v1 + v283);
    let v288 = min(v284, v3);
    let v289 = min(v285, v3);
    let v290 = min(v286, v3);
    let v291 = min(v287, v3);
    let v292 = (v288 * p.a8_width);
    let v293 = (v289 * p.a8_width);
    let v294 = (v290 * p.a8_width);
    let v295 = (v291 * p.a8_width);
    let v296 = (t265 + 8i);
    let v297 = (t265 + 16i);
    let v298 = (t265 + 24i);
    let v299 = (t265 + 32i);
    let v300 = (t265 + 40i);
    let v301 = (t265 + 48i);
    let v302 = (t265 + 56i);
    let v303 = (v2 + t265);
    let v304 = (v2 + v296);
    let v305 = (v2 + v297);
    let v306 = (v2 + v298);
    let v307 = (v2 + v299);
    let v308 = (v2 + v300);
    let v309 = (v2 + v301);
    let v310 = (v2 + v302);
    let v311 = min(v303, v4);
    let v312 = min(v304, v4);
    let v313 = min(v305, v4);
    let v314 = min(v306, v4);
    let v315 = min(v307, v4);
    let v316 = min(v308, v4);
    let v317 = min(v309, v4);
    let v318 = min(v310, v4);
    let v319 = (p.a9_at + v311);
    let v320 = (p.a9_at + v312);
    let v321 = (p.a9_at + v313);
    let v322 = (p.a9_at + v314);
    let v323 = (p.a9_at + v315);
    let v324 = (p.a9_at + v316);
    let v325 = (p.a9_at + v317);
    let v326 = (p.a9_at + v318);
    let v327 = (v292 + v319);
    let v328 = (v292 + v320);
    let v329 = (v292 + v321);
    let v330 = (v292 + v322);
    let v331 = (v292 + v323);
    let v332 = (v292 + v324);
    let v333 = (v292 + v325);
    let v334 = (v292 + v326);
    let v335 = (v293 + v319);
    let v336 = (v293 + v320);
    let v337 = (v293 + v321);
    let v338 = (v293 + v322);
    let v339 = (v293 + v323);
    let v340 = (v293 + v324);
    let v341 = (v293 + v325);
    let v342 = (v293 + v326);
    let v343 = (v294 + v319);
    let v344 = (v294 + v320);
    let v345 = (v294 + v321);
    let v346 = (v294 + v322);
    let v347 = (v294 + v323);
    let v348 = (v294 + v324);
    let v349 = (v294 + v325);
    let v350 = (v294 + v326);
    let v351 = (v295 + v319);
    let v352 = (v295 + v320);
    let v353 = (v295 + v321);
    let v354 = (v295 + v322);
    let v355 = (v295 + v323);
    let v356 = (v295 + v324);
    let v357 = (v295 + v325);
    let v358 = (v295 + v326);
    let v359 = (v284 < p.a4_m);
    let v360 = (v285 < p.a4_m);
    let v361 = (v286 < p.a4_m);
    let v362 = (v287 < p.a4_m);
    let v363 = (v303 < p.a5_n);
    let v364 = (v304 < p.a5_n);
    let v365 = (v305 < p.a5_n);
    let v366 = (v306 < p.a5_n);
    let v367 = (v307 < p.a5_n);
    let v368 = (v308 < p.a5_n);
    let v369 = (v309 < p.a5_n);
    let v370 = (v310 < p.a5_n);
    let v371 = (v359 & v363);
    let v372 = (v359 & v364);
    let v373 = (v359 & v365);
    let v374 = (v359 & v366);
    let v375 = (v359 & v367);
    let v376 = (v359 & v368);
    let v377 = (v359 & v369);
    let v378 = (v359 & v370);
    let v379 = (v360 & v363);
    let v380 = (v360 & v364);
    let v381 = (v360 & v365);
    let v382 = (v360 & v366);
    let v383 = (v360 & v367);
    let v384 = (v360 & v368);
    let v385 = (v360 & v369);
    let v386 = (v360 & v370);
    let v387 = (v361 & v363);
    let v388 = (v361 & v364);
    let v389 = (v361 & v365);
    let v390 = (v361 & v366);
    let v391 = (v361 & v367);
    let v392 = (v361 & v368);
    let v393 = (v361 & v369);
    let v394 = (v361 & v370);
    let v395 = (v362 & v363);
    let v396 = (v362 & v364);
    let v397 = (v362 & v365);
    let v398 = (v362 & v366);
    let v399 = (v362 & v367);
    let v400 = (v362 & v368);
    let v401 = (v362 & v369);
    let v402 = (v362 & v370);
    if (v371) {
        g_y[v327] = m5;
    }
    if (v372) {
        g_y[v328] = m6;
    }
    if (v373) {
        g_y[v329] = m7;
    }
    if (v374) {
        g_y[v330] = m8;
    }
    if (v375) {
        g_y[v331] = m9;
    }
    if (v376) {
        g_y[v332] = m10;
    }
    if (v377) {
        g_y[v333] = m11;
    }
    if (v378) {
        g_y[v334] = m12;
    }
    if (v379) {
        g_y[v335] = m13;
    }
    if (v380) {
        g_y[v336] = m14;
    }
    if (v381) {
        g_y[v337] = m15;
    }
    if (v382) {
        g_y[v338] = m16;
    }
    if (v383) {
        g_y[v339] = m17;
    }
    if (v384) {
        g_y[v340] = m18;
    }
    if (v385) {
        g_y[v341] = m19;
    }
    if (v386) {
        g_y[v342] = m20;
    }
    if (v387) {
        g_y[v343] = m21;
    }
    if (v388) {
        g_y[v344] = m22;
    }
    if (v389) {
        g_y[v345] = m23;
    }
    if (v390) {
        g_y[v346] = m24;
    }
    if (v391) {
        g_y[v347] = m25;
    }
    if (v392) {
        g_y[v348] = m26;
    }
    if (v393) {
        g_y[v349] = m27;
    }
    if (v394) {
        g_y[v350] = m28;
    }
    if (v395) {
        g_y[v351] = m29;
    }
    if (v396) {
        g_y[v352] = m30;
    }
    if (v397) {
        g_y[v353] = m31;
    }
    if (v398) {
        g_y[v354] = m32;
    }
    if (v399) {
        g_y[v355] = m33;
    }
    if (v400) {
        g_y[v356] = m34;
    }
    if (v401) {
        g_y[v357] = m35;
    }
    if (v402) {
        g_y[v358] = m36;
    }
}
