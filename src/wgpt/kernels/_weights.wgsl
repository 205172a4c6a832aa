{# How each weight type comes out of its two planes (quant/weights.py says how it went in).
   A chunk is one 16-byte load: `w` is array<vec4<u32>>, or array<mat2x4<f16>> for native halves. #}

{# Types by what they need: nibbles only; scales in groups of eight chunks; a code that stands for zero; `value * x + y`
   with a y; bits above the four in `w`; a scale for each half of a chunk; codes that are looked up. #}
{% set NIBBLES = ["q4_0", "q4_1", "q4_k"] %}
{% set GROUPED = ["q4_k", "q5_k", "q6_k"] %}
{% set ZERO = {"q5_0": 16, "q6_k": 32} %}
{% set OFFSET = ["q4_0", "q4_1", "q5_1", "q4_k", "q5_k"] %}
{% set HIGH = ["q5_0", "q5_1", "q5_k", "q6_k"] %}
{% set HALVES = ["q6_k"] %}
{% set CODES = ["nf4", "nf4_dq"] %}

{# CODES are looked up: in workgroup memory on a GPU, in private memory where barriers are dear. #}
{% macro codebook(shared) %}
const NF4 = array<f32, 16>({{ NF4_CODEBOOK | join(", ") }});
{% if shared %}
var<workgroup> nf4_code: array<f32, 16>;
fn load_codebook(t: u32) {
    var code = NF4;
    if (t < 16u) { nf4_code[t] = code[t]; }
    workgroupBarrier();
}
{% else %}
var<private> nf4_code: array<f32, 16> = NF4;
{% endif %}
fn nf4_value(codes: vec4<u32>) -> vec4<f32> {
    return vec4(nf4_code[codes.x], nf4_code[codes.y], nf4_code[codes.z], nf4_code[codes.w]);
}
{% endmacro %}

{# Functions: four integers out of a word as floats, without the slow integer-to-float conversion: the field is put into
   the mantissa of a power of two (2^23 for a field at bit 0, 2^19 at bit 4, ...), which is then subtracted exactly.
   `convert`: with that conversion, which a CPU is fast at; the code for zero is then the caller's to subtract. #}
{% macro word_functions(weight, convert) %}
{% if weight == "q8_0" %}
fn bytes4(word: u32) -> vec4<f32> {
{% if convert %}
    return vec4<f32>((vec4(bitcast<i32>(word)) << vec4(24u, 16u, 8u, 0u)) >> vec4(24u));
{% else %}
    let q = word ^ 0x80808080u;
    let bits = (vec4(q, q, q >> 16u, q >> 16u) & vec4(0xffu, 0xff00u, 0xffu, 0xff00u))
        | vec4(0x4b000000u, 0x47000000u, 0x4b000000u, 0x47000000u);
    return bitcast<vec4<f32>>(bits) - vec4(8388736.0, 32896.0, 8388736.0, 32896.0);
{% endif %}
}
{% elif weight in HIGH %}
{# Bytes of a nibble and one or two bits above it. #}
fn bytes4(q: u32) -> vec4<f32> {
{% if convert %}
    return vec4<f32>(vec4(q & 255u, (q >> 8u) & 255u, (q >> 16u) & 255u, q >> 24u));
{% else %}
{% set zero = ZERO.get(weight, 0) %}
    let bits = (vec4(q, q, q >> 16u, q >> 16u) & vec4(0xffu, 0xff00u, 0xffu, 0xff00u))
        | vec4(0x4b000000u, 0x47000000u, 0x4b000000u, 0x47000000u);
    return bitcast<vec4<f32>>(bits) - vec4(vec2({{ 8388608 + zero }}.0, {{ 32768 + zero }}.0).xyxy);
{% endif %}
}
{% set mask = "0x30303030u" if weight == "q6_k" else "0x10101010u" %}
fn low4(q: u32, high: u32) -> vec4<f32> { return bytes4((q & 0x0f0f0f0fu) | ((high << 4u) & {{ mask }})); }
fn high4(q: u32, high: u32) -> vec4<f32> { return bytes4(((q >> 4u) & 0x0f0f0f0fu) | (high & {{ mask }})); }
{% elif weight in NIBBLES %}
fn low4(q: u32) -> vec4<f32> {
    let bits = (vec4(q, q, q >> 16u, q >> 16u) & vec4(0xfu, 0xf00u, 0xfu, 0xf00u))
        | vec4(0x4b000000u, 0x47000000u, 0x4b000000u, 0x47000000u);
    return bitcast<vec4<f32>>(bits) - vec4(8388608.0, 32768.0, 8388608.0, 32768.0);
}
fn high4(q: u32) -> vec4<f32> {
    let bits = (vec4(q, q, q >> 16u, q >> 16u) & vec4(0xf0u, 0xf000u, 0xf0u, 0xf000u))
        | vec4(0x49000000u, 0x45000000u, 0x49000000u, 0x45000000u);
    return bitcast<vec4<f32>>(bits) - vec4(524288.0, 2048.0, 524288.0, 2048.0);
}
{% endif %}
{% endmacro %}

{# Statements: vec4<f32> values v0 .. v(n-1) of chunk `q`, before scaling; types in HIGH also need `high`, the high_of
   that chunk. #}
{% macro values(weight, half, q, v, high="high") %}
{% if weight == "f32" %}
        let {{ v }}0 = bitcast<vec4<f32>>({{ q }});
{% elif weight == "f16" and half == "native" %}
        let {{ v }}0 = vec4<f32>({{ q }}[0]);
        let {{ v }}1 = vec4<f32>({{ q }}[1]);
{% elif weight == "f16" %}
        let {{ v }}0 = vec4(unpack2x16float({{ q }}.x), unpack2x16float({{ q }}.y));
        let {{ v }}1 = vec4(unpack2x16float({{ q }}.z), unpack2x16float({{ q }}.w));
{% elif weight == "bf16" %}
        let {{ v }}l = bitcast<vec4<f32>>({{ q }} << vec4(16u));
        let {{ v }}h = bitcast<vec4<f32>>({{ q }} & vec4(0xffff0000u));
        let {{ v }}0 = vec4({{ v }}l.x, {{ v }}h.x, {{ v }}l.y, {{ v }}h.y);
        let {{ v }}1 = vec4({{ v }}l.z, {{ v }}h.z, {{ v }}l.w, {{ v }}h.w);
{% elif weight == "q8_0" %}
{% for j in range(4) %}
        let {{ v }}{{ j }} = bytes4({{ q }}.{{ "xyzw"[j] }});
{% endfor %}
{% elif weight in CODES %}
{% for j in range(4) %}
        let {{ v }}{{ j }} = nf4_value(unpack4xU8({{ q }}.{{ "xyzw"[j] }} & 0x0f0f0f0fu));
        let {{ v }}{{ j + 4 }} = nf4_value(unpack4xU8(({{ q }}.{{ "xyzw"[j] }} >> 4u) & 0x0f0f0f0fu));
{% endfor %}
{% elif weight in HIGH %}
{% for j in range(4) %}
{% set bits = "%s.%s >> %du" % (high, "xy"[j // 2], j % 2 * 2) if weight == "q6_k" else "%s >> %du" % (high, j) %}
        let {{ v }}{{ j }} = low4({{ q }}.{{ "xyzw"[j] }}, {{ bits }});
        let {{ v }}{{ j + 4 }} = high4({{ q }}.{{ "xyzw"[j] }}, {{ bits }});
{% endfor %}
{% else %}
{% for j in range(4) %}
        let {{ v }}{{ j }} = low4({{ q }}.{{ "xyzw"[j] }});
        let {{ v }}{{ j + 4 }} = high4({{ q }}.{{ "xyzw"[j] }});
{% endfor %}
{% endif %}
{% endmacro %}

{# Statements: the same for one word of a quantised type: v0, and v1 (16 weights further on) of chunks of 32; `high` is
   the high_word of that chunk and word. #}
{% macro word_values(weight, q, v, high="high") %}
{% if weight == "q8_0" %}
        let {{ v }}0 = bytes4({{ q }});
{% elif weight in CODES %}
        let {{ v }}0 = nf4_value(unpack4xU8({{ q }} & 0x0f0f0f0fu));
        let {{ v }}1 = nf4_value(unpack4xU8(({{ q }} >> 4u) & 0x0f0f0f0fu));
{% elif weight in HIGH %}
        let {{ v }}0 = low4({{ q }}, {{ high }});
        let {{ v }}1 = high4({{ q }}, {{ high }});
{% else %}
        let {{ v }}0 = low4({{ q }});
        let {{ v }}1 = high4({{ q }});
{% endif %}
{% endmacro %}

{# Functions: scale and offset of the block that holds flat chunk i: weight = value * x + y (of types in HALVES: x is the
   scale of weights 0 to 15, y of 16 to 31); and of types in HIGH the bits above four, of the chunk (high_of) or as its
   word j needs them: shifted so that low4 and high4 find theirs (high_word). What eight chunks of types in GROUPED
   share can be had once (group_of) and then asked for each of them (scale_in). #}
{% macro scale_function(weight, convert=false) %}
{{ word_functions(weight, convert) }}
{% if weight == "q8_0" %}
fn scale_of(i: u32) -> vec2<f32> {
    let b = i >> 1u;
    let pair = unpack2x16float(s[b >> 1u]);
    return vec2(select(pair.x, pair.y, (b & 1u) == 1u), 0.0);
}
{% elif weight == "q4_0" %}
fn scale_of(i: u32) -> vec2<f32> {
    let pair = unpack2x16float(s[i >> 1u]);
    let d = select(pair.x, pair.y, (i & 1u) == 1u);
    return vec2(d, -8.0 * d);
}
{% elif weight == "q4_1" %}
fn scale_of(i: u32) -> vec2<f32> { return unpack2x16float(s[i]); }
{% elif weight == "q5_0" %}
fn scale_of(i: u32) -> vec2<f32> {
    let pair = unpack2x16float(s[(i >> 1u) * 3u + 2u]);
    return vec2(select(pair.x, pair.y, (i & 1u) == 1u), 0.0);
}
fn high_of(i: u32) -> u32 { return s[(i >> 1u) * 3u + (i & 1u)]; }
{% elif weight == "q5_1" %}
fn scale_of(i: u32) -> vec2<f32> { return unpack2x16float(s[2u * i + 1u]); }
fn high_of(i: u32) -> u32 { return s[2u * i]; }
{% elif weight in ["q4_k", "q5_k"] %}
struct Group { d: vec2<f32>, low: vec2<u32>, top: vec2<u32> }
fn group_of(i: u32) -> Group {
{% if weight == "q4_k" %}
    let g = s[i];
{% else %}
    let g = vec4(s[12u * i], s[12u * i + 1u], s[12u * i + 2u], s[12u * i + 3u]);
{% endif %}
    return Group(unpack2x16float(g.x), g.yz, vec2(g.w << 4u, g.w >> 12u));
}
fn scale_in(g: Group, at: u32) -> vec2<f32> {
    let six = ((g.low >> vec2(4u * at)) & vec2(15u)) | ((g.top >> vec2(2u * at)) & vec2(0x30u));
    let steps = bitcast<vec2<f32>>(six | vec2(0x4b000000u)) - 8388608.0;
    return g.d * vec2(steps.x, -steps.y);
}
{% if weight == "q5_k" %}
fn high_of(i: u32) -> u32 { return s[(i >> 3u) * 12u + 4u + (i & 7u)]; }
{% endif %}
{% elif weight == "q6_k" %}
struct Group { d: f32, scales: u32 }
fn group_of(i: u32) -> Group { return Group(unpack2x16float(s[21u * i + 20u]).x, 21u * i + 16u); }
fn scale_in(g: Group, at: u32) -> vec2<f32> {
    let both = s[g.scales + (at >> 1u)] >> ((at & 1u) * 16u);
    let bits = (vec2(both ^ 0x8080u) & vec2(0xffu, 0xff00u)) | vec2(0x4b000000u, 0x47000000u);
    return g.d * (bitcast<vec2<f32>>(bits) - vec2(8388736.0, 32896.0));
}
fn high_of(i: u32) -> vec2<u32> {
    let at = (i >> 3u) * 21u + 2u * (i & 7u);
    return vec2(s[at], s[at + 1u]);
}
fn high_word(i: u32, j: u32) -> u32 {
    return s[(i >> 3u) * 21u + 2u * (i & 7u) + (j >> 1u)] >> (2u * (j & 1u));
}
{% elif weight == "nf4" %}
fn scale_of(i: u32) -> vec2<f32> { return vec2(bitcast<f32>(s[i >> 1u]), 0.0); }
{% elif weight == "nf4_dq" %}
// quant/double.py: `level` powers of ten below one, there are 2^level steps.
fn dynamic(code: u32) -> f32 {
    let steps = u32(abs(i32(code) - 127));
    let level = firstLeadingBit(max(steps, 1u));
    let count = 1u << level;
    let within = (f32(steps) - f32(count) + 0.5) / f32(count);
    let power = select(1e-6, 1e-5, (level & 1u) != 0u) * select(1.0, 100.0, (level & 2u) != 0u)
        * select(1.0, 10000.0, (level & 4u) != 0u);
    let size = select(power * (0.1 + 0.9 * within), 1.0, code == 255u);
    return select(select(-size, size, code > 127u), 0.0, code == 127u);
}
fn scale_of(i: u32) -> vec2<f32> {
    let block = i >> 1u;
    let at = (block >> 8u) * 66u;
    let code = (s[at + 2u + ((block & 255u) >> 2u)] >> (8u * (block & 3u))) & 255u;
    return vec2(dynamic(code) * bitcast<f32>(s[at]) + bitcast<f32>(s[at + 1u]), 0.0);
}
{% endif %}
{% if weight in GROUPED %}
fn scale_of(i: u32) -> vec2<f32> { return scale_in(group_of(i >> 3u), i & 7u); }
{% endif %}
{% if weight in ["q5_0", "q5_1", "q5_k"] %}
fn high_word(i: u32, j: u32) -> u32 { return high_of(i) >> j; }
{% endif %}
{% endmacro %}

{# Function: four neighbouring weights, quad q (weights 4q .. 4q+3) of a row. `w` is array<WORDS> as QUAD_ELEM says. #}
{% macro quad_function(weight, half) %}
{% if weight == "f32" %}
fn w4(row: u32, q: u32) -> vec4<f32> { return bitcast<vec4<f32>>(w[row * p.quads + q]); }
{% elif weight == "f16" and half == "native" %}
fn w4(row: u32, q: u32) -> vec4<f32> { return vec4<f32>(w[row * p.quads + q]); }
{% elif weight == "f16" %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let v = w[row * p.quads + q];
    return vec4(unpack2x16float(v.x), unpack2x16float(v.y));
}
{% elif weight == "bf16" %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let v = w[row * p.quads + q];
    return bitcast<vec4<f32>>(vec4(v.x << 16u, v.x & 0xffff0000u, v.y << 16u, v.y & 0xffff0000u));
}
{% elif weight == "q8_0" %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let i = row * p.quads + q;
    return bytes4(w[i]) * scale_of(i >> 2u).x;
}
{% elif weight in HIGH %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let chunk = (row * p.quads + q) >> 3u;
    let word = w[chunk * 4u + (q & 3u)] >> (q & 4u);
    let sc = scale_of(chunk);
    let v = low4(word, high_word(chunk, q & 3u) >> (q & 4u));
{% if weight in HALVES %}
    return v * select(sc.x, sc.y, (q & 4u) != 0u);
{% else %}
    return v * sc.x + sc.y;
{% endif %}
}
{% else %}
fn w4(row: u32, q: u32) -> vec4<f32> {
    let chunk = (row * p.quads + q) >> 3u;
    let word = w[chunk * 4u + (q & 3u)] >> (q & 4u);
    let sc = scale_of(chunk);
{% if weight in CODES %}
    return nf4_value(unpack4xU8(word & 0x0f0f0f0fu)) * sc.x;
{% else %}
    return low4(word) * sc.x + sc.y;
{% endif %}
}
{% endif %}
{% endmacro %}
