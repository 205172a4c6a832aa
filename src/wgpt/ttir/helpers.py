"""WGSL functions that lowered kernels call. Only those that are used go into a shader."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TEXT = """
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
fn sext(x: i32, bits: u32) -> i32 {
    return (x << (32u - bits)) >> (32u - bits);
}
fn umulhi(a: u32, b: u32) -> u32 {
    let a0 = a & 0xffffu;
    let a1 = a >> 16u;
    let b0 = b & 0xffffu;
    let b1 = b >> 16u;
    let low = a0 * b0;
    let m = a1 * b0 + (low >> 16u);
    let n = a0 * b1 + (m & 0xffffu);
    return a1 * b1 + (m >> 16u) + (n >> 16u);
}
fn floor_div(a: i32, b: i32) -> i32 {
    let q = a / b;
    return select(q, q - 1i, ((a % b) != 0i) && ((a < 0i) != (b < 0i)));
}
fn ceil_div(a: i32, b: i32) -> i32 {
    let q = a / b;
    return select(q, q + 1i, ((a % b) != 0i) && ((a < 0i) == (b < 0i)));
}
fn l_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}
fn l_neg(a: vec2<u32>) -> vec2<u32> {
    return l_add(~a, vec2<u32>(1u, 0u));
}
fn l_sub(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}
fn l_mul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x * b.x, umulhi(a.x, b.x) + a.x * b.y + a.y * b.x);
}
fn l_shl(a: vec2<u32>, n: u32) -> vec2<u32> {
    let s = n & 31u;
    let carried = select(a.x >> ((32u - s) & 31u), 0u, s == 0u);
    let short = vec2<u32>(a.x << s, (a.y << s) | carried);
    let long = vec2<u32>(0u, a.x << s);
    return select(short, long, (n & 32u) != 0u);
}
fn l_shr(a: vec2<u32>, n: u32) -> vec2<u32> {
    let s = n & 31u;
    let carried = select(a.y << ((32u - s) & 31u), 0u, s == 0u);
    let short = vec2<u32>((a.x >> s) | carried, a.y >> s);
    let long = vec2<u32>(a.y >> s, 0u);
    return select(short, long, (n & 32u) != 0u);
}
fn l_sar(a: vec2<u32>, n: u32) -> vec2<u32> {
    let s = n & 31u;
    let carried = select(a.y << ((32u - s) & 31u), 0u, s == 0u);
    let high = bitcast<u32>(bitcast<i32>(a.y) >> s);
    let short = vec2<u32>((a.x >> s) | carried, high);
    let long = vec2<u32>(high, bitcast<u32>(bitcast<i32>(a.y) >> 31u));
    return select(short, long, (n & 32u) != 0u);
}
fn l_eq(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.x == b.x && a.y == b.y;
}
fn l_ult(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}
fn l_slt(a: vec2<u32>, b: vec2<u32>) -> bool {
    return bitcast<i32>(a.y) < bitcast<i32>(b.y) || (a.y == b.y && a.x < b.x);
}
fn l_sext(a: i32) -> vec2<u32> {
    return vec2<u32>(bitcast<u32>(a), bitcast<u32>(a >> 31u));
}
fn l_udivmod(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
    // Quotient and remainder by long division; a zero divisor gives all ones and a.
    if (a.y == 0u && b.y == 0u && b.x != 0u) {
        return vec4<u32>(a.x / b.x, 0u, a.x % b.x, 0u);
    }
    var q = vec2<u32>(0u, 0u);
    var r = vec2<u32>(0u, 0u);
    for (var i = 0i; i < 64i; i += 1i) {
        let bit = select(a.x >> u32((63i - i) & 31i), a.y >> u32((63i - i) & 31i), i < 32i) & 1u;
        let spilled = (r.y >> 31u) != 0u;
        r = vec2<u32>((r.x << 1u) | bit, (r.y << 1u) | (r.x >> 31u));
        q = vec2<u32>(q.x << 1u, (q.y << 1u) | (q.x >> 31u));
        if (spilled || !l_ult(r, b)) {
            r = l_sub(r, b);
            q.x |= 1u;
        }
    }
    return vec4<u32>(q, r);
}
fn l_abs(a: vec2<u32>) -> vec2<u32> {
    return select(a, l_neg(a), (a.y >> 31u) != 0u);
}
fn l_udiv(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return l_udivmod(a, b).xy;
}
fn l_urem(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return l_udivmod(a, b).zw;
}
fn l_sdiv(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let q = l_udivmod(l_abs(a), l_abs(b)).xy;
    return select(q, l_neg(q), ((a.y ^ b.y) >> 31u) != 0u);
}
fn l_srem(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let r = l_udivmod(l_abs(a), l_abs(b)).zw;
    return select(r, l_neg(r), (a.y >> 31u) != 0u);
}
fn l_umulhi(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = umulhi(a.x, b.x);
    let m = l_add(vec2<u32>(a.x * b.y, umulhi(a.x, b.y)), vec2<u32>(low, 0u));
    let n = l_add(vec2<u32>(a.y * b.x, umulhi(a.y, b.x)), vec2<u32>(m.x, 0u));
    return l_add(l_add(vec2<u32>(a.y * b.y, umulhi(a.y, b.y)), vec2<u32>(m.y, 0u)), vec2<u32>(n.y, 0u));
}
fn l_utof(a: vec2<u32>) -> f32 {
    if (a.y == 0u) {
        return f32(a.x);
    }
    // 32 leading bits, the rest as a sticky bit: one rounding, to nearest.
    let zeros = countLeadingZeros(a.y);
    let top = l_shl(a, zeros);
    return f32((top.y & 0xffffff00u)) * pow2(32i - i32(zeros)) + tail_of(top, zeros);
}
fn tail_of(top: vec2<u32>, zeros: u32) -> f32 {
    // What the 24 leading bits leave, rounded to nearest even in units of bit 40.
    let rest = ((top.y & 0xffu) << 1u) | select(0u, 1u, top.x != 0u);
    let up = rest > 0x100u || (rest == 0x100u && (top.y & 0x100u) != 0u);
    return select(0.0f, pow2(40i - i32(zeros)), up);
}
fn pow2(n: i32) -> f32 {
    return bitcast<f32>(u32(n + 127i) << 23u);
}
fn l_stof(a: vec2<u32>) -> f32 {
    let size = l_utof(l_abs(a));
    return select(size, -size, (a.y >> 31u) != 0u);
}
fn l_fromf(x: f32) -> vec2<u32> {
    let size = trunc(abs(x));
    let bits = bitcast<u32>(size);
    let exponent = i32(bits >> 23u) - 150i;
    let mantissa = vec2<u32>((bits & 0x7fffffu) | 0x800000u, 0u);
    let small = vec2<u32>(u32(min(size, 16777215.0f)), 0u);
    var whole = select(l_shl(mantissa, u32(max(exponent, 0i)) & 63u), small, exponent < 0i);
    whole = select(whole, l_neg(whole), x < 0.0f);
    let large = select(vec2<u32>(0xffffffffu, 0x7fffffffu), vec2<u32>(0u, 0x80000000u), x < 0.0f);
    return select(whole, large, size >= 9223372036854775808.0f);
}
fn l_fromfu(x: f32) -> vec2<u32> {
    let size = trunc(max(x, 0.0f));
    let bits = bitcast<u32>(size);
    let exponent = i32(bits >> 23u) - 150i;
    let mantissa = vec2<u32>((bits & 0x7fffffu) | 0x800000u, 0u);
    let small = vec2<u32>(u32(min(size, 16777215.0f)), 0u);
    let whole = select(l_shl(mantissa, u32(max(exponent, 0i)) & 63u), small, exponent < 0i);
    return select(whole, vec2<u32>(0xffffffffu, 0xffffffffu), size >= 18446744073709551616.0f);
}
fn f_to_i(x: f32) -> i32 {
    return i32(clamp(x, -2147483648.0f, 2147483520.0f));
}
fn f_to_u(x: f32) -> i32 {
    // A negative number goes through the signed type, as C's casts do on GPUs.
    return select(bitcast<i32>(u32(clamp(x, 0.0f, 4294967040.0f))), i32(max(x, -2147483648.0f)), x < 0.0f);
}
fn fmod(a: f32, b: f32) -> f32 {
    // Exact: subtracts b times powers of two, the largest first.
    let y = abs(b);
    var r = abs(a);
    if (is_nan(a) || is_nan(b) || is_inf(a) || y == 0.0f) {
        return special(0x7fc00000u);
    }
    if (is_inf(b) || r < y) {
        return a;
    }
    for (var i = 0i; i < 300i && r >= y; i += 1i) {
        let shift = i32(bitcast<u32>(r) >> 23u) - i32(bitcast<u32>(y) >> 23u);
        var t = y;
        if (shift > 0i) {
            t = y * pow2(min(shift, 127i));
            if (shift > 127i) {
                t = t * pow2(shift - 127i);
            }
            if (t > r) {
                t = t * 0.5f;
            }
        }
        r = r - t;
    }
    return bitcast<f32>(bitcast<u32>(r) | (bitcast<u32>(a) & 0x80000000u));
}
fn precise_div(a: f32, b: f32) -> f32 {
    // Correctly rounded, in integers: WebGPU allows 2.5 units in the last place, and its fma may round twice.
    let x = bitcast<u32>(a);
    let y = bitcast<u32>(b);
    let ea = i32((x >> 23u) & 0xffu);
    let eb = i32((y >> 23u) & 0xffu);
    if (ea == 0i || ea == 255i || eb == 0i || eb == 255i) {
        return a / b;
    }
    var m = (x & 0x7fffffu) | 0x800000u;
    let d = (y & 0x7fffffu) | 0x800000u;
    let less = m < d;
    m = select(m, m << 1u, less);
    var e = ea - eb - select(0i, 1i, less) + 127i;
    var q = 1u;
    var r = m - d;
    for (var i = 0i; i < 3i; i += 1i) {
        let t = r << 8u;
        q = (q << 8u) | (t / d);
        r = t % d;
    }
    let up = (q & 1u) != 0u && (r != 0u || (q & 2u) != 0u);
    q = (q >> 1u) + select(0u, 1u, up);
    e = e + select(0i, 1i, q == 0x1000000u);
    if (e <= 0i || e >= 255i) {
        return a / b;
    }
    return bitcast<f32>(((x ^ y) & 0x80000000u) | (u32(e) << 23u) | (q & 0x7fffffu));
}
fn precise_sqrt(x: f32) -> f32 {
    // The driver's root, put right by one unit where its square says so.
    let s = sqrt(x);
    let bits = bitcast<u32>(x);
    let e = i32(bits >> 23u);
    if (e == 0i || e >= 255i) {
        return s;
    }
    let odd = (e & 1i) == 0i;
    let m = (bits & 0x7fffffu) | 0x800000u;
    let n = l_shl(vec2<u32>(m, 0u), select(25u, 26u, odd));
    var q = (bitcast<u32>(s) & 0x7fffffu) | 0x800000u;
    let above = vec2<u32>(2u * q + 1u, 0u);
    let below = vec2<u32>(2u * q - 1u, 0u);
    if (!l_ult(n, l_mul(above, above))) {
        return bitcast<f32>(bitcast<u32>(s) + 1u);
    }
    if (l_ult(n, l_mul(below, below))) {
        return bitcast<f32>(bitcast<u32>(s) - 1u);
    }
    return s;
}
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
    // WebGPU's own may be off by 2^-21 near 1, where the logarithm itself is small.
    let tiny = x < 1.17549435e-38f;
    let a = select(x, x * 8388608.0f, tiny);
    let bits = bitcast<u32>(a);
    let e = (bits - 0x3f2aaaabu) & 0xff800000u;
    let f = bitcast<f32>(bits - e) - 1.0f;
    let i = f32(bitcast<i32>(e) >> 23u) - select(0.0f, 23.0f, tiny);
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
    y = select(y, special(0xff800000u), x == 0.0f);
    return select(y, special(0x7fc00000u), x < 0.0f);
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
"""


def _split() -> dict[str, str]:
    found = {}
    for match in re.finditer(r"^(?:var<private> \w+[^\n]*\n)?fn (\w+)\(.*?^}\n", _TEXT, re.M | re.S):
        found[match.group(1)] = match.group()
    return found


_SOURCES = _split()
_NEEDS = {
    name: {other for other in re.findall(r"\b(\w+)\(", text) if other in _SOURCES and other != name}
    for name, text in _SOURCES.items()
}


def source(names: Iterable[str]) -> str:
    """The text of these functions and of what they call, in a fixed order."""
    wanted: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in wanted:
            wanted.add(name)
            todo += _NEEDS[name]
    return "".join(_SOURCES[name] for name in _SOURCES if name in wanted)
