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
var<workgroup> pool: array<u32, 1600>;
fn from_half(h: u32) -> f32 {
    return unpack2x16float(h).x;
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t15 = (lane >> 5u);
    let t47 = (lane & 31i);
    let t171 = (lane >> 3u);
    let t172 = (lane & 7i);
    let v1 = (pid_y * 16i);
    let v2 = (pid_x * 32i);
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
    for (var i13: i32 = 0i; (i13 < p.a5_k); i13 = i13 + 32i) {
        let v14 = (p.a5_k - 1i);
        let v16 = (t15 + 2i);
        let v17 = (t15 + 4i);
        let v18 = (t15 + 6i);
        let v19 = (t15 + 8i);
        let v20 = (t15 + 10i);
        let v21 = (t15 + 12i);
        let v22 = (t15 + 14i);
        let v23 = (v1 + t15);
        let v24 = (v1 + v16);
        let v25 = (v1 + v17);
        let v26 = (v1 + v18);
        let v27 = (v1 + v19);
        let v28 = (v1 + v20);
        let v29 = (v1 + v21);
        let v30 = (v1 + v22);
        let v31 = min(v23, v3);
        let v32 = min(v24, v3);
        let v33 = min(v25, v3);
        let v34 = min(v26, v3);
        let v35 = min(v27, v3);
        let v36 = min(v28, v3);
        let v37 = min(v29, v3);
        let v38 = min(v30, v3);
        let v39 = (v31 * p.a5_k);
        let v40 = (v32 * p.a5_k);
        let v41 = (v33 * p.a5_k);
        let v42 = (v34 * p.a5_k);
        let v43 = (v35 * p.a5_k);
        let v44 = (v36 * p.a5_k);
        let v45 = (v37 * p.a5_k);
        let v46 = (v38 * p.a5_k);
        let v48 = (i13 + t47);
        let v49 = min(v48, v14);
        let v50 = (v39 + v49);
        let v51 = (v40 + v49);
        let v52 = (v41 + v49);
        let v53 = (v42 + v49);
        let v54 = (v43 + v49);
        let v55 = (v44 + v49);
        let v56 = (v45 + v49);
        let v57 = (v46 + v49);
        let x58 = g_x[v50];
        let x59 = g_x[v51];
        let x60 = g_x[v52];
        let x61 = g_x[v53];
        let x62 = g_x[v54];
        let x63 = g_x[v55];
        let x64 = g_x[v56];
        let x65 = g_x[v57];
        let v66 = (v48 < p.a5_k);
        let v67 = select(0.0f, x58, v66);
        let v68 = select(0.0f, x59, v66);
        let v69 = select(0.0f, x60, v66);
        let v70 = select(0.0f, x61, v66);
        let v71 = select(0.0f, x62, v66);
        let v72 = select(0.0f, x63, v66);
        let v73 = select(0.0f, x64, v66);
        let v74 = select(0.0f, x65, v66);
        let v75 = (t15 + 16i);
        let v76 = (t15 + 18i);
        let v77 = (t15 + 20i);
        let v78 = (t15 + 22i);
        let v79 = (t15 + 24i);
        let v80 = (t15 + 26i);
        let v81 = (t15 + 28i);
        let v82 = (t15 + 30i);
        let v83 = (v2 + t15);
        let v84 = (v2 + v16);
        let v85 = (v2 + v17);
        let v86 = (v2 + v18);
        let v87 = (v2 + v19);
        let v88 = (v2 + v20);
        let v89 = (v2 + v21);
        let v90 = (v2 + v22);
        let v91 = (v2 + v75);
        let v92 = (v2 + v76);
        let v93 = (v2 + v77);
        let v94 = (v2 + v78);
        let v95 = (v2 + v79);
        let v96 = (v2 + v80);
        let v97 = (v2 + v81);
        let v98 = (v2 + v82);
        let v99 = min(v83, v4);
        let v100 = min(v84, v4);
        let v101 = min(v85, v4);
        let v102 = min(v86, v4);
        let v103 = min(v87, v4);
        let v104 = min(v88, v4);
        let v105 = min(v89, v4);
        let v106 = min(v90, v4);
        let v107 = min(v91, v4);
        let v108 = min(v92, v4);
        let v109 = min(v93, v4);
        let v110 = min(v94, v4);
        let v111 = min(v95, v4);
        let v112 = min(v96, v4);
        let v113 = min(v97, v4);
        let v114 = min(v98, v4);
        let v115 = (v99 * p.a6_line);
        let v116 = (v100 * p.a6_line);
        let v117 = (v101 * p.a6_line);
        let v118 = (v102 * p.a6_line);
        let v119 = (v103 * p.a6_line);
        let v120 = (v104 * p.a6_line);
        let v121 = (v105 * p.a6_line);
        let v122 = (v106 * p.a6_line);
        let v123 = (v107 * p.a6_line);
        let v124 = (v108 * p.a6_line);
        let v125 = (v109 * p.a6_line);
        let v126 = (v110 * p.a6_line);
        let v127 = (v111 * p.a6_line);
        let v128 = (v112 * p.a6_line);
        let v129 = (v113 * p.a6_line);
        let v130 = (v114 * p.a6_line);
        let v131 = (v115 + v49);
        let v132 = (v116 + v49);
        let v133 = (v117 + v49);
        let v134 = (v118 + v49);
        let v135 = (v119 + v49);
        let v136 = (v120 + v49);
        let v137 = (v121 + v49);
        let v138 = (v122 + v49);
        let v139 = (v123 + v49);
        let v140 = (v124 + v49);
        let v141 = (v125 + v49);
        let v142 = (v126 + v49);
        let v143 = (v127 + v49);
        let v144 = (v128 + v49);
        let v145 = (v129 + v49);
        let v146 = (v130 + v49);
        let x147 = from_half(extractBits(g_w[(v131 >> 1u)], u32(v131 & 1i) * 16u, 16u));
        let x148 = from_half(extractBits(g_w[(v132 >> 1u)], u32(v132 & 1i) * 16u, 16u));
        let x149 = from_half(extractBits(g_w[(v133 >> 1u)], u32(v133 & 1i) * 16u, 16u));
        let x150 = from_half(extractBits(g_w[(v134 >> 1u)], u32(v134 & 1i) * 16u, 16u));
        let x151 = from_half(extractBits(g_w[(v135 >> 1u)], u32(v135 & 1i) * 16u, 16u));
        let x152 = from_half(extractBits(g_w[(v136 >> 1u)], u32(v136 & 1i) * 16u, 16u));
        let x153 = from_half(extractBits(g_w[(v137 >> 1u)], u32(v137 & 1i) * 16u, 16u));
        let x154 = from_half(extractBits(g_w[(v138 >> 1u)], u32(v138 & 1i) * 16u, 16u));
        let x155 = from_half(extractBits(g_w[(v139 >> 1u)], u32(v139 & 1i) * 16u, 16u));
        let x156 = from_half(extractBits(g_w[(v140 >> 1u)], u32(v140 & 1i) * 16u, 16u));
        let x157 = from_half(extractBits(g_w[(v141 >> 1u)], u32(v141 & 1i) * 16u, 16u));
        let x158 = from_half(extractBits(g_w[(v142 >> 1u)], u32(v142 & 1i) * 16u, 16u));
        let x159 = from_half(extractBits(g_w[(v143 >> 1u)], u32(v143 & 1i) * 16u, 16u));
        let x160 = from_half(extractBits(g_w[(v144 >> 1u)], u32(v144 & 1i) * 16u, 16u));
        let x161 = from_half(extractBits(g_w[(v145 >> 1u)], u32(v145 & 1i) * 16u, 16u));
        let x162 = from_half(extractBits(g_w[(v146 >> 1u)], u32(v146 & 1i) * 16u, 16u));
        var m163: f32 = m5;
        var m164: f32 = m6;
        var m165: f32 = m7;
        var m166: f32 = m8;
        var m167: f32 = m9;
        var m168: f32 = m10;
        var m169: f32 = m11;
        var m170: f32 = m12;
        workgroupBarrier();
        pool[((t47 * 17i) + t15)] = bitcast<u32>(v67);
        pool[((t47 * 17i) + (t15 + 2i))] = bitcast<u32>(v68);
        pool[((t47 * 17i) + (t15 + 4i))] = bitcast<u32>(v69);
        pool[((t47 * 17i) + (t15 + 6i))] = bitcast<u32>(v70);
        pool[((t47 * 17i) + (t15 + 8i))] = bitcast<u32>(v71);
        pool[((t47 * 17i) + (t15 + 10i))] = bitcast<u32>(v72);
        pool[((t47 * 17i) + (t15 + 12i))] = bitcast<u32>(v73);
        pool[((t47 * 17i) + (t15 + 14i))] = bitcast<u32>(v74);
        pool[(((t47 * 33i) + t15) + 544i)] = bitcast<u32>(x147);
        pool[(((t47 * 33i) + (t15 + 2i)) + 544i)] = bitcast<u32>(x148);
        pool[(((t47 * 33i) + (t15 + 4i)) + 544i)] = bitcast<u32>(x149);
        pool[(((t47 * 33i) + (t15 + 6i)) + 544i)] = bitcast<u32>(x150);
        pool[(((t47 * 33i) + (t15 + 8i)) + 544i)] = bitcast<u32>(x151);
        pool[(((t47 * 33i) + (t15 + 10i)) + 544i)] = bitcast<u32>(x152);
        pool[(((t47 * 33i) + (t15 + 12i)) + 544i)] = bitcast<u32>(x153);
        pool[(((t47 * 33i) + (t15 + 14i)) + 544i)] = bitcast<u32>(x154);
        pool[(((t47 * 33i) + (t15 + 16i)) + 544i)] = bitcast<u32>(x155);
        pool[(((t47 * 33i) + (t15 + 18i)) + 544i)] = bitcast<u32>(x156);
        pool[(((t47 * 33i) + (t15 + 20i)) + 544i)] = bitcast<u32>(x157);
        pool[(((t47 * 33i) + (t15 + 22i)) + 544i)] = bitcast<u32>(x158);
        pool[(((t47 * 33i) + (t15 + 24i)) + 544i)] = bitcast<u32>(x159);
        pool[(((t47 * 33i) + (t15 + 26i)) + 544i)] = bitcast<u32>(x160);
        pool[(((t47 * 33i) + (t15 + 28i)) + 544i)] = bitcast<u32>(x161);
        pool[(((t47 * 33i) + (t15 + 30i)) + 544i)] = bitcast<u32>(x162);
        workgroupBarrier();
        for (var k173 = 0i; k173 < 32i; k173 = k173 + 1i) {
            let v174 = (t171 + ((((0i * 32i) + k173)) * 17i));
            let v175 = ((t172 + 544i) + ((((0i * 32i) + k173)) * 33i));
            let v176 = bitcast<f32>(pool[v174]);
            let v177 = bitcast<f32>(pool[v175]);
            let v178 = bitcast<f32>(pool[(v175 + 8i)]);
            let v179 = bitcast<f32>(pool[(v175 + 16i)]);
            let v180 = bitcast<f32>(pool[(v175 + 24i)]);
            let v181 = bitcast<f32>(pool[(v174 + 8i)]);
            m163 = fma(v176, v177, m163);
            m164 = fma(v176, v178, m164);
            m165 = fma(v176, v179, m165);
            m166 = fma(v176, v180, m166);
            m167 = fma(v181, v177, m167);
            m168 = fma(v181, v178, m168);
            m169 = fma(v181, v179, m169);
            m170 = fma(v181, v180, m170);
        }
        m5 = m163;
        m6 = m164;
        m7 = m165;
        m8 = m166;
        m9 = m167;
        m10 = m168;
        m11 = m169;
        m12 = m170;
    }
    let v182 = (t171 + 8i);
    let v183 = (v1 + t171);
    let v184 = (v1 + v182);
    let v185 = min(v183, v3);
    let v186 = min(v184, v3);
    let v187 = (v185 * p.a7_width);
    let v188 = (v186 * p.a7_width);
    let v189 = (t172 + 8i);
    let v190 = (t172 + 16i);
    let v191 = (t172 + 24i);
    let v192 = (v2 + t172);
    let v193 = (v2 + v189);
    let v194 = (v2 + v190);
    let v195 = (v2 + v191);
    let v196 = min(v192, v4);
    let v197 = min(v193, v4);
    let v198 = min(v194, v4);
    let v199 = min(v195, v4);
    let v200 = (p.a8_at + v196);
    let v201 = (p.a8_at + v197);
    let v202 = (p.a8_at + v198);
    let v203 = (p.a8_at + v199);
    let v204 = (v187 + v200);
    let v205 = (v187 + v201);
    let v206 = (v187 + v202);
    let v207 = (v187 + v203);
    let v208 = (v188 + v200);
    let v209 = (v188 + v201);
    let v210 = (v188 + v202);
    let v211 = (v188 + v203);
    let v212 = (v183 < p.a3_m);
    let v213 = (v184 < p.a3_m);
    let v214 = (v192 < p.a4_n);
    let v215 = (v193 < p.a4_n);
    let v216 = (v194 < p.a4_n);
    let v217 = (v195 < p.a4_n);
    let v218 = (v212 & v214);
    let v219 = (v212 & v215);
    let v220 = (v212 & v216);
    let v221 = (v212 & v217);
    let v222 = (v213 & v214);
    let v223 = (v213 & v215);
    let v224 = (v213 & v216);
    let v225 = (v213 & v217);
    if (v218) {
        g_y[v204] = m5;
    }
    if (v219) {
        g_y[v205] = m6;
    }
    if (v220) {
        g_y[v206] = m7;
    }
    if (v221) {
        g_y[v207] = m8;
    }
    if (v222) {
        g_y[v208] = m9;
    }
    if (v223) {
        g_y[v209] = m10;
    }
    if (v224) {
        g_y[v210] = m11;
    }
    if (v225) {
        g_y[v211] = m12;
    }
}
