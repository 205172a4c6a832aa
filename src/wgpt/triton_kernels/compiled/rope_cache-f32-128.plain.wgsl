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
@group(0) @binding(4) var<storage, read_write> g_k: array<f32>;
@group(0) @binding(5) var<storage, read_write> g_v: array<f32>;

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
    let t23 = (lane >> 6u);
    let t39 = (lane & 63i);
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
    let v24 = (t23 + 2i);
    let v25 = (t23 + 4i);
    let v26 = (t23 + 6i);
    let v27 = (v8 + t23);
    let v28 = (v8 + v24);
    let v29 = (v8 + v25);
    let v30 = (v8 + v26);
    let v31 = (v22 + v27);
    let v32 = (v22 + v28);
    let v33 = (v22 + v29);
    let v34 = (v22 + v30);
    let v35 = (v31 * p.a8_d);
    let v36 = (v32 * p.a8_d);
    let v37 = (v33 * p.a8_d);
    let v38 = (v34 * p.a8_d);
    let v40 = (v35 + t39);
    let v41 = (v36 + t39);
    let v42 = (v37 + t39);
    let v43 = (v38 + t39);
    let v44 = (v27 < v11);
    let v45 = (v28 < v11);
    let v46 = (v29 < v11);
    let v47 = (v30 < v11);
    let v48 = (t39 < v9);
    let v49 = (v44 & v48);
    let v50 = (v45 & v48);
    let v51 = (v46 & v48);
    let v52 = (v47 & v48);
    let v53 = select(0i, v40, v49);
    let x54 = g_qkv[v53];
    let v55 = select(0.0f, x54, v49);
    let v56 = select(0i, v41, v50);
    let x57 = g_qkv[v56];
    let v58 = select(0.0f, x57, v50);
    let v59 = select(0i, v42, v51);
    let x60 = g_qkv[v59];
    let v61 = select(0.0f, x60, v51);
    let v62 = select(0i, v43, v52);
    let x63 = g_qkv[v62];
    let v64 = select(0.0f, x63, v52);
    let v65 = (v35 + v9);
    let v66 = (v36 + v9);
    let v67 = (v37 + v9);
    let v68 = (v38 + v9);
    let v69 = (v65 + t39);
    let v70 = (v66 + t39);
    let v71 = (v67 + t39);
    let v72 = (v68 + t39);
    let v73 = select(0i, v69, v49);
    let x74 = g_qkv[v73];
    let v75 = select(0.0f, x74, v49);
    let v76 = select(0i, v70, v50);
    let x77 = g_qkv[v76];
    let v78 = select(0.0f, x77, v50);
    let v79 = select(0i, v71, v51);
    let x80 = g_qkv[v79];
    let v81 = select(0.0f, x80, v51);
    let v82 = select(0i, v72, v52);
    let x83 = g_qkv[v82];
    let v84 = select(0.0f, x83, v52);
    let v85 = (v6 * p.a6_heads);
    let v86 = select(0.0f, v55, v21);
    let v87 = select(0.0f, v58, v21);
    let v88 = select(0.0f, v61, v21);
    let v89 = select(0.0f, v64, v21);
    let v90 = (v85 + v27);
    let v91 = (v85 + v28);
    let v92 = (v85 + v29);
    let v93 = (v85 + v30);
    let v94 = (v90 * p.a8_d);
    let v95 = (v91 * p.a8_d);
    let v96 = (v92 * p.a8_d);
    let v97 = (v93 * p.a8_d);
    let v98 = (v94 + t39);
    let v99 = (v95 + t39);
    let v100 = (v96 + t39);
    let v101 = (v97 + t39);
    let v102 = (v27 < p.a6_heads);
    let v103 = (v28 < p.a6_heads);
    let v104 = (v29 < p.a6_heads);
    let v105 = (v30 < p.a6_heads);
    let v106 = (v49 & v102);
    let v107 = (v50 & v103);
    let v108 = (v51 & v104);
    let v109 = (v52 & v105);
    if (v106) {
        g_q[v98] = v86;
    }
    if (v107) {
        g_q[v99] = v87;
    }
    if (v108) {
        g_q[v100] = v88;
    }
    if (v109) {
        g_q[v101] = v89;
    }
    let v110 = select(0.0f, v75, v21);
    let v111 = select(0.0f, v78, v21);
    let v112 = select(0.0f, v81, v21);
    let v113 = select(0.0f, v84, v21);
    let v114 = (v98 + v9);
    let v115 = (v99 + v9);
    let v116 = (v100 + v9);
    let v117 = (v101 + v9);
    storageBarrier();
    if (v106) {
        g_q[v114] = v110;
    }
    if (v107) {
        g_q[v115] = v111;
    }
    if (v108) {
        g_q[v116] = v112;
    }
    if (v109) {
        g_q[v117] = v113;
    }
    let v118 = (x16 < p.a10_capacity);
    let v119 = (v21 & v118);
    let v120 = (x14 * p.a7_kv_heads);
    let v121 = (p.a6_heads + p.a7_kv_heads);
    let v122 = (v9 * 2i);
    let v123 = (v120 + v27);
    let v124 = (v120 + v28);
    let v125 = (v120 + v29);
    let v126 = (v120 + v30);
    let v127 = (v123 - p.a6_heads);
    let v128 = (v124 - p.a6_heads);
    let v129 = (v125 - p.a6_heads);
    let v130 = (v126 - p.a6_heads);
    let v131 = (v127 * p.a10_capacity);
    let v132 = (v128 * p.a10_capacity);
    let v133 = (v129 * p.a10_capacity);
    let v134 = (v130 * p.a10_capacity);
    let v135 = (v131 + x16);
    let v136 = (v132 + x16);
    let v137 = (v133 + x16);
    let v138 = (v134 + x16);
    let v139 = (v135 * v122);
    let v140 = (v136 * v122);
    let v141 = (v137 * v122);
    let v142 = (v138 * v122);
    let v143 = (v139 + t39);
    let v144 = (v140 + t39);
    let v145 = (v141 + t39);
    let v146 = (v142 + t39);
    let v147 = (v49 & v119);
    let v148 = (v50 & v119);
    let v149 = (v51 & v119);
    let v150 = (v52 & v119);
    let v151 = (v27 >= p.a6_heads);
    let v152 = (v28 >= p.a6_heads);
    let v153 = (v29 >= p.a6_heads);
    let v154 = (v30 >= p.a6_heads);
    let v155 = (v147 & v151);
    let v156 = (v148 & v152);
    let v157 = (v149 & v153);
    let v158 = (v150 & v154);
    let v159 = (v27 < v121);
    let v160 = (v28 < v121);
    let v161 = (v29 < v121);
    let v162 = (v30 < v121);
    let v163 = (v155 & v159);
    let v164 = (v156 & v160);
    let v165 = (v157 & v161);
    let v166 = (v158 & v162);
    if (v163) {
        g_k[v143] = v55;
    }
    if (v164) {
        g_k[v144] = v58;
    }
    if (v165) {
        g_k[v145] = v61;
    }
    if (v166) {
        g_k[v146] = v64;
    }
    let v167 = (v143 + v9);
    let v168 = (v144 + v9);
    let v169 = (v145 + v9);
    let v170 = (v146 + v9);
    storageBarrier();
    if (v163) {
        g_k[v167] = v75;
    }
    if (v164) {
        g_k[v168] = v78;
    }
    if (v165) {
        g_k[v169] = v81;
    }
    if (v166) {
        g_k[v170] = v84;
    }
    let v171 = (p.a7_kv_heads * p.a10_capacity);
    let v172 = (v135 - v171);
    let v173 = (v136 - v171);
    let v174 = (v137 - v171);
    let v175 = (v138 - v171);
    let v176 = (v172 * v122);
    let v177 = (v173 * v122);
    let v178 = (v174 * v122);
    let v179 = (v175 * v122);
    let v180 = (v176 + t39);
    let v181 = (v177 + t39);
    let v182 = (v178 + t39);
    let v183 = (v179 + t39);
    let v184 = (v27 >= v121);
    let v185 = (v28 >= v121);
    let v186 = (v29 >= v121);
    let v187 = (v30 >= v121);
    let v188 = (v147 & v184);
    let v189 = (v148 & v185);
    let v190 = (v149 & v186);
    let v191 = (v150 & v187);
    if (v188) {
        g_v[v180] = v55;
    }
    if (v189) {
        g_v[v181] = v58;
    }
    if (v190) {
        g_v[v182] = v61;
    }
    if (v191) {
        g_v[v183] = v64;
    }
    let v192 = (v180 + v9);
    let v193 = (v181 + v9);
    let v194 = (v182 + v9);
    let v195 = (v183 + v9);
    storageBarrier();
    if (v188) {
        g_v[v192] = v75;
    }
    if (v189) {
        g_v[v193] = v78;
    }
    if (v190) {
        g_v[v194] = v81;
    }
    if (v191) {
        g_v[v195] = v84;
    }
}
