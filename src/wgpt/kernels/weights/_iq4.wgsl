{# Shared by types whose codes are looked up in the table of IQ4 (quant/codebooks.py). #}
{% import "weights/_table.wgsl" as T %}
{% macro codebook(shared, table) %}{{ T.codebook(shared, "iq4", table) }}{% endmacro %}
{% macro values(half, q, v, high) %}{{ T.values(q, v, "iq4") }}{% endmacro %}
{% macro word_values(q, v, high) %}{{ T.word_values(q, v, "iq4") }}{% endmacro %}
{% macro quad(half, quads) %}{{ T.quad(quads, "iq4") }}{% endmacro %}

{# As bytes, without a table: a word for each bit of 32 codes, each bit of their values as a function of these, and back
   to a byte for each value. #}
{% macro whole(q, v, high) %}
{% for e in "xyzw" %}
        let a{{ loop.index0 }} = {{ q }}.{{ e }};
{% endfor %}
{{ exchange("a", "b", 4, 1) }}
{{ exchange("b", "c", 4, 2) }}
        let e0 = c3 ^ (c1 | (c2 & c3));
        let d0 = (e0 ^ c2) | ~(e0 | c0);
        let d1 = c2 ^ ((c0 & (c1 ^ c2)) | (c2 & c3));
        let d2 = (c2 | (c0 & c3)) ^ (c1 & ~(c3 ^ (c2 & (c0 | c3))));
        let d3 = (c1 | (c2 & ~c3)) ^ (c0 & ((c1 & c3) | ~(c1 ^ c2)));
        let d4 = c0 ^ (((c0 ^ c1) | (c0 ^ c2)) & c3);
        let d5 = c1 ^ (~c0 & (c1 | c2) & c3);
        let d6 = c2 & (c0 | c1 | ~c3);
        let d7 = ~c3;
{{ exchange("d", "f", 8, 1) }}
{{ exchange("f", "g", 8, 2) }}
{{ exchange("g", v, 8, 4) }}
{% endmacro %}
{# Statements: bit j of each `step` bits of word i becomes bit i of word j, for words that are `step` apart. #}
{% macro exchange(from, to, count, step) %}
{% set low = ["0x55555555u", "0x33333333u", "0x0f0f0f0fu"][step // 2] %}
{% for i in range(count) if i // step % 2 == 0 %}
{% set j = i + step %}
        let {{ to }}{{ i }} = ({{ from }}{{ i }} & {{ low }}) | (({{ from }}{{ j }} << {{ step }}u) & ~{{ low }});
        let {{ to }}{{ j }} = (({{ from }}{{ i }} >> {{ step }}u) & {{ low }}) | ({{ from }}{{ j }} & ~{{ low }});
{% endfor %}
{% endmacro %}
