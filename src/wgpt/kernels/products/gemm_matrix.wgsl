{# y[M, N] = x[M, K] . W[N, K]^T on subgroup matrices: f16 products, f32 sums.
   A workgroup of sm x sn subgroups computes bm x bn sums, each subgroup wm x wn fragments of mm x mn. Tiles of x and W,
   bk deep, are converted to halves in workgroup memory: rows of LD vectors of eight halves, the last one unused, against
   bank conflicts. The next tile is fetched while this one is multiplied.
   `parts` of x and W (compute "f32"): a value is the sum of two halves, and the product of the two small ones is
   dropped. Each row of x is scaled by a power of two that brings its largest value near the largest of f16, weights
   that are not halves already by 2^6: nothing overflows, and what is lost below is small beside the row. #}
{% import "_weights.wgsl" as W %}
{% set exact = compute == "f32" %}
{% set x_parts = 2 if exact else 1 %}
{% set w_parts = 2 if exact and not direct else 1 %}
{% set KV = bk // 8 %}
{% set LD = KV + 1 %}
{% set A = bm * LD %}
{% set B = bn * LD %}
{% set B_AT = x_parts * A %}
{% set a_count = bm * KV %}
{% set b_count = bn * KV %}
{% set NA = (a_count + threads - 1) // threads %}
{% set NB = (b_count + threads - 1) // threads %}
{% set across = wn * mn // 4 %}
{% set OUT = mm * (across + 1) %}
{% set SPLIT = split is defined and split %}
{% set FROM = "wid.z * p.block" if SPLIT else "0u" %}
{% set END = "k_end" if SPLIT else "p.k" %}
alias Left = subgroup_matrix_left<f16, {{ mk }}, {{ mm }}>;
alias Right = subgroup_matrix_right<f16, {{ mn }}, {{ mk }}>;
alias Sum = subgroup_matrix_result<f32, {{ mn }}, {{ mm }}>;
var<workgroup> tile: array<vec4<u32>, {{ [B_AT + w_parts * B, sm * sn * OUT] | max }}>;
var<workgroup> row_scale: array<f32, {{ bm }}>;
{% if SPLIT %}
var<private> part: u32;
{% endif %}
{% if weight in W.CODES %}{{ W.codebook(weight, true) }}{% endif %}
{{ W.scale_function(weight) }}
{% if direct %}
fn w8(n: u32, c: u32) -> vec4<u32> {
    if (2u * c >= p.quads) { return vec4<u32>(); }
    return w[min(n, p.n - 1u) * (p.quads / 2u) + c];
}
{% else %}
{{ W.quad_function(weight, half) }}
fn b_k(n: u32, q: u32) -> vec4<f32> {
    if (q >= p.quads) { return vec4<f32>(); }
    return 64.0 * w4(min(n, p.n - 1u), q);
}
{% endif %}
{% if load == "vec4" %}
fn a_k(m: u32, q: u32) -> vec4<f32> {
    if (4u * q >= p.k) { return vec4<f32>(); }
    return x[min(m, p.m - 1u) * (p.k / 4u) + q];
}
{% else %}
fn a_1(row: u32, k: u32) -> f32 { if (k < p.k) { return x[row * p.k + k]; } return 0.0; }
fn a_k(m: u32, q: u32) -> vec4<f32> {
    let row = min(m, p.m - 1u);
    return vec4(a_1(row, 4u * q), a_1(row, 4u * q + 1u), a_1(row, 4u * q + 2u), a_1(row, 4u * q + 3u));
}
{% endif %}
fn halves(a: vec4<f32>, b: vec4<f32>) -> vec4<u32> {
    return vec4(pack2x16float(a.xy), pack2x16float(a.zw), pack2x16float(b.xy), pack2x16float(b.zw));
}
// 2^14 over the largest power of two in `top`, the largest magnitude of a row.
fn scale_for(top: f32) -> f32 { return bitcast<f32>((268u - max(bitcast<u32>(top) >> 23u, 16u)) << 23u); }
{% if exact %}
fn rest(v: vec4<f32>, h: vec2<u32>) -> vec4<f32> { return v - vec4(unpack2x16float(h.x), unpack2x16float(h.y)); }
{% endif %}
{% include "_gemm_store.wgsl" %}

{# Chunk i of a thread of a tile: element e of `count`, in a row of KV. #}
{% macro each(i, count) %}
        let e = t + {{ i * threads }}u;
        {{ "if (e < %du)" % count if (i + 1) * threads > count }}
{% endmacro %}
{% macro fetch(k) %}
{% for i in range(NA) %}
    {
{{ each(i, a_count) }} {
            let row = first_m + e / {{ KV }}u;
            let q = ({{ k }}) / 4u + 2u * (e % {{ KV }}u);
            fa{{ i }}_0 = a_k(row, q);
            fa{{ i }}_1 = a_k(row, q + 1u);
        }
    }
{% endfor %}
{% for i in range(NB) %}
    {
{{ each(i, b_count) }} {
            let row = first_n + e / {{ KV }}u;
            let c = ({{ k }}) / 8u + e % {{ KV }}u;
{% if direct %}
            fb{{ i }} = w8(row, c);
{% else %}
            fb{{ i }}_0 = b_k(row, 2u * c);
            fb{{ i }}_1 = b_k(row, 2u * c + 1u);
{% endif %}
        }
    }
{% endfor %}
{% endmacro %}
{# Values v0 and v1 as halves at `at`, and what remains of them `far` further on. #}
{% macro put_halves(v0, v1, at, far) %}
            let h = halves({{ v0 }}, {{ v1 }});
            tile[{{ at }}] = h;
{% if exact %}
            tile[{{ at }} + {{ far }}u] = halves(rest({{ v0 }}, h.xy), rest({{ v1 }}, h.zw));
{% endif %}
{% endmacro %}
{% macro stash() %}
{% for i in range(NA) %}
    {
{{ each(i, a_count) }} {
            let at = e / {{ KV }}u * {{ LD }}u + e % {{ KV }}u;
            let v0 = fa{{ i }}_0 * row_scale[e / {{ KV }}u];
            let v1 = fa{{ i }}_1 * row_scale[e / {{ KV }}u];
{{ put_halves("v0", "v1", "at", A) }}
        }
    }
{% endfor %}
{% for i in range(NB) %}
    {
{{ each(i, b_count) }} {
            let at = {{ B_AT }}u + e / {{ KV }}u * {{ LD }}u + e % {{ KV }}u;
{% if direct %}
            tile[at] = fb{{ i }};
{% else %}
{{ put_halves("fb%d_0" % i, "fb%d_1" % i, "at", B) }}
{% endif %}
        }
    }
{% endfor %}
{% endmacro %}
{% macro multiply() %}
{% for kk in range(bk // mk) %}
        {
{% for i in range(wm) %}{% for part in range(x_parts) %}
            let a{{ i }}_{{ part }} = subgroupMatrixLoad<Left, row_major>(&tile, from_a + {{ part * A + i * mm * LD + kk * mk // 8 }}u, {{ LD }}u);
{% endfor %}{% endfor %}
{% for j in range(wn) %}
            let b{{ j }} = subgroupMatrixLoad<Right, col_major>(&tile, from_b + {{ j * mn * LD + kk * mk // 8 }}u, {{ LD }}u);
{% for i in range(wm) %}{% for part in range(x_parts) %}
            c{{ i }}_{{ j }} = subgroupMatrixMultiplyAccumulate(a{{ i }}_{{ part }}, b{{ j }}, c{{ i }}_{{ j }});
{% endfor %}{% endfor %}
{% if w_parts == 2 %}
            let r{{ j }} = subgroupMatrixLoad<Right, col_major>(&tile, from_b + {{ B + j * mn * LD + kk * mk // 8 }}u, {{ LD }}u);
{% for i in range(wm) %}
            c{{ i }}_{{ j }} = subgroupMatrixMultiplyAccumulate(a{{ i }}_0, r{{ j }}, c{{ i }}_{{ j }});
{% endfor %}
{% endif %}
{% endfor %}
        }
{% endfor %}
{% endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32,
        @builtin(subgroup_id) sg: u32, @builtin(subgroup_invocation_id) lane: u32) {
{% if weight in W.CODES %}
    load_codebook(t);
{% endif %}
    let first_m = wid.y * {{ bm }}u;
    let first_n = wid.x * {{ bn }}u;
    let my_m = sg / {{ sn }}u * {{ wm * mm }}u;
    let my_n = sg % {{ sn }}u * {{ wn * mn }}u;
    let from_a = my_m * {{ LD }}u;
    let from_b = {{ B_AT }}u + my_n * {{ LD }}u;
{% if SPLIT %}
    part = wid.z;
    let k_end = min(p.k, (wid.z + 1u) * p.block);
{% endif %}
{% for i in range(wm) %}{% for j in range(wn) %}
    var c{{ i }}_{{ j }}: Sum;
{% endfor %}{% endfor %}
{% for i in range(NA) %}
    var fa{{ i }}_0: vec4<f32>;
    var fa{{ i }}_1: vec4<f32>;
{% endfor %}
{% for i in range(NB) %}
{% if direct %}
    var fb{{ i }}: vec4<u32>;
{% else %}
    var fb{{ i }}_0: vec4<f32>;
    var fb{{ i }}_1: vec4<f32>;
{% endif %}
{% endfor %}
{{ fetch(FROM) }}
    for (var i = 0u; i < {{ bm // (sm * sn) }}u; i++) {
        let row = sg * {{ bm // (sm * sn) }}u + i;
        var most = vec4<f32>();
        for (var q = lane; 4u * q < p.k; q += {{ lanes }}u) { most = max(most, abs(a_k(first_m + row, q))); }
        let top = subgroupMax(max(max(most.x, most.y), max(most.z, most.w)));
        if (lane == 0u) { row_scale[row] = scale_for(top); }
    }
    workgroupBarrier();
{{ stash() }}
    workgroupBarrier();
    for (var k0 = {{ FROM }}; k0 < {{ END }}; k0 += {{ bk }}u) {
        let more = k0 + {{ bk }}u < {{ END }};
        if (more) {
{{ fetch("k0 + %du" % bk) }}
        }
{{ multiply() }}
        workgroupBarrier();
        if (more) {
{{ stash() }}
        }
        workgroupBarrier();
    }
    let out = sg * {{ OUT }}u;
{% for i in range(wm) %}
{% for j in range(wn) %}
    subgroupMatrixStore<row_major>(&tile, out + {{ j * mn // 4 }}u, c{{ i }}_{{ j }}, {{ across + 1 }}u);
{% endfor %}
    workgroupBarrier();
    for (var e = lane; e < {{ mm * across }}u; e += {{ lanes }}u) {
        let row = e / {{ across }}u;
        let column = e % {{ across }}u;
        let at = my_m + {{ i * mm }}u + row;
        let v = bitcast<vec4<f32>>(tile[out + row * {{ across + 1 }}u + column]) * ({{ "1.0" if direct else "0.015625" }} / row_scale[at]);
        put(first_m + at, first_n + my_n + 4u * column, v);
    }
    workgroupBarrier();
{% endfor %}
}
