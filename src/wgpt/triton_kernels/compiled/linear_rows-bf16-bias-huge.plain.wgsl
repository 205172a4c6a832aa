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
@group(0) @binding(3) var<storage, read> g_b: array<f32>;
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
    let t333 = (lane & 240i) == 0i;
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
    let v310 = (t103 + 16i);
    let v311 = (t103 + 32i);
    let v312 = (t103 + 48i);
    let v313 = (t103 + 64i);
    let v314 = (t103 + 80i);
    let v315 = (t103 + 96i);
    let v316 = (t103 + 112i);
    let v317 = (v2 + t103);
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
    let x334 = g_b[v325];
    let x335 = g_b[v326];
    let x336 = g_b[v327];
    let x337 = g_b[v328];
    let x338 = g_b[v329];
    let x339 = g_b[v330];
    let x340 = g_b[v331];
    let x341 = g_b[v332];
    let v342 = (m5 + x334);
    let v343 = (m6 + x335);
    let v344 = (m7 + x336);
    let v345 = (m8 + x337);
    let v346 = (m9 + x338);
    let v347 = (m10 + x339);
    let v348 = (m11 + x340);
    let v349 = (m12 + x341);
    let v350 = (m13 + x334);
    let v351 = (m14 + x335);
    let v352 = (m15 + x336);
    let v353 = (m16 + x337);
    let v354 = (m17 + x338);
    let v355 = (m18 + x339);
    let v356 = (m19 + x340);
    let v357 = (m20 + x341);
    let v358 = (m21 + x334);
    let v359 = (m22 + x335);
    let v360 = (m23 + x336);
    let v361 = (m24 + x337);
    let v362 = (m25 + x338);
    let v363 = (m26 + x339);
    let v364 = (m27 + x340);
    let v365 = (m28 + x341);
    let v366 = (m29 + x334);
    let v367 = (m30 + x335);
    let v368 = (m31 + x336);
    let v369 = (m32 + x337);
    let v370 = (m33 + x338);
    let v371 = (m34 + x339);
    let v372 = (m35 + x340);
    let v373 = (m36 + x341);
    let v374 = (m37 + x334);
    let v375 = (m38 + x335);
    let v376 = (m39 + x336);
    let v377 = (m40 + x337);
    let v378 = (m41 + x338);
    let v379 = (m42 + x339);
    let v380 = (m43 + x340);
    let v381 = (m44 + x341);
    let v382 = (m45 + x334);
    let v383 = (m46 + x335);
    let v384 = (m47 + x336);
    let v385 = (m48 + x337);
    let v386 = (m49 + x338);
    let v387 = (m50 + x339);
    let v388 = (m51 + x340);
    let v389 = (m52 + x341);
    let v390 = (m53 + x334);
    let v391 = (m54 + x335);
    let v392 = (m55 + x336);
    let v393 = (m56 + x337);
    let v394 = (m57 + x338);
    let v395 = (m58 + x339);
    let v396 = (m59 + x340);
    let v397 = (m60 + x341);
    let v398 = (m61 + x334);
    let v399 = (m62 + x335);
    let v400 = (m63 + x336);
    let v401 = (m64 + x337);
    let v402 = (m65 + x338);
    let v403 = (m66 + x339);
    let v404 = (m67 + x340);
    let v405 = (m68 + x341);
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
    let v429 = (v421 * p.a8_width);
    let v430 = (v422 * p.a8_width);
    let v431 = (v423 * p.a8_width);
    let v432 = (v424 * p.a8_width);
    let v433 = (v425 * p.a8_width);
    let v434 = (v426 * p.a8_width);
    let v435 = (v427 * p.a8_width);
    let v436 = (v428 * p.a8_width);
    let v437 = (p.a9_at + v325);
    let v438 = (p.a9_at + v326);
    let v439 = (p.a9_at + v327);
    let v440 = (p.a9_at + v328);
    let v441 = (p.a9_at + v329);
    let v442 = (p.a9_at + v330);
    let v443 = (p.a9_at + v331);
    let v444 = (p.a9_at + v332);
    let v445 = (v429 + v437);
    let v446 = (v429 + v438);
    let v447 = (v429 + v439);
    let v448 = (v429 + v440);
    let v449 = (v429 + v441);
    let v450 = (v429 + v442);
    let v451 = (v429 + v443);
    let v452 = (v429 + v444);
    let v453 = (v430 + v437);
    let v454 = (v430 + v438);
    let v455 = (v430 + v439);
    let v456 = (v430 + v440);
    let v457 = (v430 + v441);
    let v458 = (v430 + v442);
    let v459 = (v430 + v443);
    let v460 = (v430 + v444);
    let v461 = (v431 + v437);
    let v462 = (v431 + v438);
    let v463 = (v431 + v439);
    let v464 = (v431 + v440);
    let v465 = (v431 + v441);
    let v466 = (v431 + v442);
    let v467 = (v431 + v443);
    let v468 = (v431 + v444);
    let v469 = (v432 + v437);
    let v470 = (v432 + v438);
    let v471 = (v432 + v439);
    let v472 = (v432 + v440);
    let v473 = (v432 + v441);
    let v474 = (v432 + v442);
    let v475 = (v432 + v443);
    let v476 = (v432 + v444);
    let v477 = (v433 + v437);
    let v478 = (v433 + v438);
    let v479 = (v433 + v439);
    let v480 = (v433 + v440);
    let v481 = (v433 + v441);
    let v482 = (v433 + v442);
    let v483 = (v433 + v443);
    let v484 = (v433 + v444);
    let v485 = (v434 + v437);
    let v486 = (v434 + v438);
    let v487 = (v434 + v439);
    let v488 = (v434 + v440);
    let v489 = (v434 + v441);
    let v490 = (v434 + v442);
    let v491 = (v434 + v443);
    let v492 = (v434 + v444);
    let v493 = (v435 + v437);
    let v494 = (v435 + v438);
    let v495 = (v435 + v439);
    let v496 = (v435 + v440);
    let v497 = (v435 + v441);
    let v498 = (v435 + v442);
    let v499 = (v435 + v443);
    let v500 = (v435 + v444);
    let v501 = (v436 + v437);
    let v502 = (v436 + v438);
    let v503 = (v436 + v439);
    let v504 = (v436 + v440);
    let v505 = (v436 + v441);
    let v506 = (v436 + v442);
    let v507 = (v436 + v443);
    let v508 = (v436 + v444);
    let v509 = (v413 < p.a4_m);
    let v510 = (v414 < p.a4_m);
    let v511 = (v415 < p.a4_m);
    let v512 = (v416 < p.a4_m);
    let v513 = (v417 < p.a4_m);
    let v514 = (v418 < p.a4_m);
    let v515 = (v419 < p.a4_m);
    let v516 = (v420 < p.a4_m);
    let v517 = (v317 < p.a5_n);
    let v518 = (v318 < p.a5_n);
    let v519 = (v319 < p.a5_n);
    let v520 = (v320 < p.a5_n);
    let v521 = (v321 < p.a5_n);
    let v522 = (v322 < p.a5_n);
    let v523 = (v323 < p.a5_n);
    let v524 = (v324 < p.a5_n);
    let v525 = (v509 & v517);
    let v526 = (v509 & v518);
    let v527 = (v509 & v519);
    let v528 = (v509 & v520);
    let v529 = (v509 & v521);
    let v530 = (v509 & v522);
    let v531 = (v509 & v523);
    let v532 = (v509 & v524);
    let v533 = (v510 & v517);
    let v534 = (v510 & v518);
    let v535 = (v510 & v519);
    let v536 = (v510 & v520);
    let v537 = (v510 & v521);
    let v538 = (v510 & v522);
    let v539 = (v510 & v523);
    let v540 = (v510 & v524);
    let v541 = (v511 & v517);
    let v542 = (v511 & v518);
    let v543 = (v511 & v519);
    let v544 = (v511 & v520);
    let v545 = (v511 & v521);
    let v546 = (v511 & v522);
    let v547 = (v511 & v523);
    let v548 = (v511 & v524);
    let v549 = (v512 & v517);
    let v550 = (v512 & v518);
    let v551 = (v512 & v519);
    let v552 = (v512 & v520);
    let v553 = (v512 & v521);
    let v554 = (v512 & v522);
    let v555 = (v512 & v523);
    let v556 = (v512 & v524);
    let v557 = (v513 & v517);
    let v558 = (v513 & v518);
    let v559 = (v513 & v519);
    let v560 = (v513 & v520);
    let v561 = (v513 & v521);
    let v562 = (v513 & v522);
    let v563 = (v513 & v523);
    let v564 = (v513 & v524);
    let v565 = (v514 & v517);
    let v566 = (v514 & v518);
    let v567 = (v514 & v519);
    let v568 = (v514 & v520);
    let v569 = (v514 & v521);
    let v570 = (v514 & v522);
    let v571 = (v514 & v523);
    let v572 = (v514 & v524);
    let v573 = (v515 & v517);
    let v574 = (v515 & v518);
    let v575 = (v515 & v519);
    let v576 = (v515 & v520);
    let v577 = (v515 & v521);
    let v578 = (v515 & v522);
    let v579 = (v515 & v523);
    let v580 = (v515 & v524);
    let v581 = (v516 & v517);
    let v582 = (v516 & v518);
    let v583 = (v516 & v519);
    let v584 = (v516 & v520);
    let v585 = (v516 & v521);
    let v586 = (v516 & v522);
    let v587 = (v516 & v523);
    let v588 = (v516 & v524);
    if (v525) {
        g_y[v445] = v342;
    }
    if (v526) {
        g_y[v446] = v343;
    }
    if (v527) {
        g_y[v447] = v344;
    }
    if (v528) {
        g_y[v448] = v345;
    }
    if (v529) {
        g_y[v449] = v346;
    }
    if (v530) {
        g_y[v450] = v347;
    }
    if (v531) {
        g_y[v451] = v348;
    }
    if (v532) {
        g_y[v452] = v349;
    }
    if (v533) {
        g_y[v453] = v350;
    }
    if (v534) {
        g_y[v454] = v351;
    }
    if (v535) {
        g_y[v455] = v352;
    }
    if (v536) {
        g_y[v456] = v353;
    }
    if (v537) {
        g_y[v457] = v354;
    }
    if (v538) {
        g_y[v458] = v355;
    }
    if (v539) {
        g_y[v459] = v356;
    }
    if (v540) {
        g_y[v460] = v357;
    }
    if (v541) {
        g_y[v461] = v358;
    }
    if (v542) {
        g_y[v462] = v359;
    }
    if (v543) {
        g_y[v463] = v360;
    }
    if (v544) {
        g_y[v464] = v361;
    }
    if (v545) {
        g_y[v465] = v362;
    }
    if (v546) {
        g_y[v466] = v363;
    }
    if (v547) {
        g_y[v467] = v364;
    }
    if (v548) {
        g_y[v468] = v365;
    }
    if (v549) {
        g_y[v469] = v366;
    }
    if (v550) {
        g_y[v470] = v367;
    }
    if (v551) {
        g_y[v471] = v368;
    }
    if (v552) {
        g_y[v472] = v369;
    }
    if (v553) {
        g_y[v473] = v370;
    }
    if (v554) {
        g_y[v474] = v371;
    }
    if (v555) {
        g_y[v475] = v372;
    }
    if (v556) {
        g_y[v476] = v373;
    }
    if (v557) {
        g_y[v477] = v374;
    }
    if (v558) {
        g_y[v478] = v375;
    }
    if (v559) {
        g_y[v479] = v376;
    }
    if (v560) {
        g_y[v480] = v377;
    }
    if (v561) {
        g_y[v481] = v378;
    }
    if (v562) {
        g_y[v482] = v379;
    }
    if (v563) {
        g_y[v483] = v380;
    }
    if (v564) {
        g_y[v484] = v381;
    }
    if (v565) {
        g_y[v485] = v382;
    }
    if (v566) {
        g_y[v486] = v383;
    }
    if (v567) {
        g_y[v487] = v384;
    }
    if (v568) {
        g_y[v488] = v385;
    }
    if (v569) {
        g_y[v489] = v386;
    }
    if (v570) {
        g_y[v490] = v387;
    }
    if (v571) {
        g_y[v491] = v388;
    }
    if (v572) {
        g_y[v492] = v389;
    }
    if (v573) {
        g_y[v493] = v390;
    }
    if (v574) {
        g_y[v494] = v391;
    }
    if (v575) {
        g_y[v495] = v392;
    }
    if (v576) {
        g_y[v496] = v393;
    }
    if (v577) {
        g_y[v497] = v394;
    }
    if (v578) {
        g_y[v498] = v395;
    }
    if (v579) {
        g_y[v499] = v396;
    }
    if (v580) {
        g_y[v500] = v397;
    }
    if (v581) {
        g_y[v501] = v398;
    }
    if (v582) {
        g_y[v502] = v399;
    }
    if (v583) {
        g_y[v503] = v400;
    }
    if (v584) {
        g_y[v504] = v401;
    }
    if (v585) {
        g_y[v505] = v402;
    }
    if (v586) {
        g_y[v506] = v403;
    }
    if (v587) {
        g_y[v507] = v404;
    }
    if (v588) {
        g_y[v508] = v405;
    }
}
