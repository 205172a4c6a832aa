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
@group(0) @binding(2) var<storage, read> g_w: array<u32>;
@group(0) @binding(3) var<storage, read> g_b: array<f32>;
@group(0) @binding(4) var<storage, read> g_r: array<f32>;
@group(0) @binding(5) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 2064>;
fn from_half(h: u32) -> f32 {
    return unpack2x16float(h).x;
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t71 = (lane >> 4u);
    let t103 = (lane & 15i);
    let t235 = ((lane >> 3u) & 1i);
    let t236 = (lane & 7i);
    let t298 = (lane & 240i) == 0i;
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
        let v155 = (v147 + v105);
        let v156 = (v148 + v105);
        let v157 = (v149 + v105);
        let v158 = (v150 + v105);
        let v159 = (v151 + v105);
        let v160 = (v152 + v105);
        let v161 = (v153 + v105);
        let v162 = (v154 + v105);
        let x163 = from_half(extractBits(g_w[(v155 >> 1u)], u32(v155 & 1i) * 16u, 16u));
        let x164 = from_half(extractBits(g_w[(v156 >> 1u)], u32(v156 & 1i) * 16u, 16u));
        let x165 = from_half(extractBits(g_w[(v157 >> 1u)], u32(v157 & 1i) * 16u, 16u));
        let x166 = from_half(extractBits(g_w[(v158 >> 1u)], u32(v158 & 1i) * 16u, 16u));
        let x167 = from_half(extractBits(g_w[(v159 >> 1u)], u32(v159 & 1i) * 16u, 16u));
        let x168 = from_half(extractBits(g_w[(v160 >> 1u)], u32(v160 & 1i) * 16u, 16u));
        let x169 = from_half(extractBits(g_w[(v161 >> 1u)], u32(v161 & 1i) * 16u, 16u));
        let x170 = from_half(extractBits(g_w[(v162 >> 1u)], u32(v162 & 1i) * 16u, 16u));
        var m171: f32 = m5;
        var m172: f32 = m6;
        var m173: f32 = m7;
        var m174: f32 = m8;
        var m175: f32 = m9;
        var m176: f32 = m10;
        var m177: f32 = m11;
        var m178: f32 = m12;
        var m179: f32 = m13;
        var m180: f32 = m14;
        var m181: f32 = m15;
        var m182: f32 = m16;
        var m183: f32 = m17;
        var m184: f32 = m18;
        var m185: f32 = m19;
        var m186: f32 = m20;
        var m187: f32 = m21;
        var m188: f32 = m22;
        var m189: f32 = m23;
        var m190: f32 = m24;
        var m191: f32 = m25;
        var m192: f32 = m26;
        var m193: f32 = m27;
        var m194: f32 = m28;
        var m195: f32 = m29;
        var m196: f32 = m30;
        var m197: f32 = m31;
        var m198: f32 = m32;
        var m199: f32 = m33;
        var m200: f32 = m34;
        var m201: f32 = m35;
        var m202: f32 = m36;
        var m203: f32 = m37;
        var m204: f32 = m38;
        var m205: f32 = m39;
        var m206: f32 = m40;
        var m207: f32 = m41;
        var m208: f32 = m42;
        var m209: f32 = m43;
        var m210: f32 = m44;
        var m211: f32 = m45;
        var m212: f32 = m46;
        var m213: f32 = m47;
        var m214: f32 = m48;
        var m215: f32 = m49;
        var m216: f32 = m50;
        var m217: f32 = m51;
        var m218: f32 = m52;
        var m219: f32 = m53;
        var m220: f32 = m54;
        var m221: f32 = m55;
        var m222: f32 = m56;
        var m223: f32 = m57;
        var m224: f32 = m58;
        var m225: f32 = m59;
        var m226: f32 = m60;
        var m227: f32 = m61;
        var m228: f32 = m62;
        var m229: f32 = m63;
        var m230: f32 = m64;
        var m231: f32 = m65;
        var m232: f32 = m66;
        var m233: f32 = m67;
        var m234: f32 = m68;
        workgroupBarrier();
        if (t235 == 0i) {
            pool[((t236 * 129i) + t71)] = bitcast<u32>(v123);
            pool[((t236 * 129i) + (t71 + 16i))] = bitcast<u32>(v124);
            pool[((t236 * 129i) + (t71 + 32i))] = bitcast<u32>(v125);
            pool[((t236 * 129i) + (t71 + 48i))] = bitcast<u32>(v126);
            pool[((t236 * 129i) + (t71 + 64i))] = bitcast<u32>(v127);
            pool[((t236 * 129i) + (t71 + 80i))] = bitcast<u32>(v128);
            pool[((t236 * 129i) + (t71 + 96i))] = bitcast<u32>(v129);
            pool[((t236 * 129i) + (t71 + 112i))] = bitcast<u32>(v130);
        }
        if (t235 == 0i) {
            pool[(((t236 * 129i) + t71) + 1032i)] = bitcast<u32>(x163);
            pool[(((t236 * 129i) + (t71 + 16i)) + 1032i)] = bitcast<u32>(x164);
            pool[(((t236 * 129i) + (t71 + 32i)) + 1032i)] = bitcast<u32>(x165);
            pool[(((t236 * 129i) + (t71 + 48i)) + 1032i)] = bitcast<u32>(x166);
            pool[(((t236 * 129i) + (t71 + 64i)) + 1032i)] = bitcast<u32>(x167);
            pool[(((t236 * 129i) + (t71 + 80i)) + 1032i)] = bitcast<u32>(x168);
            pool[(((t236 * 129i) + (t71 + 96i)) + 1032i)] = bitcast<u32>(x169);
            pool[(((t236 * 129i) + (t71 + 112i)) + 1032i)] = bitcast<u32>(x170);
        }
        workgroupBarrier();
        for (var k237 = 0i; k237 < 8i; k237 = k237 + 1i) {
            let v238 = (t71 + ((((0i * 8i) + k237)) * 129i));
            let v239 = ((t103 + 1032i) + ((((0i * 8i) + k237)) * 129i));
            let v240 = bitcast<f32>(pool[v238]);
            let v241 = bitcast<f32>(pool[v239]);
            let v242 = bitcast<f32>(pool[(v239 + 16i)]);
            let v243 = bitcast<f32>(pool[(v239 + 32i)]);
            let v244 = bitcast<f32>(pool[(v239 + 48i)]);
            let v245 = bitcast<f32>(pool[(v239 + 64i)]);
            let v246 = bitcast<f32>(pool[(v239 + 80i)]);
            let v247 = bitcast<f32>(pool[(v239 + 96i)]);
            let v248 = bitcast<f32>(pool[(v239 + 112i)]);
            let v249 = bitcast<f32>(pool[(v238 + 16i)]);
            let v250 = bitcast<f32>(pool[(v238 + 32i)]);
            let v251 = bitcast<f32>(pool[(v238 + 48i)]);
            let v252 = bitcast<f32>(pool[(v238 + 64i)]);
            let v253 = bitcast<f32>(pool[(v238 + 80i)]);
            let v254 = bitcast<f32>(pool[(v238 + 96i)]);
            let v255 = bitcast<f32>(pool[(v238 + 112i)]);
            m171 = fma(v240, v241, m171);
            m172 = fma(v240, v242, m172);
            m173 = fma(v240, v243, m173);
            m174 = fma(v240, v244, m174);
            m175 = fma(v240, v245, m175);
            m176 = fma(v240, v246, m176);
            m177 = fma(v240, v247, m177);
            m178 = fma(v240, v248, m178);
            m179 = fma(v249, v241, m179);
            m180 = fma(v249, v242, m180);
            m181 = fma(v249, v243, m181);
            m182 = fma(v249, v244, m182);
            m183 = fma(v249, v245, m183);
            m184 = fma(v249, v246, m184);
            m185 = fma(v249, v247, m185);
            m186 = fma(v249, v248, m186);
            m187 = fma(v250, v241, m187);
            m188 = fma(v250, v242, m188);
            m189 = fma(v250, v243, m189);
            m190 = fma(v250, v244, m190);
            m191 = fma(v250, v245, m191);
            m192 = fma(v250, v246, m192);
            m193 = fma(v250, v247, m193);
            m194 = fma(v250, v248, m194);
            m195 = fma(v251, v241, m195);
            m196 = fma(v251, v242, m196);
            m197 = fma(v251, v243, m197);
            m198 = fma(v251, v244, m198);
            m199 = fma(v251, v245, m199);
            m200 = fma(v251, v246, m200);
            m201 = fma(v251, v247, m201);
            m202 = fma(v251, v248, m202);
            m203 = fma(v252, v241, m203);
            m204 = fma(v252, v242, m204);
            m205 = fma(v252, v243, m205);
            m206 = fma(v252, v244, m206);
            m207 = fma(v252, v245, m207);
            m208 = fma(v252, v246, m208);
            m209 = fma(v252, v247, m209);
            m210 = fma(v252, v248, m210);
            m211 = fma(v253, v241, m211);
            m212 = fma(v253, v242, m212);
            m213 = fma(v253, v243, m213);
            m214 = fma(v253, v244, m214);
            m215 = fma(v253, v245, m215);
            m216 = fma(v253, v246, m216);
            m217 = fma(v253, v247, m217);
            m218 = fma(v253, v248, m218);
            m219 = fma(v254, v241, m219);
            m220 = fma(v254, v242, m220);
            m221 = fma(v254, v243, m221);
            m222 = fma(v254, v244, m222);
            m223 = fma(v254, v245, m223);
            m224 = fma(v254, v246, m224);
            m225 = fma(v254, v247, m225);
            m226 = fma(v254, v248, m226);
            m227 = fma(v255, v241, m227);
            m228 = fma(v255, v242, m228);
            m229 = fma(v255, v243, m229);
            m230 = fma(v255, v244, m230);
            m231 = fma(v255, v245, m231);
            m232 = fma(v255, v246, m232);
            m233 = fma(v255, v247, m233);
            m234 = fma(v255, v248, m234);
        }
        workgroupBarrier();
        if (t235 == 1i) {
            pool[((t236 * 129i) + t71)] = bitcast<u32>(v123);
            pool[((t236 * 129i) + (t71 + 16i))] = bitcast<u32>(v124);
            pool[((t236 * 129i) + (t71 + 32i))] = bitcast<u32>(v125);
            pool[((t236 * 129i) + (t71 + 48i))] = bitcast<u32>(v126);
            pool[((t236 * 129i) + (t71 + 64i))] = bitcast<u32>(v127);
            pool[((t236 * 129i) + (t71 + 80i))] = bitcast<u32>(v128);
            pool[((t236 * 129i) + (t71 + 96i))] = bitcast<u32>(v129);
            pool[((t236 * 129i) + (t71 + 112i))] = bitcast<u32>(v130);
        }
        if (t235 == 1i) {
            pool[(((t236 * 129i) + t71) + 1032i)] = bitcast<u32>(x163);
            pool[(((t236 * 129i) + (t71 + 16i)) + 1032i)] = bitcast<u32>(x164);
            pool[(((t236 * 129i) + (t71 + 32i)) + 1032i)] = bitcast<u32>(x165);
            pool[(((t236 * 129i) + (t71 + 48i)) + 1032i)] = bitcast<u32>(x166);
            pool[(((t236 * 129i) + (t71 + 64i)) + 1032i)] = bitcast<u32>(x167);
            pool[(((t236 * 129i) + (t71 + 80i)) + 1032i)] = bitcast<u32>(x168);
            pool[(((t236 * 129i) + (t71 + 96i)) + 1032i)] = bitcast<u32>(x169);
            pool[(((t236 * 129i) + (t71 + 112i)) + 1032i)] = bitcast<u32>(x170);
        }
        workgroupBarrier();
        for (var k256 = 0i; k256 < 8i; k256 = k256 + 1i) {
            let v257 = (t71 + ((((0i * 8i) + k256)) * 129i));
            let v258 = ((t103 + 1032i) + ((((0i * 8i) + k256)) * 129i));
            let v259 = bitcast<f32>(pool[v257]);
            let v260 = bitcast<f32>(pool[v258]);
            let v261 = bitcast<f32>(pool[(v258 + 16i)]);
            let v262 = bitcast<f32>(pool[(v258 + 32i)]);
            let v263 = bitcast<f32>(pool[(v258 + 48i)]);
            let v264 = bitcast<f32>(pool[(v258 + 64i)]);
            let v265 = bitcast<f32>(pool[(v258 + 80i)]);
            let v266 = bitcast<f32>(pool[(v258 + 96i)]);
            let v267 = bitcast<f32>(pool[(v258 + 112i)]);
            let v268 = bitcast<f32>(pool[(v257 + 16i)]);
            let v269 = bitcast<f32>(pool[(v257 + 32i)]);
            let v270 = bitcast<f32>(pool[(v257 + 48i)]);
            let v271 = bitcast<f32>(pool[(v257 + 64i)]);
            let v272 = bitcast<f32>(pool[(v257 + 80i)]);
            let v273 = bitcast<f32>(pool[(v257 + 96i)]);
            let v274 = bitcast<f32>(pool[(v257 + 112i)]);
            m171 = fma(v259, v260, m171);
            m172 = fma(v259, v261, m172);
            m173 = fma(v259, v262, m173);
            m174 = fma(v259, v263, m174);
            m175 = fma(v259, v264, m175);
            m176 = fma(v259, v265, m176);
            m177 = fma(v259, v266, m177);
            m178 = fma(v259, v267, m178);
            m179 = fma(v268, v260, m179);
            m180 = fma(v268, v261, m180);
            m181 = fma(v268, v262, m181);
            m182 = fma(v268, v263, m182);
            m183 = fma(v268, v264, m183);
            m184 = fma(v268, v265, m184);
            m185 = fma(v268, v266, m185);
            m186 = fma(v268, v267, m186);
            m187 = fma(v269, v260, m187);
            m188 = fma(v269, v261, m188);
            m189 = fma(v269, v262, m189);
            m190 = fma(v269, v263, m190);
            m191 = fma(v269, v264, m191);
            m192 = fma(v269, v265, m192);
            m193 = fma(v269, v266, m193);
            m194 = fma(v269, v267, m194);
            m195 = fma(v270, v260, m195);
            m196 = fma(v270, v261, m196);
            m197 = fma(v270, v262, m197);
            m198 = fma(v270, v263, m198);
            m199 = fma(v270, v264, m199);
            m200 = fma(v270, v265, m200);
            m201 = fma(v270, v266, m201);
            m202 = fma(v270, v267, m202);
            m203 = fma(v271, v260, m203);
            m204 = fma(v271, v261, m204);
            m205 = fma(v271, v262, m205);
            m206 = fma(v271, v263, m206);
            m207 = fma(v271, v264, m207);
            m208 = fma(v271, v265, m208);
            m209 = fma(v271, v266, m209);
            m210 = fma(v271, v267, m210);
            m211 = fma(v272, v260, m211);
            m212 = fma(v272, v261, m212);
            m213 = fma(v272, v262, m213);
            m214 = fma(v272, v263, m214);
            m215 = fma(v272, v264, m215);
            m216 = fma(v272, v265, m216);
            m217 = fma(v272, v266, m217);
            m218 = fma(v272, v267, m218);
            m219 = fma(v273, v260, m219);
            m220 = fma(v273, v261, m220);
            m221 = fma(v273, v262, m221);
            m222 = fma(v273, v263, m222);
            m223 = fma(v273, v264, m223);
            m224 = fma(v273, v265, m224);
            m225 = fma(v273, v266, m225);
            m226 = fma(v273, v267, m226);
            m227 = fma(v274, v260, m227);
            m228 = fma(v274, v261, m228);
            m229 = fma(v274, v262, m229);
            m230 = fma(v274, v263, m230);
            m231 = fma(v274, v264, m231);
            m232 = fma(v274, v265, m232);
            m233 = fma(v274, v266, m233);
            m234 = fma(v274, v267, m234);
        }
        m5 = m171;
        m6 = m172;
        m7 = m173;
        m8 = m174;
        m9 = m175;
        m10 = m176;
        m11 = m177;
        m12 = m178;
        m13 = m179;
        m14 = m180;
        m15 = m181;
        m16 = m182;
        m17 = m183;
        m18 = m184;
        m19 = m185;
        m20 = m186;
        m21 = m187;
        m22 = m188;
        m23 = m189;
        m24 = m190;
        m25 = m191;
        m26 = m192;
        m27 = m193;
        m28 = m194;
        m29 = m195;
        m30 = m196;
        m31 = m197;
        m32 = m198;
        m33 = m199;
        m34 = m200;
        m35 = m201;
        m36 = m202;
        m37 = m203;
        m38 = m204;
        m39 = m205;
        m40 = m206;
        m41 = m207;
        m42 = m208;
        m43 = m209;
        m44 = m210;
        m45 = m211;
        m46 = m212;
        m47 = m213;
        m48 = m214;
        m49 = m215;
        m50 = m216;
        m51 = m217;
        m52 = m218;
        m53 = m219;
        m54 = m220;
        m55 = m221;
        m56 = m222;
        m57 = m223;
        m58 = m224;
        m59 = m225;
        m60 = m226;
        m61 = m227;
        m62 = m228;
        m63 = m229;
        m64 = m230;
        m65 = m231;
        m66 = m232;
        m67 = m233;
        m68 = m234;
    }
    let v275 = (t103 + 16i);
    let v276 = (t103 + 32i);
    let v277 = (t103 + 48i);
    let v278 = (t103 + 64i);
    let v279 = (t103 + 80i);
    let v280 = (t103 + 96i);
    let v281 = (t103 + 112i);
    let v282 = (v2 + t103);
    let v283 = (v2 + v275);
    let v284 = (v2 + v276);
    let v285 = (v2 + v277);
    let v286 = (v2 + v278);
    let v287 = (v2 + v279);
    let v288 = (v2 + v280);
    let v289 = (v2 + v281);
    let v290 = min(v282, v4);
    let v291 = min(v283, v4);
    let v292 = min(v284, v4);
    let v293 = min(v285, v4);
    let v294 = min(v286, v4);
    let v295 = min(v287, v4);
    let v296 = min(v288, v4);
    let v297 = min(v289, v4);
    let x299 = g_b[v290];
    let x300 = g_b[v291];
    let x301 = g_b[v292];
    let x302 = g_b[v293];
    let x303 = g_b[v294];
    let x304 = g_b[v295];
    let x305 = g_b[v296];
    let x306 = g_b[v297];
    let v307 = (m5 + x299);
    let v308 = (m6 + x300);
    let v309 = (m7 + x301);
    let v310 = (m8 + x302);
    let v311 = (m9 + x303);
    let v312 = (m10 + x304);
    let v313 = (m11 + x305);
    let v314 = (m12 + x306);
    let v315 = (m13 + x299);
    let v316 = (m14 + x300);
    let v317 = (m15 + x301);
    let v318 = (m16 + x302);
    let v319 = (m17 + x303);
    let v320 = (m18 + x304);
    let v321 = (m19 + x305);
    let v322 = (m20 + x306);
    let v323 = (m21 + x299);
    let v324 = (m22 + x300);
    let v325 = (m23 + x301);
    let v326 = (m24 + x302);
    let v327 = (m25 + x303);
    let v328 = (m26 + x304);
    let v329 = (m27 + x305);
    let v330 = (m28 + x306);
    let v331 = (m29 + x299);
    let v332 = (m30 + x300);
    let v333 = (m31 + x301);
    let v334 = (m32 + x302);
    let v335 = (m33 + x303);
    let v336 = (m34 + x304);
    let v337 = (m35 + x305);
    let v338 = (m36 + x306);
    let v339 = (m37 + x299);
    let v340 = (m38 + x300);
    let v341 = (m39 + x301);
    let v342 = (m40 + x302);
    let v343 = (m41 + x303);
    let v344 = (m42 + x304);
    let v345 = (m43 + x305);
    let v346 = (m44 + x306);
    let v347 = (m45 + x299);
    let v348 = (m46 + x300);
    let v349 = (m47 + x301);
    let v350 = (m48 + x302);
    let v351 = (m49 + x303);
    let v352 = (m50 + x304);
    let v353 = (m51 + x305);
    let v354 = (m52 + x306);
    let v355 = (m53 + x299);
    let v356 = (m54 + x300);
    let v357 = (m55 + x301);
    let v358 = (m56 + x302);
    let v359 = (m57 + x303);
    let v360 = (m58 + x304);
    let v361 = (m59 + x305);
    let v362 = (m60 + x306);
    let v363 = (m61 + x299);
    let v364 = (m62 + x300);
    let v365 = (m63 + x301);
    let v366 = (m64 + x302);
    let v367 = (m65 + x303);
    let v368 = (m66 + x304);
    let v369 = (m67 + x305);
    let v370 = (m68 + x306);
    let v371 = (t71 + 16i);
    let v372 = (t71 + 32i);
    let v373 = (t71 + 48i);
    let v374 = (t71 + 64i);
    let v375 = (t71 + 80i);
    let v376 = (t71 + 96i);
    let v377 = (t71 + 112i);
    let v378 = (v1 + t71);
    let v379 = (v1 + v371);
    let v380 = (v1 + v372);
    let v381 = (v1 + v373);
    let v382 = (v1 + v374);
    let v383 = (v1 + v375);
    let v384 = (v1 + v376);
    let v385 = (v1 + v377);
    let v386 = min(v378, v3);
    let v387 = min(v379, v3);
    let v388 = min(v380, v3);
    let v389 = min(v381, v3);
    let v390 = min(v382, v3);
    let v391 = min(v383, v3);
    let v392 = min(v384, v3);
    let v393 = min(v385, v3);
    let v394 = (v386 * p.a9_width);
    let v395 = (v387 * p.a9_width);
    let v396 = (v388 * p.a9_width);
    let v397 = (v389 * p.a9_width);
    let v398 = (v390 * p.a9_width);
    let v399 = (v391 * p.a9_width);
    let v400 = (v392 * p.a9_width);
    let v401 = (v393 * p.a9_width);
    let v402 = (p.a10_at + v290);
    let v403 = (p.a10_at + v291);
    let v404 = (p.a10_at + v292);
    let v405 = (p.a10_at + v293);
    let v406 = (p.a10_at + v294);
    let v407 = (p.a10_at + v295);
    let v408 = (p.a10_at + v296);
    let v409 = (p.a10_at + v297);
    let v410 = (v394 + v402);
    let v411 = (v394 + v403);
    let v412 = (v394 + v404);
    let v413 = (v394 + v405);
    let v414 = (v394 + v406);
    let v415 = (v394 + v407);
    let v416 = (v394 + v408);
    let v417 = (v394 + v409);
    let v418 = (v395 + v402);
    let v419 = (v395 + v403);
    let v420 = (v395 + v404);
    let v421 = (v395 + v405);
    let v422 = (v395 + v406);
    let v423 = (v395 + v407);
    let v424 = (v395 + v408);
    let v425 = (v395 + v409);
    let v426 = (v396 + v402);
    let v427 = (v396 + v403);
    let v428 = (v396 + v404);
    let v429 = (v396 + v405);
    let v430 = (v396 + v406);
    let v431 = (v396 + v407);
    let v432 = (v396 + v408);
    let v433 = (v396 + v409);
    let v434 = (v397 + v402);
    let v435 = (v397 + v403);
    let v436 = (v397 + v404);
    let v437 = (v397 + v405);
    let v438 = (v397 + v406);
    let v439 = (v397 + v407);
    let v440 = (v397 + v408);
    let v441 = (v397 + v409);
    let v442 = (v398 + v402);
    let v443 = (v398 + v403);
    let v444 = (v398 + v404);
    let v445 = (v398 + v405);
    let v446 = (v398 + v406);
    let v447 = (v398 + v407);
    let v448 = (v398 + v408);
    let v449 = (v398 + v409);
    let v450 = (v399 + v402);
    let v451 = (v399 + v403);
    let v452 = (v399 + v404);
    let v453 = (v399 + v405);
    let v454 = (v399 + v406);
    let v455 = (v399 + v407);
    let v456 = (v399 + v408);
    let v457 = (v399 + v409);
    let v458 = (v400 + v402);
    let v459 = (v400 + v403);
    let v460 = (v400 + v404);
    let v461 = (v400 + v405);
    let v462 = (v400 + v406);
    let v463 = (v400 + v407);
    let v464 = (v400 + v408);
    let v465 = (v400 + v409);
    let v466 = (v401 + v402);
    let v467 = (v401 + v403);
    let v468 = (v401 + v404);
    let v469 = (v401 + v405);
    let v470 = (v401 + v406);
    let v471 = (v401 + v407);
    let v472 = (v401 + v408);
    let v473 = (v401 + v409);
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
    let x500 = g_r[v436];
    let x501 = g_r[v437];
    let x502 = g_r[v438];
    let x503 = g_r[v439];
    let x504 = g_r[v440];
    let x505 = g_r[v441];
    let x506 = g_r[v442];
    let x507 = g_r[v443];
    let x508 = g_r[v444];
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
    let v538 = (v307 + x474);
    let v539 = (v308 + x475);
    let v540 = (v309 + x476);
    let v541 = (v310 + x477);
    let v542 = (v311 + x478);
    let v543 = (v312 + x479);
    let v544 = (v313 + x480);
    let v545 = (v314 + x481);
    let v546 = (v315 + x482);
    let v547 = (v316 + x483);
    let v548 = (v317 + x484);
    let v549 = (v318 + x485);
    let v550 = (v319 + x486);
    let v551 = (v320 + x487);
    let v552 = (v321 + x488);
    let v553 = (v322 + x489);
    let v554 = (v323 + x490);
    let v555 = (v324 + x491);
    let v556 = (v325 + x492);
    let v557 = (v326 + x493);
    let v558 = (v327 + x494);
    let v559 = (v328 + x495);
    let v560 = (v329 + x496);
    let v561 = (v330 + x497);
    let v562 = (v331 + x498);
    let v563 = (v332 + x499);
    let v564 = (v333 + x500);
    let v565 = (v334 + x501);
    let v566 = (v335 + x502);
    let v567 = (v336 + x503);
    let v568 = (v337 + x504);
    let v569 = (v338 + x505);
    let v570 = (v339 + x506);
    let v571 = (v340 + x507);
    let v572 = (v341 + x508);
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
    let v602 = (v378 < p.a5_m);
    let v603 = (v379 < p.a5_m);
    let v604 = (v380 < p.a5_m);
    let v605 = (v381 < p.a5_m);
    let v606 = (v382 < p.a5_m);
    let v607 = (v383 < p.a5_m);
    let v608 = (v384 < p.a5_m);
    let v609 = (v385 < p.a5_m);
    let v610 = (v282 < p.a6_n);
    let v611 = (v283 < p.a6_n);
    let v612 = (v284 < p.a6_n);
    let v613 = (v285 < p.a6_n);
    let v614 = (v286 < p.a6_n);
    let v615 = (v287 < p.a6_n);
    let v616 = (v288 < p.a6_n);
    let v617 = (v289 < p.a6_n);
    let v618 = (v602 & v610);
    let v619 = (v602 & v611);
    let v620 = (v602 & v612);
    let v621 = (v602 & v613);
    let v622 = (v602 & v614);
    let v623 = (v602 & v615);
    let v624 = (v602 & v616);
    let v625 = (v602 & v617);
    let v626 = (v603 & v610);
    let v627 = (v603 & v611);
    let v628 = (v603 & v612);
    let v629 = (v603 & v613);
    let v630 = (v603 & v614);
    let v631 = (v603 & v615);
    let v632 = (v603 & v616);
    let v633 = (v603 & v617);
    let v634 = (v604 & v610);
    let v635 = (v604 & v611);
    let v636 = (v604 & v612);
    let v637 = (v604 & v613);
    let v638 = (v604 & v614);
    let v639 = (v604 & v615);
    let v640 = (v604 & v616);
    let v641 = (v604 & v617);
    let v642 = (v605 & v610);
    let v643 = (v605 & v611);
    let v644 = (v605 & v612);
    let v645 = (v605 & v613);
    let v646 = (v605 & v614);
    let v647 = (v605 & v615);
    let v648 = (v605 & v616);
    let v649 = (v605 & v617);
    let v650 = (v606 & v610);
    let v651 = (v606 & v611);
    let v652 = (v606 & v612);
    let v653 = (v606 & v613);
    let v654 = (v606 & v614);
    let v655 = (v606 & v615);
    let v656 = (v606 & v616);
    let v657 = (v606 & v617);
    let v658 = (v607 & v610);
    let v659 = (v607 & v611);
    let v660 = (v607 & v612);
    let v661 = (v607 & v613);
    let v662 = (v607 & v614);
    let v663 = (v607 & v615);
    let v664 = (v607 & v616);
    let v665 = (v607 & v617);
    let v666 = (v608 & v610);
    let v667 = (v608 & v611);
    let v668 = (v608 & v612);
    let v669 = (v608 & v613);
    let v670 = (v608 & v614);
    let v671 = (v608 & v615);
    let v672 = (v608 & v616);
    let v673 = (v608 & v617);
    let v674 = (v609 & v610);
    let v675 = (v609 & v611);
    let v676 = (v609 & v612);
    let v677 = (v609 & v613);
    let v678 = (v609 & v614);
    let v679 = (v609 & v615);
    let v680 = (v609 & v616);
    let v681 = (v609 & v617);
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
    if (v644) {
        g_y[v436] = v564;
    }
    if (v645) {
        g_y[v437] = v565;
    }
    if (v646) {
        g_y[v438] = v566;
    }
    if (v647) {
        g_y[v439] = v567;
    }
    if (v648) {
        g_y[v440] = v568;
    }
    if (v649) {
        g_y[v441] = v569;
    }
    if (v650) {
        g_y[v442] = v570;
    }
    if (v651) {
        g_y[v443] = v571;
    }
    if (v652) {
        g_y[v444] = v572;
    }
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
}
