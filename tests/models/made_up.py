"""Models made up from a seed: configs as the hub has them, and weights large enough that everything matters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wgpt.formats.family import model_types
from wgpt.models.reference import Config, Weights, head_dim

from .vocabulary import BOS, EOS, SIZE


def llama_like(
    family: str,
    *,
    hidden: int,
    layers: int,
    heads: int,
    kv_heads: int,
    ffn: int,
    tied: bool = True,
    positions: int = 256,
    **more: Any,
) -> Config:
    """A config of a family of models/decoder.py. `more`: other keys, such as head_dim or rope_scaling."""
    config: Config = {
        "architectures": [model_types()[family].model_types[family]],
        "model_type": family,
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "intermediate_size": ffn,
        "hidden_act": "silu",
        "max_position_embeddings": positions,
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "tie_word_embeddings": tied,
        "vocab_size": SIZE,
        "bos_token_id": BOS,
        "eos_token_id": EOS,
        "torch_dtype": "float32",
    }
    return config | more


def gpt2(*, hidden: int, layers: int, heads: int, positions: int = 96) -> Config:
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "n_embd": hidden,
        "n_layer": layers,
        "n_head": heads,
        "n_positions": positions,
        "n_ctx": positions,
        "n_inner": None,
        "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-5,
        "vocab_size": SIZE,
        "bos_token_id": BOS,
        "eos_token_id": EOS,
        "torch_dtype": "float32",
    }


def random_weights(config: Config, seed: int) -> Weights:
    """f32 weights under their Hugging Face names: logits of a few units, attention far from uniform."""
    rng = np.random.default_rng(seed)
    shapes = gpt2_shapes(config) if config["model_type"] == "gpt2" else _llama_shapes(config)
    return {name: _draw(rng, name, shape).astype(np.float32) for name, shape in shapes.items()}


def weights_like(shapes: Mapping[str, tuple[int, ...]], seed: int, norm: float = 1.0, embed: float = 1.0) -> Weights:
    """The same for any names and shapes; the gains of norms are around `norm`, and embeddings times `embed`."""
    rng = np.random.default_rng(seed)
    weights = {name: _draw(rng, name, shape).astype(np.float32) for name, shape in shapes.items()}
    for name, w in weights.items():
        if "embed_tokens" in name:
            w *= np.float32(embed)
        elif w.ndim == 1 and not name.endswith("bias"):
            w += np.float32(norm - 1)
    return weights


def _draw(rng: np.random.Generator, name: str, shape: tuple[int, ...]) -> np.ndarray:
    if name.endswith("bias"):
        return 0.3 * rng.standard_normal(shape)
    if len(shape) == 1:
        return rng.uniform(0.5, 1.5, shape)
    if any(part in name for part in ("embed_tokens", "wte", "wpe")):
        return min(0.4, 2.8 / shape[1] ** 0.5) * rng.standard_normal(shape)  # tied, they scale the logits
    gain = 1.0
    if any(part in name for part in ("q_proj", "k_proj", "qkv_proj", "c_attn")):
        gain = 1.5
    elif name == "lm_head.weight":
        gain = 2.5
    inputs = shape[0] if ".c_" in name else shape[1]  # GPT-2's Conv1D weights are [in, out]
    return gain / inputs**0.5 * rng.standard_normal(shape)


def _llama_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    hidden, ffn, vocab = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    dim = head_dim(config)
    q, kv = config["num_attention_heads"] * dim, config["num_key_value_heads"] * dim
    shapes: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": (vocab, hidden)}
    for i in range(config["num_hidden_layers"]):
        layer = f"model.layers.{i}."
        shapes[layer + "input_layernorm.weight"] = (hidden,)
        for part, rows in (("q", q), ("k", kv), ("v", kv)):
            shapes[f"{layer}self_attn.{part}_proj.weight"] = (rows, hidden)
            if config["model_type"] == "qwen2":
                shapes[f"{layer}self_attn.{part}_proj.bias"] = (rows,)
        if config["model_type"] == "qwen3":
            shapes[layer + "self_attn.q_norm.weight"] = shapes[layer + "self_attn.k_norm.weight"] = (dim,)
        shapes[layer + "self_attn.o_proj.weight"] = (hidden, q)
        shapes[layer + "post_attention_layernorm.weight"] = (hidden,)
        shapes[layer + "mlp.gate_proj.weight"] = shapes[layer + "mlp.up_proj.weight"] = (ffn, hidden)
        shapes[layer + "mlp.down_proj.weight"] = (hidden, ffn)
    shapes["model.norm.weight"] = (hidden,)
    if not config["tie_word_embeddings"]:
        shapes["lm_head.weight"] = (vocab, hidden)
    return shapes


def gpt2_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    hidden = config["n_embd"]
    ffn = config["n_inner"] or 4 * hidden
    shapes: dict[str, tuple[int, ...]] = {
        "transformer.wte.weight": (config["vocab_size"], hidden),
        "transformer.wpe.weight": (config["n_positions"], hidden),
    }
    for i in range(config["n_layer"]):
        layer = f"transformer.h.{i}."
        for norm in ("ln_1", "ln_2"):
            shapes[f"{layer}{norm}.weight"] = shapes[f"{layer}{norm}.bias"] = (hidden,)
        for name, ins, outs in (
            ("attn.c_attn", hidden, 3 * hidden),
            ("attn.c_proj", hidden, hidden),
            ("mlp.c_fc", hidden, ffn),
            ("mlp.c_proj", ffn, hidden),
        ):
            shapes[f"{layer}{name}.weight"], shapes[f"{layer}{name}.bias"] = (ins, outs), (outs,)
    shapes["transformer.ln_f.weight"] = shapes["transformer.ln_f.bias"] = (hidden,)
    return shapes
