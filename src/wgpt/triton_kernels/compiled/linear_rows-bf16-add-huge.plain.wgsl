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
@group(0) @binding(3) var<storage, read> g_r: array<f32>;
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
    let t270 = ((lane >> 3u) & 1i);
    let t271 = (lane & 7i);
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
    let v333 = (v325 * p.a8_width);
    let v334 = (v326 * p.a8_width);
    let v335 = (v327 * p.a8_width);
    let v336 = (v328 * p.a8_width);
    let v337 = (v329 * p.a8_width);
    let v338 = (v330 * p.a8_width);
    let v339 = (v331 * p.a8_width);
    let v340 = (v332 * p.a8_width);
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
    let v364 = (p.a9_at + v356);
    let v365 = (p.a9_at + v357);
    let v366 = (p.a9_at + v358);
    let v367 = (p.a9_at + v359);
    let v368 = (p.a9_at + v360);
    let v369 = (p.a9_at + v361);
    let v370 = (p.a9_at + v362);
    let v371 = (p.a9_at + v363);
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
    let x436 = g_r[v372];
    let x437 = g_r[v373];
    let x438 = g_r[v374];
    let x439 = g_r[v375];
    let x440 = g_r[v376];
    let x441 = g_r[v377];
    let x442 = g_r[v378];
    let x443 = g_r[v379];
    let x444 = g_r[v380];
    let x445 = g_r[v381];
    let x446 = g_r[v382];
    let x447 = g_r[v383];
    let x448 = g_r[v384];
    let x449 = g_r[v385];
    let x450 = g_r[v386];
    let x451 = g_r[v387];
    let x452 = g_r[v388];
    let x453 = g_r[v389];
    let x454 = g_r[v390];
    let x455 = g_r[v391];
    let x456 = g_r[v392];
    let x457 = g_r[v393];
    let x458 = g_r[v394];
    let x459 = g_r[v395];
    let x460 = g_r[v396];
    let x461 = g_r[v397];
    let x462 = g_r[v398];
    let x463 = g_r[v399];
    let x464 = g_r[v400];
    let x465 = g_r[v401];
    let x466 = g_r[v402];
    let x467 = g_r[v403];
    let x468 = g_r[v404];
    let x469 = g_r[v405];
    let x470 = g_r[v406];
    let x471 = g_r[v407];
    let x472 = g_r[v408];
    let x473 = g_r[v409];
    let x474 = g_r[v410];
    let x475 = g_r[v411];
    let x476 = g_r[v412];
    let x477 = g_r[v413];
    let x478 = g_r[v414];
    let x479 = g_r[v415];
    let x480 = g_r[v416];
    let x481 = g_r[v417];
    let x482 = g_r[v418];
    let x483 = g_r[v419];
    let x484 = g_r[v420];
    let x485 = g_r[v421];
    let x486 = g_r[v422];
    let x487 = g_r[v423];
    let x488 = g_r[v424];
    let x489 = g_r[v425];
    let x490 = g_r[v426];
    let x491 = g_r[v427];
    let x492 = g_r[v428];
    let x493 = g_r[v429];
    let x494 = g_r[v430];
    let x495 = g_r[v431];
    let x496 = g_r[v432];
    let x497 = g_r[v433];
    let x498 = g_r[v434];
    let x499 = g_r[v435];
    let v500 = (m5 + x436);
    let v501 = (m6 + x437);
    let v502 = (m7 + x438);
    let v503 = (m8 + x439);
    let v504 = (m9 + x440);
    let v505 = (m10 + x441);
    let v506 = (m11 + x442);
    let v507 = (m12 + x443);
    let v508 = (m13 + x444);
    let v509 = (m14 + x445);
    let v510 = (m15 + x446);
    let v511 = (m16 + x447);
    let v512 = (m17 + x448);
    let v513 = (m18 + x449);
    let v514 = (m19 + x450);
    let v515 = (m20 + x451);
    let v516 = (m21 + x452);
    let v517 = (m22 + x453);
    let v518 = (m23 + x454);
    let v519 = (m24 + x455);
    let v520 = (m25 + x456);
    let v521 = (m26 + x457);
    let v522 = (m27 + x458);
    let v523 = (m28 + x459);
    let v524 = (m29 + x460);
    let v525 = (m30 + x461);
    let v526 = (m31 + x462);
    let v527 = (m32 + x463);
    let v528 = (m33 + x464);
    let v529 = (m34 + x465);
    let v530 = (m35 + x466);
    let v531 = (m36 + x467);
    let v532 = (m37 + x468);
    let v533 = (m38 + x469);
    let v534 = (m39 + x470);
    let v535 = (m40 + x471);
    let v536 = (m41 + x472);
    let v537 = (m42 + x473);
    let v538 = (m43 + x474);
    let v539 = (m44 + x475);
    let v540 = (m45 + x476);
    let v541 = (m46 + x477);
    let v542 = (m47 + x478);
    let v543 = (m48 + x479);
    let v544 = (m49 + x480);
    let v545 = (m50 + x481);
    let v546 = (m51 + x482);
    let v547 = (m52 + x483);
    let v548 = (m53 + x484);
    let v549 = (m54 + x485);
    let v550 = (m55 + x486);
    let v551 = (m56 + x487);
    let v552 = (m57 + x488);
    let v553 = (m58 + x489);
    let v554 = (m59 + x490);
    let v555 = (m60 + x491);
    let v556 = (m61 + x492);
    let v557 = (m62 + x493);
    let v558 = (m63 + x494);
    let v559 = (m64 + x495);
    let v560 = (m65 + x496);
    let v561 = (m66 + x497);
    let v562 = (m67 + x498);
    let v563 = (m68 + x499);
    let v564 = (v317 < p.a4_m);
    let v565 = (v318 < p.a4_m);
    let v566 = (v319 < p.a4_m);
    let v567 = (v320 < p.a4_m);
    let v568 = (v321 < p.a4_m);
    let v569 = (v322 < p.a4_m);
    let v570 = (v323 < p.a4_m);
    let v571 = (v324 < p.a4_m);
    let v572 = (v348 < p.a5_n);
    let v573 = (v349 < p.a5_n);
    let v574 = (v350 < p.a5_n);
    let v575 = (v351 < p.a5_n);
    let v576 = (v352 < p.a5_n);
    let v577 = (v353 < p.a5_n);
    let v578 = (v354 < p.a5_n);
    let v579 = (v355 < p.a5_n);
    let v580 = (v564 & v572);
    let v581 = (v564 & v573);
    let v582 = (v564 & v574);
    let v583 = (v564 & v575);
    let v584 = (v564 & v576);
    let v585 = (v564 & v577);
    let v586 = (v564 & v578);
    let v587 = (v564 & v579);
    let v588 = (v565 & v572);
    let v589 = (v565 & v573);
    let v590 = (v565 & v574);
    let v591 = (v565 & v575);
    let v592 = (v565 & v576);
    let v593 = (v565 & v577);
    let v594 = (v565 & v578);
    let v595 = (v565 & v579);
    let v596 = (v566 & v572);
    let v597 = (v566 & v573);
    let v598 = (v566 & v574);
    let v599 = (v566 & v575);
    let v600 = (v566 & v576);
    let v601 = (v566 & v577);
    let v602 = (v566 & v578);
    let v603 = (v566 & v579);
    let v604 = (v567 & v572);
    let v605 = (v567 & v573);
    let v606 = (v567 & v574);
    let v607 = (v567 & v575);
    let v608 = (v567 & v576);
    let v609 = (v567 & v577);
    let v610 = (v567 & v578);
    let v611 = (v567 & v579);
    let v612 = (v568 & v572);
    let v613 = (v568 & v573);
    let v614 = (v568 & v574);
    let v615 = (v568 & v575);
    let v616 = (v568 & v576);
    let v617 = (v568 & v577);
    let v618 = (v568 & v578);
    let v619 = (v568 & v579);
    let v620 = (v569 & v572);
    let v621 = (v569 & v573);
    let v622 = (v569 & v574);
    let v623 = (v569 & v575);
    let v624 = (v569 & v576);
    let v625 = (v569 & v577);
    let v626 = (v569 & v578);
    let v627 = (v569 & v579);
    let v628 = (v570 & v572);
    let v629 = (v570 & v573);
    let v630 = (v570 & v574);
    let v631 = (v570 & v575);
    let v632 = (v570 & v576);
    let v633 = (v570 & v577);
    let v634 = (v570 & v578);
    let v635 = (v570 & v579);
    let v636 = (v571 & v572);
    let v637 = (v571 & v573);
    let v638 = (v571 & v574);
    let v639 = (v571 & v575);
    let v640 = (v571 & v576);
    let v641 = (v571 & v577);
    let v642 = (v571 & v578);
    let v643 = (v571 & v579);
    if (v580) {
        g_y[v372] = v500;
    }
    if (v581) {
        g_y[v373] = v501;
    }
    if (v582) {
        g_y[v374] = v502;
    }
    if (v583) {
        g_y[v375] = v503;
    }
    if (v584) {
        g_y[v376] = v504;
    }
    if (v585) {
        g_y[v377] = v505;
    }
    if (v586) {
        g_y[v378] = v506;
    }
    if (v587) {
        g_y[v379] = v507;
    }
    if (v588) {
        g_y[v380] = v508;
    }
    if (v589) {
        g_y[v381] = v509;
    }
    if (v590) {
        g_y[v382] = v510;
    }
    if (v591) {
        g_y[v383] = v511;
    }
    if (v592) {
        g_y[v384] = v512;
    }
    if (v593) {
        g_y[v385] = v513;
    }
    if (v594) {
        g_y[v386] = v514;
    }
    if (v595) {
        g_y[v387] = v515;
    }
    if (v596) {
        g_y[v388] = v516;
    }
    if (v597) {
        g_y[v389] = v517;
    }
    if (v598) {
        g_y[v390] = v518;
    }
    if (v599) {
        g_y[v391] = v519;
    }
    if (v600) {
        g_y[v392] = v520;
    }
    if (v601) {
        g_y[v393] = v521;
    }
    if (v602) {
        g_y[v394] = v522;
    }
    if (v603) {
        g_y[v395] = v523;
    }
    if (v604) {
        g_y[v396] = v524;
    }
    if (v605) {
        g_y[v397] = v525;
    }
    if (v606) {
        g_y[v398] = v526;
    }
    if (v607) {
        g_y[v399] = v527;
    }
    if (v608) {
        g_y[v400] = v528;
    }
    if (v609) {
        g_y[v401] = v529;
    }
    if (v610) {
        g_y[v402] = v530;
    }
    if (v611) {
        g_y[v403] = v531;
    }
    if (v612) {
        g_y[v404] = v532;
    }
    if (v613) {
        g_y[v405] = v533;
    }
    if (v614) {
        g_y[v406] = v534;
    }
    if (v615) {
        g_y[v407] = v535;
    }
    if (v616) {
        g_y[v408] = v536;
    }
    if (v617) {
        g_y[v409] = v537;
    }
    if (v618) {
        g_y[v410] = v538;
    }
    if (v619) {
        g_y[v411] = v539;
    }
    if (v620) {
        g_y[v412] = v540;
    }
    if (v621) {
        g_y[v413] = v541;
    }
    if (v622) {
        g_y[v414] = v542;
    }
    if (v623) {
        g_y[v415] = v543;
    }
    if (v624) {
        g_y[v416] = v544;
    }
    if (v625) {
        g_y[v417] = v545;
    }
    if (v626) {
        g_y[v418] = v546;
    }
    if (v627) {
        g_y[v419] = v547;
    }
    if (v628) {
        g_y[v420] = v548;
    }
    if (v629) {
        g_y[v421] = v549;
    }
    if (v630) {
        g_y[v422] = v550;
    }
    if (v631) {
        g_y[v423] = v551;
    }
    if (v632) {
        g_y[v424] = v552;
    }
    if (v633) {
        g_y[v425] = v553;
    }
    if (v634) {
        g_y[v426] = v554;
    }
    if (v635) {
        g_y[v427] = v555;
    }
    if (v636) {
        g_y[v428] = v556;
    }
    if (v637) {
        g_y[v429] = v557;
    }
    if (v638) {
        g_y[v430] = v558;
    }
    if (v639) {
        g_y[v431] = v559;
    }
    if (v640) {
        g_y[v432] = v560;
    }
    if (v641) {
        g_y[v433] = v561;
    }
    if (v642) {
        g_y[v434] = v562;
    }
    if (v643) {
        g_y[v435] = v563;
    }
}
