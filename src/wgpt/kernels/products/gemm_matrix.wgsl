{# y[M, N] = x[M, K] . W[N, K]^T on subgroup matrices: products of halves, sums in f32. With `across`, W is [K, N].
   A workgroup of sm x sn subgroups computes bm x bn sums, each subgroup wm x wn fragments of mm x mn. Tiles of x and W,
   bk deep, are copied into workgroup memory: rows of vectors of eight halves, the last one unused, against bank
   conflicts. The next tile is fetched while this one is multiplied. Of two parts of x and W, the product of the two
   small ones is dropped. #}
{% set KV = bk // 8 %}
{% set LA = KV + 1 %}
{% set b_rows = bk if across else bn %}
{% set BV = bn // 8 if across else KV %}
{% set LB = BV + 1 %}
{% set A = bm * LA %}
{% set B = b_rows * LB %}
{% set B_AT = x_parts * A %}
{% set a_count = bm * KV %}
{% set b_count = b_rows * BV %}
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

{# Vector i of a thread: e of `count`, if that many threads have one. #}
{% macro each(i, count) %}
        {{ "if (t + %du < %du)" % (i * threads, count) if (i + 1) * threads > count }}
{% endmacro %}
{% macro fetch(k) %}
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
{% set step = "(%s) * p.w_vecs" % k if across else "c" %}
{% set within = "(%s) + row_w%%d < p.k" % k if across else "c + at_w%d < p.w_vecs" %}
{% for i in range(NB) %}{% for part in range(w_parts) %}
{{ each(i, b_count) }} {
{% if tail %}
            fb{{ i }}_{{ part }} = vec4<u32>();
            if ({{ within % i }}) { fb{{ i }}_{{ part }} = w[from_w{{ i }} + {{ step }}{{ " + p.w_part" if part }}]; }
{% else %}
            fb{{ i }}_{{ part }} = w[from_w{{ i }} + {{ step }}{{ " + p.w_part" if part }}];
{% endif %}
        }
{% endfor %}{% endfor %}
    }
{% endmacro %}
{% macro stash() %}
{% for i in range(NA) %}{% for part in range(x_parts) %}
{{ each(i, a_count) }} { tile[to_x{{ i }} + {{ part * A }}u] = fa{{ i }}_{{ part }}; }
{% endfor %}{% endfor %}
{% for i in range(NB) %}{% for part in range(w_parts) %}
{{ each(i, b_count) }} { tile[to_w{{ i }} + {{ part * B }}u] = fb{{ i }}_{{ part }}; }
{% endfor %}{% endfor %}
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
    let row_w{{ i }} = (t + {{ i * threads }}u) / {{ BV }}u;
    let at_w{{ i }} = (t + {{ i * threads }}u) % {{ BV }}u;
{% if across %}
    let from_w{{ i }} = row_w{{ i }} * p.w_vecs + min(first_n / 8u + at_w{{ i }}, p.w_vecs - 1u);
{% else %}
    let from_w{{ i }} = min(first_n + row_w{{ i }}, p.n - 1u) * p.w_vecs + at_w{{ i }};
{% endif %}
    let to_w{{ i }} = {{ B_AT }}u + row_w{{ i }} * {{ LB }}u + at_w{{ i }};
{% for part in range(w_parts) %}
    var fb{{ i }}_{{ part }}: vec4<u32>;
{% endfor %}{% endfor %}
{{ fetch(FROM) }}
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
