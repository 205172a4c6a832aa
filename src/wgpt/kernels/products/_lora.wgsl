{# The second product of LoRA, B (A x): see lora_layout.py. `lora` are the sizes of the slices. #}
{% macro functions(lora) %}
// Quads first, first + step, ... of B's row n times A x, which is at low[t] and after it.
fn low_rank(head: vec4<f32>, t: u32, n: u32, first: u32, step: u32) -> f32 {
    let pairs = vec2<u32>(head.zw);
    let quads0 = pairs.x & 255u;
    let begin0 = u32(head.x) + 4096u * u32(head.y);
    let t0 = t;
    var quads = quads0;
    var at = t0;
    var b_at = begin0 + n * quads0;
{% for i in range(1, lora | length) %}
{% set start = "%du" % (lora[:i] | sum) %}
    let quads{{ i }} = {{ ("pairs.x >> 8u", "pairs.y & 255u", "pairs.y >> 8u")[i - 1] }};
    let begin{{ i }} = begin{{ i - 1 }} + {{ lora[i - 1] }}u * quads{{ i - 1 }};
    let t{{ i }} = t{{ i - 1 }} + quads{{ i - 1 }};
    if (n >= {{ start }}) {
        quads = quads{{ i }};
        at = t{{ i }};
        b_at = begin{{ i }} + (n - {{ start }}) * quads{{ i }};
    }
{% endfor %}
    // The first quad without a branch, so that its loads overlap with others.
    let some = first < quads;
    var sum = select(0.0, dot(low[select(0u, at + first, some)], pool[select(0u, b_at + first, some)]), some);
    for (var j = first + step; j < quads; j += step) { sum += dot(low[at + j], pool[b_at + j]); }
    return sum;
}
{% endmacro %}
