"""Models in plain NumPy, without cache or chunks: every token is computed from the whole sequence before it.

Configs and weights are those of a Hugging Face folder: its config.json, and arrays by tensor name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..formats.family import model_type_of, model_types
from .family import Array, ModelFamily, Weights, model_family

Config = dict[str, Any]
Experts = Callable[[Config, Weights, Array], Array]  # (a layer's weights by name, normalised rows) -> result


def hidden(config: Config, weights: Weights, ids: ArrayLike, dtype: Any = np.float64, block: int = 256) -> Array:
    """Hidden states after the final norm, [tokens, hidden]. Attention computes `block` rows at a time."""
    forward = _family(config).reference
    wide = {name: np.asarray(value, dtype) for name, value in weights.items()}
    return forward(config, wide, np.asarray(ids, np.int64), block)


def logits(config: Config, weights: Weights, ids: ArrayLike, dtype: Any = np.float64, block: int = 256) -> Array:
    """Logits of every token, [tokens, vocabulary]."""
    products = hidden(config, weights, ids, dtype, block) @ head(config, weights).astype(dtype).T
    products = products + np.asarray(weights.get(f"{_family(config).head}.bias", 0.0), dtype)
    products = products / config.get("logits_scaling", 1.0) * config.get("logit_scale", 1.0)
    cap = config.get("final_logit_softcapping")
    return cap * np.tanh(products / cap) if cap else products


def head(config: Config, weights: Weights) -> Array:
    """The matrix [vocabulary, hidden] for logits: the head, or the embedding if they are tied."""
    family = _family(config)
    names = (f"{family.head}.weight", *family.file_names(f"{family.embedding}.weight"))
    return next(weights[name] for name in names if name in weights)


def _family(config: Config) -> ModelFamily:
    return model_family(model_types()[model_type_of(config)])


def greedy(config: Config, weights: Weights, ids: ArrayLike, count: int) -> list[int]:
    """The next `count` tokens of greedy decoding."""
    tokens = np.asarray(ids).tolist()
    for _ in range(count):
        tokens.append(int(logits(config, weights, tokens)[-1].argmax()))
    return tokens[-count:]


def silu(x: Array) -> Array:
    return np.asarray(x / (1 + np.exp(-x)))


def gelu(x: Array) -> Array:
    """In its tanh form."""
    return np.asarray(0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))


def window_of_layer(config: Config, i: int) -> Config:
    """A layer's config, without the window if layer_types says so."""
    kinds = config.get("layer_types")
    return config | {"sliding_window": None} if kinds and kinds[i] == "full_attention" else config


