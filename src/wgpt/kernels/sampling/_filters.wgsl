{# What `sample` does for options with `filters` (core/generation.py): what is kept of the tokens is an interval of q. Import
   with context. #}
{% macro state() %}
// Tokens nearer than this to the likeliest are left out; 0: none.
var<private> nearest: u32;
// 0; while the typical tokens are searched, the average distance: bins are by the distance from it.
var<private> average: u32;
// Whether this draw leaves out the likeliest (XTC).
var<workgroup> excludes: u32;
{% endmacro %}

{% macro functions() %}
// The mass of the tokens that are left, and the sum of their masses times their distances; for every thread.
fn sums(r: Row, limit: u32{{ who_takes }}) -> vec2<f32> {
    var mine = vec2(0.0);
    for (var c = t; c < p.chunks; c += {{ threads }}u) {
        let mass = masses_at(r, c, limit);
        mine += vec2(total(mass), dot(mass, behind(r, c)));
    }
    let upto = running(mine{{ who }});
    let whole = bitcast<vec2<f32>>(part[{{ threads - 1 }}]);
    workgroupBarrier();
    return whole;
}

// The smallest and the largest q of the tokens that are left; (2^32 - 1, 0) if there are none.
fn ends(r: Row, limit: u32, t: u32) -> vec2<u32> {
    if (t == 0u) {
        atomicStore(&winner, 0xffffffffu);
        atomicStore(&last, 0u);
    }
    workgroupBarrier();
    var least = vec4(0xffffffffu);
    var most = vec4(0u);
    for (var c = t; c < p.chunks; c += {{ threads }}u) {
        let q = vec4<u32>(behind(r, c));
        let is_left = (q >= vec4(nearest)) & (q <= vec4(limit));
        least = min(least, select(vec4(0xffffffffu), q, is_left));
        most = max(most, select(vec4(0u), q, is_left));
    }
    atomicMin(&winner, min(min(least.x, least.y), min(least.z, least.w)));
    atomicMax(&last, max(max(most.x, most.y), max(most.z, most.w)));
    workgroupBarrier();
    let found_ends = vec2(atomicLoad(&winner), atomicLoad(&last));
    workgroupBarrier();
    return found_ends;
}
{% endmacro %}

{# By one thread, with the random bits of the draw. #}
{% macro draw() %}
        let is_on = r.xtc_probability > 0.0 && r.xtc_threshold <= 0.5;
        excludes = select(0u, 1u, is_on && f32(bits.w >> 8u) * 5.9604645e-8 <= r.xtc_probability);
{% endmacro %}

{# Before the draw: min-p and XTC, which are about the tokens that are left. #}
{% macro narrow() %}
            if (r.min_p > 0.0) {
                var likeliest_left = 0u;
                if (by_type) { likeliest_left = ends(r, limit, t).x; }
                limit = min(limit, likeliest_left + u32(-log(max(r.min_p, 1.0e-13)) / NATS));
            }
            if (workgroupUniformLoad(&excludes) != 0u) {
                let reach = -log(max(r.xtc_threshold * sums(r, limit{{ who }}).x, 1.0e-30)) / NATS;
                let above = ends(r, min(limit, u32(clamp(reach, 0.0, FAR))), t);
                if (reach >= 0.0) { nearest = max(nearest, above.y); }
            }
{% endmacro %}
