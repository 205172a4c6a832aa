"""Layers with a fixed-size state per sequence instead of keys and values: settings and tensors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..formats.family import Groups, Row
from ..ops.states import GatedDelta, ShortConvolution
from .parts import Parts

StateShape = tuple[int, ...]
_GATES = ("delta_z", "delta_b", "delta_a")


@dataclass(frozen=True)
class ShortConv:
    """A gated convolution along the sequence (LFM2): its input is projected to three vectors, one of which is
    convolved.
    """

    taps: int
    inputs = ("conv_in",)  # the parts of the first projection
    output = "conv_out"

    def states(self, hidden: int) -> tuple[StateShape, ...]:
        """The shapes of a sequence's state."""
        return ((self.taps - 1, hidden),)

    def rows(self, hidden: int, i: int) -> Iterator[Row]:
        """The tensors of the i-th layer."""

        def row(part: str, name: str, *shape: int) -> Row:
            return Row(part, f"model.layers.{i}.conv.{name}", f"blk.{i}.shortconv.{name}", shape, layer=i)

        yield row("conv_in", "in_proj", 3 * hidden, hidden)
        yield replace(row("conv", "conv", hidden * self.taps), folded=(hidden, self.taps))
        yield row("conv_out", "out_proj", hidden, hidden)

    def weights(self, parts: Parts, eps: float) -> ShortConvolution:
        """The weights that are not projections."""
        return ShortConvolution(parts.vector("conv"))


@dataclass(frozen=True)
class DeltaNet:
    """The gated delta rule (Qwen3-Next, Qwen3.5): k heads that several v heads share.

    `tiled`: v heads are in another order, that of GGUF files (delta_rule.py). LoRA adapters have Hugging Face's.
    `grouped`: files have one matrix of q, k, v and z, by k head (Hugging Face's), and one of b and a, by k head.
    """

    taps: int
    k_heads: int
    v_heads: int
    k_dim: int
    v_dim: int
    tiled: bool = False
    grouped: bool = False
    output = "delta_out"

    @property
    def inputs(self) -> tuple[str, ...]:
        return ("delta_q", "delta_k", "delta_v", *_GATES) if self.grouped else ("delta_qkv", *_GATES)

    @property
    def columns(self) -> int:
        """The number of convolved columns: q, k and v."""
        return 2 * self.k_heads * self.k_dim + self.v_heads * self.v_dim

    def states(self, hidden: int) -> tuple[StateShape, ...]:
        return (self.taps - 1, self.columns), (self.v_heads, self.k_dim // 4, self.v_dim, 4)

    def rows(self, hidden: int, i: int) -> Iterator[Row]:
        def row(part: str, name: str, gguf: str, *shape: int) -> Row:
            names = (f"model.layers.{i}.linear_attn.{name}", f"blk.{i}.{gguf}")
            return Row(part, *names, shape, layer=i, lora=not self.tiled)

        v_rows = self.v_heads * self.v_dim
        if self.grouped:
            yield from self._grouped(hidden, i)
        else:
            yield row("delta_qkv", "in_proj_qkv", "attn_qkv", self.columns, hidden)
            yield row("delta_z", "in_proj_z", "attn_gate", v_rows, hidden)
            yield row("delta_b", "in_proj_b", "ssm_beta", self.v_heads, hidden)
            yield row("delta_a", "in_proj_a", "ssm_alpha", self.v_heads, hidden)
        conv = row("conv", "conv1d", "ssm_conv1d", self.columns * self.taps)
        yield replace(conv, folded=(self.columns, self.taps))
        yield replace(row("rates", "A_log", "ssm_a", self.v_heads), bare=True, gguf_end="", log=True)
        yield replace(row("dt", "dt_bias", "ssm_dt", self.v_heads), bare=True, gguf_end="bias")
        yield row("delta_norm", "norm", "ssm_norm", self.v_dim)
        yield row("delta_out", "out_proj", "ssm_out", hidden, v_rows)

    def _grouped(self, hidden: int, i: int) -> Iterator[Row]:
        heads, share = self.k_heads, self.v_heads // self.k_heads
        name, keys, values = f"model.layers.{i}.linear_attn.in_proj_", self.k_dim, share * self.v_dim

        def row(part: str, whole: str, n: int, size: int, first: int, gguf: Groups | None) -> Row:
            among = Groups(f"{name}{whole}", heads, size, first)
            names = (f"{name}{whole}.{part}", f"blk.{i}.attn_gate")
            return Row(
                f"delta_{part}", *names, (heads * n, hidden), layer=i, groups=among, gguf_groups=gguf, lora=False
            )

        size, at = 2 * keys + 2 * values, 0
        for part, n in (("q", keys), ("k", keys), ("v", values)):
            yield row(part, "qkvz", n, size, at, Groups(f"blk.{i}.attn_qkv", 1, self.columns, heads * at))
            at += n
        yield row("z", "qkvz", values, size, at, None)
        for part, first in (("b", 0), ("a", share)):
            yield row(part, "ba", share, 2 * share, first, Groups(f"blk.{i}.ssm_ba", heads, 2 * share, first))

    def weights(self, parts: Parts, eps: float) -> GatedDelta:
        vectors = parts.vector("conv"), parts.vector("rates", "dt"), parts.vector("delta_norm")
        return GatedDelta(*vectors, eps, self.k_heads, self.v_heads, self.k_dim, self.v_dim, self.tiled)


StateLayer = ShortConv | DeltaNet
