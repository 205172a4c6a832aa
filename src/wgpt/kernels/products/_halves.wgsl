{# f32 numbers as halves, for matrix units. #}
fn halves(a: vec4<f32>, b: vec4<f32>) -> vec4<u32> {
    return vec4(pack2x16float(a.xy), pack2x16float(a.zw), pack2x16float(b.xy), pack2x16float(b.zw));
}
// The part that f16 holds, by its bits: lavapipe takes unpack2x16float(pack2x16float(v)) for v, unrounded.
fn high(v: vec4<f32>) -> vec4<f32> { return bitcast<vec4<f32>>(bitcast<vec4<u32>>(v) & vec4(0xffffe000u)); }
