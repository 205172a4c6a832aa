{% import "_order.wgsl" as order with context %}
{% import "_rows.wgsl" as R with context %}
{{ order.best() }}
{% call R.main() %}
        var mine = vec2(0u, 0xffffffffu);
{% if reduce == "thread" %}
        for (var i = 0u; i < p.parts; i++) {
{% else %}
        for (var i = t; i < p.parts; i += {{ threads }}u) {
{% endif %}
            mine = better(mine, parts[row * p.parts + i]);
        }
        let all = best_of(mine{{ R.who }});
        if ({{ R.is_first }} && rows[row].y != 0xffffffffu) {
            tokens[row] = all.y;
            rows[row].y += 1u;
        }
{% endcall %}
