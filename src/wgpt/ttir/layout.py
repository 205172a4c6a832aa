"""Layouts: which thread and register hold which element of a tensor.

One workgroup runs one program. Sizes are powers of two, so a layout maps every bit of the flat, row-major element
index to a bit of the thread index or of the register index. If a thread bit is unused, threads that differ in it hold
the same elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

REG = -1


def log2(n: int) -> int:
    if n < 1 or n & (n - 1):
        raise ValueError(f"{n} is not a power of two")
    return n.bit_length() - 1


@dataclass(frozen=True)
class Layout:
    """`bits[k]` is the thread bit for bit k of the element index, or REG.

    Register bits are numbered in the order of their element bits.
    """

    bits: tuple[int, ...]

    @cached_property
    def reg_bits(self) -> tuple[int, ...]:
        """Element bits that are register bits."""
        return tuple(k for k, b in enumerate(self.bits) if b == REG)

    @property
    def registers(self) -> int:
        return 1 << len(self.reg_bits)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """For each register, its contribution to the element index."""
        return tuple(sum(1 << k for i, k in enumerate(self.reg_bits) if r >> i & 1) for r in range(self.registers))

    @cached_property
    def _register_at(self) -> dict[int, int]:
        return {offset: r for r, offset in enumerate(self.offsets)}

    def register_at(self, offset: int) -> int:
        """The register whose contribution to the element index is `offset`."""
        return self._register_at[offset]

    @cached_property
    def thread_mask(self) -> int:
        """Thread bits in use."""
        return sum(1 << b for b in self.bits if b != REG)

    def select(self, kept: Sequence[int]) -> Layout:
        """The layout of a tensor whose element bits are these bits of this layout, in this order."""
        return Layout(tuple(self.bits[k] for k in kept))

    def runs(self, first: int = 0, last: int | None = None) -> list[tuple[int, int, int]]:
        """Runs of thread bits in a range of bits: (thread bit, element bit counted from `first`, length)."""
        runs: list[tuple[int, int, int]] = []
        for k in range(first, len(self.bits) if last is None else last):
            b = self.bits[k]
            if b == REG:
                continue
            if runs and runs[-1][0] + runs[-1][2] == b and runs[-1][1] + runs[-1][2] == k - first:
                runs[-1] = (runs[-1][0], runs[-1][1], runs[-1][2] + 1)
            else:
                runs.append((b, k - first, 1))
        return runs


def flat(size: int, threads: int) -> Layout:
    """Element e = i * T + t, so that neighbouring threads access neighbouring memory."""
    return Layout(tuple(k if k < log2(threads) else REG for k in range(log2(size))))


def dims_bits(shape: Sequence[int]) -> list[list[int]]:
    """For each dimension, the element bits of its coordinate, lowest first."""
    bits: list[list[int]] = []
    at = 0
    for size in reversed(shape):
        width = log2(size)
        bits.append(list(range(at, at + width)))
        at += width
    return bits[::-1]


def tile(shape: Sequence[int], threads: int) -> Layout:
    """The layout of the result [..., M, N] of a dot: a 2-D tile of registers per thread, square if possible.

    Threads are assigned to neighbouring columns, then to neighbouring rows; the rest are registers. Neighbouring
    threads therefore access neighbouring elements of workgroup memory and of buffers.
    """
    bits = dims_bits(shape)
    rows, columns = bits[-2], bits[-1]
    batches = [b for d in bits[:-2] for b in reversed(d)][::-1]
    lanes = log2(threads)
    total = len(rows) + len(columns) + len(batches)
    in_tile = max(0, total - lanes)  # bits that must be registers
    per_column = min(len(columns), (in_tile + 1) // 2)
    per_row = min(len(rows), in_tile - per_column)
    per_column = min(len(columns), in_tile - per_row)
    layout = [REG] * total
    thread = 0
    for k in [*columns[: len(columns) - per_column], *rows[: len(rows) - per_row], *batches]:
        if thread < lanes:
            layout[k] = thread
            thread += 1
    return Layout(tuple(layout))


_COALESCED = 5  # bits of the last dimension that are thread bits first: 32 neighbours


def rows(shape: Sequence[int], threads: int) -> Layout:
    """For reductions along the last dimension: threads are assigned to neighbours in it, then to rows.

    The rest of the last dimension is in registers, where most elements are combined.
    """
    bits = dims_bits(shape)
    total = sum(map(len, bits))
    own = bits[-1]
    others = list(range(len(own), total))
    layout = [REG] * total
    order = [*own[:_COALESCED], *others, *own[_COALESCED:]]
    for thread, k in enumerate(order[: log2(threads)]):
        layout[k] = thread
    return Layout(tuple(layout))


def along(shape: Sequence[int], axis: int, threads: int) -> Layout:
    """For scans: a thread holds neighbours along the axis, and neighbouring threads hold the following ones."""
    bits = dims_bits(shape)
    total = sum(map(len, bits))
    lanes = log2(threads)
    own = bits[axis]
    others = [k for d, bits_of_dim in enumerate(bits) if d != axis for k in bits_of_dim]
    others.sort()
    in_registers = max(0, total - lanes)
    first = min(len(own), in_registers)
    layout = [REG] * total
    thread = 0
    for k in [*own[first:], *others]:
        if thread < lanes:
            layout[k] = thread
            thread += 1
    return Layout(tuple(layout))
