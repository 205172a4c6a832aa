{# Where a workgroup is in the backward kernels of attention: it owns `own` rows, of queries or of keys (`owns_keys`), of
   one sequence and query head. Import with context. #}
{% set quads = head_dim // 4 %}

{# The offset of a row of queries or keys, by its position. #}
{% macro query(i) %}queries + ({{ i }}) * {{ heads * quads }}u{% endmacro %}
{% macro key(j) %}cache_at(keys, {{ j }}){% endmacro %}
{% macro owned(i) %}{{ key(i) if owns_keys else query(i) }}{% endmacro %}
{% macro walked(i) %}{{ query(i) if owns_keys else key(i) }}{% endmacro %}

{# The sequence with its `count` positions, and `start`, the first one that is owned: none if that is not below. #}
{% macro place() %}
    let head = wid.x;
    let run = runs[wid.y];
    let first_row = min(run.x, p.rows);
    let count = min(run.y, min(p.rows - first_row, p.capacity));
    let queries = (first_row * {{ heads }}u + head) * {{ quads }}u;
    let keys = cache_of(wid.y, head / {{ heads // kv_heads }}u);
    // What has the most pairs begins first: the last queries, the first keys.
    let start = {{ "wid.z" if owns_keys else "(nwg.z - 1u - wid.z)" }} * {{ own }}u;
{% endmacro %}

{# Own positions are `start` to `stop` - 1, and those that they form pairs with `first` to `last` - 1. #}
{% macro bounds() %}
    let stop = min(start + {{ own }}u, count);
{% if owns_keys %}
    let first = start;
    let last = {{ "min(stop - 1u + p.window, count)" if windowed else "count" }};
{% else %}
    let first = {{ "select(0u, start + 1u - p.window, start >= p.window)" if windowed else "0u" }};
    let last = stop;
{% endif %}
{% endmacro %}
