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
    let v1 = (pid_y * 128i);
    let v2 = (pid_x * 128i);
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
    for (var i69: i32 = 0i; (i69 < p.a6_k); i69 = i69 + 16i) {
        let v70 = (p.a6_k - 1i);
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
        let v95 = (v87 * p.a6_k);
        let v96 = (v88 * p.a6_k);
        let v97 = (v89 * p.a6_k);
        let v98 = (v90 * p.a6_k);
        let v99 = (v91 * p.a6_k);
        let v100 = (v92 * p.a6_k);
        let v101 = (v93 * p.a6_k);
        let v102 = (v94 * p.a6_k);
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
        let v122 = (v104 < p.a6_k);
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
        let v147 = (v139 * p.a7_line);
        let v148 = (v140 * p.a7_line);
        let v149 = (v141 * p.a7_line);
        let v150 = (v142 * p.a7_line);
        let v151 = (v143 * p.a7_line);
        let v152 = (v144 * p.a7_line);
        let v153 = (v145 * p.a7_line);
        let v154 = (v146 * p.a7_line);
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
        let v198 = (p.a7_line / 8i);
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
        let x216 = f32(g_s[v208]);
        let x217 = f32(g_s[v209]);
        let x218 = f32(g_s[v210]);
        let x219 = f32(g_s[v211]);
        let x220 = f32(g_s[v212]);
        let x221 = f32(g_s[v213]);
        let x222 = f32(g_s[v214]);
        let x223 = f32(g_s[v215]);
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
    let v368 = (t71 + 16i);
    let v369 = (t71 + 32i);
    let v370 = (t71 + 48i);
    let v371 = (t71 + 64i);
    let v372 = (t71 + 80i);
    let v373 = (t71 + 96i);
    let v374 = (t71 + 112i);
    let v375 = (v1 + t71);
    let v376 = (v1 + v368);
    let v377 = (v1 + v369);
    let v378 = (v1 + v370);
    let v379 = (v1 + v371);
    let v380 = (v1 + v372);
    let v381 = (v1 + v373);
    let v382 = (v1 + v374);
    let v383 = min(v375, v3);
    let v384 = min(v376, v3);
    let v385 = min(v377, v3);
    let v386 = min(v378, v3);
    let v387 = min(v379, v3);
    let v388 = min(v380, v3);
    let v389 = min(v381, v3);
    let v390 = min(v382, v3);
    let v391 = (v383 * p.a8_width);
    let v392 = (v384 * p.a8_width);
    let v393 = (v385 * p.a8_width);
    let v394 = (v386 * p.a8_width);
    let v395 = (v387 * p.a8_width);
    let v396 = (v388 * p.a8_width);
    let v397 = (v389 * p.a8_width);
    let v398 = (v390 * p.a8_width);
    let v399 = (t103 + 16i);
    let v400 = (t103 + 32i);
    let v401 = (t103 + 48i);
    let v402 = (t103 + 64i);
    let v403 = (t103 + 80i);
    let v404 = (t103 + 96i);
    let v405 = (t103 + 112i);
    let v406 = (v2 + t103);
    let v407 = (v2 + v399);
    let v408 = (v2 + v400);
    let v409 = (v2 + v401);
    let v410 = (v2 + v402);
    let v411 = (v2 + v403);
    let v412 = (v2 + v404);
    let v413 = (v2 + v405);
    let v414 = min(v406, v4);
    let v415 = min(v407, v4);
    let v416 = min(v408, v4);
    let v417 = min(v409, v4);
    let v418 = min(v410, v4);
    let v419 = min(v411, v4);
    let v420 = min(v412, v4);
    let v421 = min(v413, v4);
    let v422 = (p.a9_at + v414);
    let v423 = (p.a9_at + v415);
    let v424 = (p.a9_at + v416);
    let v425 = (p.a9_at + v417);
    let v426 = (p.a9_at + v418);
    let v427 = (p.a9_at + v419);
    let v428 = (p.a9_at + v420);
    let v429 = (p.a9_at + v421);
    let v430 = (v391 + v422);
    let v431 = (v391 + v423);
    let v432 = (v391 + v424);
    let v433 = (v391 + v425);
    let v434 = (v391 + v426);
    let v435 = (v391 + v427);
    let v436 = (v391 + v428);
    let v437 = (v391 + v429);
    let v438 = (v392 + v422);
    let v439 = (v392 + v423);
    let v440 = (v392 + v424);
    let v441 = (v392 + v425);
    let v442 = (v392 + v426);
    let v443 = (v392 + v427);
    let v444 = (v392 + v428);
    let v445 = (v392 + v429);
    let v446 = (v393 + v422);
    let v447 = (v393 + v423);
    let v448 = (v393 + v424);
    let v449 = (v393 + v425);
    let v450 = (v393 + v426);
    let v451 = (v393 + v427);
    let v452 = (v393 + v428);
    let v453 = (v393 + v429);
    let v454 = (v394 + v422);
    let v455 = (v394 + v423);
    let v456 = (v394 + v424);
    let v457 = (v394 + v425);
    let v458 = (v394 + v426);
    let v459 = (v394 + v427);
    let v460 = (v394 + v428);
    let v461 = (v394 + v429);
    let v462 = (v395 + v422);
    let v463 = (v395 + v423);
    let v464 = (v395 + v424);
    let v465 = (v395 + v425);
    let v466 = (v395 + v426);
    let v467 = (v395 + v427);
    let v468 = (v395 + v428);
    let v469 = (v395 + v429);
    let v470 = (v396 + v422);
    let v471 = (v396 + v423);
    let v472 = (v396 + v424);
    let v473 = (v396 + v425);
    let v474 = (v396 + v426);
    let v475 = (v396 + v427);
    let v476 = (v396 + v428);
    let v477 = (v396 + v429);
    let v478 = (v397 + v422);
    let v479 = (v397 + v423);
    let v480 = (v397 + v424);
    let v481 = (v397 + v425);
    let v482 = (v397 + v426);
    let v483 = (v397 + v427);
    let v484 = (v397 + v428);
    let v485 = (v397 + v429);
    let v486 = (v398 + v422);
    let v487 = (v398 + v423);
    let v488 = (v398 + v424);
    let v489 = (v398 + v425);
    let v490 = (v398 + v426);
    let v491 = (v398 + v427);
    let v492 = (v398 + v428);
    let v493 = (v398 + v429);
    let v494 = (v375 < p.a4_m);
    let v495 = (v376 < p.a4_m);
    let v496 = (v377 < p.a4_m);
    let v497 = (v378 < p.a4_m);
    let v498 = (v379 < p.a4_m);
    let v499 = (v380 < p.a4_m);
    let v500 = (v381 < p.a4_m);
    let v501 = (v382 < p.a4_m);
    let v502 = (v406 < p.a5_n);
    let v503 = (v407 < p.a5_n);
    let v504 = (v408 < p.a5_n);
    let v505 = (v409 < p.a5_n);
    let v506 = (v410 < p.a5_n);
    let v507 = (v411 < p.a5_n);
    let v508 = (v412 < p.a5_n);
    let v509 = (v413 < p.a5_n);
    let v510 = (v494 & v502);
    let v511 = (v494 & v503);
    let v512 = (v494 & v504);
    let v513 = (v494 & v505);
    let v514 = (v494 & v506);
    let v515 = (v494 & v507);
    let v516 = (v494 & v508);
    let v517 = (v494 & v509);
    let v518 = (v495 & v502);
    let v519 = (v495 & v503);
    let v520 = (v495 & v504);
    let v521 = (v495 & v505);
    let v522 = (v495 & v506);
    let v523 = (v495 & v507);
    let v524 = (v495 & v508);
    let v525 = (v495 & v509);
    let v526 = (v496 & v502);
    let v527 = (v496 & v503);
    let v528 = (v496 & v504);
    let v529 = (v496 & v505);
    let v530 = (v496 & v506);
    let v531 = (v496 & v507);
    let v532 = (v496 & v508);
    let v533 = (v496 & v509);
    let v534 = (v497 & v502);
    let v535 = (v497 & v503);
    let v536 = (v497 & v504);
    let v537 = (v497 & v505);
    let v538 = (v497 & v506);
    let v539 = (v497 & v507);
    let v540 = (v497 & v508);
    let v541 = (v497 & v509);
    let v542 = (v498 & v502);
    let v543 = (v498 & v503);
    let v544 = (v498 & v504);
    let v545 = (v498 & v505);
    let v546 = (v498 & v506);
    let v547 = (v498 & v507);
    let v548 = (v498 & v508);
    let v549 = (v498 & v509);
    let v550 = (v499 & v502);
    let v551 = (v499 & v503);
    let v552 = (v499 & v504);
    let v553 = (v499 & v505);
    let v554 = (v499 & v506);
    let v555 = (v499 & v507);
    let v556 = (v499 & v508);
    let v557 = (v499 & v509);
    let v558 = (v500 & v502);
    let v559 = (v500 & v503);
    let v560 = (v500 & v504);
    let v561 = (v500 & v505);
    let v562 = (v500 & v506);
    let v563 = (v500 & v507);
    let v564 = (v500 & v508);
    let v565 = (v500 & v509);
    let v566 = (v501 & v502);
    let v567 = (v501 & v503);
    let v568 = (v501 & v504);
    let v569 = (v501 & v505);
    let v570 = (v501 & v506);
    let v571 = (v501 & v507);
    let v572 = (v501 & v508);
    let v573 = (v501 & v509);
    if (v510) {
        g_y[v430] = m5;
    }
    if (v511) {
        g_y[v431] = m6;
    }
    if (v512) {
        g_y[v432] = m7;
    }
    if (v513) {
        g_y[v433] = m8;
    }
    if (v514) {
        g_y[v434] = m9;
    }
    if (v515) {
        g_y[v435] = m10;
    }
    if (v516) {
        g_y[v436] = m11;
    }
    if (v517) {
        g_y[v437] = m12;
    }
    if (v518) {
        g_y[v438] = m13;
    }
    if (v519) {
        g_y[v439] = m14;
    }
    if (v520) {
        g_y[v440] = m15;
    }
    if (v521) {
        g_y[v441] = m16;
    }
    if (v522) {
        g_y[v442] = m17;
    }
    if (v523) {
        g_y[v443] = m18;
    }
    if (v524) {
        g_y[v444] = m19;
    }
    if (v525) {
        g_y[v445] = m20;
    }
    if (v526) {
        g_y[v446] = m21;
    }
    if (v527) {
        g_y[v447] = m22;
    }
    if (v528) {
        g_y[v448] = m23;
    }
    if (v529) {
        g_y[v449] = m24;
    }
    if (v530) {
        g_y[v450] = m25;
    }
    if (v531) {
        g_y[v451] = m26;
    }
    if (v532) {
        g_y[v452] = m27;
    }
    if (v533) {
        g_y[v453] = m28;
    }
    if (v534) {
        g_y[v454] = m29;
    }
    if (v535) {
        g_y[v455] = m30;
    }
    if (v536) {
        g_y[v456] = m31;
    }
    if (v537) {
        g_y[v457] = m32;
    }
    if (v538) {
        g_y[v458] = m33;
    }
    if (v539) {
        g_y[v459] = m34;
    }
    if (v540) {
        g_y[v460] = m35;
    }
    if (v541) {
        g_y[v461] = m36;
    }
    if (v542) {
        g_y[v462] = m37;
    }
    if (v543) {
        g_y[v463] = m38;
    }
    if (v544) {
        g_y[v464] = m39;
    }
    if (v545) {
        g_y[v465] = m40;
    }
    if (v546) {
        g_y[v466] = m41;
    }
    if (v547) {
        g_y[v467] = m42;
    }
    if (v548) {
        g_y[v468] = m43;
    }
    if (v549) {
        g_y[v469] = m44;
    }
    if (v550) {
        g_y[v470] = m45;
    }
    if (v551) {
        g_y[v471] = m46;
    }
    if (v552) {
        g_y[v472] = m47;
    }
    if (v553) {
        g_y[v473] = m48;
    }
    if (v554) {
        g_y[v474] = m49;
    }
    if (v555) {
        g_y[v475] = m50;
    }
    if (v556) {
        g_y[v476] = m51;
    }
    if (v557) {
        g_y[v477] = m52;
    }
    if (v558) {
        g_y[v478] = m53;
    }
    if (v559) {
        g_y[v479] = m54;
    }
    if (v560) {
        g_y[v480] = m55;
    }
    if (v561) {
        g_y[v481] = m56;
    }
    if (v562) {
        g_y[v482] = m57;
    }
    if (v563) {
        g_y[v483] = m58;
    }
    if (v564) {
        g_y[v484] = m59;
    }
    if (v565) {
        g_y[v485] = m60;
    }
    if (v566) {
        g_y[v486] = m61;
    }
    if (v567) {
        g_y[v487] = m62;
    }
    if (v568) {
        g_y[v488] = m63;
    }
    if (v569) {
        g_y[v489] = m64;
    }
    if (v570) {
        g_y[v490] = m65;
    }
    if (v571) {
        g_y[v491] = m66;
    }
    if (v572) {
        g_y[v492] = m67;
    }
    if (v573) {
        g_y[v493] = m68;
    }
}
