"""Weight types: how a matrix W[N, K] is kept on the GPU, and its NumPy reference.

Every type is two planes of 32-bit words. `w` holds the elements, each row padded with zeros to whole
16-byte chunks and whole blocks (q4_1 has no exact zero: kernels take x to be 0 there); `s` holds the scales,
a block after the other. Kernels load a chunk at a time: 4 weights of f32, 8 of f16 and bf16, 16 of q8_0, 32
of the 4-bit types.

In a chunk of a 4-bit type, byte j (of 16) holds weight j in its low and weight j + 16 in its high nibble:
GGUF's own order, so that four neighbouring weights come out of one word with one mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gguf
import numpy as np
from numpy.typing import NDArray

from ..gpu import dtypes
from . import nf4


@dataclass(frozen=True)
class WeightType:
    """A way to keep weights."""

    name: str
    bits: int  # per element, without scales
    block: int  # elements that share a scale; 1: no scales
    scale_bits: int = 0  # per block

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

    def nbytes(self, n: int, k: int) -> int:
        """Bytes of both planes of an N x K matrix."""
        elements = n * self.padded(k)
        return elements * self.bits // 8 + (elements // self.block * self.scale_bits // 8 if self.scale_bits else 0)


TYPES = {
    t.name: t
    for t in (
        WeightType("f32", 32, 1),
        WeightType("f16", 16, 1),
        WeightType("bf16", 16, 1),
        WeightType("q8_0", 8, 32, 16),
        WeightType("q4_0", 4, 32, 16),
        WeightType("q4_1", 4, 32, 32),
        WeightType("nf4", 4, 64, 32),
    )
}
_GGUF = {
    "q8_0": gguf.GGMLQuantizationType.Q8_0,
    "q4_0": gguf.GGMLQuantizationType.Q4_0,
    "q4_1": gguf.GGMLQuantizationType.Q4_1,
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
        elements = self.n * self.type.padded(self.k)
        words = elements * self.type.bits // 32
        scale_words = -(-elements // self.type.block * self.type.scale_bits // 32)
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
        if kind.name == "nf4":
            codes, absmax = nf4.quantize(padded, kind.block)
            packed = Packed(kind, n, k, nibbles_to_words(codes).reshape(n, -1), absmax.view(np.uint32))
        else:
            packed = from_gguf_blocks(gguf.quants.quantize(padded, _GGUF[kind.name]), kind.name, n, k)
    scales = packed.s.view(np.float32 if kind.name == "nf4" else np.float16)
    if not np.isfinite(scales).all():
        largest = np.abs(padded).max()
        raise ValueError(f"weights of up to {largest:g} do not fit {kind.name}, whose scales must be finite: use f32")
    return packed


def from_gguf_blocks(blocks: NDArray[np.uint8], name: str, n: int, k: int) -> Packed:
    """GGUF blocks (scales, then elements) into the two planes; no bit of an element changes."""
    kind = weight_type(name)
    if name not in _GGUF:
        raise ValueError(f"GGUF has no blocks of {name} that are read here; it has {', '.join(_GGUF)}")
    head = kind.scale_bits // 8
    body = kind.block * kind.bits // 8
    expected = n * kind.padded(k) // kind.block * (head + body)
    if blocks.dtype != np.uint8 or blocks.size != expected:
        given = f"{blocks.size} of {blocks.dtype}"
        raise ValueError(f"{name} weights [{n}, {k}] are {expected} bytes of blocks, not {given}")
    rows = np.ascontiguousarray(blocks).reshape(-1, head + body)
    words = np.ascontiguousarray(rows[:, head:]).view(np.uint32).reshape(n, -1)
    return Packed(kind, n, k, words, whole_words(np.ascontiguousarray(rows[:, :head])))


def whole_words(array: NDArray[np.uint8] | NDArray[np.uint16]) -> NDArray[np.uint32]:
    """The bytes of an array as words, zeros after its end."""
    raw = array.reshape(-1).view(np.uint8)
    if raw.size % 4:
        raw = np.concatenate([raw, np.zeros(-raw.size % 4, np.uint8)])
    return raw.view(np.uint32)


def nibbles_to_words(codes: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """4-bit codes [..., 32m] into words, in the chunk order described above."""
    groups = np.ascontiguousarray(codes, np.uint8).reshape(-1, 2, 16)
    return (groups[:, 0] | (groups[:, 1] << 4)).reshape(-1).view(np.uint32)


def words_to_nibbles(words: NDArray[np.uint32]) -> NDArray[np.uint8]:
    raw = np.ascontiguousarray(words).reshape(-1).view(np.uint8).reshape(-1, 16)
    return np.stack([raw & 15, raw >> 4], axis=1).reshape(-1)


def unpack(packed: Packed) -> NDArray[np.float64]:
    """The exact values the GPU works with, as float64 [N, K]."""
    kind, n = packed.type, packed.n
    if kind.name == "f32":
        values = packed.w.view(np.float32).astype(np.float64)
    elif kind.name == "f16":
        values = packed.w.view(np.float16).astype(np.float64)
    elif kind.name == "bf16":
        values = dtypes.from_bf16(packed.w.view(np.uint16)).astype(np.float64)
    elif kind.name == "nf4":
        codes = words_to_nibbles(packed.w).reshape(-1, kind.block)
        values = nf4.CODEBOOK.astype(np.float64)[codes] * packed.s.view(np.float32).astype(np.float64)[:, None]
    elif kind.name == "q8_0":
        scale = _halves(packed.s, packed.w.size * 4 // kind.block)
        values = packed.w.view(np.int8).reshape(-1, kind.block).astype(np.float64) * scale[:, None]
    else:
        codes = words_to_nibbles(packed.w).reshape(-1, kind.block).astype(np.float64)
        blocks = codes.shape[0]
        if kind.name == "q4_0":
            values = (codes - 8.0) * _halves(packed.s, blocks)[:, None]
        else:
            pairs = _halves(packed.s, 2 * blocks).reshape(-1, 2)
            values = codes * pairs[:, :1] + pairs[:, 1:]
    return values.reshape(n, -1)[:, : packed.k]


def _halves(words: NDArray[np.uint32], count: int) -> NDArray[np.float64]:
    return words.view(np.float16)[:count].astype(np.float64)
