{# A workgroup handles `each` query heads of one kv head and row, over one slice of the context. Its teams process the
   keys of the slice in parallel, each with its own softmax, and are merged at the end. A lane has pieces of eight
   dimensions: a vec4 of the head's first half and its partner in the second, so that it can rotate them by itself. #}
{% import "_turn.wgsl" as angle %}
{% import "_cache.wgsl" as store with context %}
{% import "_attend.wgsl" as A with context %}
{% import "_cap.wgsl" as C with context %}
{% set pieces = head_dim // 8 %}
{% set quads = head_dim // 4 %}
{% set whole = team * units == pieces %}
{% set group = heads // kv_heads %}
{% set teams = threads // team %}
{% set slots = threads // span %}
{% set stride = teams * unroll %}
{% set kept_names = "k" if latent else "kv" %}
{% if rope %}{{ angle.phase() }}{% endif %}
{{ store.addressing(8 if in_blocks else 4) }}
{{ store.packing() }}
{{ store.reading() }}
{{ C.functions() }}
{{ A.team_memory([each * unroll, each + (2 if v_norm else 1), 4 if in_blocks else 0] | max) }}
{% if slots > 1 %}
var<workgroup> tops: array<f32, {{ slots * each }}>;
var<workgroup> sums: array<f32, {{ slots * each }}>;
var<workgroup> outs: array<vec4<f32>, {{ slots * each * quads }}>;
{% endif %}

{% set joins = qkv_blocks > 1 %}
{% set joined_heads = each if stored else each + 1 if latent else each + 2 %}
{% if joins %}
// A product left q, k and v in blocks: vec4s from one to the next. Here are the sums of all heads that a workgroup uses.
var<workgroup> joined: array<vec4<f32>, {{ joined_heads * quads }}>;
var<private> block_stride: u32;
fn qkv_at(i: u32) -> vec4<f32> {
    var sum = qkv[i];
{% for z in range(1, qkv_blocks) %}
    sum += qkv[i + {{ z }}u * block_stride];
{% endfor %}
    return sum{{ " + b[i %% %du]" % (source_heads * quads) if qkv_bias }};
}
{% endif %}

{% macro source(first, at, ragged) -%}
{% if joins %}joined[{{ first }} + {{ at }}]{% else %}{{ angle.taken("qkv", first, at, ragged) }}{% endif %}
{%- endmacro %}
{% macro load(name, at, turns=true) %}
{% for c in range(units) %}
    var {{ name }}_{{ c }}a = {{ source(at, "at_a%d" % c if mixed and turns else "piece%d" % c, ragged and turns) }};
    var {{ name }}_{{ c }}b = {{ source(at, "at_b%d" % c if mixed and turns else "piece%d + %du" % (c, pieces), ragged and turns) }};
{% if not whole %}
    if (!has{{ c }}) { {{ name }}_{{ c }}a = vec4<f32>(); {{ name }}_{{ c }}b = vec4<f32>(); }
{% endif %}
{% endfor %}
{% endmacro %}

{# Assign the pieces of the keys from `base` on, in the format of the cache; at most up to the last key of the slice. #}
{% macro fetch(base, assign) %}
{% for j in range(unroll) %}
        let at{{ j }} = cache_at(cached, min({{ base }} + member + {{ j * teams }}u, most));
{% endfor %}
{% for x in kept_names %}{% for j in range(unroll) %}{% for c in range(units) %}
{{ store.fetch(assign, "%s%d_%d" % (x, j, c), x, "at%d" % j, "piece%d" % c, pairs=true) }}
{% endfor %}{% endfor %}{% endfor %}
{% endmacro %}

{# A cache in blocks: the new key and value become codes (`kept_`) and, as several lanes share a block, words of two
   scales (`word_`). A team of four has the lower and the upper block of a word in neighbouring pieces, and a larger one
   in neighbouring lanes. #}
{% set paired = team == 4 %}
{% set words = (units + 1) // 2 if paired else units %}
{% macro quantise() %}
{% for x in kept_names %}
{% for c in range(units) %}
    let size_{{ x }}_{{ c }} = size(new_{{ x }}_{{ c }}a, new_{{ x }}_{{ c }}b);
{% endfor %}
{% for w in range(words) %}
{% if paired %}
    var sizes_{{ x }}_{{ w }} = vec2(size_{{ x }}_{{ 2 * w }}, {{ "size_%s_%d" % (x, 2 * w + 1) if 2 * w + 1 < units else "0.0" }});
{% else %}
    var sizes_{{ x }}_{{ w }} = size_{{ x }}_{{ w }} * select(vec2(1.0, 0.0), vec2(0.0, 1.0), (lane & 4u) != 0u);
{% endif %}
{% endfor %}
{% endfor %}
{% for w in range(words) %}
{{ A.word_max(["sizes_k_%d" % w] + ([] if latent else ["sizes_v_%d" % w])) }}
{% endfor %}
{% for x in kept_names %}
{% for w in range(words) %}
    let word_{{ x }}_{{ w }} = scales(sizes_{{ x }}_{{ w }});
{% endfor %}
{% for c in range(units) %}
    let scale_{{ x }}_{{ c }} = {{ store.scale("word_%s_%d" % (x, c // 2 if paired else c), "%du" % (4 * c) if paired else "lane") }};
    let kept_{{ x }}_{{ c }} = vec2(codes(new_{{ x }}_{{ c }}a, scale_{{ x }}_{{ c }}), codes(new_{{ x }}_{{ c }}b, scale_{{ x }}_{{ c }}));
    new_{{ x }}_{{ c }}a = quad(kept_{{ x }}_{{ c }}.x, scale_{{ x }}_{{ c }});
    new_{{ x }}_{{ c }}b = quad(kept_{{ x }}_{{ c }}.y, scale_{{ x }}_{{ c }});
{% endfor %}
{% endfor %}
{% endmacro %}
{% macro keep() %}
{% for c in range(units) %}{% for x in kept_names %}
        {{ "if (has%d) {" % c if not whole }} {{ x }}[to.x + piece{{ c }}] = kept_{{ x }}_{{ c }}; {{ "}" if not whole }}
{% endfor %}{% endfor %}
{% for w in range(words) %}
{% set c = 2 * w if paired else w %}
        if (lane % 8u == 0u{{ " && has%d" % c if not whole }}) {
{% for x in kept_names %}
            {{ store.word(x, store.scale_word("to", "piece%d" % c)) }} = word_{{ x }}_{{ w }};
{% endfor %}
        }
{% endfor %}
{% endmacro %}

{# Write vec4 number `e` of a head's result, or of a slice's part; if `first`, also the log of the sum of the slice. #}
{% macro result(head, e, o, top, sum, first) %}
{% if parted %}
        let to = ((m * {{ heads }}u + {{ head }}) * p.splits + split) * {{ value_quads + 1 }}u;
        part[to + {{ store.value_at(e) }}] = {{ o }} * select(0.0, 1.0 / {{ sum }}, {{ sum }} > 0.0);
{% if first %}
        if ({{ first }}) {
            part[to + {{ value_quads }}u] = select(vec4<f32>(), vec4({{ top }} + log({{ sum }}), 1.0, 0.0, 0.0), {{ sum }} > 0.0);
        }
{% endif %}
{% else %}
        out[(m * {{ heads }}u + {{ head }}) * {{ value_quads }}u + {{ store.value_at(e) }}] = {{ "packed(" if halves }}{{ o }} * select(0.0, 1.0 / {{ sum }}, {{ sum }} > 0.0){{ ")" if halves }};
{% endif %}
{% endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>,
{% if joins %}
        @builtin(num_workgroups) nwg: vec3<u32>,
{% endif %}
{{ A.builtins() }}) {
{{ A.identity() }}
    let split = wid.x;
    let first_head = wid.y * {{ each }}u;
    let kv = first_head / {{ group }}u;
    let m = wid.z;
    let at = rows[m];
    let position = at.y;
    let exists = position != 0xffffffffu && at.x < p.slots;

    // The keys of this slice: cached ones only; the row's own comes from qkv, unless it is stored already.
    let end = select(0u, min(position{{ " + 1u" if stored }}, p.capacity), exists);
    let start = min(select(0u, position + 1u - p.window, p.window != 0u && position >= p.window), end);
    let slice = ((end - start + p.splits - 1u) / p.splits + {{ SLICE - 1 }}u) / {{ SLICE }}u * {{ SLICE }}u;
    let first = min(start + split * slice, end);
    let last = min(first + slice, end);

{% for c in range(units) %}
{% if whole %}
    let piece{{ c }} = lane + {{ c * team }}u;
{% else %}
    let has{{ c }} = lane + {{ c * team }}u < {{ pieces }}u;
    let piece{{ c }} = select(0u, lane + {{ c * team }}u, has{{ c }});
{% endif %}
{% endfor %}
    let cached = cache_of(select(0u, at.x, exists), kv);
    let most = max(last, 1u) - 1u;
{{ fetch("first", "var ") if ahead }}
    let row = m * {{ source_heads * quads }}u;
{% for c in range(units) if mixed %}
{{ angle.places(c, "piece%d" % c, pieces, turned, rest, interleaved, ragged) }}
{% endfor %}
{% if by_head %}
    let first_source = row + (first_head + 2u * kv) * {{ quads }}u;
    let key_source = row + (kv * {{ group + 2 }}u + {{ group }}u) * {{ quads }}u;
    let value_source = key_source + {{ quads }}u;
{% else %}
    let first_source = row + first_head * {{ quads }}u;
    let key_source = row + ({{ heads }}u + kv) * {{ quads }}u;
    let value_source = row + ({{ heads if v_is_k else heads + kv_heads }}u + kv) * {{ quads }}u;
{% endif %}
{% if joins %}
    block_stride = nwg.z * {{ source_heads * quads }}u;
    for (var i = t; i < {{ joined_heads * quads }}u; i += {{ threads }}u) {
        let other = select(key_source, value_source, i >= {{ (each + 1) * quads }}u) + i % {{ quads }}u;
        joined[i] = qkv_at(select(other, first_source + i, i < {{ each * quads }}u));
    }
    workgroupBarrier();
{% endif %}
{% for g in range(each) %}
{{ load("q%d" % g, "%du" % (g * quads) if joins else "first_source + %du" % (g * quads)) }}
{% endfor %}
{% if not stored %}
{{ load("new_k", "%du" % (each * quads) if joins else "key_source") }}
{% if not latent %}
{{ load("new_v", "%du" % ((each + 1) * quads) if joins else "value_source", turns=false) }}
{% endif %}
{% endif %}
{% set rotated = names("q%d", each) + ([] if stored else ["new_k"]) %}
{% set normed = rotated + (["new_v"] if v_norm and not stored else []) %}
{% if qk_norm %}
{% for x in normed %}
    var squares_{{ x }} = {% for c in range(units) %}dot({{ x }}_{{ c }}a, {{ x }}_{{ c }}a) + dot({{ x }}_{{ c }}b, {{ x }}_{{ c }}b){{ " + " if not loop.last }}{% endfor %};
{% endfor %}
{{ A.team_sum(names("squares_q%d", each) + ([] if stored else ["squares_new_k"]) + (["squares_new_v"] if "new_v" in normed else [])) }}
{% for c in range(units) %}
{% for h in "ab" if "new_v" in normed %}
    new_v_{{ c }}{{ h }} *= inverseSqrt(squares_new_v / {{ head_dim }}.0 + p.eps);
{% endfor %}
{% for x in rotated %}
{% set first_gain = "%du" % (quads if x == "new_k" else 0) %}
    {{ x }}_{{ c }}a *= inverseSqrt(squares_{{ x }} / {{ head_dim }}.0 + p.eps) * {{ angle.taken("gains", first_gain, "at_a%d" % c if mixed else "piece%d" % c, ragged) }};
    {{ x }}_{{ c }}b *= inverseSqrt(squares_{{ x }} / {{ head_dim }}.0 + p.eps) * {{ angle.taken("gains", first_gain, "at_b%d" % c if mixed else "piece%d + %du" % (c, pieces), ragged) }};
{% endfor %}
{% endfor %}
{% endif %}
{% if rope %}
{% for c in range(units) %}
    {
{% for x in rotated if interleaved %}
{{ angle.deinterleave("%s_%da" % (x, c), "%s_%db" % (x, c), "turns%d" % c) }}
{% endfor %}
        let first_pair = 4u * piece{{ c }};
{{ angle.sine_cosine(4) }}
{% for x in rotated %}
        let {{ x }} = {{ x }}_{{ c }}a * cosine - {{ x }}_{{ c }}b * sine;
        {{ x }}_{{ c }}b = {{ x }}_{{ c }}b * cosine + {{ x }}_{{ c }}a * sine;
        {{ x }}_{{ c }}a = {{ x }};
{% if amplitude != 1 %}
        {{ x }}_{{ c }}a *= {{ angle.longer(amplitude, c, "piece%d" % c, turned, ragged) }};
        {{ x }}_{{ c }}b *= {{ angle.longer(amplitude, c, "piece%d" % c, turned, ragged) }};
{% endif %}
{% endfor %}
    }
{% endfor %}
{% endif %}

{% if not stored %}
    // The new key and value as a later step will find them.
{% if in_blocks %}
{{ quantise() }}
{% else %}
{% for c in range(units) %}{% for h in "ab" %}{% for x in kept_names %}
    let kept_{{ x }}_{{ c }}{{ h }} = packed(new_{{ x }}_{{ c }}{{ h }});
    new_{{ x }}_{{ c }}{{ h }} = quad(kept_{{ x }}_{{ c }}{{ h }});
{% endfor %}{% endfor %}{% endfor %}
{% endif %}
{% endif %}
{{ A.fresh(each) }}
{% if growth %}
    let grown = p.scale * {{ angle.growing(growth, grow_after) }};
{% endif %}
{% for g in range(each) %}
{% for c in range(units) %}
    q{{ g }}_{{ c }}a *= {{ "grown" if growth else "p.scale" }};
    q{{ g }}_{{ c }}b *= {{ "grown" if growth else "p.scale" }};
{% endfor %}
{% if not stored %}
    var new{{ g }} = {{ A.score(g, "new_k") }};
{% endif %}
{% endfor %}
{% if not stored %}
{{ A.team_sum(names("new%d", each)) }}
{% if cap %}
{% for g in range(each) %}
    new{{ g }} = capped(new{{ g }});
{% endfor %}
{% endif %}
    let is_last = split == p.splits - 1u && member == 0u;
    if (is_last && exists) {
{% for g in range(each) %}
{% if sinks %}
        let sink{{ g }} = sinks[first_head + {{ g }}u];
        top{{ g }} = max(new{{ g }}, sink{{ g }});
        let share{{ g }} = exp(new{{ g }} - top{{ g }});
        sum{{ g }} = share{{ g }} + exp(sink{{ g }} - top{{ g }});
{% else %}
        top{{ g }} = new{{ g }};
        sum{{ g }} = 1.0;
{% endif %}
{% for c in range(units) %}{% for h in "ab" %}
        o{{ g }}_{{ c }}{{ h }} = {{ "share%d * " % g if sinks }}new_{{ "k" if latent else "v" }}_{{ c }}{{ h }};
{% endfor %}{% endfor %}
{% endfor %}
    }
{% endif %}

    for (var base = first; base < last; base += {{ stride }}u) {
{% for j in range(unroll) %}{% for g in range(each) %}
        let seen{{ g }}_{{ j }} = base + member + {{ j * teams }}u < last;
{% endfor %}{% endfor %}
{{ fetch("base", "let ") if not ahead }}
{% for x in kept_names %}{% for j in range(unroll) %}{% for c in range(units) %}
{{ store.piece("%s%d_%d" % (x, j, c), "piece%d" % c, pairs=true) }}
{% endfor %}{% endfor %}{% endfor %}
{{ A.values_of_keys() if latent }}
{% if ahead %}
        {
{{ fetch("base + %du" % stride, "") }}
        }
{% endif %}
{{ A.step(each) }}
    }
{% if not stored %}
    if (is_last && first_head % {{ group }}u == 0u && exists && position < p.capacity) {
        let to = cache_at(cached, position);
{% if in_blocks %}
{{ keep() }}
{% else %}
{% for c in range(units) %}{% for h, offset in (("a", 0), ("b", pieces)) %}{% for x in kept_names %}
        {{ "if (has%d) {" % c if not whole }} {{ x }}[to + piece{{ c }} + {{ offset }}u] = kept_{{ x }}_{{ c }}{{ h }}; {{ "}" if not whole }}
{% endfor %}{% endfor %}{% endfor %}
{% endif %}
    }
{% endif %}

{{ A.merge_lanes(each, team, span) }}
{% if slots > 1 %}
    if (t % {{ span }}u < {{ team }}u) {
{% for g in range(each) %}
        {
            let slot = t / {{ span }}u * {{ each }}u + {{ g }}u;
            if (lane == 0u) {
                tops[slot] = top{{ g }};
                sums[slot] = sum{{ g }};
            }
{% for c in range(units) %}
            {{ "if (has%d) {" % c if not whole }}
            outs[slot * {{ quads }}u + piece{{ c }}] = o{{ g }}_{{ c }}a;
            outs[slot * {{ quads }}u + piece{{ c }} + {{ pieces }}u] = o{{ g }}_{{ c }}b;
            {{ "}" if not whole }}
{% endfor %}
        }
{% endfor %}
    }
    workgroupBarrier();
    for (var i = t; i < {{ each * quads }}u; i += {{ threads }}u) {
        let g = i / {{ quads }}u;
        let e = i % {{ quads }}u;
        var top = tops[g];
        for (var s = 1u; s < {{ slots }}u; s++) { top = max(top, tops[g + s * {{ each }}u]); }
        var sum = 0.0;
        var o = vec4<f32>();
        for (var s = 0u; s < {{ slots }}u; s++) {
            let from_slot = g + s * {{ each }}u;
            let share = exp(tops[from_slot] - top);
            sum = fma(share, sums[from_slot], sum);
            o = fma(vec4(share), outs[from_slot * {{ quads }}u + e], o);
        }
{% if latent %}
        if ({{ store.is_value("e") }}) {
{{ result("first_head + g", "e", "o", "top", "sum", "e == %du" % skipped) }}
        }
{% else %}
{{ result("first_head + g", "e", "o", "top", "sum", "e == 0u") }}
{% endif %}
    }
{% else %}
    if (member == 0u) {
{% for g in range(each) %}
{% for c in range(units) %}{% for h, offset in (("a", 0), ("b", pieces)) %}
    {{ "if (has%d)" % c if not whole }} {
{% if latent %}
        if (piece{{ c }} >= {{ skipped }}u) {
            let e = piece{{ c }} + {{ offset }}u;
{{ result("first_head + %du" % g, "e", "o%d_%d%s" % (g, c, h), "top%d" % g, "sum%d" % g, "e == %du" % skipped if h == "a" else "") }}
        }
{% else %}
{{ result("first_head + %du" % g, "piece%d + %du" % (c, offset), "o%d_%d%s" % (g, c, h), "top%d" % g, "sum%d" % g,
          "lane == 0u" if c == 0 and h == "a" else "") }}
{% endif %}
    }
{% endfor %}{% endfor %}
{% endfor %}
    }
{% endif %}
}
