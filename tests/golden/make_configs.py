"""Writes tests/golden/configs: what transformers makes of config.json's keys, in a file for each model_type.

golden-venv/bin/python -m tests.golden.make_configs [MODEL_TYPE ...]

For each model_type: the keys of its configuration class with their defaults, and cases: a base (config_bases.py) with a
key dropped or changed. Each case has a number: cases with the same number have the same logits (the same weights by
name and shape, in float64), and 0 is the base's. A case has null if transformers refuses it, or if its model is large.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import sys
import zlib
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import CONFIG_MAPPING, AutoModel, AutoModelForCausalLM, PreTrainedConfig
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES as CAUSAL

from tests.golden import archives
from tests.golden.config_bases import BASES, FULL, LINEAR, SLIDING

FOLDER = Path(__file__).with_name("configs")
SIZES = (
    "vocab_size",
    "hidden_size",
    "n_embd",
    "intermediate_size",
    "num_experts",
    "num_local_experts",
    "n_routed_experts",
)
MOST = 700  # of these
IDS = [3, 61, 7, 7, 29, 54, 12, 40, 2, 19, 33, 8, 47, 50, 5, 66, 21, 31, 44, 9, 17, 26, 38]
TEXT_PARTS = {"qwen2_vl_text": "Qwen2VLTextModel", "qwen2_5_vl_text": "Qwen2_5_VLTextModel"}
TEXT_PARTS |= {"qwen3_vl_text": "Qwen3VLTextModel"}
MISSING = "(missing)"  # of a key, as a value
ACTS = ["silu", "swish", "gelu", "gelu_new", "gelu_pytorch_tanh", "gelu_fast", "relu", "quick_gelu"]
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 24}
INNER = {"rope_parameters": {"rope_type": "default", "rope_theta": 900.0}}
# Values of keys that no base has, and of keys whose other values a rule would not find.
VALUES: dict[str, list[Any]] = {
    **{key: [None, *ACTS] for key in ("hidden_act", "hidden_activation", "activation_function")},
    **{key: [0.7] for key in ("rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_eps", "norm_epsilon")},
    **{key: [False] for key in ("is_causal", "scale_attn_weights", "rope_interleave", "use_expert_bias", "qkv_bias")},
    **{key: [True] for key in ("is_decoder", "attention_bias", "mlp_bias", "qk_layernorm", "use_qk_norm", "use_bias")},
    **{key: [True] for key in ("scale_attn_by_inverse_layer_idx", "use_qkv_bias", "conv_bias", "norm_bias")},
    **{key: [True, "all", "vision"] for key in ("use_bidirectional_attention",)},
    **{key: [0.2, None] for key in ("attn_logit_softcapping", "final_logit_softcapping", "clip_qkv")},
    **{key: [0.3] for key in ("logit_scale", "logits_scaling", "embedding_multiplier", "residual_multiplier")},
    **{key: [0.3] for key in ("attention_multiplier", "routed_scaling_factor", "swiglu_limit", "swiglu_alpha")},
    **{key: [70.0] for key in ("rope_theta", "rope_local_base_freq", "rotary_emb_base", "global_rope_theta")},
    **{key: [70.0] for key in ("local_rope_theta",)},
    **{key: [0.5, 1.0] for key in ("partial_rotary_factor", "rotary_pct")},
    **{key: [8] for key in ("head_dim", "kv_lora_rank", "v_head_dim")},
    "layer_types": [
        *([SLIDING] * 4, [FULL] * 4, [FULL, SLIDING] * 2, [LINEAR, FULL] * 2, [FULL] * 3, [FULL] * 5, None),
        *([SLIDING] * 2, ["chunked_attention"] * 4, ["attention"] * 4),
    ],
    "mlp_layer_types": [["dense"] * 4, ["dense", "dense", "sparse", "sparse"], ["sparse", "dense"] * 2],
    "mlp_only_layers": [[1], [0, 3]],
    "decoder_sparse_step": [2],
    "no_rope_layers": [[0, 1, 1, 0], None],
    "no_rope_layer_interval": [2],
    "sliding_window": [5, None],
    "sliding_window_pattern": [1, 2, 3],
    "full_attention_interval": [2],
    "global_attn_every_n_layers": [2],
    "max_window_layers": [1],
    "num_key_value_heads": [3, None],
    "position_embedding_type": ["rope", "nope", None, "relative_key"],
    "topk_method": ["greedy", "noaux_tc"],
    "scoring_func": ["softmax", "sigmoid"],
    "first_k_dense_replace": [0, 2],
    "moe_layer_freq": [2],
    "rope_scaling": [YARN, {"type": "linear", "factor": 3.0}, {"type": "dynamic", "factor": 3.0}, None, {}],
    "rope_parameters": [{"rope_type": "default", "rope_theta": 900.0}, {"rope_type": "linear", "factor": 3.0}],
    "original_max_position_embeddings": [24],
    "per_layer_config": [{"1": {"num_key_value_heads": 3}}],
    "tie_embedding": [True, False],
    "block_ff_dim": [48],
    "full_attn_idxs": [[0, 2]],
    "query_pre_attn_scalar": [7],
    "pad_token_id": [4],
    "classifier_pooling": ["mean"],
    "num_nextn_predict_layers": [1],
    "shared_intermediate_size": [40],
    "block_auto_adjust_ff_dim": [True],
}
# Of these, all values are tried even if the class does not have them; of others, two.
MANY = ("layer_types", "rope_scaling", "rope_parameters")
SLIDES = {"use_sliding_window": True, "sliding_window": 5}
# Several keys at once: what one of them means depends on others.
TOGETHER: list[dict[str, Any]] = [
    SLIDES,
    SLIDES | {"max_window_layers": 1},
    SLIDES | {"max_window_layers": 0},
    SLIDES | {"layer_types": [SLIDING, FULL] * 2},
    SLIDES | {"layer_types": [FULL, SLIDING] * 2, "max_window_layers": 1},
    {"use_sliding_window": True, "sliding_window": None, "layer_types": [SLIDING, FULL] * 2},
    {"sliding_window": None, "layer_types": [FULL, SLIDING] * 2},
    {"sliding_window": 5, "layer_types": None},
    {"layer_types": None, "sliding_window_pattern": 2, "sliding_window": 5},
    {"rope_scaling": YARN, **INNER},
    {"rope_scaling": {"type": "linear", "factor": 3.0, "rope_theta": 70.0}, **INNER},
    {"rope_scaling": {"type": "linear", "factor": 3.0}, **INNER, "rope_theta": 70.0},
    {"rope_scaling": {}, **INNER},
    {"rope_scaling": None, **INNER},
    {"rope_theta": 70.0, **INNER},
    {"rope_theta": 70.0, "rope_parameters": {"rope_type": "default"}},
    {"rope_scaling": {"type": "yarn", "factor": 4.0}, "original_max_position_embeddings": 24},
    {"rope_scaling": YARN, "original_max_position_embeddings": 48},
    {"rope_parameters": {FULL: {"rope_theta": 900.0}, SLIDING: {"rope_theta": 70.0}}},
    {"rope_parameters": {FULL: {"rope_theta": 900.0}, SLIDING: {"rope_theta": 70.0}}, "rope_scaling": YARN},
    {"layer_types": None, "full_attn_idxs": [0, 2]},
    {"layer_types": None, "full_attention_interval": 2},
    {"hidden_act": "gelu", "hidden_activation": "gelu_pytorch_tanh"},
    {"hidden_act": "gelu_pytorch_tanh", "hidden_activation": "gelu"},
    {"hidden_act": "gelu", "hidden_activation": None},
    {"n_group": 2, "topk_group": 1},
    {"num_local_experts": 4, "num_experts": 4},
    {"enable_moe_block": True, "num_experts": 4, "top_k_experts": 2, "moe_intermediate_size": 20},
]


def other_values(key: str, value: Any) -> list[Any]:
    """Values of the same kind as `value`."""
    if key in VALUES:
        return VALUES[key]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, 2 * value] if value > 2 else [value + 1]
    if isinstance(value, float):
        return [1.7 * value or 0.3]
    return [True, 3]


def weights(model: torch.nn.Module) -> None:
    """The same for the same name and shape, large enough that everything matters."""
    for name, tensor in model.state_dict().items():
        if not tensor.is_floating_point():
            continue
        seed = torch.Generator().manual_seed(zlib.crc32(f"{name} {list(tensor.shape)}".encode()))
        drawn = torch.randn(tensor.shape, generator=seed, dtype=torch.float64)
        if tensor.dim() == 1:
            drawn = 1 + 0.3 * drawn if name.endswith("weight") else 0.3 * drawn
        elif "embed" not in name and tensor.dim() > 1:
            drawn *= 1.5 / tensor.shape[-1] ** 0.5
        tensor.copy_(drawn)


def model_of(kind: str, parsed: PreTrainedConfig) -> torch.nn.Module:
    """The causal model; an encoder, or the text part of a model that reads images."""
    if kind in TEXT_PARTS:
        return getattr(transformers, TEXT_PARTS[kind])._from_config(parsed)
    auto = AutoModelForCausalLM if kind in CAUSAL and "bert" not in kind else AutoModel
    return auto.from_config(parsed)


@torch.no_grad()
def logits(kind: str, config: dict[str, Any]) -> torch.Tensor | None:
    """None: refused."""
    try:
        parsed = CONFIG_MAPPING[kind].from_dict(copy.deepcopy(config))
        parsed._attn_implementation = "eager"  # others leave soft caps out
        parsed._experts_implementation = "eager"  # others have no float64
        if any(isinstance(size := getattr(parsed, key, None), int) and size > MOST for key in SIZES):
            return None
        model = model_of(kind, parsed).to(torch.float64).eval()
        weights(model)
        if config.get("tie_word_embeddings", False) and hasattr(model, "tie_weights"):
            model.tie_weights()
        out = model(torch.tensor([IDS]), use_cache=False) if "bert" not in kind else model(torch.tensor([IDS]))
        result = out.logits if "logits" in out else out.last_hidden_state
    except Exception as error:
        print(f"  {kind}: {type(error).__name__}: {str(error)[:100]!r}", file=sys.stderr)
        return None
    return result[0] if result.isfinite().all() else None


def cases(kind: str, keys: dict[str, Any]) -> list[dict[str, Any]]:
    base = BASES[kind]
    found: list[dict[str, Any]] = [{}]
    found += [{key: MISSING} for key in base]
    for key in sorted({*keys, *base, *VALUES}):
        others = other_values(key, base.get(key, keys.get(key)))
        if not (key in base or key in keys or key in MANY):
            others = others[:2]
        found += [{key: other} for other in others if key not in base or other != base[key]]
    for name, key in CONFIG_MAPPING[kind].attribute_map.items():
        value = base.get(key, keys.get(key))
        found += [{name: other} for other in [*other_values(key, value), value] if name not in base]
    return found + TOGETHER


def changed(kind: str, changes: dict[str, Any]) -> dict[str, Any]:
    config = BASES[kind] | changes
    return {"model_type": kind, **{key: value for key, value in config.items() if value != MISSING}}


def class_keys(kind: str) -> dict[str, Any]:
    """The keys of its configuration class, with their defaults."""
    found = {}
    for field in dataclasses.fields(CONFIG_MAPPING[kind]):
        value = field.default
        if value is dataclasses.MISSING:
            value = field.default_factory() if field.default_factory is not dataclasses.MISSING else None
        found[field.name] = json.loads(json.dumps(value).replace("Infinity", "1e308"))
    return found


def record(kind: str) -> dict[str, Any]:
    keys, known, numbered = class_keys(kind), [], []
    for changes in cases(kind, keys):
        result = logits(kind, changed(kind, changes))
        if result is None:
            numbered.append([changes, None])
            continue
        match = (i for i, other in enumerate(known) if other.shape == result.shape and _close(other, result))
        number = next(match, len(known))
        known += [result] if number == len(known) else []
        numbered.append([changes, number])
    if numbered[0][1] != 0:
        raise ValueError(f"transformers refuses the base of {kind}")
    names = dict(getattr(CONFIG_MAPPING[kind], "attribute_map", {}))
    version = {"transformers": transformers.__version__, "class": CONFIG_MAPPING[kind].__name__}
    return {**version, "keys": keys, "names": names, "base": BASES[kind], "cases": numbered}


def _close(a: torch.Tensor, b: torch.Tensor) -> bool:
    return float((a - b).abs().max()) <= 1e-9 * float(b.abs().max())


def main() -> None:
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    FOLDER.mkdir(exist_ok=True)
    for kind in sys.argv[1:] or list(BASES):
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in record(kind).items()]
        (FOLDER / f"{kind}.json").write_text("{" + ",\n".join(lines) + "}\n")
        print(kind, flush=True)
    archives.pack(FOLDER)


if __name__ == "__main__":
    main()
