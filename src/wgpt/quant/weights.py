"""Weight types: how a matrix W[N, K] is kept on the GPU, and its NumPy reference.

Every type is two planes of 32-bit words. `w` holds the elements, each row padded with zeros to whole
16-byte chunks and whole blocks (some types have no exact zero: kernels take x to be 0 there); `s` holds the
scales, a block after the other. Kernels load a chunk at a time: 4 weights of f32, 8 of f16 and bf16, 16 of
q8_0, 32 of the others.

In a chunk of 32, byte j (of 16) holds weight j in its low and weight j + 16 in its high nibble, so that four
neighbouring weights come out of one word with one mask. Types of five and six bits have four of them there
and the others in `s` (gguf_blocks.py says how).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gguf
import numpy as np
from numpy.typing import NDArray

from ..gpu import dtypes
from . import double, k_quants, nf4
from .gguf_blocks import FORMS
from .unpack import values as unpacked

_SLAB = 8192  # GGUF blocks repacked at a time: their temporaries stay in the CPU's cache


@dataclass(frozen=True)
class WeightType:
    """A way to keep weights."""

    name: str
    bits: int  # per element in `w`
    block: int  # elements that share a group of `s`; 1: there is none
    scale_bits: int = 0  # of such a group
    group: int = 1  # blocks whose scales are quantised together (double.py)
    layers_only: bool = False  # converting to it leaves embeddings and heads as they came

    @property
    def chunk(self) -> int:
        """Elements in 16 bytes."""
        return 128 // self.bits

    @property
    def row_multiple(self) -> int:
        """Rows are padded to a multiple of this many elements."""
        return max(self.chunk, self.block)

    def padded(self, k: int) -> int:
        return -(-k // self.row_multiple) * self.row_multiple

    def words(self, n: int, k: int) -> int:
        """Words of plane `w` of an N x K matrix."""
        return n * self.padded(k) * self.bits // 32

    @property
    def whole_rows(self) -> int:
        """After so many rows, whatever their length, both planes are at a whole word and a whole group."""
        return max(64, self.group)

    def scale_words(self, n: int, k: int) -> int:
        """Words of plane `s`; the last may be half empty."""
        blocks = n * self.padded(k) // self.block
        return double.words_for(blocks) if self.group > 1 else -(-blocks * self.scale_bits // 32)

    def nbytes(self, n: int, k: int) -> int:
        """Bytes of both planes."""
        blocks = n * self.padded(k) // self.block
        heads = 4 * double.HEAD * -(-blocks // self.group) if self.group > 1 else 0
        return 4 * self.words(n, k) + blocks * self.scale_bits // 8 + heads


TYPES = {
    t.name: t
    for t in (
        WeightType("f32", 32, 1),
        WeightType("f16", 16, 1),
        WeightType("bf16", 16, 1),
        WeightType("q8_0", 8, 32, 16),
        WeightType("q4_0", 4, 32, 16),
        WeightType("q4_1", 4, 32, 32),
        WeightType("q5_0", 4, 64, 96),
        WeightType("q5_1", 4, 32, 64),
        WeightType("q4_k", 4, 256, 128),
        WeightType("q5_k", 4, 256, 384),
        WeightType("q6_k", 4, 256, 672),
        # QLoRA's, as bitsandbytes has them: for the linear layers of blocks; 4.5 and 4.13 bits a weight.
        WeightType("nf4", 4, 64, 32, layers_only=True),
        WeightType("nf4_dq", 4, 64, 8, group=double.GROUP, layers_only=True),
    )
}


@dataclass(frozen=True)
class Packed:
    """A quantised matrix in host memory, in the GPU's layout."""

    type: WeightType
    n: int
    k: int
    w: NDArray[np.uint32]  # n x words per row
    s: NDArray[np.uint32]  # flat; empty where the type has no scales

    def __post_init__(self) -> None:
        """Kernels check no bounds: planes that are too short would be read past their end."""
        words, scale_words = self.type.words(self.n, self.k), self.type.scale_words(self.n, self.k)
        if self.w.size != words or self.s.size < scale_words:
            raise ValueError(
                f"{self.type.name} weights [{self.n}, {self.k}] take {words} words and {scale_words} of scales, "
                f"not {self.w.size} and {self.s.size}"
            )

    @staticmethod
    def concat(parts: Sequence[Packed]) -> Packed:
        """The rows of all parts, one part after the other: several projections of the same input as one."""
        if len({(part.type.name, part.k) for part in parts}) != 1:
            given = ", ".join(f"{part.type.name} [{part.n}, {part.k}]" for part in parts)
            raise ValueError(f"only weights of one type and one K can be joined, not {given or 'none'}")
        kind, n, k = parts[0].type, sum(part.n for part in parts), parts[0].k
        if kind.group > 1:
            raise ValueError(f"groups of {kind.name}'s scales go across rows: join the matrices, then pack them")
        words = np.concatenate([part.w.reshape(part.n, -1) for part in parts])
        # Counted in halves: the scales of a part may end inside a word, and the next part's follow at once.
        halves = [
            part.s.view(np.uint16)[: part.n * kind.padded(k) // kind.block * kind.scale_bits // 16] for part in parts
        ]
        return Packed(kind, n, k, words, whole_words(np.concatenate(halves)))


def weight_type(name: str) -> WeightType:
    try:
        return TYPES[name]
    except KeyError:
        raise ValueError(f"unknown weight type {name!r}; there are {', '.join(TYPES)}") from None


def pack(matrix: NDArray[np.floating], name: str) -> Packed:
    """Quantise a float matrix [N, K] (rows are outputs) into a weight type."""
    kind = weight_type(name)
    if not isinstance(matrix, np.ndarray) or not np.issubdtype(matrix.dtype, np.floating):
        given = getattr(matrix, "dtype", type(matrix).__name__)
        raise ValueError(f"weights must be a NumPy array of floats, not {given}")
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(f"weights must be a matrix [N, K] with N, K > 0, not {matrix.shape}")
    n, k = matrix.shape
    padded = np.zeros((n, kind.padded(k)), np.float32)
    padded[:, :k] = matrix
    if kind.block > 1:
        return _quantised(padded, kind, n, k)
    none = np.zeros(0, np.uint32)
    if name == "f32":
        return Packed(kind, n, k, padded.view(np.uint32), none)
    if name == "bf16":
        return Packed(kind, n, k, dtypes.to_bf16(padded).view(np.uint32), none)
    with np.errstate(over="ignore"):
        halves = padded.astype(np.float16)
    if (np.isinf(halves) & np.isfinite(padded)).any():
        raise ValueError(f"weights of up to {np.abs(padded).max():g} do not fit f16 (at most 65504): use bf16 or f32")
    return Packed(kind, n, k, halves.view(np.uint32), none)


def _quantised(padded: NDArray[np.float32], kind: WeightType, n: int, k: int) -> Packed:
    with np.errstate(over="ignore", invalid="ignore"):
        if kind.name in ("nf4", "nf4_dq"):
            codes, absmax = nf4.quantize(padded, kind.block)
            _must_be_finite(bool(np.isfinite(absmax).all()), padded, kind)
            scales = absmax.view(np.uint32) if kind.group == 1 else double.quantize(absmax)
            return Packed(kind, n, k, nibbles_to_words(codes).reshape(n, -1), scales)
        form = FORMS[kind.name]
        whole = np.ascontiguousarray(padded[:, : -(-k // form.block) * form.block])
        if form.block == 256:
            blocks = k_quants.quantize(whole, kind.name)
        else:
            blocks = gguf.quants.quantize(whole, form.type)
        _must_be_finite(form.finite(blocks), padded, kind)
        return from_gguf_blocks(blocks, kind.name, n, k)


def _must_be_finite(scales_are: bool, weights: NDArray[np.float32], kind: WeightType) -> None:
    if not scales_are:
        largest = np.abs(weights).max()
        raise ValueError(f"weights of up to {largest:g} do not fit {kind.name}, whose scales must be finite: use f32")


def from_gguf_blocks(blocks: NDArray[np.uint8], name: str, n: int, k: int) -> Packed:
    """A matrix in GGUF's own blocks into the two planes, no bit lost; a slab of rows at a time."""
    kind = weight_type(name)
    if name not in FORMS:
        raise ValueError(f"GGUF has no blocks of {name} that are read here; it has {', '.join(FORMS)}")
    form = FORMS[name]
    in_row, kept_in_row = -(-k // form.block), kind.padded(k) // form.block
    expected = n * in_row * form.record.itemsize
    if blocks.dtype != np.uint8 or blocks.size != expected:
        given = f"{blocks.size} of {blocks.dtype}"
        raise ValueError(f"{name} weights [{n}, {k}] are {expected} bytes of blocks, not {given}")
    rows = np.ascontiguousarray(blocks).reshape(-1).view(form.record).reshape(n, in_row)
    w_bytes = kind.padded(k) * kind.bits // 8
    s_bytes = kind.padded(k) // kind.block * kind.scale_bits // 8
    w = np.empty(n * w_bytes, np.uint8)
    s = np.zeros(-(-n * s_bytes // 4) * 4, np.uint8)
    step = max(1, _SLAB // in_row)
    for i in range(0, n, step):
        slab = rows[i : i + step]
        if kept_in_row > in_row:  # q5_0's groups are two blocks: the last may be half empty
            slab = np.zeros((len(slab), kept_in_row), form.record)
            slab[:, :in_row] = rows[i : i + step]
        end = i + len(slab)
        form.split(slab.reshape(-1), w[i * w_bytes : end * w_bytes], s[i * s_bytes : end * s_bytes])
    return Packed(kind, n, k, w.view(np.uint32).reshape(n, -1), s.view(np.uint32))


def whole_words(halves: NDArray[np.uint16]) -> NDArray[np.uint32]:
    """Halves in sequence as words; the last may be half empty."""
    if halves.size % 2:
        halves = np.append(halves, np.uint16(0))
    return halves.view(np.uint32)


def nibbles_to_words(codes: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """4-bit codes [..., 32m] into words, in the chunk order described above."""
    groups = np.ascontiguousarray(codes, np.uint8).reshape(-1, 2, 16)
    return (groups[:, 0] | (groups[:, 1] << 4)).reshape(-1).view(np.uint32)


def unpack(packed: Packed) -> NDArray[np.float64]:
    """The exact values the GPU works with, as float64 [N, K]."""
    values = unpacked(packed.type.name, packed.w, packed.s[: packed.type.scale_words(packed.n, packed.k)])
    return values.reshape(packed.n, -1)[:, : packed.k]