def decoder(
    config: Config,
    w: Weights,
    ids: Array,
    block: int,
    qk_norm: bool = False,
    of_layer: Callable[[Config, int], Config] = window_of_layer,
    norm_plus: float = 0.0,
    act: Callable[[Array], Array] = silu,
    post_norms: bool = False,
    pre_norms: bool = True,
    row_norm: bool = False,
    embed_scale: Callable[[Config], float] = lambda config: config.get("embedding_multiplier", 1.0),
    growth: Callable[[Config], tuple[float, int]] = lambda config: (0.0, 1),
    interleaved: bool = False,
    experts: Experts | None = None,
    state: Callable[[Config, Weights, Array], Array] | None = None,
    gated_heads: bool = False,
    bidirectional: bool = False,
) -> Array:
    """The forward of decoder.py's families; `of_layer` returns a layer's config.

    `norm_plus` is added to the gains of norms; `post_norms`: norms before the sums, too;
    `pre_norms`: norms before attention and feed-forward; `row_norm`: of all q heads together, and of all k heads;
    `growth`: queries are multiplied by 1 + growth[0] log(1 + floor(position / growth[1])).
    `experts`: the feed-forward of layers without one matrix (reference_experts.py); `state`: what those without
    attention have instead of it (reference_states.py). `gated_heads`: each q head comes with gates of its results.
    `bidirectional`: a row sees those after it, too, and a window is as wide on both sides.
    """
    heads = config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads") or heads
    eps, dim = config["rms_norm_eps"], head_dim(config)
    scale = config.get("attention_multiplier", config.get("query_pre_attn_scalar", dim) ** -0.5)
    q_rows, kv_rows, plus = heads * dim, kv_heads * dim, config.get("residual_multiplier", 1.0)
    cap = config.get("attn_logit_softcapping")
    x = w["model.embed_tokens.weight"][ids] * embed_scale(config)
    for i in range(config["num_hidden_layers"]):
        c = of_layer(config, i)
        window = c.get("sliding_window") if c.get("use_sliding_window", True) else None
        turn = _angles(c, len(ids))
        layer = {name.removeprefix(p): value for name, value in w.items() if name.startswith(p := f"model.layers.{i}.")}

        for fused, names, rows in (
            ("self_attn.qkv_proj", ("q", "k", "v"), (q_rows, q_rows + kv_rows)),
            ("mlp.gate_up_proj", ("gate", "up"), (config["intermediate_size"],)),
        ):
            if f"{fused}.weight" in layer:
                parts = np.split(layer.pop(f"{fused}.weight"), rows)
                layer |= {f"{fused.split('.')[0]}.{n}_proj.weight": p for n, p in zip(names, parts, strict=True)}

        def project(x: Array, name: str, layer: Weights = layer) -> Array:
            return x @ layer[f"{name}.weight"].T + layer.get(f"{name}.bias", 0)

        def norm(x: Array, name: str, layer: Weights = layer) -> Array:
            return _rmsnorm(x, layer[f"{name}.weight"] + norm_plus, eps)

        y = norm(x, "input_layernorm") if pre_norms else x
        if state is not None and "self_attn.q_proj.weight" not in layer:
            y = state(c, layer, y)
        else:
            q, k, gates = project(y, "self_attn.q_proj"), project(y, "self_attn.k_proj"), np.ones(1, x.dtype)
            if gated_heads:
                both = q.reshape(len(q), heads, 2, dim)
                q, gates = both[:, :, 0].reshape(len(q), -1), 1 / (1 + np.exp(-both[:, :, 1].reshape(len(q), -1)))
            if row_norm:
                q, k = norm(q, "self_attn.q_norm"), norm(k, "self_attn.k_norm")
            q, k = split_heads(q, heads), split_heads(k, kv_heads)
            v = split_heads(project(y, "self_attn.v_proj"), kv_heads)
            if qk_norm:
                q, k = norm(q, "self_attn.q_norm"), norm(k, "self_attn.k_norm")
            if c.get("turns", True):
                q, k = (rotated(x, turn, interleaved, amplitude(c)) for x in (q, k))
            grows = 1 + growth(c)[0] * np.log1p(np.arange(len(ids)) // growth(c)[1])
            q = q * grows[:, None].astype(q.dtype)
            sinks = layer.get("self_attn.sinks")
            y = project(gates * attention(q, k, v, window, block, scale, cap, sinks, bidirectional), "self_attn.o_proj")
        x = x + plus * (norm(y, "post_attention_layernorm") if post_norms else y)
        before = "pre_feedforward_layernorm" if post_norms else "post_attention_layernorm"
        y = norm(x, before) if pre_norms else x
        if experts is not None and "mlp.gate_proj.weight" not in layer:
            y = experts(c, layer, y)
        else:
            y = project(act(project(y, "mlp.gate_proj")) * project(y, "mlp.up_proj"), "mlp.down_proj")
        x = x + plus * (norm(y, "post_feedforward_layernorm") if post_norms else y)
    return _rmsnorm(x, w["model.norm.weight"] + norm_plus, eps)


def _rmsnorm(x: Array, gain: Array, eps: float) -> Array:
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) * gain


def split_heads(x: Array, heads: int) -> Array:
    """[tokens, heads * dim] to [heads, tokens, dim]."""
    return x.reshape(len(x), heads, -1).swapaxes(0, 1)


def rope_of(config: Config) -> Config:
    """rope_theta, rope_type and its parameters, from either format of config.json."""
    # transformers 5 writes rope_parameters; older folders have rope_theta and rope_scaling, whose type may be `type`.
    rope = config.get("rope_parameters") or {"rope_theta": config["rope_theta"], **(config.get("rope_scaling") or {})}
    return {"rope_type": rope.get("type", "default"), **rope}


def head_dim(config: Config) -> int:
    return config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]


