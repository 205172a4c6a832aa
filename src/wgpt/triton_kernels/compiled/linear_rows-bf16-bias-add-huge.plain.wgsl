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
@group(0) @binding(3) var<storage, read> g_b: array<f32>;
@group(0) @binding(4) var<storage, read> g_r: array<f32>;
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
    let t270 = ((lane >> 3u) & 1i);
    let t271 = (lane & 7i);
    let t333 = (lane & 240i) == 0i;
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
    let v429 = (v421 * p.a9_width);
    let v430 = (v422 * p.a9_width);
    let v431 = (v423 * p.a9_width);
    let v432 = (v424 * p.a9_width);
    let v433 = (v425 * p.a9_width);
    let v434 = (v426 * p.a9_width);
    let v435 = (v427 * p.a9_width);
    let v436 = (v428 * p.a9_width);
    let v437 = (p.a10_at + v325);
    let v438 = (p.a10_at + v326);
    let v439 = (p.a10_at + v327);
    let v440 = (p.a10_at + v328);
    let v441 = (p.a10_at + v329);
    let v442 = (p.a10_at + v330);
    let v443 = (p.a10_at + v331);
    let v444 = (p.a10_at + v332);
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
    let x509 = g_r[v445];
    let x510 = g_r[v446];
    let x511 = g_r[v447];
    let x512 = g_r[v448];
    let x513 = g_r[v449];
    let x514 = g_r[v450];
    let x515 = g_r[v451];
    let x516 = g_r[v452];
    let x517 = g_r[v453];
    let x518 = g_r[v454];
    let x519 = g_r[v455];
    let x520 = g_r[v456];
    let x521 = g_r[v457];
    let x522 = g_r[v458];
    let x523 = g_r[v459];
    let x524 = g_r[v460];
    let x525 = g_r[v461];
    let x526 = g_r[v462];
    let x527 = g_r[v463];
    let x528 = g_r[v464];
    let x529 = g_r[v465];
    let x530 = g_r[v466];
    let x531 = g_r[v467];
    let x532 = g_r[v468];
    let x533 = g_r[v469];
    let x534 = g_r[v470];
    let x535 = g_r[v471];
    let x536 = g_r[v472];
    let x537 = g_r[v473];
    let x538 = g_r[v474];
    let x539 = g_r[v475];
    let x540 = g_r[v476];
    let x541 = g_r[v477];
    let x542 = g_r[v478];
    let x543 = g_r[v479];
    let x544 = g_r[v480];
    let x545 = g_r[v481];
    let x546 = g_r[v482];
    let x547 = g_r[v483];
    let x548 = g_r[v484];
    let x549 = g_r[v485];
    let x550 = g_r[v486];
    let x551 = g_r[v487];
    let x552 = g_r[v488];
    let x553 = g_r[v489];
    let x554 = g_r[v490];
    let x555 = g_r[v491];
    let x556 = g_r[v492];
    let x557 = g_r[v493];
    let x558 = g_r[v494];
    let x559 = g_r[v495];
    let x560 = g_r[v496];
    let x561 = g_r[v497];
    let x562 = g_r[v498];
    let x563 = g_r[v499];
    let x564 = g_r[v500];
    let x565 = g_r[v501];
    let x566 = g_r[v502];
    let x567 = g_r[v503];
    let x568 = g_r[v504];
    let x569 = g_r[v505];
    let x570 = g_r[v506];
    let x571 = g_r[v507];
    let x572 = g_r[v508];
    let v573 = (v342 + x509);
    let v574 = (v343 + x510);
    let v575 = (v344 + x511);
    let v576 = (v345 + x512);
    let v577 = (v346 + x513);
    let v578 = (v347 + x514);
    let v579 = (v348 + x515);
    let v580 = (v349 + x516);
    let v581 = (v350 + x517);
    let v582 = (v351 + x518);
    let v583 = (v352 + x519);
    let v584 = (v353 + x520);
    let v585 = (v354 + x521);
    let v586 = (v355 + x522);
    let v587 = (v356 + x523);
    let v588 = (v357 + x524);
    let v589 = (v358 + x525);
    let v590 = (v359 + x526);
    let v591 = (v360 + x527);
    let v592 = (v361 + x528);
    let v593 = (v362 + x529);
    let v594 = (v363 + x530);
    let v595 = (v364 + x531);
    let v596 = (v365 + x532);
    let v597 = (v366 + x533);
    let v598 = (v367 + x534);
    let v599 = (v368 + x535);
    let v600 = (v369 + x536);
    let v601 = (v370 + x537);
    let v602 = (v371 + x538);
    let v603 = (v372 + x539);
    let v604 = (v373 + x540);
    let v605 = (v374 + x541);
    let v606 = (v375 + x542);
    let v607 = (v376 + x543);
    let v608 = (v377 + x544);
    let v609 = (v378 + x545);
    let v610 = (v379 + x546);
    let v611 = (v380 + x547);
    let v612 = (v381 + x548);
    let v613 = (v382 + x549);
    let v614 = (v383 + x550);
    let v615 = (v384 + x551);
    let v616 = (v385 + x552);
    let v617 = (v386 + x553);
    let v618 = (v387 + x554);
    let v619 = (v388 + x555);
    let v620 = (v389 + x556);
    let v621 = (v390 + x557);
    let v622 = (v391 + x558);
    let v623 = (v392 + x559);
    let v624 = (v393 + x560);
    let v625 = (v394 + x561);
    let v626 = (v395 + x562);
    let v627 = (v396 + x563);
    let v628 = (v397 + x564);
    let v629 = (v398 + x565);
    let v630 = (v399 + x566);
    let v631 = (v400 + x567);
    let v632 = (v401 + x568);
    let v633 = (v402 + x569);
    let v634 = (v403 + x570);
    let v635 = (v404 + x571);
    let v636 = (v405 + x572);
    let v637 = (v413 < p.a5_m);
    let v638 = (v414 < p.a5_m);
    let v639 = (v415 < p.a5_m);
    let v640 = (v416 < p.a5_m);
    let v641 = (v417 < p.a5_m);
    let v642 = (v418 < p.a5_m);
    let v643 = (v419 < p.a5_m);
    let v644 = (v420 < p.a5_m);
    let v645 = (v317 < p.a6_n);
    let v646 = (v318 < p.a6_n);
    let v647 = (v319 < p.a6_n);
    let v648 = (v320 < p.a6_n);
    let v649 = (v321 < p.a6_n);
    let v650 = (v322 < p.a6_n);
    let v651 = (v323 < p.a6_n);
    let v652 = (v324 < p.a6_n);
    let v653 = (v637 & v645);
    let v654 = (v637 & v646);
    let v655 = (v637 & v647);
    let v656 = (v637 & v648);
    let v657 = (v637 & v649);
    let v658 = (v637 & v650);
    let v659 = (v637 & v651);
    let v660 = (v637 & v652);
    let v661 = (v638 & v645);
    let v662 = (v638 & v646);
    let v663 = (v638 & v647);
    let v664 = (v638 & v648);
    let v665 = (v638 & v649);
    let v666 = (v638 & v650);
    let v667 = (v638 & v651);
    let v668 = (v638 & v652);
    let v669 = (v639 & v645);
    let v670 = (v639 & v646);
    let v671 = (v639 & v647);
    let v672 = (v639 & v648);
    let v673 = (v639 & v649);
    let v674 = (v639 & v650);
    let v675 = (v639 & v651);
    let v676 = (v639 & v652);
    let v677 = (v640 & v645);
    let v678 = (v640 & v646);
    let v679 = (v640 & v647);
    let v680 = (v640 & v648);
    let v681 = (v640 & v649);
    let v682 = (v640 & v650);
    let v683 = (v640 & v651);
    let v684 = (v640 & v652);
    let v685 = (v641 & v645);
    let v686 = (v641 & v646);
    let v687 = (v641 & v647);
    let v688 = (v641 & v648);
    let v689 = (v641 & v649);
    let v690 = (v641 & v650);
    let v691 = (v641 & v651);
    let v692 = (v641 & v652);
    let v693 = (v642 & v645);
    let v694 = (v642 & v646);
    let v695 = (v642 & v647);
    let v696 = (v642 & v648);
    let v697 = (v642 & v649);
    let v698 = (v642 & v650);
    let v699 = (v642 & v651);
    let v700 = (v642 & v652);
    let v701 = (v643 & v645);
    let v702 = (v643 & v646);
    let v703 = (v643 & v647);
    let v704 = (v643 & v648);
    let v705 = (v643 & v649);
    let v706 = (v643 & v650);
    let v707 = (v643 & v651);
    let v708 = (v643 & v652);
    let v709 = (v644 & v645);
    let v710 = (v644 & v646);
    let v711 = (v644 & v647);
    let v712 = (v644 & v648);
    let v713 = (v644 & v649);
    let v714 = (v644 & v650);
    let v715 = (v644 & v651);
    let v716 = (v644 & v652);
    if (v653) {
        g_y[v445] = v573;
    }
    if (v654) {
        g_y[v446] = v574;
    }
    if (v655) {
        g_y[v447] = v575;
    }
    if (v656) {
        g_y[v448] = v576;
    }
    if (v657) {
        g_y[v449] = v577;
    }
    if (v658) {
        g_y[v450] = v578;
    }
    if (v659) {
        g_y[v451] = v579;
    }
    if (v660) {
        g_y[v452] = v580;
    }
    if (v661) {
        g_y[v453] = v581;
    }
    if (v662) {
        g_y[v454] = v582;
    }
    if (v663) {
        g_y[v455] = v583;
    }
    if (v664) {
        g_y[v456] = v584;
    }
    if (v665) {
        g_y[v457] = v585;
    }
    if (v666) {
        g_y[v458] = v586;
    }
    if (v667) {
        g_y[v459] = v587;
    }
    if (v668) {
        g_y[v460] = v588;
    }
    if (v669) {
        g_y[v461] = v589;
    }
    if (v670) {
        g_y[v462] = v590;
    }
    if (v671) {
        g_y[v463] = v591;
    }
    if (v672) {
        g_y[v464] = v592;
    }
    if (v673) {
        g_y[v465] = v593;
    }
    if (v674) {
        g_y[v466] = v594;
    }
    if (v675) {
        g_y[v467] = v595;
    }
    if (v676) {
        g_y[v468] = v596;
    }
    if (v677) {
        g_y[v469] = v597;
    }
    if (v678) {
        g_y[v470] = v598;
    }
    if (v679) {
        g_y[v471] = v599;
    }
    if (v680) {
        g_y[v472] = v600;
    }
    if (v681) {
        g_y[v473] = v601;
    }
    if (v682) {
        g_y[v474] = v602;
    }
    if (v683) {
        g_y[v475] = v603;
    }
    if (v684) {
        g_y[v476] = v604;
    }
    if (v685) {
        g_y[v477] = v605;
    }
    if (v686) {
        g_y[v478] = v606;
    }
    if (v687) {
        g_y[v479] = v607;
    }
    if (v688) {
        g_y[v480] = v608;
    }
    if (v689) {
        g_y[v481] = v609;
    }
    if (v690) {
        g_y[v482] = v610;
    }
    if (v691) {
        g_y[v483] = v611;
    }
    if (v692) {
        g_y[v484] = v612;
    }
    if (v693) {
        g_y[v485] = v613;
    }
    if (v694) {
        g_y[v486] = v614;
    }
    if (v695) {
        g_y[v487] = v615;
    }
    if (v696) {
        g_y[v488] = v616;
    }
    if (v697) {
        g_y[v489] = v617;
    }
    if (v698) {
        g_y[v490] = v618;
    }
    if (v699) {
        g_y[v491] = v619;
    }
    if (v700) {
        g_y[v492] = v620;
    }
    if (v701) {
        g_y[v493] = v621;
    }
    if (v702) {
        g_y[v494] = v622;
    }
    if (v703) {
        g_y[v495] = v623;
    }
    if (v704) {
        g_y[v496] = v624;
    }
    if (v705) {
        g_y[v497] = v625;
    }
    if (v706) {
        g_y[v498] = v626;
    }
    if (v707) {
        g_y[v499] = v627;
    }
    if (v708) {
        g_y[v500] = v628;
    }
    if (v709) {
        g_y[v501] = v629;
    }
    if (v710) {
        g_y[v502] = v630;
    }
    if (v711) {
        g_y[v503] = v631;
    }
    if (v712) {
        g_y[v504] = v632;
    }
    if (v713) {
        g_y[v505] = v633;
    }
    if (v714) {
        g_y[v506] = v634;
    }
    if (v715) {
        g_y[v507] = v635;
    }
    if (v716) {
        g_y[v508] = v636;
    }
}
