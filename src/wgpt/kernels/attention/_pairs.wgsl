{# Pairs of a query and a key of one sequence, shared by the backward kernels of attention. A workgroup owns `own` rows,
   of queries or of keys (`owns_keys`), and loops over the `others` that they form pairs with.
   "thread": each thread has one own row in registers, and all loop over the same others.
   "tiles": each thread has the pairs of `each` own rows (ty + i ty_count) and four others (4 tx + j), and later
   as many rows of the result, in vec4s tx + c tx_count. Rows are staged in workgroup memory, `depth` vec4s at a time.
   Import with context. #}
{% import "_cache.wgsl" as store with context %}
{% import "_cap.wgsl" as C with context %}
{% import "_runs.wgsl" as R with context %}
{% from "_runs.wgsl" import query, owned, walked with context %}
{% set LEAST = "-3.4028234e38" %}
{% set quads = head_dim // 4 %}
{# A bound for loops that a software driver should not unroll: it unrolls loops with constant bounds, which is slow. #}
{% set bound = "%du" % quads if style == "tiles" and unroll > 1 else "p.quads" %}
{% set threads = own if style == "thread" else own // each * (other // 4) %}

{# Whether own position `mine` and other position `theirs` form a pair; other positions must be below `last`. #}
{% macro is_pair(mine, theirs) %}
{% set i, j = (theirs, mine) if owns_keys else (mine, theirs) %}
{{ j }} <= {{ i }}{{ " && %s - %s < p.window" % (i, j) if windowed }}{{ " && %s < last" % i if owns_keys }}
{%- endmacro %}

{# The softmax of a product s of query and key, given the log of the row's sum; the factor of its gradient by the cap. #}
{% macro share(s, log_sum) %}
{{ "exp(capped(%s * p.scale) - %s)" % (s, log_sum) if cap else "exp(fma(%s, p.scale, -%s))" % (s, log_sum) }}
{%- endmacro %}
{% macro slope(s) %}{{ " * cap_slope(%s * p.scale)" % s if cap }}{% endmacro %}

{# The entry point. In its body, own positions are `start` to `stop` - 1, and other positions `first` to `last` - 1. #}
{% macro main() %}
{{ store.addressing() }}
{{ C.functions() }}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
{{ R.place() }}
    if (start < count) {
{{ R.bounds() }}
{{ caller() }}
    }
}
{% endmacro %}

{# One own row per thread --------------------------------------------------------------------------------------- #}

{# `at`: the thread's position. A thread beyond the end computes the last row, and does not write it. #}
{% macro my_row() %}
        let at = min(start + t, stop - 1u);
        let writes = start + t < stop;
{% endmacro %}

{# `let name{j}`: dot products of the thread's row of `mine` and the others base + j of `theirs`. #}
{% macro products(name, mine, theirs) %}
{% for j in range(unroll) %}
            var {{ name }}{{ j }}_part = vec4<f32>();
{% endfor %}
            for (var c = 0u; c < {{ bound }}; c++) {
                let x = {{ mine }}[{{ owned("at") }} + c];
{% for j in range(unroll) %}
                {{ name }}{{ j }}_part = fma(x, {{ theirs }}[{{ walked("other%d" % j) }} + c], {{ name }}{{ j }}_part);
{% endfor %}
            }
{% for j in range(unroll) %}
            let {{ name }}{{ j }} = dot({{ name }}{{ j }}_part, vec4(1.0));
{% endfor %}
{% endmacro %}

{# The others base + j: `other{j}` (the last one if there are fewer), and whether it pairs with the thread's row. #}
{% macro others() %}
{% for j in range(unroll) %}
            let other{{ j }} = min(base + {{ j }}u, last - 1u);
            let seen{{ j }} = {{ is_pair("at", "(base + %du)" % j) }};
{% endfor %}
{% endmacro %}

{# The thread's row of `to` += weight{j} times the others' rows. The sums are in the buffer, not in registers: if they
   do not fit in registers, compiling takes minutes. #}
{% macro add(to, weight, theirs) %}
            for (var c = 0u; c < {{ bound }}; c++) {
                var x = vec4<f32>();
                if (base > first) { x = {{ to }}[{{ query("at") }} + c]; }
{% for j in range(unroll) %}
                x = fma(vec4({{ weight }}{{ j }}), {{ theirs }}[{{ walked("other%d" % j) }} + c], x);
{% endfor %}
                if (writes) { {{ to }}[{{ query("at") }} + c] = x; }
            }
{% endmacro %}

{# Tiles --------------------------------------------------------------------------------------------------------- #}

{% set tx_count = other // 4 if style == "tiles" else 1 %}
{% set ty_count = own // each if style == "tiles" else 1 %}
{% set pitch = depth + 1 if style == "tiles" else 1 %}
{% set stage_size = (own + other) * pitch if style == "tiles" else 0 %}
{% set strips = (quads + tx_count - 1) // tx_count %}

{# The number of other rows that are staged completely: as many as fit. #}
{% macro whole_rows() %}
{%- for n in [64, 32, 16, 8, 4] if n <= other and n * quads <= stage_size %}{% if loop.first %}{{ n }}{% endif %}{% endfor -%}
{% endmacro %}

{% macro tile_memory(weights=true) %}
var<workgroup> stage: array<vec4<f32>, {{ stage_size }}>;
{% if weights %}
var<workgroup> weights: array<vec4<f32>, {{ own * (tx_count + 1) }}>;
{% endif %}
{% endmacro %}

{% macro identity() %}
        let tx = t % {{ tx_count }}u;
        let ty = t / {{ tx_count }}u;
{% for i in range(each) %}
        let mine{{ i }} = start + ty + {{ i * ty_count }}u;
{% endfor %}
{% endmacro %}

{# All threads stage vec4s `part` to part + depth of `rows` rows from position `begin` on; missing rows are zeros.
   The others are ordered so that neighbouring threads, which have every fourth of them, read neighbouring rows. #}
{% macro stage_rows(array, begin, end, rows, offset, theirs) %}
            for (var i = t; i < {{ rows * depth }}u; i += {{ threads }}u) {
                let row = i / {{ depth }}u;
                let c = i % {{ depth }}u;
                var x = vec4<f32>();
                if ({{ begin }} + row < {{ end }} && part + c < {{ quads }}u) {
                    x = {{ array }}[{{ walked(begin ~ " + row") if theirs else owned(begin ~ " + row") }} + part + c];
                }
                stage[{{ offset }}u + {{ "(row %% 4u * %du + row / 4u)" % tx_count if theirs else "row" }} * {{ pitch }}u + c] = x;
            }
{% endmacro %}

{# `var name{i}_{j}`: dot products of own rows of `a` and others of `b`. #}
{% macro tile_products(name, a, b) %}
{% for i in range(each) %}{% for j in range(4) %}
            var {{ name }}{{ i }}_{{ j }} = 0.0;
{% endfor %}{% endfor %}
            for (var part = 0u; part < {{ bound }}; part += {{ depth }}u) {
                workgroupBarrier();  // before anybody overwrites `stage`
{{ stage_rows(a, "start", "stop", own, 0, false) }}
{{ stage_rows(b, "base", "last", other, own * pitch, true) }}
                workgroupBarrier();
                for (var c0 = 0u; c0 < {{ depth }}u; c0 += {{ unroll }}u) {
{% for c in range(unroll) %}
                    {
{% for i in range(each) %}
                    let a{{ i }} = stage[(ty + {{ i * ty_count }}u) * {{ pitch }}u + c0 + {{ c }}u];
{% endfor %}
{% for j in range(4) %}
                    let b{{ j }} = stage[(tx + {{ j * tx_count }}u) * {{ pitch }}u + c0 + {{ own * pitch + c }}u];
{% endfor %}
{% for x in "xyzw" %}{% for i in range(each) %}{% for j in range(4) %}
                    {{ name }}{{ i }}_{{ j }} = fma(a{{ i }}.{{ x }}, b{{ j }}.{{ x }}, {{ name }}{{ i }}_{{ j }});
{% endfor %}{% endfor %}{% endfor %}
                    }
{% endfor %}
                }
            }
{% endmacro %}

{% macro tile_zeros(name) %}
{% for i in range(each) %}{% for c in range(strips) %}
        var {{ name }}{{ i }}_{{ c }} = vec4<f32>();
{% endfor %}{% endfor %}
{% endmacro %}

{# name{i}_{c} += the weights of the pairs (weight{i} of each thread) times the others' rows of `b`. #}
{% macro tile_add(name, weight, b) %}
{% set step = whole_rows() | int %}
            workgroupBarrier();  // before anybody overwrites `weights`
{% for i in range(each) %}
            weights[(ty + {{ i * ty_count }}u) * {{ tx_count + 1 }}u + tx] = {{ weight }}{{ i }};
{% endfor %}
            for (var part = 0u; part < {{ other }}u; part += {{ step }}u) {
                workgroupBarrier();
                for (var i = t; i < {{ step * quads }}u; i += {{ threads }}u) {
                    let row = base + part + i / {{ quads }}u;
                    var x = vec4<f32>();
                    if (row < last) { x = {{ b }}[{{ walked("row") }} + i % {{ quads }}u]; }
                    stage[i] = x;
                }
                workgroupBarrier();
                for (var row = 0u; row < {{ step }}u; row += 4u) {
{% for i in range(each) %}
                    let w{{ i }} = weights[(ty + {{ i * ty_count }}u) * {{ tx_count + 1 }}u + (part + row) / 4u];
{% endfor %}
{% for e in range(4) %}{% for c in range(strips) %}
                    let x{{ e }}_{{ c }} = stage[(row + {{ e }}u) * {{ quads }}u + {{ strip(c) }}];
{% for i in range(each) %}
                    {{ name }}{{ i }}_{{ c }} = fma(vec4(w{{ i }}.{{ "xyzw"[e] }}), x{{ e }}_{{ c }}, {{ name }}{{ i }}_{{ c }});
{% endfor %}
{% endfor %}{% endfor %}
                }
            }
{% endmacro %}

{# The index of a thread's vec4 number c, at most the last one. #}
{% macro strip(c) %}
{{ "tx + %du" % (c * tx_count) if (c + 1) * tx_count <= quads else "min(tx + %du, %du)" % (c * tx_count, quads - 1) }}
{%- endmacro %}

{% macro tile_write(array, name, factor) %}
{% for i in range(each) %}{% for c in range(strips) %}
        if (mine{{ i }} < stop{{ " && tx + %du < %du" % (c * tx_count, quads) if (c + 1) * tx_count > quads }}) {
            {{ array }}[{{ query("mine%d" % i) }} + {{ strip(c) }}] = {{ name }}{{ i }}_{{ c }} * {{ factor }};
        }
{% endfor %}{% endfor %}
{% endmacro %}
