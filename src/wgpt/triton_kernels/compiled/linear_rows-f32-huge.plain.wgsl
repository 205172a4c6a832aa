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
@group(0) @binding(2) var<storage, read> g_w: array<f32>;
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
    let t235 = ((lane >> 3u) & 1i);
    let t236 = (lane & 7i);
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
        let v155 = (v147 + v105);
        let v156 = (v148 + v105);
        let v157 = (v149 + v105);
        let v158 = (v150 + v105);
        let v159 = (v151 + v105);
        let v160 = (v152 + v105);
        let v161 = (v153 + v105);
        let v162 = (v154 + v105);
        let x163 = g_w[v155];
        let x164 = g_w[v156];
        let x165 = g_w[v157];
        let x166 = g_w[v158];
        let x167 = g_w[v159];
        let x168 = g_w[v160];
        let x169 = g_w[v161];
        let x170 = g_w[v162];
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
    let v275 = (t71 + 16i);
    let v276 = (t71 + 32i);
    let v277 = (t71 + 48i);
    let v278 = (t71 + 64i);
    let v279 = (t71 + 80i);
    let v280 = (t71 + 96i);
    let v281 = (t71 + 112i);
    let v282 = (v1 + t71);
    let v283 = (v1 + v275);
    let v284 = (v1 + v276);
    let v285 = (v1 + v277);
    let v286 = (v1 + v278);
    let v287 = (v1 + v279);
    let v288 = (v1 + v280);
    let v289 = (v1 + v281);
    let v290 = min(v282, v3);
    let v291 = min(v283, v3);
    let v292 = min(v284, v3);
    let v293 = min(v285, v3);
    let v294 = min(v286, v3);
    let v295 = min(v287, v3);
    let v296 = min(v288, v3);
    let v297 = min(v289, v3);
    let v298 = (v290 * p.a7_width);
    let v299 = (v291 * p.a7_width);
    let v300 = (v292 * p.a7_width);
    let v301 = (v293 * p.a7_width);
    let v302 = (v294 * p.a7_width);
    let v303 = (v295 * p.a7_width);
    let v304 = (v296 * p.a7_width);
    let v305 = (v297 * p.a7_width);
    let v306 = (t103 + 16i);
    let v307 = (t103 + 32i);
    let v308 = (t103 + 48i);
    let v309 = (t103 + 64i);
    let v310 = (t103 + 80i);
    let v311 = (t103 + 96i);
    let v312 = (t103 + 112i);
    let v313 = (v2 + t103);
    let v314 = (v2 + v306);
    let v315 = (v2 + v307);
    let v316 = (v2 + v308);
    let v317 = (v2 + v309);
    let v318 = (v2 + v310);
    let v319 = (v2 + v311);
    let v320 = (v2 + v312);
    let v321 = min(v313, v4);
    let v322 = min(v314, v4);
    let v323 = min(v315, v4);
    let v324 = min(v316, v4);
    let v325 = min(v317, v4);
    let v326 = min(v318, v4);
    let v327 = min(v319, v4);
    let v328 = min(v320, v4);
    let v329 = (p.a8_at + v321);
    let v330 = (p.a8_at + v322);
    let v331 = (p.a8_at + v323);
    let v332 = (p.a8_at + v324);
    let v333 = (p.a8_at + v325);
    let v334 = (p.a8_at + v326);
    let v335 = (p.a8_at + v327);
    let v336 = (p.a8_at + v328);
    let v337 = (v298 + v329);
    let v338 = (v298 + v330);
    let v339 = (v298 + v331);
    let v340 = (v298 + v332);
    let v341 = (v298 + v333);
    let v342 = (v298 + v334);
    let v343 = (v298 + v335);
    let v344 = (v298 + v336);
    let v345 = (v299 + v329);
    let v346 = (v299 + v330);
    let v347 = (v299 + v331);
    let v348 = (v299 + v332);
    let v349 = (v299 + v333);
    let v350 = (v299 + v334);
    let v351 = (v299 + v335);
    let v352 = (v299 + v336);
    let v353 = (v300 + v329);
    let v354 = (v300 + v330);
    let v355 = (v300 + v331);
    let v356 = (v300 + v332);
    let v357 = (v300 + v333);
    let v358 = (v300 + v334);
    let v359 = (v300 + v335);
    let v360 = (v300 + v336);
    let v361 = (v301 + v329);
    let v362 = (v301 + v330);
    let v363 = (v301 + v331);
    let v364 = (v301 + v332);
    let v365 = (v301 + v333);
    let v366 = (v301 + v334);
    let v367 = (v301 + v335);
    let v368 = (v301 + v336);
    let v369 = (v302 + v329);
    let v370 = (v302 + v330);
    let v371 = (v302 + v331);
    let v372 = (v302 + v332);
    let v373 = (v302 + v333);
    let v374 = (v302 + v334);
    let v375 = (v302 + v335);
    let v376 = (v302 + v336);
    let v377 = (v303 + v329);
    let v378 = (v303 + v330);
    let v379 = (v303 + v331);
    let v380 = (v303 + v332);
    let v381 = (v303 + v333);
    let v382 = (v303 + v334);
    let v383 = (v303 + v335);
    let v384 = (v303 + v336);
    let v385 = (v304 + v329);
    let v386 = (v304 + v330);
    let v387 = (v304 + v331);
    let v388 = (v304 + v332);
    let v389 = (v304 + v333);
    let v390 = (v304 + v334);
    let v391 = (v304 + v335);
    let v392 = (v304 + v336);
    let v393 = (v305 + v329);
    let v394 = (v305 + v330);
    let v395 = (v305 + v331);
    let v396 = (v305 + v332);
    let v397 = (v305 + v333);
    let v398 = (v305 + v334);
    let v399 = (v305 + v335);
    let v400 = (v305 + v336);
    let v401 = (v282 < p.a3_m);
    let v402 = (v283 < p.a3_m);
    let v403 = (v284 < p.a3_m);
    let v404 = (v285 < p.a3_m);
    let v405 = (v286 < p.a3_m);
    let v406 = (v287 < p.a3_m);
    let v407 = (v288 < p.a3_m);
    let v408 = (v289 < p.a3_m);
    let v409 = (v313 < p.a4_n);
    let v410 = (v314 < p.a4_n);
    let v411 = (v315 < p.a4_n);
    let v412 = (v316 < p.a4_n);
    let v413 = (v317 < p.a4_n);
    let v414 = (v318 < p.a4_n);
    let v415 = (v319 < p.a4_n);
    let v416 = (v320 < p.a4_n);
    let v417 = (v401 & v409);
    let v418 = (v401 & v410);
    let v419 = (v401 & v411);
    let v420 = (v401 & v412);
    let v421 = (v401 & v413);
    let v422 = (v401 & v414);
    let v423 = (v401 & v415);
    let v424 = (v401 & v416);
    let v425 = (v402 & v409);
    let v426 = (v402 & v410);
    let v427 = (v402 & v411);
    let v428 = (v402 & v412);
    let v429 = (v402 & v413);
    let v430 = (v402 & v414);
    let v431 = (v402 & v415);
    let v432 = (v402 & v416);
    let v433 = (v403 & v409);
    let v434 = (v403 & v410);
    let v435 = (v403 & v411);
    let v436 = (v403 & v412);
    let v437 = (v403 & v413);
    let v438 = (v403 & v414);
    let v439 = (v403 & v415);
    let v440 = (v403 & v416);
    let v441 = (v404 & v409);
    let v442 = (v404 & v410);
    let v443 = (v404 & v411);
    let v444 = (v404 & v412);
    let v445 = (v404 & v413);
    let v446 = (v404 & v414);
    let v447 = (v404 & v415);
    let v448 = (v404 & v416);
    let v449 = (v405 & v409);
    let v450 = (v405 & v410);
    let v451 = (v405 & v411);
    let v452 = (v405 & v412);
    let v453 = (v405 & v413);
    let v454 = (v405 & v414);
    let v455 = (v405 & v415);
    let v456 = (v405 & v416);
    let v457 = (v406 & v409);
    let v458 = (v406 & v410);
    let v459 = (v406 & v411);
    let v460 = (v406 & v412);
    let v461 = (v406 & v413);
    let v462 = (v406 & v414);
    let v463 = (v406 & v415);
    let v464 = (v406 & v416);
    let v465 = (v407 & v409);
    let v466 = (v407 & v410);
    let v467 = (v407 & v411);
    let v468 = (v407 & v412);
    let v469 = (v407 & v413);
    let v470 = (v407 & v414);
    let v471 = (v407 & v415);
    let v472 = (v407 & v416);
    let v473 = (v408 & v409);
    let v474 = (v408 & v410);
    let v475 = (v408 & v411);
    let v476 = (v408 & v412);
    let v477 = (v408 & v413);
    let v478 = (v408 & v414);
    let v479 = (v408 & v415);
    let v480 = (v408 & v416);
    if (v417) {
        g_y[v337] = m5;
    }
    if (v418) {
        g_y[v338] = m6;
    }
    if (v419) {
        g_y[v339] = m7;
    }
    if (v420) {
        g_y[v340] = m8;
    }
    if (v421) {
        g_y[v341] = m9;
    }
    if (v422) {
        g_y[v342] = m10;
    }
    if (v423) {
        g_y[v343] = m11;
    }
    if (v424) {
        g_y[v344] = m12;
    }
    if (v425) {
        g_y[v345] = m13;
    }
    if (v426) {
        g_y[v346] = m14;
    }
    if (v427) {
        g_y[v347] = m15;
    }
    if (v428) {
        g_y[v348] = m16;
    }
    if (v429) {
        g_y[v349] = m17;
    }
    if (v430) {
        g_y[v350] = m18;
    }
    if (v431) {
        g_y[v351] = m19;
    }
    if (v432) {
        g_y[v352] = m20;
    }
    if (v433) {
        g_y[v353] = m21;
    }
    if (v434) {
        g_y[v354] = m22;
    }
    if (v435) {
        g_y[v355] = m23;
    }
    if (v436) {
        g_y[v356] = m24;
    }
    if (v437) {
        g_y[v357] = m25;
    }
    if (v438) {
        g_y[v358] = m26;
    }
    if (v439) {
        g_y[v359] = m27;
    }
    if (v440) {
        g_y[v360] = m28;
    }
    if (v441) {
        g_y[v361] = m29;
    }
    if (v442) {
        g_y[v362] = m30;
    }
    if (v443) {
        g_y[v363] = m31;
    }
    if (v444) {
        g_y[v364] = m32;
    }
    if (v445) {
        g_y[v365] = m33;
    }
    if (v446) {
        g_y[v366] = m34;
    }
    if (v447) {
        g_y[v367] = m35;
    }
    if (v448) {
        g_y[v368] = m36;
    }
    if (v449) {
        g_y[v369] = m37;
    }
    if (v450) {
        g_y[v370] = m38;
    }
    if (v451) {
        g_y[v371] = m39;
    }
    if (v452) {
        g_y[v372] = m40;
    }
    if (v453) {
        g_y[v373] = m41;
    }
    if (v454) {
        g_y[v374] = m42;
    }
    if (v455) {
        g_y[v375] = m43;
    }
    if (v456) {
        g_y[v376] = m44;
    }
    if (v457) {
        g_y[v377] = m45;
    }
    if (v458) {
        g_y[v378] = m46;
    }
    if (v459) {
        g_y[v379] = m47;
    }
    if (v460) {
        g_y[v380] = m48;
    }
    if (v461) {
        g_y[v381] = m49;
    }
    if (v462) {
        g_y[v382] = m50;
    }
    if (v463) {
        g_y[v383] = m51;
    }
    if (v464) {
        g_y[v384] = m52;
    }
    if (v465) {
        g_y[v385] = m53;
    }
    if (v466) {
        g_y[v386] = m54;
    }
    if (v467) {
        g_y[v387] = m55;
    }
    if (v468) {
        g_y[v388] = m56;
    }
    if (v469) {
        g_y[v389] = m57;
    }
    if (v470) {
        g_y[v390] = m58;
    }
    if (v471) {
        g_y[v391] = m59;
    }
    if (v472) {
        g_y[v392] = m60;
    }
    if (v473) {
        g_y[v393] = m61;
    }
    if (v474) {
        g_y[v394] = m62;
    }
    if (v475) {
        g_y[v395] = m63;
    }
    if (v476) {
        g_y[v396] = m64;
    }
    if (v477) {
        g_y[v397] = m65;
    }
    if (v478) {
        g_y[v398] = m66;
    }
    if (v479) {
        g_y[v399] = m67;
    }
    if (v480) {
        g_y[v400] = m68;
    }
}
