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
    let v24 = (v8 + t23);
    let v25 = (v22 + v24);
    let v26 = (v25 * p.a8_d);
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
    let v40 = (v6 * p.a6_heads);
    let v41 = select(0.0f, v34, v21);
    let v42 = (v40 + v24);
    let v43 = (v42 * p.a8_d);
    let v44 = (v43 + t27);
    let v45 = (v24 < p.a6_heads);
    let v46 = (v31 & v45);
    if (v46) {
        g_q[v44] = v41;
    }
    let v47 = select(0.0f, v39, v21);
    let v48 = (v44 + v9);
    storageBarrier();
    if (v46) {
        g_q[v48] = v47;
    }
    let v49 = (x16 < p.a10_capacity);
    let v50 = (v21 & v49);
    let v51 = fmax_num(v34, (-65504.0f));
    let v52 = fmin_num(v51, 65504.0f);
    let v53 = round_f16(v52);
    let v54 = fmax_num(v39, (-65504.0f));
    let v55 = fmin_num(v54, 65504.0f);
    let v56 = round_f16(v55);
    let v57 = (x14 * p.a7_kv_heads);
    let v58 = (p.a6_heads + p.a7_kv_heads);
    let v59 = (v9 * 2i);
    let v60 = (v57 + v24);
    let v61 = (v60 - p.a6_heads);
    let v62 = (v61 * p.a10_capacity);
    let v63 = (v62 + x16);
    let v64 = (v63 * v59);
    let v65 = (v64 + t27);
    let v66 = (v31 & v50);
    let v67 = (v24 >= p.a6_heads);
    let v68 = (v66 & v67);
    let v69 = (v24 < v58);
    let v70 = (v68 & v69);
    if (v70) {
        g_k[v65] = f16(v53);
    }
    let v71 = (v65 + v9);
    storageBarrier();
    if (v70) {
        g_k[v71] = f16(v56);
    }
    let v72 = (p.a7_kv_heads * p.a10_capacity);
    let v73 = (v63 - v72);
    let v74 = (v73 * v59);
    let v75 = (v74 + t27);
    let v76 = (v24 >= v58);
    let v77 = (v66 & v76);
    if (v77) {
        g_v[v75] = f16(v53);
    }
    let v78 = (v75 + v9);
    storageBarrier();
    if (v77) {
        g_v[v78] = f16(v56);
    }
}
