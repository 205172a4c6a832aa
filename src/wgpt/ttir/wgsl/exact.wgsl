// Operations whose result is the exactly rounded one, where WebGPU asks for less.
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
