{# Shared by types whose magnitudes are entries of a grid (quant/grids.py), which is in front of `s`: `size` words. With
   `threads`, it is copied to workgroup memory. Functions: grid_at(i), an entry; signed4(bytes, minus), four magnitudes with
   the signs of four bits; and, for IQ2, level4(entry, half), four of the eight magnitudes of an entry. #}
{% import "_bytes.wgsl" as bytes %}
{% macro grid(size, convert, threads) %}
{% if threads %}
var<workgroup> grid: array<u32, {{ size }}>;
fn load_codebook(t: u32) {
    for (var i = t; i < {{ size }}u; i += {{ threads }}u) { grid[i] = s[i]; }
    workgroupBarrier();
}
fn grid_at(i: u32) -> u32 { return grid[i]; }
{% else %}
fn grid_at(i: u32) -> u32 { return s[i]; }
{% endif %}
{{ bytes.bytes4(convert) }}
fn signed4(magnitudes: u32, minus: u32) -> vec4<f32> {
    let ones = (minus * 0x00204081u) & 0x01010101u;
    return bytes4((magnitudes ^ (ones * 255u)) + ones);
}
{% endmacro %}
{% macro levels() %}
fn level4(entry: u32, part: u32) -> u32 {
    let level = (entry >> (2u * part)) & 0x03030303u;
    return 0x08080808u + level * 17u + ((level >> 1u) & 0x01010101u);
}
{% endmacro %}
{# Function: seven signs and an eighth, so that the number of minus signs is even. #}
{% macro even_signs() %}
fn even_signs(seven: u32) -> u32 { return seven | ((countOneBits(seven) & 1u) << 7u); }
{% endmacro %}
