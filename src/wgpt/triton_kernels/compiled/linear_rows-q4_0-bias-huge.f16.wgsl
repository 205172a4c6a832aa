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
var<workgroup> pool: array<u32, 2064>;

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
    let t405 = (lane & 240i) == 0i;
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
        let x262 = f32(g_s[v254]);
        let x263 = f32(g_s[v255]);
        let x264 = f32(g_s[v256]);
        let x265 = f32(g_s[v257]);
        let x266 = f32(g_s[v258]);
        let x267 = f32(g_s[v259]);
        let x268 = f32(g_s[v260]);
        let x269 = f32(g_s[v261]);
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
    let v382 = (t103 + 16i);
    let v383 = (t103 + 32i);
    let v384 = (t103 + 48i);
    let v385 = (t103 + 64i);
    let v386 = (t103 + 80i);
    let v387 = (t103 + 96i);
    let v388 = (t103 + 112i);
    let v389 = (v2 + t103);
    let v390 = (v2 + v382);
    let v391 = (v2 + v383);
    let v392 = (v2 + v384);
    let v393 = (v2 + v385);
    let v394 = (v2 + v386);
    let v395 = (v2 + v387);
    let v396 = (v2 + v388);
    let v397 = min(v389, v4);
    let v398 = min(v390, v4);
    let v399 = min(v391, v4);
    let v400 = min(v392, v4);
    let v401 = min(v393, v4);
    let v402 = min(v394, v4);
    let v403 = min(v395, v4);
    let v404 = min(v396, v4);
    let x406 = g_b[v397];
    let x407 = g_b[v398];
    let x408 = g_b[v399];
    let x409 = g_b[v400];
    let x410 = g_b[v401];
    let x411 = g_b[v402];
    let x412 = g_b[v403];
    let x413 = g_b[v404];
    let v414 = (m5 + x406);
    let v415 = (m6 + x407);
    let v416 = (m7 + x408);
    let v417 = (m8 + x409);
    let v418 = (m9 + x410);
    let v419 = (m10 + x411);
    let v420 = (m11 + x412);
    let v421 = (m12 + x413);
    let v422 = (m13 + x406);
    let v423 = (m14 + x407);
    let v424 = (m15 + x408);
    let v425 = (m16 + x409);
    let v426 = (m17 + x410);
    let v427 = (m18 + x411);
    let v428 = (m19 + x412);
    let v429 = (m20 + x413);
    let v430 = (m21 + x406);
    let v431 = (m22 + x407);
    let v432 = (m23 + x408);
    let v433 = (m24 + x409);
    let v434 = (m25 + x410);
    let v435 = (m26 + x411);
    let v436 = (m27 + x412);
    let v437 = (m28 + x413);
    let v438 = (m29 + x406);
    let v439 = (m30 + x407);
    let v440 = (m31 + x408);
    let v441 = (m32 + x409);
    let v442 = (m33 + x410);
    let v443 = (m34 + x411);
    let v444 = (m35 + x412);
    let v445 = (m36 + x413);
    let v446 = (m37 + x406);
    let v447 = (m38 + x407);
    let v448 = (m39 + x408);
    let v449 = (m40 + x409);
    let v450 = (m41 + x410);
    let v451 = (m42 + x411);
    let v452 = (m43 + x412);
    let v453 = (m44 + x413);
    let v454 = (m45 + x406);
    let v455 = (m46 + x407);
    let v456 = (m47 + x408);
    let v457 = (m48 + x409);
    let v458 = (m49 + x410);
    let v459 = (m50 + x411);
    let v460 = (m51 + x412);
    let v461 = (m52 + x413);
    let v462 = (m53 + x406);
    let v463 = (m54 + x407);
    let v464 = (m55 + x408);
    let v465 = (m56 + x409);
    let v466 = (m57 + x410);
    let v467 = (m58 + x411);
    let v468 = (m59 + x412);
    let v469 = (m60 + x413);
    let v470 = (m61 + x406);
    let v471 = (m62 + x407);
    let v472 = (m63 + x408);
    let v473 = (m64 + x409);
    let v474 = (m65 + x410);
    let v475 = (m66 + x411);
    let v476 = (m67 + x412);
    let v477 = (m68 + x413);
    let v478 = (t71 + 16i);
    let v479 = (t71 + 32i);
    let v480 = (t71 + 48i);
    let v481 = (t71 + 64i);
    let v482 = (t71 + 80i);
    let v483 = (t71 + 96i);
    let v484 = (t71 + 112i);
    let v485 = (v1 + t71);
    let v486 = (v1 + v478);
    let v487 = (v1 + v479);
    let v488 = (v1 + v480);
    let v489 = (v1 + v481);
    let v490 = (v1 + v482);
    let v491 = (v1 + v483);
    let v492 = (v1 + v484);
    let v493 = min(v485, v3);
    let v494 = min(v486, v3);
    let v495 = min(v487, v3);
    let v496 = min(v488, v3);
    let v497 = min(v489, v3);
    let v498 = min(v490, v3);
    let v499 = min(v491, v3);
    let v500 = min(v492, v3);
    let v501 = (v493 * p.a9_width);
    let v502 = (v494 * p.a9_width);
    let v503 = (v495 * p.a9_width);
    let v504 = (v496 * p.a9_width);
    let v505 = (v497 * p.a9_width);
    let v506 = (v498 * p.a9_width);
    let v507 = (v499 * p.a9_width);
    let v508 = (v500 * p.a9_width);
    let v509 = (p.a10_at + v397);
    let v510 = (p.a10_at + v398);
    let v511 = (p.a10_at + v399);
    let v512 = (p.a10_at + v400);
    let v513 = (p.a10_at + v401);
    let v514 = (p.a10_at + v402);
    let v515 = (p.a10_at + v403);
    let v516 = (p.a10_at + v404);
    let v517 = (v501 + v509);
    let v518 = (v501 + v510);
    let v519 = (v501 + v511);
    let v520 = (v501 + v512);
    let v521 = (v501 + v513);
    let v522 = (v501 + v514);
    let v523 = (v501 + v515);
    let v524 = (v501 + v516);
    let v525 = (v502 + v509);
    let v526 = (v502 + v510);
    let v527 = (v502 + v511);
    let v528 = (v502 + v512);
    let v529 = (v502 + v513);
    let v530 = (v502 + v514);
    let v531 = (v502 + v515);
    let v532 = (v502 + v516);
    let v533 = (v503 + v509);
    let v534 = (v503 + v510);
    let v535 = (v503 + v511);
    let v536 = (v503 + v512);
    let v537 = (v503 + v513);
    let v538 = (v503 + v514);
    let v539 = (v503 + v515);
    let v540 = (v503 + v516);
    let v541 = (v504 + v509);
    let v542 = (v504 + v510);
    let v543 = (v504 + v511);
    let v544 = (v504 + v512);
    let v545 = (v504 + v513);
    let v546 = (v504 + v514);
    let v547 = (v504 + v515);
    let v548 = (v504 + v516);
    let v549 = (v505 + v509);
    let v550 = (v505 + v510);
    let v551 = (v505 + v511);
    let v552 = (v505 + v512);
    let v553 = (v505 + v513);
    let v554 = (v505 + v514);
    let v555 = (v505 + v515);
    let v556 = (v505 + v516);
    let v557 = (v506 + v509);
    let v558 = (v506 + v510);
    let v559 = (v506 + v511);
    let v560 = (v506 + v512);
    let v561 = (v506 + v513);
    let v562 = (v506 + v514);
    let v563 = (v506 + v515);
    let v564 = (v506 + v516);
    let v565 = (v507 + v509);
    let v566 = (v507 + v510);
    let v567 = (v507 + v511);
    let v568 = (v507 + v512);
    let v569 = (v507 + v513);
    let v570 = (v507 + v514);
    let v571 = (v507 + v515);
    let v572 = (v507 + v516);
    let v573 = (v508 + v509);
    let v574 = (v508 + v510);
    let v575 = (v508 + v511);
    let v576 = (v508 + v512);
    let v577 = (v508 + v513);
    let v578 = (v508 + v514);
    let v579 = (v508 + v515);
    let v580 = (v508 + v516);
    let v581 = (v485 < p.a5_m);
    let v582 = (v486 < p.a5_m);
    let v583 = (v487 < p.a5_m);
    let v584 = (v488 < p.a5_m);
    let v585 = (v489 < p.a5_m);
    let v586 = (v490 < p.a5_m);
    let v587 = (v491 < p.a5_m);
    let v588 = (v492 < p.a5_m);
    let v589 = (v389 < p.a6_n);
    let v590 = (v390 < p.a6_n);
    let v591 = (v391 < p.a6_n);
    let v592 = (v392 < p.a6_n);
    let v593 = (v393 < p.a6_n);
    let v594 = (v394 < p.a6_n);
    let v595 = (v395 < p.a6_n);
    let v596 = (v396 < p.a6_n);
    let v597 = (v581 & v589);
    let v598 = (v581 & v590);
    let v599 = (v581 & v591);
    let v600 = (v581 & v592);
    let v601 = (v581 & v593);
    let v602 = (v581 & v594);
    let v603 = (v581 & v595);
    let v604 = (v581 & v596);
    let v605 = (v582 & v589);
    let v606 = (v582 & v590);
    let v607 = (v582 & v591);
    let v608 = (v582 & v592);
    let v609 = (v582 & v593);
    let v610 = (v582 & v594);
    let v611 = (v582 & v595);
    let v612 = (v582 & v596);
    let v613 = (v583 & v589);
    let v614 = (v583 & v590);
    let v615 = (v583 & v591);
    let v616 = (v583 & v592);
    let v617 = (v583 & v593);
    let v618 = (v583 & v594);
    let v619 = (v583 & v595);
    let v620 = (v583 & v596);
    let v621 = (v584 & v589);
    let v622 = (v584 & v590);
    let v623 = (v584 & v591);
    let v624 = (v584 & v592);
    let v625 = (v584 & v593);
    let v626 = (v584 & v594);
    let v627 = (v584 & v595);
    let v628 = (v584 & v596);
    let v629 = (v585 & v589);
    let v630 = (v585 & v590);
    let v631 = (v585 & v591);
    let v632 = (v585 & v592);
    let v633 = (v585 & v593);
    let v634 = (v585 & v594);
    let v635 = (v585 & v595);
    let v636 = (v585 & v596);
    let v637 = (v586 & v589);
    let v638 = (v586 & v590);
    let v639 = (v586 & v591);
    let v640 = (v586 & v592);
    let v641 = (v586 & v593);
    let v642 = (v586 & v594);
    let v643 = (v586 & v595);
    let v644 = (v586 & v596);
    let v645 = (v587 & v589);
    let v646 = (v587 & v590);
    let v647 = (v587 & v591);
    let v648 = (v587 & v592);
    let v649 = (v587 & v593);
    let v650 = (v587 & v594);
    let v651 = (v587 & v595);
    let v652 = (v587 & v596);
    let v653 = (v588 & v589);
    let v654 = (v588 & v590);
    let v655 = (v588 & v591);
    let v656 = (v588 & v592);
    let v657 = (v588 & v593);
    let v658 = (v588 & v594);
    let v659 = (v588 & v595);
    let v660 = (v588 & v596);
    if (v597) {
        g_y[v517] = v414;
    }
    if (v598) {
        g_y[v518] = v415;
    }
    if (v599) {
        g_y[v519] = v416;
    }
    if (v600) {
        g_y[v520] = v417;
    }
    if (v601) {
        g_y[v521] = v418;
    }
    if (v602) {
        g_y[v522] = v419;
    }
    if (v603) {
        g_y[v523] = v420;
    }
    if (v604) {
        g_y[v524] = v421;
    }
    if (v605) {
        g_y[v525] = v422;
    }
    if (v606) {
        g_y[v526] = v423;
    }
    if (v607) {
        g_y[v527] = v424;
    }
    if (v608) {
        g_y[v528] = v425;
    }
    if (v609) {
        g_y[v529] = v426;
    }
    if (v610) {
        g_y[v530] = v427;
    }
    if (v611) {
        g_y[v531] = v428;
    }
    if (v612) {
        g_y[v532] = v429;
    }
    if (v613) {
        g_y[v533] = v430;
    }
    if (v614) {
        g_y[v534] = v431;
    }
    if (v615) {
        g_y[v535] = v432;
    }
    if (v616) {
        g_y[v536] = v433;
    }
    if (v617) {
        g_y[v537] = v434;
    }
    if (v618) {
        g_y[v538] = v435;
    }
    if (v619) {
        g_y[v539] = v436;
    }
    if (v620) {
        g_y[v540] = v437;
    }
    if (v621) {
        g_y[v541] = v438;
    }
    if (v622) {
        g_y[v542] = v439;
    }
    if (v623) {
        g_y[v543] = v440;
    }
    if (v624) {
        g_y[v544] = v441;
    }
    if (v625) {
        g_y[v545] = v442;
    }
    if (v626) {
        g_y[v546] = v443;
    }
    if (v627) {
        g_y[v547] = v444;
    }
    if (v628) {
        g_y[v548] = v445;
    }
    if (v629) {
        g_y[v549] = v446;
    }
    if (v630) {
        g_y[v550] = v447;
    }
    if (v631) {
        g_y[v551] = v448;
    }
    if (v632) {
        g_y[v552] = v449;
    }
    if (v633) {
        g_y[v553] = v450;
    }
    if (v634) {
        g_y[v554] = v451;
    }
    if (v635) {
        g_y[v555] = v452;
    }
    if (v636) {
        g_y[v556] = v453;
    }
    if (v637) {
        g_y[v557] = v454;
    }
    if (v638) {
        g_y[v558] = v455;
    }
    if (v639) {
        g_y[v559] = v456;
    }
    if (v640) {
        g_y[v560] = v457;
    }
    if (v641) {
        g_y[v561] = v458;
    }
    if (v642) {
        g_y[v562] = v459;
    }
    if (v643) {
        g_y[v563] = v460;
    }
    if (v644) {
        g_y[v564] = v461;
    }
    if (v645) {
        g_y[v565] = v462;
    }
    if (v646) {
        g_y[v566] = v463;
    }
    if (v647) {
        g_y[v567] = v464;
    }
    if (v648) {
        g_y[v568] = v465;
    }
    if (v649) {
        g_y[v569] = v466;
    }
    if (v650) {
        g_y[v570] = v467;
    }
    if (v651) {
        g_y[v571] = v468;
    }
    if (v652) {
        g_y[v572] = v469;
    }
    if (v653) {
        g_y[v573] = v470;
    }
    if (v654) {
        g_y[v574] = v471;
    }
    if (v655) {
        g_y[v575] = v472;
    }
    if (v656) {
        g_y[v576] = v473;
    }
    if (v657) {
        g_y[v577] = v474;
    }
    if (v658) {
        g_y[v578] = v475;
    }
    if (v659) {
        g_y[v579] = v476;
    }
    if (v660) {
        g_y[v580] = v477;
    }
}
