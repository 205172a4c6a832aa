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
    let t366 = ((lane >> 3u) & 1i);
    let t367 = (lane & 7i);
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
        let v238 = (v139 * v237);
        let v239 = (v140 * v237);
        let v240 = (v141 * v237);
        let v241 = (v142 * v237);
        let v242 = (v143 * v237);
        let v243 = (v144 * v237);
        let v244 = (v145 * v237);
        let v245 = (v146 * v237);
        let v246 = (v238 + v155);
        let v247 = (v239 + v155);
        let v248 = (v240 + v155);
        let v249 = (v241 + v155);
        let v250 = (v242 + v155);
        let v251 = (v243 + v155);
        let v252 = (v244 + v155);
        let v253 = (v245 + v155);
        let v254 = (v246 * 2i);
        let v255 = (v247 * 2i);
        let v256 = (v248 * 2i);
        let v257 = (v249 * 2i);
        let v258 = (v250 * 2i);
        let v259 = (v251 * 2i);
        let v260 = (v252 * 2i);
        let v261 = (v253 * 2i);
        let x262 = from_half(extractBits(g_s[(v254 >> 1u)], u32(v254 & 1i) * 16u, 16u));
        let x263 = from_half(extractBits(g_s[(v255 >> 1u)], u32(v255 & 1i) * 16u, 16u));
        let x264 = from_half(extractBits(g_s[(v256 >> 1u)], u32(v256 & 1i) * 16u, 16u));
        let x265 = from_half(extractBits(g_s[(v257 >> 1u)], u32(v257 & 1i) * 16u, 16u));
        let x266 = from_half(extractBits(g_s[(v258 >> 1u)], u32(v258 & 1i) * 16u, 16u));
        let x267 = from_half(extractBits(g_s[(v259 >> 1u)], u32(v259 & 1i) * 16u, 16u));
        let x268 = from_half(extractBits(g_s[(v260 >> 1u)], u32(v260 & 1i) * 16u, 16u));
        let x269 = from_half(extractBits(g_s[(v261 >> 1u)], u32(v261 & 1i) * 16u, 16u));
        let v270 = (v229 * x262);
        let v271 = (v230 * x263);
        let v272 = (v231 * x264);
        let v273 = (v232 * x265);
        let v274 = (v233 * x266);
        let v275 = (v234 * x267);
        let v276 = (v235 * x268);
        let v277 = (v236 * x269);
        let v278 = (v254 + 1i);
        let v279 = (v255 + 1i);
        let v280 = (v256 + 1i);
        let v281 = (v257 + 1i);
        let v282 = (v258 + 1i);
        let v283 = (v259 + 1i);
        let v284 = (v260 + 1i);
        let v285 = (v261 + 1i);
        let x286 = from_half(extractBits(g_s[(v278 >> 1u)], u32(v278 & 1i) * 16u, 16u));
        let x287 = from_half(extractBits(g_s[(v279 >> 1u)], u32(v279 & 1i) * 16u, 16u));
        let x288 = from_half(extractBits(g_s[(v280 >> 1u)], u32(v280 & 1i) * 16u, 16u));
        let x289 = from_half(extractBits(g_s[(v281 >> 1u)], u32(v281 & 1i) * 16u, 16u));
        let x290 = from_half(extractBits(g_s[(v282 >> 1u)], u32(v282 & 1i) * 16u, 16u));
        let x291 = from_half(extractBits(g_s[(v283 >> 1u)], u32(v283 & 1i) * 16u, 16u));
        let x292 = from_half(extractBits(g_s[(v284 >> 1u)], u32(v284 & 1i) * 16u, 16u));
        let x293 = from_half(extractBits(g_s[(v285 >> 1u)], u32(v285 & 1i) * 16u, 16u));
        let v294 = (v270 + x286);
        let v295 = (v271 + x287);
        let v296 = (v272 + x288);
        let v297 = (v273 + x289);
        let v298 = (v274 + x290);
        let v299 = (v275 + x291);
        let v300 = (v276 + x292);
        let v301 = (v277 + x293);
        var m302: f32 = m5;
        var m303: f32 = m6;
        var m304: f32 = m7;
        var m305: f32 = m8;
        var m306: f32 = m9;
        var m307: f32 = m10;
        var m308: f32 = m11;
        var m309: f32 = m12;
        var m310: f32 = m13;
        var m311: f32 = m14;
        var m312: f32 = m15;
        var m313: f32 = m16;
        var m314: f32 = m17;
        var m315: f32 = m18;
        var m316: f32 = m19;
        var m317: f32 = m20;
        var m318: f32 = m21;
        var m319: f32 = m22;
        var m320: f32 = m23;
        var m321: f32 = m24;
        var m322: f32 = m25;
        var m323: f32 = m26;
        var m324: f32 = m27;
        var m325: f32 = m28;
        var m326: f32 = m29;
        var m327: f32 = m30;
        var m328: f32 = m31;
        var m329: f32 = m32;
        var m330: f32 = m33;
        var m331: f32 = m34;
        var m332: f32 = m35;
        var m333: f32 = m36;
        var m334: f32 = m37;
        var m335: f32 = m38;
        var m336: f32 = m39;
        var m337: f32 = m40;
        var m338: f32 = m41;
        var m339: f32 = m42;
        var m340: f32 = m43;
        var m341: f32 = m44;
        var m342: f32 = m45;
        var m343: f32 = m46;
        var m344: f32 = m47;
        var m345: f32 = m48;
        var m346: f32 = m49;
        var m347: f32 = m50;
        var m348: f32 = m51;
        var m349: f32 = m52;
        var m350: f32 = m53;
        var m351: f32 = m54;
        var m352: f32 = m55;
        var m353: f32 = m56;
        var m354: f32 = m57;
        var m355: f32 = m58;
        var m356: f32 = m59;
        var m357: f32 = m60;
        var m358: f32 = m61;
        var m359: f32 = m62;
        var m360: f32 = m63;
        var m361: f32 = m64;
        var m362: f32 = m65;
        var m363: f32 = m66;
        var m364: f32 = m67;
        var m365: f32 = m68;
        workgroupBarrier();
        if (t366 == 0i) {
            pool[((t367 * 129i) + t71)] = bitcast<u32>(v123);
            pool[((t367 * 129i) + (t71 + 16i))] = bitcast<u32>(v124);
            pool[((t367 * 129i) + (t71 + 32i))] = bitcast<u32>(v125);
            pool[((t367 * 129i) + (t71 + 48i))] = bitcast<u32>(v126);
            pool[((t367 * 129i) + (t71 + 64i))] = bitcast<u32>(v127);
            pool[((t367 * 129i) + (t71 + 80i))] = bitcast<u32>(v128);
            pool[((t367 * 129i) + (t71 + 96i))] = bitcast<u32>(v129);
            pool[((t367 * 129i) + (t71 + 112i))] = bitcast<u32>(v130);
        }
        if (t366 == 0i) {
            pool[(((t367 * 129i) + t71) + 1032i)] = bitcast<u32>(v294);
            pool[(((t367 * 129i) + (t71 + 16i)) + 1032i)] = bitcast<u32>(v295);
            pool[(((t367 * 129i) + (t71 + 32i)) + 1032i)] = bitcast<u32>(v296);
            pool[(((t367 * 129i) + (t71 + 48i)) + 1032i)] = bitcast<u32>(v297);
            pool[(((t367 * 129i) + (t71 + 64i)) + 1032i)] = bitcast<u32>(v298);
            pool[(((t367 * 129i) + (t71 + 80i)) + 1032i)] = bitcast<u32>(v299);
            pool[(((t367 * 129i) + (t71 + 96i)) + 1032i)] = bitcast<u32>(v300);
            pool[(((t367 * 129i) + (t71 + 112i)) + 1032i)] = bitcast<u32>(v301);
        }
        workgroupBarrier();
        for (var k368 = 0i; k368 < 8i; k368 = k368 + 1i) {
            let v369 = (t71 + ((((0i * 8i) + k368)) * 129i));
            let v370 = ((t103 + 1032i) + ((((0i * 8i) + k368)) * 129i));
            let v371 = bitcast<f32>(pool[v369]);
            let v372 = bitcast<f32>(pool[v370]);
            let v373 = bitcast<f32>(pool[(v370 + 16i)]);
            let v374 = bitcast<f32>(pool[(v370 + 32i)]);
            let v375 = bitcast<f32>(pool[(v370 + 48i)]);
            let v376 = bitcast<f32>(pool[(v370 + 64i)]);
            let v377 = bitcast<f32>(pool[(v370 + 80i)]);
            let v378 = bitcast<f32>(pool[(v370 + 96i)]);
            let v379 = bitcast<f32>(pool[(v370 + 112i)]);
            let v380 = bitcast<f32>(pool[(v369 + 16i)]);
            let v381 = bitcast<f32>(pool[(v369 + 32i)]);
            let v382 = bitcast<f32>(pool[(v369 + 48i)]);
            let v383 = bitcast<f32>(pool[(v369 + 64i)]);
            let v384 = bitcast<f32>(pool[(v369 + 80i)]);
            let v385 = bitcast<f32>(pool[(v369 + 96i)]);
            let v386 = bitcast<f32>(pool[(v369 + 112i)]);
            m302 = fma(v371, v372, m302);
            m303 = fma(v371, v373, m303);
            m304 = fma(v371, v374, m304);
            m305 = fma(v371, v375, m305);
            m306 = fma(v371, v376, m306);
            m307 = fma(v371, v377, m307);
            m308 = fma(v371, v378, m308);
            m309 = fma(v371, v379, m309);
            m310 = fma(v380, v372, m310);
            m311 = fma(v380, v373, m311);
            m312 = fma(v380, v374, m312);
            m313 = fma(v380, v375, m313);
            m314 = fma(v380, v376, m314);
            m315 = fma(v380, v377, m315);
            m316 = fma(v380, v378, m316);
            m317 = fma(v380, v379, m317);
            m318 = fma(v381, v372, m318);
            m319 = fma(v381, v373, m319);
            m320 = fma(v381, v374, m320);
            m321 = fma(v381, v375, m321);
            m322 = fma(v381, v376, m322);
            m323 = fma(v381, v377, m323);
            m324 = fma(v381, v378, m324);
            m325 = fma(v381, v379, m325);
            m326 = fma(v382, v372, m326);
            m327 = fma(v382, v373, m327);
            m328 = fma(v382, v374, m328);
            m329 = fma(v382, v375, m329);
            m330 = fma(v382, v376, m330);
            m331 = fma(v382, v377, m331);
            m332 = fma(v382, v378, m332);
            m333 = fma(v382, v379, m333);
            m334 = fma(v383, v372, m334);
            m335 = fma(v383, v373, m335);
            m336 = fma(v383, v374, m336);
            m337 = fma(v383, v375, m337);
            m338 = fma(v383, v376, m338);
            m339 = fma(v383, v377, m339);
            m340 = fma(v383, v378, m340);
            m341 = fma(v383, v379, m341);
            m342 = fma(v384, v372, m342);
            m343 = fma(v384, v373, m343);
            m344 = fma(v384, v374, m344);
            m345 = fma(v384, v375, m345);
            m346 = fma(v384, v376, m346);
            m347 = fma(v384, v377, m347);
            m348 = fma(v384, v378, m348);
            m349 = fma(v384, v379, m349);
            m350 = fma(v385, v372, m350);
            m351 = fma(v385, v373, m351);
            m352 = fma(v385, v374, m352);
            m353 = fma(v385, v375, m353);
            m354 = fma(v385, v376, m354);
            m355 = fma(v385, v377, m355);
            m356 = fma(v385, v378, m356);
            m357 = fma(v385, v379, m357);
            m358 = fma(v386, v372, m358);
            m359 = fma(v386, v373, m359);
            m360 = fma(v386, v374, m360);
            m361 = fma(v386, v375, m361);
            m362 = fma(v386, v376, m362);
            m363 = fma(v386, v377, m363);
            m364 = fma(v386, v378, m364);
            m365 = fma(v386, v379, m365);
        }
        workgroupBarrier();
        if (t366 == 1i) {
            pool[((t367 * 129i) + t71)] = bitcast<u32>(v123);
            pool[((t367 * 129i) + (t71 + 16i))] = bitcast<u32>(v124);
            pool[((t367 * 129i) + (t71 + 32i))] = bitcast<u32>(v125);
            pool[((t367 * 129i) + (t71 + 48i))] = bitcast<u32>(v126);
            pool[((t367 * 129i) + (t71 + 64i))] = bitcast<u32>(v127);
            pool[((t367 * 129i) + (t71 + 80i))] = bitcast<u32>(v128);
            pool[((t367 * 129i) + (t71 + 96i))] = bitcast<u32>(v129);
            pool[((t367 * 129i) + (t71 + 112i))] = bitcast<u32>(v130);
        }
        if (t366 == 1i) {
            pool[(((t367 * 129i) + t71) + 1032i)] = bitcast<u32>(v294);
            pool[(((t367 * 129i) + (t71 + 16i)) + 1032i)] = bitcast<u32>(v295);
            pool[(((t367 * 129i) + (t71 + 32i)) + 1032i)] = bitcast<u32>(v296);
            pool[(((t367 * 129i) + (t71 + 48i)) + 1032i)] = bitcast<u32>(v297);
            pool[(((t367 * 129i) + (t71 + 64i)) + 1032i)] = bitcast<u32>(v298);
            pool[(((t367 * 129i) + (t71 + 80i)) + 1032i)] = bitcast<u32>(v299);
            pool[(((t367 * 129i) + (t71 + 96i)) + 1032i)] = bitcast<u32>(v300);
            pool[(((t367 * 129i) + (t71 + 112i)) + 1032i)] = bitcast<u32>(v301);
        }
        workgroupBarrier();
        for (var k387 = 0i; k387 < 8i; k387 = k387 + 1i) {
            let v388 = (t71 + ((((0i * 8i) + k387)) * 129i));
            let v389 = ((t103 + 1032i) + ((((0i * 8i) + k387)) * 129i));
            let v390 = bitcast<f32>(pool[v388]);
            let v391 = bitcast<f32>(pool[v389]);
            let v392 = bitcast<f32>(pool[(v389 + 16i)]);
            let v393 = bitcast<f32>(pool[(v389 + 32i)]);
            let v394 = bitcast<f32>(pool[(v389 + 48i)]);
            let v395 = bitcast<f32>(pool[(v389 + 64i)]);
            let v396 = bitcast<f32>(pool[(v389 + 80i)]);
            let v397 = bitcast<f32>(pool[(v389 + 96i)]);
            let v398 = bitcast<f32>(pool[(v389 + 112i)]);
            let v399 = bitcast<f32>(pool[(v388 + 16i)]);
            let v400 = bitcast<f32>(pool[(v388 + 32i)]);
            let v401 = bitcast<f32>(pool[(v388 + 48i)]);
            let v402 = bitcast<f32>(pool[(v388 + 64i)]);
            let v403 = bitcast<f32>(pool[(v388 + 80i)]);
            let v404 = bitcast<f32>(pool[(v388 + 96i)]);
            let v405 = bitcast<f32>(pool[(v388 + 112i)]);
            m302 = fma(v390, v391, m302);
            m303 = fma(v390, v392, m303);
            m304 = fma(v390, v393, m304);
            m305 = fma(v390, v394, m305);
            m306 = fma(v390, v395, m306);
            m307 = fma(v390, v396, m307);
            m308 = fma(v390, v397, m308);
            m309 = fma(v390, v398, m309);
            m310 = fma(v399, v391, m310);
            m311 = fma(v399, v392, m311);
            m312 = fma(v399, v393, m312);
            m313 = fma(v399, v394, m313);
            m314 = fma(v399, v395, m314);
            m315 = fma(v399, v396, m315);
            m316 = fma(v399, v397, m316);
            m317 = fma(v399, v398, m317);
            m318 = fma(v400, v391, m318);
            m319 = fma(v400, v392, m319);
            m320 = fma(v400, v393, m320);
            m321 = fma(v400, v394, m321);
            m322 = fma(v400, v395, m322);
            m323 = fma(v400, v396, m323);
            m324 = fma(v400, v397, m324);
            m325 = fma(v400, v398, m325);
            m326 = fma(v401, v391, m326);
            m327 = fma(v401, v392, m327);
            m328 = fma(v401, v393, m328);
            m329 = fma(v401, v394, m329);
            m330 = fma(v401, v395, m330);
            m331 = fma(v401, v396, m331);
            m332 = fma(v401, v397, m332);
            m333 = fma(v401, v398, m333);
            m334 = fma(v402, v391, m334);
            m335 = fma(v402, v392, m335);
            m336 = fma(v402, v393, m336);
            m337 = fma(v402, v394, m337);
            m338 = fma(v402, v395, m338);
            m339 = fma(v402, v396, m339);
            m340 = fma(v402, v397, m340);
            m341 = fma(v402, v398, m341);
            m342 = fma(v403, v391, m342);
            m343 = fma(v403, v392, m343);
            m344 = fma(v403, v393, m344);
            m345 = fma(v403, v394, m345);
            m346 = fma(v403, v395, m346);
            m347 = fma(v403, v396, m347);
            m348 = fma(v403, v397, m348);
            m349 = fma(v403, v398, m349);
            m350 = fma(v404, v391, m350);
            m351 = fma(v404, v392, m351);
            m352 = fma(v404, v393, m352);
            m353 = fma(v404, v394, m353);
            m354 = fma(v404, v395, m354);
            m355 = fma(v404, v396, m355);
            m356 = fma(v404, v397, m356);
            m357 = fma(v404, v398, m357);
            m358 = fma(v405, v391, m358);
            m359 = fma(v405, v392, m359);
            m360 = fma(v405, v393, m360);
            m361 = fma(v405, v394, m361);
            m362 = fma(v405, v395, m362);
            m363 = fma(v405, v396, m363);
            m364 = fma(v405, v397, m364);
            m365 = fma(v405, v398, m365);
        }
        m5 = m302;
        m6 = m303;
        m7 = m304;
        m8 = m305;
        m9 = m306;
        m10 = m307;
        m11 = m308;
        m12 = m309;
        m13 = m310;
        m14 = m311;
        m15 = m312;
        m16 = m313;
        m17 = m314;
        m18 = m315;
        m19 = m316;
        m20 = m317;
        m21 = m318;
        m22 = m319;
        m23 = m320;
        m24 = m321;
        m25 = m322;
        m26 = m323;
        m27 = m324;
        m28 = m325;
        m29 = m326;
        m30 = m327;
        m31 = m328;
        m32 = m329;
        m33 = m330;
        m34 = m331;
        m35 = m332;
        m36 = m333;
        m37 = m334;
        m38 = m335;
        m39 = m336;
        m40 = m337;
        m41 = m338;
        m42 = m339;
        m43 = m340;
        m44 = m341;
        m45 = m342;
        m46 = m343;
        m47 = m344;
        m48 = m345;
        m49 = m346;
        m50 = m347;
        m51 = m348;
        m52 = m349;
        m53 = m350;
        m54 = m351;
        m55 = m352;
        m56 = m353;
        m57 = m354;
        m58 = m355;
        m59 = m356;
        m60 = m357;
        m61 = m358;
        m62 = m359;
        m63 = m360;
        m64 = m361;
        m65 = m362;
        m66 = m363;
        m67 = m364;
        m68 = m365;
    }
    let v406 = (t71 + 16i);
    let v407 = (t71 + 32i);
    let v408 = (t71 + 48i);
    let v409 = (t71 + 64i);
    let v410 = (t71 + 80i);
    let v411 = (t71 + 96i);
    let v412 = (t71 + 112i);
    let v413 = (v1 + t71);
    let v414 = (v1 + v406);
    let v415 = (v1 + v407);
    let v416 = (v1 + v408);
    let v417 = (v1 + v409);
    let v418 = (v1 + v410);
    let v419 = (v1 + v411);
    let v420 = (v1 + v412);
    let v421 = min(v413, v3);
    let v422 = min(v414, v3);
    let v423 = min(v415, v3);
    let v424 = min(v416, v3);
    let v425 = min(v417, v3);
    let v426 = min(v418, v3);
    let v427 = min(v419, v3);
    let v428 = min(v420, v3);
    let v429 = (v421 * p.a9_width);
    let v430 = (v422 * p.a9_width);
    let v431 = (v423 * p.a9_width);
    let v432 = (v424 * p.a9_width);
    let v433 = (v425 * p.a9_width);
    let v434 = (v426 * p.a9_width);
    let v435 = (v427 * p.a9_width);
    let v436 = (v428 * p.a9_width);
    let v437 = (t103 + 16i);
    let v438 = (t103 + 32i);
    let v439 = (t103 + 48i);
    let v440 = (t103 + 64i);
    let v441 = (t103 + 80i);
    let v442 = (t103 + 96i);
    let v443 = (t103 + 112i);
    let v444 = (v2 + t103);
    let v445 = (v2 + v437);
    let v446 = (v2 + v438);
    let v447 = (v2 + v439);
    let v448 = (v2 + v440);
    let v449 = (v2 + v441);
    let v450 = (v2 + v442);
    let v451 = (v2 + v443);
    let v452 = min(v444, v4);
    let v453 = min(v445, v4);
    let v454 = min(v446, v4);
    let v455 = min(v447, v4);
    let v456 = min(v448, v4);
    let v457 = min(v449, v4);
    let v458 = min(v450, v4);
    let v459 = min(v451, v4);
    let v460 = (p.a10_at + v452);
    let v461 = (p.a10_at + v453);
    let v462 = (p.a10_at + v454);
    let v463 = (p.a10_at + v455);
    let v464 = (p.a10_at + v456);
    let v465 = (p.a10_at + v457);
    let v466 = (p.a10_at + v458);
    let v467 = (p.a10_at + v459);
    let v468 = (v429 + v460);
    let v469 = (v429 + v461);
    let v470 = (v429 + v462);
    let v471 = (v429 + v463);
    let v472 = (v429 + v464);
    let v473 = (v429 + v465);
    let v474 = (v429 + v466);
    let v475 = (v429 + v467);
    let v476 = (v430 + v460);
    let v477 = (v430 + v461);
    let v478 = (v430 + v462);
    let v479 = (v430 + v463);
    let v480 = (v430 + v464);
    let v481 = (v430 + v465);
    let v482 = (v430 + v466);
    let v483 = (v430 + v467);
    let v484 = (v431 + v460);
    let v485 = (v431 + v461);
    let v486 = (v431 + v462);
    let v487 = (v431 + v463);
    let v488 = (v431 + v464);
    let v489 = (v431 + v465);
    let v490 = (v431 + v466);
    let v491 = (v431 + v467);
    let v492 = (v432 + v460);
    let v493 = (v432 + v461);
    let v494 = (v432 + v462);
    let v495 = (v432 + v463);
    let v496 = (v432 + v464);
    let v497 = (v432 + v465);
    let v498 = (v432 + v466);
    let v499 = (v432 + v467);
    let v500 = (v433 + v460);
    let v501 = (v433 + v461);
    let v502 = (v433 + v462);
    let v503 = (v433 + v463);
    let v504 = (v433 + v464);
    let v505 = (v433 + v465);
    let v506 = (v433 + v466);
    let v507 = (v433 + v467);
    let v508 = (v434 + v460);
    let v509 = (v434 + v461);
    let v510 = (v434 + v462);
    let v511 = (v434 + v463);
    let v512 = (v434 + v464);
    let v513 = (v434 + v465);
    let v514 = (v434 + v466);
    let v515 = (v434 + v467);
    let v516 = (v435 + v460);
    let v517 = (v435 + v461);
    let v518 = (v435 + v462);
    let v519 = (v435 + v463);
    let v520 = (v435 + v464);
    let v521 = (v435 + v465);
    let v522 = (v435 + v466);
    let v523 = (v435 + v467);
    let v524 = (v436 + v460);
    let v525 = (v436 + v461);
    let v526 = (v436 + v462);
    let v527 = (v436 + v463);
    let v528 = (v436 + v464);
    let v529 = (v436 + v465);
    let v530 = (v436 + v466);
    let v531 = (v436 + v467);
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
    let v596 = (m5 + x532);
    let v597 = (m6 + x533);
    let v598 = (m7 + x534);
    let v599 = (m8 + x535);
    let v600 = (m9 + x536);
    let v601 = (m10 + x537);
    let v602 = (m11 + x538);
    let v603 = (m12 + x539);
    let v604 = (m13 + x540);
    let v605 = (m14 + x541);
    let v606 = (m15 + x542);
    let v607 = (m16 + x543);
    let v608 = (m17 + x544);
    let v609 = (m18 + x545);
    let v610 = (m19 + x546);
    let v611 = (m20 + x547);
    let v612 = (m21 + x548);
    let v613 = (m22 + x549);
    let v614 = (m23 + x550);
    let v615 = (m24 + x551);
    let v616 = (m25 + x552);
    let v617 = (m26 + x553);
    let v618 = (m27 + x554);
    let v619 = (m28 + x555);
    let v620 = (m29 + x556);
    let v621 = (m30 + x557);
    let v622 = (m31 + x558);
    let v623 = (m32 + x559);
    let v624 = (m33 + x560);
    let v625 = (m34 + x561);
    let v626 = (m35 + x562);
    let v627 = (m36 + x563);
    let v628 = (m37 + x564);
    let v629 = (m38 + x565);
    let v630 = (m39 + x566);
    let v631 = (m40 + x567);
    let v632 = (m41 + x568);
    let v633 = (m42 + x569);
    let v634 = (m43 + x570);
    let v635 = (m44 + x571);
    let v636 = (m45 + x572);
    let v637 = (m46 + x573);
    let v638 = (m47 + x574);
    let v639 = (m48 + x575);
    let v640 = (m49 + x576);
    let v641 = (m50 + x577);
    let v642 = (m51 + x578);
    let v643 = (m52 + x579);
    let v644 = (m53 + x580);
    let v645 = (m54 + x581);
    let v646 = (m55 + x582);
    let v647 = (m56 + x583);
    let v648 = (m57 + x584);
    let v649 = (m58 + x585);
    let v650 = (m59 + x586);
    let v651 = (m60 + x587);
    let v652 = (m61 + x588);
    let v653 = (m62 + x589);
    let v654 = (m63 + x590);
    let v655 = (m64 + x591);
    let v656 = (m65 + x592);
    let v657 = (m66 + x593);
    let v658 = (m67 + x594);
    let v659 = (m68 + x595);
    let v660 = (v413 < p.a5_m);
    let v661 = (v414 < p.a5_m);
    let v662 = (v415 < p.a5_m);
    let v663 = (v416 < p.a5_m);
    let v664 = (v417 < p.a5_m);
    let v665 = (v418 < p.a5_m);
    let v666 = (v419 < p.a5_m);
    let v667 = (v420 < p.a5_m);
    let v668 = (v444 < p.a6_n);
    let v669 = (v445 < p.a6_n);
    let v670 = (v446 < p.a6_n);
    let v671 = (v447 < p.a6_n);
    let v672 = (v448 < p.a6_n);
    let v673 = (v449 < p.a6_n);
    let v674 = (v450 < p.a6_n);
    let v675 = (v451 < p.a6_n);
    let v676 = (v660 & v668);
    let v677 = (v660 & v669);
    let v678 = (v660 & v670);
    let v679 = (v660 & v671);
    let v680 = (v660 & v672);
    let v681 = (v660 & v673);
    let v682 = (v660 & v674);
    let v683 = (v660 & v675);
    let v684 = (v661 & v668);
    let v685 = (v661 & v669);
    let v686 = (v661 & v670);
    let v687 = (v661 & v671);
    let v688 = (v661 & v672);
    let v689 = (v661 & v673);
    let v690 = (v661 & v674);
    let v691 = (v661 & v675);
    let v692 = (v662 & v668);
    let v693 = (v662 & v669);
    let v694 = (v662 & v670);
    let v695 = (v662 & v671);
    let v696 = (v662 & v672);
    let v697 = (v662 & v673);
    let v698 = (v662 & v674);
    let v699 = (v662 & v675);
    let v700 = (v663 & v668);
    let v701 = (v663 & v669);
    let v702 = (v663 & v670);
    let v703 = (v663 & v671);
    let v704 = (v663 & v672);
    let v705 = (v663 & v673);
    let v706 = (v663 & v674);
    let v707 = (v663 & v675);
    let v708 = (v664 & v668);
    let v709 = (v664 & v669);
    let v710 = (v664 & v670);
    let v711 = (v664 & v671);
    let v712 = (v664 & v672);
    let v713 = (v664 & v673);
    let v714 = (v664 & v674);
    let v715 = (v664 & v675);
    let v716 = (v665 & v668);
    let v717 = (v665 & v669);
    let v718 = (v665 & v670);
    let v719 = (v665 & v671);
    let v720 = (v665 & v672);
    let v721 = (v665 & v673);
    let v722 = (v665 & v674);
    let v723 = (v665 & v675);
    let v724 = (v666 & v668);
    let v725 = (v666 & v669);
    let v726 = (v666 & v670);
    let v727 = (v666 & v671);
    let v728 = (v666 & v672);
    let v729 = (v666 & v673);
    let v730 = (v666 & v674);
    let v731 = (v666 & v675);
    let v732 = (v667 & v668);
    let v733 = (v667 & v669);
    let v734 = (v667 & v670);
    let v735 = (v667 & v671);
    let v736 = (v667 & v672);
    let v737 = (v667 & v673);
    let v738 = (v667 & v674);
    let v739 = (v667 & v675);
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
}
