"""A small config.json of each model_type, whose keys make_configs.py drops and changes. No torch, no wgpt."""

from __future__ import annotations

from typing import Any

SLIDING, FULL, LINEAR = "sliding_attention", "full_attention", "linear_attention"
COMMON: dict[str, Any] = {
    **{"vocab_size": 67, "hidden_size": 72, "intermediate_size": 54, "num_hidden_layers": 4},
    **{"num_attention_heads": 3, "num_key_value_heads": 1, "max_position_embeddings": 96, "tie_word_embeddings": False},
}
RMS = {"rms_norm_eps": 1e-3}
SILU = {"hidden_act": "silu"}
ROPE = {"rope_theta": 500.0}
DENSE = {**COMMON, **RMS, **SILU, **ROPE, "head_dim": 16}
WHOLE_HEADS = {**COMMON, **RMS, **SILU, **ROPE}  # of classes whose heads are hidden_size / num_attention_heads
LAYERNORM = {**COMMON, **ROPE, "layer_norm_eps": 1e-3}
WINDOW = {"sliding_window": 9}
HALF = {"layer_types": [SLIDING, FULL] * 2}
EXPERTS = {"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 20}
MULTIPLIERS = {
    **{"embedding_multiplier": 3.0, "residual_multiplier": 0.4, "attention_multiplier": 0.2, "logits_scaling": 2.0},
}
GEMMA = {**COMMON, **RMS, **ROPE, "head_dim": 16, "hidden_activation": "gelu_pytorch_tanh"}
DELTA = {
    **{"head_dim": 32, "partial_rotary_factor": 0.25, "layer_types": [LINEAR, FULL] * 2},
    **{"linear_conv_kernel_dim": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 12},
    **{"linear_num_key_heads": 2, "linear_num_value_heads": 4},
}
LATENT = {
    **{key: value for key, value in DENSE.items() if key not in ("head_dim", "num_key_value_heads")},
    **{"num_key_value_heads": 3, "q_lora_rank": 24, "kv_lora_rank": 32, "qk_nope_head_dim": 16},
    **{"qk_rope_head_dim": 8, "v_head_dim": 24, "n_routed_experts": 8, "num_experts_per_tok": 4},
    **{"moe_intermediate_size": 20, "n_shared_experts": 2, "routed_scaling_factor": 1.7},
}
GROUPS = {"n_group": 4, "topk_group": 3, "norm_topk_prob": True}
ENCODER = {
    **{"vocab_size": 67, "hidden_size": 72, "intermediate_size": 54, "num_hidden_layers": 2, "num_attention_heads": 3},
    **{"max_position_embeddings": 64},
}
BERT = {**ENCODER, "hidden_act": "gelu", "layer_norm_eps": 1e-3, "type_vocab_size": 2}
YARN = {
    **{"rope_type": "yarn", "rope_theta": 500.0, "factor": 4.0, "original_max_position_embeddings": 12},
    **{"beta_fast": 32.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1},
}
TWO_ROPES = {
    **{FULL: {"rope_type": "default", "rope_theta": 500.0}, SLIDING: {"rope_type": "default", "rope_theta": 50.0}},
}
PER_LAYER_ROPES = {
    FULL: {"rope_type": "proportional", "partial_rotary_factor": 0.5, "rope_theta": 5000.0},
    SLIDING: {"rope_type": "default", "rope_theta": 300.0},
}
MROPE = {"rope_type": "default", "rope_theta": 500.0, "mrope_section": [2, 3, 3]}
PADS = {"pad_token_id": 0}  # where the default is beyond the vocabulary


def _without(base: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in base.items() if key not in keys}


QWEN2_VL = {**_without(WHOLE_HEADS, "rope_theta"), "rope_parameters": MROPE | {"mrope_section": [4, 4, 4]}}
BASES: dict[str, dict[str, Any]] = {
    "bert": BERT,
    "roberta": BERT | {"pad_token_id": 1},
    "xlm-roberta": BERT | {"pad_token_id": 1},
    "camembert": BERT | {"pad_token_id": 1},
    "cohere": {**LAYERNORM, **SILU, "logit_scale": 0.5},
    "cohere2": {**LAYERNORM, **SILU, "logit_scale": 0.5, **WINDOW, **HALF},
    "deepseek_v3": {**LATENT, **GROUPS, "first_k_dense_replace": 1},
    "deepseek_v2": {**LATENT, **GROUPS, "first_k_dense_replace": 1, "norm_topk_prob": False}
    | {"topk_method": "group_limited_greedy"},
    "glm4_moe_lite": {**LATENT, **GROUPS, "mlp_layer_types": ["dense", "sparse", "sparse", "sparse"]},
    "exaone4": {**DENSE, **WINDOW, **HALF, "sliding_window_pattern": 2},
    "gemma": {**_without(GEMMA, "hidden_activation"), "hidden_act": "gelu_pytorch_tanh"},
    "gemma2": {**GEMMA, **WINDOW, **HALF, "query_pre_attn_scalar": 40}
    | {"attn_logit_softcapping": 3.0, "final_logit_softcapping": 4.0},
    "gemma3_text": {**GEMMA, **WINDOW, **HALF, "query_pre_attn_scalar": 40, "rope_local_base_freq": 300.0},
    "gemma4_text": {
        **_without(GEMMA, "rope_theta"),
        **{**WINDOW, **HALF, "global_head_dim": 32, "num_global_key_value_heads": 1, "attention_k_eq_v": True},
        **{"num_kv_shared_layers": 2, "use_double_wide_mlp": True, "final_logit_softcapping": 4.0},
        **{"hidden_size_per_layer_input": 20, "vocab_size_per_layer_input": 67, "rope_parameters": PER_LAYER_ROPES},
    },
    "glm4": {**DENSE, **PADS, "attention_bias": True, "partial_rotary_factor": 0.5},
    "gpt2": {
        **{"vocab_size": 67, "n_embd": 72, "n_layer": 2, "n_head": 3, "n_positions": 64, "n_inner": 54},
        **{"activation_function": "gelu_new", "layer_norm_epsilon": 1e-3},
    },
    "gpt_oss": {
        **{**DENSE, "num_local_experts": 6, "num_experts_per_tok": 2, **WINDOW, **HALF, "swiglu_limit": 0.7},
        "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "beta_fast": 4.0, "truncate": False}
        | {"original_max_position_embeddings": 24},
    },
    "gpt_neox": {
        **_without(LAYERNORM, "num_key_value_heads", "rope_theta"),
        **{"hidden_act": "gelu", "rotary_pct": 0.5, "rotary_emb_base": 500.0},
    },
    "llama": DENSE,
    "mistral": DENSE | WINDOW,
    "ministral": {**DENSE, **WINDOW, **HALF},
    "mixtral": {**DENSE, **WINDOW, "num_local_experts": 6, "num_experts_per_tok": 2},
    "ministral3": {**_without(DENSE, "rope_theta"), "rope_parameters": YARN},
    "granite": {**DENSE, **MULTIPLIERS},
    "granitemoe": {**DENSE, **MULTIPLIERS, "num_local_experts": 6, "num_experts_per_tok": 2},
    "granitemoehybrid": {
        **{**DENSE, **MULTIPLIERS, "shared_intermediate_size": 54, "num_local_experts": 0},
        **{"position_embedding_type": "rope", "layer_types": ["attention"] * 4, "mamba_n_heads": 4},
    },
    "lfm2": {
        **_without(DENSE, "rms_norm_eps", "hidden_act"),
        **{"norm_eps": 1e-3, "block_auto_adjust_ff_dim": False, "conv_L_cache": 3},
        "layer_types": ["conv", FULL] * 2,
    },
    "lfm2_moe": {
        **_without(DENSE, "rms_norm_eps", "hidden_act"),
        **{"norm_eps": 1e-3, "conv_L_cache": 3, "layer_types": ["conv", FULL] * 2, "num_dense_layers": 1},
        **{**EXPERTS, "norm_topk_prob": True, "routed_scaling_factor": 1.5},
    },
    "modernbert": {
        **{**ENCODER, **PADS, "num_hidden_layers": 4, "hidden_activation": "gelu", "local_attention": 12},
        **{"layer_types": [FULL, SLIDING] * 2, "norm_eps": 1e-3, "rope_parameters": TWO_ROPES},
    },
    "nomic_bert": {
        **{**ENCODER, "hidden_act": "silu", "layer_norm_eps": 1e-3, "type_vocab_size": 2},
        "rope_parameters": {"rope_type": "default", "rope_theta": 500.0},
    },
    "olmo2": WHOLE_HEADS,
    "olmo3": {**_without(WHOLE_HEADS, "rope_theta"), **WINDOW, **HALF, "rope_parameters": TWO_ROPES},
    "olmoe": {**WHOLE_HEADS, "num_experts": 6, "num_experts_per_tok": 2},
    "phi": {**LAYERNORM, "hidden_act": "gelu_new", "partial_rotary_factor": 0.5},
    "phi3": {**WHOLE_HEADS, **PADS, "partial_rotary_factor": 0.67, **WINDOW},
    "qwen2": DENSE,
    "qwen2_vl_text": QWEN2_VL,
    "qwen2_5_vl_text": QWEN2_VL,
    "qwen3": DENSE,
    "qwen3_vl_text": {**_without(DENSE, "rope_theta"), "rope_parameters": MROPE},
    "qwen3_moe": {**DENSE, **EXPERTS, "norm_topk_prob": True, "mlp_only_layers": []},
    "qwen2_moe": {**DENSE, **EXPERTS, "shared_expert_intermediate_size": 56, "mlp_only_layers": [0]},
    "qwen3_5_text": {**DENSE, **DELTA},
    "qwen3_5_moe_text": {**_without(DENSE, "intermediate_size"), **DELTA, **EXPERTS}
    | {"shared_expert_intermediate_size": 40},
    "qwen3_next": {**DENSE, **DELTA, **EXPERTS, "shared_expert_intermediate_size": 40}
    | {"norm_topk_prob": True, "mlp_only_layers": []},
    "smollm3": {**DENSE, **PADS, "no_rope_layers": [1, 0, 1, 1]},
    "stablelm": {**LAYERNORM, **SILU, "use_qkv_bias": True, "partial_rotary_factor": 0.5},
    "starcoder2": {**_without(LAYERNORM, "layer_norm_eps"), "norm_epsilon": 1e-3, "hidden_act": "gelu_pytorch_tanh"}
    | WINDOW,
}
