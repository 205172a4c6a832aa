struct Params {
    a5_heads: i32,
    a6_kv_heads: i32,
    a7_d: i32,
    a8_slots: i32,
    a9_capacity: i32,
    a10_window: i32,
    a11_splits: i32,
    a12_scale: f32,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> g_qkv: array<f32>;
@group(0) @binding(2) var<storage, read> g_rows: array<i32>;
@group(0) @binding(3) var<storage, read_write> g_k: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> g_v: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> g_out: array<f32>;
var<workgroup> pool: array<u32, 512>;
fn put16_g_k(index: i32, bits: u32) {
    let at = index >> 1u;
    let shift = u32(index & 1i) * 16u;
    var old = atomicLoad(&g_k[at]);
    loop {
        let word = (old & ~(0xffffu << shift)) | ((bits & 0xffffu) << shift);
        let swapped = atomicCompareExchangeWeak(&g_k[at], old, word);
        if (swapped.exchanged) {
            break;
        }
        old = swapped.old_value;
    }
}
fn put16_g_v(index: i32, bits: u32) {
    let at = index >> 1u;
    let shift = u32(index & 1i) * 16u;
    var old = atomicLoad(&g_v[at]);
    loop {
        let word = (old & ~(0xffffu << shift)) | ((bits & 0xffffu) << shift);
        let swapped = atomicCompareExchangeWeak(&g_v[at], old, word);
        if (swapped.exchanged) {
            break;
        }
        old = swapped.old_value;
    }
}
var<private> special_zero: u32 = 0u;
fn special(bits: u32) -> f32 {
    // WGSL refuses inf and NaN as constants; a sum with a variable is none.
    return bitcast<f32>(bits + special_zero);
}
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}
fn is_inf(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u;
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
fn log_of(x: f32) -> f32 {
    // WebGPU's own may be off by 2^-21 near 1, where the logarithm itself is small. Subnormal numbers are taken by
    // their bits, in units of 2^-149: a GPU may take them for zero.
    let raw = bitcast<u32>(x);
    let tiny = raw < 0x800000u;
    let a = select(x, f32(raw), tiny);
    let bits = bitcast<u32>(a);
    let e = (bits - 0x3f2aaaabu) & 0xff800000u;
    let f = bitcast<f32>(bits - e) - 1.0f;
    let i = f32(bitcast<i32>(e) >> 23u) - select(0.0f, 149.0f, tiny);
    let s = f * f;
    var r = fma(-0.130310059f, s, -0.121483512f);
    var t = fma(0.140869141f, s, 0.139814854f);
    r = fma(r, s, -0.166846126f);
    t = fma(t, s, 0.200120345f);
    r = fma(r, s, -0.249996200f);
    r = fma(t, f, r);
    r = fma(r, f, 0.333331972f);
    r = fma(r, f, -0.5f);
    r = fma(r, s, f);
    var y = fma(i, 0.693147182f, r);
    y = select(y, x, is_nan(x) || (is_inf(x) && x > 0.0f));
    y = select(y, special(0xff800000u), (raw & 0x7fffffffu) == 0u);
    return select(y, special(0x7fc00000u), raw > 0x80000000u);
}

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>) {
    let lane = i32(tid);
    let pid_x = i32(wid.x);
    let pid_y = i32(wid.y);
    let pid_z = i32(wid.z);
    let t5 = (lane & 127i) == 0i;
    let t19 = (lane & 7i);
    let t22 = (lane & 120i) == 0i;
    let t117 = (lane >> 3u);
    let t174 = lane & 120i;
    let t331 = lane & 7i;
    let t512 = (lane & 3i);
    let t520 = (lane & 124i) == 0i;
    let v1 = (p.a5_heads / p.a6_kv_heads);
    let v2 = (pid_y / v1);
    let v3 = (p.a7_d / 2i);
    let v4 = (pid_z * 2i);
    let x6 = g_rows[v4];
    let v7 = (v4 + 1i);
    let x8 = g_rows[v7];
    let v9 = (x6 >= 0i);
    let v10 = (x6 < p.a8_slots);
    let v11 = (v9 & v10);
    let v12 = (x8 != (-1i));
    let v13 = (v11 & v12);
    let v14 = (p.a6_kv_heads * 2i);
    let v15 = (p.a5_heads + v14);
    let v16 = (pid_z * v15);
    let v17 = (v16 + pid_y);
    let v18 = (v17 * p.a7_d);
    let v20 = (v18 + t19);
    let v21 = (t19 < v3);
    let v23 = select(0i, v20, v21);
    let x24 = g_qkv[v23];
    let v25 = select(0.0f, x24, v21);
    let v26 = (v18 + v3);
    let v27 = (v26 + t19);
    let v28 = select(0i, v27, v21);
    let x29 = g_qkv[v28];
    let v30 = select(0.0f, x29, v21);
    let v31 = (v16 + p.a5_heads);
    let v32 = (v31 + v2);
    let v33 = (v32 * p.a7_d);
    let v34 = (v33 + t19);
    let v35 = select(0i, v34, v21);
    let x36 = g_qkv[v35];
    let v37 = select(0.0f, x36, v21);
    let v38 = (v33 + v3);
    let v39 = (v38 + t19);
    let v40 = select(0i, v39, v21);
    let x41 = g_qkv[v40];
    let v42 = select(0.0f, x41, v21);
    let v43 = (v31 + p.a6_kv_heads);
    let v44 = (v43 + v2);
    let v45 = (v44 * p.a7_d);
    let v46 = (v45 + t19);
    let v47 = select(0i, v46, v21);
    let x48 = g_qkv[v47];
    let v49 = select(0.0f, x48, v21);
    let v50 = (v45 + v3);
    let v51 = (v50 + t19);
    let v52 = select(0i, v51, v21);
    let x53 = g_qkv[v52];
    let v54 = select(0.0f, x53, v21);
    let v55 = fmax_num(v37, (-65504.0f));
    let v56 = fmin_num(v55, 65504.0f);
    let v57 = round_f16(v56);
    let v58 = fmax_num(v42, (-65504.0f));
    let v59 = fmin_num(v58, 65504.0f);
    let v60 = round_f16(v59);
    let v61 = fmax_num(v49, (-65504.0f));
    let v62 = fmin_num(v61, 65504.0f);
    let v63 = round_f16(v62);
    let v64 = fmax_num(v54, (-65504.0f));
    let v65 = fmin_num(v64, 65504.0f);
    let v66 = round_f16(v65);
    let v67 = (p.a11_splits - 1i);
    let v68 = (pid_x == v67);
    let v69 = (x6 * p.a6_kv_heads);
    let v70 = (v69 + v2);
    let v71 = (v70 * p.a9_capacity);
    let v72 = (v68 & v13);
    let v73 = (x8 < p.a9_capacity);
    let v74 = (v72 & v73);
    let v75 = (pid_y % v1);
    let v76 = (v75 == 0i);
    let v77 = (v74 & v76);
    let v78 = min(x8, p.a9_capacity);
    let v79 = select(0i, v78, v13);
    let v80 = (p.a10_window > 0i);
    let v81 = (x8 + 1i);
    let v82 = (v81 - p.a10_window);
    let v83 = max(v82, 0i);
    let v84 = min(v83, v79);
    let v85 = select(0i, v84, v80);
    let v86 = (v79 - v85);
    let v87 = (v86 + v67);
    let v88 = (v87 / p.a11_splits);
    let v89 = (v88 + 15i);
    let v90 = (v89 / 16i);
    let v91 = (v90 * 16i);
    let v92 = (pid_x * v91);
    let v93 = (v85 + v92);
    let v94 = min(v93, v79);
    let v95 = (v94 + v91);
    let v96 = min(v95, v79);
    let v97 = (v3 - 1i);
    let v98 = (-1e+38f);
    var m99: f32 = v98;
    var m100: f32 = v98;
    var m101: f32 = v98;
    var m102: f32 = v98;
    var m103: f32 = 0.0f;
    var m104: f32 = 0.0f;
    var m105: f32 = 0.0f;
    var m106: f32 = 0.0f;
    var m107: f32 = 0.0f;
    var m108: f32 = 0.0f;
    var m109: f32 = 0.0f;
    var m110: f32 = 0.0f;
    var m111: f32 = 0.0f;
    var m112: f32 = 0.0f;
    var m113: f32 = 0.0f;
    var m114: f32 = 0.0f;
    for (var i115: i32 = v94; (i115 < v96); i115 = i115 + 64i) {
        let v116 = (v96 - 1i);
        let v118 = (t117 + 16i);
        let v119 = (t117 + 32i);
        let v120 = (t117 + 48i);
        let v121 = (i115 + t117);
        let v122 = (i115 + v118);
        let v123 = (i115 + v119);
        let v124 = (i115 + v120);
        let v125 = min(v121, v116);
        let v126 = min(v122, v116);
        let v127 = min(v123, v116);
        let v128 = min(v124, v116);
        let v129 = (v71 + v125);
        let v130 = (v71 + v126);
        let v131 = (v71 + v127);
        let v132 = (v71 + v128);
        let v133 = (v129 * p.a7_d);
        let v134 = (v130 * p.a7_d);
        let v135 = (v131 * p.a7_d);
        let v136 = (v132 * p.a7_d);
        let v137 = min(t19, v97);
        let v138 = (v133 + v137);
        let v139 = (v134 + v137);
        let v140 = (v135 + v137);
        let v141 = (v136 + v137);
        let x142 = from_half(extractBits(atomicLoad(&g_k[(v138 >> 1u)]), u32(v138 & 1i) * 16u, 16u));
        let x143 = from_half(extractBits(atomicLoad(&g_k[(v139 >> 1u)]), u32(v139 & 1i) * 16u, 16u));
        let x144 = from_half(extractBits(atomicLoad(&g_k[(v140 >> 1u)]), u32(v140 & 1i) * 16u, 16u));
        let x145 = from_half(extractBits(atomicLoad(&g_k[(v141 >> 1u)]), u32(v141 & 1i) * 16u, 16u));
        let v146 = (v138 + v3);
        let v147 = (v139 + v3);
        let v148 = (v140 + v3);
        let v149 = (v141 + v3);
        let x150 = from_half(extractBits(atomicLoad(&g_k[(v146 >> 1u)]), u32(v146 & 1i) * 16u, 16u));
        let x151 = from_half(extractBits(atomicLoad(&g_k[(v147 >> 1u)]), u32(v147 & 1i) * 16u, 16u));
        let x152 = from_half(extractBits(atomicLoad(&g_k[(v148 >> 1u)]), u32(v148 & 1i) * 16u, 16u));
        let x153 = from_half(extractBits(atomicLoad(&g_k[(v149 >> 1u)]), u32(v149 & 1i) * 16u, 16u));
        let x154 = from_half(extractBits(atomicLoad(&g_v[(v138 >> 1u)]), u32(v138 & 1i) * 16u, 16u));
        let x155 = from_half(extractBits(atomicLoad(&g_v[(v139 >> 1u)]), u32(v139 & 1i) * 16u, 16u));
        let x156 = from_half(extractBits(atomicLoad(&g_v[(v140 >> 1u)]), u32(v140 & 1i) * 16u, 16u));
        let x157 = from_half(extractBits(atomicLoad(&g_v[(v141 >> 1u)]), u32(v141 & 1i) * 16u, 16u));
        let x158 = from_half(extractBits(atomicLoad(&g_v[(v146 >> 1u)]), u32(v146 & 1i) * 16u, 16u));
        let x159 = from_half(extractBits(atomicLoad(&g_v[(v147 >> 1u)]), u32(v147 & 1i) * 16u, 16u));
        let x160 = from_half(extractBits(atomicLoad(&g_v[(v148 >> 1u)]), u32(v148 & 1i) * 16u, 16u));
        let x161 = from_half(extractBits(atomicLoad(&g_v[(v149 >> 1u)]), u32(v149 & 1i) * 16u, 16u));
        let v162 = (x142 * v25);
        let v163 = (x143 * v25);
        let v164 = (x144 * v25);
        let v165 = (x145 * v25);
        let v166 = (x150 * v30);
        let v167 = (x151 * v30);
        let v168 = (x152 * v30);
        let v169 = (x153 * v30);
        let v170 = (v162 + v166);
        let v171 = (v163 + v167);
        let v172 = (v164 + v168);
        let v173 = (v165 + v169);
        workgroupBarrier();
        pool[lane] = bitcast<u32>(v170);
        pool[(lane + 128i)] = bitcast<u32>(v171);
        pool[(lane + 256i)] = bitcast<u32>(v172);
        pool[(lane + 384i)] = bitcast<u32>(v173);
        workgroupBarrier();
        let v175 = bitcast<f32>(pool[t174]);
        let v176 = bitcast<f32>(pool[(t174 + 1i)]);
        let v177 = bitcast<f32>(pool[(t174 + 2i)]);
        let v178 = bitcast<f32>(pool[(t174 + 3i)]);
        let v179 = bitcast<f32>(pool[(t174 + 4i)]);
        let v180 = bitcast<f32>(pool[(t174 + 5i)]);
        let v181 = bitcast<f32>(pool[(t174 + 6i)]);
        let v182 = bitcast<f32>(pool[(t174 + 7i)]);
        let v183 = (v175 + v179);
        let v184 = (v176 + v180);
        let v185 = (v177 + v181);
        let v186 = (v178 + v182);
        let v187 = (v183 + v185);
        let v188 = (v184 + v186);
        let v189 = (v187 + v188);
        let v190 = bitcast<f32>(pool[(t174 + 128i)]);
        let v191 = bitcast<f32>(pool[((t174 + 1i) + 128i)]);
        let v192 = bitcast<f32>(pool[((t174 + 2i) + 128i)]);
        let v193 = bitcast<f32>(pool[((t174 + 3i) + 128i)]);
        let v194 = bitcast<f32>(pool[((t174 + 4i) + 128i)]);
        let v195 = bitcast<f32>(pool[((t174 + 5i) + 128i)]);
        let v196 = bitcast<f32>(pool[((t174 + 6i) + 128i)]);
        let v197 = bitcast<f32>(pool[((t174 + 7i) + 128i)]);
        let v198 = (v190 + v194);
        let v199 = (v191 + v195);
        let v200 = (v192 + v196);
        let v201 = (v193 + v197);
        let v202 = (v198 + v200);
        let v203 = (v199 + v201);
        let v204 = (v202 + v203);
        let v205 = bitcast<f32>(pool[(t174 + 256i)]);
        let v206 = bitcast<f32>(pool[((t174 + 1i) + 256i)]);
        let v207 = bitcast<f32>(pool[((t174 + 2i) + 256i)]);
        let v208 = bitcast<f32>(pool[((t174 + 3i) + 256i)]);
        let v209 = bitcast<f32>(pool[((t174 + 4i) + 256i)]);
        let v210 = bitcast<f32>(pool[((t174 + 5i) + 256i)]);
        let v211 = bitcast<f32>(pool[((t174 + 6i) + 256i)]);
        let v212 = bitcast<f32>(pool[((t174 + 7i) + 256i)]);
        let v213 = (v205 + v209);
        let v214 = (v206 + v210);
        let v215 = (v207 + v211);
        let v216 = (v208 + v212);
        let v217 = (v213 + v215);
        let v218 = (v214 + v216);
        let v219 = (v217 + v218);
        let v220 = bitcast<f32>(pool[(t174 + 384i)]);
        let v221 = bitcast<f32>(pool[((t174 + 1i) + 384i)]);
        let v222 = bitcast<f32>(pool[((t174 + 2i) + 384i)]);
        let v223 = bitcast<f32>(pool[((t174 + 3i) + 384i)]);
        let v224 = bitcast<f32>(pool[((t174 + 4i) + 384i)]);
        let v225 = bitcast<f32>(pool[((t174 + 5i) + 384i)]);
        let v226 = bitcast<f32>(pool[((t174 + 6i) + 384i)]);
        let v227 = bitcast<f32>(pool[((t174 + 7i) + 384i)]);
        let v228 = (v220 + v224);
        let v229 = (v221 + v225);
        let v230 = (v222 + v226);
        let v231 = (v223 + v227);
        let v232 = (v228 + v230);
        let v233 = (v229 + v231);
        let v234 = (v232 + v233);
        let v235 = (v189 * p.a12_scale);
        let v236 = (v204 * p.a12_scale);
        let v237 = (v219 * p.a12_scale);
        let v238 = (v234 * p.a12_scale);
        let v239 = (v121 < v96);
        let v240 = (v122 < v96);
        let v241 = (v123 < v96);
        let v242 = (v124 < v96);
        let v243 = select(v98, v235, v239);
        let v244 = select(v98, v236, v240);
        let v245 = select(v98, v237, v241);
        let v246 = select(v98, v238, v242);
        let v247 = fmax_num(m99, v243);
        let v248 = fmax_num(m100, v244);
        let v249 = fmax_num(m101, v245);
        let v250 = fmax_num(m102, v246);
        let v251 = (m99 - v247);
        let v252 = (m100 - v248);
        let v253 = (m101 - v249);
        let v254 = (m102 - v250);
        let v255 = exp_of(v251);
        let v256 = exp_of(v252);
        let v257 = exp_of(v253);
        let v258 = exp_of(v254);
        let v259 = (v243 - v247);
        let v260 = (v244 - v248);
        let v261 = (v245 - v249);
        let v262 = (v246 - v250);
        let v263 = exp_of(v259);
        let v264 = exp_of(v260);
        let v265 = exp_of(v261);
        let v266 = exp_of(v262);
        let v267 = select(0.0f, v263, v239);
        let v268 = select(0.0f, v264, v240);
        let v269 = select(0.0f, v265, v241);
        let v270 = select(0.0f, v266, v242);
        let v271 = (m103 * v255);
        let v272 = (m104 * v256);
        let v273 = (m105 * v257);
        let v274 = (m106 * v258);
        let v275 = (v271 + v267);
        let v276 = (v272 + v268);
        let v277 = (v273 + v269);
        let v278 = (v274 + v270);
        let v279 = (m107 * v255);
        let v280 = (m108 * v256);
        let v281 = (m109 * v257);
        let v282 = (m110 * v258);
        let v283 = (x154 * v267);
        let v284 = (x155 * v268);
        let v285 = (x156 * v269);
        let v286 = (x157 * v270);
        let v287 = (v279 + v283);
        let v288 = (v280 + v284);
        let v289 = (v281 + v285);
        let v290 = (v282 + v286);
        let v291 = (m111 * v255);
        let v292 = (m112 * v256);
        let v293 = (m113 * v257);
        let v294 = (m114 * v258);
        let v295 = (x158 * v267);
        let v296 = (x159 * v268);
        let v297 = (x160 * v269);
        let v298 = (x161 * v270);
        let v299 = (v291 + v295);
        let v300 = (v292 + v296);
        let v301 = (v293 + v297);
        let v302 = (v294 + v298);
        m99 = v247;
        m100 = v248;
        m101 = v249;
        m102 = v250;
        m103 = v275;
        m104 = v276;
        m105 = v277;
        m106 = v278;
        m107 = v287;
        m108 = v288;
        m109 = v289;
        m110 = v290;
        m111 = v299;
        m112 = v300;
        m113 = v301;
        m114 = v302;
    }
    let v303 = (v71 + x8);
    let v304 = (v3 * 2i);
    let v305 = (v303 * v304);
    let v306 = (v305 + t19);
    let v307 = (v21 & v77);
    storageBarrier();
    if (t22 && v307) {
        put16_g_k(v306, half_bits(v57));
    }
    let v308 = (v306 + v3);
    storageBarrier();
    if (t22 && v307) {
        put16_g_k(v308, half_bits(v60));
    }
    if (t22 && v307) {
        put16_g_v(v306, half_bits(v63));
    }
    storageBarrier();
    if (t22 && v307) {
        put16_g_v(v308, half_bits(v66));
    }
    let v309 = (v25 * v57);
    let v310 = (v30 * v60);
    let v311 = (v309 + v310);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v311);
    workgroupBarrier();
    let v312 = bitcast<f32>(pool[t174]);
    let v313 = bitcast<f32>(pool[(t174 + 1i)]);
    let v314 = bitcast<f32>(pool[(t174 + 2i)]);
    let v315 = bitcast<f32>(pool[(t174 + 3i)]);
    let v316 = bitcast<f32>(pool[(t174 + 4i)]);
    let v317 = bitcast<f32>(pool[(t174 + 5i)]);
    let v318 = bitcast<f32>(pool[(t174 + 6i)]);
    let v319 = bitcast<f32>(pool[(t174 + 7i)]);
    let v320 = (v312 + v316);
    let v321 = (v313 + v317);
    let v322 = (v314 + v318);
    let v323 = (v315 + v319);
    let v324 = (v320 + v322);
    let v325 = (v321 + v323);
    let v326 = (v324 + v325);
    let v327 = (v326 * p.a12_scale);
    let v328 = fmax_num(m99, m100);
    let v329 = fmax_num(v328, m101);
    let v330 = fmax_num(v329, m102);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v330);
    workgroupBarrier();
    let v332 = bitcast<f32>(pool[t331]);
    let v333 = bitcast<f32>(pool[(t331 + 8i)]);
    let v334 = bitcast<f32>(pool[(t331 + 16i)]);
    let v335 = bitcast<f32>(pool[(t331 + 24i)]);
    let v336 = bitcast<f32>(pool[(t331 + 32i)]);
    let v337 = bitcast<f32>(pool[(t331 + 40i)]);
    let v338 = bitcast<f32>(pool[(t331 + 48i)]);
    let v339 = bitcast<f32>(pool[(t331 + 56i)]);
    let v340 = bitcast<f32>(pool[(t331 + 64i)]);
    let v341 = bitcast<f32>(pool[(t331 + 72i)]);
    let v342 = bitcast<f32>(pool[(t331 + 80i)]);
    let v343 = bitcast<f32>(pool[(t331 + 88i)]);
    let v344 = bitcast<f32>(pool[(t331 + 96i)]);
    let v345 = bitcast<f32>(pool[(t331 + 104i)]);
    let v346 = bitcast<f32>(pool[(t331 + 112i)]);
    let v347 = bitcast<f32>(pool[(t331 + 120i)]);
    let v348 = fmax_num(v332, v340);
    let v349 = fmax_num(v333, v341);
    let v350 = fmax_num(v334, v342);
    let v351 = fmax_num(v335, v343);
    let v352 = fmax_num(v336, v344);
    let v353 = fmax_num(v337, v345);
    let v354 = fmax_num(v338, v346);
    let v355 = fmax_num(v339, v347);
    let v356 = fmax_num(v348, v352);
    let v357 = fmax_num(v349, v353);
    let v358 = fmax_num(v350, v354);
    let v359 = fmax_num(v351, v355);
    let v360 = fmax_num(v356, v358);
    let v361 = fmax_num(v357, v359);
    let v362 = fmax_num(v360, v361);
    let v363 = fmax_num(v362, v327);
    let v364 = select(v362, v363, v72);
    let v365 = (m99 - v364);
    let v366 = (m100 - v364);
    let v367 = (m101 - v364);
    let v368 = (m102 - v364);
    let v369 = exp_of(v365);
    let v370 = exp_of(v366);
    let v371 = exp_of(v367);
    let v372 = exp_of(v368);
    let v373 = (v327 - v364);
    let v374 = exp_of(v373);
    let v375 = select(0.0f, v374, v72);
    let v376 = (m103 * v369);
    let v377 = (m104 * v370);
    let v378 = (m105 * v371);
    let v379 = (m106 * v372);
    let v380 = (v376 + v377);
    let v381 = (v380 + v378);
    let v382 = (v381 + v379);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v382);
    workgroupBarrier();
    let v383 = bitcast<f32>(pool[t331]);
    let v384 = bitcast<f32>(pool[(t331 + 8i)]);
    let v385 = bitcast<f32>(pool[(t331 + 16i)]);
    let v386 = bitcast<f32>(pool[(t331 + 24i)]);
    let v387 = bitcast<f32>(pool[(t331 + 32i)]);
    let v388 = bitcast<f32>(pool[(t331 + 40i)]);
    let v389 = bitcast<f32>(pool[(t331 + 48i)]);
    let v390 = bitcast<f32>(pool[(t331 + 56i)]);
    let v391 = bitcast<f32>(pool[(t331 + 64i)]);
    let v392 = bitcast<f32>(pool[(t331 + 72i)]);
    let v393 = bitcast<f32>(pool[(t331 + 80i)]);
    let v394 = bitcast<f32>(pool[(t331 + 88i)]);
    let v395 = bitcast<f32>(pool[(t331 + 96i)]);
    let v396 = bitcast<f32>(pool[(t331 + 104i)]);
    let v397 = bitcast<f32>(pool[(t331 + 112i)]);
    let v398 = bitcast<f32>(pool[(t331 + 120i)]);
    let v399 = (v383 + v391);
    let v400 = (v384 + v392);
    let v401 = (v385 + v393);
    let v402 = (v386 + v394);
    let v403 = (v387 + v395);
    let v404 = (v388 + v396);
    let v405 = (v389 + v397);
    let v406 = (v390 + v398);
    let v407 = (v399 + v403);
    let v408 = (v400 + v404);
    let v409 = (v401 + v405);
    let v410 = (v402 + v406);
    let v411 = (v407 + v409);
    let v412 = (v408 + v410);
    let v413 = (v411 + v412);
    let v414 = (v413 + v375);
    let v415 = (v414 > 0.0f);
    let v416 = (1.0f / v414);
    let v417 = select(0.0f, v416, v415);
    let v418 = (m107 * v369);
    let v419 = (m108 * v370);
    let v420 = (m109 * v371);
    let v421 = (m110 * v372);
    let v422 = (v418 + v419);
    let v423 = (v422 + v420);
    let v424 = (v423 + v421);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v424);
    workgroupBarrier();
    let v425 = bitcast<f32>(pool[t331]);
    let v426 = bitcast<f32>(pool[(t331 + 8i)]);
    let v427 = bitcast<f32>(pool[(t331 + 16i)]);
    let v428 = bitcast<f32>(pool[(t331 + 24i)]);
    let v429 = bitcast<f32>(pool[(t331 + 32i)]);
    let v430 = bitcast<f32>(pool[(t331 + 40i)]);
    let v431 = bitcast<f32>(pool[(t331 + 48i)]);
    let v432 = bitcast<f32>(pool[(t331 + 56i)]);
    let v433 = bitcast<f32>(pool[(t331 + 64i)]);
    let v434 = bitcast<f32>(pool[(t331 + 72i)]);
    let v435 = bitcast<f32>(pool[(t331 + 80i)]);
    let v436 = bitcast<f32>(pool[(t331 + 88i)]);
    let v437 = bitcast<f32>(pool[(t331 + 96i)]);
    let v438 = bitcast<f32>(pool[(t331 + 104i)]);
    let v439 = bitcast<f32>(pool[(t331 + 112i)]);
    let v440 = bitcast<f32>(pool[(t331 + 120i)]);
    let v441 = (v425 + v433);
    let v442 = (v426 + v434);
    let v443 = (v427 + v435);
    let v444 = (v428 + v436);
    let v445 = (v429 + v437);
    let v446 = (v430 + v438);
    let v447 = (v431 + v439);
    let v448 = (v432 + v440);
    let v449 = (v441 + v445);
    let v450 = (v442 + v446);
    let v451 = (v443 + v447);
    let v452 = (v444 + v448);
    let v453 = (v449 + v451);
    let v454 = (v450 + v452);
    let v455 = (v453 + v454);
    let v456 = (v375 * v63);
    let v457 = (v455 + v456);
    let v458 = (v457 * v417);
    let v459 = (m111 * v369);
    let v460 = (m112 * v370);
    let v461 = (m113 * v371);
    let v462 = (m114 * v372);
    let v463 = (v459 + v460);
    let v464 = (v463 + v461);
    let v465 = (v464 + v462);
    workgroupBarrier();
    pool[lane] = bitcast<u32>(v465);
    workgroupBarrier();
    let v466 = bitcast<f32>(pool[t331]);
    let v467 = bitcast<f32>(pool[(t331 + 8i)]);
    let v468 = bitcast<f32>(pool[(t331 + 16i)]);
    let v469 = bitcast<f32>(pool[(t331 + 24i)]);
    let v470 = bitcast<f32>(pool[(t331 + 32i)]);
    let v471 = bitcast<f32>(pool[(t331 + 40i)]);
    let v472 = bitcast<f32>(pool[(t331 + 48i)]);
    let v473 = bitcast<f32>(pool[(t331 + 56i)]);
    let v474 = bitcast<f32>(pool[(t331 + 64i)]);
    let v475 = bitcast<f32>(pool[(t331 + 72i)]);
    let v476 = bitcast<f32>(pool[(t331 + 80i)]);
    let v477 = bitcast<f32>(pool[(t331 + 88i)]);
    let v478 = bitcast<f32>(pool[(t331 + 96i)]);
    let v479 = bitcast<f32>(pool[(t331 + 104i)]);
    let v480 = bitcast<f32>(pool[(t331 + 112i)]);
    let v481 = bitcast<f32>(pool[(t331 + 120i)]);
    let v482 = (v466 + v474);
    let v483 = (v467 + v475);
    let v484 = (v468 + v476);
    let v485 = (v469 + v477);
    let v486 = (v470 + v478);
    let v487 = (v471 + v479);
    let v488 = (v472 + v480);
    let v489 = (v473 + v481);
    let v490 = (v482 + v486);
    let v491 = (v483 + v487);
    let v492 = (v484 + v488);
    let v493 = (v485 + v489);
    let v494 = (v490 + v492);
    let v495 = (v491 + v493);
    let v496 = (v494 + v495);
    let v497 = (v375 * v66);
    let v498 = (v496 + v497);
    let v499 = (v498 * v417);
    let v500 = (pid_z * p.a5_heads);
    let v501 = (v500 + pid_y);
    let v502 = (v501 * p.a7_d);
    let v503 = (p.a11_splits > 1i);
    var m504: i32;
    if (v503) {
        let v505 = (v501 * p.a11_splits);
        let v506 = (v505 + pid_x);
        let v507 = (p.a7_d + 4i);
        let v508 = (v506 * v507);
        let v509 = select(1.0f, v414, v415);
        let v510 = log_of(v509);
        let v511 = (v364 + v510);
        let v513 = (t512 == 1i);
        let v514 = select(0.0f, 1.0f, v513);
        let v515 = (t512 == 0i);
        let v516 = select(v514, v511, v515);
        let v517 = (v508 + p.a7_d);
        let v518 = select(0.0f, v516, v415);
        let v519 = (v517 + t512);
        if (t520) {
            g_out[v519] = v518;
        }
        m504 = v508;
    }
    else {
        m504 = v502;
    }
    let v521 = (m504 + t19);
    storageBarrier();
    if (t22 && v21) {
        g_out[v521] = v458;
    }
    let v522 = (m504 + v3);
    let v523 = (v522 + t19);
    storageBarrier();
    if (t22 && v21) {
        g_out[v523] = v499;
    }
}
