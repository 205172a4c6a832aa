{# tanh of an `F` (f32 or vec4<f32>): WGSL's may overflow, and (1 - e) / (1 + e) cancels near zero. #}
{% macro function(F) %}
fn tanh_of(x: {{ F }}) -> {{ F }} {
    let a = abs(x);
    let q = x * x;
    let e = exp(-2.0 * a);
    let near = a * (1.0 + q * (-0.33333333 + q * (0.13333333 + q * (-0.053968254 + q * 0.021869489))));
    return sign(x) * select((1.0 - e) / (1.0 + e), near, a < {{ F }}(0.25));
}
{% endmacro %}
