// 1 / (1 + exp(-x)) without overflow: exp only of what is not positive.
fn logistic(x: vec4<f32>) -> vec4<f32> {
    let e = exp(-abs(x));
    return select(e, vec4(1.0), x >= vec4(0.0)) / (1.0 + e);
}
