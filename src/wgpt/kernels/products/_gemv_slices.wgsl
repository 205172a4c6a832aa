{# x as attention in `splits` slices (see attention_combine), joined when it is read. Import with context. #}
{% set quads = head_dim // 4 if splits else 0 %}
{# Statements: the weight of each slice of the head with vec4 number i. #}
{% macro take_shares(i) %}
        let slice = {{ i }} / {{ quads }}u * {{ splits * (quads + 1) }}u;
{% for s in range(splits) %}
        let log{{ s }} = part[slice + {{ s * (quads + 1) + quads }}u].xy;
{% endfor %}
        var most = -3.4028234e38;
{% for s in range(splits) %}
        most = max(most, select(most, log{{ s }}.x, log{{ s }}.y > 0.0));
{% endfor %}
{% for s in range(splits) %}
        let part{{ s }} = select(0.0, exp(log{{ s }}.x - most), log{{ s }}.y > 0.0);
{% endfor %}
        let whole = {% for s in range(splits) %}part{{ s }}{{ " + " if not loop.last }}{% endfor %};
        let share = select(0.0, 1.0 / whole, whole > 0.0);
{% endmacro %}
{# Statements: x{{ j }} is vec4 i of x, or zeros unless `live`, if that is not empty. #}
{% macro join_x(j, i, live="") %}
        let e{{ j }} = slice + {{ i }} % {{ quads }}u;
        let x{{ j }} = (
            {%- for s in range(splits) %}part{{ s }} * part[e{{ j }} + {{ s * (quads + 1) }}u]{{ " + " if not loop.last }}{% endfor -%}
        ) * {{ "select(0.0, share, live)" if live else "share" }};
{% endmacro %}
