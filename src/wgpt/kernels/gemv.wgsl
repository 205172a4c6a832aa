{# y[N] = W[N, K] . x[K]. A team of `lanes` threads computes `rows` rows: it walks them in 16-byte chunks, each lane the
   next one, and adds the lanes up at the end. (Quantised types may go word by word: neighbouring lanes then read
   neighbouring x, where chunks of 32 weights would have each lane in a cache line of its own. Or x is staged in
   workgroup memory first, with K baked in: as it is, or as whole numbers of `digits` bytes (three, which hold all that an
   f32 does) and a scale for each chunk, so that codes of four or eight bits are multiplied four at a time.) A team is one
   thread, lanes of one subgroup (added by shuffles), or a whole workgroup (subgroups first, where there are any, then
   workgroup memory). `fixed`: the sizes are part of the code, so nothing waits for the uniforms, and up to `straight`
   steps are written out, so that all loads are under way at once.

   Fused (gemv_fused): RMSNorm of x before (x is multiplied by the gains as it is read, each team adds up the squares
   it meets, and the root comes in at the end: no pass and no barrier of its own), bias, SwiGLU or GELU, and a
   residual after. SwiGLU takes rows n and n + N as gate and up: two dots to an output. With `splits`, x is the outcome of
   attention in so many slices (attention_combine says what it is), made one as it is read. #}
{% import "_weights.wgsl" as W %}
{% set scaled = weight in SCALED %}
{% set XV = CHUNK[weight] // 16 * width if scaled else CHUNK[weight] // 4 %}
{% set offset = weight in W.OFFSET %}
{% set teams = threads // lanes %}
{% set halves = weight in W.HALVES %}
{% set codes = reduce == "thread" and weight in W.ZERO %}
{% set grouped = reduce == "thread" and weight in W.GROUPED %}
{% set bytewise = reduce == "thread" and weight in W.NIBBLES %}
{% set steps = (units + lanes - 1) // lanes if fixed and not stage else 0 %}
{% set UNITS = "%du" % units if fixed or reduce == "thread" else "p.units" %}
{% set N = "%du" % n if fixed else "p.n" %}
{% set K = "%d.0" % k if fixed else "f32(p.k)" %}
{% set EPS = eps if fixed else "p.eps" %}
{% set AT = ("%du + " % at if fixed else "p.at + ") if fused else "" %}
{# What is added at the end is asked for at the beginning, where it does not cost registers that a lone thread needs. #}
{% set early = reduce != "thread" %}
{% set dots = rows * (2 if act == "swiglu" else 1) %}
{% set sums = range(dots + 1) if norm else range(dots) %}
{% if weight in W.CODES %}{{ W.codebook(reduce != "thread") }}{% endif %}
{{ W.scale_function(weight, reduce == "thread") }}
{% for name in (["x", "g"] if norm else [] if splits else ["x"]) %}
{% if x == "vec4" %}
fn {{ name }}_at(i: u32) -> vec4<f32> { return {{ name }}[i]; }
{% else %}
fn {{ name }}1_at(i: u32) -> f32 { if (i < {{ '%du' % k if fixed else 'p.k' }}) { return {{ name }}[i]; } return 0.0; }
fn {{ name }}_at(i: u32) -> vec4<f32> {
    return vec4({{ name }}1_at(4u * i), {{ name }}1_at(4u * i + 1u), {{ name }}1_at(4u * i + 2u), {{ name }}1_at(4u * i + 3u));
}
{% endif %}
{% endfor %}
{% if act != "none" %}
{% include "_logistic.wgsl" %}
{% endif %}
{% if act == "gelu" %}
{% include "_gelu.wgsl" %}
{% endif %}

{% if splits %}
{% set quads = head_dim // 4 %}
{# Statements: what each slice counts of the head that has vec4 number i. #}
{% macro take_shares(i) %}
        let slice = {{ i }} / {{ quads }}u * {{ splits * (quads + 1) }}u;
{% for s in range(splits) %}
        let log{{ s }} = part[slice + {{ s * (quads + 1) + quads }}u].xy;
{% endfor %}
        var top = -3.4028234e38;
{% for s in range(splits) %}
        top = max(top, select(top, log{{ s }}.x, log{{ s }}.y > 0.0));
{% endfor %}
{% for s in range(splits) %}
        let part{{ s }} = select(0.0, exp(log{{ s }}.x - top), log{{ s }}.y > 0.0);
{% endfor %}
        let whole = {% for s in range(splits) %}part{{ s }}{{ " + " if not loop.last }}{% endfor %};
        let share = select(0.0, 1.0 / whole, whole > 0.0);
{% endmacro %}
{% endif %}

{# Statements: x{{ j }}, vec4 i of x, or zeros unless `live`; squares are added up on the way. #}
{% macro take_x(j, i, live) %}
{% set value = "select(vec4<f32>(), x_at(%s), live)" % i if live else "x_at(%s)" % i %}
{% if splits %}
        let e{{ j }} = slice + {{ i }} % {{ quads }}u;
        let x{{ j }} = (
            {%- for s in range(splits) %}part{{ s }} * part[e{{ j }} + {{ s * (quads + 1) }}u]{{ " + " if not loop.last }}{% endfor -%}
        ) * {{ "select(0.0, share, live)" if live else "share" }};
{% elif norm %}
        let raw{{ j }} = {{ value }};
        squares += dot(raw{{ j }}, raw{{ j }});
        let x{{ j }} = raw{{ j }} * g_at({{ i }});
{% else %}
        let x{{ j }} = {{ value }};
{% endif %}
{% endmacro %}

{% if reduce == "workgroup" %}
var<workgroup> lane_sums: array<f32, {{ threads * (sums | length) if subgroups else threads }}>;
{% endif %}

{# sum_r += scale * (v . x) + offset * (sum of x), with v . x as one chain of fma. Where v are codes, the chain begins at
   what a code for zero would add up to. #}
{% macro add_scaled(r, xsum) %}
        sum{{ r }} = fma(sc.x, d, {{ "fma(sc.y, %s, sum%d)" % (xsum, r) if offset else "sum%d" % r }});
{% endmacro %}
{% macro scaled_sum(r, xsum) %}
        var d = {{ "zero0" if codes else "0.0" }};
{% for j in range(XV) %}
{% if halves and j == XV // 2 %}
        let d0 = d;
        d = {{ "zero1" if codes else "0.0" }};
{% endif %}
{% for e in "xyzw" %}
        d = fma(v{{ j }}.{{ e }}, x{{ j }}.{{ e }}, d);
{% endfor %}
{% endfor %}
{% if halves %}
        sum{{ r }} = fma(sc.x, d0, fma(sc.y, d, sum{{ r }}));
{% else %}
{{ add_scaled(r, xsum) }}
{% endif %}
{% endmacro %}

{# The same from whole bytes b = low + 16 high: low x + high y = low (x - y/16) + b (y/16), where z_j and z_(j+4) are
   the two factors. Where integer instructions count, a byte is cheaper than a high nibble. #}
{% macro bytewise_sum(r, xsum) %}
        var d = 0.0;
{% for j in range(4) %}
{% set word = "q%d.%s" % (r, "xyzw"[j]) %}
        {
        let b = vec4({{ word }} & 255u, ({{ word }} >> 8u) & 255u, ({{ word }} >> 16u) & 255u, {{ word }} >> 24u);
{% for e in "xyzw" %}
        d = fma(f32(b.{{ e }}), z{{ j + 4 }}.{{ e }}, fma(f32(b.{{ e }} & 15u), z{{ j }}.{{ e }}, d));
{% endfor %}
        }
{% endfor %}
{{ add_scaled(r, xsum) }}
{% endmacro %}

{# One unit (a chunk or a word) of every row, added to sum0 .. sum(rows-1), where `live`. #}
{% macro step(c, live=false) %}
{% if splits %}
{{ take_shares("(%s)" % ("%s * %du" % (c, XV) if width == 4 else c if weight == "q8_0" else "(%s >> 2u) * 8u" % c)) }}
{% endif %}
{% if width == 4 %}
{% for j in range(XV) %}
{{ take_x(j, "(%s * %du + %du)" % (c, XV, j), live) }}{% endfor %}
{% elif weight == "q8_0" %}
{{ take_x(0, c, live) }}{% else %}
{{ take_x(0, "((%s >> 2u) * 8u + (%s & 3u))" % (c, c), live) }}
{{ take_x(1, "((%s >> 2u) * 8u + (%s & 3u) + 4u)" % (c, c), live) }}{% endif %}
{% if offset %}
        let xs = {% for j in range(XV) %}x{{ j }}{{ " + " if not loop.last }}{% endfor %};
        let xsum = (xs.x + xs.y) + (xs.z + xs.w);
{% endif %}
{% if codes %}
{% for part in (((0, XV // 2), (XV // 2, XV)) if halves else ((0, XV),)) %}
        let xs{{ loop.index0 }} = {% for j in range(*part) %}x{{ j }}{{ " + " if not loop.last }}{% endfor %};
        let zero{{ loop.index0 }} = dot(xs{{ loop.index0 }}, vec4(-{{ W.ZERO[weight] }}.0));
{% endfor %}
{% endif %}
{% if bytewise %}
{% for j in range(4) %}
        let z{{ j + 4 }} = x{{ j + 4 }} * 0.0625;
        let z{{ j }} = x{{ j }} - z{{ j + 4 }};
{% endfor %}
{% endif %}
{% if reduce != "thread" %}
{% for r in range(dots) %}
        let q{{ r }} = w[base{{ r }} + {{ c }}];
{% endfor %}
{% endif %}
{% for r in range(dots) %}
        {
{% if reduce == "thread" %}
        let q{{ r }} = w[base{{ r }} + {{ c }}];
{% endif %}
{% if weight in W.HIGH %}
        let high = {{ "high_of(base%d + %s)" % (r, c) if width == 4 else "high_word((base%d + %s) >> 2u, %s & 3u)" % (r, c, c) }};
{% endif %}
{% if width == 4 and not bytewise %}
{{ W.values(weight, half, "q" ~ r, "v") }}
{% elif width == 1 %}
{{ W.word_values(weight, "q" ~ r, "v") }}
{% endif %}
{% if scaled %}
{% if grouped %}
        let sc = scale_in(group{{ r }}, {{ c }} & 7u);
{% else %}
        let sc = scale_of({{ "base%d + %s" % (r, c) if width == 4 else "(base%d + %s) >> 2u" % (r, c) }});
{% endif %}
{{ bytewise_sum(r, "xsum") if bytewise else scaled_sum(r, "xsum") }}
{% else %}
        sum{{ r }} += {% for j in range(XV) %}v{{ j }} * x{{ j }}{{ " + " if not loop.last }}{% endfor %};
{% endif %}
        }
{% endfor %}
{% endmacro %}

{# Weights without scales are summed in four parts a lane: shorter chains, and less rounding on long rows. #}
{% macro setup_rows(first) %}
{% for r in range(rows) %}
    let row{{ r }} = {{ first }} + {{ r }}u;
    let from{{ r }} = min(row{{ r }}, {{ N }} - 1u);
{% if bias and early %}
    let bias{{ r }} = b[from{{ r }}];
{% endif %}
{% if add and early %}
    let rest{{ r }} = r[{{ AT }}from{{ r }}];
{% endif %}
{% endfor %}
{% for d in range(dots) %}
    let base{{ d }} = {{ "from%d" % d if d < rows else "(from%d + %s)" % (d - rows, N) }} * {{ UNITS }};
    var sum{{ d }} = {{ "0.0" if scaled else "vec4<f32>()" }};
{% endfor %}
{% if norm and not stage %}
    var squares = 0.0;
{% endif %}
{% endmacro %}

{# The squares are added up over the team as one more sum; staged, they are already. #}
{% macro fold() %}
{% for d in range(dots) %}
        var acc{{ d }} = {{ "sum%d" % d if scaled else "(sum%d.x + sum%d.y) + (sum%d.z + sum%d.w)" % (d, d, d, d) }};
{% endfor %}
{% if norm and not stage %}
        var acc{{ dots }} = squares;
{% endif %}
{% endmacro %}
{% set sums = range(dots) if stage else sums %}

{% macro store() %}
{% if norm %}
    let root = inverseSqrt({{ "squares" if stage else "acc%d" % dots }} / {{ K }} + {{ EPS }});
{% endif %}
{% for r in range(rows) %}
        if (row{{ r }} < {{ N }}) {
{% for d in ([r, r + rows] if act == "swiglu" else [r]) %}
            let v{{ d }} = acc{{ d }}{{ " * root" if norm }}{{ (" + bias%d" if early else " + b[row%d]") % r if bias }};
{% endfor %}
{% if act == "swiglu" %}
            let out = v{{ r }} * logistic(vec4(v{{ r }})).x * v{{ r + rows }};
{% elif act == "gelu" %}
            let out = gelu(vec4(v{{ r }})).x;
{% else %}
            let out = v{{ r }};
{% endif %}
            y[{{ AT }}row{{ r }}] = {{ ("rest%d + " % r if early else "r[%srow%d] + " % (AT, r)) if add }}out;
        }
{% endfor %}
{% endmacro %}

{% if stage and digits %}
{# A thread takes 16 of x: a vec4 of bytes for each digit. The digits are signed: a number plus 128 in each of its bytes
   has the digits plus 128. An odd number of vectors to a chunk, so that lanes read from different banks. #}
{% set halves_of_chunk = XV // 4 %}
{% set STRIDE = digits * halves_of_chunk + 1 - digits * halves_of_chunk % 2 %}
{% set BIAS = "0x808080" %}
{% set LIMIT = 8355000.0 %}
var<workgroup> x_tile: array<vec4<u32>, {{ chunks * STRIDE }}>;
var<workgroup> x_scale: array<f32, {{ chunks }}>;
{% if offset %}
var<workgroup> x_sum: array<f32, {{ chunks }}>;
{% endif %}
{% if norm %}
var<workgroup> x_squares: array<f32, {{ threads }}>;
{% endif %}
fn digits_of(x: vec4<f32>, inverse: f32) -> vec4<u32> {
    return bitcast<vec4<u32>>(vec4<i32>(round(x * inverse)) + vec4({{ BIAS }})) ^ vec4({{ BIAS }}u);
}
fn first_digits(u: vec4<u32>) -> u32 { return (u.x & 255u) | ((u.y & 255u) << 8u) | ((u.z & 255u) << 16u) | (u.w << 24u); }
fn stage_x(slot: u32{{ ", sg: u32, sgs: u32, sg_lane: u32) -> f32" if norm else ")" }} {
{% if norm %}
    var part = 0.0;
{% endif %}
    for (var base = 0u; base < {{ chunks * halves_of_chunk }}u; base += {{ threads }}u) {
        let exists = base + slot < {{ chunks * halves_of_chunk }}u;
        let item = min(base + slot, {{ chunks * halves_of_chunk - 1 }}u);
{% for j in range(4) %}
{% if norm %}
        let raw{{ j }} = x[4u * item + {{ j }}u];
        let x{{ j }} = raw{{ j }} * g[4u * item + {{ j }}u];
{% else %}
        let x{{ j }} = x[4u * item + {{ j }}u];
{% endif %}
{% endfor %}
{% if norm %}
        let squares = (dot(raw0, raw0) + dot(raw1, raw1)) + (dot(raw2, raw2) + dot(raw3, raw3));
        part += select(0.0, squares, exists);
{% endif %}
        let size = max(max(abs(x0), abs(x1)), max(abs(x2), abs(x3)));
        var top = max(max(size.x, size.y), max(size.z, size.w));
        let sum4 = (x0 + x1) + (x2 + x3);
        var sum = (sum4.x + sum4.y) + (sum4.z + sum4.w);
{% if halves_of_chunk == 2 %}
        top = max(top, subgroupShuffleXor(top, 1u));
        sum += subgroupShuffleXor(sum, 1u);
{% endif %}
        let inverse = select(0.0, {{ LIMIT }} / top, top > 1e-30);
{% for j in range(4) %}
        let u{{ j }} = digits_of(x{{ j }}, inverse);
{% endfor %}
        if (exists) {
            let chunk = item / {{ halves_of_chunk }}u;
            let to = chunk * {{ STRIDE }}u + item % {{ halves_of_chunk }}u;
{% for k in range(digits) %}
            x_tile[to + {{ k * halves_of_chunk }}u] = vec4(
                {%- for j in range(4) %}first_digits(u{{ j }} >> vec4({{ 8 * k }}u)){{ ", " if not loop.last }}{% endfor %});
{% endfor %}
            // What is no number, or no finite one, stays so.
            x_scale[chunk] = select(sum, top * {{ 1.0 / LIMIT }}, abs(sum) <= 3.4e38);
{% if offset %}
            x_sum[chunk] = sum;
{% endif %}
        }
    }
{% if norm %}
    part = subgroupAdd(part);
    if (sg_lane == 0u) { x_squares[sg] = part; }
    workgroupBarrier();
    var squares = x_squares[0];
    for (var i = 1u; i < sgs; i++) { squares += x_squares[i]; }
    return squares;
{% else %}
    workgroupBarrier();
{% endif %}
}

{# Chunk `c` of row `r`: whole numbers times whole numbers, four at a time. #}
{% macro digit_sum(r) %}
{% for k in range(digits) %}
            var d{{ k }} = 0;
{% endfor %}
{% for j in range(4) %}
{% set word = "q." ~ "xyzw"[j] %}
{% if weight == "q8_0" %}
{% for k in range(digits) %}
            d{{ k }} += dot4I8Packed({{ word }}, x{{ k }}_0.{{ "xyzw"[j] }});
{% endfor %}
{% else %}
            let low{{ j }} = {{ word }} & 0x0f0f0f0fu;
            let high{{ j }} = ({{ word }} >> 4u) & 0x0f0f0f0fu;
{% for k in range(digits) %}
            d{{ k }} += dot4I8Packed(low{{ j }}, x{{ k }}_0.{{ "xyzw"[j] }});
            d{{ k }} += dot4I8Packed(high{{ j }}, x{{ k }}_1.{{ "xyzw"[j] }});
{% endfor %}
{% endif %}
{% endfor %}
            let d = fma(f32(d2), 65536.0, f32(256 * d1 + d0)) * unit;
{{ add_scaled(r, "x_sum[c]") }}
{% endmacro %}
{% elif stage %}
{# A vector more than a chunk needs between chunks: lanes then read from different banks. #}
{% set STRIDE = XV + 1 %}
var<workgroup> x_tile: array<vec4<f32>, {{ chunks * STRIDE }}>;
{% if offset %}
var<workgroup> x_sum: array<f32, {{ chunks }}>;
{% endif %}
{% if norm %}
var<workgroup> x_squares: array<f32, {{ threads }}>;
{% endif %}
fn stage_x(t: u32{{ ", sg: u32, sgs: u32, sg_lane: u32) -> f32" if norm else ")" }} {
{% if norm %}
    var part = 0.0;
    for (var i = t; i < {{ chunks * XV }}u; i += {{ threads }}u) {
        let raw = x[i];
        part += dot(raw, raw);
        x_tile[i + i / {{ XV }}u] = raw * g[i];
    }
    part = subgroupAdd(part);
    if (sg_lane == 0u) { x_squares[sg] = part; }
{% else %}
    for (var i = t; i < {{ chunks * XV }}u; i += {{ threads }}u) { x_tile[i + i / {{ XV }}u] = x[i]; }
{% endif %}
    workgroupBarrier();
{% if offset %}
    for (var i = t; i < {{ chunks }}u; i += {{ threads }}u) {
        var sum = x_tile[i * {{ STRIDE }}u];
        for (var j = 1u; j < {{ XV }}u; j++) { sum += x_tile[i * {{ STRIDE }}u + j]; }
        x_sum[i] = (sum.x + sum.y) + (sum.z + sum.w);
    }
    workgroupBarrier();
{% endif %}
{% if norm %}
    var squares = x_squares[0];
    for (var i = 1u; i < sgs; i++) { squares += x_squares[i]; }
    return squares;
{% endif %}
}
{% endif %}

{# `ahead`: the first weights are asked for before x is staged. #}
{% set early_steps = 12 // dots %}
{% macro load_ahead() %}
{% for u in range([(chunks + lanes - 1) // lanes, early_steps] | min) %}
    let c{{ u }} = min(lane + {{ u * lanes }}u, {{ chunks - 1 }}u);
{% for r in range(dots) %}
    let q{{ u }}_{{ r }} = w[base{{ r }} + c{{ u }}];
    let sc{{ u }}_{{ r }} = scale_of(base{{ r }} + c{{ u }});
{% endfor %}
{% endfor %}
{% endmacro %}

{# All chunks of a lane against the staged x. #}
{% macro walk_staged() %}
{% for u in range((chunks + lanes - 1) // lanes) %}
{% if chunks % lanes == 0 or u < chunks // lanes %}
    {
{% else %}
    if (lane < {{ chunks % lanes }}u) {
{% endif %}
        let c = lane + {{ u * lanes }}u;
{% if digits %}
        let unit = x_scale[c];
{% for k in range(digits) %}{% for h in range(halves_of_chunk) %}
        let x{{ k }}_{{ h }} = x_tile[c * {{ STRIDE }}u + {{ k * halves_of_chunk + h }}u];
{% endfor %}{% endfor %}
{% else %}
{% for j in range(XV) %}
        let x{{ j }} = x_tile[c * {{ STRIDE }}u + {{ j }}u];
{% endfor %}
{% endif %}
{% for r in range(dots) %}
        {
{% if ahead and u < early_steps %}
            let q = q{{ u }}_{{ r }};
            let sc = sc{{ u }}_{{ r }};
{% else %}
            let q = w[base{{ r }} + c];
            let sc = scale_of(base{{ r }} + c);
{% endif %}
{% if digits %}
{{ digit_sum(r) }}
{% else %}
{% if weight in W.HIGH %}
            let high = high_of(base{{ r }} + c);
{% endif %}
{{ W.values(weight, half, "q", "v") }}
{{ scaled_sum(r, "x_sum[c]") }}
{% endif %}
        }
{% endfor %}
    }
{% endfor %}
{{ fold() }}
{% endmacro %}

{# All units of a lane, `unroll` at a time so that their loads are in flight together; a lone thread has the scales of
   eight chunks at once where they are a group. #}
{% macro walk(first, stride) %}
{% if grouped %}
    for (var g = 0u; g < {{ units // 8 }}u; g++) {
{% for d in range(dots) %}
        let group{{ d }} = group_of((base{{ d }} >> 3u) + g);
{% endfor %}
        for (var c = 8u * g; c < 8u * g + 8u; c++) {
{{ step("c") }}
        }
    }
{{ fold() }}
{% elif 0 < steps <= straight %}
{% for u in range(steps) %}
    {
{% if (u + 1) * lanes <= units %}
        let cu = {{ first }} + {{ u * lanes }}u;
{{ step("cu") }}
{% else %}
        let live = {{ first }} + {{ u * lanes }}u < {{ UNITS }};
        let cu = min({{ first }} + {{ u * lanes }}u, {{ UNITS }} - 1u);
{{ step("cu", true) }}
{% endif %}
    }
{% endfor %}
{{ fold() }}
{% else %}
    var c = {{ first }};
{% if unroll > 1 %}
    for (; c + {{ unroll - 1 }}u * {{ stride }} < {{ UNITS }}; c += {{ unroll }}u * {{ stride }}) {
{% for u in range(unroll) %}
        {
        let cu = c + {{ u }}u * {{ stride }};
{{ step("cu") }}
        }
{% endfor %}
    }
{% endif %}
    for (; c < {{ UNITS }}; c += {{ stride }}) {
{{ step("c") }}
    }
{{ fold() }}
{% endif %}
{% endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
{% if subgroups %}
        @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32,
        @builtin(subgroup_size) sg_size: u32, @builtin(subgroup_invocation_id) sg_lane: u32,
{% endif %}
        @builtin(local_invocation_index) t: u32) {
    let wg = wid.x + wid.y * nwg.x;
{% if weight in W.CODES and reduce != "thread" %}
    load_codebook(t);
{% endif %}
{% if reduce == "thread" %}
    let first = (wg * {{ threads }}u + t) * {{ rows }}u;
    if (first >= {{ N }}) { return; }
{{ setup_rows("first") }}
{{ walk("0u", "1u") }}
{{ store() }}
{% elif reduce == "subgroup" %}
    // Teams are counted along subgroups, not threads: a driver may number the two differently.
    let slot = sg * sg_size + sg_lane;
    let lane = slot % {{ lanes }}u;
    let first = (wg * {{ teams }}u + slot / {{ lanes }}u) * {{ rows }}u;
{{ setup_rows("first") }}
{% if stage %}
{{ load_ahead() if ahead }}
{% set filler = "slot" if digits else "t" %}
    {{ "let squares = stage_x(%s, sg, sgs, sg_lane);" % filler if norm else "stage_x(%s);" % filler }}
{{ walk_staged() }}
{% else %}
{{ walk("lane", "%du" % lanes) }}
{% endif %}
{% for r in sums %}
{% for bit in [16, 8, 4, 2, 1] if bit < lanes %}
    acc{{ r }} += subgroupShuffleXor(acc{{ r }}, {{ bit }}u);
{% endfor %}
{% endfor %}
    if (lane == 0u) {
{{ store() }}
    }
{% else %}
    let lane = t % {{ lanes }}u;
    let first = (wg * {{ teams }}u + t / {{ lanes }}u) * {{ rows }}u;
{{ setup_rows("first") }}
{{ walk("lane", "%du" % lanes) }}
{% if subgroups %}
{% for r in sums %}
    acc{{ r }} = subgroupAdd(acc{{ r }});
    if (sg_lane == 0u) { lane_sums[{{ r * threads }}u + sg] = acc{{ r }}; }
{% endfor %}
    workgroupBarrier();
    if (t == 0u) {
{% for r in sums %}
        acc{{ r }} = lane_sums[{{ r * threads }}];
        for (var i = 1u; i < sgs; i++) { acc{{ r }} += lane_sums[{{ r * threads }}u + i]; }
{% endfor %}
{{ store() }}
    }
{% else %}
{% for r in sums %}
    lane_sums[t] = acc{{ r }};
    workgroupBarrier();
    for (var stride = {{ lanes // 2 }}u; stride > 0u; stride >>= 1u) {
        if (lane < stride) { lane_sums[t] += lane_sums[t + stride]; }
        workgroupBarrier();
    }
    acc{{ r }} = lane_sums[t];
    workgroupBarrier();
{% endfor %}
    if (lane == 0u) {
{{ store() }}
    }
{% endif %}
{% endif %}
}
