// NaN, infinities, and rounding to the 16-bit floats, on the bits of an f32.
var<private> special_zero: u32 = 0u;
fn special(bits: u32) -> f32 {
    // WGSL refuses inf and NaN as constants; a sum with a variable is none.
    return bitcast<f32>(bits + special_zero);
}
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}
fn is_inf(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u;
}
fn fmax_num(a: f32, b: f32) -> f32 {
    return select(select(max(a, b), a, is_nan(b)), b, is_nan(a));
}
fn fmin_num(a: f32, b: f32) -> f32 {
    return select(select(min(a, b), a, is_nan(b)), b, is_nan(a));
}
fn fmax_nan(a: f32, b: f32) -> f32 {
    return select(select(max(a, b), b, is_nan(b)), a, is_nan(a));
}
fn fmin_nan(a: f32, b: f32) -> f32 {
    return select(select(min(a, b), b, is_nan(b)), a, is_nan(a));
}
fn half_bits(x: f32) -> u32 {
    // Nearest, ties to even; pack2x16float may round either way.
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    let normal = (size - 0x38000000u + 0xfffu + ((size >> 13u) & 1u)) >> 13u;
    let subnormal = bitcast<u32>(bitcast<f32>(size) + 0.5f) - 0x3f000000u;
    var half = select(normal, subnormal, size < 0x38800000u);
    half = select(half, 0x7c00u, size >= 0x477ff000u);
    half = select(half, 0x7e00u, size > 0x7f800000u);
    return half | ((bits >> 16u) & 0x8000u);
}
fn half_bits_rtz(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    let normal = (size - 0x38000000u) >> 13u;
    let shift = min(126u - (size >> 23u), 31u);
    let subnormal = ((size & 0x7fffffu) | 0x800000u) >> shift;
    var half = select(normal, subnormal, size < 0x38800000u);
    half = select(half, 0x7bffu, size >= 0x47800000u);
    half = select(half, 0x7c00u, size == 0x7f800000u);
    half = select(half, 0x7e00u, size > 0x7f800000u);
    return half | ((bits >> 16u) & 0x8000u);
}
fn from_half(h: u32) -> f32 {
    return unpack2x16float(h).x;
}
fn round_f16(x: f32) -> f32 {
    return from_half(half_bits(x));
}
fn round_f16_rtz(x: f32) -> f32 {
    return from_half(half_bits_rtz(x));
}
fn round_bf16(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let rounded = (bits + 0x7fffu + ((bits >> 16u) & 1u)) & 0xffff0000u;
    return bitcast<f32>(select(rounded, (bits & 0xffff0000u) | 0x400000u, is_nan(x)));
}
fn round_bf16_rtz(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    return bitcast<f32>(select(bits & 0xffff0000u, (bits & 0xffff0000u) | 0x400000u, is_nan(x)));
}
