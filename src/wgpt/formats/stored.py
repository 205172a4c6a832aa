"""Tensors stored in files, and their rows in canonical form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from ..quant.registry import TYPES as WEIGHT_TYPES
from .errors import shown
from .mapped import Mapped

# The readable types: (elements, bytes) of a block.
TYPES: dict[str, tuple[int, int]] = {
    name: gguf.GGML_QUANT_SIZES[kind.file_type] for name, kind in WEIGHT_TYPES.items() if kind.file_type is not None
}
PLAIN: dict[str, np.dtype[Any]] = {name: kind.plain.element for name, kind in WEIGHT_TYPES.items() if kind.plain}


@dataclass(frozen=True)
class Entry:
    """A tensor as its file describes it: any type, the file's own name and shape (rows first)."""

    name: str
    type: str
    shape: tuple[int, ...]
    nbytes: int
    source: Mapped
    offset: int


@dataclass(frozen=True)
class Stored:
    """A tensor of a checkpoint, under Hugging Face's name and in its order of rows. The data stays in the file until it
    is read."""

    name: str
    shape: tuple[int, ...]  # (N, K), or (N,)
    type: str  # a key of TYPES, or with `read` any weight type
    nbytes: int
    source: Mapped = field(repr=False)
    offset: int = field(repr=False)
    # Heads whose rows the file stores in the order of interleaved RoPE (llama's q and k in GGUF); 0: none.
    interleaved_heads: int = 0
    less: float = 0.0  # for a vector: the file stores its values minus this number
    transposed: bool = False  # the file stores [K, N], as Hugging Face's files of GPT-2 (Conv1D)
    # (rows in the file, the first one of this tensor, the distance to the next)
    among: tuple[int, int, int] | None = None
    pieces: tuple[Stored, ...] = ()  # for experts: the matrices that make up this tensor, all of its type
    matrices: int = 1  # for experts: the number of matrices with equal rows, whether files store them separately or not
    # Reads rows lo..hi of a matrix that is several tensors in the file (hf_quantised/); `offset` is the first one's.
    read: Callable[[int, int], NDArray[Any]] | None = field(default=None, repr=False, compare=False)
    log: bool = False  # for a vector: the file stores the logarithms of the negated values
    apart_heads: int = 0  # number of heads, if the file stores all q, all k, all v, and here each head has its own

    @property
    def quantised(self) -> bool:
        return self.type not in PLAIN

    @property
    def repacked(self) -> bool:
        """Whether files store it in another form than its type (hf_quantised/)."""
        return self.read is not None or any(piece.read is not None for piece in self.pieces)

    def rows(self, lo: int, hi: int) -> NDArray[Any]:
        """Rows lo..hi as they are in the file (a read-only view where their order is the file's, else a copy).

        f32, f16 and bf16 (as uint16): an array [hi - lo, K], or [hi - lo] of a vector.
        Quantised types: uint8 [hi - lo, bytes of a row], blocks of the type's form one after the other.
        """
        if not 0 <= lo <= hi <= self.shape[0]:
            raise ValueError(f"rows {lo}..{hi} of {self.name}, which has {self.shape[0]}")
        if self.pieces:
            each = self.pieces[0].shape[0]
            spans = [(i, max(lo - i * each, 0), min(hi - i * each, each)) for i in range(lo // each, -(-hi // each))]
            parts = [self.pieces[i].rows(first, end) for i, first, end in spans]
            return parts[0] if len(parts) == 1 else np.concatenate(parts)
        if self.read is not None:
            return self.read(lo, hi)
        raw = self.source.data[self.offset : self.offset + self.nbytes]
        if self.among is not None:
            count, first, step = self.among
            columns = raw.view(PLAIN[self.type]).reshape(*self.shape[1:], count)[..., first::step]
            return np.ascontiguousarray(columns[..., lo:hi].T)
        if self.transposed:
            columns = raw.view(PLAIN[self.type]).reshape(self.shape[::-1])[:, lo:hi]
            return np.ascontiguousarray(columns.T)
        if self.quantised:
            table = raw.reshape(self.shape[0], -1)
        else:
            table = raw.view(PLAIN[self.type]).reshape(self.shape)
        return table[self._order(lo, hi)] if self.interleaved_heads or self.apart_heads else table[lo:hi]

    def _order(self, lo: int, hi: int) -> NDArray[np.intp]:
        """Where rows lo..hi are in the file. In interleaved order, pair i of a head is at 2i, 2i + 1 instead of i, i +
        d/2; a head's q, k and v may be stored among all q, all k and all v."""
        if self.apart_heads:
            head_dim = self.shape[0] // (3 * self.apart_heads)
            part, within = np.divmod(np.arange(lo, hi), head_dim)
            head, which = np.divmod(part, 3)
            return (which * self.apart_heads + head) * head_dim + within
        head_dim = self.shape[0] // self.interleaved_heads
        head, within = np.divmod(np.arange(lo, hi), head_dim)
        half, pair = np.divmod(within, head_dim // 2)
        return head * head_dim + 2 * pair + half


def readable_types() -> str:
    return f"supported: {', '.join(TYPES)}: use or make a file with one of these"


def refuse_overlaps(entries: Iterable[Entry]) -> None:
    """Refuse tensors that share bytes: no writer makes such files."""
    previous: Entry | None = None
    for entry in sorted((e for e in entries if e.nbytes), key=lambda e: e.offset):
        if previous and previous.offset + previous.nbytes > entry.offset:
            raise entry.source.error(
                f"tensors {shown(previous.name)} and {shown(entry.name)} overlap at byte {entry.offset}: "
                "the file is damaged"
            )
        previous = entry
