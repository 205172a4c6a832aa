{# y[M, N] = x[M, K] . W[N, K]^T for weights whose codes are integers of eight bits, four products at a time. x is rows of
   integers of 16 bits (row_integers): two bytes of each are multiplied apart. A workgroup computes `bm` rows by `bn`
   columns. `lanes` neighbouring threads share `columns` of them and take turns at units of weights, which go straight
   into registers: a chunk of 32 or 64 codes, or two of 16. Of x, `steps` units of each lane at a time are in workgroup
   memory; the next ones are fetched meanwhile. #}
{% import "_weights.wgsl" as W %}
{% set C = CHUNK[weight] %}
{% set unit = [C, 32] | max %}
{% set loads = unit // C %}
{% set parts = unit // 32 %}
{% set by_words = weight in W.BY_WORDS %}
{% set halves = weight in W.HALVES %}
{% set offset = weight in W.OFFSET %}
{% set teams = threads // lanes %}
{% set bn = teams * columns %}
{% set SU = lanes * steps %}
{% set SX = SU * parts %}
{% set PLANE = bm * SX %}
{% set SUMS = "vec2<f32>" if by_words else "f32" %}
{# A thread stages 16 integers of x at a time. #}
{% set count = 2 * PLANE %}
{% set NX = (count + threads - 1) // threads %}
{% set NI = (PLANE + threads - 1) // threads %}
{% set WHOLE_UNIT = W.whole_unit(weight) | float %}
{{ W.whole_functions(weight) }}
{{ W.scale_function(weight, threads=threads, by_chunks=true) }}
{{ W.scale_parts(weight) }}
var<workgroup> digits: array<vec4<u32>, {{ 4 * PLANE }}>;
var<workgroup> step_of: array<f32, {{ PLANE }}>;
{% if offset %}
var<workgroup> sum_of: array<{{ SUMS }}, {{ PLANE }}>;
{% endif %}
// Byte `k` of eight numbers of 16 bits, in order, as signed digits: 128 more in each byte adds 128 to each digit.
fn biased(v: vec4<u32>) -> vec4<u32> { return (v ^ vec4(0x80008000u)) + vec4(0x00800080u); }
fn low_digits(v: vec4<u32>) -> vec2<u32> {
    let u = v & vec4(0x00ff00ffu);
    let pair = u | (u >> vec4(8u));
    return ((pair.xz & vec2(0xffffu)) | (pair.yw << vec2(16u))) ^ vec2(0x80808080u);
}
fn put(m: u32, n: u32, v: f32) {
    if (m >= p.m || n >= p.n) { return; }
    let i = m * p.width + p.at + n;
    y[i] = v{{ " + b[n]" if bias }}{{ " + r[i]" if add }};
}

{# Number of a chunk of column j: load `l` of unit `u`. #}
{% macro chunk(j, l, u) %}row{{ j }} + {{ u }}{{ " * %du + %du" % (loads, l) if loads > 1 }}{% endmacro %}
{% macro fetch_w(u, declare=false) %}
{% set var = "var " if declare else "" %}
{% for j in range(columns) %}
{% for l in range(loads) %}
        {{ var }}q{{ j }}_{{ l }} = w[{{ chunk(j, l, u) }}];
{% endfor %}
        {{ var }}s{{ j }} = scale_bits({{ chunk(j, 0, u) }});
{% if weight in W.HIGH %}
        {{ var }}h{{ j }} = high_of({{ chunk(j, 0, u) }});
{% endif %}
{% endfor %}
{% endmacro %}
{% macro fetch_x(first, declare=false) %}
{% set var = "var " if declare else "" %}
{% for i in range(NX) %}
        {{ var }}a{{ i }} = x_at({{ first }} + chunk_x{{ i }}, from_x{{ i }});
        {{ var }}b{{ i }} = x_at({{ first }} + chunk_x{{ i }}, from_x{{ i }} + 1u);
{% endfor %}
{% for i in range(NI) %}
        {{ var }}i{{ i }} = info_at({{ first }} + chunk_i{{ i }}, from_i{{ i }});
{% endfor %}
{% endmacro %}
{% macro stash() %}
{% for i in range(NX) %}
        {{ "if (slot + %du < %du)" % (i * threads, count) if (i + 1) * threads > count }} {
            let va = biased(a{{ i }});
            let vb = biased(b{{ i }});
            digits[to_x{{ i }}] = vec4(low_digits(va >> vec4(8u)), low_digits(vb >> vec4(8u)));
            digits[to_x{{ i }} + {{ 2 * PLANE }}u] = vec4(low_digits(va), low_digits(vb));
        }
{% endfor %}
{% for i in range(NI) %}
        {{ "if (slot + %du < %du)" % (i * threads, PLANE) if (i + 1) * threads > PLANE }} {
            step_of[to_i{{ i }}] = i{{ i }}.x;
{% if offset %}
            sum_of[to_i{{ i }}] = i{{ i }}.{{ "yz" if by_words else "w" }};
{% endif %}
        }
{% endfor %}
{% endmacro %}
{# The sum of products of words `words` of column j and row i, whose digits are high_K and low_K for words 4 K to 4 K + 3. #}
{% macro whole_sum(j, words) %}
(({% for v in words %}dot4I8Packed(v{{ j }}_{{ v }}, high_{{ v % 8 // 4 }}.{{ "xyzw"[v % 4] }}){{ " + " if not loop.last }}{% endfor %}) << 8u) + {% for v in words %}dot4I8Packed(v{{ j }}_{{ v }}, low_{{ v % 8 // 4 }}.{{ "xyzw"[v % 4] }}){{ " + " if not loop.last }}{% endfor %}
{% endmacro %}

// Vector `at` of the 16-bit integers of a chunk of 32; zeros behind the end of a row.
fn x_at(chunk: u32, at: u32) -> vec4<u32> {
    return select(vec4<u32>(), x[4u * min(chunk, p.x_chunks - 1u) + at], chunk < p.x_chunks);
}
fn info_at(chunk: u32, at: u32) -> vec4<f32> {
    return select(vec4<f32>(), info[min(chunk, p.x_chunks - 1u) + at], chunk < p.x_chunks);
}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(local_invocation_index) t: u32,
        @builtin(subgroup_id) sg: u32, @builtin(subgroup_size) sg_size: u32, @builtin(subgroup_invocation_id) sg_lane: u32) {
{% if weight in W.GRIDS %}
    load_codebook(t);
{% endif %}
    // Threads are counted along subgroups: a driver may number the two differently.
    let slot = sg * sg_size + sg_lane;
    let lane = slot % {{ lanes }}u;
    let first_m = wid.y * {{ bm }}u;
    let first_n = wid.x * {{ bn }}u + slot / {{ lanes }}u * {{ columns }}u;
{% for j in range(columns) %}
    let row{{ j }} = min(first_n + {{ j }}u, p.n - 1u) * p.w_chunks;
{% for i in range(bm) %}
    var c{{ i }}_{{ j }} = 0.0;
{% endfor %}{% endfor %}
{% for i in range(NX) %}
    let item_x{{ i }} = min(slot + {{ i * threads }}u, {{ count - 1 }}u);
    let chunk_x{{ i }} = item_x{{ i }} % {{ 2 * SX }}u / 2u;
    let from_x{{ i }} = min(first_m + item_x{{ i }} / {{ 2 * SX }}u, p.m - 1u) * p.x_chunks * 4u + item_x{{ i }} % 2u * 2u;
    let to_x{{ i }} = item_x{{ i }} % 2u * {{ PLANE }}u + item_x{{ i }} / {{ 2 * SX }}u * {{ SX }}u + {{ "chunk_x%d %% 2u * %du + chunk_x%d / 2u" % (i, SU, i) if parts == 2 else "chunk_x%d" % i }};
{% endfor %}
{% for i in range(NI) %}
    let item_i{{ i }} = min(slot + {{ i * threads }}u, {{ PLANE - 1 }}u);
    let chunk_i{{ i }} = item_i{{ i }} % {{ SX }}u;
    let from_i{{ i }} = min(first_m + item_i{{ i }} / {{ SX }}u, p.m - 1u) * p.x_chunks;
    let to_i{{ i }} = item_i{{ i }} / {{ SX }}u * {{ SX }}u + {{ "chunk_i%d %% 2u * %du + chunk_i%d / 2u" % (i, SU, i) if parts == 2 else "chunk_i%d" % i }};
{% endfor %}
{{ fetch_x("0u", true) }}
{{ fetch_w("min(lane, p.units - 1u)", true) }}
    for (var u0 = 0u; u0 < p.units; u0 += {{ SU }}u) {
        workgroupBarrier();
{{ stash() }}
        workgroupBarrier();
        if (u0 + {{ SU }}u < p.units) {
{{ fetch_x(("%du * (u0 + %du)" if parts > 1 else "(u0 + %du)") % ((parts, SU) if parts > 1 else SU)) }}
        }
        for (var step = 0u; step < {{ steps }}u; step++) {
            let u = u0 + lane + step * {{ lanes }}u;
            let at = lane + step * {{ lanes }}u;
{% for j in range(columns) %}
{% if weight in W.BYTES %}
{% for l in range(loads) %}{% for e in range(4) %}
            let v{{ j }}_{{ 4 * l + e }} = q{{ j }}_{{ l }}.{{ "xyzw"[e] }};
{% endfor %}{% endfor %}
{% else %}
{% set of = "v%d_" % j %}
{% for e in range(unit // 4) %}
            var {{ of }}{{ e }}: u32;
{% endfor %}
            {
{{ W.whole(weight, "q%d_0" % j, "word", "h%d" % j) }}
{% for e in range(unit // 4) %}
                {{ of }}{{ e }} = word{{ e }};
{% endfor %}
            }
{% endif %}
            let sc{{ j }} = scale_from(s{{ j }}, {{ chunk(j, 0, "min(u, p.units - 1u)") }});
{% endfor %}
            let next = min(u + {{ lanes }}u, p.units - 1u);
{{ fetch_w("next") }}
{% for part in range(parts) %}
{% for i in range(bm) %}
            {
                let place = at + {{ i * SX + part * SU }}u;
                let unit = step_of[place] * {{ WHOLE_UNIT }};
{% if offset %}
                let sum = sum_of[place];
{% endif %}
                let high_0 = digits[place];
                let high_1 = digits[place + {{ PLANE }}u];
                let low_0 = digits[place + {{ 2 * PLANE }}u];
                let low_1 = digits[place + {{ 3 * PLANE }}u];
{% for j in range(columns) %}
{% if by_words %}
{% for h in range(2) %}
{% set word = 2 * part + h %}
                {
                    let whole = {{ whole_sum(j, range(4 * word, 4 * word + 4)) }};
                    c{{ i }}_{{ j }} = fma(unit * f32(whole), sc{{ j }}.x.{{ "xyzw"[word] }}, c{{ i }}_{{ j }});
{% if offset %}
                    c{{ i }}_{{ j }} = fma(sum.{{ "xy"[h] }}, sc{{ j }}.y.{{ "xyzw"[word] }}, c{{ i }}_{{ j }});
{% endif %}
                }
{% endfor %}
{% elif halves %}
                {
                    let first = f32({{ whole_sum(j, range(4)) }});
                    let second = f32({{ whole_sum(j, range(4, 8)) }});
                    c{{ i }}_{{ j }} = fma(unit, fma(first, sc{{ j }}.x, second * sc{{ j }}.y), c{{ i }}_{{ j }});
                }
{% else %}
                {
                    let whole = f32({{ whole_sum(j, range(8)) }});
                    c{{ i }}_{{ j }} = fma(unit * whole, sc{{ j }}.x, c{{ i }}_{{ j }});
{% if offset %}
                    c{{ i }}_{{ j }} = fma(sum, sc{{ j }}.y, c{{ i }}_{{ j }});
{% endif %}
                }
{% endif %}
{% endfor %}
            }
{% endfor %}
{% endfor %}
        }
    }
{% for i in range(bm) %}{% for j in range(columns) %}
{% for bit in [16, 8, 4, 2, 1] if bit < lanes %}
    c{{ i }}_{{ j }} += subgroupShuffleXor(c{{ i }}_{{ j }}, {{ bit }}u);
{% endfor %}
    if (lane == {{ (i * columns + j) % lanes }}u) { put(first_m + {{ i }}u, first_n + {{ j }}u, c{{ i }}_{{ j }}); }
{% endfor %}{% endfor %}
}
