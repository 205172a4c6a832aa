enable f16;
struct Params {
    a6_count: i32,
    a7_heads: i32,
    a8_kv_heads: i32,
    a9_d: i32,
    a10_slots: i32,
    a11_capacity: i32,
    a12_blocks: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_qkv: array<f32>;
@group(0) @binding(2) var<storage, read> g_rows: array<i32>;
@group(0) @binding(3) var<storage, read> g_steps: array<i32>;
@group(0) @binding(4) var<storage, read_write> g_q: array<f32>;
@group(0) @binding(5) var<storage, read_write> g_k: array<f16>;
@group(0) @binding(6) var<storage, read_write> g_v: array<f16>;
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}
fn fmax_num(a: f32, b: f32) -> f32 {
    return select(select(max(a, b), a, is_nan(b)), b, is_nan(a));
}
fn fmin_num(a: f32, b: f32) -> f32 {
    return select(select(min(a, b), a, is_nan(b)), b, is_nan(a));
}
fn half_bits(x: f32) -> u32 {
    // Nearest, ties to even; pack2x16float may round either way.
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    let normal = (size - 0x38000000u + 0xfffu + ((size >> 13u) & 1u)) >> 13u;
    let subnormal = bitcast<u32>(bitcast<f32>(size) + 0.5f) - 0x3f000000u;
    var half = select(normal, subnormal, size < 0x38800000u);
    half = select(half, 0x7c00u, size >= 0x477ff000u);
    half = select(half, 0x7e00u, size > 0x7f800000u);
    return half | ((bits >> 16u) & 0x8000u);
}
fn from_half(h: u32) -> f32 {
    return unpack2x16float(h).x;
}
fn round_f16(x: f32) -> f32 {
    return from_half(half_bits(x));
}
fn f_to_u(x: f32) -> i32 {
    // A negative number goes through the signed type, as C's casts do on GPUs.
    return select(bitcast<i32>(u32(clamp(x, 0.0f, 4294967040.0f))), i32(max(x, -2147483648.0f)), x < 0.0f);
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let npid_x = i32(nwg.x);
    let npid_y = i32(nwg.y);
    let npid_z = i32(nwg.z);
    let t13 = (lane & 63i) == 0i;
    let t23 = (lane >> 3u);
    let t27 = (lane & 7i);
    let t43 = (lane & 56i) == 0i;
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (p.a6_count * p.a12_blocks);
    let v4 = (v3 - 1i);
    let v5 = min(v2, v4);
    let v6 = (v5 / p.a12_blocks);
    let v7 = (v5 % p.a12_blocks);
    let v8 = (v7 * 8i);
    let v9 = (p.a9_d / 2i);
    let v10 = (p.a8_kv_heads * 2i);
    let v11 = (p.a7_heads + v10);
    let v12 = (v6 * 2i);
    let x14 = g_rows[v12];
    let v15 = (v12 + 1i);
    let x16 = g_rows[v15];
    let v17 = (x14 >= 0i);
    let v18 = (x14 < p.a10_slots);
    let v19 = (v17 & v18);
    let v20 = (x16 != (-1i));
    let v21 = (v19 & v20);
    let v22 = (v6 * v11);
    let v24 = (v8 + t23);
    let v25 = (v22 + v24);
    let v26 = (v25 * p.a9_d);
    let v28 = (v26 + t27);
    let v29 = (v24 < v11);
    let v30 = (t27 < v9);
    let v31 = (v29 & v30);
    let v32 = select(0i, v28, v31);
    let x33 = g_qkv[v32];
    let v34 = select(0.0f, x33, v31);
    let v35 = (v26 + v9);
    let v36 = (v35 + t27);
    let v37 = select(0i, v36, v31);
    let x38 = g_qkv[v37];
    let v39 = select(0.0f, x38, v31);
    let v40 = (v9 - 1i);
    let v41 = min(t27, v40);
    let v42 = (v41 * 2i);
    let x44 = g_steps[v42];
    let v45 = (v42 + 1i);
    let x46 = g_steps[v45];
    let v47 = (x16 * x44);
    let v48 = f32(bitcast<u32>(x16));
    let v49 = f32(bitcast<u32>(x46));
    let v50 = (v48 * v49);
    let v51 = 2.3283064e-10f;
    let v52 = (v50 * v51);
    let v53 = f_to_u(v52);
    let v54 = (v47 + v53);
    let v55 = (v54 + 536870912i);
    let v56 = bitcast<i32>(bitcast<u32>(v55) >> 30u);
    let v57 = (v55 & 1073741823i);
    let v58 = (v57 - 536870912i);
    let v59 = f32(v58);
    let v60 = 1.4629181e-09f;
    let v61 = (v59 * v60);
    let v62 = (v61 * v61);
    let v63 = (v61 * v62);
    let v64 = (v62 * 0.00019515296f);
    let v65 = (0.008332161f - v64);
    let v66 = (v62 * v65);
    let v67 = (v66 + (-0.16666655f));
    let v68 = (v63 * v67);
    let v69 = (v61 + v68);
    let v70 = (v62 * 0.5f);
    let v71 = (1.0f - v70);
    let v72 = (v62 * v62);
    let v73 = 2.4433157e-05f;
    let v74 = (v62 * v73);
    let v75 = (v74 + (-0.0013887316f));
    let v76 = (v62 * v75);
    let v77 = (v76 + 0.041666646f);
    let v78 = (v72 * v77);
    let v79 = (v71 + v78);
    let v80 = (v56 & 1i);
    let v81 = (v80 == 1i);
    let v82 = select(v69, v79, v81);
    let v83 = select(v79, v69, v81);
    let v84 = (v56 & 2i);
    let v85 = (v84 == 2i);
    let v86 = (-v82);
    let v87 = select(v82, v86, v85);
    let v88 = (v56 + 1i);
    let v89 = (v88 & 2i);
    let v90 = (v89 == 2i);
    let v91 = (-v83);
    let v92 = select(v83, v91, v90);
    let v93 = (v34 * v92);
    let v94 = (v39 * v87);
    let v95 = (v93 - v94);
    let v96 = (v39 * v92);
    let v97 = (v34 * v87);
    let v98 = (v96 + v97);
    let v99 = (p.a7_heads + p.a8_kv_heads);
    let v100 = (v24 >= v99);
    let v101 = select(v95, v34, v100);
    let v102 = select(v98, v39, v100);
    let v103 = (v6 * p.a7_heads);
    let v104 = select(0.0f, v101, v21);
    let v105 = (v103 + v24);
    let v106 = (v105 * p.a9_d);
    let v107 = (v106 + t27);
    let v108 = (v24 < p.a7_heads);
    let v109 = (v31 & v108);
    if (v109) {
        g_q[v107] = v104;
    }
    let v110 = select(0.0f, v102, v21);
    let v111 = (v107 + v9);
    storageBarrier();
    if (v109) {
        g_q[v111] = v110;
    }
    let v112 = (x16 < p.a11_capacity);
    let v113 = (v21 & v112);
    let v114 = fmax_num(v101, (-65504.0f));
    let v115 = fmin_num(v114, 65504.0f);
    let v116 = round_f16(v115);
    let v117 = fmax_num(v102, (-65504.0f));
    let v118 = fmin_num(v117, 65504.0f);
    let v119 = round_f16(v118);
    let v120 = (x14 * p.a8_kv_heads);
    let v121 = (v9 * 2i);
    let v122 = (v120 + v24);
    let v123 = (v122 - p.a7_heads);
    let v124 = (v123 * p.a11_capacity);
    let v125 = (v124 + x16);
    let v126 = (v125 * v121);
    let v127 = (v126 + t27);
    let v128 = (v31 & v113);
    let v129 = (v24 >= p.a7_heads);
    let v130 = (v128 & v129);
    let v131 = (v24 < v99);
    let v132 = (v130 & v131);
    if (v132) {
        g_k[v127] = f16(v116);
    }
    let v133 = (v127 + v9);
    storageBarrier();
    if (v132) {
        g_k[v133] = f16(v119);
    }
    let v134 = (p.a8_kv_heads * p.a11_capacity);
    let v135 = (v125 - v134);
    let v136 = (v135 * v121);
    let v137 = (v136 + t27);
    let v138 = (v128 & v100);
    if (v138) {
        g_v[v137] = f16(v116);
    }
    let v139 = (v137 + v9);
    storageBarrier();
    if (v138) {
        g_v[v139] = f16(v119);
    }
}
