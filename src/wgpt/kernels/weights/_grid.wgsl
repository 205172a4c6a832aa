{# Shared by types whose magnitudes are entries of a grid (quant/grids.py), which is in front of `s`: `size` words. With
   `threads`, it is copied to workgroup memory. Functions: grid_at(i), an entry; signed4(bytes, minus), four magnitudes with
   signs, as bytes, where `minus` has a one in each byte with a minus; minus4(bits), that of the lowest four bits; and, for
   IQ2, level4(entry, half), four of the eight magnitudes of an entry. A type defines bytes_of(word, j), or bytes_of(word,
   high, j): quad j of a word as bytes.
   evenly: a function even4(seven, half), `minus` of four of eight weights whose number of minus signs is even: "computed",
   or "shared", from the table behind a grid in workgroup memory, which is faster unless IQ3's entries keep that busy. #}
{% import "_bytes.wgsl" as bytes %}
{% macro grid(size, convert, threads, evenly="") %}
{% set table = threads and evenly == "shared" %}
{% if threads %}
var<workgroup> grid: array<u32, {{ size }}>;
fn copy_grid(t: u32) {
    for (var i = t; i < {{ size }}u; i += {{ threads }}u) { grid[i] = s[i]; }
}
fn load_codebook(t: u32) {
    copy_grid(t);
    workgroupBarrier();
}
fn grid_at(i: u32) -> u32 { return grid[i]; }
{% else %}
fn grid_at(i: u32) -> u32 { return s[i]; }
{% endif %}
{{ bytes.bytes4(convert) }}
fn minus4(bits: u32) -> u32 { return ((bits & 15u) * 0x00204081u) & 0x01010101u; }
fn signed4(magnitudes: u32, minus: u32) -> u32 { return (magnitudes ^ (minus * 255u)) + minus; }
{% if table %}
fn even4(seven: u32, part: u32) -> u32 { return (grid[{{ size - 128 }}u + seven] >> part) & 0x01010101u; }
{% elif evenly %}
fn even_signs(seven: u32) -> u32 { return seven | ((countOneBits(seven) & 1u) << 7u); }
fn even4(seven: u32, part: u32) -> u32 { return minus4(even_signs(seven) >> (4u * part)); }
{% endif %}
{% endmacro %}
{# Function quad_of, by bytes_of. #}
{% macro quad_of(high="") %}
fn quad_of(word: u32, {{ "high: %s, " % high if high }}j: u32) -> vec4<f32> { return bytes4(bytes_of(word, {{ "high, " if high }}j)); }
{% endmacro %}
{# Statements: {{ v }}0 .. {{ v }}15: the quads of a chunk as bytes. With `high`, high_in(high, i) is that of word i. #}
{% macro whole(q, v, high="") %}
{% for i in range(4) %}{% for j in range(4) %}
        let {{ v }}{{ 4 * i + j }} = bytes_of({{ q }}.{{ "xyzw"[i] }}, {{ "high_in(%s, %du), " % (high, i) if high }}{{ j }}u);
{% endfor %}{% endfor %}
{% endmacro %}
{# Functions of a chunk's scales, each d (scale factor + offset): `bits` is an expression of the chunk i for the scales of
   its words, four bits each, or eight for two words each, and `d` of a word with d in its low half. #}
{% macro scale_parts(bits, d, factor, in_pairs=false) %}
struct Scales { x: vec4<f32> }
fn scale_bits(i: u32) -> vec2<u32> { return vec2({{ bits }}, {{ d }}); }
fn scale_from(bits: vec2<u32>, i: u32) -> Scales {
    let four = (vec4(bits.x) >> {{ "vec4(0u, 0u, 4u, 4u)" if in_pairs else "vec4(0u, 4u, 8u, 12u)" }}) & vec4(15u);
    let steps = bitcast<vec4<f32>>(four | vec4(0x4b000000u)) - 8388608.0;
    return Scales(unpack2x16float(bits.y).x * (steps * {{ factor }} + {{ factor / 2 }}));
}
{% endmacro %}
{% macro levels() %}
fn level4(entry: u32, part: u32) -> u32 {
    return ((entry >> (2u * part)) & 0x33333333u) | 0x08080808u;
}
{% endmacro %}
