{# A workgroup sums the blocks of a row and keeps the sums in registers, from which it computes the norm and the halves:
   each thread has `each` vectors of eight, of which the second four may be missing at the end of a row. #}
{% import "_rows.wgsl" as R with context %}
{% include "_halves.wgsl" %}
{% include "_row_scale.wgsl" %}
{{ R.reducers(["sum", "max"]) }}
fn summed(row: u32, c: u32) -> vec4<f32> {
    if (c >= p.chunks) { return vec4<f32>(); }
    let i = row * p.chunks + c;
    var sum = sums[i];
{% for z in range(1, blocks) %}
    sum += sums[i + {{ z }}u * p.rows * p.chunks];
{% endfor %}
    sum = sum{{ " + b[c]" if bias }}{{ " + r[i]" if add }};
    y[i] = sum;
    return sum;
}
fn gain(c: u32) -> vec4<f32> {
    if (c >= p.chunks) { return vec4<f32>(); }
    return g[c];
}
{% call R.main() %}
        var squared = vec4<f32>();
{% for e in range(each) %}
        let j{{ e }} = t + {{ e * threads }}u;
        var low{{ e }} = summed(row, 2u * j{{ e }});
        var high{{ e }} = summed(row, 2u * j{{ e }} + 1u);
        squared += low{{ e }} * low{{ e }} + high{{ e }} * high{{ e }};
{% endfor %}
        let squares = row_sum({{ R.total("squared") }}{{ R.who }});
        let root = inverseSqrt(squares / f32(p.cols) + p.eps);
        var most = vec4<f32>();
{% for e in range(each) %}
        low{{ e }} *= gain(2u * j{{ e }});
        high{{ e }} *= gain(2u * j{{ e }} + 1u);
        most = max(most, max(abs(low{{ e }}), abs(high{{ e }})));
{% endfor %}
        let top = row_max(max(max(most.x, most.y), max(most.z, most.w)){{ R.who }}) * root;
        let up = scale_for(top);
        if (t == 0u) { scale[row] = 1.0 / up; }
{% for e in range(each) %}
        if (j{{ e }} < p.vecs) { h[row * p.vecs + j{{ e }}] = halves(low{{ e }} * root * up, high{{ e }} * root * up); }
{% endfor %}
{% endcall %}
