{% set items = 1 %}
{% import "_each.wgsl" as each with context %}
{% call each.main("p.m") %}
        let token = tokens[i];
        let row = rows[i];
        if (row.y != 0xffffffffu && row.x < p.slots && token < p.vocab) {
            atomicOr(&seen[row.x * p.words + token / 32u], 1u << (token % 32u));
        }
{% endcall %}
