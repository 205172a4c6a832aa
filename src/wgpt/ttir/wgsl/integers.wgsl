// Integers of up to 32 bits, held in an i32.
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
