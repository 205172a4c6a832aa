{# The second product of LoRA, B (A x): see lora_layout.py. `lora` are the sizes of the slices. A x is in `low`, or with
   `parts` in workgroup memory: that many partial sums of each quad. #}
{% macro functions(lora, parts=0) %}
{% if parts %}
fn low_at(i: u32) -> vec4<f32> {
    return {% for p in range(parts) %}{{ " + " if not loop.first }}low_parts[{{ parts }}u * i + {{ p }}u]{% endfor %};
}
{% else %}
fn low_at(i: u32) -> vec4<f32> { return low[i]; }
{% endif %}
// For column n: where its quads of A x begin (they follow those at t), where its row of B begins, and how many there are.
fn low_place(head: vec4<f32>, t: u32, n: u32) -> vec3<u32> {
    let pairs = vec2<u32>(head.zw);
    let quads0 = pairs.x & 255u;
    let begin0 = u32(head.x) + 4096u * u32(head.y);
    let t0 = t;
    var place = vec3(t0, begin0 + n * quads0, quads0);
{% for i in range(1, lora | length) %}
{% set start = "%du" % (lora[:i] | sum) %}
    let quads{{ i }} = {{ ("pairs.x >> 8u", "pairs.y & 255u", "pairs.y >> 8u")[i - 1] }};
    let begin{{ i }} = begin{{ i - 1 }} + {{ lora[i - 1] }}u * quads{{ i - 1 }};
    let t{{ i }} = t{{ i - 1 }} + quads{{ i - 1 }};
    if (n >= {{ start }}) { place = vec3(t{{ i }}, begin{{ i }} + (n - {{ start }}) * quads{{ i }}, quads{{ i }}); }
{% endfor %}
    return place;
}
// The first quad of B without a branch, so that the load overlaps with others.
fn low_first(place: vec3<u32>, first: u32) -> vec4<f32> { return pool[select(0u, place.y + first, first < place.z)]; }
// Quads first, first + step, ... of B times A x; b is the first of B.
fn low_rank(place: vec3<u32>, b: vec4<f32>, first: u32, step: u32) -> f32 {
    let some = first < place.z;
    var sum = select(0.0, dot(low_at(select(0u, place.x + first, some)), b), some);
    for (var j = first + step; j < place.z; j += step) { sum += dot(low_at(place.x + j), pool[place.y + j]); }
    return sum;
}
{% endmacro %}
