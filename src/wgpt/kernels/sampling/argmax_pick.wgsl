{% import "_order.wgsl" as order with context %}
{% import "_rows.wgsl" as R with context %}
{% import "_slots.wgsl" as S with context %}
{{ order.best() }}
{{ S.finish() }}
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
        if ({{ R.is_first }}) {
            let place = rows[row];
            if (place.y != 0xffffffffu && place.x < p.slots) {
                finish_row(row, place.x, all.y, all.x <= {{ order.LOWEST }});
            } else {
                tokens[row] = 0u;
            }
        }
{% endcall %}
