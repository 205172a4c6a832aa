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
@group(0) @binding(2) var<storage, read> g_w: array<i32>;
@group(0) @binding(3) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 2064>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t71 = (lane >> 4u);
    let t103 = (lane & 15i);
    let t270 = ((lane >> 3u) & 1i);
    let t271 = (lane & 7i);
    let v1 = (pid_y * 128i);
    let v2 = (pid_x * 128i);
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
    for (var i69: i32 = 0i; (i69 < p.a5_k); i69 = i69 + 16i) {
        let v70 = (p.a5_k - 1i);
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
        let v95 = (v87 * p.a5_k);
        let v96 = (v88 * p.a5_k);
        let v97 = (v89 * p.a5_k);
        let v98 = (v90 * p.a5_k);
        let v99 = (v91 * p.a5_k);
        let v100 = (v92 * p.a5_k);
        let v101 = (v93 * p.a5_k);
        let v102 = (v94 * p.a5_k);
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
        let v122 = (v104 < p.a5_k);
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
        let v147 = (v139 * p.a6_line);
        let v148 = (v140 * p.a6_line);
        let v149 = (v141 * p.a6_line);
        let v150 = (v142 * p.a6_line);
        let v151 = (v143 * p.a6_line);
        let v152 = (v144 * p.a6_line);
        let v153 = (v145 * p.a6_line);
        let v154 = (v146 * p.a6_line);
        let v155 = (v105 / 2i);
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
        let v172 = (v105 & 1i);
        let v173 = (v172 * 16i);
        let v174 = select(bitcast<i32>(bitcast<u32>(x164) >> (bitcast<u32>(v173) & 31u)), 0i, bitcast<u32>(v173) > 31u);
        let v175 = select(bitcast<i32>(bitcast<u32>(x165) >> (bitcast<u32>(v173) & 31u)), 0i, bitcast<u32>(v173) > 31u);
        let v176 = select(bitcast<i32>(bitcast<u32>(x166) >> (bitcast<u32>(v173) & 31u)), 0i, bitcast<u32>(v173) > 31u);
        let v177 = select(bitcast<i32>(bitcast<u32>(x167) >> (bitcast<u32>(v173) & 31u)), 0i, bitcast<u32>(v173) > 31u);
        let v178 = select(bitcast<i32>(bitcast<u32>(x168) >> (bitcast<u32>(v173) & 31u)), 0i, bitcast<u32>(v173) > 31u);
        let v179 = select(bitcast<i32>(bitcast<u32>(x169) >> (bitcast<u32>(v173) & 31u)), 0i, bitcast<u32>(v173) > 31u);
        let v180 = select(bitcast<i32>(bitcast<u32>(x170) >> (bitcast<u32>(v173) & 31u)), 0i, bitcast<u32>(v173) > 31u);
        let v181 = select(bitcast<i32>(bitcast<u32>(x171) >> (bitcast<u32>(v173) & 31u)), 0i, bitcast<u32>(v173) > 31u);
        let v182 = (v174 << 16u);
        let v183 = (v175 << 16u);
        let v184 = (v176 << 16u);
        let v185 = (v177 << 16u);
        let v186 = (v178 << 16u);
        let v187 = (v179 << 16u);
        let v188 = (v180 << 16u);
        let v189 = (v181 << 16u);
        let v190 = bitcast<u32>(v182);
        let v191 = bitcast<f32>(v190);
        let v192 = bitcast<u32>(v183);
        let v193 = bitcast<f32>(v192);
        let v194 = bitcast<u32>(v184);
        let v195 = bitcast<f32>(v194);
        let v196 = bitcast<u32>(v185);
        let v197 = bitcast<f32>(v196);
        let v198 = bitcast<u32>(v186);
        let v199 = bitcast<f32>(v198);
        let v200 = bitcast<u32>(v187);
        let v201 = bitcast<f32>(v200);
        let v202 = bitcast<u32>(v188);
        let v203 = bitcast<f32>(v202);
        let v204 = bitcast<u32>(v189);
        let v205 = bitcast<f32>(v204);
        var m206: f32 = m5;
        var m207: f32 = m6;
        var m208: f32 = m7;
        var m209: f32 = m8;
        var m210: f32 = m9;
        var m211: f32 = m10;
        var m212: f32 = m11;
        var m213: f32 = m12;
        var m214: f32 = m13;
        var m215: f32 = m14;
        var m216: f32 = m15;
        var m217: f32 = m16;
        var m218: f32 = m17;
        var m219: f32 = m18;
        var m220: f32 = m19;
        var m221: f32 = m20;
        var m222: f32 = m21;
        var m223: f32 = m22;
        var m224: f32 = m23;
        var m225: f32 = m24;
        var m226: f32 = m25;
        var m227: f32 = m26;
        var m228: f32 = m27;
        var m229: f32 = m28;
        var m230: f32 = m29;
        var m231: f32 = m30;
        var m232: f32 = m31;
        var m233: f32 = m32;
        var m234: f32 = m33;
        var m235: f32 = m34;
        var m236: f32 = m35;
        var m237: f32 = m36;
        var m238: f32 = m37;
        var m239: f32 = m38;
        var m240: f32 = m39;
        var m241: f32 = m40;
        var m242: f32 = m41;
        var m243: f32 = m42;
        var m244: f32 = m43;
        var m245: f32 = m44;
        var m246: f32 = m45;
        var m247: f32 = m46;
        var m248: f32 = m47;
        var m249: f32 = m48;
        var m250: f32 = m49;
        var m251: f32 = m50;
        var m252: f32 = m51;
        var m253: f32 = m52;
        var m254: f32 = m53;
        var m255: f32 = m54;
        var m256: f32 = m55;
        var m257: f32 = m56;
        var m258: f32 = m57;
        var m259: f32 = m58;
        var m260: f32 = m59;
        var m261: f32 = m60;
        var m262: f32 = m61;
        var m263: f32 = m62;
        var m264: f32 = m63;
        var m265: f32 = m64;
        var m266: f32 = m65;
        var m267: f32 = m66;
        var m268: f32 = m67;
        var m269: f32 = m68;
        workgroupBarrier();
        if (t270 == 0i) {
            pool[((t271 * 129i) + t71)] = bitcast<u32>(v123);
            pool[((t271 * 129i) + (t71 + 16i))] = bitcast<u32>(v124);
            pool[((t271 * 129i) + (t71 + 32i))] = bitcast<u32>(v125);
            pool[((t271 * 129i) + (t71 + 48i))] = bitcast<u32>(v126);
            pool[((t271 * 129i) + (t71 + 64i))] = bitcast<u32>(v127);
            pool[((t271 * 129i) + (t71 + 80i))] = bitcast<u32>(v128);
            pool[((t271 * 129i) + (t71 + 96i))] = bitcast<u32>(v129);
            pool[((t271 * 129i) + (t71 + 112i))] = bitcast<u32>(v130);
        }
        if (t270 == 0i) {
            pool[(((t271 * 129i) + t71) + 1032i)] = bitcast<u32>(v191);
            pool[(((t271 * 129i) + (t71 + 16i)) + 1032i)] = bitcast<u32>(v193);
            pool[(((t271 * 129i) + (t71 + 32i)) + 1032i)] = bitcast<u32>(v195);
            pool[(((t271 * 129i) + (t71 + 48i)) + 1032i)] = bitcast<u32>(v197);
            pool[(((t271 * 129i) + (t71 + 64i)) + 1032i)] = bitcast<u32>(v199);
            pool[(((t271 * 129i) + (t71 + 80i)) + 1032i)] = bitcast<u32>(v201);
            pool[(((t271 * 129i) + (t71 + 96i)) + 1032i)] = bitcast<u32>(v203);
            pool[(((t271 * 129i) + (t71 + 112i)) + 1032i)] = bitcast<u32>(v205);
        }
        workgroupBarrier();
        for (var k272 = 0i; k272 < 8i; k272 = k272 + 1i) {
            let v273 = (t71 + ((((0i * 8i) + k272)) * 129i));
            let v274 = ((t103 + 1032i) + ((((0i * 8i) + k272)) * 129i));
            let v275 = bitcast<f32>(pool[v273]);
            let v276 = bitcast<f32>(pool[v274]);
            let v277 = bitcast<f32>(pool[(v274 + 16i)]);
            let v278 = bitcast<f32>(pool[(v274 + 32i)]);
            let v279 = bitcast<f32>(pool[(v274 + 48i)]);
            let v280 = bitcast<f32>(pool[(v274 + 64i)]);
            let v281 = bitcast<f32>(pool[(v274 + 80i)]);
            let v282 = bitcast<f32>(pool[(v274 + 96i)]);
            let v283 = bitcast<f32>(pool[(v274 + 112i)]);
            let v284 = bitcast<f32>(pool[(v273 + 16i)]);
            let v285 = bitcast<f32>(pool[(v273 + 32i)]);
            let v286 = bitcast<f32>(pool[(v273 + 48i)]);
            let v287 = bitcast<f32>(pool[(v273 + 64i)]);
            let v288 = bitcast<f32>(pool[(v273 + 80i)]);
            let v289 = bitcast<f32>(pool[(v273 + 96i)]);
            let v290 = bitcast<f32>(pool[(v273 + 112i)]);
            m206 = fma(v275, v276, m206);
            m207 = fma(v275, v277, m207);
            m208 = fma(v275, v278, m208);
            m209 = fma(v275, v279, m209);
            m210 = fma(v275, v280, m210);
            m211 = fma(v275, v281, m211);
            m212 = fma(v275, v282, m212);
            m213 = fma(v275, v283, m213);
            m214 = fma(v284, v276, m214);
            m215 = fma(v284, v277, m215);
            m216 = fma(v284, v278, m216);
            m217 = fma(v284, v279, m217);
            m218 = fma(v284, v280, m218);
            m219 = fma(v284, v281, m219);
            m220 = fma(v284, v282, m220);
            m221 = fma(v284, v283, m221);
            m222 = fma(v285, v276, m222);
            m223 = fma(v285, v277, m223);
            m224 = fma(v285, v278, m224);
            m225 = fma(v285, v279, m225);
            m226 = fma(v285, v280, m226);
            m227 = fma(v285, v281, m227);
            m228 = fma(v285, v282, m228);
            m229 = fma(v285, v283, m229);
            m230 = fma(v286, v276, m230);
            m231 = fma(v286, v277, m231);
            m232 = fma(v286, v278, m232);
            m233 = fma(v286, v279, m233);
            m234 = fma(v286, v280, m234);
            m235 = fma(v286, v281, m235);
            m236 = fma(v286, v282, m236);
            m237 = fma(v286, v283, m237);
            m238 = fma(v287, v276, m238);
            m239 = fma(v287, v277, m239);
            m240 = fma(v287, v278, m240);
            m241 = fma(v287, v279, m241);
            m242 = fma(v287, v280, m242);
            m243 = fma(v287, v281, m243);
            m244 = fma(v287, v282, m244);
            m245 = fma(v287, v283, m245);
            m246 = fma(v288, v276, m246);
            m247 = fma(v288, v277, m247);
            m248 = fma(v288, v278, m248);
            m249 = fma(v288, v279, m249);
            m250 = fma(v288, v280, m250);
            m251 = fma(v288, v281, m251);
            m252 = fma(v288, v282, m252);
            m253 = fma(v288, v283, m253);
            m254 = fma(v289, v276, m254);
            m255 = fma(v289, v277, m255);
            m256 = fma(v289, v278, m256);
            m257 = fma(v289, v279, m257);
            m258 = fma(v289, v280, m258);
            m259 = fma(v289, v281, m259);
            m260 = fma(v289, v282, m260);
            m261 = fma(v289, v283, m261);
            m262 = fma(v290, v276, m262);
            m263 = fma(v290, v277, m263);
            m264 = fma(v290, v278, m264);
            m265 = fma(v290, v279, m265);
            m266 = fma(v290, v280, m266);
            m267 = fma(v290, v281, m267);
            m268 = fma(v290, v282, m268);
            m269 = fma(v290, v283, m269);
        }
        workgroupBarrier();
        if (t270 == 1i) {
            pool[((t271 * 129i) + t71)] = bitcast<u32>(v123);
            pool[((t271 * 129i) + (t71 + 16i))] = bitcast<u32>(v124);
            pool[((t271 * 129i) + (t71 + 32i))] = bitcast<u32>(v125);
            pool[((t271 * 129i) + (t71 + 48i))] = bitcast<u32>(v126);
            pool[((t271 * 129i) + (t71 + 64i))] = bitcast<u32>(v127);
            pool[((t271 * 129i) + (t71 + 80i))] = bitcast<u32>(v128);
            pool[((t271 * 129i) + (t71 + 96i))] = bitcast<u32>(v129);
            pool[((t271 * 129i) + (t71 + 112i))] = bitcast<u32>(v130);
        }
        if (t270 == 1i) {
            pool[(((t271 * 129i) + t71) + 1032i)] = bitcast<u32>(v191);
            pool[(((t271 * 129i) + (t71 + 16i)) + 1032i)] = bitcast<u32>(v193);
            pool[(((t271 * 129i) + (t71 + 32i)) + 1032i)] = bitcast<u32>(v195);
            pool[(((t271 * 129i) + (t71 + 48i)) + 1032i)] = bitcast<u32>(v197);
            pool[(((t271 * 129i) + (t71 + 64i)) + 1032i)] = bitcast<u32>(v199);
            pool[(((t271 * 129i) + (t71 + 80i)) + 1032i)] = bitcast<u32>(v201);
            pool[(((t271 * 129i) + (t71 + 96i)) + 1032i)] = bitcast<u32>(v203);
            pool[(((t271 * 129i) + (t71 + 112i)) + 1032i)] = bitcast<u32>(v205);
        }
        workgroupBarrier();
        for (var k291 = 0i; k291 < 8i; k291 = k291 + 1i) {
            let v292 = (t71 + ((((0i * 8i) + k291)) * 129i));
            let v293 = ((t103 + 1032i) + ((((0i * 8i) + k291)) * 129i));
            let v294 = bitcast<f32>(pool[v292]);
            let v295 = bitcast<f32>(pool[v293]);
            let v296 = bitcast<f32>(pool[(v293 + 16i)]);
            let v297 = bitcast<f32>(pool[(v293 + 32i)]);
            let v298 = bitcast<f32>(pool[(v293 + 48i)]);
            let v299 = bitcast<f32>(pool[(v293 + 64i)]);
            let v300 = bitcast<f32>(pool[(v293 + 80i)]);
            let v301 = bitcast<f32>(pool[(v293 + 96i)]);
            let v302 = bitcast<f32>(pool[(v293 + 112i)]);
            let v303 = bitcast<f32>(pool[(v292 + 16i)]);
            let v304 = bitcast<f32>(pool[(v292 + 32i)]);
            let v305 = bitcast<f32>(pool[(v292 + 48i)]);
            let v306 = bitcast<f32>(pool[(v292 + 64i)]);
            let v307 = bitcast<f32>(pool[(v292 + 80i)]);
            let v308 = bitcast<f32>(pool[(v292 + 96i)]);
            let v309 = bitcast<f32>(pool[(v292 + 112i)]);
            m206 = fma(v294, v295, m206);
            m207 = fma(v294, v296, m207);
            m208 = fma(v294, v297, m208);
            m209 = fma(v294, v298, m209);
            m210 = fma(v294, v299, m210);
            m211 = fma(v294, v300, m211);
            m212 = fma(v294, v301, m212);
            m213 = fma(v294, v302, m213);
            m214 = fma(v303, v295, m214);
            m215 = fma(v303, v296, m215);
            m216 = fma(v303, v297, m216);
            m217 = fma(v303, v298, m217);
            m218 = fma(v303, v299, m218);
            m219 = fma(v303, v300, m219);
            m220 = fma(v303, v301, m220);
            m221 = fma(v303, v302, m221);
            m222 = fma(v304, v295, m222);
            m223 = fma(v304, v296, m223);
            m224 = fma(v304, v297, m224);
            m225 = fma(v304, v298, m225);
            m226 = fma(v304, v299, m226);
            m227 = fma(v304, v300, m227);
            m228 = fma(v304, v301, m228);
            m229 = fma(v304, v302, m229);
            m230 = fma(v305, v295, m230);
            m231 = fma(v305, v296, m231);
            m232 = fma(v305, v297, m232);
            m233 = fma(v305, v298, m233);
            m234 = fma(v305, v299, m234);
            m235 = fma(v305, v300, m235);
            m236 = fma(v305, v301, m236);
            m237 = fma(v305, v302, m237);
            m238 = fma(v306, v295, m238);
            m239 = fma(v306, v296, m239);
            m240 = fma(v306, v297, m240);
            m241 = fma(v306, v298, m241);
            m242 = fma(v306, v299, m242);
            m243 = fma(v306, v300, m243);
            m244 = fma(v306, v301, m244);
            m245 = fma(v306, v302, m245);
            m246 = fma(v307, v295, m246);
            m247 = fma(v307, v296, m247);
            m248 = fma(v307, v297, m248);
            m249 = fma(v307, v298, m249);
            m250 = fma(v307, v299, m250);
            m251 = fma(v307, v300, m251);
            m252 = fma(v307, v301, m252);
            m253 = fma(v307, v302, m253);
            m254 = fma(v308, v295, m254);
            m255 = fma(v308, v296, m255);
            m256 = fma(v308, v297, m256);
            m257 = fma(v308, v298, m257);
            m258 = fma(v308, v299, m258);
            m259 = fma(v308, v300, m259);
            m260 = fma(v308, v301, m260);
            m261 = fma(v308, v302, m261);
            m262 = fma(v309, v295, m262);
            m263 = fma(v309, v296, m263);
            m264 = fma(v309, v297, m264);
            m265 = fma(v309, v298, m265);
            m266 = fma(v309, v299, m266);
            m267 = fma(v309, v300, m267);
            m268 = fma(v309, v301, m268);
            m269 = fma(v309, v302, m269);
        }
        m5 = m206;
        m6 = m207;
        m7 = m208;
        m8 = m209;
        m9 = m210;
        m10 = m211;
        m11 = m212;
        m12 = m213;
        m13 = m214;
        m14 = m215;
        m15 = m216;
        m16 = m217;
        m17 = m218;
        m18 = m219;
        m19 = m220;
        m20 = m221;
        m21 = m222;
        m22 = m223;
        m23 = m224;
        m24 = m225;
        m25 = m226;
        m26 = m227;
        m27 = m228;
        m28 = m229;
        m29 = m230;
        m30 = m231;
        m31 = m232;
        m32 = m233;
        m33 = m234;
        m34 = m235;
        m35 = m236;
        m36 = m237;
        m37 = m238;
        m38 = m239;
        m39 = m240;
        m40 = m241;
        m41 = m242;
        m42 = m243;
        m43 = m244;
        m44 = m245;
        m45 = m246;
        m46 = m247;
        m47 = m248;
        m48 = m249;
        m49 = m250;
        m50 = m251;
        m51 = m252;
        m52 = m253;
        m53 = m254;
        m54 = m255;
        m55 = m256;
        m56 = m257;
        m57 = m258;
        m58 = m259;
        m59 = m260;
        m60 = m261;
        m61 = m262;
        m62 = m263;
        m63 = m264;
        m64 = m265;
        m65 = m266;
        m66 = m267;
        m67 = m268;
        m68 = m269;
    }
    let v310 = (t71 + 16i);
    let v311 = (t71 + 32i);
    let v312 = (t71 + 48i);
    let v313 = (t71 + 64i);
    let v314 = (t71 + 80i);
    let v315 = (t71 + 96i);
    let v316 = (t71 + 112i);
    let v317 = (v1 + t71);
    let v318 = (v1 + v310);
    let v319 = (v1 + v311);
    let v320 = (v1 + v312);
    let v321 = (v1 + v313);
    let v322 = (v1 + v314);
    let v323 = (v1 + v315);
    let v324 = (v1 + v316);
    let v325 = min(v317, v3);
    let v326 = min(v318, v3);
    let v327 = min(v319, v3);
    let v328 = min(v320, v3);
    let v329 = min(v321, v3);
    let v330 = min(v322, v3);
    let v331 = min(v323, v3);
    let v332 = min(v324, v3);
    let v333 = (v325 * p.a7_width);
    let v334 = (v326 * p.a7_width);
    let v335 = (v327 * p.a7_width);
    let v336 = (v328 * p.a7_width);
    let v337 = (v329 * p.a7_width);
    let v338 = (v330 * p.a7_width);
    let v339 = (v331 * p.a7_width);
    let v340 = (v332 * p.a7_width);
    let v341 = (t103 + 16i);
    let v342 = (t103 + 32i);
    let v343 = (t103 + 48i);
    let v344 = (t103 + 64i);
    let v345 = (t103 + 80i);
    let v346 = (t103 + 96i);
    let v347 = (t103 + 112i);
    let v348 = (v2 + t103);
    let v349 = (v2 + v341);
    let v350 = (v2 + v342);
    let v351 = (v2 + v343);
    let v352 = (v2 + v344);
    let v353 = (v2 + v345);
    let v354 = (v2 + v346);
    let v355 = (v2 + v347);
    let v356 = min(v348, v4);
    let v357 = min(v349, v4);
    let v358 = min(v350, v4);
    let v359 = min(v351, v4);
    let v360 = min(v352, v4);
    let v361 = min(v353, v4);
    let v362 = min(v354, v4);
    let v363 = min(v355, v4);
    let v364 = (p.a8_at + v356);
    let v365 = (p.a8_at + v357);
    let v366 = (p.a8_at + v358);
    let v367 = (p.a8_at + v359);
    let v368 = (p.a8_at + v360);
    let v369 = (p.a8_at + v361);
    let v370 = (p.a8_at + v362);
    let v371 = (p.a8_at + v363);
    let v372 = (v333 + v364);
    let v373 = (v333 + v365);
    let v374 = (v333 + v366);
    let v375 = (v333 + v367);
    let v376 = (v333 + v368);
    let v377 = (v333 + v369);
    let v378 = (v333 + v370);
    let v379 = (v333 + v371);
    let v380 = (v334 + v364);
    let v381 = (v334 + v365);
    let v382 = (v334 + v366);
    let v383 = (v334 + v367);
    let v384 = (v334 + v368);
    let v385 = (v334 + v369);
    let v386 = (v334 + v370);
    let v387 = (v334 + v371);
    let v388 = (v335 + v364);
    let v389 = (v335 + v365);
    let v390 = (v335 + v366);
    let v391 = (v335 + v367);
    let v392 = (v335 + v368);
    let v393 = (v335 + v369);
    let v394 = (v335 + v370);
    let v395 = (v335 + v371);
    let v396 = (v336 + v364);
    let v397 = (v336 + v365);
    let v398 = (v336 + v366);
    let v399 = (v336 + v367);
    let v400 = (v336 + v368);
    let v401 = (v336 + v369);
    let v402 = (v336 + v370);
    let v403 = (v336 + v371);
    let v404 = (v337 + v364);
    let v405 = (v337 + v365);
    let v406 = (v337 + v366);
    let v407 = (v337 + v367);
    let v408 = (v337 + v368);
    let v409 = (v337 + v369);
    let v410 = (v337 + v370);
    let v411 = (v337 + v371);
    let v412 = (v338 + v364);
    let v413 = (v338 + v365);
    let v414 = (v338 + v366);
    let v415 = (v338 + v367);
    let v416 = (v338 + v368);
    let v417 = (v338 + v369);
    let v418 = (v338 + v370);
    let v419 = (v338 + v371);
    let v420 = (v339 + v364);
    let v421 = (v339 + v365);
    let v422 = (v339 + v366);
    let v423 = (v339 + v367);
    let v424 = (v339 + v368);
    let v425 = (v339 + v369);
    let v426 = (v339 + v370);
    let v427 = (v339 + v371);
    let v428 = (v340 + v364);
    let v429 = (v340 + v365);
    let v430 = (v340 + v366);
    let v431 = (v340 + v367);
    let v432 = (v340 + v368);
    let v433 = (v340 + v369);
    let v434 = (v340 + v370);
    let v435 = (v340 + v371);
    let v436 = (v317 < p.a3_m);
    let v437 = (v318 < p.a3_m);
    let v438 = (v319 < p.a3_m);
    let v439 = (v320 < p.a3_m);
    let v440 = (v321 < p.a3_m);
    let v441 = (v322 < p.a3_m);
    let v442 = (v323 < p.a3_m);
    let v443 = (v324 < p.a3_m);
    let v444 = (v348 < p.a4_n);
    let v445 = (v349 < p.a4_n);
    let v446 = (v350 < p.a4_n);
    let v447 = (v351 < p.a4_n);
    let v448 = (v352 < p.a4_n);
    let v449 = (v353 < p.a4_n);
    let v450 = (v354 < p.a4_n);
    let v451 = (v355 < p.a4_n);
    let v452 = (v436 & v444);
    let v453 = (v436 & v445);
    let v454 = (v436 & v446);
    let v455 = (v436 & v447);
    let v456 = (v436 & v448);
    let v457 = (v436 & v449);
    let v458 = (v436 & v450);
    let v459 = (v436 & v451);
    let v460 = (v437 & v444);
    let v461 = (v437 & v445);
    let v462 = (v437 & v446);
    let v463 = (v437 & v447);
    let v464 = (v437 & v448);
    let v465 = (v437 & v449);
    let v466 = (v437 & v450);
    let v467 = (v437 & v451);
    let v468 = (v438 & v444);
    let v469 = (v438 & v445);
    let v470 = (v438 & v446);
    let v471 = (v438 & v447);
    let v472 = (v438 & v448);
    let v473 = (v438 & v449);
    let v474 = (v438 & v450);
    let v475 = (v438 & v451);
    let v476 = (v439 & v444);
    let v477 = (v439 & v445);
    let v478 = (v439 & v446);
    let v479 = (v439 & v447);
    let v480 = (v439 & v448);
    let v481 = (v439 & v449);
    let v482 = (v439 & v450);
    let v483 = (v439 & v451);
    let v484 = (v440 & v444);
    let v485 = (v440 & v445);
    let v486 = (v440 & v446);
    let v487 = (v440 & v447);
    let v488 = (v440 & v448);
    let v489 = (v440 & v449);
    let v490 = (v440 & v450);
    let v491 = (v440 & v451);
    let v492 = (v441 & v444);
    let v493 = (v441 & v445);
    let v494 = (v441 & v446);
    let v495 = (v441 & v447);
    let v496 = (v441 & v448);
    let v497 = (v441 & v449);
    let v498 = (v441 & v450);
    let v499 = (v441 & v451);
    let v500 = (v442 & v444);
    let v501 = (v442 & v445);
    let v502 = (v442 & v446);
    let v503 = (v442 & v447);
    let v504 = (v442 & v448);
    let v505 = (v442 & v449);
    let v506 = (v442 & v450);
    let v507 = (v442 & v451);
    let v508 = (v443 & v444);
    let v509 = (v443 & v445);
    let v510 = (v443 & v446);
    let v511 = (v443 & v447);
    let v512 = (v443 & v448);
    let v513 = (v443 & v449);
    let v514 = (v443 & v450);
    let v515 = (v443 & v451);
    if (v452) {
        g_y[v372] = m5;
    }
    if (v453) {
        g_y[v373] = m6;
    }
    if (v454) {
        g_y[v374] = m7;
    }
    if (v455) {
        g_y[v375] = m8;
    }
    if (v456) {
        g_y[v376] = m9;
    }
    if (v457) {
        g_y[v377] = m10;
    }
    if (v458) {
        g_y[v378] = m11;
    }
    if (v459) {
        g_y[v379] = m12;
    }
    if (v460) {
        g_y[v380] = m13;
    }
    if (v461) {
        g_y[v381] = m14;
    }
    if (v462) {
        g_y[v382] = m15;
    }
    if (v463) {
        g_y[v383] = m16;
    }
    if (v464) {
        g_y[v384] = m17;
    }
    if (v465) {
        g_y[v385] = m18;
    }
    if (v466) {
        g_y[v386] = m19;
    }
    if (v467) {
        g_y[v387] = m20;
    }
    if (v468) {
        g_y[v388] = m21;
    }
    if (v469) {
        g_y[v389] = m22;
    }
    if (v470) {
        g_y[v390] = m23;
    }
    if (v471) {
        g_y[v391] = m24;
    }
    if (v472) {
        g_y[v392] = m25;
    }
    if (v473) {
        g_y[v393] = m26;
    }
    if (v474) {
        g_y[v394] = m27;
    }
    if (v475) {
        g_y[v395] = m28;
    }
    if (v476) {
        g_y[v396] = m29;
    }
    if (v477) {
        g_y[v397] = m30;
    }
    if (v478) {
        g_y[v398] = m31;
    }
    if (v479) {
        g_y[v399] = m32;
    }
    if (v480) {
        g_y[v400] = m33;
    }
    if (v481) {
        g_y[v401] = m34;
    }
    if (v482) {
        g_y[v402] = m35;
    }
    if (v483) {
        g_y[v403] = m36;
    }
    if (v484) {
        g_y[v404] = m37;
    }
    if (v485) {
        g_y[v405] = m38;
    }
    if (v486) {
        g_y[v406] = m39;
    }
    if (v487) {
        g_y[v407] = m40;
    }
    if (v488) {
        g_y[v408] = m41;
    }
    if (v489) {
        g_y[v409] = m42;
    }
    if (v490) {
        g_y[v410] = m43;
    }
    if (v491) {
        g_y[v411] = m44;
    }
    if (v492) {
        g_y[v412] = m45;
    }
    if (v493) {
        g_y[v413] = m46;
    }
    if (v494) {
        g_y[v414] = m47;
    }
    if (v495) {
        g_y[v415] = m48;
    }
    if (v496) {
        g_y[v416] = m49;
    }
    if (v497) {
        g_y[v417] = m50;
    }
    if (v498) {
        g_y[v418] = m51;
    }
    if (v499) {
        g_y[v419] = m52;
    }
    if (v500) {
        g_y[v420] = m53;
    }
    if (v501) {
        g_y[v421] = m54;
    }
    if (v502) {
        g_y[v422] = m55;
    }
    if (v503) {
        g_y[v423] = m56;
    }
    if (v504) {
        g_y[v424] = m57;
    }
    if (v505) {
        g_y[v425] = m58;
    }
    if (v506) {
        g_y[v426] = m59;
    }
    if (v507) {
        g_y[v427] = m60;
    }
    if (v508) {
        g_y[v428] = m61;
    }
    if (v509) {
        g_y[v429] = m62;
    }
    if (v510) {
        g_y[v430] = m63;
    }
    if (v511) {
        g_y[v431] = m64;
    }
    if (v512) {
        g_y[v432] = m65;
    }
    if (v513) {
        g_y[v433] = m66;
    }
    if (v514) {
        g_y[v434] = m67;
    }
    if (v515) {
        g_y[v435] = m68;
    }
}
