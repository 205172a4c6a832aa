// 64-bit integers, held in a vec2<u32> (low word first), and floats from and to integers.
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
