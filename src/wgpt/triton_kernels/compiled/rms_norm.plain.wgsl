struct Params {
    a3_rows: i32,
    a4_cols: i32,
    a5_eps: f32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_x: array<f32>;
@group(0) @binding(2) var<storage, read> g_g: array<f32>;
@group(0) @binding(3) var<storage, read_write> g_y: array<f32>;
var<workgroup> pool: array<u32, 128>;
fn umulhi(a: u32, b: u32) -> u32 {
    let a0 = a & 0xffffu;
    let a1 = a >> 16u;
    let b0 = b & 0xffffu;
    let b1 = b >> 16u;
    let low = a0 * b0;
    let m = a1 * b0 + (low >> 16u);
    let n = a0 * b1 + (m & 0xffffu);
    return a1 * b1 + (m >> 16u) + (n >> 16u);
}
fn l_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x * b.x, umulhi(a.x, b.x) + a.x * b.y + a.y * b.x);
}
fn l_shl(a: vec2<u32>, n: u32) -> vec2<u32> {
    let s = n & 31u;
    let carried = select(a.x >> ((32u - s) & 31u), 0u, s == 0u);
    let short = vec2<u32>(a.x << s, (a.y << s) | carried);
    let long = vec2<u32>(0u, a.x << s);
    return select(short, long, (n & 32u) != 0u);
}
fn l_ult(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}
fn precise_sqrt(x: f32) -> f32 {
    // The driver's root, put right by one unit where its square says so.
    let s = sqrt(x);
    let bits = bitcast<u32>(x);
    let e = i32(bits >> 23u);
    if (e == 0i || e >= 255i) {
        return s;
    }
    let odd = (e & 1i) == 0i;
    let m = (bits & 0x7fffffu) | 0x800000u;
    let n = l_shl(vec2<u32>(m, 0u), select(25u, 26u, odd));
    var q = (bitcast<u32>(s) & 0x7fffffu) | 0x800000u;
    let above = vec2<u32>(2u * q + 1u, 0u);
    let below = vec2<u32>(2u * q - 1u, 0u);
    if (!l_ult(n, l_mul(above, above))) {
        return bitcast<f32>(bitcast<u32>(s) + 1u);
    }
    if (l_ult(n, l_mul(below, below))) {
        return bitcast<f32>(bitcast<u32>(s) - 1u);
    }
    return s;
}

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let npid_x = i32(nwg.x);
    let npid_y = i32(nwg.y);
    let npid_z = i32(nwg.z);
    let t93 = lane & 7i;
    let t125 = lane & 120i;
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (p.a3_rows - 1i);
    let v4 = min(v2, v3);
    let v5 = (v4 * p.a4_cols);
    var m6: f32 = 0.0f;
    var m7: f32 = 0.0f;
    var m8: f32 = 0.0f;
    var m9: f32 = 0.0f;
    var m10: f32 = 0.0f;
    var m11: f32 = 0.0f;
    var m12: f32 = 0.0f;
    var m13: f32 = 0.0f;
    for (var i14: i32 = 0i; (i14 < p.a4_cols); i14 = i14 + 1024i) {
        let v15 = (lane + 128i);
        let v16 = (lane + 256i);
        let v17 = (lane + 384i);
        let v18 = (lane + 512i);
        let v19 = (lane + 640i);
        let v20 = (lane + 768i);
        let v21 = (lane + 896i);
        let v22 = (i14 + lane);
        let v23 = (i14 + v15);
        let v24 = (i14 + v16);
        let v25 = (i14 + v17);
        let v26 = (i14 + v18);
        let v27 = (i14 + v19);
        let v28 = (i14 + v20);
        let v29 = (i14 + v21);
        let v30 = (v5 + v22);
        let v31 = (v5 + v23);
        let v32 = (v5 + v24);
        let v33 = (v5 + v25);
        let v34 = (v5 + v26);
        let v35 = (v5 + v27);
        let v36 = (v5 + v28);
        let v37 = (v5 + v29);
        let v38 = (v22 < p.a4_cols);
        let v39 = (v23 < p.a4_cols);
        let v40 = (v24 < p.a4_cols);
        let v41 = (v25 < p.a4_cols);
        let v42 = (v26 < p.a4_cols);
        let v43 = (v27 < p.a4_cols);
        let v44 = (v28 < p.a4_cols);
        let v45 = (v29 < p.a4_cols);
        let v46 = select(0i, v30, v38);
        let x47 = g_x[v46];
        let v48 = select(0.0f, x47, v38);
        let v49 = select(0i, v31, v39);
        let x50 = g_x[v49];
        let v51 = select(0.0f, x50, v39);
        let v52 = select(0i, v32, v40);
        let x53 = g_x[v52];
        let v54 = select(0.0f, x53, v40);
        let v55 = select(0i, v33, v41);
        let x56 = g_x[v55];
        let v57 = select(0.0f, x56, v41);
        let v58 = select(0i, v34, v42);
        let x59 = g_x[v58];
        let v60 = select(0.0f, x59, v42);
        let v61 = select(0i, v35, v43);
        let x62 = g_x[v61];
        let v63 = select(0.0f, x62, v43);
        let v64 = select(0i, v36, v44);
        let x65 = g_x[v64];
        let v66 = select(0.0f, x65, v44);
        let v67 = select(0i, v37, v45);
        let x68 = g_x[v67];
        let v69 = select(0.0f, x68, v45);
        let v70 = (v48 * v48);
        let v71 = (v51 * v51);
        let v72 = (v54 * v54);
        let v73 = (v57 * v57);
        let v74 = (v60 * v60);
        let v75 = (v63 * v63);
        let v76 = (v66 * v66);
        let v77 = (v69 * v69);
        let v78 = (m6 + v70);
        let v79 = (m7 + v71);
        let v80 = (m8 + v72);
        let v81 = (m9 + v73);
        let v82 = (m10 + v74);
        let v83 = (m11 + v75);
        let v84 = (m12 + v76);
        let v85 = (m13 + v77);
        m6 = v78;
        m7 = v79;
        m8 = v80;
        m9 = v81;
        m10 = v82;
        m11 = v83;
        m12 = v84;
        m13 = v85;
    }
    let v86 = (m6 + m7);
    let v87 = (v86 + m8);
    let v88 = (v87 + m9);
    let v89 = (v88 + m10);
    let v90 = (v89 + m11);
    let v91 = (v90 + m12);
    let v92 = (v91 + m13);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v92);
    workgroupBarrier();
    let v94 = bitcast<f32>(pool[t93]);
    let v95 = bitcast<f32>(pool[(t93 + 8i)]);
    let v96 = bitcast<f32>(pool[(t93 + 16i)]);
    let v97 = bitcast<f32>(pool[(t93 + 24i)]);
    let v98 = bitcast<f32>(pool[(t93 + 32i)]);
    let v99 = bitcast<f32>(pool[(t93 + 40i)]);
    let v100 = bitcast<f32>(pool[(t93 + 48i)]);
    let v101 = bitcast<f32>(pool[(t93 + 56i)]);
    let v102 = bitcast<f32>(pool[(t93 + 64i)]);
    let v103 = bitcast<f32>(pool[(t93 + 72i)]);
    let v104 = bitcast<f32>(pool[(t93 + 80i)]);
    let v105 = bitcast<f32>(pool[(t93 + 88i)]);
    let v106 = bitcast<f32>(pool[(t93 + 96i)]);
    let v107 = bitcast<f32>(pool[(t93 + 104i)]);
    let v108 = bitcast<f32>(pool[(t93 + 112i)]);
    let v109 = bitcast<f32>(pool[(t93 + 120i)]);
    let v110 = (v94 + v102);
    let v111 = (v95 + v103);
    let v112 = (v96 + v104);
    let v113 = (v97 + v105);
    let v114 = (v98 + v106);
    let v115 = (v99 + v107);
    let v116 = (v100 + v108);
    let v117 = (v101 + v109);
    let v118 = (v110 + v114);
    let v119 = (v111 + v115);
    let v120 = (v112 + v116);
    let v121 = (v113 + v117);
    let v122 = (v118 + v120);
    let v123 = (v119 + v121);
    let v124 = (v122 + v123);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v124);
    workgroupBarrier();
    let v126 = bitcast<f32>(pool[t125]);
    let v127 = bitcast<f32>(pool[(t125 + 1i)]);
    let v128 = bitcast<f32>(pool[(t125 + 2i)]);
    let v129 = bitcast<f32>(pool[(t125 + 3i)]);
    let v130 = bitcast<f32>(pool[(t125 + 4i)]);
    let v131 = bitcast<f32>(pool[(t125 + 5i)]);
    let v132 = bitcast<f32>(pool[(t125 + 6i)]);
    let v133 = bitcast<f32>(pool[(t125 + 7i)]);
    let v134 = (v126 + v130);
    let v135 = (v127 + v131);
    let v136 = (v128 + v132);
    let v137 = (v129 + v133);
    let v138 = (v134 + v136);
    let v139 = (v135 + v137);
    let v140 = (v138 + v139);
    let v141 = f32(p.a4_cols);
    let v142 = (v140 / v141);
    let v143 = (v142 + p.a5_eps);
    let v144 = precise_sqrt(v143);
    let v145 = (1.0f / v144);
    for (var i146: i32 = 0i; (i146 < p.a4_cols); i146 = i146 + 1024i) {
        let v147 = (lane + 128i);
        let v148 = (lane + 256i);
        let v149 = (lane + 384i);
        let v150 = (lane + 512i);
        let v151 = (lane + 640i);
        let v152 = (lane + 768i);
        let v153 = (lane + 896i);
        let v154 = (i146 + lane);
        let v155 = (i146 + v147);
        let v156 = (i146 + v148);
        let v157 = (i146 + v149);
        let v158 = (i146 + v150);
        let v159 = (i146 + v151);
        let v160 = (i146 + v152);
        let v161 = (i146 + v153);
        let v162 = (v5 + v154);
        let v163 = (v5 + v155);
        let v164 = (v5 + v156);
        let v165 = (v5 + v157);
        let v166 = (v5 + v158);
        let v167 = (v5 + v159);
        let v168 = (v5 + v160);
        let v169 = (v5 + v161);
        let v170 = (v154 < p.a4_cols);
        let v171 = (v155 < p.a4_cols);
        let v172 = (v156 < p.a4_cols);
        let v173 = (v157 < p.a4_cols);
        let v174 = (v158 < p.a4_cols);
        let v175 = (v159 < p.a4_cols);
        let v176 = (v160 < p.a4_cols);
        let v177 = (v161 < p.a4_cols);
        let v178 = select(0i, v162, v170);
        let x179 = g_x[v178];
        let v180 = select(0.0f, x179, v170);
        let v181 = select(0i, v163, v171);
        let x182 = g_x[v181];
        let v183 = select(0.0f, x182, v171);
        let v184 = select(0i, v164, v172);
        let x185 = g_x[v184];
        let v186 = select(0.0f, x185, v172);
        let v187 = select(0i, v165, v173);
        let x188 = g_x[v187];
        let v189 = select(0.0f, x188, v173);
        let v190 = select(0i, v166, v174);
        let x191 = g_x[v190];
        let v192 = select(0.0f, x191, v174);
        let v193 = select(0i, v167, v175);
        let x194 = g_x[v193];
        let v195 = select(0.0f, x194, v175);
        let v196 = select(0i, v168, v176);
        let x197 = g_x[v196];
        let v198 = select(0.0f, x197, v176);
        let v199 = select(0i, v169, v177);
        let x200 = g_x[v199];
        let v201 = select(0.0f, x200, v177);
        let v202 = (v180 * v145);
        let v203 = (v183 * v145);
        let v204 = (v186 * v145);
        let v205 = (v189 * v145);
        let v206 = (v192 * v145);
        let v207 = (v195 * v145);
        let v208 = (v198 * v145);
        let v209 = (v201 * v145);
        let v210 = select(0i, v154, v170);
        let x211 = g_g[v210];
        let v212 = select(0.0f, x211, v170);
        let v213 = select(0i, v155, v171);
        let x214 = g_g[v213];
        let v215 = select(0.0f, x214, v171);
        let v216 = select(0i, v156, v172);
        let x217 = g_g[v216];
        let v218 = select(0.0f, x217, v172);
        let v219 = select(0i, v157, v173);
        let x220 = g_g[v219];
        let v221 = select(0.0f, x220, v173);
        let v222 = select(0i, v158, v174);
        let x223 = g_g[v222];
        let v224 = select(0.0f, x223, v174);
        let v225 = select(0i, v159, v175);
        let x226 = g_g[v225];
        let v227 = select(0.0f, x226, v175);
        let v228 = select(0i, v160, v176);
        let x229 = g_g[v228];
        let v230 = select(0.0f, x229, v176);
        let v231 = select(0i, v161, v177);
        let x232 = g_g[v231];
        let v233 = select(0.0f, x232, v177);
        let v234 = (v202 * v212);
        let v235 = (v203 * v215);
        let v236 = (v204 * v218);
        let v237 = (v205 * v221);
        let v238 = (v206 * v224);
        let v239 = (v207 * v227);
        let v240 = (v208 * v230);
        let v241 = (v209 * v233);
        storageBarrier();
        if (v170) {
            g_y[v162] = v234;
        }
        if (v171) {
            g_y[v163] = v235;
        }
        if (v172) {
            g_y[v164] = v236;
        }
        if (v173) {
            g_y[v165] = v237;
        }
        if (v174) {
            g_y[v166] = v238;
        }
        if (v175) {
            g_y[v167] = v239;
        }
        if (v176) {
            g_y[v168] = v240;
        }
        if (v177) {
            g_y[v169] = v241;
        }
    }
}
