{# Rows of f32 as integers of 16 bits: each chunk of 32 is rounded to steps of its largest value's 32,600th. A thread has a
   chunk, of which `info` tells the step, the sums of its two halves, and both together. Zeros behind the end of a row. #}
{% import "_rows.wgsl" as R with context %}
{% import "_activations.wgsl" as F with context %}
{% set LIMIT = 32600.0 %}
{{ R.reducers(["sum"]) if act == "norm" }}
{{ F.logistic() if act == "swiglu" }}
{% include "_row_values.wgsl" %}
// Integers from -32,600 to 32,600: numbers are rounded by adding 3 * 2^22, where integers are a step apart.
fn rounded(v: vec4<f32>, inverse: f32) -> vec4<i32> {
    return bitcast<vec4<i32>>(fma(v, vec4(inverse), vec4(12582912.0))) - vec4(0x4b400000);
}
fn pairs(steps: vec4<i32>) -> vec2<u32> {
    let low = bitcast<vec4<u32>>(steps) & vec4(0xffffu);
    return low.xz | (low.yw << vec2(16u));
}
fn sum_of(a: vec4<i32>, b: vec4<i32>, c: vec4<i32>, d: vec4<i32>) -> f32 {
    let sums = (a + b) + (c + d);
    return f32((sums.x + sums.y) + (sums.z + sums.w));
}
{% call R.main() %}
        let first = row * p.width + p.at;
{% if act == "norm" %}
{% call R.sums({"squares": "v * v"}) %}
            let v = x_from(first + 4u * c, first + p.cols);
{% endcall %}
        let root = inverseSqrt(squares / f32(p.cols) + p.eps);
{% endif %}
        for (var j = {{ "0u" if reduce == "thread" else "t" }}; j < p.parts; j += {{ 1 if reduce == "thread" else threads }}u) {
            var most = vec4<f32>();
{% for e in range(8) %}
            let v{{ e }} = value(first, 8u * j + {{ e }}u){{ " * root" if act == "norm" }};
            most = max(most, abs(v{{ e }}));
{% endfor %}
            let top = max(max(most.x, most.y), max(most.z, most.w));
            let inverse = select(0.0, {{ LIMIT }} / top, top > 1e-30);
{% for e in range(8) %}
            let r{{ e }} = rounded(v{{ e }}, inverse);
{% endfor %}
            let i = row * p.parts + j;
{% for e in range(4) %}
            h[4u * i + {{ e }}u] = vec4(pairs(r{{ 2 * e }}), pairs(r{{ 2 * e + 1 }}));
{% endfor %}
            // What is no number, or no finite one, stays so.
            let all = ((v0 + v1) + (v2 + v3)) + ((v4 + v5) + (v6 + v7));
            let sum = (all.x + all.y) + (all.z + all.w);
            let step = select(sum, top * {{ 1 / LIMIT }}, abs(sum) <= 3.4e38);
            let low = step * sum_of(r0, r1, r2, r3);
            let high = step * sum_of(r4, r5, r6, r7);
            info[i] = vec4(step, low, high, low + high);
        }
{% endcall %}
