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
    let t342 = ((lane >> 3u) & 1i);
    let t343 = (lane & 7i);
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
        let v237 = (p.a7_line / 4i);
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
    let v405 = (v397 * p.a8_width);
    let v406 = (v398 * p.a8_width);
    let v407 = (v399 * p.a8_width);
    let v408 = (v400 * p.a8_width);
    let v409 = (v401 * p.a8_width);
    let v410 = (v402 * p.a8_width);
    let v411 = (v403 * p.a8_width);
    let v412 = (v404 * p.a8_width);
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
    let v436 = (p.a9_at + v428);
    let v437 = (p.a9_at + v429);
    let v438 = (p.a9_at + v430);
    let v439 = (p.a9_at + v431);
    let v440 = (p.a9_at + v432);
    let v441 = (p.a9_at + v433);
    let v442 = (p.a9_at + v434);
    let v443 = (p.a9_at + v435);
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
    let v508 = (v389 < p.a4_m);
    let v509 = (v390 < p.a4_m);
    let v510 = (v391 < p.a4_m);
    let v511 = (v392 < p.a4_m);
    let v512 = (v393 < p.a4_m);
    let v513 = (v394 < p.a4_m);
    let v514 = (v395 < p.a4_m);
    let v515 = (v396 < p.a4_m);
    let v516 = (v420 < p.a5_n);
    let v517 = (v421 < p.a5_n);
    let v518 = (v422 < p.a5_n);
    let v519 = (v423 < p.a5_n);
    let v520 = (v424 < p.a5_n);
    let v521 = (v425 < p.a5_n);
    let v522 = (v426 < p.a5_n);
    let v523 = (v427 < p.a5_n);
    let v524 = (v508 & v516);
    let v525 = (v508 & v517);
    let v526 = (v508 & v518);
    let v527 = (v508 & v519);
    let v528 = (v508 & v520);
    let v529 = (v508 & v521);
    let v530 = (v508 & v522);
    let v531 = (v508 & v523);
    let v532 = (v509 & v516);
    let v533 = (v509 & v517);
    let v534 = (v509 & v518);
    let v535 = (v509 & v519);
    let v536 = (v509 & v520);
    let v537 = (v509 & v521);
    let v538 = (v509 & v522);
    let v539 = (v509 & v523);
    let v540 = (v510 & v516);
    let v541 = (v510 & v517);
    let v542 = (v510 & v518);
    let v543 = (v510 & v519);
    let v544 = (v510 & v520);
    let v545 = (v510 & v521);
    let v546 = (v510 & v522);
    let v547 = (v510 & v523);
    let v548 = (v511 & v516);
    let v549 = (v511 & v517);
    let v550 = (v511 & v518);
    let v551 = (v511 & v519);
    let v552 = (v511 & v520);
    let v553 = (v511 & v521);
    let v554 = (v511 & v522);
    let v555 = (v511 & v523);
    let v556 = (v512 & v516);
    let v557 = (v512 & v517);
    let v558 = (v512 & v518);
    let v559 = (v512 & v519);
    let v560 = (v512 & v520);
    let v561 = (v512 & v521);
    let v562 = (v512 & v522);
    let v563 = (v512 & v523);
    let v564 = (v513 & v516);
    let v565 = (v513 & v517);
    let v566 = (v513 & v518);
    let v567 = (v513 & v519);
    let v568 = (v513 & v520);
    let v569 = (v513 & v521);
    let v570 = (v513 & v522);
    let v571 = (v513 & v523);
    let v572 = (v514 & v516);
    let v573 = (v514 & v517);
    let v574 = (v514 & v518);
    let v575 = (v514 & v519);
    let v576 = (v514 & v520);
    let v577 = (v514 & v521);
    let v578 = (v514 & v522);
    let v579 = (v514 & v523);
    let v580 = (v515 & v516);
    let v581 = (v515 & v517);
    let v582 = (v515 & v518);
    let v583 = (v515 & v519);
    let v584 = (v515 & v520);
    let v585 = (v515 & v521);
    let v586 = (v515 & v522);
    let v587 = (v515 & v523);
    if (v524) {
        g_y[v444] = m5;
    }
    if (v525) {
        g_y[v445] = m6;
    }
    if (v526) {
        g_y[v446] = m7;
    }
    if (v527) {
        g_y[v447] = m8;
    }
    if (v528) {
        g_y[v448] = m9;
    }
    if (v529) {
        g_y[v449] = m10;
    }
    if (v530) {
        g_y[v450] = m11;
    }
    if (v531) {
        g_y[v451] = m12;
    }
    if (v532) {
        g_y[v452] = m13;
    }
    if (v533) {
        g_y[v453] = m14;
    }
    if (v534) {
        g_y[v454] = m15;
    }
    if (v535) {
        g_y[v455] = m16;
    }
    if (v536) {
        g_y[v456] = m17;
    }
    if (v537) {
        g_y[v457] = m18;
    }
    if (v538) {
        g_y[v458] = m19;
    }
    if (v539) {
        g_y[v459] = m20;
    }
    if (v540) {
        g_y[v460] = m21;
    }
    if (v541) {
        g_y[v461] = m22;
    }
    if (v542) {
        g_y[v462] = m23;
    }
    if (v543) {
        g_y[v463] = m24;
    }
    if (v544) {
        g_y[v464] = m25;
    }
    if (v545) {
        g_y[v465] = m26;
    }
    if (v546) {
        g_y[v466] = m27;
    }
    if (v547) {
        g_y[v467] = m28;
    }
    if (v548) {
        g_y[v468] = m29;
    }
    if (v549) {
        g_y[v469] = m30;
    }
    if (v550) {
        g_y[v470] = m31;
    }
    if (v551) {
        g_y[v471] = m32;
    }
    if (v552) {
        g_y[v472] = m33;
    }
    if (v553) {
        g_y[v473] = m34;
    }
    if (v554) {
        g_y[v474] = m35;
    }
    if (v555) {
        g_y[v475] = m36;
    }
    if (v556) {
        g_y[v476] = m37;
    }
    if (v557) {
        g_y[v477] = m38;
    }
    if (v558) {
        g_y[v478] = m39;
    }
    if (v559) {
        g_y[v479] = m40;
    }
    if (v560) {
        g_y[v480] = m41;
    }
    if (v561) {
        g_y[v481] = m42;
    }
    if (v562) {
        g_y[v482] = m43;
    }
    if (v563) {
        g_y[v483] = m44;
    }
    if (v564) {
        g_y[v484] = m45;
    }
    if (v565) {
        g_y[v485] = m46;
    }
    if (v566) {
        g_y[v486] = m47;
    }
    if (v567) {
        g_y[v487] = m48;
    }
    if (v568) {
        g_y[v488] = m49;
    }
    if (v569) {
        g_y[v489] = m50;
    }
    if (v570) {
        g_y[v490] = m51;
    }
    if (v571) {
        g_y[v491] = m52;
    }
    if (v572) {
        g_y[v492] = m53;
    }
    if (v573) {
        g_y[v493] = m54;
    }
    if (v574) {
        g_y[v494] = m55;
    }
    if (v575) {
        g_y[v495] = m56;
    }
    if (v576) {
        g_y[v496] = m57;
    }
    if (v577) {
        g_y[v497] = m58;
    }
    if (v578) {
        g_y[v498] = m59;
    }
    if (v579) {
        g_y[v499] = m60;
    }
    if (v580) {
        g_y[v500] = m61;
    }
    if (v581) {
        g_y[v501] = m62;
    }
    if (v582) {
        g_y[v502] = m63;
    }
    if (v583) {
        g_y[v503] = m64;
    }
    if (v584) {
        g_y[v504] = m65;
    }
    if (v585) {
        g_y[v505] = m66;
    }
    if (v586) {
        g_y[v506] = m67;
    }
    if (v587) {
        g_y[v507] = m68;
    }
}
