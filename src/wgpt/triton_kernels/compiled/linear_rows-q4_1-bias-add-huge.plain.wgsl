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
    let t366 = ((lane >> 3u) & 1i);
    let t367 = (lane & 7i);
    let t429 = (lane & 240i) == 0i;
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
        let v237 = (p.a9_line / 4i);
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
    let v406 = (t103 + 16i);
    let v407 = (t103 + 32i);
    let v408 = (t103 + 48i);
    let v409 = (t103 + 64i);
    let v410 = (t103 + 80i);
    let v411 = (t103 + 96i);
    let v412 = (t103 + 112i);
    let v413 = (v2 + t103);
    let v414 = (v2 + v406);
    let v415 = (v2 + v407);
    let v416 = (v2 + v408);
    let v417 = (v2 + v409);
    let v418 = (v2 + v410);
    let v419 = (v2 + v411);
    let v420 = (v2 + v412);
    let v421 = min(v413, v4);
    let v422 = min(v414, v4);
    let v423 = min(v415, v4);
    let v424 = min(v416, v4);
    let v425 = min(v417, v4);
    let v426 = min(v418, v4);
    let v427 = min(v419, v4);
    let v428 = min(v420, v4);
    let x430 = g_b[v421];
    let x431 = g_b[v422];
    let x432 = g_b[v423];
    let x433 = g_b[v424];
    let x434 = g_b[v425];
    let x435 = g_b[v426];
    let x436 = g_b[v427];
    let x437 = g_b[v428];
    let v438 = (m5 + x430);
    let v439 = (m6 + x431);
    let v440 = (m7 + x432);
    let v441 = (m8 + x433);
    let v442 = (m9 + x434);
    let v443 = (m10 + x435);
    let v444 = (m11 + x436);
    let v445 = (m12 + x437);
    let v446 = (m13 + x430);
    let v447 = (m14 + x431);
    let v448 = (m15 + x432);
    let v449 = (m16 + x433);
    let v450 = (m17 + x434);
    let v451 = (m18 + x435);
    let v452 = (m19 + x436);
    let v453 = (m20 + x437);
    let v454 = (m21 + x430);
    let v455 = (m22 + x431);
    let v456 = (m23 + x432);
    let v457 = (m24 + x433);
    let v458 = (m25 + x434);
    let v459 = (m26 + x435);
    let v460 = (m27 + x436);
    let v461 = (m28 + x437);
    let v462 = (m29 + x430);
    let v463 = (m30 + x431);
    let v464 = (m31 + x432);
    let v465 = (m32 + x433);
    let v466 = (m33 + x434);
    let v467 = (m34 + x435);
    let v468 = (m35 + x436);
    let v469 = (m36 + x437);
    let v470 = (m37 + x430);
    let v471 = (m38 + x431);
    let v472 = (m39 + x432);
    let v473 = (m40 + x433);
    let v474 = (m41 + x434);
    let v475 = (m42 + x435);
    let v476 = (m43 + x436);
    let v477 = (m44 + x437);
    let v478 = (m45 + x430);
    let v479 = (m46 + x431);
    let v480 = (m47 + x432);
    let v481 = (m48 + x433);
    let v482 = (m49 + x434);
    let v483 = (m50 + x435);
    let v484 = (m51 + x436);
    let v485 = (m52 + x437);
    let v486 = (m53 + x430);
    let v487 = (m54 + x431);
    let v488 = (m55 + x432);
    let v489 = (m56 + x433);
    let v490 = (m57 + x434);
    let v491 = (m58 + x435);
    let v492 = (m59 + x436);
    let v493 = (m60 + x437);
    let v494 = (m61 + x430);
    let v495 = (m62 + x431);
    let v496 = (m63 + x432);
    let v497 = (m64 + x433);
    let v498 = (m65 + x434);
    let v499 = (m66 + x435);
    let v500 = (m67 + x436);
    let v501 = (m68 + x437);
    let v502 = (t71 + 16i);
    let v503 = (t71 + 32i);
    let v504 = (t71 + 48i);
    let v505 = (t71 + 64i);
    let v506 = (t71 + 80i);
    let v507 = (t71 + 96i);
    let v508 = (t71 + 112i);
    let v509 = (v1 + t71);
    let v510 = (v1 + v502);
    let v511 = (v1 + v503);
    let v512 = (v1 + v504);
    let v513 = (v1 + v505);
    let v514 = (v1 + v506);
    let v515 = (v1 + v507);
    let v516 = (v1 + v508);
    let v517 = min(v509, v3);
    let v518 = min(v510, v3);
    let v519 = min(v511, v3);
    let v520 = min(v512, v3);
    let v521 = min(v513, v3);
    let v522 = min(v514, v3);
    let v523 = min(v515, v3);
    let v524 = min(v516, v3);
    let v525 = (v517 * p.a10_width);
    let v526 = (v518 * p.a10_width);
    let v527 = (v519 * p.a10_width);
    let v528 = (v520 * p.a10_width);
    let v529 = (v521 * p.a10_width);
    let v530 = (v522 * p.a10_width);
    let v531 = (v523 * p.a10_width);
    let v532 = (v524 * p.a10_width);
    let v533 = (p.a11_at + v421);
    let v534 = (p.a11_at + v422);
    let v535 = (p.a11_at + v423);
    let v536 = (p.a11_at + v424);
    let v537 = (p.a11_at + v425);
    let v538 = (p.a11_at + v426);
    let v539 = (p.a11_at + v427);
    let v540 = (p.a11_at + v428);
    let v541 = (v525 + v533);
    let v542 = (v525 + v534);
    let v543 = (v525 + v535);
    let v544 = (v525 + v536);
    let v545 = (v525 + v537);
    let v546 = (v525 + v538);
    let v547 = (v525 + v539);
    let v548 = (v525 + v540);
    let v549 = (v526 + v533);
    let v550 = (v526 + v534);
    let v551 = (v526 + v535);
    let v552 = (v526 + v536);
    let v553 = (v526 + v537);
    let v554 = (v526 + v538);
    let v555 = (v526 + v539);
    let v556 = (v526 + v540);
    let v557 = (v527 + v533);
    let v558 = (v527 + v534);
    let v559 = (v527 + v535);
    let v560 = (v527 + v536);
    let v561 = (v527 + v537);
    let v562 = (v527 + v538);
    let v563 = (v527 + v539);
    let v564 = (v527 + v540);
    let v565 = (v528 + v533);
    let v566 = (v528 + v534);
    let v567 = (v528 + v535);
    let v568 = (v528 + v536);
    let v569 = (v528 + v537);
    let v570 = (v528 + v538);
    let v571 = (v528 + v539);
    let v572 = (v528 + v540);
    let v573 = (v529 + v533);
    let v574 = (v529 + v534);
    let v575 = (v529 + v535);
    let v576 = (v529 + v536);
    let v577 = (v529 + v537);
    let v578 = (v529 + v538);
    let v579 = (v529 + v539);
    let v580 = (v529 + v540);
    let v581 = (v530 + v533);
    let v582 = (v530 + v534);
    let v583 = (v530 + v535);
    let v584 = (v530 + v536);
    let v585 = (v530 + v537);
    let v586 = (v530 + v538);
    let v587 = (v530 + v539);
    let v588 = (v530 + v540);
    let v589 = (v531 + v533);
    let v590 = (v531 + v534);
    let v591 = (v531 + v535);
    let v592 = (v531 + v536);
    let v593 = (v531 + v537);
    let v594 = (v531 + v538);
    let v595 = (v531 + v539);
    let v596 = (v531 + v540);
    let v597 = (v532 + v533);
    let v598 = (v532 + v534);
    let v599 = (v532 + v535);
    let v600 = (v532 + v536);
    let v601 = (v532 + v537);
    let v602 = (v532 + v538);
    let v603 = (v532 + v539);
    let v604 = (v532 + v540);
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
    let x631 = g_r[v567];
    let x632 = g_r[v568];
    let x633 = g_r[v569];
    let x634 = g_r[v570];
    let x635 = g_r[v571];
    let x636 = g_r[v572];
    let x637 = g_r[v573];
    let x638 = g_r[v574];
    let x639 = g_r[v575];
    let x640 = g_r[v576];
    let x641 = g_r[v577];
    let x642 = g_r[v578];
    let x643 = g_r[v579];
    let x644 = g_r[v580];
    let x645 = g_r[v581];
    let x646 = g_r[v582];
    let x647 = g_r[v583];
    let x648 = g_r[v584];
    let x649 = g_r[v585];
    let x650 = g_r[v586];
    let x651 = g_r[v587];
    let x652 = g_r[v588];
    let x653 = g_r[v589];
    let x654 = g_r[v590];
    let x655 = g_r[v591];
    let x656 = g_r[v592];
    let x657 = g_r[v593];
    let x658 = g_r[v594];
    let x659 = g_r[v595];
    let x660 = g_r[v596];
    let x661 = g_r[v597];
    let x662 = g_r[v598];
    let x663 = g_r[v599];
    let x664 = g_r[v600];
    let x665 = g_r[v601];
    let x666 = g_r[v602];
    let x667 = g_r[v603];
    let x668 = g_r[v604];
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
    let v695 = (v464 + x631);
    let v696 = (v465 + x632);
    let v697 = (v466 + x633);
    let v698 = (v467 + x634);
    let v699 = (v468 + x635);
    let v700 = (v469 + x636);
    let v701 = (v470 + x637);
    let v702 = (v471 + x638);
    let v703 = (v472 + x639);
    let v704 = (v473 + x640);
    let v705 = (v474 + x641);
    let v706 = (v475 + x642);
    let v707 = (v476 + x643);
    let v708 = (v477 + x644);
    let v709 = (v478 + x645);
    let v710 = (v479 + x646);
    let v711 = (v480 + x647);
    let v712 = (v481 + x648);
    let v713 = (v482 + x649);
    let v714 = (v483 + x650);
    let v715 = (v484 + x651);
    let v716 = (v485 + x652);
    let v717 = (v486 + x653);
    let v718 = (v487 + x654);
    let v719 = (v488 + x655);
    let v720 = (v489 + x656);
    let v721 = (v490 + x657);
    let v722 = (v491 + x658);
    let v723 = (v492 + x659);
    let v724 = (v493 + x660);
    let v725 = (v494 + x661);
    let v726 = (v495 + x662);
    let v727 = (v496 + x663);
    let v728 = (v497 + x664);
    let v729 = (v498 + x665);
    let v730 = (v499 + x666);
    let v731 = (v500 + x667);
    let v732 = (v501 + x668);
    let v733 = (v509 < p.a6_m);
    let v734 = (v510 < p.a6_m);
    let v735 = (v511 < p.a6_m);
    let v736 = (v512 < p.a6_m);
    let v737 = (v513 < p.a6_m);
    let v738 = (v514 < p.a6_m);
    let v739 = (v515 < p.a6_m);
    let v740 = (v516 < p.a6_m);
    let v741 = (v413 < p.a7_n);
    let v742 = (v414 < p.a7_n);
    let v743 = (v415 < p.a7_n);
    let v744 = (v416 < p.a7_n);
    let v745 = (v417 < p.a7_n);
    let v746 = (v418 < p.a7_n);
    let v747 = (v419 < p.a7_n);
    let v748 = (v420 < p.a7_n);
    let v749 = (v733 & v741);
    let v750 = (v733 & v742);
    let v751 = (v733 & v743);
    let v752 = (v733 & v744);
    let v753 = (v733 & v745);
    let v754 = (v733 & v746);
    let v755 = (v733 & v747);
    let v756 = (v733 & v748);
    let v757 = (v734 & v741);
    let v758 = (v734 & v742);
    let v759 = (v734 & v743);
    let v760 = (v734 & v744);
    let v761 = (v734 & v745);
    let v762 = (v734 & v746);
    let v763 = (v734 & v747);
    let v764 = (v734 & v748);
    let v765 = (v735 & v741);
    let v766 = (v735 & v742);
    let v767 = (v735 & v743);
    let v768 = (v735 & v744);
    let v769 = (v735 & v745);
    let v770 = (v735 & v746);
    let v771 = (v735 & v747);
    let v772 = (v735 & v748);
    let v773 = (v736 & v741);
    let v774 = (v736 & v742);
    let v775 = (v736 & v743);
    let v776 = (v736 & v744);
    let v777 = (v736 & v745);
    let v778 = (v736 & v746);
    let v779 = (v736 & v747);
    let v780 = (v736 & v748);
    let v781 = (v737 & v741);
    let v782 = (v737 & v742);
    let v783 = (v737 & v743);
    let v784 = (v737 & v744);
    let v785 = (v737 & v745);
    let v786 = (v737 & v746);
    let v787 = (v737 & v747);
    let v788 = (v737 & v748);
    let v789 = (v738 & v741);
    let v790 = (v738 & v742);
    let v791 = (v738 & v743);
    let v792 = (v738 & v744);
    let v793 = (v738 & v745);
    let v794 = (v738 & v746);
    let v795 = (v738 & v747);
    let v796 = (v738 & v748);
    let v797 = (v739 & v741);
    let v798 = (v739 & v742);
    let v799 = (v739 & v743);
    let v800 = (v739 & v744);
    let v801 = (v739 & v745);
    let v802 = (v739 & v746);
    let v803 = (v739 & v747);
    let v804 = (v739 & v748);
    let v805 = (v740 & v741);
    let v806 = (v740 & v742);
    let v807 = (v740 & v743);
    let v808 = (v740 & v744);
    let v809 = (v740 & v745);
    let v810 = (v740 & v746);
    let v811 = (v740 & v747);
    let v812 = (v740 & v748);
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
    if (v775) {
        g_y[v567] = v695;
    }
    if (v776) {
        g_y[v568] = v696;
    }
    if (v777) {
        g_y[v569] = v697;
    }
    if (v778) {
        g_y[v570] = v698;
    }
    if (v779) {
        g_y[v571] = v699;
    }
    if (v780) {
        g_y[v572] = v700;
    }
    if (v781) {
        g_y[v573] = v701;
    }
    if (v782) {
        g_y[v574] = v702;
    }
    if (v783) {
        g_y[v575] = v703;
    }
    if (v784) {
        g_y[v576] = v704;
    }
    if (v785) {
        g_y[v577] = v705;
    }
    if (v786) {
        g_y[v578] = v706;
    }
    if (v787) {
        g_y[v579] = v707;
    }
    if (v788) {
        g_y[v580] = v708;
    }
    if (v789) {
        g_y[v581] = v709;
    }
    if (v790) {
        g_y[v582] = v710;
    }
    if (v791) {
        g_y[v583] = v711;
    }
    if (v792) {
        g_y[v584] = v712;
    }
    if (v793) {
        g_y[v585] = v713;
    }
    if (v794) {
        g_y[v586] = v714;
    }
    if (v795) {
        g_y[v587] = v715;
    }
    if (v796) {
        g_y[v588] = v716;
    }
    if (v797) {
        g_y[v589] = v717;
    }
    if (v798) {
        g_y[v590] = v718;
    }
    if (v799) {
        g_y[v591] = v719;
    }
    if (v800) {
        g_y[v592] = v720;
    }
    if (v801) {
        g_y[v593] = v721;
    }
    if (v802) {
        g_y[v594] = v722;
    }
    if (v803) {
        g_y[v595] = v723;
    }
    if (v804) {
        g_y[v596] = v724;
    }
    if (v805) {
        g_y[v597] = v725;
    }
    if (v806) {
        g_y[v598] = v726;
    }
    if (v807) {
        g_y[v599] = v727;
    }
    if (v808) {
        g_y[v600] = v728;
    }
    if (v809) {
        g_y[v601] = v729;
    }
    if (v810) {
        g_y[v602] = v730;
    }
    if (v811) {
        g_y[v603] = v731;
    }
    if (v812) {
        g_y[v604] = v732;
    }
}
