"""A GGUF file's metadata as the config that the same model has at Hugging Face."""

from __future__ import annotations

from typing import Any

from .config import FAMILIES, normalised
from .errors import shown
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
# Ways to end a reply: a chat model's end of turn ends it as well as the end of text does.
_ENDS = ("eos", "eot", "eom")


def config_of(file: Mapped, header: GgufHeader) -> dict[str, Any]:
    meta = header.metadata
    _refuse_other_kinds(file, meta)
    arch = meta["general.architecture"]
    spelled = {key: f"{arch}.{name}" for key, name in _KEYS.items()}
    spelled["rope_factors"] = "rope_freqs.weight"
    raw = {key: _same_in_all_layers(file, name, meta.get(name)) for key, name in spelled.items()}
    raw["model_type"] = "mistral" if arch == "llama" and raw["sliding_window"] else arch
    if raw["head_dim"] is None:
        raw["head_dim"] = _even_share(raw["hidden_size"], raw["num_attention_heads"])
    tensors = header.tensors
    if raw["vocab_size"] is None and "token_embd.weight" in tensors:
        raw["vocab_size"] = tensors["token_embd.weight"].shape[0]
    raw["tie_word_embeddings"] = "output.weight" not in tensors
    raw["attention_bias"] = "blk.0.attn_q.bias" in tensors
    raw["attention_output_bias"] = "blk.0.attn_output.bias" in tensors
    raw["mlp_bias"] = "blk.0.ffn_gate.bias" in tensors
    raw["bos_token_id"] = meta.get("tokenizer.ggml.bos_token_id")
    ends = [meta.get(f"tokenizer.ggml.{end}_token_id") for end in _ENDS]
    raw["eos_token_id"] = [end for end in ends if end is not None]
    raw["rope_scaling"] = _rope_scaling(file, header, arch)
    config = normalised(raw, str(file.path), spelled)
    eps = "layer_norm_epsilon" if arch == "gpt2" else "rms_norm_eps"
    if raw[eps] is None:  # unlike at Hugging Face, there is no default
        raise file.error(f"lacks {spelled[eps]}, without which the model cannot be built")
    _refuse_other_attention(file, meta, config, arch)
    return config


def _refuse_other_kinds(file: Mapped, meta: dict[str, Any]) -> None:
    kind, arch, pieces = meta.get("general.type", "model"), meta.get("general.architecture"), meta.get("split.count", 0)
    if kind != "model":
        raise file.error(f"holds {shown(kind)} (general.type), not a model: take the model's own GGUF file")
    if arch not in FAMILIES:
        raise file.error(f"its architecture is {shown(arch)}, which is not run here; there are {', '.join(FAMILIES)}")
    if pieces not in (0, 1):
        raise file.error(f"is one of {shown(pieces)} pieces: join them with `llama-gguf-split --merge`")


def _refuse_other_attention(file: Mapped, meta: dict[str, Any], config: dict[str, Any], arch: str) -> None:
    """What the family's forward does not do; run all the same, it would be silently wrong."""
    head_dim, vocab = config["head_dim"], config["vocab_size"]
    same = {"attention.value_length": head_dim, "rope.dimension_count": head_dim, "expert_count": 0}
    for name, value in (same | {"attention.causal": True}).items():
        found = meta.get(f"{arch}.{name}")
        if found is not None and found != value:
            raise file.error(f"{arch}.{name} is {shown(found)}; this model is run only with {shown(value)}")
    tokens = meta.get("tokenizer.ggml.tokens")
    if isinstance(tokens, list) and len(tokens) > vocab:
        raise file.error(f"its tokenizer has {len(tokens)} tokens, its embedding only {vocab}: it is damaged")


def _same_in_all_layers(file: Mapped, name: str, value: Any) -> Any:
    """A value, or the one that a list for every layer repeats."""
    if not isinstance(value, list):
        return value
    if not value or any(v != value[0] for v in value):
        raise file.error(f"{name} differs from layer to layer, which is not run here: {shown(value)}")
    return value[0]


def _even_share(hidden: Any, heads: Any) -> int | None:
    """The head_dim of a file that does not say (not Qwen3's 128: a length that differs from this is written)."""
    if type(hidden) is not int or type(heads) is not int or heads < 1 or hidden % heads:
        return None  # to be refused, with the names of both
    return hidden // heads


def _rope_scaling(file: Mapped, header: GgufHeader, arch: str) -> dict[str, Any] | None:
    """llama3's scaling is a tensor of divisors, one a frequency; linear scaling divides them all alike."""
    meta = header.metadata
    kind = meta.get(f"{arch}.rope.scaling.type", "linear")
    factor = meta.get(f"{arch}.rope.scaling.factor", meta.get(f"{arch}.rope.scale_linear"))
    if kind not in ("none", "linear"):
        return {"rope_type": kind}  # to be refused by its name
    scaled = kind == "linear" and factor not in (None, 0, 1)
    entry = header.tensors.get("rope_freqs.weight")
    if entry is None:
        return {"rope_type": "linear", "factor": factor} if scaled else None
    if entry.type != "f32" or len(entry.shape) != 1 or entry.shape[0] > 1 << 12:
        raise file.error(f"rope_freqs.weight is {entry.type} {list(entry.shape)}, not a short vector of f32")
    divisors = file.data[entry.offset : entry.offset + entry.nbytes].view("<f4").tolist()
    if scaled:
        if type(factor) not in (int, float):
            raise file.error(f"{arch}.rope.scaling.factor is {shown(factor)}, not a number")
        divisors = [divisor * factor for divisor in divisors]
    return {"rope_type": "factors", "factors": divisors}
