{# Floats as ordered integers, and the best of (key, index) pairs. Import with context. #}
{% set LOWEST = "0x007fffffu" %}{# the key of -inf #}
{# u32 keys in the same order as the floats: -0 equals 0, and NaN is below everything. Uses integers, because a compiler
   may assume that floats are never NaN. #}
{% macro keys() %}
fn order_key(x: f32) -> u32 {
    var bits = bitcast<u32>(x);
    bits = select(bits, 0u, bits == 0x80000000u);
    let key = select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
    return select(key, 0u, (bits & 0x7fffffffu) > 0x7f800000u);
}
{% endmacro %}

{# Function best_of((key, index), who): the largest key over the threads, and its lowest index, for every thread. #}
{% macro best() %}
fn better(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, b.x > a.x || (b.x == a.x && b.y < a.y));
}
{% if reduce == "thread" %}
fn best_of(mine: vec2<u32>) -> vec2<u32> { return mine; }
{% elif reduce == "subgroup" %}
var<workgroup> part: array<vec2<u32>, {{ threads }}>;
// The driver may choose another subgroup size than the one probed: any number of subgroups will do.
fn best_of(mine: vec2<u32>, sg: u32, sgs: u32, lane: u32) -> vec2<u32> {
    let key = subgroupMax(mine.x);
    let index = subgroupMin(select(0xffffffffu, mine.y, mine.x == key));
    if (lane == 0u) { part[sg] = vec2(key, index); }
    workgroupBarrier();
    var all = part[0];
    for (var i = 1u; i < sgs; i++) { all = better(all, part[i]); }
    return all;
}
{% else %}
var<workgroup> part: array<vec2<u32>, {{ threads }}>;
fn best_of(mine: vec2<u32>, t: u32) -> vec2<u32> {
    part[t] = mine;
    workgroupBarrier();
    for (var s = {{ threads // 2 }}u; s > 0u; s >>= 1u) {
        if (t < s) { part[t] = better(part[t], part[t + s]); }
        workgroupBarrier();
    }
    return part[0];
}
{% endif %}
{% endmacro %}
