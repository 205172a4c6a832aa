"""Translates a GGUF file's metadata to the config that the same model has at Hugging Face."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .config import normalised
from .errors import shown
from .family import Family, architectures
from .gguf_scan import GgufHeader
from .mapped import Mapped

_KEYS = {
    "vocab_size": "vocab_size",
    "hidden_size": "embedding_length",
    "intermediate_size": "feed_forward_length",
    "num_hidden_layers": "block_count",
    "num_attention_heads": "attention.head_count",
    "num_key_value_heads": "attention.head_count_kv",
    "head_dim": "attention.key_length",
    "rms_norm_eps": "attention.layer_norm_rms_epsilon",
    "layer_norm_epsilon": "attention.layer_norm_epsilon",
    "rope_theta": "rope.freq_base",
    "sliding_window": "attention.sliding_window",
    "max_position_embeddings": "context_length",
}
# Keys of encoders that GGUF files express by a matrix's number of rows.
_ROWS = {"type_vocab_size": "token_types.weight", "num_labels": "cls.output.weight", "dense_features": "dense_2.weight"}
_YARN_MULTIPLIER = "rope.scaling.yarn_log_multiplier"
_EPS = ("rms_norm_eps", "layer_norm_epsilon")
# Tokens that end a reply: a chat model's end of turn as well as the end of text.
_ENDS = ("eos", "eot", "eom")


def gguf_names(family: Family | None) -> dict[str, str]:
    """The GGUF names of config keys, without the architecture: a family's own, or those of all families."""
    return _KEYS | dict(family.gguf_keys if family else {})


def config_of(file: Mapped, header: GgufHeader) -> dict[str, Any]:
    meta = header.metadata
    family = _family_of(file, meta)
    arch = str(meta["general.architecture"])
    spelled = {key: f"{arch}.{name}" for key, name in gguf_names(family).items()}
    spelled["rope_factors"] = "rope_freqs.weight"
    raw = {key: meta.get(name) for key, name in spelled.items()}
    layers = raw["num_hidden_layers"]
    alike = [key for key in _KEYS if key not in family.gguf_keys]
    raw |= {key: _same_in_all_layers(file, spelled[key], raw[key], layers) for key in alike}
    raw["model_type"] = next(iter(family.model_types))
    if raw["head_dim"] is None:
        raw["head_dim"] = _even_share(raw["hidden_size"], raw["num_attention_heads"])
    tensors = header.tensors
    if raw["vocab_size"] is None and "token_embd.weight" in tensors:
        raw["vocab_size"] = tensors["token_embd.weight"].shape[0]
    raw["tie_word_embeddings"] = "output.weight" not in tensors
    raw["attention_bias"] = "blk.0.attn_q.bias" in tensors
    raw["attention_output_bias"] = "blk.0.attn_output.bias" in tensors
    raw["mlp_bias"] = "blk.0.ffn_gate.bias" in tensors
    raw["ffn_norm"] = "blk.0.ffn_norm.weight" in tensors
    raw["layers_without_v"] = _layers_without_v(tensors, layers)
    raw["bos_token_id"] = meta.get("tokenizer.ggml.bos_token_id")
    ends = [meta.get(f"tokenizer.ggml.{end}_token_id") for end in _ENDS]
    raw["eos_token_id"] = [end for end in ends if end is not None]
    raw["rope_scaling"] = _rope_scaling(file, header, arch, _YARN_MULTIPLIER in family.gguf_keys.values())
    raw |= {key: tensors[name].shape[0] for key, name in _ROWS.items() if name in tensors}
    config = normalised(raw, str(file.path), spelled, is_gguf=True)
    if (pooling := meta.get(f"{arch}.pooling_type")) is not None:
        config["pooling_type"] = pooling
    eps = next(key for key in _EPS if key in config)
    if raw[eps] is None:  # unlike at Hugging Face, there is no default
        raise file.error(f"missing required key {spelled[eps]}")
    _refuse_other_attention(file, meta, config, arch, family)
    return config


def _layers_without_v(tensors: Mapping[str, Any], layers: Any) -> list[int]:
    """The layers that have keys but no values."""
    count = layers if type(layers) is int else 0
    names = [(i, f"blk.{i}.attn_k.weight", f"blk.{i}.attn_v.weight") for i in range(min(count, len(tensors)))]
    return [i for i, k, v in names if k in tensors and v not in tensors]


def _family_of(file: Mapped, meta: dict[str, Any]) -> Family:
    kind, arch = meta.get("general.type", "model"), meta.get("general.architecture")
    if kind != "model":
        raise file.error(f"contains {shown(kind)} (general.type), not a model: use the model's own GGUF file")
    known = architectures()
    if not isinstance(arch, str) or arch not in known:
        raise file.error(f"unsupported architecture {shown(arch)}; supported: {', '.join(known)}")
    return known[arch]


