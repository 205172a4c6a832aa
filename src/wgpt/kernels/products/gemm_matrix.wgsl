{# y[M, N] = x[M, K] . W[N, K]^T on subgroup matrices: products of halves, sums in f32. With `across`, W is [K, N].
   A workgroup of sm x sn subgroups computes bm x bn sums, each subgroup wm x wn fragments of mm x mn. Tiles of x and W,
   bk deep, are copied into workgroup memory: rows of vectors of eight halves, the last one unused, against bank
   conflicts. The next tile is fetched while this one is multiplied. Of two parts of x and W, the product of the two
   small ones is dropped.
   Halves are copied; weights of other types are fetched in their own bits and unpacked when the tile is written, as
   halves of {{ up }} times their value. A `unit` of them is a chunk, or as many chunks as fill a vector of eight halves. #}
{% import "_weights.wgsl" as W %}
{% set packed = weight != "f16" %}
{% set C = CHUNK[weight] if packed else 8 %}
{% set unit = [C, 8] | max %}
{% set loads = unit // C %}
{% set by_words = packed and weight in W.BY_WORDS %}
{% set KV = bk // 8 %}
{% set LA = KV + 1 %}
{% set b_rows = bk if across else bn %}
{% set BV = bn // 8 if across else KV %}
{% set LB = BV + 1 %}
{% set A = bm * LA %}
{% set B = b_rows * LB %}
{% set B_AT = x_parts * A %}
{% set a_count = bm * KV %}
{% set UV = (bn if across else bk) // unit %}
{% set b_count = b_rows * UV %}
{% set NA = (a_count + threads - 1) // threads %}
{% set NB = (b_count + threads - 1) // threads %}
{% set wide = wn * mn // 4 %}
{% set OUT = mm * (wide + 1) %}
{% set BAND = 16 %}
{% set FROM = "wid.z * p.block" if split else "0u" %}
{% set END = "k_end" if split else "p.k" %}
alias Left = subgroup_matrix_left<f16, {{ mk }}, {{ mm }}>;
alias Right = subgroup_matrix_right<f16, {{ mn }}, {{ mk }}>;
alias Sum = subgroup_matrix_result<f32, {{ mn }}, {{ mm }}>;
var<workgroup> tile: array<vec4<u32>, {{ [B_AT + w_parts * B, sm * sn * OUT] | max }}>;
{% if split %}
var<private> part: u32;
{% endif %}
{% include "_gemm_store.wgsl" %}
{% if packed %}
{% include "_halves.wgsl" %}
{% if weight in W.CODES %}{{ W.codebook(weight, true) }}{% endif %}
{{ W.scale_function(weight, threads=threads, by_chunks=true) }}
{{ W.scale_parts(weight) if weight in SCALED }}
{% endif %}

{# Vector i of a thread: e of `count`, if that many threads have one. #}
{% macro each(i, count) %}
        {{ "if (t + %du < %du)" % (i * threads, count) if (i + 1) * threads > count }}
{% endmacro %}
{% macro fetch_x(k) %}
    {
        let c = ({{ k }}) / 8u;
{% for i in range(NA) %}{% for part in range(x_parts) %}
{{ each(i, a_count) }} {
{% if tail %}
            fa{{ i }}_{{ part }} = vec4<u32>();
            if (c + at_x{{ i }} < p.x_vecs) { fa{{ i }}_{{ part }} = x[from_x{{ i }} + c{{ " + p.m * p.x_vecs" if part }}]; }
{% else %}
            fa{{ i }}_{{ part }} = x[from_x{{ i }} + c{{ " + p.m * p.x_vecs" if part }}];
{% endif %}
        }
{% endfor %}{% endfor %}
    }
{% endmacro %}
{% macro fetch_halves(k) %}
    {
        let c = ({{ k }}) / 8u;
{% set step = "(%s) * p.w_vecs" % k if across else "c" %}
{% set within = "(%s) + row_w%%d < p.k" % k if across else "c + at_w%d < p.w_vecs" %}
{% for i in range(NB) %}
{{ each(i, b_count) }} {
{% if tail %}
            fb{{ i }} = vec4<u32>();
            if ({{ within % i }}) { fb{{ i }} = w[from_w{{ i }} + {{ step }}]; }
{% else %}
            fb{{ i }} = w[from_w{{ i }} + {{ step }}];
{% endif %}
        }
{% endfor %}
    }
{% endmacro %}
{# What lies beyond the matrix is any finite weight: x is zero there, or the result is not stored. #}
{% macro fetch_packed(k) %}
{% for i in range(NB) %}{% for l in range(loads) %}
{% if across %}
        let chunk{{ i }}_{{ l }} = min({{ k }} + row_w{{ i }}, p.k - 1u) * p.w_vecs + min(first_n / {{ C }}u + at_w{{ i }} * {{ loads }}u + {{ l }}u, p.w_vecs - 1u);
{% else %}
        let chunk{{ i }}_{{ l }} = from_w{{ i }} + min(({{ k }}) / {{ C }}u + at_w{{ i }} * {{ loads }}u + {{ l }}u, p.w_vecs - 1u);
{% endif %}
        let fb{{ i }}_{{ l }} = w[chunk{{ i }}_{{ l }}];
{% if weight in SCALED %}
        let fs{{ i }}_{{ l }} = scale_bits(chunk{{ i }}_{{ l }});
{% endif %}
{% if weight in W.HIGH %}
{% if by_words %}{% for j in range(4) %}
        let fh{{ i }}_{{ l }}_{{ j }} = high_word(4u * chunk{{ i }}_{{ l }} + {{ j }}u);
{% endfor %}{% else %}
        let fh{{ i }}_{{ l }} = high_of(chunk{{ i }}_{{ l }});
{% endif %}{% endif %}
{% endfor %}{% endfor %}
{% endmacro %}
{% macro stash_x() %}
{% for i in range(NA) %}{% for part in range(x_parts) %}
{{ each(i, a_count) }} { tile[to_x{{ i }} + {{ part * A }}u] = fa{{ i }}_{{ part }}; }
{% endfor %}{% endfor %}
{% endmacro %}
{% macro stash_halves() %}
{% for i in range(NB) %}
{{ each(i, b_count) }} { tile[to_w{{ i }}] = fb{{ i }}; }
{% endfor %}
{% endmacro %}
{# Two quads of weights go to vector `e` of a unit. #}
{% macro put_eight(i, e, a, b) %}
{% if w_parts == 2 %}
            {
                let high0 = high({{ a }});
                let high1 = high({{ b }});
                tile[to_w{{ i }} + {{ e }}u] = halves(high0, high1);
                tile[to_w{{ i }} + {{ B + e }}u] = halves({{ a }} - high0, {{ b }} - high1);
            }
{% else %}
            tile[to_w{{ i }} + {{ e }}u] = halves({{ a }}, {{ b }});
{% endif %}
{% endmacro %}
{% macro stash_packed() %}
{% for i in range(NB) %}
{{ each(i, b_count) }} {
{% if by_words %}
            let sc = scale_from(fs{{ i }}_0, chunk{{ i }}_0);
{% for j in range(4) %}
            {
{{ W.word_values(weight, "fb%d_0.%s" % (i, "xyzw"[j]), "v", "fh%d_0_%d" % (i, j)) }}
{% for q in range(4) %}
                let u{{ q }} = v{{ q }} * ({{ up }}.0 * sc.x.{{ "xyzw"[j] }}){{ " + %d.0 * sc.y.%s" % (up, "xyzw"[j]) if weight in W.OFFSET }};
{% endfor %}
{{ put_eight(i, 2 * j, "u0", "u1") }}{{ put_eight(i, 2 * j + 1, "u2", "u3") }}
            }
{% endfor %}
{% else %}
{% for l in range(loads) %}
{{ W.values(weight, "packed", "fb%d_%d" % (i, l), "v%d_" % l, "fh%d_%d" % (i, l)) }}
{% if weight in SCALED %}
            let sc{{ l }} = {{ up }}.0 * scale_from(fs{{ i }}_{{ l }}, chunk{{ i }}_{{ l }});
{% endif %}
{% endfor %}
{% for q in range(unit // 4) %}
{% set l, v = q // (C // 4), "v%d_%d" % (q // (C // 4), q % (C // 4)) %}
            let u{{ q }} = {{ v }} * {{ "sc%d.%s" % (l, "y" if weight in W.HALVES and q >= unit // 8 else "x") if weight in SCALED else "%d.0" % up }}{{ " + sc%d.y" % l if weight in W.OFFSET }};
{% endfor %}
{% for e in range(unit // 8) %}
{{ put_eight(i, e, "u%d" % (2 * e), "u%d" % (2 * e + 1)) }}
{% endfor %}
{% endif %}
        }
{% endfor %}
{% endmacro %}
{% macro right(name, kk, j, part) %}
{% if across %}
            let {{ name }} = subgroupMatrixLoad<Right, row_major>(&tile, from_b + {{ part * B + kk * mk * LB + j * mn // 8 }}u, {{ LB }}u);
{% else %}
            let {{ name }} = subgroupMatrixLoad<Right, col_major>(&tile, from_b + {{ part * B + j * mn * LB + kk * mk // 8 }}u, {{ LB }}u);
{% endif %}
{% endmacro %}
{% macro multiply() %}
{% for kk in range(bk // mk) %}
        {
{% for i in range(wm) %}{% for part in range(x_parts) %}
            let a{{ i }}_{{ part }} = subgroupMatrixLoad<Left, row_major>(&tile, from_a + {{ part * A + i * mm * LA + kk * mk // 8 }}u, {{ LA }}u);
{% endfor %}{% endfor %}
{% for j in range(wn) %}
{{ right("b%d" % j, kk, j, 0) }}
{% for i in range(wm) %}{% for part in range(x_parts) %}
            c{{ i }}_{{ j }} = subgroupMatrixMultiplyAccumulate(a{{ i }}_{{ part }}, b{{ j }}, c{{ i }}_{{ j }});
{% endfor %}{% endfor %}
{% if w_parts == 2 %}
{{ right("r%d" % j, kk, j, 1) }}
{% for i in range(wm) %}
            c{{ i }}_{{ j }} = subgroupMatrixMultiplyAccumulate(a{{ i }}_0, r{{ j }}, c{{ i }}_{{ j }});
{% endfor %}
{% endif %}
{% endfor %}
        }
{% endfor %}
{% endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32,
        @builtin(subgroup_id) sg: u32, @builtin(subgroup_invocation_id) lane: u32) {
{% if packed and (weight in W.CODES or weight in W.GRIDS) %}
    load_codebook(t);
{% endif %}
    // Bands of {{ BAND }} tiles: workgroups that run at once share rows of x and W, which the GPU's cache then has.
    let order = wid.y * nwg.x + wid.x;
    let band = order / ({{ BAND }}u * nwg.x);
    let inside = order % ({{ BAND }}u * nwg.x);
    let tall = min({{ BAND }}u, nwg.y - band * {{ BAND }}u);
    let first_m = (band * {{ BAND }}u + inside % tall) * {{ bm }}u;
    let first_n = inside / tall * {{ bn }}u;
    let my_m = sg / {{ sn }}u * {{ wm * mm }}u;
    let my_n = sg % {{ sn }}u * {{ wn * mn }}u;
    let from_a = my_m * {{ LA }}u;
    let from_b = {{ B_AT }}u + my_n{{ " / 8u" if across else " * %du" % LB }};
{% if split %}
    part = wid.z;
    let k_end = min(p.k, (wid.z + 1u) * p.block);
{% endif %}
{% for i in range(wm) %}{% for j in range(wn) %}
    var c{{ i }}_{{ j }}: Sum;
{% endfor %}{% endfor %}
{% for i in range(NA) %}
    let row_x{{ i }} = (t + {{ i * threads }}u) / {{ KV }}u;
    let at_x{{ i }} = (t + {{ i * threads }}u) % {{ KV }}u;
    let from_x{{ i }} = min(first_m + row_x{{ i }}, p.m - 1u) * p.x_vecs + at_x{{ i }};
    let to_x{{ i }} = row_x{{ i }} * {{ LA }}u + at_x{{ i }};
{% for part in range(x_parts) %}
    var fa{{ i }}_{{ part }}: vec4<u32>;
{% endfor %}{% endfor %}
{% for i in range(NB) %}
    let row_w{{ i }} = (t + {{ i * threads }}u) / {{ UV }}u;
    let at_w{{ i }} = (t + {{ i * threads }}u) % {{ UV }}u;
{% if packed %}
{% if not across %}
    let from_w{{ i }} = min(first_n + row_w{{ i }}, p.n - 1u) * p.w_vecs;
{% endif %}
{% else %}
{% if across %}
    let from_w{{ i }} = row_w{{ i }} * p.w_vecs + min(first_n / 8u + at_w{{ i }}, p.w_vecs - 1u);
{% else %}
    let from_w{{ i }} = min(first_n + row_w{{ i }}, p.n - 1u) * p.w_vecs + at_w{{ i }};
{% endif %}
    var fb{{ i }}: vec4<u32>;
{% endif %}
    let to_w{{ i }} = {{ B_AT }}u + row_w{{ i }} * {{ LB }}u + at_w{{ i }} * {{ unit // 8 }}u;
{% endfor %}
    {
{{ fetch_x(FROM) }}
{{ fetch_packed(FROM) if packed else fetch_halves(FROM) }}
{{ stash_x() }}
{{ stash_packed() if packed else stash_halves() }}
    }
    workgroupBarrier();
    for (var k0 = {{ FROM }}; k0 < {{ END }}; k0 += {{ bk }}u) {
        let more = k0 + {{ bk }}u < {{ END }};
{% if packed %}
        let next = select(k0, k0 + {{ bk }}u, more);
{{ fetch_packed("next") }}
{% endif %}
        if (more) {
{{ fetch_x("k0 + %du" % bk) }}
{{ fetch_halves("k0 + %du" % bk) if not packed }}
        }
{{ multiply() }}
        workgroupBarrier();
        if (more) {
{{ stash_x() }}
{{ stash_packed() if packed else stash_halves() }}
        }
        workgroupBarrier();
    }
    let out = sg * {{ OUT }}u;
{% for i in range(wm) %}
{% for j in range(wn) %}
    subgroupMatrixStore<row_major>(&tile, out + {{ j * mn // 4 }}u, c{{ i }}_{{ j }}, {{ wide + 1 }}u);
{% endfor %}
    workgroupBarrier();
    for (var e = lane; e < {{ mm * wide }}u; e += {{ lanes }}u) {
        let row = first_m + my_m + {{ i * mm }}u + e / {{ wide }}u;
        let down = {{ "%.10g * " % down if down != 1 }}scale[{{ "part * p.m + " if by_block }}min(row, p.m - 1u)];
        let v = bitcast<vec4<f32>>(tile[out + e / {{ wide }}u * {{ wide + 1 }}u + e % {{ wide }}u]) * down;
        put(row, first_n + my_n + 4u * (e % {{ wide }}u), v);
    }
    workgroupBarrier();
{% endfor %}
}
