{# y[M, N] = x[M, K] . W[N, K]^T on subgroup matrices: products of halves, sums in f32. With `across`, W is [K, N].
   A workgroup of sm x sn subgroups computes bm x bn sums, each subgroup wm x wn fragments of mm x mn. Tiles of x and W,
   bk deep, are copied into workgroup memory: rows of vectors of eight halves, the last one unused, against bank
   conflicts. The next tiles (`ahead`) are fetched while this one is multiplied. Of two parts of x and W, the product of the two
   small ones is dropped.
   With `experts` (expert_matrix.py), a tile has the rows of one expert's pairs, and the rows of that expert's weights.
   Halves are copied; weights of other types are fetched in their own bits and unpacked when the tile is written, as
   halves of {{ up }} times their value. A `unit` of them is a chunk, or as many chunks as fill a vector of eight halves.
   Codes that are whole bytes are unpacked two at a time, as halves (`by_twos`). #}
{% import "_weights.wgsl" as W %}
{% set packed = weight != "f16" %}
{% set C = CHUNK[weight] if packed else 8 %}
{% set unit = [C, 8] | max %}
{% set loads = unit // C %}
{% set by_twos = packed and w_parts == 1 and weight in W.WHOLE %}
{% set tabled = packed and weight in W.CODES and not by_twos %}
{% set by_words = packed and weight in W.BY_WORDS %}
{% set high_words = by_words and not by_twos %}
{% set middle = {"nibbles": 8, "high": 16, "pairs": 2}.get(weight_type(weight).codes, 0) if packed and weight in W.OFFSET else 0 %}
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
{% if experts %}
{% set tall = bm %}
{% include "_expert_rows.wgsl" %}
{% else %}
{% include "_gemm_store.wgsl" %}
{% endif %}
{% if packed %}
{% if by_twos %}
{% include "_byte_halves.wgsl" %}
{{ W.whole_functions(weight) }}
{% else %}
{% include "_halves.wgsl" %}
{% endif %}
{% if tabled %}{{ W.codebook(weight, true) }}{% endif %}
{{ W.scale_function(weight, threads=threads, by_chunks=true) }}
{{ W.scale_parts(weight) if weight in SCALED }}
{% endif %}

{# Vector i of a thread: e of `count`, if that many threads have one. #}
{% macro each(i, count) %}
        {{ "if (t + %du < %du)" % (i * threads, count) if (i + 1) * threads > count }}
{% endmacro %}
{# Tile `k` into registers, slot d; `declare`: the first time. What lies beyond the matrix is zero in x, and any finite
   number in W: its products are zero, or not stored. #}
{% macro fetch(k, d, declare=false) %}
{% set var = "var " if declare else "" %}
{% for i in range(NA) %}
{% set at = "(%s) / 8u + at_x%d" % (k, i) %}
{% for part in range(x_parts) %}
{% set value = "x[from_x%d + %s%s]" % (i, "min(%s, p.x_vecs - 1u)" % at if tail else at, " + p.m * p.x_vecs" if part else "") %}
        {{ var }}fa{{ i }}_{{ part }}_{{ d }} = {{ "select(vec4<u32>(), %s, %s < p.x_vecs)" % (value, at) if tail else value }};
{% endfor %}{% endfor %}
{% for i in range(NB) %}{% for l in range(loads) %}
        {{ var }}fb{{ i }}_{{ l }}_{{ d }} = w[{{ chunk(i, l, k) }}];
{% if packed and weight in SCALED %}
        {{ var }}fs{{ i }}_{{ l }}_{{ d }} = scale_bits({{ chunk(i, l, k) }});
{% endif %}
{% if packed and weight in W.HIGH %}
{% if high_words %}{% for j in range(4) %}
        {{ var }}fh{{ i }}_{{ j }}_{{ d }} = high_word(4u * ({{ chunk(i, l, k) }}) + {{ j }}u);
{% endfor %}{% else %}
        {{ var }}fh{{ i }}_{{ l }}_{{ d }} = high_of({{ chunk(i, l, k) }});
{% endif %}{% endif %}
{% endfor %}{% endfor %}
{% endmacro %}
{# The number of a chunk: load `l` of vector i of a thread, in tile `k`. #}
{% macro chunk(i, l, k) %}
{% set more = " * %du + %du" % (loads, l) if loads > 1 else "" %}
{% if across %}
min({{ k }} + row_w{{ i }}, p.k - 1u) * p.w_vecs + min(first_n / {{ C }}u + at_w{{ i }}{{ more }}, p.w_vecs - 1u)
{%- else %}
row_w{{ i }} * p.w_vecs + min(({{ k }}) / {{ C }}u + at_w{{ i }}{{ more }}, p.w_vecs - 1u)
{%- endif %}
{% endmacro %}
{# Slot d takes over what the next one has. #}
{% macro advance(d) %}
{% for i in range(NA) %}{% for part in range(x_parts) %}
        fa{{ i }}_{{ part }}_{{ d }} = fa{{ i }}_{{ part }}_{{ d + 1 }};
{% endfor %}{% endfor %}
{% for i in range(NB) %}{% for l in range(loads) %}
        fb{{ i }}_{{ l }}_{{ d }} = fb{{ i }}_{{ l }}_{{ d + 1 }};
{% if packed and weight in SCALED %}
        fs{{ i }}_{{ l }}_{{ d }} = fs{{ i }}_{{ l }}_{{ d + 1 }};
{% endif %}
{% if packed and weight in W.HIGH %}{% for j in range(4 if high_words else 1) %}
        fh{{ i }}_{{ j if high_words else l }}_{{ d }} = fh{{ i }}_{{ j if high_words else l }}_{{ d + 1 }};
{% endfor %}{% endif %}
{% endfor %}{% endfor %}
{% endmacro %}
{# Slot 0, tile k0, into workgroup memory. #}
{% macro stash() %}
{% for i in range(NA) %}{% for part in range(x_parts) %}
{{ each(i, a_count) }} { tile[to_x{{ i }} + {{ part * A }}u] = fa{{ i }}_{{ part }}_0; }
{% endfor %}{% endfor %}
{% for i in range(NB) %}
{{ each(i, b_count) }} {
{% if packed %}
{{ unpack(i) }}
{% else %}
            tile[to_w{{ i }}] = fb{{ i }}_0_0;
{% endif %}
        }
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
{# Statements: scale and offset number `g` as halves. #}
{% macro scale_by_twos(g, scale, offset) %}
            let scale{{ g }} = two({{ scale }} * {{ 128.0 * up * (W.whole_unit(weight) | float) }});
{% if weight in W.OFFSET %}
            let offset{{ g }} = two({{ "fma(%s, %d.0, %s)" % (scale, middle, offset) if middle else offset }} * {{ up }}.0);
{% endif %}
{% endmacro %}
{# As `unpack`; the scale of quad q is number q / `quads`. #}
{% macro unpack_by_twos(i) %}
{% set word = "fb%d_0_0" % i %}
{% if weight not in W.BYTES %}
{{ W.whole(weight, word, "v", "fh%d_0_0" % i) }}
{% endif %}
            let sc = scale_from(fs{{ i }}_0_0, {{ chunk(i, 0, "k0") }});
{% set quads = unit // 4 // (4 if by_words else 2 if weight in W.HALVES else 1) %}
{% for g in range(unit // 4 // quads) %}
{{ scale_by_twos(g, "sc.x." ~ "xyzw"[g], "sc.y." ~ "xyzw"[g]) if by_words else scale_by_twos(g, "sc." ~ "xy"[g], "sc.y") }}
{% endfor %}
{% for q in range(unit // 4) %}
{% set v = word ~ "." ~ "xyzw"[q] if weight in W.BYTES else "v%d" % q %}
{% set around = " * scale%d%s" % (q // quads, " + offset%d" % (q // quads) if weight in W.OFFSET else "") %}
            let q{{ q }} = in_order(two_bytes_of({{ v }}){{ around }}, two_bytes_of({{ v }} >> 8u){{ around }});
{% endfor %}
{% for e in range(unit // 8) %}
            tile[to_w{{ i }} + {{ e }}u] = vec4(q{{ 2 * e }}, q{{ 2 * e + 1 }});
{% endfor %}
{% endmacro %}
{% macro unpack(i) %}
{% if by_twos %}
{{ unpack_by_twos(i) }}
{% elif by_words %}
            let sc = scale_from(fs{{ i }}_0_0, {{ chunk(i, 0, "k0") }});
{% for j in range(4) %}
            {
{{ W.word_values(weight, "fb%d_0_0.%s" % (i, "xyzw"[j]), "v", "fh%d_%d_0" % (i, j)) }}
{% for q in range(4) %}
                let u{{ q }} = v{{ q }} * ({{ up }}.0 * sc.x.{{ "xyzw"[j] }}){{ " + %d.0 * sc.y.%s" % (up, "xyzw"[j]) if weight in W.OFFSET }};
{% endfor %}
{{ put_eight(i, 2 * j, "u0", "u1") }}{{ put_eight(i, 2 * j + 1, "u2", "u3") }}
            }
{% endfor %}
{% else %}
{% for l in range(loads) %}
{{ W.values(weight, "packed", "fb%d_%d_0" % (i, l), "v%d_" % l, "fh%d_%d_0" % (i, l)) }}
{% if weight in SCALED %}
            let sc{{ l }} = {{ up }}.0 * scale_from(fs{{ i }}_{{ l }}_0, {{ chunk(i, l, "k0") }});
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
{% if tabled or (packed and weight in W.GRIDS) %}
    load_codebook(t);
{% endif %}
{% if experts %}
    let whole = tiles[wid.y / {{ cuts }}u];
    let first_place = whole.y + wid.y % {{ cuts }}u * {{ bm }}u;
    if (first_place >= whole.z) { return; }
    places = vec4(whole.x, first_place, whole.zw);
    let first_n = wid.x * {{ bn }}u;
{% else %}
    // Bands of {{ BAND }} tiles: workgroups that run at once share rows of x and W, which the GPU's cache then has.
    let order = wid.y * nwg.x + wid.x;
    let band = order / ({{ BAND }}u * nwg.x);
    let inside = order % ({{ BAND }}u * nwg.x);
    let tall = min({{ BAND }}u, nwg.y - band * {{ BAND }}u);
    let first_m = (band * {{ BAND }}u + inside % tall) * {{ bm }}u;
    let first_n = inside / tall * {{ bn }}u;
{% endif %}
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
    let item_x{{ i }} = min(t + {{ i * threads }}u, {{ a_count - 1 }}u);
    let row_x{{ i }} = item_x{{ i }} / {{ KV }}u;
    let at_x{{ i }} = item_x{{ i }} % {{ KV }}u;
    let from_x{{ i }} = {{ "pair_of(row_x%d) / p.per_row" % i if experts else "min(first_m + row_x%d, p.m - 1u)" % i }} * p.x_vecs;
    let to_x{{ i }} = row_x{{ i }} * {{ LA }}u + at_x{{ i }};
{% endfor %}
{% for i in range(NB) %}
    let item_w{{ i }} = min(t + {{ i * threads }}u, {{ b_count - 1 }}u);
    let at_w{{ i }} = item_w{{ i }} % {{ UV }}u;
    let row_w{{ i }} = {{ ("item_w%d / %du" if across else "row_of(first_n + item_w%d / %du)" if experts else "min(first_n + item_w%d / %du, p.n - 1u)") % (i, UV) }};
    let to_w{{ i }} = {{ B_AT }}u + item_w{{ i }} / {{ UV }}u * {{ LB }}u + at_w{{ i }} * {{ unit // 8 }}u;
{% endfor %}
{% if split or ahead > 1 %}
    let last = (p.k - 1u) / {{ bk }}u * {{ bk }}u;
{% endif %}
{% for d in range(ahead) %}
{{ fetch("min(%s + %du, last)" % (FROM, d * bk) if split or d else FROM, d, true) }}
{% endfor %}
    for (var k0 = {{ FROM }}; k0 < {{ END }}; k0 += {{ bk }}u) {
{{ stash() }}
        workgroupBarrier();
{% for d in range(ahead - 1) %}
{{ advance(d) }}
{% endfor %}
        if (k0 + {{ ahead * bk }}u < {{ END }}) {
{{ fetch("k0 + %du" % (ahead * bk), ahead - 1) }}
        }
{{ multiply() }}
        workgroupBarrier();
    }
    let out = sg * {{ OUT }}u;
{% for i in range(wm) %}
{% for j in range(wn) %}
    subgroupMatrixStore<row_major>(&tile, out + {{ j * mn // 4 }}u, c{{ i }}_{{ j }}, {{ wide + 1 }}u);
{% endfor %}
    workgroupBarrier();
    for (var e = lane; e < {{ mm * wide }}u; e += {{ lanes }}u) {
        let row = {{ "my_m" if experts else "first_m + my_m" }} + {{ i * mm }}u + e / {{ wide }}u;
        let down = {{ "%.10g * " % down if down != 1 }}scale[{{ "part * p.m + " if by_block }}{{ "pair_of(row) / p.per_row" if experts else "min(row, p.m - 1u)" }}];
        let v = bitcast<vec4<f32>>(tile[out + e / {{ wide }}u * {{ wide + 1 }}u + e % {{ wide }}u]) * down;
        put(row, first_n + my_n + 4u * (e % {{ wide }}u), v);
    }
    workgroupBarrier();
{% endfor %}
}