def _refuse_other_attention(
    file: Mapped, meta: dict[str, Any], config: dict[str, Any], arch: str, family: Family
) -> None:
    """Refuse attention settings that the forward would ignore, with wrong results. A family checks the keys that it
    reads itself."""
    head_dim, vocab = config["head_dim"], config["vocab_size"]
    rotary = config.get("rotary_dim", head_dim)
    same = {"attention.value_length": head_dim, "rope.dimension_count": rotary}
    same["expert_count"] = config.get("num_experts", 0)
    for name, value in (same | {"attention.causal": config.get("causal", True)}).items():
        stored = meta.get(f"{arch}.{name}")
        if stored is not None and stored != value and name not in family.gguf_keys.values():
            raise file.error(f"unsupported {arch}.{name} {shown(stored)}; supported: {shown(value)}")
    tokens = meta.get("tokenizer.ggml.tokens")
    if isinstance(tokens, list) and len(tokens) > vocab:
        raise file.error(f"the tokenizer has {len(tokens)} tokens but the embedding only {vocab}: the file is damaged")


def _same_in_all_layers(file: Mapped, name: str, value: Any, layers: Any) -> Any:
    """A value, or the common value of a list with one per layer."""
    if not isinstance(value, list):
        return value
    if len(value) != layers:
        raise file.error(f"{name} has {len(value)} values, not one for each of the {shown(layers)} layers")
    if not value or any(v != value[0] for v in value):
        raise file.error(f"{name} differs between layers, which is unsupported: {shown(value)}")
    return value[0]


def _even_share(hidden: Any, heads: Any) -> int | None:
    """The default head_dim (a different one is stored in the file)."""
    if type(hidden) is not int or type(heads) is not int or heads < 1 or hidden % heads:
        return None  # refused later, in an error that names both
    return hidden // heads


def _rope_scaling(file: Mapped, header: GgufHeader, arch: str, multiplied: bool) -> dict[str, Any] | None:
    """llama3's scaling is a tensor with one divisor per frequency; linear scaling divides all by the same number."""
    meta = header.metadata
    if "rope_factors_long.weight" in header.tensors:
        names = {"long_factor": "rope_factors_long.weight", "short_factor": "rope_factors_short.weight"}
        scaling: dict[str, Any] = {key: _divisors(file, header, name) for key, name in names.items()}
        scaling["attention_factor"] = meta.get(f"{arch}.rope.scaling.attn_factor")
        scaling["original_max_position_embeddings"] = meta.get(f"{arch}.rope.scaling.original_context_length")
        return {"rope_type": "longrope", **scaling}
    kind = meta.get(f"{arch}.rope.scaling.type", "linear")
    if kind == "yarn":
        return _yarn(file, meta, arch, multiplied)
    factor = meta.get(f"{arch}.rope.scaling.factor", meta.get(f"{arch}.rope.scale_linear"))
    if kind not in ("none", "linear"):
        return {"rope_type": kind}  # refused later by its name
    scaled = kind == "linear" and factor not in (None, 0, 1)
    if "rope_freqs.weight" not in header.tensors:
        return {"rope_type": "linear", "factor": factor} if scaled else None
    divisors = _divisors(file, header, "rope_freqs.weight")
    if scaled:
        if factor is None or type(factor) not in (int, float):
            raise file.error(f"{arch}.rope.scaling.factor is {shown(factor)}, not a number")
        divisors = [divisor * float(factor) for divisor in divisors]
    return {"rope_type": "factors", "factors": divisors}


def _divisors(file: Mapped, header: GgufHeader, name: str) -> list[float]:
    """A tensor of divisors of the frequencies."""
    entry = header.tensors.get(name)
    if entry is None:
        raise file.error(f"{name} is missing")
    if entry.type != "f32" or len(entry.shape) != 1 or entry.shape[0] > 1 << 12:
        raise file.error(f"{name} is {entry.type} {list(entry.shape)}, not a short vector of f32")
    divisors: list[float] = entry.source.data[entry.offset : entry.offset + entry.nbytes].view("<f4").tolist()
    return divisors


def _yarn(file: Mapped, meta: dict[str, Any], arch: str, multiplied: bool) -> dict[str, Any]:
    """The factor of rotated queries and keys is the usual one, 1 + ln(factor) / 10, or divided by 1 + m ln(factor) / 10
    if the family has a multiplier m (`multiplied`)."""
    fixed = {"attn_factor": 1.0, "yarn_attn_factor": 1.0, "yarn_ext_factor": 1.0}
    for key, allowed in (fixed if multiplied else {"yarn_log_multiplier": 0.0, **fixed}).items():
        value = meta.get(f"{arch}.rope.scaling.{key}", allowed)
        if value != allowed:
            raise file.error(f"unsupported {arch}.rope.scaling.{key} {shown(value)}; supported: {allowed:g}")
    names = {"factor": "factor", "original_max_position_embeddings": "original_context_length"}
    names |= {"beta_fast": "yarn_beta_fast", "beta_slow": "yarn_beta_slow"}
    scaling = {key: meta.get(f"{arch}.rope.scaling.{name}") for key, name in names.items()}
    multiplier = meta.get(f"{arch}.{_YARN_MULTIPLIER}")
    mscale = {"mscale": 1.0, "mscale_all_dim": multiplier} if multiplier else {}
    return {"rope_type": "yarn", **scaling, **mscale}
