"""The four families in plain NumPy: no cache, no chunks, every token from the whole sequence before it.

Configs and weights are a Hugging Face folder's: its config.json, and arrays under its tensor names.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Config = dict[str, Any]
Weights = dict[str, NDArray[Any]]
Array = NDArray[Any]


def hidden(config: Config, weights: Weights, ids: ArrayLike, dtype: Any = np.float64, block: int = 256) -> Array:
    """Hidden states after the final norm, [tokens, hidden]. Attention takes `block` rows at a time."""
    forward = _gpt2 if config["model_type"] == "gpt2" else _llama
    wide = {name: np.asarray(value, dtype) for name, value in weights.items()}
    return forward(config, wide, np.asarray(ids, np.int64), block)


def logits(config: Config, weights: Weights, ids: ArrayLike, dtype: Any = np.float64, block: int = 256) -> Array:
    """Logits of every token, [tokens, vocabulary]."""
    return hidden(config, weights, ids, dtype, block) @ head(weights).astype(dtype).T


def head(weights: Weights) -> Array:
    """The matrix [vocabulary, hidden] that makes logits: its own, or the embeddings where they are tied."""
    names = ("lm_head.weight", "model.embed_tokens.weight", "transformer.wte.weight", "wte.weight")
    return next(weights[name] for name in names if name in weights)


def greedy(config: Config, weights: Weights, ids: ArrayLike, count: int) -> list[int]:
    """The `count` likeliest next tokens, one after the other."""
    found = np.asarray(ids).tolist()
    for _ in range(count):
        found.append(int(logits(config, weights, found)[-1].argmax()))
    return found[-count:]


def _llama(config: Config, w: Weights, ids: Array, block: int) -> Array:
    """llama, mistral, qwen2 and qwen3: they differ in biases, in norms of q and k, and in the window."""
    heads = config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads") or heads
    eps = config["rms_norm_eps"]
    window = config.get("sliding_window") if config.get("use_sliding_window", True) else None
    x = w["model.embed_tokens.weight"][ids]
    turn = _angles(config, len(ids))
    for i in range(config["num_hidden_layers"]):
        layer = {name.removeprefix(p): value for name, value in w.items() if name.startswith(p := f"model.layers.{i}.")}

        def project(x: Array, name: str, layer: Weights = layer) -> Array:
            return x @ layer[f"{name}.weight"].T + layer.get(f"{name}.bias", 0)

        y = _rmsnorm(x, layer["input_layernorm.weight"], eps)
        q = _split(project(y, "self_attn.q_proj"), heads)
        k = _split(project(y, "self_attn.k_proj"), kv_heads)
        v = _split(project(y, "self_attn.v_proj"), kv_heads)
        if config["model_type"] == "qwen3":
            q = _rmsnorm(q, layer["self_attn.q_norm.weight"], eps)
            k = _rmsnorm(k, layer["self_attn.k_norm.weight"], eps)
        seen = _attention(_rotated(q, turn), _rotated(k, turn), v, window, block)
        x = x + project(seen, "self_attn.o_proj")
        y = _rmsnorm(x, layer["post_attention_layernorm.weight"], eps)
        gate = project(y, "mlp.gate_proj")
        x = x + project(gate / (1 + np.exp(-gate)) * project(y, "mlp.up_proj"), "mlp.down_proj")
    return _rmsnorm(x, w["model.norm.weight"], eps)


def _gpt2(config: Config, w: Weights, ids: Array, block: int) -> Array:
    w = {name.removeprefix("transformer."): value for name, value in w.items()}
    eps = config["layer_norm_epsilon"]

    def conv(x: Array, name: str) -> Array:
        return x @ w[f"{name}.weight"] + w[f"{name}.bias"]  # [in, out], not [out, in]

    def norm(x: Array, name: str) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
        return centred / scale * w[f"{name}.weight"] + w[f"{name}.bias"]

    x = w["wte.weight"][ids] + w["wpe.weight"][: len(ids)]
    for i in range(config["n_layer"]):
        q, k, v = np.split(conv(norm(x, f"h.{i}.ln_1"), f"h.{i}.attn.c_attn"), 3, axis=-1)
        q, k, v = (_split(part, config["n_head"]) for part in (q, k, v))
        x = x + conv(_attention(q, k, v, None, block), f"h.{i}.attn.c_proj")
        y = conv(norm(x, f"h.{i}.ln_2"), f"h.{i}.mlp.c_fc")
        gelu = 0.5 * y * (1 + np.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)))
        x = x + conv(gelu, f"h.{i}.mlp.c_proj")
    return norm(x, "ln_f")


def _rmsnorm(x: Array, gain: Array, eps: float) -> Array:
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) * gain


def _split(x: Array, heads: int) -> Array:
    """[tokens, heads * dim] to [heads, tokens, dim]."""
    return x.reshape(len(x), heads, -1).swapaxes(0, 1)


def rope_of(config: Config) -> Config:
    """rope_theta, rope_type and its numbers, from either of the two ways to write them."""
    # transformers 5 writes rope_parameters; older folders have rope_theta and rope_scaling, whose type may be `type`.
    rope = config.get("rope_parameters") or {"rope_theta": config["rope_theta"], **(config.get("rope_scaling") or {})}
    return {"rope_type": rope.get("type", "default"), **rope}


def head_dim(config: Config) -> int:
    return config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]


def frequencies(config: Config) -> NDArray[np.float64]:
    """Radians per position of each pair of a head's dimensions, RoPE's scaling applied."""
    rope, dim = rope_of(config), head_dim(config)
    found = rope["rope_theta"] ** (-np.arange(0, dim, 2) / dim)
    if rope["rope_type"] == "linear":
        return found / rope["factor"]
    if rope["rope_type"] == "factors":  # as GGUF files keep llama3's
        return found / np.asarray(rope["factors"])
    if rope["rope_type"] == "llama3":
        # Slow pairs are slowed down further, fast ones stay, and those between are blended.
        turns = rope["original_max_position_embeddings"] * found / (2 * math.pi)
        low, high = rope["low_freq_factor"], rope["high_freq_factor"]
        kept = np.clip((turns - low) / (high - low), 0, 1)
        return found * (kept + (1 - kept) / rope["factor"])
    assert rope["rope_type"] == "default", f"no reference for RoPE scaling {rope}"
    return found


def _angles(config: Config, count: int) -> NDArray[np.float64]:
    return np.arange(count)[:, None] * frequencies(config)


def _rotated(x: Array, angles: NDArray[np.float64]) -> Array:
    """Half-split RoPE: dimension i turns with dimension i + dim / 2."""
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)


def _attention(q: Array, k: Array, v: Array, window: int | None, block: int) -> Array:
    """Causal softmax attention of q [heads, n, dim] on k and v [kv heads, n, dim], as [n, heads * dim]."""
    heads, n, dim = q.shape
    group = heads // len(k)
    out = np.empty((n, heads, dim), q.dtype)
    for start in range(0, n, block):
        rows = np.arange(start, min(start + block, n))[:, None]
        keys = np.arange(rows[-1, 0] + 1)
        unseen = (keys > rows) | (keys <= rows - (window or n))
        for h in range(heads):
            scores = q[h, start : start + block] @ k[h // group, : len(keys)].T / math.sqrt(dim)
            scores[unseen] = -np.inf
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            out[start : start + block, h] = weights @ v[h // group, : len(keys)] / weights.sum(axis=-1, keepdims=True)
    return out.reshape(n, -1)
