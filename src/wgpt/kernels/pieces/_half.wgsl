{# Rounds the bits of f32 numbers to the bits of halves: to nearest, ties to even. #}
// pack2x16float may round either way (some drivers truncate), so the rounding is done here, on the bits.
fn narrow(bits: vec4<u32>) -> vec4<u32> {
    let size = bits & vec4(0x7fffffffu);
    let normal = (size - 0x38000000u + 0xfffu + ((size >> vec4(13u)) & vec4(1u))) >> vec4(13u);
    // Subnormal halves are multiples of 2^-24, which is f32's own spacing at 0.5: the addition rounds.
    let subnormal = bitcast<vec4<u32>>(bitcast<vec4<f32>>(size) + 0.5) - 0x3f000000u;
    var half = select(normal, subnormal, size < vec4(0x38800000u));
    half = select(half, vec4(0x7c00u), size >= vec4(0x477ff000u));
    half = select(half, vec4(0x7e00u), size > vec4(0x7f800000u));
    return half | ((bits >> vec4(16u)) & vec4(0x8000u));
}
