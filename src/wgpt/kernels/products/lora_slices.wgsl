{# y (+)= factor * A . B of several slices: workgroups of z = slice * blocks + block. What differs between the slices is
   constant; `picks` are (name, type, expression of `slice`). With `terms`, their products are added up instead. #}
{% set S = dict(sizes) %}
{% for name, type, _ in picks %}
var<private> s_{{ name }}: {{ type }};
{% endfor %}
{% set enter %}
{% if not summed %}
    let slice = wid.z / p.blocks;
    let block = wid.z % p.blocks;
{% for name, _, value in picks %}
    s_{{ name }} = {{ value }};
{% endfor %}
    // A barrier follows: private variables would not count as uniform.
    if (wid.x * {{ bn }}u >= {{ uniform_n }} || wid.y * {{ bm }}u >= {{ uniform_m }}) { return; }
{% endif %}
{% endset %}
{% include "_lora_matrices.wgsl" %}
{% include {"inner": "lora_inner.wgsl", "outer": "lora_outer.wgsl"}[style] %}
