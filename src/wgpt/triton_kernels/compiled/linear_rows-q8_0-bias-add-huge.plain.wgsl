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

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t71 = (lane >> 4u);
    let t103 = (lane & 15i);
    let t328 = ((lane >> 3u) & 1i);
    let t329 = (lane & 7i);
    let t391 = (lane & 240i) == 0i;
    let v1 = (pid_y * 128i);
    let v2 = (pid_x * 128i);
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
    var m37: f32 = 0.0f;
    var m38: f32 = 0.0f;
    var m39: f32 = 0.0f;
    var m40: f32 = 0.0f;
    var m41: f32 = 0.0f;
    var m42: f32 = 0.0f;
    var m43: f32 = 0.0f;
    var m44: f32 = 0.0f;
    var m45: f32 = 0.0f;
    var m46: f32 = 0.0f;
    var m47: f32 = 0.0f;
    var m48: f32 = 0.0f;
    var m49: f32 = 0.0f;
    var m50: f32 = 0.0f;
    var m51: f32 = 0.0f;
    var m52: f32 = 0.0f;
    var m53: f32 = 0.0f;
    var m54: f32 = 0.0f;
    var m55: f32 = 0.0f;
    var m56: f32 = 0.0f;
    var m57: f32 = 0.0f;
    var m58: f32 = 0.0f;
    var m59: f32 = 0.0f;
    var m60: f32 = 0.0f;
    var m61: f32 = 0.0f;
    var m62: f32 = 0.0f;
    var m63: f32 = 0.0f;
    var m64: f32 = 0.0f;
    var m65: f32 = 0.0f;
    var m66: f32 = 0.0f;
    var m67: f32 = 0.0f;
    var m68: f32 = 0.0f;
    for (var i69: i32 = 0i; (i69 < p.a8_k); i69 = i69 + 16i) {
        let v70 = (p.a8_k - 1i);
        let v72 = (t71 + 16i);
        let v73 = (t71 + 32i);
        let v74 = (t71 + 48i);
        let v75 = (t71 + 64i);
        let v76 = (t71 + 80i);
        let v77 = (t71 + 96i);
        let v78 = (t71 + 112i);
        let v79 = (v1 + t71);
        let v80 = (v1 + v72);
        let v81 = (v1 + v73);
        let v82 = (v1 + v74);
        let v83 = (v1 + v75);
        let v84 = (v1 + v76);
        let v85 = (v1 + v77);
        let v86 = (v1 + v78);
        let v87 = min(v79, v3);
        let v88 = min(v80, v3);
        let v89 = min(v81, v3);
        let v90 = min(v82, v3);
        let v91 = min(v83, v3);
        let v92 = min(v84, v3);
        let v93 = min(v85, v3);
        let v94 = min(v86, v3);
        let v95 = (v87 * p.a8_k);
        let v96 = (v88 * p.a8_k);
        let v97 = (v89 * p.a8_k);
        let v98 = (v90 * p.a8_k);
        let v99 = (v91 * p.a8_k);
        let v100 = (v92 * p.a8_k);
        let v101 = (v93 * p.a8_k);
        let v102 = (v94 * p.a8_k);
        let v104 = (i69 + t103);
        let v105 = min(v104, v70);
        let v106 = (v95 + v105);
        let v107 = (v96 + v105);
        let v108 = (v97 + v105);
        let v109 = (v98 + v105);
        let v110 = (v99 + v105);
        let v111 = (v100 + v105);
        let v112 = (v101 + v105);
        let v113 = (v102 + v105);
        let x114 = g_x[v106];
        let x115 = g_x[v107];
        let x116 = g_x[v108];
        let x117 = g_x[v109];
        let x118 = g_x[v110];
        let x119 = g_x[v111];
        let x120 = g_x[v112];
        let x121 = g_x[v113];
        let v122 = (v104 < p.a8_k);
        let v123 = select(0.0f, x114, v122);
        let v124 = select(0.0f, x115, v122);
        let v125 = select(0.0f, x116, v122);
        let v126 = select(0.0f, x117, v122);
        let v127 = select(0.0f, x118, v122);
        let v128 = select(0.0f, x119, v122);
        let v129 = select(0.0f, x120, v122);
        let v130 = select(0.0f, x121, v122);
        let v131 = (v2 + t71);
        let v132 = (v2 + v72);
        let v133 = (v2 + v73);
        let v134 = (v2 + v74);
        let v135 = (v2 + v75);
        let v136 = (v2 + v76);
        let v137 = (v2 + v77);
        let v138 = (v2 + v78);
        let v139 = min(v131, v4);
        let v140 = min(v132, v4);
        let v141 = min(v133, v4);
        let v142 = min(v134, v4);
        let v143 = min(v135, v4);
        let v144 = min(v136, v4);
        let v145 = min(v137, v4);
        let v146 = min(v138, v4);
        let v147 = (v139 * p.a9_line);
        let v148 = (v140 * p.a9_line);
        let v149 = (v141 * p.a9_line);
        let v150 = (v142 * p.a9_line);
        let v151 = (v143 * p.a9_line);
        let v152 = (v144 * p.a9_line);
        let v153 = (v145 * p.a9_line);
        let v154 = (v146 * p.a9_line);
        let v155 = (v105 / 4i);
        let v156 = (v147 + v155);
        let v157 = (v148 + v155);
        let v158 = (v149 + v155);
        let v159 = (v150 + v155);
        let v160 = (v151 + v155);
        let v161 = (v152 + v155);
        let v162 = (v153 + v155);
        let v163 = (v154 + v155);
        let x164 = g_w[v156];
        let x165 = g_w[v157];
        let x166 = g_w[v158];
        let x167 = g_w[v159];
        let x168 = g_w[v160];
        let x169 = g_w[v161];
        let x170 = g_w[v162];
        let x171 = g_w[v163];
        let v172 = (x164 ^ (-2139062144i));
        let v173 = (x165 ^ (-2139062144i));
        let v174 = (x166 ^ (-2139062144i));
        let v175 = (x167 ^ (-2139062144i));
        let v176 = (x168 ^ (-2139062144i));
        let v177 = (x169 ^ (-2139062144i));
        let v178 = (x170 ^ (-2139062144i));
        let v179 = (x171 ^ (-2139062144i));
        let v180 = (v105 % 4i);
        let v181 = (v180 * 8i);
        let v182 = select(bitcast<i32>(bitcast<u32>(v172) >> (bitcast<u32>(v181) & 31u)), 0i, bitcast<u32>(v181) > 31u);
        let v183 = select(bitcast<i32>(bitcast<u32>(v173) >> (bitcast<u32>(v181) & 31u)), 0i, bitcast<u32>(v181) > 31u);
        let v184 = select(bitcast<i32>(bitcast<u32>(v174) >> (bitcast<u32>(v181) & 31u)), 0i, bitcast<u32>(v181) > 31u);
        let v185 = select(bitcast<i32>(bitcast<u32>(v175) >> (bitcast<u32>(v181) & 31u)), 0i, bitcast<u32>(v181) > 31u);
        let v186 = select(bitcast<i32>(bitcast<u32>(v176) >> (bitcast<u32>(v181) & 31u)), 0i, bitcast<u32>(v181) > 31u);
        let v187 = select(bitcast<i32>(bitcast<u32>(v177) >> (bitcast<u32>(v181) & 31u)), 0i, bitcast<u32>(v181) > 31u);
        let v188 = select(bitcast<i32>(bitcast<u32>(v178) >> (bitcast<u32>(v181) & 31u)), 0i, bitcast<u32>(v181) > 31u);
        let v189 = select(bitcast<i32>(bitcast<u32>(v179) >> (bitcast<u32>(v181) & 31u)), 0i, bitcast<u32>(v181) > 31u);
        let v190 = (v182 & 255i);
        let v191 = (v183 & 255i);
        let v192 = (v184 & 255i);
        let v193 = (v185 & 255i);
        let v194 = (v186 & 255i);
        let v195 = (v187 & 255i);
        let v196 = (v188 & 255i);
        let v197 = (v189 & 255i);
        let v198 = (p.a9_line / 8i);
        let v199 = (v139 * v198);
        let v200 = (v140 * v198);
        let v201 = (v141 * v198);
        let v202 = (v142 * v198);
        let v203 = (v143 * v198);
        let v204 = (v144 * v198);
        let v205 = (v145 * v198);
        let v206 = (v146 * v198);
        let v207 = (v105 / 32i);
        let v208 = (v199 + v207);
        let v209 = (v200 + v207);
        let v210 = (v201 + v207);
        let v211 = (v202 + v207);
        let v212 = (v203 + v207);
        let v213 = (v204 + v207);
        let v214 = (v205 + v207);
        let v215 = (v206 + v207);
        let x216 = from_half(extractBits(g_s[(v208 >> 1u)], u32(v208 & 1i) * 16u, 16u));
        let x217 = from_half(extractBits(g_s[(v209 >> 1u)], u32(v209 & 1i) * 16u, 16u));
        let x218 = from_half(extractBits(g_s[(v210 >> 1u)], u32(v210 & 1i) * 16u, 16u));
        let x219 = from_half(extractBits(g_s[(v211 >> 1u)], u32(v211 & 1i) * 16u, 16u));
        let x220 = from_half(extractBits(g_s[(v212 >> 1u)], u32(v212 & 1i) * 16u, 16u));
        let x221 = from_half(extractBits(g_s[(v213 >> 1u)], u32(v213 & 1i) * 16u, 16u));
        let x222 = from_half(extractBits(g_s[(v214 >> 1u)], u32(v214 & 1i) * 16u, 16u));
        let x223 = from_half(extractBits(g_s[(v215 >> 1u)], u32(v215 & 1i) * 16u, 16u));
        let v224 = (v190 | 1258291200i);
        let v225 = (v191 | 1258291200i);
        let v226 = (v192 | 1258291200i);
        let v227 = (v193 | 1258291200i);
        let v228 = (v194 | 1258291200i);
        let v229 = (v195 | 1258291200i);
        let v230 = (v196 | 1258291200i);
        let v231 = (v197 | 1258291200i);
        let v232 = bitcast<u32>(v224);
        let v233 = bitcast<f32>(v232);
        let v234 = bitcast<u32>(v225);
        let v235 = bitcast<f32>(v234);
        let v236 = bitcast<u32>(v226);
        let v237 = bitcast<f32>(v236);
        let v238 = bitcast<u32>(v227);
        let v239 = bitcast<f32>(v238);
        let v240 = bitcast<u32>(v228);
        let v241 = bitcast<f32>(v240);
        let v242 = bitcast<u32>(v229);
        let v243 = bitcast<f32>(v242);
        let v244 = bitcast<u32>(v230);
        let v245 = bitcast<f32>(v244);
        let v246 = bitcast<u32>(v231);
        let v247 = bitcast<f32>(v246);
        let v248 = (v233 - 8388736.0f);
        let v249 = (v235 - 8388736.0f);
        let v250 = (v237 - 8388736.0f);
        let v251 = (v239 - 8388736.0f);
        let v252 = (v241 - 8388736.0f);
        let v253 = (v243 - 8388736.0f);
        let v254 = (v245 - 8388736.0f);
        let v255 = (v247 - 8388736.0f);
        let v256 = (v248 * x216);
        let v257 = (v249 * x217);
        let v258 = (v250 * x218);
        let v259 = (v251 * x219);
        let v260 = (v252 * x220);
        let v261 = (v253 * x221);
        let v262 = (v254 * x222);
        let v263 = (v255 * x223);
        var m264: f32 = m5;
        var m265: f32 = m6;
        var m266: f32 = m7;
        var m267: f32 = m8;
        var m268: f32 = m9;
        var m269: f32 = m10;
        var m270: f32 = m11;
        var m271: f32 = m12;
        var m272: f32 = m13;
        var m273: f32 = m14;
        var m274: f32 = m15;
        var m275: f32 = m16;
        var m276: f32 = m17;
        var m277: f32 = m18;
        var m278: f32 = m19;
        var m279: f32 = m20;
        var m280: f32 = m21;
        var m281: f32 = m22;
        var m282: f32 = m23;
        var m283: f32 = m24;
        var m284: f32 = m25;
        var m285: f32 = m26;
        var m286: f32 = m27;
        var m287: f32 = m28;
        var m288: f32 = m29;
        var m289: f32 = m30;
        var m290: f32 = m31;
        var m291: f32 = m32;
        var m292: f32 = m33;
        var m293: f32 = m34;
        var m294: f32 = m35;
        var m295: f32 = m36;
        var m296: f32 = m37;
        var m297: f32 = m38;
        var m298: f32 = m39;
        var m299: f32 = m40;
        var m300: f32 = m41;
        var m301: f32 = m42;
        var m302: f32 = m43;
        var m303: f32 = m44;
        var m304: f32 = m45;
        var m305: f32 = m46;
        var m306: f32 = m47;
        var m307: f32 = m48;
        var m308: f32 = m49;
        var m309: f32 = m50;
        var m310: f32 = m51;
        var m311: f32 = m52;
        var m312: f32 = m53;
        var m313: f32 = m54;
        var m314: f32 = m55;
        var m315: f32 = m56;
        var m316: f32 = m57;
        var m317: f32 = m58;
        var m318: f32 = m59;
        var m319: f32 = m60;
        var m320: f32 = m61;
        var m321: f32 = m62;
        var m322: f32 = m63;
        var m323: f32 = m64;
        var m324: f32 = m65;
        var m325: f32 = m66;
        var m326: f32 = m67;
        var m327: f32 = m68;
        workgroupBarrier();
        if (t328 == 0i) {
            pool[((t329 * 129i) + t71)] = bitcast<u32>(v123);
            pool[((t329 * 129i) + (t71 + 16i))] = bitcast<u32>(v124);
            pool[((t329 * 129i) + (t71 + 32i))] = bitcast<u32>(v125);
            pool[((t329 * 129i) + (t71 + 48i))] = bitcast<u32>(v126);
            pool[((t329 * 129i) + (t71 + 64i))] = bitcast<u32>(v127);
            pool[((t329 * 129i) + (t71 + 80i))] = bitcast<u32>(v128);
            pool[((t329 * 129i) + (t71 + 96i))] = bitcast<u32>(v129);
            pool[((t329 * 129i) + (t71 + 112i))] = bitcast<u32>(v130);
        }
        if (t328 == 0i) {
            pool[(((t329 * 129i) + t71) + 1032i)] = bitcast<u32>(v256);
            pool[(((t329 * 129i) + (t71 + 16i)) + 1032i)] = bitcast<u32>(v257);
            pool[(((t329 * 129i) + (t71 + 32i)) + 1032i)] = bitcast<u32>(v258);
            pool[(((t329 * 129i) + (t71 + 48i)) + 1032i)] = bitcast<u32>(v259);
            pool[(((t329 * 129i) + (t71 + 64i)) + 1032i)] = bitcast<u32>(v260);
            pool[(((t329 * 129i) + (t71 + 80i)) + 1032i)] = bitcast<u32>(v261);
            pool[(((t329 * 129i) + (t71 + 96i)) + 1032i)] = bitcast<u32>(v262);
            pool[(((t329 * 129i) + (t71 + 112i)) + 1032i)] = bitcast<u32>(v263);
        }
        workgroupBarrier();
        for (var k330 = 0i; k330 < 8i; k330 = k330 + 1i) {
            let v331 = (t71 + ((((0i * 8i) + k330)) * 129i));
            let v332 = ((t103 + 1032i) + ((((0i * 8i) + k330)) * 129i));
            let v333 = bitcast<f32>(pool[v331]);
            let v334 = bitcast<f32>(pool[v332]);
            let v335 = bitcast<f32>(pool[(v332 + 16i)]);
            let v336 = bitcast<f32>(pool[(v332 + 32i)]);
            let v337 = bitcast<f32>(pool[(v332 + 48i)]);
            let v338 = bitcast<f32>(pool[(v332 + 64i)]);
            let v339 = bitcast<f32>(pool[(v332 + 80i)]);
            let v340 = bitcast<f32>(pool[(v332 + 96i)]);
            let v341 = bitcast<f32>(pool[(v332 + 112i)]);
            let v342 = bitcast<f32>(pool[(v331 + 16i)]);
            let v343 = bitcast<f32>(pool[(v331 + 32i)]);
            let v344 = bitcast<f32>(pool[(v331 + 48i)]);
            let v345 = bitcast<f32>(pool[(v331 + 64i)]);
            let v346 = bitcast<f32>(pool[(v331 + 80i)]);
            let v347 = bitcast<f32>(pool[(v331 + 96i)]);
            let v348 = bitcast<f32>(pool[(v331 + 112i)]);
            m264 = fma(v333, v334, m264);
            m265 = fma(v333, v335, m265);
            m266 = fma(v333, v336, m266);
            m267 = fma(v333, v337, m267);
            m268 = fma(v333, v338, m268);
            m269 = fma(v333, v339, m269);
            m270 = fma(v333, v340, m270);
            m271 = fma(v333, v341, m271);
            m272 = fma(v342, v334, m272);
            m273 = fma(v342, v335, m273);
            m274 = fma(v342, v336, m274);
            m275 = fma(v342, v337, m275);
            m276 = fma(v342, v338, m276);
            m277 = fma(v342, v339, m277);
            m278 = fma(v342, v340, m278);
            m279 = fma(v342, v341, m279);
            m280 = fma(v343, v334, m280);
            m281 = fma(v343, v335, m281);
            m282 = fma(v343, v336, m282);
            m283 = fma(v343, v337, m283);
            m284 = fma(v343, v338, m284);
            m285 = fma(v343, v339, m285);
            m286 = fma(v343, v340, m286);
            m287 = fma(v343, v341, m287);
            m288 = fma(v344, v334, m288);
            m289 = fma(v344, v335, m289);
            m290 = fma(v344, v336, m290);
            m291 = fma(v344, v337, m291);
            m292 = fma(v344, v338, m292);
            m293 = fma(v344, v339, m293);
            m294 = fma(v344, v340, m294);
            m295 = fma(v344, v341, m295);
            m296 = fma(v345, v334, m296);
            m297 = fma(v345, v335, m297);
            m298 = fma(v345, v336, m298);
            m299 = fma(v345, v337, m299);
            m300 = fma(v345, v338, m300);
            m301 = fma(v345, v339, m301);
            m302 = fma(v345, v340, m302);
            m303 = fma(v345, v341, m303);
            m304 = fma(v346, v334, m304);
            m305 = fma(v346, v335, m305);
            m306 = fma(v346, v336, m306);
            m307 = fma(v346, v337, m307);
            m308 = fma(v346, v338, m308);
            m309 = fma(v346, v339, m309);
            m310 = fma(v346, v340, m310);
            m311 = fma(v346, v341, m311);
            m312 = fma(v347, v334, m312);
            m313 = fma(v347, v335, m313);
            m314 = fma(v347, v336, m314);
            m315 = fma(v347, v337, m315);
            m316 = fma(v347, v338, m316);
            m317 = fma(v347, v339, m317);
            m318 = fma(v347, v340, m318);
            m319 = fma(v347, v341, m319);
            m320 = fma(v348, v334, m320);
            m321 = fma(v348, v335, m321);
            m322 = fma(v348, v336, m322);
            m323 = fma(v348, v337, m323);
            m324 = fma(v348, v338, m324);
            m325 = fma(v348, v339, m325);
            m326 = fma(v348, v340, m326);
            m327 = fma(v348, v341, m327);
        }
        workgroupBarrier();
        if (t328 == 1i) {
            pool[((t329 * 129i) + t71)] = bitcast<u32>(v123);
            pool[((t329 * 129i) + (t71 + 16i))] = bitcast<u32>(v124);
            pool[((t329 * 129i) + (t71 + 32i))] = bitcast<u32>(v125);
            pool[((t329 * 129i) + (t71 + 48i))] = bitcast<u32>(v126);
            pool[((t329 * 129i) + (t71 + 64i))] = bitcast<u32>(v127);
            pool[((t329 * 129i) + (t71 + 80i))] = bitcast<u32>(v128);
            pool[((t329 * 129i) + (t71 + 96i))] = bitcast<u32>(v129);
            pool[((t329 * 129i) + (t71 + 112i))] = bitcast<u32>(v130);
        }
        if (t328 == 1i) {
            pool[(((t329 * 129i) + t71) + 1032i)] = bitcast<u32>(v256);
            pool[(((t329 * 129i) + (t71 + 16i)) + 1032i)] = bitcast<u32>(v257);
            pool[(((t329 * 129i) + (t71 + 32i)) + 1032i)] = bitcast<u32>(v258);
            pool[(((t329 * 129i) + (t71 + 48i)) + 1032i)] = bitcast<u32>(v259);
            pool[(((t329 * 129i) + (t71 + 64i)) + 1032i)] = bitcast<u32>(v260);
            pool[(((t329 * 129i) + (t71 + 80i)) + 1032i)] = bitcast<u32>(v261);
            pool[(((t329 * 129i) + (t71 + 96i)) + 1032i)] = bitcast<u32>(v262);
            pool[(((t329 * 129i) + (t71 + 112i)) + 1032i)] = bitcast<u32>(v263);
        }
        workgroupBarrier();
        for (var k349 = 0i; k349 < 8i; k349 = k349 + 1i) {
            let v350 = (t71 + ((((0i * 8i) + k349)) * 129i));
            let v351 = ((t103 + 1032i) + ((((0i * 8i) + k349)) * 129i));
            let v352 = bitcast<f32>(pool[v350]);
            let v353 = bitcast<f32>(pool[v351]);
            let v354 = bitcast<f32>(pool[(v351 + 16i)]);
            let v355 = bitcast<f32>(pool[(v351 + 32i)]);
            let v356 = bitcast<f32>(pool[(v351 + 48i)]);
            let v357 = bitcast<f32>(pool[(v351 + 64i)]);
            let v358 = bitcast<f32>(pool[(v351 + 80i)]);
            let v359 = bitcast<f32>(pool[(v351 + 96i)]);
            let v360 = bitcast<f32>(pool[(v351 + 112i)]);
            let v361 = bitcast<f32>(pool[(v350 + 16i)]);
            let v362 = bitcast<f32>(pool[(v350 + 32i)]);
            let v363 = bitcast<f32>(pool[(v350 + 48i)]);
            let v364 = bitcast<f32>(pool[(v350 + 64i)]);
            let v365 = bitcast<f32>(pool[(v350 + 80i)]);
            let v366 = bitcast<f32>(pool[(v350 + 96i)]);
            let v367 = bitcast<f32>(pool[(v350 + 112i)]);
            m264 = fma(v352, v353, m264);
            m265 = fma(v352, v354, m265);
            m266 = fma(v352, v355, m266);
            m267 = fma(v352, v356, m267);
            m268 = fma(v352, v357, m268);
            m269 = fma(v352, v358, m269);
            m270 = fma(v352, v359, m270);
            m271 = fma(v352, v360, m271);
            m272 = fma(v361, v353, m272);
            m273 = fma(v361, v354, m273);
            m274 = fma(v361, v355, m274);
            m275 = fma(v361, v356, m275);
            m276 = fma(v361, v357, m276);
            m277 = fma(v361, v358, m277);
            m278 = fma(v361, v359, m278);
            m279 = fma(v361, v360, m279);
            m280 = fma(v362, v353, m280);
            m281 = fma(v362, v354, m281);
            m282 = fma(v362, v355, m282);
            m283 = fma(v362, v356, m283);
            m284 = fma(v362, v357, m284);
            m285 = fma(v362, v358, m285);
            m286 = fma(v362, v359, m286);
            m287 = fma(v362, v360, m287);
            m288 = fma(v363, v353, m288);
            m289 = fma(v363, v354, m289);
            m290 = fma(v363, v355, m290);
            m291 = fma(v363, v356, m291);
            m292 = fma(v363, v357, m292);
            m293 = fma(v363, v358, m293);
            m294 = fma(v363, v359, m294);
            m295 = fma(v363, v360, m295);
            m296 = fma(v364, v353, m296);
            m297 = fma(v364, v354, m297);
            m298 = fma(v364, v355, m298);
            m299 = fma(v364, v356, m299);
            m300 = fma(v364, v357, m300);
            m301 = fma(v364, v358, m301);
            m302 = fma(v364, v359, m302);
            m303 = fma(v364, v360, m303);
            m304 = fma(v365, v353, m304);
            m305 = fma(v365, v354, m305);
            m306 = fma(v365, v355, m306);
            m307 = fma(v365, v356, m307);
            m308 = fma(v365, v357, m308);
            m309 = fma(v365, v358, m309);
            m310 = fma(v365, v359, m310);
            m311 = fma(v365, v360, m311);
            m312 = fma(v366, v353, m312);
            m313 = fma(v366, v354, m313);
            m314 = fma(v366, v355, m314);
            m315 = fma(v366, v356, m315);
            m316 = fma(v366, v357, m316);
            m317 = fma(v366, v358, m317);
            m318 = fma(v366, v359, m318);
            m319 = fma(v366, v360, m319);
            m320 = fma(v367, v353, m320);
            m321 = fma(v367, v354, m321);
            m322 = fma(v367, v355, m322);
            m323 = fma(v367, v356, m323);
            m324 = fma(v367, v357, m324);
            m325 = fma(v367, v358, m325);
            m326 = fma(v367, v359, m326);
            m327 = fma(v367, v360, m327);
        }
        m5 = m264;
        m6 = m265;
        m7 = m266;
        m8 = m267;
        m9 = m268;
        m10 = m269;
        m11 = m270;
        m12 = m271;
        m13 = m272;
        m14 = m273;
        m15 = m274;
        m16 = m275;
        m17 = m276;
        m18 = m277;
        m19 = m278;
        m20 = m279;
        m21 = m280;
        m22 = m281;
        m23 = m282;
        m24 = m283;
        m25 = m284;
        m26 = m285;
        m27 = m286;
        m28 = m287;
        m29 = m288;
        m30 = m289;
        m31 = m290;
        m32 = m291;
        m33 = m292;
        m34 = m293;
        m35 = m294;
        m36 = m295;
        m37 = m296;
        m38 = m297;
        m39 = m298;
        m40 = m299;
        m41 = m300;
        m42 = m301;
        m43 = m302;
        m44 = m303;
        m45 = m304;
        m46 = m305;
        m47 = m306;
        m48 = m307;
        m49 = m308;
        m50 = m309;
        m51 = m310;
        m52 = m311;
        m53 = m312;
        m54 = m313;
        m55 = m314;
        m56 = m315;
        m57 = m316;
        m58 = m317;
        m59 = m318;
        m60 = m319;
        m61 = m320;
        m62 = m321;
        m63 = m322;
        m64 = m323;
        m65 = m324;
        m66 = m325;
        m67 = m326;
        m68 = m327;
    }
    let v368 = (t103 + 16i);
    let v369 = (t103 + 32i);
    let v370 = (t103 + 48i);
    let v371 = (t103 + 64i);
    let v372 = (t103 + 80i);
    let v373 = (t103 + 96i);
    let v374 = (t103 + 112i);
    let v375 = (v2 + t103);
    let v376 = (v2 + v368);
    let v377 = (v2 + v369);
    let v378 = (v2 + v370);
    let v379 = (v2 + v371);
    let v380 = (v2 + v372);
    let v381 = (v2 + v373);
    let v382 = (v2 + v374);
    let v383 = min(v375, v4);
    let v384 = min(v376, v4);
    let v385 = min(v377, v4);
    let v386 = min(v378, v4);
    let v387 = min(v379, v4);
    let v388 = min(v380, v4);
    let v389 = min(v381, v4);
    let v390 = min(v382, v4);
    let x392 = g_b[v383];
    let x393 = g_b[v384];
    let x394 = g_b[v385];
    let x395 = g_b[v386];
    let x396 = g_b[v387];
    let x397 = g_b[v388];
    let x398 = g_b[v389];
    let x399 = g_b[v390];
    let v400 = (m5 + x392);
    let v401 = (m6 + x393);
    let v402 = (m7 + x394);
    let v403 = (m8 + x395);
    let v404 = (m9 + x396);
    let v405 = (m10 + x397);
    let v406 = (m11 + x398);
    let v407 = (m12 + x399);
    let v408 = (m13 + x392);
    let v409 = (m14 + x393);
    let v410 = (m15 + x394);
    let v411 = (m16 + x395);
    let v412 = (m17 + x396);
    let v413 = (m18 + x397);
    let v414 = (m19 + x398);
    let v415 = (m20 + x399);
    let v416 = (m21 + x392);
    let v417 = (m22 + x393);
    let v418 = (m23 + x394);
    let v419 = (m24 + x395);
    let v420 = (m25 + x396);
    let v421 = (m26 + x397);
    let v422 = (m27 + x398);
    let v423 = (m28 + x399);
    let v424 = (m29 + x392);
    let v425 = (m30 + x393);
    let v426 = (m31 + x394);
    let v427 = (m32 + x395);
    let v428 = (m33 + x396);
    let v429 = (m34 + x397);
    let v430 = (m35 + x398);
    let v431 = (m36 + x399);
    let v432 = (m37 + x392);
    let v433 = (m38 + x393);
    let v434 = (m39 + x394);
    let v435 = (m40 + x395);
    let v436 = (m41 + x396);
    let v437 = (m42 + x397);
    let v438 = (m43 + x398);
    let v439 = (m44 + x399);
    let v440 = (m45 + x392);
    let v441 = (m46 + x393);
    let v442 = (m47 + x394);
    let v443 = (m48 + x395);
    let v444 = (m49 + x396);
    let v445 = (m50 + x397);
    let v446 = (m51 + x398);
    let v447 = (m52 + x399);
    let v448 = (m53 + x392);
    let v449 = (m54 + x393);
    let v450 = (m55 + x394);
    let v451 = (m56 + x395);
    let v452 = (m57 + x396);
    let v453 = (m58 + x397);
    let v454 = (m59 + x398);
    let v455 = (m60 + x399);
    let v456 = (m61 + x392);
    let v457 = (m62 + x393);
    let v458 = (m63 + x394);
    let v459 = (m64 + x395);
    let v460 = (m65 + x396);
    let v461 = (m66 + x397);
    let v462 = (m67 + x398);
    let v463 = (m68 + x399);
    let v464 = (t71 + 16i);
    let v465 = (t71 + 32i);
    let v466 = (t71 + 48i);
    let v467 = (t71 + 64i);
    let v468 = (t71 + 80i);
    let v469 = (t71 + 96i);
    let v470 = (t71 + 112i);
    let v471 = (v1 + t71);
    let v472 = (v1 + v464);
    let v473 = (v1 + v465);
    let v474 = (v1 + v466);
    let v475 = (v1 + v467);
    let v476 = (v1 + v468);
    let v477 = (v1 + v469);
    let v478 = (v1 + v470);
    let v479 = min(v471, v3);
    let v480 = min(v472, v3);
    let v481 = min(v473, v3);
    let v482 = min(v474, v3);
    let v483 = min(v475, v3);
    let v484 = min(v476, v3);
    let v485 = min(v477, v3);
    let v486 = min(v478, v3);
    let v487 = (v479 * p.a10_width);
    let v488 = (v480 * p.a10_width);
    let v489 = (v481 * p.a10_width);
    let v490 = (v482 * p.a10_width);
    let v491 = (v483 * p.a10_width);
    let v492 = (v484 * p.a10_width);
    let v493 = (v485 * p.a10_width);
    let v494 = (v486 * p.a10_width);
    let v495 = (p.a11_at + v383);
    let v496 = (p.a11_at + v384);
    let v497 = (p.a11_at + v385);
    let v498 = (p.a11_at + v386);
    let v499 = (p.a11_at + v387);
    let v500 = (p.a11_at + v388);
    let v501 = (p.a11_at + v389);
    let v502 = (p.a11_at + v390);
    let v503 = (v487 + v495);
    let v504 = (v487 + v496);
    let v505 = (v487 + v497);
    let v506 = (v487 + v498);
    let v507 = (v487 + v499);
    let v508 = (v487 + v500);
    let v509 = (v487 + v501);
    let v510 = (v487 + v502);
    let v511 = (v488 + v495);
    let v512 = (v488 + v496);
    let v513 = (v488 + v497);
    let v514 = (v488 + v498);
    let v515 = (v488 + v499);
    let v516 = (v488 + v500);
    let v517 = (v488 + v501);
    let v518 = (v488 + v502);
    let v519 = (v489 + v495);
    let v520 = (v489 + v496);
    let v521 = (v489 + v497);
    let v522 = (v489 + v498);
    let v523 = (v489 + v499);
    let v524 = (v489 + v500);
    let v525 = (v489 + v501);
    let v526 = (v489 + v502);
    let v527 = (v490 + v495);
    let v528 = (v490 + v496);
    let v529 = (v490 + v497);
    let v530 = (v490 + v498);
    let v531 = (v490 + v499);
    let v532 = (v490 + v500);
    let v533 = (v490 + v501);
    let v534 = (v490 + v502);
    let v535 = (v491 + v495);
    let v536 = (v491 + v496);
    let v537 = (v491 + v497);
    let v538 = (v491 + v498);
    let v539 = (v491 + v499);
    let v540 = (v491 + v500);
    let v541 = (v491 + v501);
    let v542 = (v491 + v502);
    let v543 = (v492 + v495);
    let v544 = (v492 + v496);
    let v545 = (v492 + v497);
    let v546 = (v492 + v498);
    let v547 = (v492 + v499);
    let v548 = (v492 + v500);
    let v549 = (v492 + v501);
    let v550 = (v492 + v502);
    let v551 = (v493 + v495);
    let v552 = (v493 + v496);
    let v553 = (v493 + v497);
    let v554 = (v493 + v498);
    let v555 = (v493 + v499);
    let v556 = (v493 + v500);
    let v557 = (v493 + v501);
    let v558 = (v493 + v502);
    let v559 = (v494 + v495);
    let v560 = (v494 + v496);
    let v561 = (v494 + v497);
    let v562 = (v494 + v498);
    let v563 = (v494 + v499);
    let v564 = (v494 + v500);
    let v565 = (v494 + v501);
    let v566 = (v494 + v502);
    let x567 = g_r[v503];
    let x568 = g_r[v504];
    let x569 = g_r[v505];
    let x570 = g_r[v506];
    let x571 = g_r[v507];
    let x572 = g_r[v508];
    let x573 = g_r[v509];
    let x574 = g_r[v510];
    let x575 = g_r[v511];
    let x576 = g_r[v512];
    let x577 = g_r[v513];
    let x578 = g_r[v514];
    let x579 = g_r[v515];
    let x580 = g_r[v516];
    let x581 = g_r[v517];
    let x582 = g_r[v518];
    let x583 = g_r[v519];
    let x584 = g_r[v520];
    let x585 = g_r[v521];
    let x586 = g_r[v522];
    let x587 = g_r[v523];
    let x588 = g_r[v524];
    let x589 = g_r[v525];
    let x590 = g_r[v526];
    let x591 = g_r[v527];
    let x592 = g_r[v528];
    let x593 = g_r[v529];
    let x594 = g_r[v530];
    let x595 = g_r[v531];
    let x596 = g_r[v532];
    let x597 = g_r[v533];
    let x598 = g_r[v534];
    let x599 = g_r[v535];
    let x600 = g_r[v536];
    let x601 = g_r[v537];
    let x602 = g_r[v538];
    let x603 = g_r[v539];
    let x604 = g_r[v540];
    let x605 = g_r[v541];
    let x606 = g_r[v542];
    let x607 = g_r[v543];
    let x608 = g_r[v544];
    let x609 = g_r[v545];
    let x610 = g_r[v546];
    let x611 = g_r[v547];
    let x612 = g_r[v548];
    let x613 = g_r[v549];
    let x614 = g_r[v550];
    let x615 = g_r[v551];
    let x616 = g_r[v552];
    let x617 = g_r[v553];
    let x618 = g_r[v554];
    let x619 = g_r[v555];
    let x620 = g_r[v556];
    let x621 = g_r[v557];
    let x622 = g_r[v558];
    let x623 = g_r[v559];
    let x624 = g_r[v560];
    let x625 = g_r[v561];
    let x626 = g_r[v562];
    let x627 = g_r[v563];
    let x628 = g_r[v564];
    let x629 = g_r[v565];
    let x630 = g_r[v566];
    let v631 = (v400 + x567);
    let v632 = (v401 + x568);
    let v633 = (v402 + x569);
    let v634 = (v403 + x570);
    let v635 = (v404 + x571);
    let v636 = (v405 + x572);
    let v637 = (v406 + x573);
    let v638 = (v407 + x574);
    let v639 = (v408 + x575);
    let v640 = (v409 + x576);
    let v641 = (v410 + x577);
    let v642 = (v411 + x578);
    let v643 = (v412 + x579);
    let v644 = (v413 + x580);
    let v645 = (v414 + x581);
    let v646 = (v415 + x582);
    let v647 = (v416 + x583);
    let v648 = (v417 + x584);
    let v649 = (v418 + x585);
    let v650 = (v419 + x586);
    let v651 = (v420 + x587);
    let v652 = (v421 + x588);
    let v653 = (v422 + x589);
    let v654 = (v423 + x590);
    let v655 = (v424 + x591);
    let v656 = (v425 + x592);
    let v657 = (v426 + x593);
    let v658 = (v427 + x594);
    let v659 = (v428 + x595);
    let v660 = (v429 + x596);
    let v661 = (v430 + x597);
    let v662 = (v431 + x598);
    let v663 = (v432 + x599);
    let v664 = (v433 + x600);
    let v665 = (v434 + x601);
    let v666 = (v435 + x602);
    let v667 = (v436 + x603);
    let v668 = (v437 + x604);
    let v669 = (v438 + x605);
    let v670 = (v439 + x606);
    let v671 = (v440 + x607);
    let v672 = (v441 + x608);
    let v673 = (v442 + x609);
    let v674 = (v443 + x610);
    let v675 = (v444 + x611);
    let v676 = (v445 + x612);
    let v677 = (v446 + x613);
    let v678 = (v447 + x614);
    let v679 = (v448 + x615);
    let v680 = (v449 + x616);
    let v681 = (v450 + x617);
    let v682 = (v451 + x618);
    let v683 = (v452 + x619);
    let v684 = (v453 + x620);
    let v685 = (v454 + x621);
    let v686 = (v455 + x622);
    let v687 = (v456 + x623);
    let v688 = (v457 + x624);
    let v689 = (v458 + x625);
    let v690 = (v459 + x626);
    let v691 = (v460 + x627);
    let v692 = (v461 + x628);
    let v693 = (v462 + x629);
    let v694 = (v463 + x630);
    let v695 = (v471 < p.a6_m);
    let v696 = (v472 < p.a6_m);
    let v697 = (v473 < p.a6_m);
    let v698 = (v474 < p.a6_m);
    let v699 = (v475 < p.a6_m);
    let v700 = (v476 < p.a6_m);
    let v701 = (v477 < p.a6_m);
    let v702 = (v478 < p.a6_m);
    let v703 = (v375 < p.a7_n);
    let v704 = (v376 < p.a7_n);
    let v705 = (v377 < p.a7_n);
    let v706 = (v378 < p.a7_n);
    let v707 = (v379 < p.a7_n);
    let v708 = (v380 < p.a7_n);
    let v709 = (v381 < p.a7_n);
    let v710 = (v382 < p.a7_n);
    let v711 = (v695 & v703);
    let v712 = (v695 & v704);
    let v713 = (v695 & v705);
    let v714 = (v695 & v706);
    let v715 = (v695 & v707);
    let v716 = (v695 & v708);
    let v717 = (v695 & v709);
    let v718 = (v695 & v710);
    let v719 = (v696 & v703);
    let v720 = (v696 & v704);
    let v721 = (v696 & v705);
    let v722 = (v696 & v706);
    let v723 = (v696 & v707);
    let v724 = (v696 & v708);
    let v725 = (v696 & v709);
    let v726 = (v696 & v710);
    let v727 = (v697 & v703);
    let v728 = (v697 & v704);
    let v729 = (v697 & v705);
    let v730 = (v697 & v706);
    let v731 = (v697 & v707);
    let v732 = (v697 & v708);
    let v733 = (v697 & v709);
    let v734 = (v697 & v710);
    let v735 = (v698 & v703);
    let v736 = (v698 & v704);
    let v737 = (v698 & v705);
    let v738 = (v698 & v706);
    let v739 = (v698 & v707);
    let v740 = (v698 & v708);
    let v741 = (v698 & v709);
    let v742 = (v698 & v710);
    let v743 = (v699 & v703);
    let v744 = (v699 & v704);
    let v745 = (v699 & v705);
    let v746 = (v699 & v706);
    let v747 = (v699 & v707);
    let v748 = (v699 & v708);
    let v749 = (v699 & v709);
    let v750 = (v699 & v710);
    let v751 = (v700 & v703);
    let v752 = (v700 & v704);
    let v753 = (v700 & v705);
    let v754 = (v700 & v706);
    let v755 = (v700 & v707);
    let v756 = (v700 & v708);
    let v757 = (v700 & v709);
    let v758 = (v700 & v710);
    let v759 = (v701 & v703);
    let v760 = (v701 & v704);
    let v761 = (v701 & v705);
    let v762 = (v701 & v706);
    let v763 = (v701 & v707);
    let v764 = (v701 & v708);
    let v765 = (v701 & v709);
    let v766 = (v701 & v710);
    let v767 = (v702 & v703);
    let v768 = (v702 & v704);
    let v769 = (v702 & v705);
    let v770 = (v702 & v706);
    let v771 = (v702 & v707);
    let v772 = (v702 & v708);
    let v773 = (v702 & v709);
    let v774 = (v702 & v710);
    if (v711) {
        g_y[v503] = v631;
    }
    if (v712) {
        g_y[v504] = v632;
    }
    if (v713) {
        g_y[v505] = v633;
    }
    if (v714) {
        g_y[v506] = v634;
    }
    if (v715) {
        g_y[v507] = v635;
    }
    if (v716) {
        g_y[v508] = v636;
    }
    if (v717) {
        g_y[v509] = v637;
    }
    if (v718) {
        g_y[v510] = v638;
    }
    if (v719) {
        g_y[v511] = v639;
    }
    if (v720) {
        g_y[v512] = v640;
    }
    if (v721) {
        g_y[v513] = v641;
    }
    if (v722) {
        g_y[v514] = v642;
    }
    if (v723) {
        g_y[v515] = v643;
    }
    if (v724) {
        g_y[v516] = v644;
    }
    if (v725) {
        g_y[v517] = v645;
    }
    if (v726) {
        g_y[v518] = v646;
    }
    if (v727) {
        g_y[v519] = v647;
    }
    if (v728) {
        g_y[v520] = v648;
    }
    if (v729) {
        g_y[v521] = v649;
    }
    if (v730) {
        g_y[v522] = v650;
    }
    if (v731) {
        g_y[v523] = v651;
    }
    if (v732) {
        g_y[v524] = v652;
    }
    if (v733) {
        g_y[v525] = v653;
    }
    if (v734) {
        g_y[v526] = v654;
    }
    if (v735) {
        g_y[v527] = v655;
    }
    if (v736) {
        g_y[v528] = v656;
    }
    if (v737) {
        g_y[v529] = v657;
    }
    if (v738) {
        g_y[v530] = v658;
    }
    if (v739) {
        g_y[v531] = v659;
    }
    if (v740) {
        g_y[v532] = v660;
    }
    if (v741) {
        g_y[v533] = v661;
    }
    if (v742) {
        g_y[v534] = v662;
    }
    if (v743) {
        g_y[v535] = v663;
    }
    if (v744) {
        g_y[v536] = v664;
    }
    if (v745) {
        g_y[v537] = v665;
    }
    if (v746) {
        g_y[v538] = v666;
    }
    if (v747) {
        g_y[v539] = v667;
    }
    if (v748) {
        g_y[v540] = v668;
    }
    if (v749) {
        g_y[v541] = v669;
    }
    if (v750) {
        g_y[v542] = v670;
    }
    if (v751) {
        g_y[v543] = v671;
    }
    if (v752) {
        g_y[v544] = v672;
    }
    if (v753) {
        g_y[v545] = v673;
    }
    if (v754) {
        g_y[v546] = v674;
    }
    if (v755) {
        g_y[v547] = v675;
    }
    if (v756) {
        g_y[v548] = v676;
    }
    if (v757) {
        g_y[v549] = v677;
    }
    if (v758) {
        g_y[v550] = v678;
    }
    if (v759) {
        g_y[v551] = v679;
    }
    if (v760) {
        g_y[v552] = v680;
    }
    if (v761) {
        g_y[v553] = v681;
    }
    if (v762) {
        g_y[v554] = v682;
    }
    if (v763) {
        g_y[v555] = v683;
    }
    if (v764) {
        g_y[v556] = v684;
    }
    if (v765) {
        g_y[v557] = v685;
    }
    if (v766) {
        g_y[v558] = v686;
    }
    if (v767) {
        g_y[v559] = v687;
    }
    if (v768) {
        g_y[v560] = v688;
    }
    if (v769) {
        g_y[v561] = v689;
    }
    if (v770) {
        g_y[v562] = v690;
    }
    if (v771) {
        g_y[v563] = v691;
    }
    if (v772) {
        g_y[v564] = v692;
    }
    if (v773) {
        g_y[v565] = v693;
    }
    if (v774) {
        g_y[v566] = v694;
    }
}
