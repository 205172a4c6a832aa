{# A workgroup handles `block` rows of one sequence and one query head. A team has `each` of them, and its lanes have
   pieces of eight dimensions. Further teams process other keys for the same rows, and are merged at the end. #}
{% import "_cache.wgsl" as store with context %}
{% import "_attend.wgsl" as A with context %}
{% import "_cap.wgsl" as C with context %}
{% set both = both | default(false) %}{# in both directions: see attention_encode.py #}
{% set pieces = head_dim // 8 %}
{% set quads = head_dim // 4 %}
{% set whole = team * units == pieces %}
{% set teams = block // each %}
{% set key_groups = threads // (team * teams) %}
{% set stride = key_groups * unroll %}
{% set kept_names = "k" if latent else "kv" %}
{% set slot_threads = [team * teams, span] | max %}
{% set slots = threads // slot_threads %}
{{ store.addressing(4 if cache == "f32" else 8) }}
{{ store.reading() }}
{{ C.functions() }}
{{ A.team_memory(each * unroll) }}
{% if slots > 1 %}
var<workgroup> tops: array<f32, {{ slots * block }}>;
var<workgroup> sums: array<f32, {{ block }}>;
var<workgroup> outs: array<vec4<f32>, {{ block * quads }}>;
{% endif %}

{# The keys that a row attends to: .x to .y - 1. #}
fn seen_by(row: u32) -> vec2<u32> {
    let at = rows[min(row, p.rows - 1u)];
{% if both %}
    if (row >= p.rows || at.x >= at.y) { return vec2(0xffffffffu, 0u); }
    let near = vec2(max(row, p.window) - p.window, row + p.window + 1u);
    return select(at, vec2(max(at.x, near.x), min(at.y, near.y)), p.window != 0u);
{% else %}
    if (row >= p.rows || at.y == 0xffffffffu || at.x >= p.slots) { return vec2(0xffffffffu, 0u); }
    return vec2(select(0u, at.y + 1u - p.window, p.window != 0u && at.y >= p.window), min(at.y + 1u, p.capacity));
{% endif %}
}

{# Assign the pieces of the keys from `base` on, in the format of the cache; at most up to the last key. #}
{% macro fetch(base, assign) %}
{% for j in range(unroll) %}
        let at{{ j }} = cache_at(cached, min({{ base }} + walker + {{ j * key_groups }}u, most));
{% endfor %}
{% for x in kept_names %}{% for j in range(unroll) %}{% for c in range(units) %}
{{ store.fetch(assign, "%s%d_%d" % (x, j, c), x, "at%d" % j, "piece%d" % c, pairs=in_blocks) }}
{% endfor %}{% endfor %}{% endfor %}
{% endmacro %}

{% macro write() %}
{% for r in range(each) %}
        if (row{{ r }} < p.rows) {
            let to = (row{{ r }} * {{ heads }}u + head) * {{ value_quads }}u;
            let share = select(0.0, 1.0 / sum{{ r }}, sum{{ r }} > 0.0);
{% for c in range(units) %}{% for h in "ab" %}
            {{ "if (has%d) {" % c if not whole }}
{% if latent %}
            let e{{ c }}{{ h }} = {{ store.vec4_of("piece%d" % c, h, in_blocks) }};
            if ({{ store.is_value("e%d%s" % (c, h)) }}) { out[to + {{ store.value_at("e%d%s" % (c, h)) }}] = o{{ r }}_{{ c }}{{ h }} * share; }
{% else %}
            out[to + {{ store.vec4_of("piece%d" % c, h, in_blocks) }}] = o{{ r }}_{{ c }}{{ h }} * share;
{% endif %}
            {{ "}" if not whole }}
{% endfor %}{% endfor %}
        }
{% endfor %}
{% endmacro %}

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
{{ A.builtins() }}) {
{{ A.identity() }}
    // The last rows see the most keys: they begin first.
    let first_row = (nwg.x - 1u - wid.x) * {{ block }}u;
    let head = wid.y;
    let mine = member % {{ teams }}u * {{ each }}u;
    let walker = member / {{ teams }}u;
    var first = 0xffffffffu;
    var last = 0u;
    for (var i = 0u; i < {{ block }}u; i++) {
        let keys = seen_by(first_row + i);
        first = min(first, keys.x);
        last = max(last, keys.y);
    }
    let most = max(last, 1u) - 1u;
    let cached = cache_of({{ "0u" if both else "min(rows[first_row].x, p.slots - 1u)" }}, head / {{ heads // kv_heads }}u);
{% for c in range(units) %}
{% if whole %}
    let piece{{ c }} = lane + {{ c * team }}u;
{% else %}
    let has{{ c }} = lane + {{ c * team }}u < {{ pieces }}u;
    let piece{{ c }} = select(0u, lane + {{ c * team }}u, has{{ c }});
{% endif %}
{% endfor %}
{{ fetch("first", "var ") if ahead }}
{% for r in range(each) %}
    let row{{ r }} = first_row + mine + {{ r }}u;
    let keys{{ r }} = seen_by(row{{ r }});
{% for c in range(units) %}{% for h in "ab" %}
    let q{{ r }}_{{ c }}{{ h }} = q[(min(row{{ r }}, p.rows - 1u) * {{ heads }}u + head) * {{ quads }}u + {{ store.vec4_of("piece%d" % c, h, in_blocks) }}] *
        {{ "select(0.0, p.scale, has%d)" % c if not whole else "p.scale" }};
{% endfor %}{% endfor %}
{% endfor %}
{{ A.fresh(each) }}
{% if sinks %}
    if (walker == 0u) {
{% for r in range(each) %}
        top{{ r }} = sinks[head];
        sum{{ r }} = 1.0;
{% endfor %}
    }
{% endif %}

    for (var base = first; base < last; base += {{ stride }}u) {
{{ fetch("base", "let ") if not ahead }}
{% for x in kept_names %}{% for j in range(unroll) %}{% for c in range(units) %}
{{ store.piece("%s%d_%d" % (x, j, c), "piece%d" % c, pairs=in_blocks) }}
{% endfor %}{% endfor %}{% endfor %}
{{ A.values_of_keys() if latent }}
{% if ahead %}
        {
{{ fetch("base + %du" % stride, "") }}
        }
{% endif %}
{% for j in range(unroll) %}
        let key{{ j }} = base + walker + {{ j * key_groups }}u;
{% for r in range(each) %}
        let seen{{ r }}_{{ j }} = {{ "key%d >= keys%d.x && " % (j, r) if windowed }}key{{ j }} < keys{{ r }}.y;
{% endfor %}
{% endfor %}
{{ A.step(each, apart=both) }}
    }

{{ A.merge_lanes(each, team * teams, span) }}
{% if slots > 1 %}
    let slot = t / {{ slot_threads }}u;
    let leads = t % {{ slot_threads }}u < {{ team * teams }}u;
    if (leads && lane == 0u) {
{% for r in range(each) %}
        tops[slot * {{ block }}u + mine + {{ r }}u] = top{{ r }};
{% endfor %}
    }
    workgroupBarrier();
{% for r in range(each) %}
    {
        var most = tops[mine + {{ r }}u];
        for (var s = 1u; s < {{ slots }}u; s++) { most = max(most, tops[s * {{ block }}u + mine + {{ r }}u]); }
        let fix = exp(top{{ r }} - most);
        sum{{ r }} *= fix;
{% for c in range(units) %}{% for h in "ab" %}
        o{{ r }}_{{ c }}{{ h }} *= fix;
{% endfor %}{% endfor %}
    }
{% endfor %}
    // One slot after the other adds its share to those before it; all at once would take too much memory.
    for (var turn = 0u; turn < {{ slots }}u; turn++) {
        if (leads && slot == turn) {
{% for r in range(each) %}
            if (turn > 0u) {
                sum{{ r }} += sums[mine + {{ r }}u];
{% for c in range(units) %}{% for h in "ab" %}
                o{{ r }}_{{ c }}{{ h }} += outs[(mine + {{ r }}u) * {{ quads }}u + {{ store.vec4_of("piece%d" % c, h, in_blocks) }}];
{% endfor %}{% endfor %}
            }
{% endfor %}
            if (turn == {{ slots - 1 }}u) {
{{ write() }}
            } else {
{% for r in range(each) %}
{% for c in range(units) %}{% for h in "ab" %}
                {{ "if (has%d) {" % c if not whole }}
                outs[(mine + {{ r }}u) * {{ quads }}u + {{ store.vec4_of("piece%d" % c, h, in_blocks) }}] = o{{ r }}_{{ c }}{{ h }};
                {{ "}" if not whole }}
{% endfor %}{% endfor %}
{% endfor %}
            }
        }
        workgroupBarrier();
        if (leads && slot == turn && lane == 0u) {
{% for r in range(each) %}
            sums[mine + {{ r }}u] = sum{{ r }};
{% endfor %}
        }
        workgroupBarrier();
    }
{% else %}
    if (member < {{ teams }}u) {
{{ write() }}
    }
{% endif %}
}
