"""Layers with states in plain NumPy: every token is computed from all tokens before it, without a state."""

from __future__ import annotations

import numpy as np

from .family import Array, Weights
from .reference import Config, silu


def short_convolution(config: Config, layer: Weights, x: Array) -> Array:
    """A gated short convolution: (a layer's weights by name, normalised rows) -> result."""
    b, c, u = np.split(x @ layer["conv.in_proj.weight"].T, 3, axis=1)
    return (c * convolved(b * u, layer["conv.conv.weight"])) @ layer["conv.out_proj.weight"].T


def convolved(x: Array, taps: Array) -> Array:
    """Each column convolved with its taps, after zeros; the last tap belongs to the row itself."""
    taps = taps.reshape(x.shape[1], -1)
    count = taps.shape[1]
    padded = np.concatenate([np.zeros((count - 1, x.shape[1]), x.dtype), x])
    y = np.zeros_like(x)
    for t in range(count):
        y += padded[t : t + len(x)] * taps[:, t]
    return y


def delta_net(config: Config, layer: Weights, x: Array) -> Array:
    """A gated delta net, token by token."""
    k_heads, v_heads = config["linear_num_key_heads"], config["linear_num_value_heads"]
    k_dim, v_dim = config["linear_key_head_dim"], config["linear_value_head_dim"]
    names = ("in_proj_qkv", "in_proj_z", "in_proj_b", "in_proj_a")
    qkv, z, b, a = (x @ layer[f"linear_attn.{name}.weight"].T for name in names)
    qkv = silu(convolved(qkv, layer["linear_attn.conv1d.weight"]))
    q, k, v = np.split(qkv, (k_heads * k_dim, 2 * k_heads * k_dim), axis=1)
    q, k = (y.reshape(len(x), k_heads, k_dim) for y in (q, k))
    q, k = (y / np.sqrt((y**2).sum(axis=-1, keepdims=True) + 1e-6) for y in (q, k))
    q, k = (np.repeat(y, v_heads // k_heads, axis=1) for y in (q / np.sqrt(k_dim), k))
    v = v.reshape(len(x), v_heads, v_dim)
    decay = np.exp(-np.exp(layer["linear_attn.A_log"]) * np.logaddexp(0, a + layer["linear_attn.dt_bias"]))
    learning = 1 / (1 + np.exp(-b))
    state, out = np.zeros((v_heads, k_dim, v_dim), x.dtype), np.empty_like(v)
    for t in range(len(x)):
        state = state * decay[t][:, None, None]
        known = (state * k[t][:, :, None]).sum(axis=1)
        state = state + k[t][:, :, None] * (learning[t][:, None] * (v[t] - known))[:, None]
        out[t] = (state * q[t][:, :, None]).sum(axis=1)
    normed = out / np.sqrt((out**2).mean(axis=-1, keepdims=True) + config["rms_norm_eps"])
    gated = normed * layer["linear_attn.norm.weight"] * silu(z).reshape(out.shape)
    return gated.reshape(len(x), -1) @ layer["linear_attn.out_proj.weight"].T
