enable f16;
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
@group(0) @binding(3) var<storage, read> g_s: array<f16>;
@group(0) @binding(4) var<storage, read> g_b: array<f32>;
@group(0) @binding(5) var<storage, read> g_r: array<f32>;
@group(0) @binding(6) var<storage, read_write> g_y: array<f32>;
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
    let v501 = (v493 * p.a10_width);
    let v502 = (v494 * p.a10_width);
    let v503 = (v495 * p.a10_width);
    let v504 = (v496 * p.a10_width);
    let v505 = (v497 * p.a10_width);
    let v506 = (v498 * p.a10_width);
    let v507 = (v499 * p.a10_width);
    let v508 = (v500 * p.a10_width);
    let v509 = (p.a11_at + v397);
    let v510 = (p.a11_at + v398);
    let v511 = (p.a11_at + v399);
    let v512 = (p.a11_at + v400);
    let v513 = (p.a11_at + v401);
    let v514 = (p.a11_at + v402);
    let v515 = (p.a11_at + v403);
    let v516 = (p.a11_at + v404);
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
    let v709 = (v485 < p.a6_m);
    let v710 = (v486 < p.a6_m);
    let v711 = (v487 < p.a6_m);
    let v712 = (v488 < p.a6_m);
    let v713 = (v489 < p.a6_m);
    let v714 = (v490 < p.a6_m);
    let v715 = (v491 < p.a6_m);
    let v716 = (v492 < p.a6_m);
    let v717 = (v389 < p.a7_n);
    let v718 = (v390 < p.a7_n);
    let v719 = (v391 < p.a7_n);
    let v720 = (v392 < p.a7_n);
    let v721 = (v393 < p.a7_n);
    let v722 = (v394 < p.a7_n);
    let v723 = (v395 < p.a7_n);
    let v724 = (v396 < p.a7_n);
    let v725 = (v709 & v717);
    let v726 = (v709 & v718);
    let v727 = (v709 & v719);
    let v728 = (v709 & v720);
    let v729 = (v709 & v721);
    let v730 = (v709 & v722);
    let v731 = (v709 & v723);
    let v732 = (v709 & v724);
    let v733 = (v710 & v717);
    let v734 = (v710 & v718);
    let v735 = (v710 & v719);
    let v736 = (v710 & v720);
    let v737 = (v710 & v721);
    let v738 = (v710 & v722);
    let v739 = (v710 & v723);
    let v740 = (v710 & v724);
    let v741 = (v711 & v717);
    let v742 = (v711 & v718);
    let v743 = (v711 & v719);
    let v744 = (v711 & v720);
    let v745 = (v711 & v721);
    let v746 = (v711 & v722);
    let v747 = (v711 & v723);
    let v748 = (v711 & v724);
    let v749 = (v712 & v717);
    let v750 = (v712 & v718);
    let v751 = (v712 & v719);
    let v752 = (v712 & v720);
    let v753 = (v712 & v721);
    let v754 = (v712 & v722);
    let v755 = (v712 & v723);
    let v756 = (v712 & v724);
    let v757 = (v713 & v717);
    let v758 = (v713 & v718);
    let v759 = (v713 & v719);
    let v760 = (v713 & v720);
    let v761 = (v713 & v721);
    let v762 = (v713 & v722);
    let v763 = (v713 & v723);
    let v764 = (v713 & v724);
    let v765 = (v714 & v717);
    let v766 = (v714 & v718);
    let v767 = (v714 & v719);
    let v768 = (v714 & v720);
    let v769 = (v714 & v721);
    let v770 = (v714 & v722);
    let v771 = (v714 & v723);
    let v772 = (v714 & v724);
    let v773 = (v715 & v717);
    let v774 = (v715 & v718);
    let v775 = (v715 & v719);
    let v776 = (v715 & v720);
    let v777 = (v715 & v721);
    let v778 = (v715 & v722);
    let v779 = (v715 & v723);
    let v780 = (v715 & v724);
    let v781 = (v716 & v717);
    let v782 = (v716 & v718);
    let v783 = (v716 & v719);
    let v784 = (v716 & v720);
    let v785 = (v716 & v721);
    let v786 = (v716 & v722);
    let v787 = (v716 & v723);
    let v788 = (v716 & v724);
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
}
