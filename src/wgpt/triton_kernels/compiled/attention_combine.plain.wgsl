struct Params {
    a2_rows: i32,
    a3_heads: i32,
    a4_d: i32,
    a5_splits: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_part: array<f32>;
@group(0) @binding(2) var<storage, read_write> g_out: array<f32>;
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}
fn fmax_num(a: f32, b: f32) -> f32 {
    return select(select(max(a, b), a, is_nan(b)), b, is_nan(a));
}
fn pow2(n: i32) -> f32 {
    return bitcast<f32>(u32(n + 127i) << 23u);
}
fn exp_of(x: f32) -> f32 {
    // exp(x) = 2^k * e^r: the same everywhere, to a unit in the last place.
    let k = round(clamp(x, -110.0f, 100.0f) * 1.44269502f);
    // The first product is exact: fma need not be one operation.
    let r = (clamp(x, -110.0f, 100.0f) - k * 0.693359375f) + k * 2.12194440e-4f;
    var p = fma(r, 1.37805939e-3f, 8.37312452e-3f);
    p = fma(p, r, 4.16695364e-2f);
    p = fma(p, r, 1.66664720e-1f);
    p = fma(p, r, 4.99999851e-1f);
    p = fma(p, r, 1.0f);
    p = fma(p, r, 1.0f);
    let n = i32(k);
    let half = n >> 1u;
    let y = p * pow2(half) * pow2(n - half);
    return select(y, x, is_nan(x));
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
    let t18 = (lane & 63i) == 0i;
    let v1 = (-1e+38f);
    let v2 = (pid_y * npid_x);
    let v3 = (pid_x + v2);
    let v4 = (p.a2_rows * p.a3_heads);
    let v5 = (v4 - 1i);
    let v6 = min(v3, v5);
    var m7: f32 = v1;
    var m8: f32 = 0.0f;
    var m9: f32 = 0.0f;
    var m10: f32 = 0.0f;
    for (var i11: i32 = 0i; (i11 < p.a5_splits); i11 = i11 + 1i) {
        let v12 = (v6 * p.a5_splits);
        let v13 = (v12 + i11);
        let v14 = (p.a4_d + 4i);
        let v15 = (v13 * v14);
        let v16 = (v15 + p.a4_d);
        let v17 = (v16 + 1i);
        let x19 = g_part[v17];
        let v20 = (x19 > 0.0f);
        let x21 = g_part[v16];
        let v22 = select(v1, x21, v20);
        let v23 = fmax_num(m7, v22);
        let v24 = (m7 - v23);
        let v25 = exp_of(v24);
        let v26 = (v22 - v23);
        let v27 = exp_of(v26);
        let v28 = select(0.0f, v27, v20);
        let v29 = (m8 * v25);
        let v30 = (v29 + v28);
        let v31 = (m9 * v25);
        let v32 = (m10 * v25);
        let v33 = (lane + 64i);
        let v34 = (v15 + lane);
        let v35 = (v15 + v33);
        let v36 = (lane < p.a4_d);
        let v37 = (v33 < p.a4_d);
        let v38 = select(0i, v34, v36);
        let x39 = g_part[v38];
        let v40 = select(0.0f, x39, v36);
        let v41 = select(0i, v35, v37);
        let x42 = g_part[v41];
        let v43 = select(0.0f, x42, v37);
        let v44 = (v28 * v40);
        let v45 = (v28 * v43);
        let v46 = (v31 + v44);
        let v47 = (v32 + v45);
        m7 = v23;
        m8 = v30;
        m9 = v46;
        m10 = v47;
    }
    let v48 = (v6 * p.a4_d);
    let v49 = (m8 > 0.0f);
    let v50 = (m9 / m8);
    let v51 = (m10 / m8);
    let v52 = select(0.0f, v50, v49);
    let v53 = select(0.0f, v51, v49);
    let v54 = (lane + 64i);
    let v55 = (v48 + lane);
    let v56 = (v48 + v54);
    let v57 = (lane < p.a4_d);
    let v58 = (v54 < p.a4_d);
    if (v57) {
        g_out[v55] = v52;
    }
    if (v58) {
        g_out[v56] = v53;
    }
}
