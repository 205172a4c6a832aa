"""Packs floats and GGUF blocks into the planes of a weight type, and unpacks them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .registry import TYPES, register, stacked_type, weight_type
from .weight_type import FloatWords, WeightType, must_be_finite, nibbles_to_words

__all__ = [
    "PACKING_VERSION",
    "TYPES",
    "FloatWords",
    "Packed",
    "WeightType",
    "from_gguf_blocks",
    "nibbles_to_words",
    "pack",
    "pack_expanded",
    "register",
    "stacked_type",
    "unpack",
    "weight_type",
]

# Of what `pack` makes of a matrix. Weights packed by another version are not used: raise it whenever the planes or
# a quantiser change.
PACKING_VERSION = 1
_SLAB = 8192  # GGUF blocks to repack at a time: temporaries fit into the CPU's cache


@dataclass(frozen=True)
class Packed:
    """A quantised matrix in host memory, in the GPU's layout."""

    type: WeightType
    n: int
    k: int
    w: NDArray[np.uint32]  # n x words per row
    s: NDArray[np.uint32]  # flat; empty if the type has no scales

    def __post_init__(self) -> None:
        """Kernels check no bounds: planes that are too short would be read past their end."""
        words, scale_words = self.type.words(self.n, self.k), self.type.scale_words(self.n, self.k)
        if self.w.size != words or self.s.size < scale_words:
            raise ValueError(
                f"{self.type.name} weights [{self.n}, {self.k}] take {words} words and {scale_words} of scales, "
                f"not {self.w.size} and {self.s.size}"
            )

    def rows(self, lo: int, hi: int) -> Packed:
        """Rows lo .. hi - 1 as a matrix, without a copy; lo is a multiple of the type's whole_rows."""
        if not 0 <= lo < hi <= self.n or lo % self.type.whole_rows:
            whole = self.type.whole_rows
            raise ValueError(f"rows {lo} .. {hi} of {self.n} must begin at a multiple of {whole} and end within it")
        scales = self.s[self.type.scale_words(lo, self.k) : self.type.scale_words(hi, self.k)]
        return Packed(self.type, hi - lo, self.k, self.w.reshape(self.n, -1)[lo:hi], scales)

    @staticmethod
    def concat(parts: Sequence[Packed]) -> Packed:
        """The rows of all parts, one part after the other: several projections of the same input as one."""
        if len({(part.type.name, part.k) for part in parts}) != 1:
            descriptions = ", ".join(f"{part.type.name} [{part.n}, {part.k}]" for part in parts)
            raise ValueError(f"only weights of the same type and K can be joined, not {descriptions or 'none'}")
        kind, n, k = parts[0].type, sum(part.n for part in parts), parts[0].k
        if not all(kind.ends_with_a_group(part.n, k) for part in parts[:-1]):
            raise ValueError(f"{kind.name}'s groups of scales span rows: keep matrices apart that do not end with one")
        words = np.concatenate([part.w.reshape(part.n, -1) for part in parts])
        if kind.group > 1:
            return Packed(kind, n, k, words, np.concatenate([part.s[: kind.scale_words(part.n, k)] for part in parts]))
        # Counted in bytes: the scales of a part may end inside a word, and the next part's follow at once.
        scales = [part.s.view(np.uint8)[: kind.blocks(part.n, k) * kind.scale_bits // 8] for part in parts]
        return Packed(kind, n, k, words, _whole_words(np.concatenate(scales)))


def pack(matrix: NDArray[np.floating], name: str, means: NDArray[np.float32] | None = None) -> Packed:
    """Quantise a float matrix [N, K] (rows are outputs) into a weight type. `means`: see double.quantize."""
    kind = weight_type(name)
    if not isinstance(matrix, np.ndarray) or not np.issubdtype(matrix.dtype, np.floating):
        element_type = getattr(matrix, "dtype", type(matrix).__name__)
        raise ValueError(f"weights must be a NumPy array of floats, not {element_type}")
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(f"weights must be a matrix [N, K] with N, K > 0, not {matrix.shape}")
    n, k = matrix.shape
    padded = np.zeros((n, kind.padded(k)), np.float32)
    padded[:, :k] = matrix
    with np.errstate(over="ignore", invalid="ignore"):  # types refuse what does not fit them
        if kind.gguf_form is None:
            assert kind.planes is not None
            w, s = kind.planes(padded) if means is None else kind.planes(padded, means)
            return Packed(kind, n, k, w.reshape(n, -1), s)
        form = kind.gguf_form
        blocks = form.quantise(np.ascontiguousarray(padded[:, : -(-k // form.block) * form.block]))
    must_be_finite(form.finite(blocks), padded, name)
    return from_gguf_blocks(blocks, name, n, k)


def pack_expanded(matrix: NDArray[np.floating], name: str, scales: NDArray[np.float32]) -> Packed:
    """Rows in the type that a type with quantised scales names as `expanded`, with these scales of all blocks."""
    packed = pack(matrix, weight_type(name).expanded)
    return replace(packed, s=np.ascontiguousarray(scales).view(np.uint32))


def from_gguf_blocks(blocks: NDArray[np.uint8], name: str, n: int, k: int) -> Packed:
    """A matrix in GGUF's own blocks into the two planes, no bit lost; a slab of rows at a time."""
    kind = weight_type(name)
    form = kind.gguf_form
    if form is None:
        there = ", ".join(other.name for other in TYPES.values() if other.gguf_form and other.file_type)
        raise ValueError(f"{name} has no supported GGUF blocks; supported: {there}")
    in_row, kept_in_row = -(-k // form.block), kind.padded(k) // form.block
    expected = n * in_row * form.record.itemsize
    if blocks.dtype != np.uint8 or blocks.size != expected:
        size = f"{blocks.size} of {blocks.dtype}"
        raise ValueError(f"{name} weights [{n}, {k}] are {expected} bytes of blocks, not {size}")
    rows = np.ascontiguousarray(blocks).reshape(-1).view(form.record).reshape(n, in_row)
    w_bytes = kind.padded(k) * kind.bits // 8
    s_bytes = kind.padded(k) // kind.block * kind.scale_bits // 8
    w = np.empty(n * w_bytes, np.uint8)
    s = np.zeros(-(-n * s_bytes // 4) * 4, np.uint8)
    step = max(1, _SLAB // in_row)
    for i in range(0, n, step):
        slab = rows[i : i + step]
        if kept_in_row > in_row:  # a group of scales may be that of several blocks: the last is not full then
            slab = np.zeros((len(slab), kept_in_row), form.record)
            slab[:, :in_row] = rows[i : i + step]
        end = i + len(slab)
        form.split(slab.reshape(-1), w[i * w_bytes : end * w_bytes], s[i * s_bytes : end * s_bytes])
    return Packed(kind, n, k, w.view(np.uint32).reshape(n, -1), s.view(np.uint32))


def _whole_words(scales: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Bytes in sequence as words; the last may be partly empty."""
    return np.append(scales, np.zeros(-scales.size % 4, np.uint8)).view(np.uint32)


def unpack(packed: Packed) -> NDArray[np.float64]:
    """The exact values the GPU works with, as float64 [N, K]."""
    kind = packed.type
    values = kind.values(np.ascontiguousarray(packed.w).reshape(-1), packed.s[: kind.scale_words(packed.n, packed.k)])
    return values.reshape(packed.n, -1)[:, : packed.k]
