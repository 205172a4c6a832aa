{# y (+)= factor * A . B of several slices: workgroups of z = slice * blocks + block. What differs between the slices is
   constant; `picks` are (name, type, expression of `slice`). With `terms`, their products are added up instead. #}
{% set S = dict(sizes) %}
{% for name, type, _ in picks %}
var<private> s_{{ name }}: {{ type }};
{% endfor %}
{% set enter %}
{% if split or not summed %}
    let slice = wid.z / p.blocks;
    let block = wid.z % p.blocks;
{% endif %}
{% if not summed %}
{% for name, _, value in picks %}
    s_{{ name }} = {{ value }};
{% endfor %}
    // Of values that are known to be uniform, as a barrier follows.
    if (wid.x * {{ bn }}u >= {{ uniform_n }} || wid.y * {{ bm }}u >= {{ uniform_m }}) { return; }
{% endif %}
{% endset %}
{% include "_lora_matrices.wgsl" %}
{% include {"inner": "lora_inner.wgsl", "outer": "lora_outer.wgsl"}[style] %}
