{# Index i turns one pair, or the pairs of one vec4 (interleaved) or of two (half). `sign` is the direction.
   The angle is a fraction of a turn in 32 bits (rope.py: phase_steps), so reducing it to an eighth of a turn
   is exact; WGSL promises too little of sin and cos, hence the polynomials. #}
{% import "_each.wgsl" as each with context %}
{% set pairs = 1 if x == "scalar" else 4 if layout == "half" else 2 %}
{% set F, U, I = ("f32", "u32", "i32") if pairs == 1
   else ("vec%d<f32>" % pairs, "vec%d<u32>" % pairs, "vec%d<i32>" % pairs) %}

fn phase(position: u32, pair: u32) -> u32 {
    let s = steps[pair];
    return position * s.x + u32(f32(position) * f32(s.y) * 2.3283064e-10);
}

{% call each.main("p.count") %}
        let first_pair = (i % p.per_head) * {{ pairs }}u;
        let row = i / p.per_head;
        let position = p.start + row % p.seq;
        let turn = {{ U }}({% for j in range(pairs) %}phase(position, first_pair + {{ j }}u){{ ", " if not loop.last }}{% endfor %});
        // The nearest quarter turn, and what is left: within an eighth of a turn, in radians.
        let shifted = turn + {{ U }}(0x20000000u);
        let quarter = shifted >> {{ U }}(30u);
        let a = {{ F }}({{ I }}(shifted & {{ U }}(0x3fffffffu)) - {{ I }}(0x20000000)) * 1.4629180793e-9;
        let q = a * a;
        let s = a + a * q * (-1.6666654611e-1 + q * (8.3321608736e-3 - q * 1.9515295891e-4));
        let c = 1.0 - 0.5 * q + q * q * (4.166664568e-2 + q * (-1.388731625e-3 + q * 2.443315712e-5));
        let odd = (quarter & {{ U }}(1u)) == {{ U }}(1u);
        let back = {{ U }}(2u);
        let sine = {{ sign }}select(select(s, c, odd), -select(s, c, odd), (quarter & back) == back);
        let cosine = select(select(c, s, odd), -select(c, s, odd), ((quarter + {{ U }}(1u)) & back) == back);
{% if x == "scalar" %}
{% if layout == "half" %}
        let i1 = row * 2u * p.per_head + first_pair;
        let i2 = i1 + p.per_head;
{% else %}
        let i1 = 2u * i;
        let i2 = i1 + 1u;
{% endif %}
        let x1 = {{ given }}[i1];
        let x2 = {{ given }}[i2];
        {{ result }}[i1] = x1 * cosine - x2 * sine;
        {{ result }}[i2] = x2 * cosine + x1 * sine;
{% elif layout == "half" %}
        let i1 = row * 2u * p.per_head + i % p.per_head;
        let i2 = i1 + p.per_head;
        let x1 = {{ given }}[i1];
        let x2 = {{ given }}[i2];
        {{ result }}[i1] = x1 * cosine - x2 * sine;
        {{ result }}[i2] = x2 * cosine + x1 * sine;
{% else %}
        let v = {{ given }}[i];
        {{ result }}[i] = v * cosine.xxyy + vec4(-1.0, 1.0, -1.0, 1.0) * v.yxwz * sine.xxyy;
{% endif %}
{% endcall %}
