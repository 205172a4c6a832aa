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
@group(0) @binding(2) var<storage, read> g_w: array<f16>;
@group(0) @binding(3) var<storage, read> g_b: array<f32>;
@group(0) @binding(4) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 2080>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t39 = (lane >> 4u);
    let t71 = (lane & 15i);
    let t171 = (lane >> 3u);
    let t172 = (lane & 7i);
    let t211 = (lane & 120i) == 0i;
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
        let v123 = (v115 + v73);
        let v124 = (v116 + v73);
        let v125 = (v117 + v73);
        let v126 = (v118 + v73);
        let v127 = (v119 + v73);
        let v128 = (v120 + v73);
        let v129 = (v121 + v73);
        let v130 = (v122 + v73);
        let x131 = f32(g_w[v123]);
        let x132 = f32(g_w[v124]);
        let x133 = f32(g_w[v125]);
        let x134 = f32(g_w[v126]);
        let x135 = f32(g_w[v127]);
        let x136 = f32(g_w[v128]);
        let x137 = f32(g_w[v129]);
        let x138 = f32(g_w[v130]);
        var m139: f32 = m5;
        var m140: f32 = m6;
        var m141: f32 = m7;
        var m142: f32 = m8;
        var m143: f32 = m9;
        var m144: f32 = m10;
        var m145: f32 = m11;
        var m146: f32 = m12;
        var m147: f32 = m13;
        var m148: f32 = m14;
        var m149: f32 = m15;
        var m150: f32 = m16;
        var m151: f32 = m17;
        var m152: f32 = m18;
        var m153: f32 = m19;
        var m154: f32 = m20;
        var m155: f32 = m21;
        var m156: f32 = m22;
        var m157: f32 = m23;
        var m158: f32 = m24;
        var m159: f32 = m25;
        var m160: f32 = m26;
        var m161: f32 = m27;
        var m162: f32 = m28;
        var m163: f32 = m29;
        var m164: f32 = m30;
        var m165: f32 = m31;
        var m166: f32 = m32;
        var m167: f32 = m33;
        var m168: f32 = m34;
        var m169: f32 = m35;
        var m170: f32 = m36;
        workgroupBarrier();
        pool[((t71 * 65i) + t39)] = bitcast<u32>(v91);
        pool[((t71 * 65i) + (t39 + 8i))] = bitcast<u32>(v92);
        pool[((t71 * 65i) + (t39 + 16i))] = bitcast<u32>(v93);
        pool[((t71 * 65i) + (t39 + 24i))] = bitcast<u32>(v94);
        pool[((t71 * 65i) + (t39 + 32i))] = bitcast<u32>(v95);
        pool[((t71 * 65i) + (t39 + 40i))] = bitcast<u32>(v96);
        pool[((t71 * 65i) + (t39 + 48i))] = bitcast<u32>(v97);
        pool[((t71 * 65i) + (t39 + 56i))] = bitcast<u32>(v98);
        pool[(((t71 * 65i) + t39) + 1040i)] = bitcast<u32>(x131);
        pool[(((t71 * 65i) + (t39 + 8i)) + 1040i)] = bitcast<u32>(x132);
        pool[(((t71 * 65i) + (t39 + 16i)) + 1040i)] = bitcast<u32>(x133);
        pool[(((t71 * 65i) + (t39 + 24i)) + 1040i)] = bitcast<u32>(x134);
        pool[(((t71 * 65i) + (t39 + 32i)) + 1040i)] = bitcast<u32>(x135);
        pool[(((t71 * 65i) + (t39 + 40i)) + 1040i)] = bitcast<u32>(x136);
        pool[(((t71 * 65i) + (t39 + 48i)) + 1040i)] = bitcast<u32>(x137);
        pool[(((t71 * 65i) + (t39 + 56i)) + 1040i)] = bitcast<u32>(x138);
        workgroupBarrier();
        for (var k173 = 0i; k173 < 16i; k173 = k173 + 1i) {
            let v174 = (t171 + ((((0i * 16i) + k173)) * 65i));
            let v175 = ((t172 + 1040i) + ((((0i * 16i) + k173)) * 65i));
            let v176 = bitcast<f32>(pool[v174]);
            let v177 = bitcast<f32>(pool[v175]);
            let v178 = bitcast<f32>(pool[(v175 + 8i)]);
            let v179 = bitcast<f32>(pool[(v175 + 16i)]);
            let v180 = bitcast<f32>(pool[(v175 + 24i)]);
            let v181 = bitcast<f32>(pool[(v175 + 32i)]);
            let v182 = bitcast<f32>(pool[(v175 + 40i)]);
            let v183 = bitcast<f32>(pool[(v175 + 48i)]);
            let v184 = bitcast<f32>(pool[(v175 + 56i)]);
            let v185 = bitcast<f32>(pool[(v174 + 16i)]);
            let v186 = bitcast<f32>(pool[(v174 + 32i)]);
            let v187 = bitcast<f32>(pool[(v174 + 48i)]);
            m139 = fma(v176, v177, m139);
            m140 = fma(v176, v178, m140);
            m141 = fma(v176, v179, m141);
            m142 = fma(v176, v180, m142);
            m143 = fma(v176, v181, m143);
            m144 = fma(v176, v182, m144);
            m145 = fma(v176, v183, m145);
            m146 = fma(v176, v184, m146);
            m147 = fma(v185, v177, m147);
            m148 = fma(v185, v178, m148);
            m149 = fma(v185, v179, m149);
            m150 = fma(v185, v180, m150);
            m151 = fma(v185, v181, m151);
            m152 = fma(v185, v182, m152);
            m153 = fma(v185, v183, m153);
            m154 = fma(v185, v184, m154);
            m155 = fma(v186, v177, m155);
            m156 = fma(v186, v178, m156);
            m157 = fma(v186, v179, m157);
            m158 = fma(v186, v180, m158);
            m159 = fma(v186, v181, m159);
            m160 = fma(v186, v182, m160);
            m161 = fma(v186, v183, m161);
            m162 = fma(v186, v184, m162);
            m163 = fma(v187, v177, m163);
            m164 = fma(v187, v178, m164);
            m165 = fma(v187, v179, m165);
            m166 = fma(v187, v180, m166);
            m167 = fma(v187, v181, m167);
            m168 = fma(v187, v182, m168);
            m169 = fma(v187, v183, m169);
            m170 = fma(v187, v184, m170);
        }
        m5 = m139;
        m6 = m140;
        m7 = m141;
        m8 = m142;
        m9 = m143;
        m10 = m144;
        m11 = m145;
        m12 = m146;
        m13 = m147;
        m14 = m148;
        m15 = m149;
        m16 = m150;
        m17 = m151;
        m18 = m152;
        m19 = m153;
        m20 = m154;
        m21 = m155;
        m22 = m156;
        m23 = m157;
        m24 = m158;
        m25 = m159;
        m26 = m160;
        m27 = m161;
        m28 = m162;
        m29 = m163;
        m30 = m164;
        m31 = m165;
        m32 = m166;
        m33 = m167;
        m34 = m168;
        m35 = m169;
        m36 = m170;
    }
    let v188 = (t172 + 8i);
    let v189 = (t172 + 16i);
    let v190 = (t172 + 24i);
    let v191 = (t172 + 32i);
    let v192 = (t172 + 40i);
    let v193 = (t172 + 48i);
    let v194 = (t172 + 56i);
    let v195 = (v2 + t172);
    let v196 = (v2 + v188);
    let v197 = (v2 + v189);
    let v198 = (v2 + v190);
    let v199 = (v2 + v191);
    let v200 = (v2 + v192);
    let v201 = (v2 + v193);
    let v202 = (v2 + v194);
    let v203 = min(v195, v4);
    let v204 = min(v196, v4);
    let v205 = min(v197, v4);
    let v206 = min(v198, v4);
    let v207 = min(v199, v4);
    let v208 = min(v200, v4);
    let v209 = min(v201, v4);
    let v210 = min(v202, v4);
    let x212 = g_b[v203];
    let x213 = g_b[v204];
    let x214 = g_b[v205];
    let x215 = g_b[v206];
    let x216 = g_b[v207];
    let x217 = g_b[v208];
    let x218 = g_b[v209];
    let x219 = g_b[v210];
    let v220 = (m5 + x212);
    let v221 = (m6 + x213);
    let v222 = (m7 + x214);
    let v223 = (m8 + x215);
    let v224 = (m9 + x216);
    let v225 = (m10 + x217);
    let v226 = (m11 + x218);
    let v227 = (m12 + x219);
    let v228 = (m13 + x212);
    let v229 = (m14 + x213);
    let v230 = (m15 + x214);
    let v231 = (m16 + x215);
    let v232 = (m17 + x216);
    let v233 = (m18 + x217);
    let v234 = (m19 + x218);
    let v235 = (m20 + x219);
    let v236 = (m21 + x212);
    let v237 = (m22 + x213);
    let v238 = (m23 + x214);
    let v239 = (m24 + x215);
    let v240 = (m25 + x216);
    let v241 = (m26 + x217);
    let v242 = (m27 + x218);
    let v243 = (m28 + x219);
    let v244 = (m29 + x212);
    let v245 = (m30 + x213);
    let v246 = (m31 + x214);
    let v247 = (m32 + x215);
    let v248 = (m33 + x216);
    let v249 = (m34 + x217);
    let v250 = (m35 + x218);
    let v251 = (m36 + x219);
    let v252 = (t171 + 16i);
    let v253 = (t171 + 32i);
    let v254 = (t171 + 48i);
    let v255 = (v1 + t171);
    let v256 = (v1 + v252);
    let v257 = (v1 + v253);
    let v258 = (v1 + v254);
    let v259 = min(v255, v3);
    let v260 = min(v256, v3);
    let v261 = min(v257, v3);
    let v262 = min(v258, v3);
    let v263 = (v259 * p.a8_width);
    let v264 = (v260 * p.a8_width);
    let v265 = (v261 * p.a8_width);
    let v266 = (v262 * p.a8_width);
    let v267 = (p.a9_at + v203);
    let v268 = (p.a9_at + v204);
    let v269 = (p.a9_at + v205);
    let v270 = (p.a9_at + v206);
    let v271 = (p.a9_at + v207);
    let v272 = (p.a9_at + v208);
    let v273 = (p.a9_at + v209);
    let v274 = (p.a9_at + v210);
    let v275 = (v263 + v267);
    let v276 = (v263 + v268);
    let v277 = (v263 + v269);
    let v278 = (v263 + v270);
    let v279 = (v263 + v271);
    let v280 = (v263 + v272);
    let v281 = (v263 + v273);
    let v282 = (v263 + v274);
    let v283 = (v264 + v267);
    let v284 = (v264 + v268);
    let v285 = (v264 + v269);
    let v286 = (v264 + v270);
    let v287 = (v264 + v271);
    let v288 = (v264 + v272);
    let v289 = (v264 + v273);
    let v290 = (v264 + v274);
    let v291 = (v265 + v267);
    let v292 = (v265 + v268);
    let v293 = (v265 + v269);
    let v294 = (v265 + v270);
    let v295 = (v265 + v271);
    let v296 = (v265 + v272);
    let v297 = (v265 + v273);
    let v298 = (v265 + v274);
    let v299 = (v266 + v267);
    let v300 = (v266 + v268);
    let v301 = (v266 + v269);
    let v302 = (v266 + v270);
    let v303 = (v266 + v271);
    let v304 = (v266 + v272);
    let v305 = (v266 + v273);
    let v306 = (v266 + v274);
    let v307 = (v255 < p.a4_m);
    let v308 = (v256 < p.a4_m);
    let v309 = (v257 < p.a4_m);
    let v310 = (v258 < p.a4_m);
    let v311 = (v195 < p.a5_n);
    let v312 = (v196 < p.a5_n);
    let v313 = (v197 < p.a5_n);
    let v314 = (v198 < p.a5_n);
    let v315 = (v199 < p.a5_n);
    let v316 = (v200 < p.a5_n);
    let v317 = (v201 < p.a5_n);
    let v318 = (v202 < p.a5_n);
    let v319 = (v307 & v311);
    let v320 = (v307 & v312);
    let v321 = (v307 & v313);
    let v322 = (v307 & v314);
    let v323 = (v307 & v315);
    let v324 = (v307 & v316);
    let v325 = (v307 & v317);
    let v326 = (v307 & v318);
    let v327 = (v308 & v311);
    let v328 = (v308 & v312);
    let v329 = (v308 & v313);
    let v330 = (v308 & v314);
    let v331 = (v308 & v315);
    let v332 = (v308 & v316);
    let v333 = (v308 & v317);
    let v334 = (v308 & v318);
    let v335 = (v309 & v311);
    let v336 = (v309 & v312);
    let v337 = (v309 & v313);
    let v338 = (v309 & v314);
    let v339 = (v309 & v315);
    let v340 = (v309 & v316);
    let v341 = (v309 & v317);
    let v342 = (v309 & v318);
    let v343 = (v310 & v311);
    let v344 = (v310 & v312);
    let v345 = (v310 & v313);
    let v346 = (v310 & v314);
    let v347 = (v310 & v315);
    let v348 = (v310 & v316);
    let v349 = (v310 & v317);
    let v350 = (v310 & v318);
    if (v319) {
        g_y[v275] = v220;
    }
    if (v320) {
        g_y[v276] = v221;
    }
    if (v321) {
        g_y[v277] = v222;
    }
    if (v322) {
        g_y[v278] = v223;
    }
    if (v323) {
        g_y[v279] = v224;
    }
    if (v324) {
        g_y[v280] = v225;
    }
    if (v325) {
        g_y[v281] = v226;
    }
    if (v326) {
        g_y[v282] = v227;
    }
    if (v327) {
        g_y[v283] = v228;
    }
    if (v328) {
        g_y[v284] = v229;
    }
    if (v329) {
        g_y[v285] = v230;
    }
    if (v330) {
        g_y[v286] = v231;
    }
    if (v331) {
        g_y[v287] = v232;
    }
    if (v332) {
        g_y[v288] = v233;
    }
    if (v333) {
        g_y[v289] = v234;
    }
    if (v334) {
        g_y[v290] = v235;
    }
    if (v335) {
        g_y[v291] = v236;
    }
    if (v336) {
        g_y[v292] = v237;
    }
    if (v337) {
        g_y[v293] = v238;
    }
    if (v338) {
        g_y[v294] = v239;
    }
    if (v339) {
        g_y[v295] = v240;
    }
    if (v340) {
        g_y[v296] = v241;
    }
    if (v341) {
        g_y[v297] = v242;
    }
    if (v342) {
        g_y[v298] = v243;
    }
    if (v343) {
        g_y[v299] = v244;
    }
    if (v344) {
        g_y[v300] = v245;
    }
    if (v345) {
        g_y[v301] = v246;
    }
    if (v346) {
        g_y[v302] = v247;
    }
    if (v347) {
        g_y[v303] = v248;
    }
    if (v348) {
        g_y[v304] = v249;
    }
    if (v349) {
        g_y[v305] = v250;
    }
    if (v350) {
        g_y[v306] = v251;
    }
}
