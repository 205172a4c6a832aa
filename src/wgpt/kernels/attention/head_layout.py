"""How q, k and v of a row are laid out before attention, and what happens to q and k besides norms.

Keys of the problems of kernels that read them, each optional:
  rotary        how many of a head's dimensions RoPE rotates: the first ones; an even number
  interleaved   RoPE turns neighbouring dimensions, not those half as far apart as it reaches
  by_head       for each kv head in turn: the q heads of its group, k, v; otherwise all q, all k, all v heads
  growth, grow_after   q is multiplied by 1 + growth log(1 + floor(position / grow_after))
  v_norm        values are normalised as q and k are, without gains
  v_is_k        there are no v heads: values are the k heads before norm and RoPE
  latent        dimensions of the keys that RoPE does not rotate, which are the values; the cache has keys only
  stored        there are q heads only: the cache has the row's own key and value already
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernel import Problem
from .cache_types import Float


def rotary_of(problem: Problem) -> int:
    """How many of a head's dimensions RoPE rotates."""
    return int(problem.get("rotary") or problem["head_dim"])


def is_ragged(problem: Problem) -> bool:
    """Whether the pairs that RoPE rotates do not fill the vec4s of a head."""
    return bool(problem["rope"] and rotary_of(problem) % 8)


def is_interleaved(problem: Problem) -> bool:
    return bool(problem["rope"] and problem.get("interleaved"))


def source_heads(problem: Problem) -> int:
    """Heads in a row of qkv."""
    kinds = 0 if problem.get("stored") else 1 if problem.get("v_is_k") or problem.get("latent") else 2
    return int(problem["heads"]) + kinds * int(problem["kv_heads"])


def refused_layout(problem: Problem) -> str | None:
    """Why no kernel reads heads in this layout; None if one does."""
    if problem.get("by_head") and (problem.get("v_is_k") or problem.get("stored")):
        return "heads in turns need their k and v"
    if problem.get("v_norm") and not problem["qk_norm"]:
        return "norms of values need norms of q and k"
    if problem.get("latent") and (
        own := [key for key in ("by_head", "v_norm", "v_is_k", "stored") if problem.get(key)]
    ):
        return f"latent keys beside {own[0]} are unsupported"
    if is_ragged(problem) and (problem.get("latent") or is_interleaved(problem)):
        kind = "latent keys" if problem.get("latent") else "neighbours"
        return f"rotary must be a multiple of 8 for {kind}, and is {rotary_of(problem)}"
    if problem.get("latent") and problem["latent"] != problem["head_dim"] - rotary_of(problem):
        return f"{problem['latent']} latent dimensions and {rotary_of(problem)} rotated ones are no head"
    return None


def value_dim(problem: Problem) -> int:
    """Dimensions of a head's values."""
    return int(problem.get("latent") or problem["head_dim"])


def latent_part(keys: Float, problem: Problem) -> Float:
    """Values [..., latent] of keys as the cache stores them: pairs are half a head apart, the rotated ones first."""
    half, turned = problem["head_dim"] // 2, (problem["head_dim"] - problem["latent"]) // 2
    return np.concatenate([keys[..., turned:half], keys[..., half + turned :]], axis=-1)


def cached_names(problem: Problem) -> tuple[str, ...]:
    """The tensors of the cache."""
    return ("k",) if problem.get("latent") else ("k", "v")


def only_forward(problem: Problem) -> str | None:
    """Why a layout has no gradient; None if it has."""
    own = [key for key in ("v_norm", "v_is_k", "stored", "latent") if problem.get(key)]
    return f"{own[0]} has no gradient" if own else None