def frequencies(config: Config, count: int = 0) -> NDArray[np.float64]:
    """Radians per position of each pair of a head's dimensions, in a sequence of `count` tokens, scaling applied."""
    rope = rope_of(config)
    share = {"partial_rotary_factor": 1.0, **config, **rope}["partial_rotary_factor"]
    dim = int(head_dim(config) * share)
    plain = rope["rope_theta"] ** (-np.arange(0, dim, 2) / dim)
    if rope["rope_type"] == "linear":
        return plain / rope["factor"]
    if rope["rope_type"] == "factors":  # as GGUF files store llama3's
        return plain / np.asarray(rope["factors"])
    if rope["rope_type"] == "llama3":
        # Low frequencies are scaled, high ones kept, those between blended.
        turns = rope["original_max_position_embeddings"] * plain / (2 * math.pi)
        low, high = rope["low_freq_factor"], rope["high_freq_factor"]
        kept = np.clip((turns - low) / (high - low), 0, 1)
        return plain * (kept + (1 - kept) / rope["factor"])
    if rope["rope_type"] in ("longrope", "su"):
        original = rope.get("original_max_position_embeddings") or config["original_max_position_embeddings"]
        return plain / np.asarray(rope["long_factor" if count > original else "short_factor"])
    if rope["rope_type"] == "yarn":
        # A pair's number as a function of its turns within the old context, solved for the bounds of the blend.
        length, base = rope["original_max_position_embeddings"], rope["rope_theta"]
        bounds = [
            dim * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base))
            for turns in (rope.get("beta_fast") or 32, rope.get("beta_slow") or 1)
        ]
        if rope.get("truncate", True):
            bounds = [math.floor(bounds[0]), math.ceil(bounds[1])]
        low, high = max(bounds[0], 0), min(bounds[1], dim - 1)
        ramp = np.clip((np.arange(dim // 2) - low) / max(high - low, 0.001), 0, 1)
        return plain / rope["factor"] * ramp + plain * (1 - ramp)
    assert rope["rope_type"] in ("default", "dynamic"), f"no reference for RoPE scaling {rope}"
    return plain


def amplitude(config: Config) -> float:
    """The factor of rotated queries and keys."""
    rope = rope_of(config)
    if rope.get("attention_factor"):
        return float(rope["attention_factor"])
    if rope["rope_type"] == "yarn":
        part, whole = rope.get("mscale") or 0.0, rope.get("mscale_all_dim") or 0.0
        if part and whole:
            return (0.1 * part * math.log(rope["factor"]) + 1) / (0.1 * whole * math.log(rope["factor"]) + 1)
        return 0.1 * math.log(rope["factor"]) + 1
    if rope["rope_type"] in ("longrope", "su"):
        original = rope.get("original_max_position_embeddings") or config["original_max_position_embeddings"]
        longer = config["max_position_embeddings"] / original
        return math.sqrt(1 + math.log(longer) / math.log(original)) if longer > 1 else 1.0
    return 1.0


def _angles(config: Config, count: int) -> NDArray[np.float64]:
    return np.arange(count)[:, None] * frequencies(config, count)


def rotated(x: Array, angles: NDArray[np.float64], interleaved: bool = False, amplitude: float = 1.0) -> Array:
    """RoPE of the first dimensions, two for each of the angles: dimension i turns with dimension i + dim / 2, or
    interleaved with its neighbour."""
    dim = 2 * angles.shape[1]
    cos, sin = (amplitude * np.cos(angles)).astype(x.dtype), (amplitude * np.sin(angles)).astype(x.dtype)
    y = x.copy()
    first, second = (slice(0, dim, 2), slice(1, dim, 2)) if interleaved else (slice(dim // 2), slice(dim // 2, dim))
    y[..., first] = x[..., first] * cos - x[..., second] * sin
    y[..., second] = x[..., second] * cos + x[..., first] * sin
    return y


def attention(
    q: Array,
    k: Array,
    v: Array,
    window: int | None,
    block: int,
    scale: float = 0.0,
    cap: float | None = None,
    sinks: Array | None = None,
    bidirectional: bool = False,
) -> Array:
    """Causal softmax attention of q [heads, n, dim] on k and v [kv heads, n, dim], as [n, heads * dim].

    `scale`: of the scores, by default 1 / sqrt(dim); `cap`: their soft cap; `sinks`: a further score of
    each head, whose value is zero. `bidirectional`: not causal; a row sees those at most `window` away.
    """
    heads, n, dim = q.shape
    group = heads // len(k)
    out = np.empty((n, heads, dim), q.dtype)
    for start in range(0, n, block):
        rows = np.arange(start, min(start + block, n))[:, None]
        keys = np.arange(n if bidirectional else rows[-1, 0] + 1)
        unseen = (keys > rows) | (keys <= rows - (window or n))
        if bidirectional:
            unseen = np.abs(keys - rows) > (window or n)
        for h in range(heads):
            scores = q[h, start : start + block] @ k[h // group, : len(keys)].T * (scale or dim**-0.5)
            if cap:
                scores = cap * np.tanh(scores / cap)
            scores[unseen] = -np.inf
            peak = np.maximum(scores.max(axis=-1, keepdims=True), -np.inf if sinks is None else sinks[h])
            weights = np.exp(scores - peak)
            total = weights.sum(axis=-1, keepdims=True) + (0 if sinks is None else np.exp(sinks[h] - peak))
            out[start : start + block, h] = weights @ v[h // group, : len(keys)] / total
    return out.reshape(n, -1)
