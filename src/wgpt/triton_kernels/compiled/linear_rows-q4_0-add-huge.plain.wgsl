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
@group(0) @binding(3) var<storage, read> g_s: array<u32>;
@group(0) @binding(4) var<storage, read> g_r: array<f32>;
@group(0) @binding(5) var<storage, read_write> g_y: array<f32>;
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
    let t342 = ((lane >> 3u) & 1i);
    let t343 = (lane & 7i);
    let v1 = (pid_y * 128i);
    let v2 = (pid_x * 128i);
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
    for (var i69: i32 = 0i; (i69 < p.a7_k); i69 = i69 + 16i) {
        let v70 = (p.a7_k - 1i);
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
        let v95 = (v87 * p.a7_k);
        let v96 = (v88 * p.a7_k);
        let v97 = (v89 * p.a7_k);
        let v98 = (v90 * p.a7_k);
        let v99 = (v91 * p.a7_k);
        let v100 = (v92 * p.a7_k);
        let v101 = (v93 * p.a7_k);
        let v102 = (v94 * p.a7_k);
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
        let v122 = (v104 < p.a7_k);
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
        let v147 = (v139 * p.a8_line);
        let v148 = (v140 * p.a8_line);
        let v149 = (v141 * p.a8_line);
        let v150 = (v142 * p.a8_line);
        let v151 = (v143 * p.a8_line);
        let v152 = (v144 * p.a8_line);
        let v153 = (v145 * p.a8_line);
        let v154 = (v146 * p.a8_line);
        let v155 = (v105 / 32i);
        let v156 = (v155 * 4i);
        let v157 = (v147 + v156);
        let v158 = (v148 + v156);
        let v159 = (v149 + v156);
        let v160 = (v150 + v156);
        let v161 = (v151 + v156);
        let v162 = (v152 + v156);
        let v163 = (v153 + v156);
        let v164 = (v154 + v156);
        let v165 = (v105 % 16i);
        let v166 = (v165 / 4i);
        let v167 = (v157 + v166);
        let v168 = (v158 + v166);
        let v169 = (v159 + v166);
        let v170 = (v160 + v166);
        let v171 = (v161 + v166);
        let v172 = (v162 + v166);
        let v173 = (v163 + v166);
        let v174 = (v164 + v166);
        let x175 = g_w[v167];
        let x176 = g_w[v168];
        let x177 = g_w[v169];
        let x178 = g_w[v170];
        let x179 = g_w[v171];
        let x180 = g_w[v172];
        let x181 = g_w[v173];
        let x182 = g_w[v174];
        let v183 = (v105 % 4i);
        let v184 = (v183 * 8i);
        let v185 = (v105 % 32i);
        let v186 = (v185 / 16i);
        let v187 = (v186 * 4i);
        let v188 = (v184 + v187);
        let v189 = select(bitcast<i32>(bitcast<u32>(x175) >> (bitcast<u32>(v188) & 31u)), 0i, bitcast<u32>(v188) > 31u);
        let v190 = select(bitcast<i32>(bitcast<u32>(x176) >> (bitcast<u32>(v188) & 31u)), 0i, bitcast<u32>(v188) > 31u);
        let v191 = select(bitcast<i32>(bitcast<u32>(x177) >> (bitcast<u32>(v188) & 31u)), 0i, bitcast<u32>(v188) > 31u);
        let v192 = select(bitcast<i32>(bitcast<u32>(x178) >> (bitcast<u32>(v188) & 31u)), 0i, bitcast<u32>(v188) > 31u);
        let v193 = select(bitcast<i32>(bitcast<u32>(x179) >> (bitcast<u32>(v188) & 31u)), 0i, bitcast<u32>(v188) > 31u);
        let v194 = select(bitcast<i32>(bitcast<u32>(x180) >> (bitcast<u32>(v188) & 31u)), 0i, bitcast<u32>(v188) > 31u);
        let v195 = select(bitcast<i32>(bitcast<u32>(x181) >> (bitcast<u32>(v188) & 31u)), 0i, bitcast<u32>(v188) > 31u);
        let v196 = select(bitcast<i32>(bitcast<u32>(x182) >> (bitcast<u32>(v188) & 31u)), 0i, bitcast<u32>(v188) > 31u);
        let v197 = (v189 & 15i);
        let v198 = (v190 & 15i);
        let v199 = (v191 & 15i);
        let v200 = (v192 & 15i);
        let v201 = (v193 & 15i);
        let v202 = (v194 & 15i);
        let v203 = (v195 & 15i);
        let v204 = (v196 & 15i);
        let v205 = (v197 | 1258291200i);
        let v206 = (v198 | 1258291200i);
        let v207 = (v199 | 1258291200i);
        let v208 = (v200 | 1258291200i);
        let v209 = (v201 | 1258291200i);
        let v210 = (v202 | 1258291200i);
        let v211 = (v203 | 1258291200i);
        let v212 = (v204 | 1258291200i);
        let v213 = bitcast<u32>(v205);
        let v214 = bitcast<f32>(v213);
        let v215 = bitcast<u32>(v206);
        let v216 = bitcast<f32>(v215);
        let v217 = bitcast<u32>(v207);
        let v218 = bitcast<f32>(v217);
        let v219 = bitcast<u32>(v208);
        let v220 = bitcast<f32>(v219);
        let v221 = bitcast<u32>(v209);
        let v222 = bitcast<f32>(v221);
        let v223 = bitcast<u32>(v210);
        let v224 = bitcast<f32>(v223);
        let v225 = bitcast<u32>(v211);
        let v226 = bitcast<f32>(v225);
        let v227 = bitcast<u32>(v212);
        let v228 = bitcast<f32>(v227);
        let v229 = (v214 - 8388608.0f);
        let v230 = (v216 - 8388608.0f);
        let v231 = (v218 - 8388608.0f);
        let v232 = (v220 - 8388608.0f);
        let v233 = (v222 - 8388608.0f);
        let v234 = (v224 - 8388608.0f);
        let v235 = (v226 - 8388608.0f);
        let v236 = (v228 - 8388608.0f);
        let v237 = (p.a8_line / 4i);
        let v238 = (v229 - 8.0f);
        let v239 = (v230 - 8.0f);
        let v240 = (v231 - 8.0f);
        let v241 = (v232 - 8.0f);
        let v242 = (v233 - 8.0f);
        let v243 = (v234 - 8.0f);
        let v244 = (v235 - 8.0f);
        let v245 = (v236 - 8.0f);
        let v246 = (v139 * v237);
        let v247 = (v140 * v237);
        let v248 = (v141 * v237);
        let v249 = (v142 * v237);
        let v250 = (v143 * v237);
        let v251 = (v144 * v237);
        let v252 = (v145 * v237);
        let v253 = (v146 * v237);
        let v254 = (v246 + v155);
        let v255 = (v247 + v155);
        let v256 = (v248 + v155);
        let v257 = (v249 + v155);
        let v258 = (v250 + v155);
        let v259 = (v251 + v155);
        let v260 = (v252 + v155);
        let v261 = (v253 + v155);
        let x262 = from_half(extractBits(g_s[(v254 >> 1u)], u32(v254 & 1i) * 16u, 16u));
        let x263 = from_half(extractBits(g_s[(v255 >> 1u)], u32(v255 & 1i) * 16u, 16u));
        let x264 = from_half(extractBits(g_s[(v256 >> 1u)], u32(v256 & 1i) * 16u, 16u));
        let x265 = from_half(extractBits(g_s[(v257 >> 1u)], u32(v257 & 1i) * 16u, 16u));
        let x266 = from_half(extractBits(g_s[(v258 >> 1u)], u32(v258 & 1i) * 16u, 16u));
        let x267 = from_half(extractBits(g_s[(v259 >> 1u)], u32(v259 & 1i) * 16u, 16u));
        let x268 = from_half(extractBits(g_s[(v260 >> 1u)], u32(v260 & 1i) * 16u, 16u));
        let x269 = from_half(extractBits(g_s[(v261 >> 1u)], u32(v261 & 1i) * 16u, 16u));
        let v270 = (v238 * x262);
        let v271 = (v239 * x263);
        let v272 = (v240 * x264);
        let v273 = (v241 * x265);
        let v274 = (v242 * x266);
        let v275 = (v243 * x267);
        let v276 = (v244 * x268);
        let v277 = (v245 * x269);
        var m278: f32 = m5;
        var m279: f32 = m6;
        var m280: f32 = m7;
        var m281: f32 = m8;
        var m282: f32 = m9;
        var m283: f32 = m10;
        var m284: f32 = m11;
        var m285: f32 = m12;
        var m286: f32 = m13;
        var m287: f32 = m14;
        var m288: f32 = m15;
        var m289: f32 = m16;
        var m290: f32 = m17;
        var m291: f32 = m18;
        var m292: f32 = m19;
        var m293: f32 = m20;
        var m294: f32 = m21;
        var m295: f32 = m22;
        var m296: f32 = m23;
        var m297: f32 = m24;
        var m298: f32 = m25;
        var m299: f32 = m26;
        var m300: f32 = m27;
        var m301: f32 = m28;
        var m302: f32 = m29;
        var m303: f32 = m30;
        var m304: f32 = m31;
        var m305: f32 = m32;
        var m306: f32 = m33;
        var m307: f32 = m34;
        var m308: f32 = m35;
        var m309: f32 = m36;
        var m310: f32 = m37;
        var m311: f32 = m38;
        var m312: f32 = m39;
        var m313: f32 = m40;
        var m314: f32 = m41;
        var m315: f32 = m42;
        var m316: f32 = m43;
        var m317: f32 = m44;
        var m318: f32 = m45;
        var m319: f32 = m46;
        var m320: f32 = m47;
        var m321: f32 = m48;
        var m322: f32 = m49;
        var m323: f32 = m50;
        var m324: f32 = m51;
        var m325: f32 = m52;
        var m326: f32 = m53;
        var m327: f32 = m54;
        var m328: f32 = m55;
        var m329: f32 = m56;
        var m330: f32 = m57;
        var m331: f32 = m58;
        var m332: f32 = m59;
        var m333: f32 = m60;
        var m334: f32 = m61;
        var m335: f32 = m62;
        var m336: f32 = m63;
        var m337: f32 = m64;
        var m338: f32 = m65;
        var m339: f32 = m66;
        var m340: f32 = m67;
        var m341: f32 = m68;
        workgroupBarrier();
        if (t342 == 0i) {
            pool[((t343 * 129i) + t71)] = bitcast<u32>(v123);
            pool[((t343 * 129i) + (t71 + 16i))] = bitcast<u32>(v124);
            pool[((t343 * 129i) + (t71 + 32i))] = bitcast<u32>(v125);
            pool[((t343 * 129i) + (t71 + 48i))] = bitcast<u32>(v126);
            pool[((t343 * 129i) + (t71 + 64i))] = bitcast<u32>(v127);
            pool[((t343 * 129i) + (t71 + 80i))] = bitcast<u32>(v128);
            pool[((t343 * 129i) + (t71 + 96i))] = bitcast<u32>(v129);
            pool[((t343 * 129i) + (t71 + 112i))] = bitcast<u32>(v130);
        }
        if (t342 == 0i) {
            pool[(((t343 * 129i) + t71) + 1032i)] = bitcast<u32>(v270);
            pool[(((t343 * 129i) + (t71 + 16i)) + 1032i)] = bitcast<u32>(v271);
            pool[(((t343 * 129i) + (t71 + 32i)) + 1032i)] = bitcast<u32>(v272);
            pool[(((t343 * 129i) + (t71 + 48i)) + 1032i)] = bitcast<u32>(v273);
            pool[(((t343 * 129i) + (t71 + 64i)) + 1032i)] = bitcast<u32>(v274);
            pool[(((t343 * 129i) + (t71 + 80i)) + 1032i)] = bitcast<u32>(v275);
            pool[(((t343 * 129i) + (t71 + 96i)) + 1032i)] = bitcast<u32>(v276);
            pool[(((t343 * 129i) + (t71 + 112i)) + 1032i)] = bitcast<u32>(v277);
        }
        workgroupBarrier();
        for (var k344 = 0i; k344 < 8i; k344 = k344 + 1i) {
            let v345 = (t71 + ((((0i * 8i) + k344)) * 129i));
            let v346 = ((t103 + 1032i) + ((((0i * 8i) + k344)) * 129i));
            let v347 = bitcast<f32>(pool[v345]);
            let v348 = bitcast<f32>(pool[v346]);
            let v349 = bitcast<f32>(pool[(v346 + 16i)]);
            let v350 = bitcast<f32>(pool[(v346 + 32i)]);
            let v351 = bitcast<f32>(pool[(v346 + 48i)]);
            let v352 = bitcast<f32>(pool[(v346 + 64i)]);
            let v353 = bitcast<f32>(pool[(v346 + 80i)]);
            let v354 = bitcast<f32>(pool[(v346 + 96i)]);
            let v355 = bitcast<f32>(pool[(v346 + 112i)]);
            let v356 = bitcast<f32>(pool[(v345 + 16i)]);
            let v357 = bitcast<f32>(pool[(v345 + 32i)]);
            let v358 = bitcast<f32>(pool[(v345 + 48i)]);
            let v359 = bitcast<f32>(pool[(v345 + 64i)]);
            let v360 = bitcast<f32>(pool[(v345 + 80i)]);
            let v361 = bitcast<f32>(pool[(v345 + 96i)]);
            let v362 = bitcast<f32>(pool[(v345 + 112i)]);
            m278 = fma(v347, v348, m278);
            m279 = fma(v347, v349, m279);
            m280 = fma(v347, v350, m280);
            m281 = fma(v347, v351, m281);
            m282 = fma(v347, v352, m282);
            m283 = fma(v347, v353, m283);
            m284 = fma(v347, v354, m284);
            m285 = fma(v347, v355, m285);
            m286 = fma(v356, v348, m286);
            m287 = fma(v356, v349, m287);
            m288 = fma(v356, v350, m288);
            m289 = fma(v356, v351, m289);
            m290 = fma(v356, v352, m290);
            m291 = fma(v356, v353, m291);
            m292 = fma(v356, v354, m292);
            m293 = fma(v356, v355, m293);
            m294 = fma(v357, v348, m294);
            m295 = fma(v357, v349, m295);
            m296 = fma(v357, v350, m296);
            m297 = fma(v357, v351, m297);
            m298 = fma(v357, v352, m298);
            m299 = fma(v357, v353, m299);
            m300 = fma(v357, v354, m300);
            m301 = fma(v357, v355, m301);
            m302 = fma(v358, v348, m302);
            m303 = fma(v358, v349, m303);
            m304 = fma(v358, v350, m304);
            m305 = fma(v358, v351, m305);
            m306 = fma(v358, v352, m306);
            m307 = fma(v358, v353, m307);
            m308 = fma(v358, v354, m308);
            m309 = fma(v358, v355, m309);
            m310 = fma(v359, v348, m310);
            m311 = fma(v359, v349, m311);
            m312 = fma(v359, v350, m312);
            m313 = fma(v359, v351, m313);
            m314 = fma(v359, v352, m314);
            m315 = fma(v359, v353, m315);
            m316 = fma(v359, v354, m316);
            m317 = fma(v359, v355, m317);
            m318 = fma(v360, v348, m318);
            m319 = fma(v360, v349, m319);
            m320 = fma(v360, v350, m320);
            m321 = fma(v360, v351, m321);
            m322 = fma(v360, v352, m322);
            m323 = fma(v360, v353, m323);
            m324 = fma(v360, v354, m324);
            m325 = fma(v360, v355, m325);
            m326 = fma(v361, v348, m326);
            m327 = fma(v361, v349, m327);
            m328 = fma(v361, v350, m328);
            m329 = fma(v361, v351, m329);
            m330 = fma(v361, v352, m330);
            m331 = fma(v361, v353, m331);
            m332 = fma(v361, v354, m332);
            m333 = fma(v361, v355, m333);
            m334 = fma(v362, v348, m334);
            m335 = fma(v362, v349, m335);
            m336 = fma(v362, v350, m336);
            m337 = fma(v362, v351, m337);
            m338 = fma(v362, v352, m338);
            m339 = fma(v362, v353, m339);
            m340 = fma(v362, v354, m340);
            m341 = fma(v362, v355, m341);
        }
        workgroupBarrier();
        if (t342 == 1i) {
            pool[((t343 * 129i) + t71)] = bitcast<u32>(v123);
            pool[((t343 * 129i) + (t71 + 16i))] = bitcast<u32>(v124);
            pool[((t343 * 129i) + (t71 + 32i))] = bitcast<u32>(v125);
            pool[((t343 * 129i) + (t71 + 48i))] = bitcast<u32>(v126);
            pool[((t343 * 129i) + (t71 + 64i))] = bitcast<u32>(v127);
            pool[((t343 * 129i) + (t71 + 80i))] = bitcast<u32>(v128);
            pool[((t343 * 129i) + (t71 + 96i))] = bitcast<u32>(v129);
            pool[((t343 * 129i) + (t71 + 112i))] = bitcast<u32>(v130);
        }
        if (t342 == 1i) {
            pool[(((t343 * 129i) + t71) + 1032i)] = bitcast<u32>(v270);
            pool[(((t343 * 129i) + (t71 + 16i)) + 1032i)] = bitcast<u32>(v271);
            pool[(((t343 * 129i) + (t71 + 32i)) + 1032i)] = bitcast<u32>(v272);
            pool[(((t343 * 129i) + (t71 + 48i)) + 1032i)] = bitcast<u32>(v273);
            pool[(((t343 * 129i) + (t71 + 64i)) + 1032i)] = bitcast<u32>(v274);
            pool[(((t343 * 129i) + (t71 + 80i)) + 1032i)] = bitcast<u32>(v275);
            pool[(((t343 * 129i) + (t71 + 96i)) + 1032i)] = bitcast<u32>(v276);
            pool[(((t343 * 129i) + (t71 + 112i)) + 1032i)] = bitcast<u32>(v277);
        }
        workgroupBarrier();
        for (var k363 = 0i; k363 < 8i; k363 = k363 + 1i) {
            let v364 = (t71 + ((((0i * 8i) + k363)) * 129i));
            let v365 = ((t103 + 1032i) + ((((0i * 8i) + k363)) * 129i));
            let v366 = bitcast<f32>(pool[v364]);
            let v367 = bitcast<f32>(pool[v365]);
            let v368 = bitcast<f32>(pool[(v365 + 16i)]);
            let v369 = bitcast<f32>(pool[(v365 + 32i)]);
            let v370 = bitcast<f32>(pool[(v365 + 48i)]);
            let v371 = bitcast<f32>(pool[(v365 + 64i)]);
            let v372 = bitcast<f32>(pool[(v365 + 80i)]);
            let v373 = bitcast<f32>(pool[(v365 + 96i)]);
            let v374 = bitcast<f32>(pool[(v365 + 112i)]);
            let v375 = bitcast<f32>(pool[(v364 + 16i)]);
            let v376 = bitcast<f32>(pool[(v364 + 32i)]);
            let v377 = bitcast<f32>(pool[(v364 + 48i)]);
            let v378 = bitcast<f32>(pool[(v364 + 64i)]);
            let v379 = bitcast<f32>(pool[(v364 + 80i)]);
            let v380 = bitcast<f32>(pool[(v364 + 96i)]);
            let v381 = bitcast<f32>(pool[(v364 + 112i)]);
            m278 = fma(v366, v367, m278);
            m279 = fma(v366, v368, m279);
            m280 = fma(v366, v369, m280);
            m281 = fma(v366, v370, m281);
            m282 = fma(v366, v371, m282);
            m283 = fma(v366, v372, m283);
            m284 = fma(v366, v373, m284);
            m285 = fma(v366, v374, m285);
            m286 = fma(v375, v367, m286);
            m287 = fma(v375, v368, m287);
            m288 = fma(v375, v369, m288);
            m289 = fma(v375, v370, m289);
            m290 = fma(v375, v371, m290);
            m291 = fma(v375, v372, m291);
            m292 = fma(v375, v373, m292);
            m293 = fma(v375, v374, m293);
            m294 = fma(v376, v367, m294);
            m295 = fma(v376, v368, m295);
            m296 = fma(v376, v369, m296);
            m297 = fma(v376, v370, m297);
            m298 = fma(v376, v371, m298);
            m299 = fma(v376, v372, m299);
            m300 = fma(v376, v373, m300);
            m301 = fma(v376, v374, m301);
            m302 = fma(v377, v367, m302);
            m303 = fma(v377, v368, m303);
            m304 = fma(v377, v369, m304);
            m305 = fma(v377, v370, m305);
            m306 = fma(v377, v371, m306);
            m307 = fma(v377, v372, m307);
            m308 = fma(v377, v373, m308);
            m309 = fma(v377, v374, m309);
            m310 = fma(v378, v367, m310);
            m311 = fma(v378, v368, m311);
            m312 = fma(v378, v369, m312);
            m313 = fma(v378, v370, m313);
            m314 = fma(v378, v371, m314);
            m315 = fma(v378, v372, m315);
            m316 = fma(v378, v373, m316);
            m317 = fma(v378, v374, m317);
            m318 = fma(v379, v367, m318);
            m319 = fma(v379, v368, m319);
            m320 = fma(v379, v369, m320);
            m321 = fma(v379, v370, m321);
            m322 = fma(v379, v371, m322);
            m323 = fma(v379, v372, m323);
            m324 = fma(v379, v373, m324);
            m325 = fma(v379, v374, m325);
            m326 = fma(v380, v367, m326);
            m327 = fma(v380, v368, m327);
            m328 = fma(v380, v369, m328);
            m329 = fma(v380, v370, m329);
            m330 = fma(v380, v371, m330);
            m331 = fma(v380, v372, m331);
            m332 = fma(v380, v373, m332);
            m333 = fma(v380, v374, m333);
            m334 = fma(v381, v367, m334);
            m335 = fma(v381, v368, m335);
            m336 = fma(v381, v369, m336);
            m337 = fma(v381, v370, m337);
            m338 = fma(v381, v371, m338);
            m339 = fma(v381, v372, m339);
            m340 = fma(v381, v373, m340);
            m341 = fma(v381, v374, m341);
        }
        m5 = m278;
        m6 = m279;
        m7 = m280;
        m8 = m281;
        m9 = m282;
        m10 = m283;
        m11 = m284;
        m12 = m285;
        m13 = m286;
        m14 = m287;
        m15 = m288;
        m16 = m289;
        m17 = m290;
        m18 = m291;
        m19 = m292;
        m20 = m293;
        m21 = m294;
        m22 = m295;
        m23 = m296;
        m24 = m297;
        m25 = m298;
        m26 = m299;
        m27 = m300;
        m28 = m301;
        m29 = m302;
        m30 = m303;
        m31 = m304;
        m32 = m305;
        m33 = m306;
        m34 = m307;
        m35 = m308;
        m36 = m309;
        m37 = m310;
        m38 = m311;
        m39 = m312;
        m40 = m313;
        m41 = m314;
        m42 = m315;
        m43 = m316;
        m44 = m317;
        m45 = m318;
        m46 = m319;
        m47 = m320;
        m48 = m321;
        m49 = m322;
        m50 = m323;
        m51 = m324;
        m52 = m325;
        m53 = m326;
        m54 = m327;
        m55 = m328;
        m56 = m329;
        m57 = m330;
        m58 = m331;
        m59 = m332;
        m60 = m333;
        m61 = m334;
        m62 = m335;
        m63 = m336;
        m64 = m337;
        m65 = m338;
        m66 = m339;
        m67 = m340;
        m68 = m341;
    }
    let v382 = (t71 + 16i);
    let v383 = (t71 + 32i);
    let v384 = (t71 + 48i);
    let v385 = (t71 + 64i);
    let v386 = (t71 + 80i);
    let v387 = (t71 + 96i);
    let v388 = (t71 + 112i);
    let v389 = (v1 + t71);
    let v390 = (v1 + v382);
    let v391 = (v1 + v383);
    let v392 = (v1 + v384);
    let v393 = (v1 + v385);
    let v394 = (v1 + v386);
    let v395 = (v1 + v387);
    let v396 = (v1 + v388);
    let v397 = min(v389, v3);
    let v398 = min(v390, v3);
    let v399 = min(v391, v3);
    let v400 = min(v392, v3);
    let v401 = min(v393, v3);
    let v402 = min(v394, v3);
    let v403 = min(v395, v3);
    let v404 = min(v396, v3);
    let v405 = (v397 * p.a9_width);
    let v406 = (v398 * p.a9_width);
    let v407 = (v399 * p.a9_width);
    let v408 = (v400 * p.a9_width);
    let v409 = (v401 * p.a9_width);
    let v410 = (v402 * p.a9_width);
    let v411 = (v403 * p.a9_width);
    let v412 = (v404 * p.a9_width);
    let v413 = (t103 + 16i);
    let v414 = (t103 + 32i);
    let v415 = (t103 + 48i);
    let v416 = (t103 + 64i);
    let v417 = (t103 + 80i);
    let v418 = (t103 + 96i);
    let v419 = (t103 + 112i);
    let v420 = (v2 + t103);
    let v421 = (v2 + v413);
    let v422 = (v2 + v414);
    let v423 = (v2 + v415);
    let v424 = (v2 + v416);
    let v425 = (v2 + v417);
    let v426 = (v2 + v418);
    let v427 = (v2 + v419);
    let v428 = min(v420, v4);
    let v429 = min(v421, v4);
    let v430 = min(v422, v4);
    let v431 = min(v423, v4);
    let v432 = min(v424, v4);
    let v433 = min(v425, v4);
    let v434 = min(v426, v4);
    let v435 = min(v427, v4);
    let v436 = (p.a10_at + v428);
    let v437 = (p.a10_at + v429);
    let v438 = (p.a10_at + v430);
    let v439 = (p.a10_at + v431);
    let v440 = (p.a10_at + v432);
    let v441 = (p.a10_at + v433);
    let v442 = (p.a10_at + v434);
    let v443 = (p.a10_at + v435);
    let v444 = (v405 + v436);
    let v445 = (v405 + v437);
    let v446 = (v405 + v438);
    let v447 = (v405 + v439);
    let v448 = (v405 + v440);
    let v449 = (v405 + v441);
    let v450 = (v405 + v442);
    let v451 = (v405 + v443);
    let v452 = (v406 + v436);
    let v453 = (v406 + v437);
    let v454 = (v406 + v438);
    let v455 = (v406 + v439);
    let v456 = (v406 + v440);
    let v457 = (v406 + v441);
    let v458 = (v406 + v442);
    let v459 = (v406 + v443);
    let v460 = (v407 + v436);
    let v461 = (v407 + v437);
    let v462 = (v407 + v438);
    let v463 = (v407 + v439);
    let v464 = (v407 + v440);
    let v465 = (v407 + v441);
    let v466 = (v407 + v442);
    let v467 = (v407 + v443);
    let v468 = (v408 + v436);
    let v469 = (v408 + v437);
    let v470 = (v408 + v438);
    let v471 = (v408 + v439);
    let v472 = (v408 + v440);
    let v473 = (v408 + v441);
    let v474 = (v408 + v442);
    let v475 = (v408 + v443);
    let v476 = (v409 + v436);
    let v477 = (v409 + v437);
    let v478 = (v409 + v438);
    let v479 = (v409 + v439);
    let v480 = (v409 + v440);
    let v481 = (v409 + v441);
    let v482 = (v409 + v442);
    let v483 = (v409 + v443);
    let v484 = (v410 + v436);
    let v485 = (v410 + v437);
    let v486 = (v410 + v438);
    let v487 = (v410 + v439);
    let v488 = (v410 + v440);
    let v489 = (v410 + v441);
    let v490 = (v410 + v442);
    let v491 = (v410 + v443);
    let v492 = (v411 + v436);
    let v493 = (v411 + v437);
    let v494 = (v411 + v438);
    let v495 = (v411 + v439);
    let v496 = (v411 + v440);
    let v497 = (v411 + v441);
    let v498 = (v411 + v442);
    let v499 = (v411 + v443);
    let v500 = (v412 + v436);
    let v501 = (v412 + v437);
    let v502 = (v412 + v438);
    let v503 = (v412 + v439);
    let v504 = (v412 + v440);
    let v505 = (v412 + v441);
    let v506 = (v412 + v442);
    let v507 = (v412 + v443);
    let x508 = g_r[v444];
    let x509 = g_r[v445];
    let x510 = g_r[v446];
    let x511 = g_r[v447];
    let x512 = g_r[v448];
    let x513 = g_r[v449];
    let x514 = g_r[v450];
    let x515 = g_r[v451];
    let x516 = g_r[v452];
    let x517 = g_r[v453];
    let x518 = g_r[v454];
    let x519 = g_r[v455];
    let x520 = g_r[v456];
    let x521 = g_r[v457];
    let x522 = g_r[v458];
    let x523 = g_r[v459];
    let x524 = g_r[v460];
    let x525 = g_r[v461];
    let x526 = g_r[v462];
    let x527 = g_r[v463];
    let x528 = g_r[v464];
    let x529 = g_r[v465];
    let x530 = g_r[v466];
    let x531 = g_r[v467];
    let x532 = g_r[v468];
    let x533 = g_r[v469];
    let x534 = g_r[v470];
    let x535 = g_r[v471];
    let x536 = g_r[v472];
    let x537 = g_r[v473];
    let x538 = g_r[v474];
    let x539 = g_r[v475];
    let x540 = g_r[v476];
    let x541 = g_r[v477];
    let x542 = g_r[v478];
    let x543 = g_r[v479];
    let x544 = g_r[v480];
    let x545 = g_r[v481];
    let x546 = g_r[v482];
    let x547 = g_r[v483];
    let x548 = g_r[v484];
    let x549 = g_r[v485];
    let x550 = g_r[v486];
    let x551 = g_r[v487];
    let x552 = g_r[v488];
    let x553 = g_r[v489];
    let x554 = g_r[v490];
    let x555 = g_r[v491];
    let x556 = g_r[v492];
    let x557 = g_r[v493];
    let x558 = g_r[v494];
    let x559 = g_r[v495];
    let x560 = g_r[v496];
    let x561 = g_r[v497];
    let x562 = g_r[v498];
    let x563 = g_r[v499];
    let x564 = g_r[v500];
    let x565 = g_r[v501];
    let x566 = g_r[v502];
    let x567 = g_r[v503];
    let x568 = g_r[v504];
    let x569 = g_r[v505];
    let x570 = g_r[v506];
    let x571 = g_r[v507];
    let v572 = (m5 + x508);
    let v573 = (m6 + x509);
    let v574 = (m7 + x510);
    let v575 = (m8 + x511);
    let v576 = (m9 + x512);
    let v577 = (m10 + x513);
    let v578 = (m11 + x514);
    let v579 = (m12 + x515);
    let v580 = (m13 + x516);
    let v581 = (m14 + x517);
    let v582 = (m15 + x518);
    let v583 = (m16 + x519);
    let v584 = (m17 + x520);
    let v585 = (m18 + x521);
    let v586 = (m19 + x522);
    let v587 = (m20 + x523);
    let v588 = (m21 + x524);
    let v589 = (m22 + x525);
    let v590 = (m23 + x526);
    let v591 = (m24 + x527);
    let v592 = (m25 + x528);
    let v593 = (m26 + x529);
    let v594 = (m27 + x530);
    let v595 = (m28 + x531);
    let v596 = (m29 + x532);
    let v597 = (m30 + x533);
    let v598 = (m31 + x534);
    let v599 = (m32 + x535);
    let v600 = (m33 + x536);
    let v601 = (m34 + x537);
    let v602 = (m35 + x538);
    let v603 = (m36 + x539);
    let v604 = (m37 + x540);
    let v605 = (m38 + x541);
    let v606 = (m39 + x542);
    let v607 = (m40 + x543);
    let v608 = (m41 + x544);
    let v609 = (m42 + x545);
    let v610 = (m43 + x546);
    let v611 = (m44 + x547);
    let v612 = (m45 + x548);
    let v613 = (m46 + x549);
    let v614 = (m47 + x550);
    let v615 = (m48 + x551);
    let v616 = (m49 + x552);
    let v617 = (m50 + x553);
    let v618 = (m51 + x554);
    let v619 = (m52 + x555);
    let v620 = (m53 + x556);
    let v621 = (m54 + x557);
    let v622 = (m55 + x558);
    let v623 = (m56 + x559);
    let v624 = (m57 + x560);
    let v625 = (m58 + x561);
    let v626 = (m59 + x562);
    let v627 = (m60 + x563);
    let v628 = (m61 + x564);
    let v629 = (m62 + x565);
    let v630 = (m63 + x566);
    let v631 = (m64 + x567);
    let v632 = (m65 + x568);
    let v633 = (m66 + x569);
    let v634 = (m67 + x570);
    let v635 = (m68 + x571);
    let v636 = (v389 < p.a5_m);
    let v637 = (v390 < p.a5_m);
    let v638 = (v391 < p.a5_m);
    let v639 = (v392 < p.a5_m);
    let v640 = (v393 < p.a5_m);
    let v641 = (v394 < p.a5_m);
    let v642 = (v395 < p.a5_m);
    let v643 = (v396 < p.a5_m);
    let v644 = (v420 < p.a6_n);
    let v645 = (v421 < p.a6_n);
    let v646 = (v422 < p.a6_n);
    let v647 = (v423 < p.a6_n);
    let v648 = (v424 < p.a6_n);
    let v649 = (v425 < p.a6_n);
    let v650 = (v426 < p.a6_n);
    let v651 = (v427 < p.a6_n);
    let v652 = (v636 & v644);
    let v653 = (v636 & v645);
    let v654 = (v636 & v646);
    let v655 = (v636 & v647);
    let v656 = (v636 & v648);
    let v657 = (v636 & v649);
    let v658 = (v636 & v650);
    let v659 = (v636 & v651);
    let v660 = (v637 & v644);
    let v661 = (v637 & v645);
    let v662 = (v637 & v646);
    let v663 = (v637 & v647);
    let v664 = (v637 & v648);
    let v665 = (v637 & v649);
    let v666 = (v637 & v650);
    let v667 = (v637 & v651);
    let v668 = (v638 & v644);
    let v669 = (v638 & v645);
    let v670 = (v638 & v646);
    let v671 = (v638 & v647);
    let v672 = (v638 & v648);
    let v673 = (v638 & v649);
    let v674 = (v638 & v650);
    let v675 = (v638 & v651);
    let v676 = (v639 & v644);
    let v677 = (v639 & v645);
    let v678 = (v639 & v646);
    let v679 = (v639 & v647);
    let v680 = (v639 & v648);
    let v681 = (v639 & v649);
    let v682 = (v639 & v650);
    let v683 = (v639 & v651);
    let v684 = (v640 & v644);
    let v685 = (v640 & v645);
    let v686 = (v640 & v646);
    let v687 = (v640 & v647);
    let v688 = (v640 & v648);
    let v689 = (v640 & v649);
    let v690 = (v640 & v650);
    let v691 = (v640 & v651);
    let v692 = (v641 & v644);
    let v693 = (v641 & v645);
    let v694 = (v641 & v646);
    let v695 = (v641 & v647);
    let v696 = (v641 & v648);
    let v697 = (v641 & v649);
    let v698 = (v641 & v650);
    let v699 = (v641 & v651);
    let v700 = (v642 & v644);
    let v701 = (v642 & v645);
    let v702 = (v642 & v646);
    let v703 = (v642 & v647);
    let v704 = (v642 & v648);
    let v705 = (v642 & v649);
    let v706 = (v642 & v650);
    let v707 = (v642 & v651);
    let v708 = (v643 & v644);
    let v709 = (v643 & v645);
    let v710 = (v643 & v646);
    let v711 = (v643 & v647);
    let v712 = (v643 & v648);
    let v713 = (v643 & v649);
    let v714 = (v643 & v650);
    let v715 = (v643 & v651);
    if (v652) {
        g_y[v444] = v572;
    }
    if (v653) {
        g_y[v445] = v573;
    }
    if (v654) {
        g_y[v446] = v574;
    }
    if (v655) {
        g_y[v447] = v575;
    }
    if (v656) {
        g_y[v448] = v576;
    }
    if (v657) {
        g_y[v449] = v577;
    }
    if (v658) {
        g_y[v450] = v578;
    }
    if (v659) {
        g_y[v451] = v579;
    }
    if (v660) {
        g_y[v452] = v580;
    }
    if (v661) {
        g_y[v453] = v581;
    }
    if (v662) {
        g_y[v454] = v582;
    }
    if (v663) {
        g_y[v455] = v583;
    }
    if (v664) {
        g_y[v456] = v584;
    }
    if (v665) {
        g_y[v457] = v585;
    }
    if (v666) {
        g_y[v458] = v586;
    }
    if (v667) {
        g_y[v459] = v587;
    }
    if (v668) {
        g_y[v460] = v588;
    }
    if (v669) {
        g_y[v461] = v589;
    }
    if (v670) {
        g_y[v462] = v590;
    }
    if (v671) {
        g_y[v463] = v591;
    }
    if (v672) {
        g_y[v464] = v592;
    }
    if (v673) {
        g_y[v465] = v593;
    }
    if (v674) {
        g_y[v466] = v594;
    }
    if (v675) {
        g_y[v467] = v595;
    }
    if (v676) {
        g_y[v468] = v596;
    }
    if (v677) {
        g_y[v469] = v597;
    }
    if (v678) {
        g_y[v470] = v598;
    }
    if (v679) {
        g_y[v471] = v599;
    }
    if (v680) {
        g_y[v472] = v600;
    }
    if (v681) {
        g_y[v473] = v601;
    }
    if (v682) {
        g_y[v474] = v602;
    }
    if (v683) {
        g_y[v475] = v603;
    }
    if (v684) {
        g_y[v476] = v604;
    }
    if (v685) {
        g_y[v477] = v605;
    }
    if (v686) {
        g_y[v478] = v606;
    }
    if (v687) {
        g_y[v479] = v607;
    }
    if (v688) {
        g_y[v480] = v608;
    }
    if (v689) {
        g_y[v481] = v609;
    }
    if (v690) {
        g_y[v482] = v610;
    }
    if (v691) {
        g_y[v483] = v611;
    }
    if (v692) {
        g_y[v484] = v612;
    }
    if (v693) {
        g_y[v485] = v613;
    }
    if (v694) {
        g_y[v486] = v614;
    }
    if (v695) {
        g_y[v487] = v615;
    }
    if (v696) {
        g_y[v488] = v616;
    }
    if (v697) {
        g_y[v489] = v617;
    }
    if (v698) {
        g_y[v490] = v618;
    }
    if (v699) {
        g_y[v491] = v619;
    }
    if (v700) {
        g_y[v492] = v620;
    }
    if (v701) {
        g_y[v493] = v621;
    }
    if (v702) {
        g_y[v494] = v622;
    }
    if (v703) {
        g_y[v495] = v623;
    }
    if (v704) {
        g_y[v496] = v624;
    }
    if (v705) {
        g_y[v497] = v625;
    }
    if (v706) {
        g_y[v498] = v626;
    }
    if (v707) {
        g_y[v499] = v627;
    }
    if (v708) {
        g_y[v500] = v628;
    }
    if (v709) {
        g_y[v501] = v629;
    }
    if (v710) {
        g_y[v502] = v630;
    }
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
}
