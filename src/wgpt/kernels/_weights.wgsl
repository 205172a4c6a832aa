{# How each weight type comes out of its two planes (quant/weight_type.py says what they are). A chunk is one 16-byte
   load: `w` is array<vec4<u32>>, or array<mat2x4<f16>> for native halves.

   The code of a type is weights/NAME.wgsl, which defines these macros, mostly out of the pieces beside it
   (weights/_nibbles, _high, _groups, _table):
     values(half, q, v, high)   statements: vec4<f32> values v0 .. v(n-1) of chunk `q`, before scaling
     quad(half, quads)          function w4(row, q): four neighbouring weights, quad q (weights 4q .. 4q+3) of a row of so
                                many quads, an expression; `w` is then array<QUAD_ELEM> (weighted.py)
   and, except for floats:
     functions(convert)         functions that the others call, and
                                scale_of(i): scale and offset of the block that holds flat chunk i: a weight is
                                value * x + y (with `two_scales`, x is the scale of weights 0 to 15, y of 16 to 31)
                                `convert`: with integer-to-float conversions, which a CPU is fast at; `zero` is then the
                                caller's to subtract
     word_values(q, v, high)    statements: the same as `values` for one word: v0, and v1 (16 weights further on) of
                                chunks of 32
   and, by its traits:
     grouped                    functions group_of(i), what the eight chunks from 8 i on share, and scale_in(group, at)
     codes "high"               functions high_of(i), the bits above four of chunk i, which `values` takes as `high`; and
                                high_word(i, j), as word j needs them, which `word_values` takes
     codes "table"              macro codebook(shared): a table in workgroup memory, which load_codebook(t) fills, or in
                                private memory #}

{# Types by what they need (traits of WeightType). #}
{% set NIBBLES = with_trait("codes", "nibbles") %}
{% set HIGH = with_trait("codes", "high") %}
{% set CODES = with_trait("codes", "table") %}
{% set GROUPED = with_trait("grouped") %}
{% set ZERO = with_trait("zero") %}
{% set OFFSET = with_trait("offset") %}
{% set HALVES = with_trait("two_scales") %}

{% macro codebook(weight, shared) %}
{% import "weights/" ~ weight ~ ".wgsl" as T %}
{{ T.codebook(shared) -}}
{% endmacro %}
{% macro values(weight, half, q, v, high="high") %}
{% import "weights/" ~ weight ~ ".wgsl" as T %}
{{ T.values(half, q, v, high) -}}
{% endmacro %}
{% macro word_values(weight, q, v, high="high") %}
{% import "weights/" ~ weight ~ ".wgsl" as T %}
{{ T.word_values(q, v, high) -}}
{% endmacro %}
{% macro scale_function(weight, convert=false) %}
{% import "weights/" ~ weight ~ ".wgsl" as T %}
{{ T.functions(convert) if weight in SCALED else "\n" -}}
{% endmacro %}
{% macro quad_function(weight, half, quads="p.quads") %}
{% import "weights/" ~ weight ~ ".wgsl" as T %}
{{ T.quad(half, quads) -}}
{% endmacro %}
