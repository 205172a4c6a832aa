struct Params {
    a3_m: i32,
    a4_n: i32,
    a5_k: i32,
    a6_line: i32,
    a7_width: i32,
    a8_at: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_w: array<u32>;
@group(0) @binding(3) var<storage, read_write> g_y: array<f32>;
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
    let t171 = (lane >> 3u);
    let t172 = (lane & 7i);
    let v1 = (pid_y * 64i);
    let v2 = (pid_x * 64i);
    let v3 = (p.a3_m - 1i);
    let v4 = (p.a4_n - 1i);
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
    for (var i37: i32 = 0i; (i37 < p.a5_k); i37 = i37 + 16i) {
        let v38 = (p.a5_k - 1i);
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
        let v63 = (v55 * p.a5_k);
        let v64 = (v56 * p.a5_k);
        let v65 = (v57 * p.a5_k);
        let v66 = (v58 * p.a5_k);
        let v67 = (v59 * p.a5_k);
        let v68 = (v60 * p.a5_k);
        let v69 = (v61 * p.a5_k);
        let v70 = (v62 * p.a5_k);
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
        let v90 = (v72 < p.a5_k);
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
        let v115 = (v107 * p.a6_line);
        let v116 = (v108 * p.a6_line);
        let v117 = (v109 * p.a6_line);
        let v118 = (v110 * p.a6_line);
        let v119 = (v111 * p.a6_line);
        let v120 = (v112 * p.a6_line);
        let v121 = (v113 * p.a6_line);
        let v122 = (v114 * p.a6_line);
        let v123 = (v115 + v73);
        let v124 = (v116 + v73);
        let v125 = (v117 + v73);
        let v126 = (v118 + v73);
        let v127 = (v119 + v73);
        let v128 = (v120 + v73);
        let v129 = (v121 + v73);
        let v130 = (v122 + v73);
        let x131 = from_half(extractBits(g_w[(v123 >> 1u)], u32(v123 & 1i) * 16u, 16u));
        let x132 = from_half(extractBits(g_w[(v124 >> 1u)], u32(v124 & 1i) * 16u, 16u));
        let x133 = from_half(extractBits(g_w[(v125 >> 1u)], u32(v125 & 1i) * 16u, 16u));
        let x134 = from_half(extractBits(g_w[(v126 >> 1u)], u32(v126 & 1i) * 16u, 16u));
        let x135 = from_half(extractBits(g_w[(v127 >> 1u)], u32(v127 & 1i) * 16u, 16u));
        let x136 = from_half(extractBits(g_w[(v128 >> 1u)], u32(v128 & 1i) * 16u, 16u));
        let x137 = from_half(extractBits(g_w[(v129 >> 1u)], u32(v129 & 1i) * 16u, 16u));
        let x138 = from_half(extractBits(g_w[(v130 >> 1u)], u32(v130 & 1i) * 16u, 16u));
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
    let v188 = (t171 + 16i);
    let v189 = (t171 + 32i);
    let v190 = (t171 + 48i);
    let v191 = (v1 + t171);
    let v192 = (v1 + v188);
    let v193 = (v1 + v189);
    let v194 = (v1 + v190);
    let v195 = min(v191, v3);
    let v196 = min(v192, v3);
    let v197 = min(v193, v3);
    let v198 = min(v194, v3);
    let v199 = (v195 * p.a7_width);
    let v200 = (v196 * p.a7_width);
    let v201 = (v197 * p.a7_width);
    let v202 = (v198 * p.a7_width);
    let v203 = (t172 + 8i);
    let v204 = (t172 + 16i);
    let v205 = (t172 + 24i);
    let v206 = (t172 + 32i);
    let v207 = (t172 + 40i);
    let v208 = (t172 + 48i);
    let v209 = (t172 + 56i);
    let v210 = (v2 + t172);
    let v211 = (v2 + v203);
    let v212 = (v2 + v204);
    let v213 = (v2 + v205);
    let v214 = (v2 + v206);
    let v215 = (v2 + v207);
    let v216 = (v2 + v208);
    let v217 = (v2 + v209);
    let v218 = min(v210, v4);
    let v219 = min(v211, v4);
    let v220 = min(v212, v4);
    let v221 = min(v213, v4);
    let v222 = min(v214, v4);
    let v223 = min(v215, v4);
    let v224 = min(v216, v4);
    let v225 = min(v217, v4);
    let v226 = (p.a8_at + v218);
    let v227 = (p.a8_at + v219);
    let v228 = (p.a8_at + v220);
    let v229 = (p.a8_at + v221);
    let v230 = (p.a8_at + v222);
    let v231 = (p.a8_at + v223);
    let v232 = (p.a8_at + v224);
    let v233 = (p.a8_at + v225);
    let v234 = (v199 + v226);
    let v235 = (v199 + v227);
    let v236 = (v199 + v228);
    let v237 = (v199 + v229);
    let v238 = (v199 + v230);
    let v239 = (v199 + v231);
    let v240 = (v199 + v232);
    let v241 = (v199 + v233);
    let v242 = (v200 + v226);
    let v243 = (v200 + v227);
    let v244 = (v200 + v228);
    let v245 = (v200 + v229);
    let v246 = (v200 + v230);
    let v247 = (v200 + v231);
    let v248 = (v200 + v232);
    let v249 = (v200 + v233);
    let v250 = (v201 + v226);
    let v251 = (v201 + v227);
    let v252 = (v201 + v228);
    let v253 = (v201 + v229);
    let v254 = (v201 + v230);
    let v255 = (v201 + v231);
    let v256 = (v201 + v232);
    let v257 = (v201 + v233);
    let v258 = (v202 + v226);
    let v259 = (v202 + v227);
    let v260 = (v202 + v228);
    let v261 = (v202 + v229);
    let v262 = (v202 + v230);
    let v263 = (v202 + v231);
    let v264 = (v202 + v232);
    let v265 = (v202 + v233);
    let v266 = (v191 < p.a3_m);
    let v267 = (v192 < p.a3_m);
    let v268 = (v193 < p.a3_m);
    let v269 = (v194 < p.a3_m);
    let v270 = (v210 < p.a4_n);
    let v271 = (v211 < p.a4_n);
    let v272 = (v212 < p.a4_n);
    let v273 = (v213 < p.a4_n);
    let v274 = (v214 < p.a4_n);
    let v275 = (v215 < p.a4_n);
    let v276 = (v216 < p.a4_n);
    let v277 = (v217 < p.a4_n);
    let v278 = (v266 & v270);
    let v279 = (v266 & v271);
    let v280 = (v266 & v272);
    let v281 = (v266 & v273);
    let v282 = (v266 & v274);
    let v283 = (v266 & v275);
    let v284 = (v266 & v276);
    let v285 = (v266 & v277);
    let v286 = (v267 & v270);
    let v287 = (v267 & v271);
    let v288 = (v267 & v272);
    let v289 = (v267 & v273);
    let v290 = (v267 & v274);
    let v291 = (v267 & v275);
    let v292 = (v267 & v276);
    let v293 = (v267 & v277);
    let v294 = (v268 & v270);
    let v295 = (v268 & v271);
    let v296 = (v268 & v272);
    let v297 = (v268 & v273);
    let v298 = (v268 & v274);
    let v299 = (v268 & v275);
    let v300 = (v268 & v276);
    let v301 = (v268 & v277);
    let v302 = (v269 & v270);
    let v303 = (v269 & v271);
    let v304 = (v269 & v272);
    let v305 = (v269 & v273);
    let v306 = (v269 & v274);
    let v307 = (v269 & v275);
    let v308 = (v269 & v276);
    let v309 = (v269 & v277);
    if (v278) {
        g_y[v234] = m5;
    }
    if (v279) {
        g_y[v235] = m6;
    }
    if (v280) {
        g_y[v236] = m7;
    }
    if (v281) {
        g_y[v237] = m8;
    }
    if (v282) {
        g_y[v238] = m9;
    }
    if (v283) {
        g_y[v239] = m10;
    }
    if (v284) {
        g_y[v240] = m11;
    }
    if (v285) {
        g_y[v241] = m12;
    }
    if (v286) {
        g_y[v242] = m13;
    }
    if (v287) {
        g_y[v243] = m14;
    }
    if (v288) {
        g_y[v244] = m15;
    }
    if (v289) {
        g_y[v245] = m16;
    }
    if (v290) {
        g_y[v246] = m17;
    }
    if (v291) {
        g_y[v247] = m18;
    }
    if (v292) {
        g_y[v248] = m19;
    }
    if (v293) {
        g_y[v249] = m20;
    }
    if (v294) {
        g_y[v250] = m21;
    }
    if (v295) {
        g_y[v251] = m22;
    }
    if (v296) {
        g_y[v252] = m23;
    }
    if (v297) {
        g_y[v253] = m24;
    }
    if (v298) {
        g_y[v254] = m25;
    }
    if (v299) {
        g_y[v255] = m26;
    }
    if (v300) {
        g_y[v256] = m27;
    }
    if (v301) {
        g_y[v257] = m28;
    }
    if (v302) {
        g_y[v258] = m29;
    }
    if (v303) {
        g_y[v259] = m30;
    }
    if (v304) {
        g_y[v260] = m31;
    }
    if (v305) {
        g_y[v261] = m32;
    }
    if (v306) {
        g_y[v262] = m33;
    }
    if (v307) {
        g_y[v263] = m34;
    }
    if (v308) {
        g_y[v264] = m35;
    }
    if (v309) {
        g_y[v265] = m36;
    }
}
