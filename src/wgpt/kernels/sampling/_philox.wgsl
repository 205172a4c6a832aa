{# Philox 4x32-10 (Salmon et al., 2011): random bits from a counter and a key, with integer arithmetic only. #}
{% macro philox() %}
// High and low word of a product.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let left = (a >> 16u) * (b & 0xffffu);
    let right = (a & 0xffffu) * (b >> 16u);
    let middle = (low >> 16u) + (left & 0xffffu) + (right & 0xffffu);
    return vec2((a >> 16u) * (b >> 16u) + (left >> 16u) + (right >> 16u) + (middle >> 16u), a * b);
}

fn philox(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
    var c = counter;
    var k = key;
    for (var i = 0u; i < 10u; i++) {
        let first = wide_product(0xd2511f53u, c.x);
        let second = wide_product(0xcd9e8d57u, c.z);
        c = vec4(second.x ^ c.y ^ k.x, second.y, first.x ^ c.w ^ k.y, first.y);
        k += vec2(0x9e3779b9u, 0xbb67ae85u);
    }
    return c;
}
{% endmacro %}
