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
@group(0) @binding(2) var<storage, read> g_w: array<f32>;
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
    let t235 = ((lane >> 3u) & 1i);
    let t236 = (lane & 7i);
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
    let v298 = (v290 * p.a8_width);
    let v299 = (v291 * p.a8_width);
    let v300 = (v292 * p.a8_width);
    let v301 = (v293 * p.a8_width);
    let v302 = (v294 * p.a8_width);
    let v303 = (v295 * p.a8_width);
    let v304 = (v296 * p.a8_width);
    let v305 = (v297 * p.a8_width);
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
    let v329 = (p.a9_at + v321);
    let v330 = (p.a9_at + v322);
    let v331 = (p.a9_at + v323);
    let v332 = (p.a9_at + v324);
    let v333 = (p.a9_at + v325);
    let v334 = (p.a9_at + v326);
    let v335 = (p.a9_at + v327);
    let v336 = (p.a9_at + v328);
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
    let x401 = g_r[v337];
    let x402 = g_r[v338];
    let x403 = g_r[v339];
    let x404 = g_r[v340];
    let x405 = g_r[v341];
    let x406 = g_r[v342];
    let x407 = g_r[v343];
    let x408 = g_r[v344];
    let x409 = g_r[v345];
    let x410 = g_r[v346];
    let x411 = g_r[v347];
    let x412 = g_r[v348];
    let x413 = g_r[v349];
    let x414 = g_r[v350];
    let x415 = g_r[v351];
    let x416 = g_r[v352];
    let x417 = g_r[v353];
    let x418 = g_r[v354];
    let x419 = g_r[v355];
    let x420 = g_r[v356];
    let x421 = g_r[v357];
    let x422 = g_r[v358];
    let x423 = g_r[v359];
    let x424 = g_r[v360];
    let x425 = g_r[v361];
    let x426 = g_r[v362];
    let x427 = g_r[v363];
    let x428 = g_r[v364];
    let x429 = g_r[v365];
    let x430 = g_r[v366];
    let x431 = g_r[v367];
    let x432 = g_r[v368];
    let x433 = g_r[v369];
    let x434 = g_r[v370];
    let x435 = g_r[v371];
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
    let v465 = (m5 + x401);
    let v466 = (m6 + x402);
    let v467 = (m7 + x403);
    let v468 = (m8 + x404);
    let v469 = (m9 + x405);
    let v470 = (m10 + x406);
    let v471 = (m11 + x407);
    let v472 = (m12 + x408);
    let v473 = (m13 + x409);
    let v474 = (m14 + x410);
    let v475 = (m15 + x411);
    let v476 = (m16 + x412);
    let v477 = (m17 + x413);
    let v478 = (m18 + x414);
    let v479 = (m19 + x415);
    let v480 = (m20 + x416);
    let v481 = (m21 + x417);
    let v482 = (m22 + x418);
    let v483 = (m23 + x419);
    let v484 = (m24 + x420);
    let v485 = (m25 + x421);
    let v486 = (m26 + x422);
    let v487 = (m27 + x423);
    let v488 = (m28 + x424);
    let v489 = (m29 + x425);
    let v490 = (m30 + x426);
    let v491 = (m31 + x427);
    let v492 = (m32 + x428);
    let v493 = (m33 + x429);
    let v494 = (m34 + x430);
    let v495 = (m35 + x431);
    let v496 = (m36 + x432);
    let v497 = (m37 + x433);
    let v498 = (m38 + x434);
    let v499 = (m39 + x435);
    let v500 = (m40 + x436);
    let v501 = (m41 + x437);
    let v502 = (m42 + x438);
    let v503 = (m43 + x439);
    let v504 = (m44 + x440);
    let v505 = (m45 + x441);
    let v506 = (m46 + x442);
    let v507 = (m47 + x443);
    let v508 = (m48 + x444);
    let v509 = (m49 + x445);
    let v510 = (m50 + x446);
    let v511 = (m51 + x447);
    let v512 = (m52 + x448);
    let v513 = (m53 + x449);
    let v514 = (m54 + x450);
    let v515 = (m55 + x451);
    let v516 = (m56 + x452);
    let v517 = (m57 + x453);
    let v518 = (m58 + x454);
    let v519 = (m59 + x455);
    let v520 = (m60 + x456);
    let v521 = (m61 + x457);
    let v522 = (m62 + x458);
    let v523 = (m63 + x459);
    let v524 = (m64 + x460);
    let v525 = (m65 + x461);
    let v526 = (m66 + x462);
    let v527 = (m67 + x463);
    let v528 = (m68 + x464);
    let v529 = (v282 < p.a4_m);
    let v530 = (v283 < p.a4_m);
    let v531 = (v284 < p.a4_m);
    let v532 = (v285 < p.a4_m);
    let v533 = (v286 < p.a4_m);
    let v534 = (v287 < p.a4_m);
    let v535 = (v288 < p.a4_m);
    let v536 = (v289 < p.a4_m);
    let v537 = (v313 < p.a5_n);
    let v538 = (v314 < p.a5_n);
    let v539 = (v315 < p.a5_n);
    let v540 = (v316 < p.a5_n);
    let v541 = (v317 < p.a5_n);
    let v542 = (v318 < p.a5_n);
    let v543 = (v319 < p.a5_n);
    let v544 = (v320 < p.a5_n);
    let v545 = (v529 & v537);
    let v546 = (v529 & v538);
    let v547 = (v529 & v539);
    let v548 = (v529 & v540);
    let v549 = (v529 & v541);
    let v550 = (v529 & v542);
    let v551 = (v529 & v543);
    let v552 = (v529 & v544);
    let v553 = (v530 & v537);
    let v554 = (v530 & v538);
    let v555 = (v530 & v539);
    let v556 = (v530 & v540);
    let v557 = (v530 & v541);
    let v558 = (v530 & v542);
    let v559 = (v530 & v543);
    let v560 = (v530 & v544);
    let v561 = (v531 & v537);
    let v562 = (v531 & v538);
    let v563 = (v531 & v539);
    let v564 = (v531 & v540);
    let v565 = (v531 & v541);
    let v566 = (v531 & v542);
    let v567 = (v531 & v543);
    let v568 = (v531 & v544);
    let v569 = (v532 & v537);
    let v570 = (v532 & v538);
    let v571 = (v532 & v539);
    let v572 = (v532 & v540);
    let v573 = (v532 & v541);
    let v574 = (v532 & v542);
    let v575 = (v532 & v543);
    let v576 = (v532 & v544);
    let v577 = (v533 & v537);
    let v578 = (v533 & v538);
    let v579 = (v533 & v539);
    let v580 = (v533 & v540);
    let v581 = (v533 & v541);
    let v582 = (v533 & v542);
    let v583 = (v533 & v543);
    let v584 = (v533 & v544);
    let v585 = (v534 & v537);
    let v586 = (v534 & v538);
    let v587 = (v534 & v539);
    let v588 = (v534 & v540);
    let v589 = (v534 & v541);
    let v590 = (v534 & v542);
    let v591 = (v534 & v543);
    let v592 = (v534 & v544);
    let v593 = (v535 & v537);
    let v594 = (v535 & v538);
    let v595 = (v535 & v539);
    let v596 = (v535 & v540);
    let v597 = (v535 & v541);
    let v598 = (v535 & v542);
    let v599 = (v535 & v543);
    let v600 = (v535 & v544);
    let v601 = (v536 & v537);
    let v602 = (v536 & v538);
    let v603 = (v536 & v539);
    let v604 = (v536 & v540);
    let v605 = (v536 & v541);
    let v606 = (v536 & v542);
    let v607 = (v536 & v543);
    let v608 = (v536 & v544);
    if (v545) {
        g_y[v337] = v465;
    }
    if (v546) {
        g_y[v338] = v466;
    }
    if (v547) {
        g_y[v339] = v467;
    }
    if (v548) {
        g_y[v340] = v468;
    }
    if (v549) {
        g_y[v341] = v469;
    }
    if (v550) {
        g_y[v342] = v470;
    }
    if (v551) {
        g_y[v343] = v471;
    }
    if (v552) {
        g_y[v344] = v472;
    }
    if (v553) {
        g_y[v345] = v473;
    }
    if (v554) {
        g_y[v346] = v474;
    }
    if (v555) {
        g_y[v347] = v475;
    }
    if (v556) {
        g_y[v348] = v476;
    }
    if (v557) {
        g_y[v349] = v477;
    }
    if (v558) {
        g_y[v350] = v478;
    }
    if (v559) {
        g_y[v351] = v479;
    }
    if (v560) {
        g_y[v352] = v480;
    }
    if (v561) {
        g_y[v353] = v481;
    }
    if (v562) {
        g_y[v354] = v482;
    }
    if (v563) {
        g_y[v355] = v483;
    }
    if (v564) {
        g_y[v356] = v484;
    }
    if (v565) {
        g_y[v357] = v485;
    }
    if (v566) {
        g_y[v358] = v486;
    }
    if (v567) {
        g_y[v359] = v487;
    }
    if (v568) {
        g_y[v360] = v488;
    }
    if (v569) {
        g_y[v361] = v489;
    }
    if (v570) {
        g_y[v362] = v490;
    }
    if (v571) {
        g_y[v363] = v491;
    }
    if (v572) {
        g_y[v364] = v492;
    }
    if (v573) {
        g_y[v365] = v493;
    }
    if (v574) {
        g_y[v366] = v494;
    }
    if (v575) {
        g_y[v367] = v495;
    }
    if (v576) {
        g_y[v368] = v496;
    }
    if (v577) {
        g_y[v369] = v497;
    }
    if (v578) {
        g_y[v370] = v498;
    }
    if (v579) {
        g_y[v371] = v499;
    }
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
}
