{# GEMV (_gemv.wgsl) by teams that share x in workgroup memory (_gemv_staged.wgsl), as integers of `digits` bytes and a
   scale per chunk, or per word (`by_words`), so that codes of up to eight bits are multiplied four at a time. Three bytes
   hold the mantissa of an f32. Two are for `short` problems: x is rounded to 2^-16 of the largest of its chunk, about 2.5
   times the root mean square, so that a result is off by 2.5 * 2^-16 / sqrt(3), or 2.2e-5, of its usual size. #}
{% import "_weights.wgsl" as W %}
{% import "_gemv.wgsl" as G with context %}
{% import "_gemv_staged.wgsl" as S with context %}
{% import "_gemv_slices.wgsl" as J with context %}
{# A thread stages 16 elements of x, an item: a vec4 of bytes per digit. The digits are signed: adding 128 to each byte of
   a number adds 128 to each digit. All first vectors of chunks are followed by all second ones, and so on, so that
   neighbouring lanes read neighbouring vectors. x is rounded by adding 3 * 2^22, where integers are a step apart. #}
{% set items = G.XV // 4 %}
{% set count = S.ALL * items %}
{% set SCALED = "to" if G.by_words else "chunk" %}
{% set BIAS = "0x8080u" if digits == 2 else "0x808080u" %}
{% set LIMIT = 32600.0 if digits == 2 else 4190000.0 %}
{{ G.functions() }}
{{ W.whole_functions(weight) if items > 1 }}
{{ S.turn_functions() if groups else W.scale_parts(weight) if G.by_words }}
var<workgroup> x_tile: array<vec4<u32>, {{ digits * count }}>;
var<workgroup> x_scale: array<f32, {{ S.ALL * S.SCALED_PARTS }}>;
{{ S.memory() }}
fn digits_of(x: vec4<f32>, inverse: f32) -> vec4<u32> {
    let steps = bitcast<vec4<u32>>(fma(x, vec4(inverse), vec4(12582912.0))) - vec4(0x4b400000u);
    return (steps + vec4({{ BIAS }})) ^ vec4({{ BIAS }});
}
fn first_digits(u: vec4<u32>) -> u32 { return (u.x & 255u) | ((u.y & 255u) << 8u) | ((u.z & 255u) << 16u) | (u.w << 24u); }
{% if digits == 2 %}
fn of_digits(d0: i32, d1: i32) -> f32 { return f32(256 * d1 + d0); }
{% else %}
fn of_digits(d0: i32, d1: i32, d2: i32) -> f32 { return fma(f32(d2), 65536.0, f32(256 * d1 + d0)); }
{% endif %}
{{ S.signature("slot") }} {
{% if weight in W.GRIDS %}
    copy_grid(slot);
{% endif %}
{% if norm %}
    var part = 0.0;
{% endif %}
    for (var base = 0u; base < {{ count }}u; base += {{ threads }}u) {
        let exists = base + slot < {{ count }}u;
        let item = min(base + slot, {{ count - 1 }}u);
{% if gather == "sum" %}
        let gate = gates[x_from / ({{ G.WIDE }}) + item / {{ chunks * items }}u];
{% endif %}
{{ J.take_shares("(4u * item)") if splits }}
{% for j in range(4) %}
{% if splits %}
{{ J.join_x(j, "(4u * item + %du)" % j) }}
{% elif norm %}
        let raw{{ j }} = x[{{ G.XFROM }}4u * item + {{ j }}u];
        let x{{ j }} = raw{{ j }} * g[4u * item + {{ j }}u];
{% else %}
        let x{{ j }} = x[{{ G.XFROM }}4u * item + {{ j }}u]{{ " * gate" if gather == "sum" }};
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
{% if items == 2 %}
        top = max(top, subgroupShuffleXor(top, 1u));
        sum += subgroupShuffleXor(sum, 1u);
{% endif %}
        let inverse = select(0.0, {{ LIMIT }} / top, top > 1e-30);
{% for j in range(4) %}
        let u{{ j }} = digits_of(x{{ j }}, inverse);
{% endfor %}
        if (exists) {
            let chunk = item / {{ items }}u;
            let to = {{ "item %% %du * %du + chunk" % (items, S.ALL) if items > 1 else "chunk" }};
{% for k in range(digits) %}
            x_tile[to + {{ k * count }}u] = vec4(
                {%- for j in range(4) %}first_digits(u{{ j }} >> vec4({{ 8 * k }}u)){{ ", " if not loop.last }}{% endfor %});
{% endfor %}
            // What is no number, or no finite one, stays so.
            x_scale[{{ SCALED }}] = select(sum, top * {{ (W.whole_unit(weight) | float if items > 1 else 1.0) / LIMIT }}, abs(sum) <= 3.4e38);
{% if G.offset %}
            x_sum[{{ SCALED }}] = sum;
{% endif %}
        }
    }
{{ S.share_squares() }}
    workgroupBarrier();
{{ S.return_squares() }}
}

{% macro take(live) %}
        let unit = {{ S.of_chunk("x_scale", live) }};
{% if G.offset %}
        let total = {{ S.of_chunk("x_sum", live) }};
{% endif %}
{% for k in range(digits) %}{% for i in range(items) %}
        let x{{ k }}_{{ i }} = x_tile[c + {{ k * count + i * S.ALL }}u];
{% endfor %}{% endfor %}
{% endmacro %}

{# Integer products, four at a time: bytes, or the codes of each half or quarter of a chunk. Those with a scale of their
   own are added up apart. #}
{% macro whole_sum(halves) %}
of_digits({% for k in range(digits) %}{% for i in halves %}part{{ k }}_{{ i }}{{ " + " if not loop.last }}{% endfor %}{{ ", " if not loop.last }}{% endfor %})
{%- endmacro %}
{% macro add_chunk(r) %}
{% if items > 1 %}
{{ W.whole(weight, "q", "v") }}
{% endif %}
{% for k in range(digits) %}
{% for i in range(items) %}
            let part{{ k }}_{{ i }} = {% for e in "xyzw" -%}
                dot4I8Packed({{ "v%d" % (4 * i + loop.index0) if items > 1 else "q." ~ e }}, x{{ k }}_{{ i }}.{{ e }}){{ " + " if not loop.last }}
            {%- endfor %};
{% endfor %}
{% endfor %}
{% if items == 4 %}
            let d = vec4({% for i in range(4) %}{{ whole_sum([i]) }}{{ ", " if not loop.last }}{% endfor %}) * unit;
            sum{{ r }} += dot(sc.x, d){{ " + dot(sc.y, total)" if G.offset }};
{% elif G.halves %}
            let d0 = {{ whole_sum([0]) }} * unit;
            let d1 = {{ whole_sum([1]) }} * unit;
            sum{{ r }} = fma(sc.x, d0, fma(sc.y, d1, sum{{ r }}));
{% else %}
            let d = {{ whole_sum(range(items)) }} * unit;
{{ G.add_scaled(r, "total") }}
{% endif %}
{% endmacro %}

{{ S.main_in_turns("slot", take, add_chunk) if groups else S.main("slot", take, add_chunk) }}
