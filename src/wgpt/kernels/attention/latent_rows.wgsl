{# Of a head, `a` vec4s are to be rotated, and `b` are latent. #}
{% import "_each.wgsl" as each with context %}
{% set a = rotary // 4 %}
{% set b = latent // 4 %}
{% set before = nope // 4 %}
{% call each.main("p.count") %}
        let row = i / {{ (heads + 1) * (a + b) }}u;
        let head = i / {{ a + b }}u % {{ heads + 1 }}u;
        let e = i % {{ a + b }}u;
        let turns = e < {{ a }}u;
        if (head == {{ heads }}u) {
            qkv[i] = kv[row * {{ a + b }}u + select(e - {{ a }}u, e + {{ b }}u, turns)];
        } else if (turns) {
            qkv[i] = q[(row * {{ heads }}u + head) * {{ before + a }}u + {{ before }}u + e];
        } else {
            qkv[i] = low[(row * {{ heads }}u + head) * {{ b }}u + e - {{ a }}u];
        }
{% endcall %}
