{# Online softmax over keys, shared by decode and prefill. A team of `team` threads loops over its keys, `unroll` at a
   time, for `queries` queries at once. Each lane has `units` pieces of eight dimensions in registers:
     q{r}_{c}a, q{r}_{c}b   query r, piece c: two vec4
     o{r}_{c}a, o{r}_{c}b   running sum of exp(score - top{r}) times value
     top{r}, sum{r}         largest score so far, and running sum of exp(score - top{r})
   Import with context. #}
{% set LEAST = "-3.4028234e38" %}

{# Sum each of `names` over the lanes of a team; every lane gets the sums. All threads must call it.
   "subgroup": the workgroup is one team and one subgroup (for software drivers, where shuffles are slow); "shuffle":
   teams are parts of subgroups; "memory": through workgroup memory. #}
{% macro team_sum(names) %}
{% if reduce == "subgroup" %}
{% for name in names %}
        {{ name }} = subgroupAdd({{ name }});
{% endfor %}
{% elif team > 1 and reduce == "shuffle" %}
{% for name in names %}
{% for bit in [16, 8, 4, 2, 1] if bit < team %}
        {{ name }} += subgroupShuffleXor({{ name }}, {{ bit }}u);
{% endfor %}
{% endfor %}
{% elif team > 1 %}
{% for name in names %}
        lanes_part[t + {{ loop.index0 * threads }}u] = {{ name }};
{% endfor %}
        workgroupBarrier();
{% for name in names if team > 32 %}
        {
            var total = 0.0;
            for (var j = 0u; j < {{ team }}u; j++) { total += lanes_part[t - lane + j + {{ loop.index0 * threads }}u]; }
            {{ name }} = total;
        }
{% endfor %}
{% for name in names if team <= 32 %}
        {{ name }} = {% for j in range(team) %}lanes_part[t - lane + {{ loop.index0 + names.index(name) * threads }}u]{{ " + " if not loop.last }}{% endfor %};
{% endfor %}
        workgroupBarrier();  // before anybody overwrites `lanes_part`
{% endif %}
{% endmacro %}

{# The maximum of each of `names`, vec2s that are not negative, over the lanes whose pieces share a word of scales: eight,
   or the whole team. All threads must call it. #}
{% macro word_max(names) %}
{% set lanes = [team, 8] | min %}
{% if reduce == "subgroup" %}
{% for name in names %}
{% if team == lanes %}
        {{ name }} = subgroupMax({{ name }});
{% else %}
        {
            var most = vec2<f32>();
{% for i in range(team // lanes) %}
            let most{{ i }} = subgroupMax(select(vec2<f32>(), {{ name }}, lane / {{ lanes }}u == {{ i }}u));
            most = select(most, most{{ i }}, lane / {{ lanes }}u == {{ i }}u);
{% endfor %}
            {{ name }} = most;
        }
{% endif %}
{% endfor %}
{% elif reduce == "shuffle" %}
{% for name in names %}{% for bit in [4, 2, 1] if bit < lanes %}
        {{ name }} = max({{ name }}, subgroupShuffleXor({{ name }}, {{ bit }}u));
{% endfor %}{% endfor %}
{% else %}
{% for name in names %}{% for x in "xy" %}
        lanes_part[t + {{ (2 * names.index(name) + loop.index0) * threads }}u] = {{ name }}.{{ x }};
{% endfor %}{% endfor %}
        workgroupBarrier();
        for (var i = 0u; i < {{ lanes }}u; i++) {
            let from_lane = t - lane % {{ lanes }}u + i;
{% for name in names %}
            {{ name }} = max({{ name }}, vec2({% for x in "xy" %}lanes_part[from_lane + {{ (2 * names.index(name) + loop.index0) * threads }}u]{{ ", " if not loop.last }}{% endfor %}));
{% endfor %}
        }
        workgroupBarrier();  // before anybody overwrites `lanes_part`
{% endif %}
{% endmacro %}

{# Declarations for team_sum with at most `most` names at a time, and for word_max with half as many. #}
{% macro team_memory(most) %}
{% if team > 1 and reduce == "memory" %}
var<workgroup> lanes_part: array<f32, {{ threads * most }}>;
{% endif %}
{% endmacro %}

{# The role of a thread: `member` is the number of its team, `lane` its index in the team. #}
{% macro builtins() %}
{% if reduce == "shuffle" %}
        @builtin(subgroup_id) sg: u32, @builtin(subgroup_size) sg_size: u32, @builtin(subgroup_invocation_id) sg_lane: u32,
{% endif %}
        @builtin(local_invocation_index) thread: u32
{%- endmacro %}
{% macro identity() %}
{% if reduce == "shuffle" %}
    // Teams are counted along subgroups, not threads: a driver may number the two differently.
    let t = sg * sg_size + sg_lane;
{% else %}
    let t = thread;
{% endif %}
    let lane = t % {{ team }}u;
    let member = t / {{ team }}u;
{% endmacro %}

{% macro fresh(queries) %}
{% for r in range(queries) %}
    var top{{ r }} = f32({{ LEAST }});
    var sum{{ r }} = 0.0;
{% for c in range(units) %}
    var o{{ r }}_{{ c }}a = vec4<f32>();
    var o{{ r }}_{{ c }}b = vec4<f32>();
{% endfor %}
{% endfor %}
{% endmacro %}

{% macro score(r, k) %}
{% for c in range(units) %}dot(q{{ r }}_{{ c }}a, {{ k }}_{{ c }}a) + dot(q{{ r }}_{{ c }}b, {{ k }}_{{ c }}b){{ " + " if not loop.last }}{% endfor %}
{% endmacro %}

{# The values of a key are its own dimensions: those that are none of theirs are left out at the end. #}
{% macro values_of_keys() %}
{% for j in range(unroll) %}{% for c in range(units) %}{% for h in "ab" %}
        let v{{ j }}_{{ c }}{{ h }} = k{{ j }}_{{ c }}{{ h }};
{% endfor %}{% endfor %}{% endfor %}
{% endmacro %}

{# One iteration: `unroll` keys k{j}_{c}a/b with values v{j}_{c}a/b; query r attends to key j if seen{r}_{j}.
   `apart`: the other keys may belong to other texts, or to padding, and a NaN there must not reach query r: 0 times NaN
   would be NaN. #}
{% macro step(queries, apart=false) %}
{% for r in range(queries) %}{% for j in range(unroll) %}
        var s{{ r }}_{{ j }} = {{ score(r, "k%d" % j) }};
{% endfor %}{% endfor %}
{{ team_sum(names("s%d_%d", queries, unroll)) }}
{% if cap %}
{% for r in range(queries) %}{% for j in range(unroll) %}
        s{{ r }}_{{ j }} = capped(s{{ r }}_{{ j }});
{% endfor %}{% endfor %}
{% endif %}
{% for r in range(queries) %}
        {
            var next = top{{ r }};
{% for j in range(unroll) %}
            next = max(next, select({{ LEAST }}, s{{ r }}_{{ j }}, seen{{ r }}_{{ j }}));
{% endfor %}
            let fix = exp(top{{ r }} - next);
            top{{ r }} = next;
{% for j in range(unroll) %}
            let e{{ j }} = select(0.0, exp(s{{ r }}_{{ j }} - next), seen{{ r }}_{{ j }});
{% endfor %}
            sum{{ r }} = fma(sum{{ r }}, fix, {% for j in range(unroll) %}e{{ j }}{{ " + " if not loop.last }}{% endfor %});
{% for c in range(units) %}{% for h in "ab" %}
            o{{ r }}_{{ c }}{{ h }} *= fix;
{% endfor %}{% endfor %}
{% for j in range(unroll) %}
            {{ "if (seen%d_%d) {" % (r, j) if apart }}
{% for c in range(units) %}{% for h in "ab" %}
            o{{ r }}_{{ c }}{{ h }} = fma(vec4(e{{ j }}), v{{ j }}_{{ c }}{{ h }}, o{{ r }}_{{ c }}{{ h }});
{% endfor %}{% endfor %}
            {{ "}" if apart }}
{% endfor %}
        }
{% endfor %}
{% endmacro %}

{# Merge teams of the same subgroup that processed different keys: those that differ in bits `from` to `to` - 1. #}
{% macro merge_lanes(queries, from, to) %}
{% set bits = [1, 2, 4, 8, 16, 32] | select("ge", from) | select("lt", to) | list %}
{% for r in range(queries) if bits %}
    {
        var most = top{{ r }};
{% for bit in bits %}
        most = max(most, subgroupShuffleXor(most, {{ bit }}u));
{% endfor %}
        let fix = exp(top{{ r }} - most);
        top{{ r }} = most;
        sum{{ r }} *= fix;
{% for c in range(units) %}{% for h in "ab" %}
        o{{ r }}_{{ c }}{{ h }} *= fix;
{% endfor %}{% endfor %}
{% for bit in bits %}
        sum{{ r }} += subgroupShuffleXor(sum{{ r }}, {{ bit }}u);
{% for c in range(units) %}{% for h in "ab" %}
        o{{ r }}_{{ c }}{{ h }} += subgroupShuffleXor(o{{ r }}_{{ c }}{{ h }}, {{ bit }}u);
{% endfor %}{% endfor %}
{% endfor %}
    }
{% endfor %}
{% endmacro %}
