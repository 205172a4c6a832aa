"""A LoRA adapter in host memory: thin matrices by target layer."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import brief
from .errors import FormatError, shown

Shapes = Mapping[str, tuple[int, int]]  # shapes of a model's linear layers: target -> (N, K); see models/targets.py
# names of the targets in all families with separate q and v
_QV = ("model.layers.{}.self_attn.q_proj", "model.layers.{}.self_attn.v_proj")
_F32 = NDArray[np.float32]
Pairs = Sequence[tuple[_F32, _F32]]  # (A, B) of q and v of each layer: [q0, v0, q1, v1, ...]
# Largest magnitude of A, of scale * B and of their product: larger results overflow f32 when squared or multiplied.
_LARGEST = 1e18


class Factors(NamedTuple):
    """The change of a layer: y += scale * (x A^T) B^T."""

    a: _F32  # [r, K]
    b: _F32  # [N, r]
    scale: float

    @property
    def rank(self) -> int:
        return len(self.a)


@dataclass(frozen=True, eq=False)
class LoraAdapter:
    """A LoRA adapter. Targets are layers by their checkpoint names: model.layers.0.self_attn.q_proj, h.0.attn.c_attn.

    rank, alpha and rslora are those of the adapter as a whole; what is computed is each target's own `scale`.
    """

    targets: Mapping[str, Factors] = field(repr=False)
    rank: int
    alpha: float
    rslora: bool = False
    dropout: float = 0.0
    base: str | None = None  # the model it belongs to, for display
    task: str = "CAUSAL_LM"
    score: _F32 | None = field(default=None, repr=False)  # [labels, hidden], for a SEQ_CLS adapter
    labels: tuple[str, ...] = ()  # names of its classes, if known

    @property
    def parameters(self) -> int:
        return sum(f.a.size + f.b.size for f in self.targets.values()) + (0 if self.score is None else self.score.size)

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes; if unknown, the names that transformers would give them."""
        return self.labels or tuple(f"LABEL_{i}" for i in range(0 if self.score is None else len(self.score)))

    @classmethod
    def of_qv(cls, pairs: Pairs, alpha: float, base: str | None = None) -> LoraAdapter:
        """From a flat list of (A [r, K], B [N, r]), those of q and v of each layer: [q0, v0, q1, v1, ...].

        >>> adapter = LoraAdapter.of_qv([(a_q0, b_q0), (a_v0, b_v0)], alpha=16)              # doctest: +SKIP
        """
        if not isinstance(pairs, list | tuple):
            raise FormatError(f"LoRA factors must be a list of (A, B) pairs, [q0, v0, q1, v1, ...], not {_kind(pairs)}")
        if not pairs or len(pairs) % 2:
            raise FormatError(f"LoRA factors must be two pairs per layer, [q0, v0, q1, v1, ...], not {len(pairs)}")
        try:
            number = math.nan if isinstance(alpha, str | bytes | bool) else float(alpha)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number):
            raise FormatError(f"alpha must be a finite number, not {brief(alpha)}")
        checked = [_pair(i, pair) for i, pair in enumerate(pairs)]
        rank = checked[0][0].shape[0]
        factors = [Factors(a, b, scale_of(number, len(a), False)) for a, b in checked]
        targets = {_QV[i % 2].format(i // 2): each for i, each in enumerate(factors)}
        return cls(targets, rank, number, base=base)

    def digest(self) -> bytes:
        """A digest of all factors, scales and the head, which notices changes in place."""
        digest = hashlib.blake2b(digest_size=16)
        arrays = {f"{target}.{part}": getattr(f, part) for target, f in self.targets.items() for part in ("a", "b")}
        if self.score is not None:
            arrays["score"] = self.score
        for name, array in arrays.items():
            digest.update(f"{name} {array.shape} {array.dtype}".encode())
            digest.update(np.ascontiguousarray(array).view(np.uint8).data)
        digest.update(repr([f.scale for f in self.targets.values()]).encode())
        return digest.digest()

    def check_values(self, where: str = "the adapter") -> None:
        """Refuse NaN and Inf, and factors too large for f32."""
        sizes = {
            f"its factors for {target} have": (_largest(f.a), abs(f.scale) * _largest(f.b), f.rank)
            for target, f in self.targets.items()
        }
        if self.score is not None:
            sizes["its classification head has"] = (_largest(self.score), 1.0, 1)
        for name, (a, b, rank) in sizes.items():
            cause = "it is damaged, or was saved from a training run that diverged"
            if not math.isfinite(a + b):
                raise FormatError(f"{where}: {name} NaN or Inf: {cause}")
            if (most := max(a, b, rank * a * b)) > _LARGEST:
                raise FormatError(f"{where}: {name} values that overflow f32 (up to {most:.2g}): {cause}")

    def check(self, shapes: Shapes, where: str = "the adapter") -> None:
        """Refuse a model whose layers do not match, and values that are not finite."""
        self.check_values(where)
        other = f"it belongs to another model{f', {shown(self.base)}' if self.base else ''}"
        for target, factors in self.targets.items():
            if target not in shapes:
                kinds = sorted({name.rsplit(".", 1)[-1] for name in shapes})
                there = f"{len(shapes)} layers named {', '.join(kinds)}"
                if target == "lm_head":
                    raise FormatError(f"{where}: adapts 'lm_head', which is unsupported; supported: {there}")
                raise FormatError(f"{where}: adapts {shown(target)}, which the model does not have ({there}): {other}")
            n, k = shapes[target]
            if factors.a.shape[1] != k or factors.b.shape[0] != n:
                shape = [factors.b.shape[0], factors.a.shape[1]]
                raise FormatError(
                    f"{where}: its factors for {target} make a {shape} matrix, but the model's is {[n, k]}: {other}"
                )


def scale_of(alpha: float, rank: int, rslora: bool) -> float:
    """alpha / r, or alpha / sqrt(r)."""
    return alpha / (math.sqrt(rank) if rslora else rank)


def _largest(values: _F32) -> float:
    """The largest magnitude; NaN if there is a NaN."""
    return max(float(values.max()), -float(values.min()))


def _pair(i: int, pair: Any) -> tuple[_F32, _F32]:
    """A and B of the i-th entry of a flat list."""
    where = f"layer {i // 2}, {'qv'[i % 2]}"
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise FormatError(f"{where}: LoRA factors must be a pair (A, B), not {_kind(pair)}")
    for name, matrix in zip("AB", pair, strict=True):
        if not isinstance(matrix, np.ndarray) or matrix.ndim != 2 or matrix.dtype != np.float32 or not matrix.size:
            raise FormatError(f"{where}: {name} must be a float32 matrix, not {_kind(matrix)}")
    a, b = pair
    if b.shape[1] != a.shape[0]:
        raise FormatError(
            f"{where}: A {list(a.shape)} has rank {a.shape[0]} and B {list(b.shape)} has rank {b.shape[1]}: they are "
            "[rank, inputs] and [outputs, rank]"
        )
    return a, b


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array {list(value.shape)} of {value.dtype}"
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    return type(value).__name__
