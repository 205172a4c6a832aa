{# Angles of RoPE. An angle is a 32-bit fraction of a full turn (rope.py: phase_steps), so reducing it to an eighth of a
   turn is exact. Polynomials are used because WGSL's sin and cos are not accurate enough. #}
{% macro phase() %}
fn phase(position: u32, pair: u32) -> u32 {
    let s = steps[pair];
    return position * s.x + u32(f32(position) * f32(s.y) * 2.3283064e-10);
}
{% endmacro %}

{# Which of a head's vec4s of q and k have the pairs of unit number `unit`: `let at_a` and `let at_b`, named after `c`. If
   only a part of the head is rotated (`turned` vec4s and as many half as far away), the pairs of the rest stay, and both
   are half a head apart in the cache. Interleaved pairs are neighbours in two adjacent vec4s. If the rotated part is no
   multiple of eight (`ragged`), they are vectors of elements' numbers, as the four pairs are in no vec4. #}
{% macro places(c, unit, units, turned, rest, interleaved, ragged) %}
{% if ragged %}
    let pair{{ c }} = 4u * {{ unit }} + vec4(0u, 1u, 2u, 3u);
    let turns{{ c }} = pair{{ c }} < vec4({{ turned }}u);
    let at_a{{ c }} = pair{{ c }} + select(vec4({{ turned }}u), vec4<u32>(), turns{{ c }});
    let at_b{{ c }} = at_a{{ c }} + select(vec4({{ rest }}u), vec4({{ turned }}u), turns{{ c }});
{% elif interleaved %}
    let turns{{ c }} = {{ unit }} < {{ turned }}u;
    let at_a{{ c }} = select({{ unit }} + {{ turned }}u, 2u * {{ unit }}, turns{{ c }});
    let at_b{{ c }} = at_a{{ c }} + select({{ rest }}u, 1u, turns{{ c }});
{% elif rest %}
    let at_a{{ c }} = {{ unit }} + select({{ turned }}u, 0u, {{ unit }} < {{ turned }}u);
    let at_b{{ c }} = at_a{{ c }} + select({{ rest }}u, {{ turned }}u, {{ unit }} < {{ turned }}u);
{% else %}
    let at_a{{ c }} = {{ unit }};
    let at_b{{ c }} = {{ unit }} + {{ units }}u;
{% endif %}
{% endmacro %}

{# What is at `at` (at_a or at_b) of a head of `array` that begins with vec4 number `first`. #}
{% macro taken(array, first, at, ragged) -%}
{% if ragged %}vec4({% for j in range(4) %}{{ array }}[{{ first }} + {{ at }}[{{ j }}] / 4u][{{ at }}[{{ j }}] % 4u]{{ ", " if j < 3 }}{% endfor %}){% else %}{{ array }}[{{ first }} + {{ at }}]{% endif %}
{%- endmacro %}

{# The factor of the pairs of a unit. #}
{% macro longer(amplitude, c, unit, turned, ragged) -%}
{% if ragged %}select(vec4(1.0), vec4({{ amplitude }}), turns{{ c }}){% else %}select(1.0, {{ amplitude }}, {{ unit }} < {{ turned }}u){% endif %}
{%- endmacro %}

{# Interleaved pairs in vec4s `a` and `b` of qkv become a vec4 of first elements and one of second ones; and back. #}
{% macro deinterleave(a, b, turns) %}
        if ({{ turns }}) {
            let seconds = vec4({{ a }}.yw, {{ b }}.yw);
            {{ a }} = vec4({{ a }}.xz, {{ b }}.xz);
            {{ b }} = seconds;
        }
{% endmacro %}
{% macro interleave(a, b, turns) %}
        if ({{ turns }}) {
            let later = vec4({{ a }}.z, {{ b }}.z, {{ a }}.w, {{ b }}.w);
            {{ a }} = vec4({{ a }}.x, {{ b }}.x, {{ a }}.y, {{ b }}.y);
            {{ b }} = later;
        }
{% endmacro %}

{# The number of a head in a row of qkv; `head` counts q heads, then k heads, then v heads. #}
{% macro source_head(head, heads, kv_heads) %}
{% set group = heads // kv_heads -%}
select({{ head }} / {{ group }}u * {{ group + 2 }}u + {{ head }} % {{ group }}u, ({{ head }} - {{ heads }}u) % {{ kv_heads }}u * {{ group + 2 }}u + select({{ group }}u, {{ group + 1 }}u, is_v), is_k)
{%- endmacro %}

{# The factor of a query at `position`. #}
{% macro growing(growth, grow_after) -%}
(1.0 + {{ growth }} * log(1.0 + f32(position / {{ grow_after }}u)))
{%- endmacro %}

{# `let sine` and `let cosine` of `pairs` pairs from `first_pair` on, both in scope; `sign` is the direction. #}
{% macro sine_cosine(pairs, sign="") %}
{% set F, U, I = ("f32", "u32", "i32") if pairs == 1
   else ("vec%d<f32>" % pairs, "vec%d<u32>" % pairs, "vec%d<i32>" % pairs) %}
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
{% endmacro %}
