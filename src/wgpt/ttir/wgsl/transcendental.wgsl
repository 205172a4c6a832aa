// sin, exp, log and their kin: the same on every GPU, to a few units in the last place.
fn two_over_pi(i: i32) -> u32 {
    var words = array<u32, 6>(0x28be60dbu, 0x9391054au, 0x7f09d5f4u, 0x7d4d3770u, 0x36d8a566u, 0x4f10e410u);
    return select(words[clamp(i, 0i, 5i)], 0u, i < 0i);
}
fn reduced_large(x: f32) -> vec2<f32> {
    // Payne and Hanek: x times the bits of 2 / pi that matter, in 2.62 fixed point.
    let bits = bitcast<u32>(x);
    let a = ((bits & 0x7fffffu) << 8u) | 0x80000000u;
    let shift = i32((bits >> 23u) & 0xffu) - 126i;
    let i = shift >> 5u;
    let e = u32(shift & 31i);
    let back = (32u - e) & 31u;
    let w0 = two_over_pi(i - 1i);
    let w1 = two_over_pi(i);
    let w2 = two_over_pi(i + 1i);
    let w3 = two_over_pi(i + 2i);
    let high = select((w0 << e) | (w1 >> back), w0, e == 0u);
    let middle = select((w1 << e) | (w2 >> back), w1, e == 0u);
    let low = select((w2 << e) | (w3 >> back), w2, e == 0u);
    var p = l_add(vec2<u32>(a * middle, umulhi(a, middle)), vec2<u32>(umulhi(a, low), 0u));
    p = vec2<u32>(p.x, p.y + a * high);
    var quadrant = i32(p.y >> 30u);
    p.y = p.y & 0x3fffffffu;
    if ((p.y & 0x20000000u) != 0u) {
        p = l_sub(p, vec2<u32>(0u, 0x40000000u));
        quadrant = quadrant + 1i;
    }
    let r = l_stof(p) * 3.40612159e-19f;
    return select(vec2<f32>(r, f32(quadrant)), vec2<f32>(-r, f32(-quadrant)), x < 0.0f);
}
fn sincos_reduced(x: f32, turn: i32) -> f32 {
    // sin(x + turn * pi / 2). Products with the first constants are exact: fma need not be one operation.
    let k = round(x * 0.636619747f);
    let near = ((x - k * 1.5703125f) - k * 4.83751297e-4f) - k * 7.54978995e-8f;
    var found = vec2<f32>(near, k);
    if (abs(x) > 4000.0f) {
        found = reduced_large(x);
    }
    let r = found.x;
    let quadrant = (i32(found.y) + turn) & 3i;
    let r2 = r * r;
    let s = fma(fma(fma(fma(2.86567956e-6f, r2, -1.98559923e-4f), r2, 8.33338592e-3f), r2, -0.166666672f), r2 * r, r);
    let c = fma(fma(fma(fma(2.44677067e-5f, r2, -1.38877297e-3f), r2, 4.16666567e-2f), r2, -0.5f), r2, 1.0f);
    let y = select(s, c, (quadrant & 1i) == 1i);
    return select(select(y, -y, quadrant >= 2i), special(0x7fc00000u), is_nan(x) || is_inf(x));
}
fn sine(x: f32) -> f32 {
    return sincos_reduced(x, 0i);
}
fn cosine(x: f32) -> f32 {
    return sincos_reduced(x, 1i);
}
fn erf_of(x: f32) -> f32 {
    // Two minimax polynomials: near zero in x^2, beyond it in the exponent.
    let a = abs(x);
    let s = x * x;
    var small = -5.96761703e-4f;
    small = fma(small, s, 4.99119423e-3f);
    small = fma(small, s, -2.67681349e-2f);
    small = fma(small, s, 1.12819925e-1f);
    small = fma(small, s, -3.76125336e-1f);
    small = fma(small, s, 1.28379166e-1f);
    let near = fma(small, x, x);
    var large = fma(-1.72853470e-5f, a, 3.83197126e-4f);
    let u = fma(-3.88396438e-3f, a, 2.42546219e-2f);
    large = fma(large, s, u);
    large = fma(large, a, -1.06777877e-1f);
    large = fma(large, a, -6.34846687e-1f);
    large = fma(large, a, -1.28717512e-1f);
    large = fma(large, a, -a);
    let far = sign(x) * (1.0f - exp(large));
    let value = select(near, select(far, sign(x), a > 4.0f), a > 0.927734375f);
    return select(value, x, is_nan(x));
}
fn exp_of(x: f32) -> f32 {
    // exp(x) = 2^k * e^r: the same everywhere, to a unit in the last place.
    let k = round(clamp(x, -110.0f, 100.0f) * 1.44269502f);
    // The first product is exact: fma need not be one operation.
    let r = (clamp(x, -110.0f, 100.0f) - k * 0.693359375f) + k * 2.12194440e-4f;
    var p = fma(r, 1.37805939e-3f, 8.37312452e-3f);
    p = fma(p, r, 4.16695364e-2f);
    p = fma(p, r, 1.66664720e-1f);
    p = fma(p, r, 4.99999851e-1f);
    p = fma(p, r, 1.0f);
    p = fma(p, r, 1.0f);
    let n = i32(k);
    let half = n >> 1u;
    let y = p * pow2(half) * pow2(n - half);
    return select(y, x, is_nan(x));
}
fn log_of(x: f32) -> f32 {
    // WebGPU's own may be off by 2^-21 near 1, where the logarithm itself is small. Subnormal numbers are taken by
    // their bits, in units of 2^-149: a GPU may take them for zero.
    let raw = bitcast<u32>(x);
    let tiny = raw < 0x800000u;
    let a = select(x, f32(raw), tiny);
    let bits = bitcast<u32>(a);
    let e = (bits - 0x3f2aaaabu) & 0xff800000u;
    let f = bitcast<f32>(bits - e) - 1.0f;
    let i = f32(bitcast<i32>(e) >> 23u) - select(0.0f, 149.0f, tiny);
    let s = f * f;
    var r = fma(-0.130310059f, s, -0.121483512f);
    var t = fma(0.140869141f, s, 0.139814854f);
    r = fma(r, s, -0.166846126f);
    t = fma(t, s, 0.200120345f);
    r = fma(r, s, -0.249996200f);
    r = fma(t, f, r);
    r = fma(r, f, 0.333331972f);
    r = fma(r, f, -0.5f);
    r = fma(r, s, f);
    var y = fma(i, 0.693147182f, r);
    y = select(y, x, is_nan(x) || (is_inf(x) && x > 0.0f));
    y = select(y, special(0xff800000u), (raw & 0x7fffffffu) == 0u);
    return select(y, special(0x7fc00000u), raw > 0x80000000u);
}
fn log2_of(x: f32) -> f32 {
    return log_of(x) * 1.44269502f;
}
fn expm1_of(x: f32) -> f32 {
    let small = x * (1.0f + x * (0.5f + x * (0.166666667f + x * (0.0416666667f + x * 0.00833333333f))));
    return select(exp_of(x) - 1.0f, small, abs(x) < 0.2f);
}
fn tanh_of(x: f32) -> f32 {
    let s = x * x;
    let small = x * (1.0f + s * (-0.333333333f + s * (0.133333333f + s * -0.0539682540f)));
    let e = exp_of(min(2.0f * abs(x), 40.0f));
    let y = select(small, sign(x) * (1.0f - 2.0f / (e + 1.0f)), abs(x) > 0.15f);
    return select(y, x, is_nan(x));
}
fn log1p_of(x: f32) -> f32 {
    let s = x / (2.0f + x);
    let t = s * s;
    let series = fma(fma(fma(fma(0.0909090909f, t, 0.111111111f), t, 0.142857143f), t, 0.2f), t, 0.333333333f);
    return select(log_of(1.0f + x), 2.0f * fma(series, t * s, s), abs(x) < 0.3f);
}
