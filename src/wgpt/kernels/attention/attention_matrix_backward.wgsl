{# Gradients of attention on subgroup matrices: f16 products, f32 sums.
   A workgroup owns `own` rows of queries, or of keys (`owns_keys`), of one sequence and query head. It goes through the
   others that they form pairs with, bn at a time. With the own sides A (q or k) and B (dout or v) and the other sides
   C (k or q) and D (v or dout):
     s = A C^T, dp = B D^T; weights w = exp(scale s - log_sum), gradients of scores ds = w (dp - out . dout);
     dA += ds C; if it owns keys, dB += w D.
   A and B are in registers. Tiles of C and D are in workgroup memory, in rows of LD vectors of eight halves, the last one
   unused, against bank conflicts. s and dp go through memory, rows of LS vectors; a thread turns mk of each into halves
   of w and ds, in their place. sm subgroups have wm x mm own rows each; sn subgroups share these rows, and have parts
   of the other rows first, then of the results' columns.
   Every array is scaled by a power of two that brings its largest value near the largest of f16, and ds by DOWN, which
   brings the largest value that is possible there: twice the head_dim products of two such values. #}
{% import "_cache.wgsl" as store with context %}
{% import "_runs.wgsl" as R with context %}
{% from "_runs.wgsl" import query, owned, walked with context %}
{% import "_tanh.wgsl" as T %}
{% set A, B, C, D = ("k", "v", "q", "dout") if owns_keys else ("q", "dout", "k", "v") %}
{% set group = heads // kv_heads %}
{% set quads = head_dim // 4 %}
{% set DV = head_dim // 8 %}
{% set LD = DV + 1 %}
{% set LS = bn // 4 + 1 %}
{% set D_AT = bn * LD %}
{% set S_AT = 2 * D_AT %}
{% set P_AT = S_AT + own * LS %}
{% set LO = quads + 1 %}
{% set wide = head_dim // mn // sn %}
{% set NT = (bn * DV + threads - 1) // threads %}
{% set NS = (bn // 4 + threads - 1) // threads %}
{% set side = threads // own %}
{# Weights that become halves are scaled by 2^SHIFT, and what they are multiplied by is scaled less. #}
{% set SHIFT = 14.0 if owns_keys else 0.0 %}
{% set DP_DOWN = DOWN / 2.0 ** SHIFT %}
{% set LOG2E = "1.44269504" %}
alias Left = subgroup_matrix_left<f16, {{ mk }}, {{ mm }}>;
alias Right = subgroup_matrix_right<f16, {{ mn }}, {{ mk }}>;
alias Sum = subgroup_matrix_result<f32, {{ mn }}, {{ mm }}>;
var<workgroup> tile: array<vec4<u32>, {{ [P_AT + own * LS, 2 * own * LD] | max }}>;
{% if owns_keys %}
var<workgroup> their_logs: array<vec4<f32>, {{ bn // 4 }}>;
var<workgroup> their_means: array<vec4<f32>, {{ bn // 4 }}>;
{% endif %}
{{ store.addressing() }}
{{ T.function("vec4<f32>") if cap }}
fn halves(a: vec4<f32>, b: vec4<f32>) -> vec4<u32> {
    return vec4(pack2x16float(a.xy), pack2x16float(a.zw), pack2x16float(b.xy), pack2x16float(b.zw));
}
// 2^14 over the largest power of two in `top`, the largest magnitude; below 2^-60, that of 2^-60.
fn scale_for(top: f32) -> f32 { return bitcast<f32>((268u - max(bitcast<u32>(top) >> 23u, 67u)) << 23u); }

{# Vector i of a thread of a tile of others: vector e % DV of row e / DV. #}
{% macro each(i) %}
        let e = t + {{ i * threads }}u;
        {{ "if (e < %du)" % (bn * DV) if (i + 1) * threads > bn * DV }}
{% endmacro %}
{% macro each_stat(i) %}
        let e = t + {{ i * threads }}u;
        {{ "if (e < %du)" % (bn // 4) if (i + 1) * threads > bn // 4 }}
{% endmacro %}
{# The others from `base` on; rows that do not exist are zeros. #}
{% macro fetch(base) %}
{% for i in range(NT) %}
    {
{{ each(i) }} {
            let other = {{ base }} + e / {{ DV }}u;
            let at = {{ walked("min(other, last - 1u)") }} + 2u * (e % {{ DV }}u);
            let exists = vec4(other < last);
{% for x, array in (("c", C), ("d", D)) %}{% for half in range(2) %}
            f{{ x }}{{ i }}_{{ half }} = select(vec4<f32>(), {{ array }}[at + {{ half }}u], exists);
{% endfor %}{% endfor %}
        }
    }
{% endfor %}
{% if owns_keys %}
{% for i in range(NS) %}
    {
{{ each_stat(i) }} {
{% for j in range(4) %}
            fs{{ i }}_{{ j }} = stats[(first_row + min({{ base }} + 4u * e + {{ j }}u, last - 1u)) * {{ heads }}u + head];
{% endfor %}
        }
    }
{% endfor %}
{% endif %}
{% endmacro %}
{% macro stash() %}
{% for i in range(NT) %}
    {
{{ each(i) }} {
            let to = e / {{ DV }}u * {{ LD }}u + e % {{ DV }}u;
            tile[to] = halves(fc{{ i }}_0 * up_{{ C }}, fc{{ i }}_1 * up_{{ C }});
            tile[{{ D_AT }}u + to] = halves(fd{{ i }}_0 * up_{{ D }}, fd{{ i }}_1 * up_{{ D }});
        }
    }
{% endfor %}
{% if owns_keys %}
{% for i in range(NS) %}
    {
{{ each_stat(i) }} {
            their_logs[e] = {{ SHIFT }} - {{ LOG2E }} * vec4(fs{{ i }}_0.x, fs{{ i }}_1.x, fs{{ i }}_2.x, fs{{ i }}_3.x);
            their_means[e] = vec4(fs{{ i }}_0.y, fs{{ i }}_1.y, fs{{ i }}_2.y, fs{{ i }}_3.y) * up_dout * up_v * {{ DP_DOWN }};
        }
    }
{% endfor %}
{% endif %}
{% endmacro %}
{# Products of own and other rows: this subgroup's part of the others. #}
{% macro products(left, from, to) %}
{% for j in range(bn // mn // sn) %}
        {
{% for i in range(wm) %}
            var c{{ i }} = Sum();
{% endfor %}
{% for kk in range(head_dim // mk) %}
            let r{{ kk }} = subgroupMatrixLoad<Right, col_major>(&tile, {{ from + kk * mk // 8 }}u + (across * {{ bn // sn }}u + {{ j * mn }}u) * {{ LD }}u, {{ LD }}u);
{% for i in range(wm) %}
            c{{ i }} = subgroupMatrixMultiplyAccumulate({{ left }}{{ i }}_{{ kk }}, r{{ kk }}, c{{ i }});
{% endfor %}
{% endfor %}
{% for i in range(wm) %}
            subgroupMatrixStore<row_major>(&tile, {{ to + j * mn // 4 }}u + (down + {{ i * mm }}u) * {{ LS }}u + across * {{ bn // sn // 4 }}u, c{{ i }}, {{ LS }}u);
{% endfor %}
        }
{% endfor %}
{% endmacro %}
{# Vector x of a thread's s and dp: weights w{x} and gradients of scores g{x}. #}
{% macro weigh(x) %}
                let s{{ x }} = bitcast<vec4<f32>>(tile[at + {{ S_AT + x }}u]);
                let dp{{ x }} = bitcast<vec4<f32>>(tile[at + {{ P_AT + x }}u]);
{% if owns_keys %}
                let bias{{ x }} = their_logs[chunk * {{ mk // 4 }}u + {{ x }}u];
                let mean{{ x }} = their_means[chunk * {{ mk // 4 }}u + {{ x }}u];
{% else %}
                let bias{{ x }} = vec4(my_log);
                let mean{{ x }} = vec4(my_mean);
{% endif %}
{% if cap %}
                let t{{ x }} = tanh_of(s{{ x }} * to_score);
                var w{{ x }} = exp2(min(fma(t{{ x }}, vec4({{ cap }} * {{ LOG2E }}), bias{{ x }}), vec4({{ SHIFT }})));
{% else %}
                var w{{ x }} = exp2(min(fma(s{{ x }}, vec4(to_score), bias{{ x }}), vec4({{ SHIFT }})));
{% endif %}
                if (edge) {
                    let other = vec4(base + chunk * {{ mk }}u + {{ 4 * x }}u) + vec4(0u, 1u, 2u, 3u);
{% if owns_keys %}
                    w{{ x }} = select(vec4<f32>(), w{{ x }}, (vec4(mine) <= other){{ " & (other - vec4(mine) < vec4(p.window))" if windowed }});
{% else %}
                    w{{ x }} = select(vec4<f32>(), w{{ x }}, (other <= vec4(mine)){{ " & (vec4(mine) - other < vec4(p.window))" if windowed }});
{% endif %}
                }
                let g{{ x }} = w{{ x }} * fma(dp{{ x }}, vec4({{ DP_DOWN }}), -mean{{ x }}){{ " * fma(t%d, -t%d, vec4(1.0))" % (x, x) if cap }};
{% endmacro %}
{# {to}{i}_{j} += a block of halves times the others: this subgroup's part of the columns. #}
{% macro add(to, weights, from) %}
{% for kk in range(bn // mk) %}
        {
{% for i in range(wm) %}
            let l{{ i }} = subgroupMatrixLoad<Left, row_major>(&tile, {{ weights + kk * mk // 4 }}u + (down + {{ i * mm }}u) * {{ LS }}u, {{ LS }}u);
{% endfor %}
{% for j in range(wide) %}
            let r{{ j }} = subgroupMatrixLoad<Right, row_major>(&tile, {{ from + kk * mk * LD + j * mn // 8 }}u + across * {{ wide * mn // 8 }}u, {{ LD }}u);
{% for i in range(wm) %}
            {{ to }}{{ i }}_{{ j }} = subgroupMatrixMultiplyAccumulate(l{{ i }}, r{{ j }}, {{ to }}{{ i }}_{{ j }});
{% endfor %}
{% endfor %}
        }
{% endfor %}
{% endmacro %}
{% macro zeros(name) %}
{% for i in range(wm) %}{% for j in range(wide) %}
    var {{ name }}{{ i }}_{{ j }}: Sum;
{% endfor %}{% endfor %}
{% endmacro %}
{% macro write(array, name, factor) %}
{% for i in range(wm) %}{% for j in range(wide) %}
    subgroupMatrixStore<row_major>(&tile, {{ j * mn // 4 }}u + (down + {{ i * mm }}u) * {{ LO }}u + across * {{ wide * mn // 4 }}u, {{ name }}{{ i }}_{{ j }}, {{ LO }}u);
{% endfor %}{% endfor %}
    workgroupBarrier();
    for (var e = t; e < {{ own * quads }}u; e += {{ threads }}u) {
        let at = start + e / {{ quads }}u;
        let c = e % {{ quads }}u;
        if (at < stop) { {{ array }}[{{ query("at") }} + c] = bitcast<vec4<f32>>(tile[e / {{ quads }}u * {{ LO }}u + c]) * {{ factor }}; }
    }
{% endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32,
        @builtin(subgroup_id) sg: u32, @builtin(subgroup_invocation_id) lane: u32) {
{{ R.place() }}
    if (start >= count) { return; }
{{ R.bounds() }}
    let down = sg / {{ sn }}u * {{ wm * mm }}u;
    let across = sg % {{ sn }}u;
    // The largest magnitudes of q, dout, k and v in this sequence.
    var sizes = vec4<f32>();
    let blocks = (p.capacity + {{ BLOCK - 1 }}u) / {{ BLOCK }}u;
    let of_heads = p.rows * {{ heads }}u + wid.y * {{ heads + kv_heads }}u * blocks;
    for (var i = lane; i < (count + {{ BLOCK - 1 }}u) / {{ BLOCK }}u; i += {{ lanes }}u) {
        let of_query = stats[of_heads + head * blocks + i];
        let of_key = stats[of_heads + ({{ heads }}u + head / {{ group }}u) * blocks + i];
        sizes = max(sizes, vec4(of_query, of_key));
    }
    sizes = subgroupMax(sizes);
    let up_q = scale_for(sizes.x);
    let up_dout = scale_for(sizes.y);
    let up_k = scale_for(sizes.z);
    let up_v = scale_for(sizes.w);
    let to_score = p.scale * {{ 1 / cap if cap else LOG2E }} / up_q / up_k;

    for (var e = t; e < {{ own * DV }}u; e += {{ threads }}u) {
        let at = {{ owned("min(start + e / %du, stop - 1u)" % DV) }} + 2u * (e % {{ DV }}u);
        let to = e / {{ DV }}u * {{ LD }}u + e % {{ DV }}u;
        tile[to] = halves({{ A }}[at] * up_{{ A }}, {{ A }}[at + 1u] * up_{{ A }});
        tile[{{ own * LD }}u + to] = halves({{ B }}[at] * up_{{ B }}, {{ B }}[at + 1u] * up_{{ B }});
    }
    workgroupBarrier();
{% for i in range(wm) %}{% for kk in range(head_dim // mk) %}
    let a{{ i }}_{{ kk }} = subgroupMatrixLoad<Left, row_major>(&tile, {{ kk * mk // 8 }}u + (down + {{ i * mm }}u) * {{ LD }}u, {{ LD }}u);
    let b{{ i }}_{{ kk }} = subgroupMatrixLoad<Left, row_major>(&tile, {{ own * LD + kk * mk // 8 }}u + (down + {{ i * mm }}u) * {{ LD }}u, {{ LD }}u);
{% endfor %}{% endfor %}
    workgroupBarrier();

    // A thread's pairs are those of one own row, with chunks of others.
    let r = t % {{ own }}u;
    let mine = start + r;
{% if not owns_keys %}
    let stat = stats[(first_row + min(mine, stop - 1u)) * {{ heads }}u + head];
    let my_log = {{ SHIFT }} - {{ LOG2E }} * stat.x;
    let my_mean = stat.y * up_dout * up_v * {{ DP_DOWN }};
{% endif %}
{{ zeros("da") }}
{{ zeros("db") if owns_keys }}
{% for i in range(NT) %}{% for half in range(2) %}
    var fc{{ i }}_{{ half }}: vec4<f32>;
    var fd{{ i }}_{{ half }}: vec4<f32>;
{% endfor %}{% endfor %}
{% if owns_keys %}{% for i in range(NS) %}{% for j in range(4) %}
    var fs{{ i }}_{{ j }}: vec2<f32>;
{% endfor %}{% endfor %}{% endif %}
{% if ahead %}
{{ fetch("first") }}
{{ stash() }}
    workgroupBarrier();
{% endif %}
    for (var base = first; base < last; base += {{ bn }}u) {
{% if ahead %}
        let more = base + {{ bn }}u < last;
        if (more) {
{{ fetch("base + %du" % bn) }}
        }
{% else %}
{{ fetch("base") }}
{{ stash() }}
        workgroupBarrier();
{% endif %}
{{ products("a", 0, S_AT) }}
{{ products("b", D_AT, P_AT) }}
        workgroupBarrier();
        // Whether some of its rows do not see some of its keys. Rows that do not exist are zeros, and add nothing.
{% if owns_keys %}
        let edge = base < stop{{ " || base + %du - start > p.window" % bn if windowed }};
{% else %}
        let edge = base + {{ bn - 1 }}u > start{{ " || stop - base > p.window" if windowed }};
{% endif %}
        for (var chunk = t / {{ own }}u; chunk < {{ bn // mk }}u; chunk += {{ side }}u) {
            let at = r * {{ LS }}u + chunk * {{ mk // 4 }}u;
{% for x in range(mk // 4) %}
{{ weigh(x) }}
{% endfor %}
{% for x in range(mk // 8) %}
{% if owns_keys %}
            tile[at + {{ S_AT + x }}u] = halves(w{{ 2 * x }}, w{{ 2 * x + 1 }});
{% endif %}
            tile[at + {{ P_AT + x }}u] = halves(g{{ 2 * x }}, g{{ 2 * x + 1 }});
{% endfor %}
        }
        workgroupBarrier();
{{ add("da", P_AT, 0) }}
{{ add("db", S_AT, D_AT) if owns_keys }}
        workgroupBarrier();
{% if ahead %}
        if (more) {
{{ stash() }}
        }
        workgroupBarrier();
{% endif %}
    }
{{ write("dk" if owns_keys else "dq", "da", "(p.scale / (up_%s * %s)) / up_dout / up_v" % (C, DOWN)) }}
{% if owns_keys %}
    workgroupBarrier();
{{ write("dv", "db", "(%s / up_dout)" % (2.0 ** -SHIFT)) }}
{% endif %}
}
