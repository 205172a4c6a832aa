{# The first part of rope_cache and of its gradient: `head_at`, and `unit` if a thread has only one. A unit is a vec4 of
   a head's first half and the one half a head later: four pairs. A thread has one unit or the whole head ("thread"). A head has
   `head_threads` threads: those without a unit repeat the last one. #}
@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
{% if team == "shuffle" %}
        @builtin(subgroup_id) sg: u32, @builtin(subgroup_size) sg_size: u32, @builtin(subgroup_invocation_id) sg_lane: u32,
{% endif %}
        @builtin(local_invocation_index) t: u32) {
{% if team == "shuffle" %}
    // Heads are counted along subgroups, not threads: a driver may number the two differently.
    let i = (wid.x + wid.y * nwg.x) * {{ threads }}u + sg * sg_size + sg_lane;
{% else %}
    let i = (wid.x + wid.y * nwg.x) * {{ threads }}u + t;
{% endif %}
{% if team == "thread" %}
    let head_at = i;
{% else %}
    let head_at = i / {{ head_threads }}u;
    let unit = {{ "i %% %du" % units if head_threads == units else "min(i %% %du, %du)" % (head_threads, units - 1) }};
{% endif %}
