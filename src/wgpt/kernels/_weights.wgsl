{# Decoding of each weight type from its two planes (described in quant/weight_type.py). A chunk is one 16-byte load:
   `w` is array<vec4<u32>>, or array<mat2x4<f16>> for native halves.

   The code of a type is weights/NAME.wgsl, which defines these macros, mostly with the shared ones in the same folder
   (weights/_nibbles, _high, _groups, _table):
     values(half, q, v, high)   statements: vec4<f32> values v0 .. v(n-1) of chunk `q`, before scaling
     quad(half, quads)          function w4(row, q): four neighbouring weights, quad q (weights 4q .. 4q+3) of a row of
                                `quads` quads (an expression); `w` is then array<QUAD_ELEM> (weighted.py)
   and, except for floats:
     functions(convert)         functions for the other macros, and
                                scale_of(i): scale and offset of the block that holds flat chunk i: a weight is
                                value * x + y (with `two_scales`, x is the scale of weights 0 to 15, y of 16 to 31)
                                `convert`: with integer-to-float conversions, which are fast on a CPU; the caller then
                                subtracts `zero`
     word_values(q, v, high)    statements: the same as `values` for one word: v0, and v1 (16 weights further on) of
                                chunks of 32
   Types of two bits (`by_words`) are read by words of 16 neighbouring weights, each with a scale of its own: for them
   scale_of(i) takes the flat word i, word_values gives v0 .. v3, and there is no `values` (weights/_words.wgsl).
   And, by its traits:
     grouped                    functions group_of(i), the data that the eight chunks from 8 i on share, and
                                scale_in(group, at)
     codes "high"               functions high_of(i), the bits above the lower four of chunk i, for the parameter `high`
                                of `values`; and high_word(i, j), those of word j, for `word_values`
     by_words and extra_bits    function high_word(i), the bits of word i that `s` has, for `word_values`
     codes "grid"               functions(convert, threads, by_chunks), with the macro `grid` of weights/_grid.wgsl
     codes "table"              macro codebook(shared): a table in workgroup memory, which load_codebook(t) fills, or in
                                private memory
     whole_bytes                macro whole(q, v, high): statements: words v0 .. v7 of four signed bytes each, whose
                                products with x are integers: `values` divided by whole_unit, a number that the file
                                sets if it is not 1; v0 to v3 are weights 0 to 15. whole_functions(): functions for it
   A file may also divide scale_of, so that kernels can load scales long before they are used:
     scale_parts()              functions scale_bits(i), what is loaded, and scale_from(bits, i)
     by_words and whole_bytes   whole chunks, with words v0 .. v15; scale_parts() is not left out, scale_from
                                gives the scales of a chunk's words in .x, and their offsets, if any, in .y; and, with
                                extra_bits, it has a function high_of(i), for the parameter `high` of `whole` #}

{# Types by trait (see WeightType). #}
{% set NIBBLES = with_trait("codes", "nibbles") %}
{% set HIGH = with_trait("has_high") %}
{% set BY_WORDS = with_trait("by_words") %}
{% set GRIDS = with_trait("codes", "grid") %}
{% set CODES = with_trait("codes", "table") %}
{% set GROUPED = with_trait("grouped") %}
{% set ZERO = with_trait("zero") %}
{% set OFFSET = with_trait("offset") %}
{% set HALVES = with_trait("two_scales") %}
{% set WHOLE = with_trait("whole_codes") %}
{% set BYTES = with_trait("codes", "bytes") %}

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
{# `threads`: those of the workgroup, if a grid is to be in workgroup memory; load_codebook(t) then fills it, or copy_grid(t)
   before a barrier. `by_chunks`: `w` is read by chunks, though the type is `by_words`. #}
{% macro scale_function(weight, convert=false, threads=0, by_chunks=false) %}
{% import "weights/" ~ weight ~ ".wgsl" as T %}
{{ (T.functions(convert, threads, by_chunks) if weight in GRIDS else T.functions(convert)) if weight in SCALED else "\n" -}}
{% endmacro %}
{# The codes of a chunk of 32 or 64 as bytes (see `whole_bytes`), and the value of one. #}
{% macro whole(weight, q, v, high="high") %}
{% import "weights/" ~ ("_nibbles" if weight in NIBBLES else weight) ~ ".wgsl" as T %}
{{ T.whole(q, v, high) -}}
{% endmacro %}
{% macro whole_unit(weight) %}
{% import "weights/" ~ weight ~ ".wgsl" as T %}
{{ T.whole_unit if T.whole_unit is defined else 1.0 }}
{%- endmacro %}
{% macro whole_functions(weight) %}
{% import "weights/" ~ weight ~ ".wgsl" as T %}
{{ T.whole_functions() if T.whole_functions is defined -}}
{% endmacro %}
{% macro scale_parts(weight) %}
{% import "weights/" ~ weight ~ ".wgsl" as T %}
{% if T.scale_parts is defined %}
{{ T.scale_parts() -}}
{% else %}
fn scale_bits(i: u32) -> vec2<f32> { return scale_of(i); }
fn scale_from(bits: vec2<f32>, i: u32) -> vec2<f32> { return bits; }
{% endif %}
{% endmacro %}
{% macro quad_function(weight, half, quads="p.quads") %}
{% import "weights/" ~ weight ~ ".wgsl" as T %}
{{ T.quad(half, quads) -}}
{% endmacro %}
