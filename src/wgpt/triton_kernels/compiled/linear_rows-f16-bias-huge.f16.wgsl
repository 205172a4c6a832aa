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
    let t298 = (lane & 240i) == 0i;
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
        let x163 = f32(g_w[v155]);
        let x164 = f32(g_w[v156]);
        let x165 = f32(g_w[v157]);
        let x166 = f32(g_w[v158]);
        let x167 = f32(g_w[v159]);
        let x168 = f32(g_w[v160]);
        let x169 = f32(g_w[v161]);
        let x170 = f32(g_w[v162]);
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
    let v394 = (v386 * p.a8_width);
    let v395 = (v387 * p.a8_width);
    let v396 = (v388 * p.a8_width);
    let v397 = (v389 * p.a8_width);
    let v398 = (v390 * p.a8_width);
    let v399 = (v391 * p.a8_width);
    let v400 = (v392 * p.a8_width);
    let v401 = (v393 * p.a8_width);
    let v402 = (p.a9_at + v290);
    let v403 = (p.a9_at + v291);
    let v404 = (p.a9_at + v292);
    let v405 = (p.a9_at + v293);
    let v406 = (p.a9_at + v294);
    let v407 = (p.a9_at + v295);
    let v408 = (p.a9_at + v296);
    let v409 = (p.a9_at + v297);
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
    let v474 = (v378 < p.a4_m);
    let v475 = (v379 < p.a4_m);
    let v476 = (v380 < p.a4_m);
    let v477 = (v381 < p.a4_m);
    let v478 = (v382 < p.a4_m);
    let v479 = (v383 < p.a4_m);
    let v480 = (v384 < p.a4_m);
    let v481 = (v385 < p.a4_m);
    let v482 = (v282 < p.a5_n);
    let v483 = (v283 < p.a5_n);
    let v484 = (v284 < p.a5_n);
    let v485 = (v285 < p.a5_n);
    let v486 = (v286 < p.a5_n);
    let v487 = (v287 < p.a5_n);
    let v488 = (v288 < p.a5_n);
    let v489 = (v289 < p.a5_n);
    let v490 = (v474 & v482);
    let v491 = (v474 & v483);
    let v492 = (v474 & v484);
    let v493 = (v474 & v485);
    let v494 = (v474 & v486);
    let v495 = (v474 & v487);
    let v496 = (v474 & v488);
    let v497 = (v474 & v489);
    let v498 = (v475 & v482);
    let v499 = (v475 & v483);
    let v500 = (v475 & v484);
    let v501 = (v475 & v485);
    let v502 = (v475 & v486);
    let v503 = (v475 & v487);
    let v504 = (v475 & v488);
    let v505 = (v475 & v489);
    let v506 = (v476 & v482);
    let v507 = (v476 & v483);
    let v508 = (v476 & v484);
    let v509 = (v476 & v485);
    let v510 = (v476 & v486);
    let v511 = (v476 & v487);
    let v512 = (v476 & v488);
    let v513 = (v476 & v489);
    let v514 = (v477 & v482);
    let v515 = (v477 & v483);
    let v516 = (v477 & v484);
    let v517 = (v477 & v485);
    let v518 = (v477 & v486);
    let v519 = (v477 & v487);
    let v520 = (v477 & v488);
    let v521 = (v477 & v489);
    let v522 = (v478 & v482);
    let v523 = (v478 & v483);
    let v524 = (v478 & v484);
    let v525 = (v478 & v485);
    let v526 = (v478 & v486);
    let v527 = (v478 & v487);
    let v528 = (v478 & v488);
    let v529 = (v478 & v489);
    let v530 = (v479 & v482);
    let v531 = (v479 & v483);
    let v532 = (v479 & v484);
    let v533 = (v479 & v485);
    let v534 = (v479 & v486);
    let v535 = (v479 & v487);
    let v536 = (v479 & v488);
    let v537 = (v479 & v489);
    let v538 = (v480 & v482);
    let v539 = (v480 & v483);
    let v540 = (v480 & v484);
    let v541 = (v480 & v485);
    let v542 = (v480 & v486);
    let v543 = (v480 & v487);
    let v544 = (v480 & v488);
    let v545 = (v480 & v489);
    let v546 = (v481 & v482);
    let v547 = (v481 & v483);
    let v548 = (v481 & v484);
    let v549 = (v481 & v485);
    let v550 = (v481 & v486);
    let v551 = (v481 & v487);
    let v552 = (v481 & v488);
    let v553 = (v481 & v489);
    if (v490) {
        g_y[v410] = v307;
    }
    if (v491) {
        g_y[v411] = v308;
    }
    if (v492) {
        g_y[v412] = v309;
    }
    if (v493) {
        g_y[v413] = v310;
    }
    if (v494) {
        g_y[v414] = v311;
    }
    if (v495) {
        g_y[v415] = v312;
    }
    if (v496) {
        g_y[v416] = v313;
    }
    if (v497) {
        g_y[v417] = v314;
    }
    if (v498) {
        g_y[v418] = v315;
    }
    if (v499) {
        g_y[v419] = v316;
    }
    if (v500) {
        g_y[v420] = v317;
    }
    if (v501) {
        g_y[v421] = v318;
    }
    if (v502) {
        g_y[v422] = v319;
    }
    if (v503) {
        g_y[v423] = v320;
    }
    if (v504) {
        g_y[v424] = v321;
    }
    if (v505) {
        g_y[v425] = v322;
    }
    if (v506) {
        g_y[v426] = v323;
    }
    if (v507) {
        g_y[v427] = v324;
    }
    if (v508) {
        g_y[v428] = v325;
    }
    if (v509) {
        g_y[v429] = v326;
    }
    if (v510) {
        g_y[v430] = v327;
    }
    if (v511) {
        g_y[v431] = v328;
    }
    if (v512) {
        g_y[v432] = v329;
    }
    if (v513) {
        g_y[v433] = v330;
    }
    if (v514) {
        g_y[v434] = v331;
    }
    if (v515) {
        g_y[v435] = v332;
    }
    if (v516) {
        g_y[v436] = v333;
    }
    if (v517) {
        g_y[v437] = v334;
    }
    if (v518) {
        g_y[v438] = v335;
    }
    if (v519) {
        g_y[v439] = v336;
    }
    if (v520) {
        g_y[v440] = v337;
    }
    if (v521) {
        g_y[v441] = v338;
    }
    if (v522) {
        g_y[v442] = v339;
    }
    if (v523) {
        g_y[v443] = v340;
    }
    if (v524) {
        g_y[v444] = v341;
    }
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
}
