{# y[M, N] (+)= factor * A . B of plain f32 matrices. #}
{% set S = {
    "m": "p.m", "n": "p.n", "k": "p.k", "a_at": "p.a_at", "b_plus": "", "b_width": "p.k" if trans_b else "p.n",
    "y_at": "p.y_at", "y_width": "p.y_width", "y_size": "p.m * p.y_width", "factor": "p.factor", "block": "wid.z"
} %}
{% set enter = "" %}
{% include "_lora_matrices.wgsl" %}
{% include {"inner": "lora_inner.wgsl", "outer": "lora_outer.wgsl"}.get(style, "_gemm.wgsl") %}
