{# low[m] = header, A x[m]: see lora_layout.py. A workgroup computes one quad of ranks for `rows` rows of x, each with the
   A of its own adapter: neighbouring threads read neighbouring k. Sizes are constants, so that few rows need no uniforms.

   gain: x is multiplied by the gains of an RMSNorm, whose root is applied where the result is used.
   splits: x is attention in slices (see attention_combine), which are combined when x is read. #}
{% set steps = (k + threads - 1) // threads %}
{% set line = "%du" % (quads + 1) %}
{% if splits %}
{% set slice = head_dim + 4 %}
fn x_at(m: u32, k: u32) -> f32 {
    let first = k / {{ head_dim }}u * {{ splits * slice }}u;
    let e = first + k % {{ head_dim }}u;
{% for s in range(splits) %}
    let log{{ s }} = part[first + {{ s * slice + head_dim }}u];
    let used{{ s }} = part[first + {{ s * slice + head_dim + 1 }}u] > 0.0;
    let x{{ s }} = part[e + {{ s * slice }}u];
{% endfor %}
    var top = -3.4028234e38;
{% for s in range(splits) %}
    top = max(top, select(top, log{{ s }}, used{{ s }}));
{% endfor %}
    var whole = 0.0;
    var sum = 0.0;
{% for s in range(splits) %}
    let w{{ s }} = select(0.0, exp(log{{ s }} - top), used{{ s }});
    whole += w{{ s }};
    sum += w{{ s }} * x{{ s }};
{% endfor %}
    return select(0.0, sum / whole, whole > 0.0);
}
{% else %}
fn x_at(m: u32, k: u32) -> f32 { return x[m * {{ k }}u + k]{{ " * g[k]" if gain }}; }
{% endif %}
fn quads_of(entry: vec4<u32>) -> u32 {
    let q = entry.z;
    return (q & 255u) + ((q >> 8u) & 255u) + ((q >> 16u) & 255u) + (q >> 24u);
}
fn header(entry: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(vec4(entry.y % 4096u, entry.y / 4096u, entry.z & 0xffffu, entry.z >> 16u));
}
var<workgroup> sums: array<vec4<f32>, {{ rows * threads // 4 if subgroups else threads }}>;

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>,
{% if subgroups %}
        @builtin(subgroup_id) sg: u32, @builtin(num_subgroups) sgs: u32,
        @builtin(subgroup_invocation_id) sg_lane: u32,
{% endif %}
        @builtin(local_invocation_index) t: u32) {
    let quad = wid.x;
{% for i in range(rows) %}
    let m{{ i }} = {{ "wid.y" if rows == 1 else "min(wid.y * %du + %du, p.m - 1u)" % (rows, i) }};
    let entry{{ i }} = rows[m{{ i }}{{ " * %du" % stride if stride > 1 }}];
    let live{{ i }} = quad < quads_of(entry{{ i }}){{ " && wid.y * %du + %du < p.m" % (rows, i) if rows > 1 }};
    // Of a row that lacks this quad, any numbers are summed and not stored.
    let a{{ i }} = select(0u, entry{{ i }}.x + quad * {{ k }}u, live{{ i }});
    var sum{{ i }} = vec4<f32>();
{% endfor %}
    if (quad == 0u && t == 0u) {
{% for i in range(rows) %}
        low[m{{ i }} * {{ line }}] = header(entry{{ i }});
{% endfor %}
    }
    if (!({% for i in range(rows) %}live{{ i }}{{ " || " if not loop.last }}{% endfor %})) { return; }
{% if rows == 1 and steps <= straight %}
    // All loads, then all sums.
{% for u in range(steps) %}
    let k{{ u }} = {{ "t + %du" % (u * threads) if (u + 1) * threads <= k else "min(t + %du, %du)" % (u * threads, k - 1) }};
    let b{{ u }} = pool[a0 + k{{ u }}];
    let x{{ u }} = x_at(m0, k{{ u }});
{% endfor %}
{% for u in range(steps) %}
    sum0 += {{ "x%d" % u if (u + 1) * threads <= k else "select(0.0, x%d, t + %du < %du)" % (u, u * threads, k) }} * b{{ u }};
{% endfor %}
{% else %}
    for (var k = t; k < {{ k }}u; k += {{ threads }}u) {
{% for i in range(rows) %}
        sum{{ i }} += x_at(m{{ i }}, k) * pool[a{{ i }} + k];
{% endfor %}
    }
{% endif %}
{% for i in range(rows) %}
{% if subgroups %}
    sum{{ i }} = subgroupAdd(sum{{ i }});
    if (sg_lane == 0u) { sums[{{ i * threads // 4 }}u + sg] = sum{{ i }}; }
{% else %}
    sums[t] = sum{{ i }};
    workgroupBarrier();
    for (var stride = {{ threads // 2 }}u; stride > 0u; stride >>= 1u) {
        if (t < stride) { sums[t] += sums[t + stride]; }
        workgroupBarrier();
    }
    if (t == 0u && live{{ i }}) { low[m{{ i }} * {{ line }} + 1u + quad] = sums[0]; }
{% if not loop.last %}
    workgroupBarrier();
{% endif %}
{% endif %}
{% endfor %}
{% if subgroups %}
    workgroupBarrier();
    if (t == 0u) {
{% for i in range(rows) %}
        if (live{{ i }}) {
            var total = sums[{{ i * threads // 4 }}];
            for (var s = 1u; s < sgs; s++) { total += sums[{{ i * threads // 4 }}u + s]; }
            low[m{{ i }} * {{ line }} + 1u + quad] = total;
        }
{% endfor %}
    }
{% endif %}
}
