{# One vec4 of a row's columns per thread. The thread of a run's first row also has those of the rows behind it that
   reach back before the run, and the new state. #}
{% import "_each.wgsl" as each with context %}
{% import "_activations.wgsl" as F with context %}
{% if silu %}
{{ F.logistic() }}
{% endif %}
{# Tap t of the four columns of quad c, from the vec4s l0, l1, ... of their weights, [column, tap]. #}
{% macro tap(t) %}vec4({% for k in range(4) %}l{{ (k * taps + t) // 4 }}.{{ "xyzw"[(k * taps + t) % 4] }}{{ ", " if k < 3 }}{% endfor %}){% endmacro %}
{# Whether row r is the one of this sequence and position. #}
fn is_row(r: u32, place: vec2<u32>) -> bool { return r < p.rows && all(rows[r] == place); }

fn input(row: u32, c: u32) -> vec4<f32> {
{% if gated %}
    return x[row * p.stride + c] * x[row * p.stride + 2u * p.n + c];
{% else %}
    return x[row * p.stride + c];
{% endif %}
}

fn store(row: u32, c: u32, sum: vec4<f32>) {
{% if gated %}
    y[row * p.n + c] = x[row * p.stride + p.n + c] * sum;
{% elif silu %}
    y[row * p.n + c] = sum * logistic(sum);
{% else %}
    y[row * p.n + c] = sum;
{% endif %}
}

fn convolve(i: u32) {
    let row = i / p.n;
    let c = i % p.n;
    let place = rows[row];
    if (place.y == {{ PADDING }}u || place.x >= p.slots) {
        y[i] = vec4<f32>();
        return;
    }
{% for q in range(taps) %}
    let l{{ q }} = w[c * {{ taps }}u + {{ q }}u];
{% endfor %}
    if (row >= {{ taps - 1 }}u && place.y >= {{ taps - 1 }}u && is_row(row - {{ taps - 1 }}u, vec2(place.x, place.y - {{ taps - 1 }}u))) {
        var sum = {{ tap(taps - 1) }} * input(row, c);
{% for t in range(taps - 1) %}
        sum += {{ tap(t) }} * input(row - {{ taps - 1 - t }}u, c);
{% endfor %}
        store(row, c, sum);
        return;
    }
    if (row > 0u && place.y > 0u && is_row(row - 1u, vec2(place.x, place.y - 1u))) { return; }
    let home = place.x * {{ taps - 1 }}u * p.n + c;
{% for t in range(taps - 1) %}
    var past{{ t }} = vec4<f32>();
    if (place.y >= {{ taps - 1 - t }}u) { past{{ t }} = state[home + {{ t }}u * p.n]; }
{% endfor %}
    var more = true;
{% for r in range(taps - 1) %}
{% if r %}
    more = more && is_row(row + {{ r }}u, place + vec2(0u, {{ r }}u));
{% endif %}
    if (more) {
        let newest = input(row + {{ r }}u, c);
        var sum = {{ tap(taps - 1) }} * newest;
{% for t in range(taps - 1) %}
        sum += {{ tap(t) }} * past{{ t }};
{% endfor %}
        store(row + {{ r }}u, c, sum);
{% for t in range(taps - 2) %}
        past{{ t }} = past{{ t + 1 }};
{% endfor %}
        past{{ taps - 2 }} = newest;
    }
{% endfor %}
    if (more && is_row(row + {{ taps - 1 }}u, place + vec2(0u, {{ taps - 1 }}u))) {
        var last = {{ taps - 1 }}u;
        var end = p.rows - row;
        while (end - last > 1u) {
            let middle = (last + end) / 2u;
            if (is_row(row + middle, place + vec2(0u, middle))) { last = middle; } else { end = middle; }
        }
{% for t in range(taps - 1) %}
        past{{ t }} = input(row + last - {{ taps - 2 - t }}u, c);
{% endfor %}
    }
{% for t in range(taps - 1) %}
    state[home + {{ t }}u * p.n] = past{{ t }};
{% endfor %}
}

{% call each.main("p.rows * p.n") %}
        convolve(i);
{% endcall %}