def turning(problem: Problem) -> dict[str, Any]:
    """Constants of the templates.

    `turned` and `rest`: vec4s of half of the rotated part and of half of the rest; elements, if they are `ragged`.
    `amplitude`: the former's factor. `mixed`: the pairs of a unit are not simply half a head apart.
    """
    rotary, interleaved, ragged = rotary_of(problem), is_interleaved(problem), is_ragged(problem)
    each = 2 if ragged else 8
    rest = (problem["head_dim"] - rotary) // each if problem["rope"] else 0
    constants = {"turned": rotary // each, "rest": rest, "amplitude": float(problem.get("amplitude", 1.0))}
    constants |= {"interleaved": interleaved, "ragged": ragged, "mixed": bool(rest or interleaved)}
    growth = {"growth": float(problem.get("growth", 0.0)), "grow_after": int(problem.get("grow_after", 1))}
    flags = {key: bool(problem.get(key)) for key in ("by_head", "v_norm", "v_is_k", "stored")}
    return {**constants, **growth, **flags, "source_heads": source_heads(problem), **valuing(problem)}


def valuing(problem: Problem) -> dict[str, Any]:
    """Constants of the templates: `latent`, `value_quads` (of a value), and `skipped` (of each half of a key)."""
    skipped = (problem["head_dim"] - value_dim(problem)) // 8
    return {"latent": int(problem.get("latent") or 0), "value_quads": value_dim(problem) // 4, "skipped": skipped}


def head_order(problem: Problem) -> NDArray[np.intp]:
    """Where the dimensions of q and k are after rotation: pairs are half a head apart, the rotated ones first."""
    d, rotary = int(problem["head_dim"]), rotary_of(problem)
    half, rest = rotary // 2, (d - rotary) // 2
    pairs = np.arange(rotary).reshape(-1, 2).T if is_interleaved(problem) else np.arange(rotary).reshape(2, half)
    return np.array([*pairs[0], *range(rotary, rotary + rest), *pairs[1], *range(rotary + rest, d)], np.intp)


def stored_heads(problem: Problem) -> NDArray[np.intp]:
    """The numbers of the k heads, then of the v heads, in a row of qkv, as far as it has them."""
    heads, kv_heads = int(problem["heads"]), int(problem["kv_heads"])
    if not problem.get("by_head"):
        return np.arange(heads, source_heads(problem))
    group = heads // kv_heads
    keys = np.arange(kv_heads) * (group + 2) + group
    return np.concatenate([keys, keys + 1])


def split_heads(qkv: Float, problem: Problem) -> tuple[Float, Float, Float]:
    """q, k and v [M, heads, head_dim] of rows of qkv."""
    x = qkv.reshape(len(qkv), -1, problem["head_dim"])
    stored, kv_heads = stored_heads(problem), int(problem["kv_heads"])
    queries = np.setdiff1d(np.arange(x.shape[1]), stored)
    values = stored if problem.get("v_is_k") else stored[kv_heads:]
    return x[:, queries], x[:, stored[:kv_heads]], x[:, values]


def joined_heads(q: Float, k: Float, v: Float, problem: Problem) -> Float:
    """Rows of qkv, of its parts."""
    x = np.empty((len(q), q.shape[1] + k.shape[1] + v.shape[1], q.shape[2]))
    stored = stored_heads(problem)
    x[:, np.setdiff1d(np.arange(x.shape[1]), stored)] = q
    x[:, stored] = np.concatenate([k, v], axis=1)
    return x.reshape(len(q), -1)


def grown(q: Float, positions: NDArray[np.uint32], problem: Problem) -> Float:
    """Queries, or their gradients, times the factor of their positions."""
    growth = problem.get("growth", 0.0)
    if not growth:
        return q
    steps = positions.astype(np.int64) // problem["grow_after"]
    return np.asarray(q * (1 + growth * np.log1p(steps))[:, None, None])


def rotated(x: Float, angle: Float, problem: Problem) -> Float:
    """Heads [M, heads, head_dim] turned by [M, 1, pairs] radians, the order of dimensions unchanged."""
    half, order = x.shape[-1] // 2, head_order(problem)
    a, b = x[..., order[:half]], x[..., order[half:]]
    turn = np.exp(1j * angle) * problem.get("amplitude", 1.0)
    turn = np.concatenate([turn, np.ones((*turn.shape[:-1], half - turn.shape[-1]))], axis=-1)
    z = (a + 1j * b) * turn
    y = np.empty_like(x)
    y[..., order[:half]], y[..., order[half:]] = z.real, z.imag
    return y
