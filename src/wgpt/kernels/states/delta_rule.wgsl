{# A workgroup has some columns of one head of the run that begins with its row; a thread has one column of the state in
   registers s0, s1, ..., four rows each; or, where long shaders take long to compile, in an array. #}
{% set quads = k_dim // 4 %}
{% set width = (2 * k_heads * k_dim + v_heads * v_dim) // 4 %}
{% if share %}
var<workgroup> shared_k: array<vec4<f32>, {{ 2 * quads }}>;
var<workgroup> shared_q: array<vec4<f32>, {{ 2 * quads }}>;
{% endif %}
fn is_row(r: u32, place: vec2<u32>) -> bool { return r < p.rows && all(rows[r] == place); }

fn logistic(x: f32) -> f32 {
    let e = exp(-abs(x));
    return select(e, 1.0, x >= 0.0) / (1.0 + e);
}

fn softplus(x: f32) -> f32 { return max(x, 0.0) + log(1.0 + exp(-abs(x))); }

@compute @workgroup_size({{ threads }})
fn main(@builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>,
        @builtin(local_invocation_index) t: u32) {
    let group = wid.x + wid.y * nwg.x;
    let block = group % {{ blocks }}u;
    let head = group / {{ blocks }}u % {{ v_heads }}u;
    let first = group / {{ blocks * v_heads }}u;
    if (first >= p.rows) { return; }
    let place = rows[first];
    let column = block * {{ threads }}u + t;
    let has_column = column < {{ v_dim }}u;
    let j = min(column, {{ v_dim - 1 }}u);
    if (place.y == {{ PADDING }}u || place.x >= p.slots) {
        if (has_column) { y[first * {{ v_heads * v_dim }}u + head * {{ v_dim }}u + j] = 0.0; }
        return;
    }
    if (first > 0u && place.y > 0u && is_row(first - 1u, vec2(place.x, place.y - 1u))) { return; }
    let k_head = {{ "head %% %du" % k_heads if tiled else "head / %du" % (v_heads // k_heads) }};
    let home = (place.x * {{ v_heads }}u + head) * {{ quads * v_dim }}u + j;
{% if share %}
{% for i in range(quads) %}
    var s{{ i }} = vec4<f32>();
{% endfor %}
    if (place.y > 0u) {
{% for i in range(quads) %}
        s{{ i }} = state[home + {{ i * v_dim }}u];
{% endfor %}
    }
{% else %}
    var s: array<vec4<f32>, {{ quads }}>;
    if (place.y > 0u) {
        for (var i = 0u; i < {{ quads }}u; i++) { s[i] = state[home + i * {{ v_dim }}u]; }
    }
{% endif %}
    let rate = rates[head];
    let dt = rates[{{ v_heads }}u + head];
    for (var n = 0u; is_row(first + n, place + vec2(0u, n)); n++) {
        let row = first + n;
        let from_q = row * {{ width }}u + k_head * {{ quads }}u;
        let from_k = from_q + {{ k_heads * quads }}u;
{% if share %}
        // Two places in turns: a thread that is ahead writes the other one, and waits before it writes this one again.
        let turn = (n & 1u) * {{ quads }}u;
        for (var i = t; i < {{ quads }}u; i += {{ threads }}u) {
            shared_q[turn + i] = x[from_q + i];
            shared_k[turn + i] = x[from_k + i];
        }
        workgroupBarrier();
{% endif %}
        var kk = 0.0;
        var qq = 0.0;
        var kq = 0.0;
        var known = 0.0;
        var out = 0.0;
{% macro add(s, k, q) %}
            let k4 = {{ k }};
            let q4 = {{ q }};
            kk += dot(k4, k4);
            qq += dot(q4, q4);
            kq += dot(k4, q4);
            known += dot({{ s }}, k4);
            out += dot({{ s }}, q4);
{% endmacro %}
{% if share %}
{% for i in range(quads) %}
        {
{{ add("s%d" % i, "shared_k[turn + %du]" % i, "shared_q[turn + %du]" % i) }}
        }
{% endfor %}
{% else %}
        for (var i = 0u; i < {{ quads }}u; i++) {
{{ add("s[i]", "x[from_k + i]", "x[from_q + i]") }}
        }
{% endif %}
        let b = gates[row * p.stride + p.at + head];
        let a = gates[row * p.stride + p.at + {{ v_heads }}u + head];
        let decay = exp(rate * softplus(a + dt));
        let k_scale = inverseSqrt(kk + {{ eps }});
        let q_scale = inverseSqrt(qq + {{ eps }}) * {{ scale }};
        let at_v = {{ 2 * k_heads * k_dim }}u + head * {{ v_dim }}u + j;
        let v = x[row * {{ width }}u + at_v / 4u][at_v % 4u];
        let delta = (v - decay * known * k_scale) * logistic(b);
        let step = k_scale * delta;
{% if share %}
{% for i in range(quads) %}
        s{{ i }} = decay * s{{ i }} + step * shared_k[turn + {{ i }}u];
{% endfor %}
{% else %}
        for (var i = 0u; i < {{ quads }}u; i++) { s[i] = decay * s[i] + step * x[from_k + i]; }
{% endif %}
        if (has_column) { y[row * {{ v_heads * v_dim }}u + head * {{ v_dim }}u + j] = q_scale * (decay * out + kq * step); }
    }
    if (has_column) {
{% if share %}
{% for i in range(quads) %}
        state[home + {{ i * v_dim }}u] = s{{ i }};
{% endfor %}
{% else %}
        for (var i = 0u; i < {{ quads }}u; i++) { state[home + i * {{ v_dim }}u] = s[i]; }
{% endif %}
    }
}
