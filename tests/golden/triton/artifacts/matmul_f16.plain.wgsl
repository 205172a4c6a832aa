struct Params {
    a3_m: i32,
    a4_n: i32,
    a5_k: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_a: array<u32>;
@group(0) @binding(2) var<storage, read> g_b: array<u32>;
@group(0) @binding(3) var<storage, read_write> g_c: array<f32>;
var<workgroup> pool: array<u32, 1040>;
fn from_half(h: u32) -> f32 {
    return unpack2x16float(h).x;
}

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t15 = (lane >> 4u);
    let t27 = (lane & 15i);
    let t57 = (lane >> 5u);
    let t65 = (lane & 31i);
    let t104 = (lane >> 3u);
    let t105 = (lane & 7i);
    let v1 = (pid_x * 32i);
    let v2 = (pid_y * 32i);
    var m3: i32 = 0i;
    var m4: i32 = 0i;
    var m5: f32 = 0.0f;
    var m6: f32 = 0.0f;
    var m7: f32 = 0.0f;
    var m8: f32 = 0.0f;
    var m9: f32 = 0.0f;
    var m10: f32 = 0.0f;
    var m11: f32 = 0.0f;
    var m12: f32 = 0.0f;
    for (var i13: i32 = 0i; (i13 < p.a5_k); i13 = i13 + 16i) {
        let v14 = (p.a5_k - i13);
        let v16 = (t15 + 8i);
        let v17 = (t15 + 16i);
        let v18 = (t15 + 24i);
        let v19 = (v1 + t15);
        let v20 = (v1 + v16);
        let v21 = (v1 + v17);
        let v22 = (v1 + v18);
        let v23 = (v19 * p.a5_k);
        let v24 = (v20 * p.a5_k);
        let v25 = (v21 * p.a5_k);
        let v26 = (v22 * p.a5_k);
        let v28 = (v23 + t27);
        let v29 = (v24 + t27);
        let v30 = (v25 + t27);
        let v31 = (v26 + t27);
        let v32 = (v28 + m3);
        let v33 = (v29 + m3);
        let v34 = (v30 + m3);
        let v35 = (v31 + m3);
        let v36 = (v19 < p.a3_m);
        let v37 = (v20 < p.a3_m);
        let v38 = (v21 < p.a3_m);
        let v39 = (v22 < p.a3_m);
        let v40 = (t27 < v14);
        let v41 = (v36 & v40);
        let v42 = (v37 & v40);
        let v43 = (v38 & v40);
        let v44 = (v39 & v40);
        let v45 = select(0i, v32, v41);
        let x46 = from_half(extractBits(g_a[(v45 >> 1u)], u32(v45 & 1i) * 16u, 16u));
        let v47 = select(0.0f, x46, v41);
        let v48 = select(0i, v33, v42);
        let x49 = from_half(extractBits(g_a[(v48 >> 1u)], u32(v48 & 1i) * 16u, 16u));
        let v50 = select(0.0f, x49, v42);
        let v51 = select(0i, v34, v43);
        let x52 = from_half(extractBits(g_a[(v51 >> 1u)], u32(v51 & 1i) * 16u, 16u));
        let v53 = select(0.0f, x52, v43);
        let v54 = select(0i, v35, v44);
        let x55 = from_half(extractBits(g_a[(v54 >> 1u)], u32(v54 & 1i) * 16u, 16u));
        let v56 = select(0.0f, x55, v44);
        let v58 = (t57 + 4i);
        let v59 = (t57 + 8i);
        let v60 = (t57 + 12i);
        let v61 = (t57 * p.a4_n);
        let v62 = (v58 * p.a4_n);
        let v63 = (v59 * p.a4_n);
        let v64 = (v60 * p.a4_n);
        let v66 = (v2 + t65);
        let v67 = (v61 + v66);
        let v68 = (v62 + v66);
        let v69 = (v63 + v66);
        let v70 = (v64 + v66);
        let v71 = (v67 + m4);
        let v72 = (v68 + m4);
        let v73 = (v69 + m4);
        let v74 = (v70 + m4);
        let v75 = (t57 < v14);
        let v76 = (v58 < v14);
        let v77 = (v59 < v14);
        let v78 = (v60 < v14);
        let v79 = (v66 < p.a4_n);
        let v80 = (v75 & v79);
        let v81 = (v76 & v79);
        let v82 = (v77 & v79);
        let v83 = (v78 & v79);
        let v84 = select(0i, v71, v80);
        let x85 = from_half(extractBits(g_b[(v84 >> 1u)], u32(v84 & 1i) * 16u, 16u));
        let v86 = select(0.0f, x85, v80);
        let v87 = select(0i, v72, v81);
        let x88 = from_half(extractBits(g_b[(v87 >> 1u)], u32(v87 & 1i) * 16u, 16u));
        let v89 = select(0.0f, x88, v81);
        let v90 = select(0i, v73, v82);
        let x91 = from_half(extractBits(g_b[(v90 >> 1u)], u32(v90 & 1i) * 16u, 16u));
        let v92 = select(0.0f, x91, v82);
        let v93 = select(0i, v74, v83);
        let x94 = from_half(extractBits(g_b[(v93 >> 1u)], u32(v93 & 1i) * 16u, 16u));
        let v95 = select(0.0f, x94, v83);
        var m96: f32 = m5;
        var m97: f32 = m6;
        var m98: f32 = m7;
        var m99: f32 = m8;
        var m100: f32 = m9;
        var m101: f32 = m10;
        var m102: f32 = m11;
        var m103: f32 = m12;
        workgroupBarrier();
        pool[((t27 * 33i) + t15)] = bitcast<u32>(v47);
        pool[((t27 * 33i) + (t15 + 8i))] = bitcast<u32>(v50);
        pool[((t27 * 33i) + (t15 + 16i))] = bitcast<u32>(v53);
        pool[((t27 * 33i) + (t15 + 24i))] = bitcast<u32>(v56);
        pool[(((t57 * 32i) + t65) + 528i)] = bitcast<u32>(v86);
        pool[((((t57 + 4i) * 32i) + t65) + 528i)] = bitcast<u32>(v89);
        pool[((((t57 + 8i) * 32i) + t65) + 528i)] = bitcast<u32>(v92);
        pool[((((t57 + 12i) * 32i) + t65) + 528i)] = bitcast<u32>(v95);
        workgroupBarrier();
        for (var k106 = 0i; k106 < 16i; k106 = k106 + 1i) {
            let v107 = (t104 + ((((0i * 16i) + k106)) * 33i));
            let v108 = ((t105 + 528i) + ((((0i * 16i) + k106)) * 32i));
            let v109 = bitcast<f32>(pool[v107]);
            let v110 = bitcast<f32>(pool[v108]);
            let v111 = bitcast<f32>(pool[(v108 + 8i)]);
            let v112 = bitcast<f32>(pool[(v108 + 16i)]);
            let v113 = bitcast<f32>(pool[(v108 + 24i)]);
            let v114 = bitcast<f32>(pool[(v107 + 16i)]);
            m96 = fma(v109, v110, m96);
            m97 = fma(v109, v111, m97);
            m98 = fma(v109, v112, m98);
            m99 = fma(v109, v113, m99);
            m100 = fma(v114, v110, m100);
            m101 = fma(v114, v111, m101);
            m102 = fma(v114, v112, m102);
            m103 = fma(v114, v113, m103);
        }
        let v115 = (p.a4_n * 16i);
        let v116 = (m3 + 16i);
        let v117 = (m4 + v115);
        m3 = v116;
        m4 = v117;
        m5 = m96;
        m6 = m97;
        m7 = m98;
        m8 = m99;
        m9 = m100;
        m10 = m101;
        m11 = m102;
        m12 = m103;
    }
    let v118 = (t104 + 16i);
    let v119 = (v1 + t104);
    let v120 = (v1 + v118);
    let v121 = (v119 * p.a4_n);
    let v122 = (v120 * p.a4_n);
    let v123 = (t105 + 8i);
    let v124 = (t105 + 16i);
    let v125 = (t105 + 24i);
    let v126 = (v2 + t105);
    let v127 = (v2 + v123);
    let v128 = (v2 + v124);
    let v129 = (v2 + v125);
    let v130 = (v121 + v126);
    let v131 = (v121 + v127);
    let v132 = (v121 + v128);
    let v133 = (v121 + v129);
    let v134 = (v122 + v126);
    let v135 = (v122 + v127);
    let v136 = (v122 + v128);
    let v137 = (v122 + v129);
    let v138 = (v119 < p.a3_m);
    let v139 = (v120 < p.a3_m);
    let v140 = (v126 < p.a4_n);
    let v141 = (v127 < p.a4_n);
    let v142 = (v128 < p.a4_n);
    let v143 = (v129 < p.a4_n);
    let v144 = (v138 & v140);
    let v145 = (v138 & v141);
    let v146 = (v138 & v142);
    let v147 = (v138 & v143);
    let v148 = (v139 & v140);
    let v149 = (v139 & v141);
    let v150 = (v139 & v142);
    let v151 = (v139 & v143);
    if (v144) {
        g_c[v130] = m5;
    }
    if (v145) {
        g_c[v131] = m6;
    }
    if (v146) {
        g_c[v132] = m7;
    }
    if (v147) {
        g_c[v133] = m8;
    }
    if (v148) {
        g_c[v134] = m9;
    }
    if (v149) {
        g_c[v135] = m10;
    }
    if (v150) {
        g_c[v136] = m11;
    }
    if (v151) {
        g_c[v137] = m12;
    }
}
