struct Params {
    a3_count: i32,
    a4_parts_of_row: i32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_parts: array<i32>;
@group(0) @binding(2) var<storage, read_write> g_tokens: array<i32>;
@group(0) @binding(3) var<storage, read_write> g_rows: array<i32>;
var<workgroup> pool: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let npid_x = i32(nwg.x);
    let npid_y = i32(nwg.y);
    let npid_z = i32(nwg.z);
    let t27 = lane & 7i;
    let t43 = lane & 56i;
    let t93 = (lane & 63i) == 0i;
    let v1 = (pid_y * npid_x);
    let v2 = (pid_x + v1);
    let v3 = (p.a3_count - 1i);
    let v4 = min(v2, v3);
    var m5: i32 = 0i;
    var m6: i32 = (-1i);
    for (var i7: i32 = 0i; (i7 < p.a4_parts_of_row); i7 = i7 + 64i) {
        let v8 = (v4 * p.a4_parts_of_row);
        let v9 = (i7 + lane);
        let v10 = (v8 + v9);
        let v11 = (v10 * 2i);
        let v12 = (v9 < p.a4_parts_of_row);
        let v13 = select(0i, v11, v12);
        let x14 = g_parts[v13];
        let v15 = select(0i, x14, v12);
        let v16 = (v11 + 1i);
        let v17 = select(0i, v16, v12);
        let x18 = g_parts[v17];
        let v19 = select((-1i), x18, v12);
        let v20 = (bitcast<u32>(v15) > bitcast<u32>(m5));
        let v21 = (v15 == m5);
        let v22 = (bitcast<u32>(v19) < bitcast<u32>(m6));
        let v23 = (v21 & v22);
        let v24 = (v20 | v23);
        let v25 = select(m5, v15, v24);
        let v26 = select(m6, v19, v24);
        m5 = v25;
        m6 = v26;
    }
    workgroupBarrier();
    pool[lane] = bitcast<u32>(m5);
    workgroupBarrier();
    let v28 = bitcast<i32>(pool[t27]);
    let v29 = bitcast<i32>(pool[(t27 + 8i)]);
    let v30 = bitcast<i32>(pool[(t27 + 16i)]);
    let v31 = bitcast<i32>(pool[(t27 + 24i)]);
    let v32 = bitcast<i32>(pool[(t27 + 32i)]);
    let v33 = bitcast<i32>(pool[(t27 + 40i)]);
    let v34 = bitcast<i32>(pool[(t27 + 48i)]);
    let v35 = bitcast<i32>(pool[(t27 + 56i)]);
    let v36 = bitcast<i32>(max(bitcast<u32>(v28), bitcast<u32>(v32)));
    let v37 = bitcast<i32>(max(bitcast<u32>(v29), bitcast<u32>(v33)));
    let v38 = bitcast<i32>(max(bitcast<u32>(v30), bitcast<u32>(v34)));
    let v39 = bitcast<i32>(max(bitcast<u32>(v31), bitcast<u32>(v35)));
    let v40 = bitcast<i32>(max(bitcast<u32>(v36), bitcast<u32>(v38)));
    let v41 = bitcast<i32>(max(bitcast<u32>(v37), bitcast<u32>(v39)));
    let v42 = bitcast<i32>(max(bitcast<u32>(v40), bitcast<u32>(v41)));
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v42);
    workgroupBarrier();
    let v44 = bitcast<i32>(pool[t43]);
    let v45 = bitcast<i32>(pool[(t43 + 1i)]);
    let v46 = bitcast<i32>(pool[(t43 + 2i)]);
    let v47 = bitcast<i32>(pool[(t43 + 3i)]);
    let v48 = bitcast<i32>(pool[(t43 + 4i)]);
    let v49 = bitcast<i32>(pool[(t43 + 5i)]);
    let v50 = bitcast<i32>(pool[(t43 + 6i)]);
    let v51 = bitcast<i32>(pool[(t43 + 7i)]);
    let v52 = bitcast<i32>(max(bitcast<u32>(v44), bitcast<u32>(v48)));
    let v53 = bitcast<i32>(max(bitcast<u32>(v45), bitcast<u32>(v49)));
    let v54 = bitcast<i32>(max(bitcast<u32>(v46), bitcast<u32>(v50)));
    let v55 = bitcast<i32>(max(bitcast<u32>(v47), bitcast<u32>(v51)));
    let v56 = bitcast<i32>(max(bitcast<u32>(v52), bitcast<u32>(v54)));
    let v57 = bitcast<i32>(max(bitcast<u32>(v53), bitcast<u32>(v55)));
    let v58 = bitcast<i32>(max(bitcast<u32>(v56), bitcast<u32>(v57)));
    let v59 = (m5 == v58);
    let v60 = select((-1i), m6, v59);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v60);
    workgroupBarrier();
    let v61 = bitcast<i32>(pool[t27]);
    let v62 = bitcast<i32>(pool[(t27 + 8i)]);
    let v63 = bitcast<i32>(pool[(t27 + 16i)]);
    let v64 = bitcast<i32>(pool[(t27 + 24i)]);
    let v65 = bitcast<i32>(pool[(t27 + 32i)]);
    let v66 = bitcast<i32>(pool[(t27 + 40i)]);
    let v67 = bitcast<i32>(pool[(t27 + 48i)]);
    let v68 = bitcast<i32>(pool[(t27 + 56i)]);
    let v69 = bitcast<i32>(min(bitcast<u32>(v61), bitcast<u32>(v65)));
    let v70 = bitcast<i32>(min(bitcast<u32>(v62), bitcast<u32>(v66)));
    let v71 = bitcast<i32>(min(bitcast<u32>(v63), bitcast<u32>(v67)));
    let v72 = bitcast<i32>(min(bitcast<u32>(v64), bitcast<u32>(v68)));
    let v73 = bitcast<i32>(min(bitcast<u32>(v69), bitcast<u32>(v71)));
    let v74 = bitcast<i32>(min(bitcast<u32>(v70), bitcast<u32>(v72)));
    let v75 = bitcast<i32>(min(bitcast<u32>(v73), bitcast<u32>(v74)));
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v75);
    workgroupBarrier();
    let v76 = bitcast<i32>(pool[t43]);
    let v77 = bitcast<i32>(pool[(t43 + 1i)]);
    let v78 = bitcast<i32>(pool[(t43 + 2i)]);
    let v79 = bitcast<i32>(pool[(t43 + 3i)]);
    let v80 = bitcast<i32>(pool[(t43 + 4i)]);
    let v81 = bitcast<i32>(pool[(t43 + 5i)]);
    let v82 = bitcast<i32>(pool[(t43 + 6i)]);
    let v83 = bitcast<i32>(pool[(t43 + 7i)]);
    let v84 = bitcast<i32>(min(bitcast<u32>(v76), bitcast<u32>(v80)));
    let v85 = bitcast<i32>(min(bitcast<u32>(v77), bitcast<u32>(v81)));
    let v86 = bitcast<i32>(min(bitcast<u32>(v78), bitcast<u32>(v82)));
    let v87 = bitcast<i32>(min(bitcast<u32>(v79), bitcast<u32>(v83)));
    let v88 = bitcast<i32>(min(bitcast<u32>(v84), bitcast<u32>(v86)));
    let v89 = bitcast<i32>(min(bitcast<u32>(v85), bitcast<u32>(v87)));
    let v90 = bitcast<i32>(min(bitcast<u32>(v88), bitcast<u32>(v89)));
    let v91 = (v4 * 2i);
    let v92 = (v91 + 1i);
    let x94 = g_rows[v92];
    let v95 = (v2 < p.a3_count);
    let v96 = (x94 != (-1i));
    let v97 = (v95 & v96);
    if (t93 && v97) {
        g_tokens[v4] = v90;
    }
    let v98 = (x94 + 1i);
    storageBarrier();
    if (t93 && v97) {
        g_rows[v92] = v98;
    }
}
