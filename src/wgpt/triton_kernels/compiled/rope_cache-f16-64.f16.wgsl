enable f16;
struct Params {
    a5_count: i32,
    a6_heads: i32,
    a7_kv_heads: i32,
    a8_d: i32,
    a9_slots: i32,
    a10_capacity: i32,
    a11_blocks: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_qkv: array<f32>;
@group(0) @binding(2) var<storage, read> g_rows: array<i32>;
@group(0) @binding(3) var<storage, read_write> g_q: array<f32>;
@group(0) @binding(4) var<storage, read_write> g_k: array<f16>;
@group(0) @binding(5) var<storage, read_write> g_v: array<f16>;
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

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let npid_x = i32(nwg.x);
    let npid_y = i32(nwg.y);
    let npid_z = i32(nwg.z);
    let t13 = (lane & 127i) == 0i;
    let t23 = (lane >> 5u);
    let t31 = (lane & 31i);
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (p.a5_count * p.a11_blocks);
    let v4 = (v3 - 1i);
    let v5 = min(v2, v4);
    let v6 = (v5 / p.a11_blocks);
    let v7 = (v5 % p.a11_blocks);
    let v8 = (v7 * 8i);
    let v9 = (p.a8_d / 2i);
    let v10 = (p.a7_kv_heads * 2i);
    let v11 = (p.a6_heads + v10);
    let v12 = (v6 * 2i);
    let x14 = g_rows[v12];
    let v15 = (v12 + 1i);
    let x16 = g_rows[v15];
    let v17 = (x14 >= 0i);
    let v18 = (x14 < p.a9_slots);
    let v19 = (v17 & v18);
    let v20 = (x16 != (-1i));
    let v21 = (v19 & v20);
    let v22 = (v6 * v11);
    let v24 = (t23 + 4i);
    let v25 = (v8 + t23);
    let v26 = (v8 + v24);
    let v27 = (v22 + v25);
    let v28 = (v22 + v26);
    let v29 = (v27 * p.a8_d);
    let v30 = (v28 * p.a8_d);
    let v32 = (v29 + t31);
    let v33 = (v30 + t31);
    let v34 = (v25 < v11);
    let v35 = (v26 < v11);
    let v36 = (t31 < v9);
    let v37 = (v34 & v36);
    let v38 = (v35 & v36);
    let v39 = select(0i, v32, v37);
    let x40 = g_qkv[v39];
    let v41 = select(0.0f, x40, v37);
    let v42 = select(0i, v33, v38);
    let x43 = g_qkv[v42];
    let v44 = select(0.0f, x43, v38);
    let v45 = (v29 + v9);
    let v46 = (v30 + v9);
    let v47 = (v45 + t31);
    let v48 = (v46 + t31);
    let v49 = select(0i, v47, v37);
    let x50 = g_qkv[v49];
    let v51 = select(0.0f, x50, v37);
    let v52 = select(0i, v48, v38);
    let x53 = g_qkv[v52];
    let v54 = select(0.0f, x53, v38);
    let v55 = (v6 * p.a6_heads);
    let v56 = select(0.0f, v41, v21);
    let v57 = select(0.0f, v44, v21);
    let v58 = (v55 + v25);
    let v59 = (v55 + v26);
    let v60 = (v58 * p.a8_d);
    let v61 = (v59 * p.a8_d);
    let v62 = (v60 + t31);
    let v63 = (v61 + t31);
    let v64 = (v25 < p.a6_heads);
    let v65 = (v26 < p.a6_heads);
    let v66 = (v37 & v64);
    let v67 = (v38 & v65);
    if (v66) {
        g_q[v62] = v56;
    }
    if (v67) {
        g_q[v63] = v57;
    }
    let v68 = select(0.0f, v51, v21);
    let v69 = select(0.0f, v54, v21);
    let v70 = (v62 + v9);
    let v71 = (v63 + v9);
    storageBarrier();
    if (v66) {
        g_q[v70] = v68;
    }
    if (v67) {
        g_q[v71] = v69;
    }
    let v72 = (x16 < p.a10_capacity);
    let v73 = (v21 & v72);
    let v74 = fmax_num(v41, (-65504.0f));
    let v75 = fmax_num(v44, (-65504.0f));
    let v76 = fmin_num(v74, 65504.0f);
    let v77 = fmin_num(v75, 65504.0f);
    let v78 = round_f16(v76);
    let v79 = round_f16(v77);
    let v80 = fmax_num(v51, (-65504.0f));
    let v81 = fmax_num(v54, (-65504.0f));
    let v82 = fmin_num(v80, 65504.0f);
    let v83 = fmin_num(v81, 65504.0f);
    let v84 = round_f16(v82);
    let v85 = round_f16(v83);
    let v86 = (x14 * p.a7_kv_heads);
    let v87 = (p.a6_heads + p.a7_kv_heads);
    let v88 = (v9 * 2i);
    let v89 = (v86 + v25);
    let v90 = (v86 + v26);
    let v91 = (v89 - p.a6_heads);
    let v92 = (v90 - p.a6_heads);
    let v93 = (v91 * p.a10_capacity);
    let v94 = (v92 * p.a10_capacity);
    let v95 = (v93 + x16);
    let v96 = (v94 + x16);
    let v97 = (v95 * v88);
    let v98 = (v96 * v88);
    let v99 = (v97 + t31);
    let v100 = (v98 + t31);
    let v101 = (v37 & v73);
    let v102 = (v38 & v73);
    let v103 = (v25 >= p.a6_heads);
    let v104 = (v26 >= p.a6_heads);
    let v105 = (v101 & v103);
    let v106 = (v102 & v104);
    let v107 = (v25 < v87);
    let v108 = (v26 < v87);
    let v109 = (v105 & v107);
    let v110 = (v106 & v108);
    if (v109) {
        g_k[v99] = f16(v78);
    }
    if (v110) {
        g_k[v100] = f16(v79);
    }
    let v111 = (v99 + v9);
    let v112 = (v100 + v9);
    storageBarrier();
    if (v109) {
        g_k[v111] = f16(v84);
    }
    if (v110) {
        g_k[v112] = f16(v85);
    }
    let v113 = (p.a7_kv_heads * p.a10_capacity);
    let v114 = (v95 - v113);
    let v115 = (v96 - v113);
    let v116 = (v114 * v88);
    let v117 = (v115 * v88);
    let v118 = (v116 + t31);
    let v119 = (v117 + t31);
    let v120 = (v25 >= v87);
    let v121 = (v26 >= v87);
    let v122 = (v101 & v120);
    let v123 = (v102 & v121);
    if (v122) {
        g_v[v118] = f16(v78);
    }
    if (v123) {
        g_v[v119] = f16(v79);
    }
    let v124 = (v118 + v9);
    let v125 = (v119 + v9);
    storageBarrier();
    if (v122) {
        g_v[v124] = f16(v84);
    }
    if (v123) {
        g_v[v125] = f16(v85);
    }
}
