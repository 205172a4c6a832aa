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
    let t278 = (lane >> 3u);
    let t279 = (lane & 7i);
    let v1 = (pid_y * 64i);
    let v2 = (pid_x * 64i);
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
    for (var i37: i32 = 0i; (i37 < p.a7_k); i37 = i37 + 16i) {
        let v38 = (p.a7_k - 1i);
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
        let v63 = (v55 * p.a7_k);
        let v64 = (v56 * p.a7_k);
        let v65 = (v57 * p.a7_k);
        let v66 = (v58 * p.a7_k);
        let v67 = (v59 * p.a7_k);
        let v68 = (v60 * p.a7_k);
        let v69 = (v61 * p.a7_k);
        let v70 = (v62 * p.a7_k);
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
        let v90 = (v72 < p.a7_k);
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
        let v115 = (v107 * p.a8_line);
        let v116 = (v108 * p.a8_line);
        let v117 = (v109 * p.a8_line);
        let v118 = (v110 * p.a8_line);
        let v119 = (v111 * p.a8_line);
        let v120 = (v112 * p.a8_line);
        let v121 = (v113 * p.a8_line);
        let v122 = (v114 * p.a8_line);
        let v123 = (v73 / 32i);
        let v124 = (v123 * 4i);
        let v125 = (v115 + v124);
        let v126 = (v116 + v124);
        let v127 = (v117 + v124);
        let v128 = (v118 + v124);
        let v129 = (v119 + v124);
        let v130 = (v120 + v124);
        let v131 = (v121 + v124);
        let v132 = (v122 + v124);
        let v133 = (v73 % 16i);
        let v134 = (v133 / 4i);
        let v135 = (v125 + v134);
        let v136 = (v126 + v134);
        let v137 = (v127 + v134);
        let v138 = (v128 + v134);
        let v139 = (v129 + v134);
        let v140 = (v130 + v134);
        let v141 = (v131 + v134);
        let v142 = (v132 + v134);
        let x143 = g_w[v135];
        let x144 = g_w[v136];
        let x145 = g_w[v137];
        let x146 = g_w[v138];
        let x147 = g_w[v139];
        let x148 = g_w[v140];
        let x149 = g_w[v141];
        let x150 = g_w[v142];
        let v151 = (v73 % 4i);
        let v152 = (v151 * 8i);
        let v153 = (v73 % 32i);
        let v154 = (v153 / 16i);
        let v155 = (v154 * 4i);
        let v156 = (v152 + v155);
        let v157 = select(bitcast<i32>(bitcast<u32>(x143) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v158 = select(bitcast<i32>(bitcast<u32>(x144) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v159 = select(bitcast<i32>(bitcast<u32>(x145) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v160 = select(bitcast<i32>(bitcast<u32>(x146) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v161 = select(bitcast<i32>(bitcast<u32>(x147) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v162 = select(bitcast<i32>(bitcast<u32>(x148) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v163 = select(bitcast<i32>(bitcast<u32>(x149) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v164 = select(bitcast<i32>(bitcast<u32>(x150) >> (bitcast<u32>(v156) & 31u)), 0i, bitcast<u32>(v156) > 31u);
        let v165 = (v157 & 15i);
        let v166 = (v158 & 15i);
        let v167 = (v159 & 15i);
        let v168 = (v160 & 15i);
        let v169 = (v161 & 15i);
        let v170 = (v162 & 15i);
        let v171 = (v163 & 15i);
        let v172 = (v164 & 15i);
        let v173 = (v165 | 1258291200i);
        let v174 = (v166 | 1258291200i);
        let v175 = (v167 | 1258291200i);
        let v176 = (v168 | 1258291200i);
        let v177 = (v169 | 1258291200i);
        let v178 = (v170 | 1258291200i);
        let v179 = (v171 | 1258291200i);
        let v180 = (v172 | 1258291200i);
        let v181 = bitcast<u32>(v173);
        let v182 = bitcast<f32>(v181);
        let v183 = bitcast<u32>(v174);
        let v184 = bitcast<f32>(v183);
        let v185 = bitcast<u32>(v175);
        let v186 = bitcast<f32>(v185);
        let v187 = bitcast<u32>(v176);
        let v188 = bitcast<f32>(v187);
        let v189 = bitcast<u32>(v177);
        let v190 = bitcast<f32>(v189);
        let v191 = bitcast<u32>(v178);
        let v192 = bitcast<f32>(v191);
        let v193 = bitcast<u32>(v179);
        let v194 = bitcast<f32>(v193);
        let v195 = bitcast<u32>(v180);
        let v196 = bitcast<f32>(v195);
        let v197 = (v182 - 8388608.0f);
        let v198 = (v184 - 8388608.0f);
        let v199 = (v186 - 8388608.0f);
        let v200 = (v188 - 8388608.0f);
        let v201 = (v190 - 8388608.0f);
        let v202 = (v192 - 8388608.0f);
        let v203 = (v194 - 8388608.0f);
        let v204 = (v196 - 8388608.0f);
        let v205 = (p.a8_line / 4i);
        let v206 = (v197 - 8.0f);
        let v207 = (v198 - 8.0f);
        let v208 = (v199 - 8.0f);
        let v209 = (v200 - 8.0f);
        let v210 = (v201 - 8.0f);
        let v211 = (v202 - 8.0f);
        let v212 = (v203 - 8.0f);
        let v213 = (v204 - 8.0f);
        let v214 = (v107 * v205);
        let v215 = (v108 * v205);
        let v216 = (v109 * v205);
        let v217 = (v110 * v205);
        let v218 = (v111 * v205);
        let v219 = (v112 * v205);
        let v220 = (v113 * v205);
        let v221 = (v114 * v205);
        let v222 = (v214 + v123);
        let v223 = (v215 + v123);
        let v224 = (v216 + v123);
        let v225 = (v217 + v123);
        let v226 = (v218 + v123);
        let v227 = (v219 + v123);
        let v228 = (v220 + v123);
        let v229 = (v221 + v123);
        let x230 = from_half(extractBits(g_s[(v222 >> 1u)], u32(v222 & 1i) * 16u, 16u));
        let x231 = from_half(extractBits(g_s[(v223 >> 1u)], u32(v223 & 1i) * 16u, 16u));
        let x232 = from_half(extractBits(g_s[(v224 >> 1u)], u32(v224 & 1i) * 16u, 16u));
        let x233 = from_half(extractBits(g_s[(v225 >> 1u)], u32(v225 & 1i) * 16u, 16u));
        let x234 = from_half(extractBits(g_s[(v226 >> 1u)], u32(v226 & 1i) * 16u, 16u));
        let x235 = from_half(extractBits(g_s[(v227 >> 1u)], u32(v227 & 1i) * 16u, 16u));
        let x236 = from_half(extractBits(g_s[(v228 >> 1u)], u32(v228 & 1i) * 16u, 16u));
        let x237 = from_half(extractBits(g_s[(v229 >> 1u)], u32(v229 & 1i) * 16u, 16u));
        let v238 = (v206 * x230);
        let v239 = (v207 * x231);
        let v240 = (v208 * x232);
        let v241 = (v209 * x233);
        let v242 = (v210 * x234);
        let v243 = (v211 * x235);
        let v244 = (v212 * x236);
        let v245 = (v213 * x237);
        var m246: f32 = m5;
        var m247: f32 = m6;
        var m248: f32 = m7;
        var m249: f32 = m8;
        var m250: f32 = m9;
        var m251: f32 = m10;
        var m252: f32 = m11;
        var m253: f32 = m12;
        var m254: f32 = m13;
        var m255: f32 = m14;
        var m256: f32 = m15;
        var m257: f32 = m16;
        var m258: f32 = m17;
        var m259: f32 = m18;
        var m260: f32 = m19;
        var m261: f32 = m20;
        var m262: f32 = m21;
        var m263: f32 = m22;
        var m264: f32 = m23;
        var m265: f32 = m24;
        var m266: f32 = m25;
        var m267: f32 = m26;
        var m268: f32 = m27;
        var m269: f32 = m28;
        var m270: f32 = m29;
        var m271: f32 = m30;
        var m272: f32 = m31;
        var m273: f32 = m32;
        var m274: f32 = m33;
        var m275: f32 = m34;
        var m276: f32 = m35;
        var m277: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t71 * 65i) + t39) + 1040i)] = bitcast<u32>(v238);
        pool[(((t71 * 65i) + (t39 + 8i)) + 1040i)] = bitcast<u32>(v239);
        pool[(((t71 * 65i) + (t39 + 16i)) + 1040i)] = bitcast<u32>(v240);
        pool[(((t71 * 65i) + (t39 + 24i)) + 1040i)] = bitcast<u32>(v241);
        pool[(((t71 * 65i) + (t39 + 32i)) + 1040i)] = bitcast<u32>(v242);
        pool[(((t71 * 65i) + (t39 + 40i)) + 1040i)] = bitcast<u32>(v243);
        pool[(((t71 * 65i) + (t39 + 48i)) + 1040i)] = bitcast<u32>(v244);
        pool[(((t71 * 65i) + (t39 + 56i)) + 1040i)] = bitcast<u32>(v245);
        workgroupBarrier();
        for (var k280 = 0i; k280 < 16i; k280 = k280 + 1i) {
            let v281 = (t278 + ((((0i * 16i) + k280)) * 65i));
            let v282 = ((t279 + 1040i) + ((((0i * 16i) + k280)) * 65i));
            let v283 = bitcast<f32>(pool[v281]);
            let v284 = bitcast<f32>(pool[v282]);
            let v285 = bitcast<f32>(pool[(v282 + 8i)]);
            let v286 = bitcast<f32>(pool[(v282 + 16i)]);
            let v287 = bitcast<f32>(pool[(v282 + 24i)]);
            let v288 = bitcast<f32>(pool[(v282 + 32i)]);
            let v289 = bitcast<f32>(pool[(v282 + 40i)]);
            let v290 = bitcast<f32>(pool[(v282 + 48i)]);
            let v291 = bitcast<f32>(pool[(v282 + 56i)]);
            let v292 = bitcast<f32>(pool[(v281 + 16i)]);
            let v293 = bitcast<f32>(pool[(v281 + 32i)]);
            let v294 = bitcast<f32>(pool[(v281 + 48i)]);
            m246 = fma(v283, v284, m246);
            m247 = fma(v283, v285, m247);
            m248 = fma(v283, v286, m248);
            m249 = fma(v283, v287, m249);
            m250 = fma(v283, v288, m250);
            m251 = fma(v283, v289, m251);
            m252 = fma(v283, v290, m252);
            m253 = fma(v283, v291, m253);
            m254 = fma(v292, v284, m254);
            m255 = fma(v292, v285, m255);
            m256 = fma(v292, v286, m256);
            m257 = fma(v292, v287, m257);
            m258 = fma(v292, v288, m258);
            m259 = fma(v292, v289, m259);
            m260 = fma(v292, v290, m260);
            m261 = fma(v292, v291, m261);
            m262 = fma(v293, v284, m262);
            m263 = fma(v293, v285, m263);
            m264 = fma(v293, v286, m264);
            m265 = fma(v293, v287, m265);
            m266 = fma(v293, v288, m266);
            m267 = fma(v293, v289, m267);
            m268 = fma(v293, v290, m268);
            m269 = fma(v293, v291, m269);
            m270 = fma(v294, v284, m270);
            m271 = fma(v294, v285, m271);
            m272 = fma(v294, v286, m272);
            m273 = fma(v294, v287, m273);
            m274 = fma(v294, v288, m274);
            m275 = fma(v294, v289, m275);
            m276 = fma(v294, v290, m276);
            m277 = fma(v294, v291, m277);
        }
        m5 = m246;
        m6 = m247;
        m7 = m248;
        m8 = m249;
        m9 = m250;
        m10 = m251;
        m11 = m252;
        m12 = m253;
        m13 = m254;
        m14 = m255;
        m15 = m256;
        m16 = m257;
        m17 = m258;
        m18 = m259;
        m19 = m260;
        m20 = m261;
        m21 = m262;
        m22 = m263;
        m23 = m264;
        m24 = m265;
        m25 = m266;
        m26 = m267;
        m27 = m268;
        m28 = m269;
        m29 = m270;
        m30 = m271;
        m31 = m272;
        m32 = m273;
        m33 = m274;
        m34 = m275;
        m35 = m276;
        m36 = m277;
    }
    let v295 = (t278 + 16i);
    let v296 = (t278 + 32i);
    let v297 = (t278 + 48i);
    let v298 = (v1 + t278);
    let v299 = (v1 + v295);
    let v300 = (v1 + v296);
    let v301 = (v1 + v297);
    let v302 = min(v298, v3);
    let v303 = min(v299, v3);
    let v304 = min(v300, v3);
    let v305 = min(v301, v3);
    let v306 = (v302 * p.a9_width);
    let v307 = (v303 * p.a9_width);
    let v308 = (v304 * p.a9_width);
    let v309 = (v305 * p.a9_width);
    let v310 = (t279 + 8i);
    let v311 = (t279 + 16i);
    let v312 = (t279 + 24i);
    let v313 = (t279 + 32i);
    let v314 = (t279 + 40i);
    let v315 = (t279 + 48i);
    let v316 = (t279 + 56i);
    let v317 = (v2 + t279);
    let v318 = (v2 + v310);
    let v319 = (v2 + v311);
    let v320 = (v2 + v312);
    let v321 = (v2 + v313);
    let v322 = (v2 + v314);
    let v323 = (v2 + v315);
    let v324 = (v2 + v316);
    let v325 = min(v317, v4);
    let v326 = min(v318, v4);
    let v327 = min(v319, v4);
    let v328 = min(v320, v4);
    let v329 = min(v321, v4);
    let v330 = min(v322, v4);
    let v331 = min(v323, v4);
    let v332 = min(v324, v4);
    let v333 = (p.a10_at + v325);
    let v334 = (p.a10_at + v326);
    let v335 = (p.a10_at + v327);
    let v336 = (p.a10_at + v328);
    let v337 = (p.a10_at + v329);
    let v338 = (p.a10_at + v330);
    let v339 = (p.a10_at + v331);
    let v340 = (p.a10_at + v332);
    let v341 = (v306 + v333);
    let v342 = (v306 + v334);
    let v343 = (v306 + v335);
    let v344 = (v306 + v336);
    let v345 = (v306 + v337);
    let v346 = (v306 + v338);
    let v347 = (v306 + v339);
    let v348 = (v306 + v340);
    let v349 = (v307 + v333);
    let v350 = (v307 + v334);
    let v351 = (v307 + v335);
    let v352 = (v307 + v336);
    let v353 = (v307 + v337);
    let v354 = (v307 + v338);
    let v355 = (v307 + v339);
    let v356 = (v307 + v340);
    let v357 = (v308 + v333);
    let v358 = (v308 + v334);
    let v359 = (v308 + v335);
    let v360 = (v308 + v336);
    let v361 = (v308 + v337);
    let v362 = (v308 + v338);
    let v363 = (v308 + v339);
    let v364 = (v308 + v340);
    let v365 = (v309 + v333);
    let v366 = (v309 + v334);
    let v367 = (v309 + v335);
    let v368 = (v309 + v336);
    let v369 = (v309 + v337);
    let v370 = (v309 + v338);
    let v371 = (v309 + v339);
    let v372 = (v309 + v340);
    let x373 = g_r[v341];
    let x374 = g_r[v342];
    let x375 = g_r[v343];
    let x376 = g_r[v344];
    let x377 = g_r[v345];
    let x378 = g_r[v346];
    let x379 = g_r[v347];
    let x380 = g_r[v348];
    let x381 = g_r[v349];
    let x382 = g_r[v350];
    let x383 = g_r[v351];
    let x384 = g_r[v352];
    let x385 = g_r[v353];
    let x386 = g_r[v354];
    let x387 = g_r[v355];
    let x388 = g_r[v356];
    let x389 = g_r[v357];
    let x390 = g_r[v358];
    let x391 = g_r[v359];
    let x392 = g_r[v360];
    let x393 = g_r[v361];
    let x394 = g_r[v362];
    let x395 = g_r[v363];
    let x396 = g_r[v364];
    let x397 = g_r[v365];
    let x398 = g_r[v366];
    let x399 = g_r[v367];
    let x400 = g_r[v368];
    let x401 = g_r[v369];
    let x402 = g_r[v370];
    let x403 = g_r[v371];
    let x404 = g_r[v372];
    let v405 = (m5 + x373);
    let v406 = (m6 + x374);
    let v407 = (m7 + x375);
    let v408 = (m8 + x376);
    let v409 = (m9 + x377);
    let v410 = (m10 + x378);
    let v411 = (m11 + x379);
    let v412 = (m12 + x380);
    let v413 = (m13 + x381);
    let v414 = (m14 + x382);
    let v415 = (m15 + x383);
    let v416 = (m16 + x384);
    let v417 = (m17 + x385);
    let v418 = (m18 + x386);
    let v419 = (m19 + x387);
    let v420 = (m20 + x388);
    let v421 = (m21 + x389);
    let v422 = (m22 + x390);
    let v423 = (m23 + x391);
    let v424 = (m24 + x392);
    let v425 = (m25 + x393);
    let v426 = (m26 + x394);
    let v427 = (m27 + x395);
    let v428 = (m28 + x396);
    let v429 = (m29 + x397);
    let v430 = (m30 + x398);
    let v431 = (m31 + x399);
    let v432 = (m32 + x400);
    let v433 = (m33 + x401);
    let v434 = (m34 + x402);
    let v435 = (m35 + x403);
    let v436 = (m36 + x404);
    let v437 = (v298 < p.a5_m);
    let v438 = (v299 < p.a5_m);
    let v439 = (v300 < p.a5_m);
    let v440 = (v301 < p.a5_m);
    let v441 = (v317 < p.a6_n);
    let v442 = (v318 < p.a6_n);
    let v443 = (v319 < p.a6_n);
    let v444 = (v320 < p.a6_n);
    let v445 = (v321 < p.a6_n);
    let v446 = (v322 < p.a6_n);
    let v447 = (v323 < p.a6_n);
    let v448 = (v324 < p.a6_n);
    let v449 = (v437 & v441);
    let v450 = (v437 & v442);
    let v451 = (v437 & v443);
    let v452 = (v437 & v444);
    let v453 = (v437 & v445);
    let v454 = (v437 & v446);
    let v455 = (v437 & v447);
    let v456 = (v437 & v448);
    let v457 = (v438 & v441);
    let v458 = (v438 & v442);
    let v459 = (v438 & v443);
    let v460 = (v438 & v444);
    let v461 = (v438 & v445);
    let v462 = (v438 & v446);
    let v463 = (v438 & v447);
    let v464 = (v438 & v448);
    let v465 = (v439 & v441);
    let v466 = (v439 & v442);
    let v467 = (v439 & v443);
    let v468 = (v439 & v444);
    let v469 = (v439 & v445);
    let v470 = (v439 & v446);
    let v471 = (v439 & v447);
    let v472 = (v439 & v448);
    let v473 = (v440 & v441);
    let v474 = (v440 & v442);
    let v475 = (v440 & v443);
    let v476 = (v440 & v444);
    let v477 = (v440 & v445);
    let v478 = (v440 & v446);
    let v479 = (v440 & v447);
    let v480 = (v440 & v448);
    if (v449) {
        g_y[v341] = v405;
    }
    if (v450) {
        g_y[v342] = v406;
    }
    if (v451) {
        g_y[v343] = v407;
    }
    if (v452) {
        g_y[v344] = v408;
    }
    if (v453) {
        g_y[v345] = v409;
    }
    if (v454) {
        g_y[v346] = v410;
    }
    if (v455) {
        g_y[v347] = v411;
    }
    if (v456) {
        g_y[v348] = v412;
    }
    if (v457) {
        g_y[v349] = v413;
    }
    if (v458) {
        g_y[v350] = v414;
    }
    if (v459) {
        g_y[v351] = v415;
    }
    if (v460) {
        g_y[v352] = v416;
    }
    if (v461) {
        g_y[v353] = v417;
    }
    if (v462) {
        g_y[v354] = v418;
    }
    if (v463) {
        g_y[v355] = v419;
    }
    if (v464) {
        g_y[v356] = v420;
    }
    if (v465) {
        g_y[v357] = v421;
    }
    if (v466) {
        g_y[v358] = v422;
    }
    if (v467) {
        g_y[v359] = v423;
    }
    if (v468) {
        g_y[v360] = v424;
    }
    if (v469) {
        g_y[v361] = v425;
    }
    if (v470) {
        g_y[v362] = v426;
    }
    if (v471) {
        g_y[v363] = v427;
    }
    if (v472) {
        g_y[v364] = v428;
    }
    if (v473) {
        g_y[v365] = v429;
    }
    if (v474) {
        g_y[v366] = v430;
    }
    if (v475) {
        g_y[v367] = v431;
    }
    if (v476) {
        g_y[v368] = v432;
    }
    if (v477) {
        g_y[v369] = v433;
    }
    if (v478) {
        g_y[v370] = v434;
    }
    if (v479) {
        g_y[v371] = v435;
    }
    if (v480) {
        g_y[v372] = v436;
    }
}
