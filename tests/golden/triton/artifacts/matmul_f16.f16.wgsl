enable f16;
struct Params {
    a3_m: i32,
    a4_n: i32,
    a5_k: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_a: array<f16>;
@group(0) @binding(2) var<storage, read> g_b: array<f16>;
@group(0) @binding(3) var<storage, read_write> g_c: array<f32>;
var<workgroup> pool: array<u32, 1040>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t15 = (lane >> 4u);
    let t27 = (lane & 15i);
    let t49 = (lane >> 5u);
    let t57 = (lane & 31i);
    let t88 = (lane >> 3u);
    let t89 = (lane & 7i);
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
        var x45: f32 = 0.0f;
        if (v41) {
            x45 = f32(g_a[v32]);
        }
        var x46: f32 = 0.0f;
        if (v42) {
            x46 = f32(g_a[v33]);
        }
        var x47: f32 = 0.0f;
        if (v43) {
            x47 = f32(g_a[v34]);
        }
        var x48: f32 = 0.0f;
        if (v44) {
            x48 = f32(g_a[v35]);
        }
        let v50 = (t49 + 4i);
        let v51 = (t49 + 8i);
        let v52 = (t49 + 12i);
        let v53 = (t49 * p.a4_n);
        let v54 = (v50 * p.a4_n);
        let v55 = (v51 * p.a4_n);
        let v56 = (v52 * p.a4_n);
        let v58 = (v2 + t57);
        let v59 = (v53 + v58);
        let v60 = (v54 + v58);
        let v61 = (v55 + v58);
        let v62 = (v56 + v58);
        let v63 = (v59 + m4);
        let v64 = (v60 + m4);
        let v65 = (v61 + m4);
        let v66 = (v62 + m4);
        let v67 = (t49 < v14);
        let v68 = (v50 < v14);
        let v69 = (v51 < v14);
        let v70 = (v52 < v14);
        let v71 = (v58 < p.a4_n);
        let v72 = (v67 & v71);
        let v73 = (v68 & v71);
        let v74 = (v69 & v71);
        let v75 = (v70 & v71);
        var x76: f32 = 0.0f;
        if (v72) {
            x76 = f32(g_b[v63]);
        }
        var x77: f32 = 0.0f;
        if (v73) {
            x77 = f32(g_b[v64]);
        }
        var x78: f32 = 0.0f;
        if (v74) {
            x78 = f32(g_b[v65]);
        }
        var x79: f32 = 0.0f;
        if (v75) {
            x79 = f32(g_b[v66]);
        }
        var m80: f32 = m5;
        var m81: f32 = m6;
        var m82: f32 = m7;
        var m83: f32 = m8;
        var m84: f32 = m9;
        var m85: f32 = m10;
        var m86: f32 = m11;
        var m87: f32 = m12;
        workgroupBarrier();
        pool[((t27 * 33i) + t15)] = bitcast<u32>(x45);
        pool[((t27 * 33i) + (t15 + 8i))] = bitcast<u32>(x46);
        pool[((t27 * 33i) + (t15 + 16i))] = bitcast<u32>(x47);
        pool[((t27 * 33i) + (t15 + 24i))] = bitcast<u32>(x48);
        pool[(((t49 * 32i) + t57) + 528i)] = bitcast<u32>(x76);
        pool[((((t49 + 4i) * 32i) + t57) + 528i)] = bitcast<u32>(x77);
        pool[((((t49 + 8i) * 32i) + t57) + 528i)] = bitcast<u32>(x78);
        pool[((((t49 + 12i) * 32i) + t57) + 528i)] = bitcast<u32>(x79);
        workgroupBarrier();
        for (var k90 = 0i; k90 < 16i; k90 = k90 + 1i) {
            let v91 = (t88 + ((((0i * 16i) + k90)) * 33i));
            let v92 = ((t89 + 528i) + ((((0i * 16i) + k90)) * 32i));
            let v93 = bitcast<f32>(pool[v91]);
            let v94 = bitcast<f32>(pool[v92]);
            let v95 = bitcast<f32>(pool[(v92 + 8i)]);
            let v96 = bitcast<f32>(pool[(v92 + 16i)]);
            let v97 = bitcast<f32>(pool[(v92 + 24i)]);
            let v98 = bitcast<f32>(pool[(v91 + 16i)]);
            m80 = fma(v93, v94, m80);
            m81 = fma(v93, v95, m81);
            m82 = fma(v93, v96, m82);
            m83 = fma(v93, v97, m83);
            m84 = fma(v98, v94, m84);
            m85 = fma(v98, v95, m85);
            m86 = fma(v98, v96, m86);
            m87 = fma(v98, v97, m87);
        }
        let v99 = (p.a4_n * 16i);
        let v100 = (m3 + 16i);
        let v101 = (m4 + v99);
        m3 = v100;
        m4 = v101;
        m5 = m80;
        m6 = m81;
        m7 = m82;
        m8 = m83;
        m9 = m84;
        m10 = m85;
        m11 = m86;
        m12 = m87;
    }
    let v102 = (t88 + 16i);
    let v103 = (v1 + t88);
    let v104 = (v1 + v102);
    let v105 = (v103 * p.a4_n);
    let v106 = (v104 * p.a4_n);
    let v107 = (t89 + 8i);
    let v108 = (t89 + 16i);
    let v109 = (t89 + 24i);
    let v110 = (v2 + t89);
    let v111 = (v2 + v107);
    let v112 = (v2 + v108);
    let v113 = (v2 + v109);
    let v114 = (v105 + v110);
    let v115 = (v105 + v111);
    let v116 = (v105 + v112);
    let v117 = (v105 + v113);
    let v118 = (v106 + v110);
    let v119 = (v106 + v111);
    let v120 = (v106 + v112);
    let v121 = (v106 + v113);
    let v122 = (v103 < p.a3_m);
    let v123 = (v104 < p.a3_m);
    let v124 = (v110 < p.a4_n);
    let v125 = (v111 < p.a4_n);
    let v126 = (v112 < p.a4_n);
    let v127 = (v113 < p.a4_n);
    let v128 = (v122 & v124);
    let v129 = (v122 & v125);
    let v130 = (v122 & v126);
    let v131 = (v122 & v127);
    let v132 = (v123 & v124);
    let v133 = (v123 & v125);
    let v134 = (v123 & v126);
    let v135 = (v123 & v127);
    if (v128) {
        g_c[v114] = m5;
    }
    if (v129) {
        g_c[v115] = m6;
    }
    if (v130) {
        g_c[v116] = m7;
    }
    if (v131) {
        g_c[v117] = m8;
    }
    if (v132) {
        g_c[v118] = m9;
    }
    if (v133) {
        g_c[v119] = m10;
    }
    if (v134) {
        g_c[v120] = m11;
    }
    if (v135) {
        g_c[v121] = m12;
    }
}
