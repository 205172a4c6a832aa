"""WeightType: all about a way to store weights, in one place. The loader, kernels, contracts and the CLI read it.

Every type keeps a matrix W[N, K] in two planes of 32-bit words. `w` holds the elements, each row padded with zeros to
whole 16-byte chunks and whole blocks (some types have no exact zero: kernels take x to be 0 there); `s` holds the
scales, a block after the other. Kernels load a chunk at a time: 4 weights of 32 bits, 8 of 16, 16 of 8, 32 of 4, or a
word of the 64 weights of 2.

In a chunk of 32, byte j (of 16) holds weight j in its low and weight j + 16 in its high nibble, so that four
neighbouring weights come out of one word with one mask. Types of five and six bits have four of them there
and the others in `s` (gguf_blocks.py says how).

In a chunk of 64, each word is 16 neighbouring weights. Plain codes of two bits have weight 4j + e at bit 8e + 2j.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import gguf
import numpy as np
from numpy.typing import NDArray

from . import double
from .gguf_blocks import Form

U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
# What an element of `w` is: a float; a signed byte; four bits that are the whole code; the low four bits of a code
# whose others are in `s`; four bits that are looked up in a table of 16; two bits that are a code or its low bits; a
# share of two bits in an entry of a grid (grids.py).
Codes = Literal["floats", "bytes", "nibbles", "high", "table", "pairs", "grid"]


@dataclass(frozen=True)
class FloatWords:
    """Where a plane has floating-point numbers: in `count` of every `period` words, from the word `first` on.

    Such a word is one f32, or two f16 or bf16; with f16_low, the low half is an f16 and the high half any bits.
    A count of 0: there are none.
    """

    kind: str
    period: int = 1
    first: int = 0
    count: int = 1


@dataclass(frozen=True)
class Plain:
    """Weights that are in files as they are used: the number of the type in GGUF, and an element."""

    type: gguf.GGMLQuantizationType
    element: np.dtype[Any]


@dataclass(frozen=True)
class WeightType:
    """A way to store weights. Its WGSL is kernels/weights/NAME.wgsl, or the file that `shader` names."""

    name: str
    equation: str  # formula and block size as text: "d q + m, blocks of 32"
    bits: int  # bits per element in `w`
    floats: FloatWords  # the floating-point numbers in `s`, or in `w` if there are no scales
    values: Callable[[U32, U32], F64]  # unpacks flat planes w and s exactly, padding included
    codes: Codes
    good_for: str = ""  # advice on when to choose it, for `wgpt help types`
    common: bool = False  # whether command-line options name it
    # Scales -------------------------------------------------------------------------------------------------
    block: int = 1  # elements that share a group of `s`; 1: no groups
    scale_bits: int = 0  # bits of such a group
    group: int = 1  # blocks whose scales are quantised together (double.py)
    # With `group`: the type that has these values with an f32 as the scale of each block. Experts are stored in it if
    # they do not end with whole groups: no two matrices share one.
    expanded: str = ""
    # How matrices come to be of it: one of the three -----------------------------------------------------------
    plain: Plain | None = None
    gguf_form: Form | None = None  # from GGUF blocks
    # Rows of padded(k) floats into w and s; with `group`, also the mean for each group (double.py) where one is given.
    planes: Callable[..., tuple[U32, U32]] | None = None
    block_scales: Callable[[F32], F32] | None = None  # with `group`: the scales of such rows before they are quantised
    # What kernels make use of (kernels/_weights.wgsl says what the WGSL file then defines) ------------------------
    offset: bool = False  # a weight is scale * code + offset instead of scale * code
    table: tuple[np.float32, ...] = ()  # values by code, for elements of type "table"
    whole_bytes: bool = False  # besides bytes and nibbles: kernels can also turn the codes into 8-bit integers
    zero: int = 0  # for "high" codes: the code of zero, which is subtracted
    extra_bits: bool = False  # `s` has bits of codes of type "pairs" or "grid"
    head: U32 = field(
        default_factory=lambda: np.zeros(0, np.uint32), compare=False
    )  # the grid in front of `s` in GPU memory
    two_scales: bool = False  # one scale per half of a chunk, and no offset
    grouped: bool = False  # the scales of eight chunks have a common factor
    scale_vec4: bool = False  # such a group is one 16-byte load
    native_halves: bool = False  # kernels have a faster variant for GPUs with f16
    short_code: bool = False  # decoding compiles so fast that a thread may process many rows
    # What is asked of it --------------------------------------------------------------------------------------
    layers_only: bool = False  # converting to it leaves embeddings and heads unchanged
    rows_otherwise: str = ""  # llama.cpp's replacement type for rows that are not whole blocks
    in_triton: bool = False  # triton_kernels/sources support it
    few_cases: bool = False  # similar enough to another type that a few test cases suffice
    stands_for: str = ""  # the kind of types that it represents in cases and benchmarks
    # A type of another package ----------------------------------------------------------------------------------
    shader: Path | None = None
    version: int = 0  # increase it when the planes change: cached weights of other versions are not used

    @property
    def float_plane(self) -> str:
        """The plane that `floats` describes."""
        return "s" if self.scale_bits else "w"

    @property
    def file_type(self) -> gguf.GGMLQuantizationType | None:
        """Its number in GGUF files; None if GGUF does not have it."""
        return self.plain.type if self.plain else self.gguf_form.type if self.gguf_form else None

    @property
    def whole_codes(self) -> bool:
        """Whether codes are integers of at most eight bits, so that kernels can multiply them as such."""
        return self.codes in ("bytes", "nibbles") or self.whole_bytes

    @property
    def has_high(self) -> bool:
        """Whether `s` contains bits of the codes."""
        return self.codes == "high" or self.extra_bits

    @property
    def by_words(self) -> bool:
        """Whether kernels read words of 16 neighbouring weights with one scale, instead of chunks."""
        return self.bits == 2

    @property
    def chunk(self) -> int:
        """Elements in 16 bytes."""
        return 128 // self.bits

    @property
    def bits_per_weight(self) -> float:
        heads = 32 * double.HEAD / self.group if self.group > 1 else 0
        return self.bits + (self.scale_bits + heads) / self.block

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
        """A number of rows after which both planes are at a whole word and a whole group, whatever the row length."""
        return max(64, self.group)

    def scale_words(self, n: int, k: int) -> int:
        """Words of plane `s`; the last may be half empty."""
        blocks = self.blocks(n, k)
        return double.words_for(blocks) if self.group > 1 else -(-blocks * self.scale_bits // 32)

    def blocks(self, n: int, k: int) -> int:
        """Blocks of an N x K matrix."""
        return n * self.padded(k) // self.block

    def ends_with_a_group(self, n: int, k: int) -> bool:
        """Whether another matrix can follow an N x K one in the same planes without sharing a group."""
        return self.blocks(n, k) % self.group == 0

    def resident_scale_words(self, n: int, k: int) -> int:
        """Words of plane `s` in GPU memory, including the head."""
        return self.head.size + self.scale_words(n, k)

    def nbytes(self, n: int, k: int) -> int:
        """Size of both planes in bytes, without the head."""
        blocks = self.blocks(n, k)
        heads = 4 * double.HEAD * -(-blocks // self.group) if self.group > 1 else 0
        return 4 * self.words(n, k) + blocks * self.scale_bits // 8 + heads


def nibbles_to_words(codes: U8) -> U32:
    """4-bit codes [..., 32m] into words, in the chunk order described above."""
    groups = np.ascontiguousarray(codes, np.uint8).reshape(-1, 2, 16)
    return (groups[:, 0] | (groups[:, 1] << 4)).reshape(-1).view(np.uint32)


def must_be_finite(scales_are: bool, weights: F32, name: str) -> None:
    """Raise ValueError if a scale of these weights is not finite."""
    if not scales_are:
        largest = np.abs(weights).max()
        raise ValueError(f"weights of up to {largest:g} do not fit {name}, whose scales must be finite: use f32")
