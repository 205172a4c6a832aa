"""The heads of an attention layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..gpu import Tensor


@dataclass(frozen=True, eq=False)
class Heads:
    """How a family's attention reads its projections: q heads, then k heads, then v heads."""

    heads: int
    kv_heads: int
    head_dim: int
    steps: Tensor | None = None  # RoPE's rotation per position, see kernels/attention/rope.py
    gains: Tensor | None = None  # [2, head_dim]: norms of each q and k head
    eps: float = 1e-6
    window: int = 0  # how far back a row attends; 0: to the beginning
    scale: float = 0.0  # of the scores; 0: 1 / sqrt(head_dim)
    cap: float = 0.0  # the soft cap of the scores; 0: none
    rotary: int = 0  # how many of a head's dimensions RoPE rotates, the first ones; 0: all
    amplitude: float = 1.0  # factor of the rotated dimensions, if not all are
    interleaved: bool = False  # RoPE turns neighbouring dimensions
    by_head: bool = False  # the projections come in turns: for each kv head its q heads, k, v
    growth: tuple[float, int] = (0.0, 1)  # queries grow with their position: see kernels/attention/head_layout.py
    sinks: Tensor | None = None  # [heads]: further scores, without values
    v_norm: bool = False  # values are normalised, without gains
    v_is_k: bool = False  # there are no v heads: values are the k heads before norm and RoPE
    latent: int = 0  # dimensions of the keys that RoPE does not rotate, which are the values; 0: values are separate
    stored: bool = False  # there are q heads only: the cache has the row's own key and value already

    @property
    def value_dim(self) -> int:
        """Dimensions of a head's result."""
        return self.latent or self.head_dim

    @property
    def turn(self) -> dict[str, Any]:
        """Keys of the problems of kernels that rotate heads."""
        keys: dict[str, Any] = {"rope": self.steps is not None, "qk_norm": self.gains is not None, "eps": self.eps}
        if self.steps is not None:
            keys |= {"rotary": self.rotary, "amplitude": self.amplitude} if self.rotary else {}
            keys |= {"interleaved": True} if self.interleaved else {}
        own = {name: getattr(self, name) for name in ("by_head", "v_norm", "v_is_k", "stored")}
        keys |= {name: True for name, value in own.items() if value}
        keys |= {"latent": self.latent} if self.latent else {}
        return keys | (dict(zip(("growth", "grow_after"), self.growth, strict=True)) if self.growth[0] else {})

    @property
    def scoring(self) -> dict[str, Any]:
        """Keys of the attention kernels' problems."""
        sinks = {"sinks": True} if self.sinks is not None else {}
        return {name: value for name, value in (("scale", self.scale), ("cap", self.cap)) if value} | sinks
