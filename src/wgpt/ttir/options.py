"""How a kernel is lowered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """Options of the lowering: features of the GPU, and properties of the launch's arguments."""

    threads: int = 128
    f16: bool = False  # the GPU supports 16-bit floats in buffers
    shared_bytes: int = 16384
    alias: tuple[int, ...] = ()  # per pointer argument, the position of the first one with the same memory
    offsets: bool = False  # pointer arguments may start inside their buffers
    folded: bool = False  # the grid exceeds WebGPU's limit, so it is folded
    debug: bool = False
    locks: bool = False  # compile loops that wait for other programs, although WebGPU does not guarantee progress
    software: bool = False  # a driver on the CPU, which takes minutes to compile loops that it unrolls

    @property
    def shared_words(self) -> int:
        return self.shared_bytes // 4 - 64  # the rest is for flags and counters
