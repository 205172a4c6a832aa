{# GEMV (_gemv.wgsl) by teams that share x in workgroup memory (_gemv_staged.wgsl), as integers of `digits` bytes
   (three, which hold the mantissa of an f32) and a scale per chunk, so that codes of four or eight bits are multiplied
   four at a time. #}
{% import "_gemv.wgsl" as G with context %}
{% import "_gemv_staged.wgsl" as S with context %}
{# A thread stages 16 elements of x: a vec4 of bytes per digit. The digits are signed: adding 128 to each byte of a
   number adds 128 to each digit. A chunk has an odd number of vectors, so that lanes read from different banks. #}
{% set items = G.XV // 4 %}
{% set STRIDE = digits * items + 1 - digits * items % 2 %}
{% set BIAS = "0x808080" %}
{% set LIMIT = 8355000.0 %}
{{ G.functions() }}
var<workgroup> x_tile: array<vec4<u32>, {{ chunks * STRIDE }}>;
var<workgroup> x_scale: array<f32, {{ chunks }}>;
{{ S.memory() }}
fn digits_of(x: vec4<f32>, inverse: f32) -> vec4<u32> {
    return bitcast<vec4<u32>>(vec4<i32>(round(x * inverse)) + vec4({{ BIAS }})) ^ vec4({{ BIAS }}u);
}
fn first_digits(u: vec4<u32>) -> u32 { return (u.x & 255u) | ((u.y & 255u) << 8u) | ((u.z & 255u) << 16u) | (u.w << 24u); }
{{ S.signature("slot") }} {
{% if norm %}
    var part = 0.0;
{% endif %}
    for (var base = 0u; base < {{ chunks * items }}u; base += {{ threads }}u) {
        let exists = base + slot < {{ chunks * items }}u;
        let item = min(base + slot, {{ chunks * items - 1 }}u);
{% for j in range(4) %}
{% if norm %}
        let raw{{ j }} = x[{{ G.XFROM }}4u * item + {{ j }}u];
        let x{{ j }} = raw{{ j }} * g[4u * item + {{ j }}u];
{% else %}
        let x{{ j }} = x[{{ G.XFROM }}4u * item + {{ j }}u];
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
            let to = chunk * {{ STRIDE }}u + item % {{ items }}u;
{% for k in range(digits) %}
            x_tile[to + {{ k * items }}u] = vec4(
                {%- for j in range(4) %}first_digits(u{{ j }} >> vec4({{ 8 * k }}u)){{ ", " if not loop.last }}{% endfor %});
{% endfor %}
            // What is no number, or no finite one, stays so.
            x_scale[chunk] = select(sum, top * {{ 1.0 / LIMIT }}, abs(sum) <= 3.4e38);
{% if G.offset %}
            x_sum[chunk] = sum;
{% endif %}
        }
    }
{{ S.share_squares() }}
    workgroupBarrier();
{{ S.return_squares() }}
}

{% macro take() %}
        let unit = x_scale[c];
{% for k in range(digits) %}{% for i in range(items) %}
        let x{{ k }}_{{ i }} = x_tile[c * {{ STRIDE }}u + {{ k * items + i }}u];
{% endfor %}{% endfor %}
{% endmacro %}

{# Integer products, four at a time: bytes, or the low and the high nibbles of a word. #}
{% macro add_chunk(r) %}
{% for k in range(digits) %}
            var d{{ k }} = 0;
{% endfor %}
{% for e in "xyzw" %}
{% set word = "q." ~ e %}
{% if items == 1 %}
{% for k in range(digits) %}
            d{{ k }} += dot4I8Packed({{ word }}, x{{ k }}_0.{{ e }});
{% endfor %}
{% else %}
            let low{{ loop.index0 }} = {{ word }} & 0x0f0f0f0fu;
            let high{{ loop.index0 }} = ({{ word }} >> 4u) & 0x0f0f0f0fu;
{% set low, high = "low%d" % loop.index0, "high%d" % loop.index0 %}
{% for k in range(digits) %}
            d{{ k }} += dot4I8Packed({{ low }}, x{{ k }}_0.{{ e }});
            d{{ k }} += dot4I8Packed({{ high }}, x{{ k }}_1.{{ e }});
{% endfor %}
{% endif %}
{% endfor %}
            let d = fma(f32(d2), 65536.0, f32(256 * d1 + d0)) * unit;
{{ G.add_scaled(r, "x_sum[c]") }}
{% endmacro %}

{{ S.main("slot", take, add_chunk) }}
