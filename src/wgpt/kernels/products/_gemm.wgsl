{# C[M, N] = A . B, shared by gemm (B = weights of any type, transposed) and matmul (plain f32, any transposition).
   The including template defines these for rows and columns inside and outside the matrices (zero outside K):
     a_k(m, q): vec4 of A[m, 4q .. 4q+3]          unless trans_a, then a_m(k, q): vec4 of A[4q .. 4q+3, k]
     b_k(n, q): vec4 of B[4q .. 4q+3, n]          if trans_b,     else b_n(k, q): vec4 of B[k, 4q .. 4q+3]
     put(m, n, vec4): columns n .. n+3 of row m   guarded
   and may define `enter`, a statement that a workgroup begins with.
   With `split`, workgroup z sums over k from z * p.block on, and `part` is z; p.block is a multiple of all depths.
   style "shared": tiles in workgroup memory; 4x4 blocks are transposed in registers when they are loaded;
   style "register": no workgroup memory and no barriers, for software drivers;
   style "team": for few rows of A; a workgroup's threads share k, and their sums are added at the end, first within
   subgroups of `lanes`. #}
{% set enter = enter if enter is defined else "" %}
{% set split = split is defined and split %}
{% set FROM = "wid.z * p.block" if split else "0u" %}
{% set END = "k_end" if split else "p.k" %}
{% if split %}
var<private> part: u32;
{% endif %}
{% macro transposed(dst, src) %}
{% for j in range(4) %}
{{ dst }}{{ j }} = vec4({% for i in range(4) %}{{ src }}{{ i }}.{{ "xyzw"[j] }}{{ ", " if not loop.last }}{% endfor %});
{% endfor %}
{% endmacro %}
{% macro begin() %}
{% if split %}
    part = wid.z;
    let k_end = min(p.k, (wid.z + 1u) * p.block);
{% endif %}
{% endmacro %}
{% if style == "shared" %}
{% set S = "f16" if compute == "f16" else "f32" %}
{% set threads = (bm // tm) * (bn // tn) %}
{% set KQ = bk // 4 %}
{% set a_blocks = bm // 4 * KQ %}
{% set b_blocks = bn // 4 * KQ %}
{% set per_thread = (a_blocks + b_blocks + threads - 1) // threads %}
{% set a_row = bm // 4 + 1 %}
{% set b_row = bn // 4 + 1 %}
{% set mq = tm // 4 %}
{% set nq = tn // 4 %}
var<workgroup> a_tile: array<vec4<{{ S }}>, {{ bk * a_row }}>;
var<workgroup> b_tile: array<vec4<{{ S }}>, {{ bk * b_row }}>;

{# Block e of a tile: four vec4 from global memory, in the order of workgroup memory (k, then rows). #}
{% macro fetch(i) %}
    {
        let e = t + {{ i * threads }}u;
        if (e < {{ a_blocks }}u) {
{% if trans_a %}
            let q = first_m / 4u + e % {{ bm // 4 }}u;
            let k = k0 + e / {{ bm // 4 }}u * 4u;
{% for j in range(4) %}
            f{{ i }}_{{ j }} = a_m(k + {{ j }}u, q);
{% endfor %}
{% else %}
            let m = first_m + e / {{ KQ }}u * 4u;
            let q = k0 / 4u + e % {{ KQ }}u;
{% for j in range(4) %}
            let g{{ j }} = a_k(m + {{ j }}u, q);
{% endfor %}
            {{ transposed("f%d_" % i, "g") }}
{% endif %}
        } else if (e < {{ a_blocks + b_blocks }}u) {
            let h = e - {{ a_blocks }}u;
{% if trans_b %}
            let n = first_n + h / {{ KQ }}u * 4u;
            let q = k0 / 4u + h % {{ KQ }}u;
{% for j in range(4) %}
            let g{{ j }} = b_k(n + {{ j }}u, q);
{% endfor %}
            {{ transposed("f%d_" % i, "g") }}
{% else %}
            let q = first_n / 4u + h % {{ bn // 4 }}u;
            let k = k0 + h / {{ bn // 4 }}u * 4u;
{% for j in range(4) %}
            f{{ i }}_{{ j }} = b_n(k + {{ j }}u, q);
{% endfor %}
{% endif %}
        }
    }
{% endmacro %}
{% macro stash(i) %}
    {
        let e = t + {{ i * threads }}u;
        if (e < {{ a_blocks }}u) {
{% if trans_a %}
            let at = (e / {{ bm // 4 }}u * 4u) * {{ a_row }}u + e % {{ bm // 4 }}u;
{% else %}
            let at = (e % {{ KQ }}u * 4u) * {{ a_row }}u + e / {{ KQ }}u;
{% endif %}
{% for j in range(4) %}
            a_tile[at + {{ j * a_row }}u] = vec4<{{ S }}>(f{{ i }}_{{ j }});
{% endfor %}
        } else if (e < {{ a_blocks + b_blocks }}u) {
            let h = e - {{ a_blocks }}u;
{% if trans_b %}
            let at = (h % {{ KQ }}u * 4u) * {{ b_row }}u + h / {{ KQ }}u;
{% else %}
            let at = (h / {{ bn // 4 }}u * 4u) * {{ b_row }}u + h % {{ bn // 4 }}u;
{% endif %}
{% for j in range(4) %}
            b_tile[at + {{ j * b_row }}u] = vec4<{{ S }}>(f{{ i }}_{{ j }});
{% endfor %}
        }
    }
{% endmacro %}
{# Rows of a thread: groups of four, interleaved so that neighbouring threads read neighbouring vectors. #}
{% macro multiply() %}
{% if compute == "f16" %}
{% for i in range(tm) %}{% for j in range(nq) %}
    var h{{ i }}_{{ j }} = vec4<f16>();
{% endfor %}{% endfor %}
{% endif %}
{% set acc = "h" if compute == "f16" else "c" %}
    {
    var a_at = ty;
    var b_at = tx;
    for (var kk = 0u; kk < {{ bk // unroll }}u; kk++) {
{% for k in range(unroll) %}
    {
{% for i in range(mq) %}
        let a{{ i }} = a_tile[a_at + {{ k * a_row + i * (bm // tm) }}u];
{% endfor %}
{% for j in range(nq) %}
        let b{{ j }} = b_tile[b_at + {{ k * b_row + j * (bn // tn) }}u];
{% endfor %}
{% for i in range(tm) %}{% for j in range(nq) %}
        {{ acc }}{{ i }}_{{ j }} = fma(vec4(a{{ i // 4 }}.{{ "xyzw"[i % 4] }}), b{{ j }}, {{ acc }}{{ i }}_{{ j }});
{% endfor %}{% endfor %}
    }
{% endfor %}
    a_at += {{ unroll * a_row }}u;
    b_at += {{ unroll * b_row }}u;
    }
    }
{% if compute == "f16" %}
{% for i in range(tm) %}{% for j in range(nq) %}
    c{{ i }}_{{ j }} += vec4<f32>(h{{ i }}_{{ j }});
{% endfor %}{% endfor %}
{% endif %}
{% endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
{% if enter %}
    {{ enter }}
{% endif %}
{% if codebook is defined and codebook %}
    load_codebook(t);
{% endif %}
    let first_m = wid.y * {{ bm }}u;
    let first_n = wid.x * {{ bn }}u;
    let tx = t % {{ bn // tn }}u;
    let ty = t / {{ bn // tn }}u;
{% for i in range(tm) %}{% for j in range(nq) %}
    var c{{ i }}_{{ j }} = vec4<f32>();
{% endfor %}{% endfor %}
{% for i in range(per_thread) %}{% for j in range(4) %}
    var f{{ i }}_{{ j }} = vec4<f32>();
{% endfor %}{% endfor %}
{{ begin() }}
    for (var k0 = {{ FROM }}; k0 < {{ END }}; k0 += {{ bk }}u) {
{% for i in range(per_thread) %}{{ fetch(i) }}{% endfor %}
        workgroupBarrier();
{% for i in range(per_thread) %}{{ stash(i) }}{% endfor %}
        workgroupBarrier();
{{ multiply() }}
    }
{% for i in range(tm) %}{% for j in range(nq) %}
    put(first_m + {{ (i // 4) * (bm // mq) + i % 4 }}u + ty * 4u, first_n + {{ j * (bn // nq) }}u + tx * 4u, c{{ i }}_{{ j }});
{% endfor %}{% endfor %}
}
{% elif style == "team" %}
{% set groups = threads // lanes %}
{% if groups > 1 %}
var<workgroup> sums: array<vec4<f32>, {{ groups * bm }}>;
{% endif %}
{# A workgroup computes bm rows by four columns. #}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(subgroup_id) sg: u32, @builtin(subgroup_size) sg_size: u32,
        @builtin(subgroup_invocation_id) sg_lane: u32) {
{% if enter %}
    {{ enter }}
{% endif %}
    // Threads are counted along subgroups: a driver may number local invocations differently.
    let t = sg * sg_size + sg_lane;
{% if codebook is defined and codebook %}
    load_codebook(t);
{% endif %}
    let m = wid.y * {{ bm }}u;
    let n = wid.x * 4u;
{% for i in range(bm) %}
    var c{{ i }} = vec4<f32>();
{% endfor %}
    for (var q = t; q * 4u < p.k; q += {{ threads }}u) {
{% for j in range(4) %}
        let b{{ j }} = b_k(n + {{ j }}u, q);
{% endfor %}
{% for i in range(bm) %}
        {
            let a = a_k(m + {{ i }}u, q);
            c{{ i }} += vec4(dot(a, b0), dot(a, b1), dot(a, b2), dot(a, b3));
        }
{% endfor %}
    }
{% for step in [32, 16, 8, 4, 2, 1] if step < lanes %}
{% for i in range(bm) %}
    c{{ i }} += subgroupShuffleXor(c{{ i }}, {{ step }}u);
{% endfor %}
{% endfor %}
{% if groups > 1 %}
    if (t % {{ lanes }}u == 0u) {
        let at = t / {{ lanes }}u * {{ bm }}u;
{% for i in range(bm) %}
        sums[at + {{ i }}u] = c{{ i }};
{% endfor %}
    }
    workgroupBarrier();
    for (var i = t; i < {{ bm }}u; i += {{ threads }}u) {
        put(m + i, n, {% for g in range(groups) %}{{ " + " if not loop.first }}sums[i + {{ g * bm }}u]{% endfor %});
    }
{% else %}
{% for i in range(bm) %}
    if (t == {{ i % lanes }}u) { put(m + {{ i }}u, n, c{{ i }}); }
{% endfor %}
{% endif %}
}
{% else %}
{# A thread computes bm rows by bn columns, with k in quads. #}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32) {
{% if enter %}
    {{ enter }}
{% endif %}
    let m = wid.y * {{ bm }}u;
    let n = (wid.x * {{ threads }}u + t) * {{ bn }}u;
    if (n >= p.n) { return; }
{% for i in range(bm) %}{% for j in range(bn // 4) %}
    var c{{ i }}_{{ j }} = vec4<f32>();
{% endfor %}{% endfor %}
{{ begin() }}
    for (var q = {{ FROM ~ " / 4u" if split else "0u" }}; q * 4u < {{ END }}; q++) {
        let k = q * 4u;
{% for j in range(bn // 4) %}
{% if trans_b %}
{% for i in range(4) %}
        let g{{ j }}_{{ i }} = b_k(n + {{ 4 * j + i }}u, q);
{% endfor %}
{% for i in range(4) %}
        let b{{ j }}_{{ i }} = vec4({% for r in range(4) %}g{{ j }}_{{ r }}.{{ "xyzw"[i] }}{{ ", " if not loop.last }}{% endfor %});
{% endfor %}
{% else %}
{% for i in range(4) %}
        let b{{ j }}_{{ i }} = b_n(k + {{ i }}u, n / 4u + {{ j }}u);
{% endfor %}
{% endif %}
{% endfor %}
{% if trans_a %}
{% for r in range(bm // 4) %}{% for i in range(4) %}
        let g{{ r }}a{{ i }} = a_m(k + {{ i }}u, m / 4u + {{ r }}u);
{% endfor %}{% endfor %}
{% endif %}
{% for i in range(bm) %}
        {
{% if trans_a %}
            let a = vec4({% for x in range(4) %}g{{ i // 4 }}a{{ x }}.{{ "xyzw"[i % 4] }}{{ ", " if not loop.last }}{% endfor %});
{% else %}
            let a = a_k(m + {{ i }}u, q);
{% endif %}
{% for j in range(bn // 4) %}
            c{{ i }}_{{ j }} += (a.x * b{{ j }}_0 + a.y * b{{ j }}_1) + (a.z * b{{ j }}_2 + a.w * b{{ j }}_3);
{% endfor %}
        }
{% endfor %}
    }
{% for i in range(bm) %}{% for j in range(bn // 4) %}
    put(m + {{ i }}u, n + {{ 4 * j }}u, c{{ i }}_{{ j }});
{% endfor %}{% endfor %}
}
{% endif %}
