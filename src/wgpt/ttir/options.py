"""How a kernel is lowered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """How a kernel is lowered: what the GPU can do, and what the launch's arguments look like."""

    threads: int = 128
    f16: bool = False  # the GPU has 16-bit floats in buffers
    shared_bytes: int = 16384
    alias: tuple[int, ...] = ()  # for each pointer argument, the position of the first one with the same memory
    offsets: bool = False  # pointer arguments start somewhere inside their buffers
    folded: bool = False  # the grid is longer than WebGPU allows, so it is folded
    debug: bool = False
    locks: bool = False  # compile loops that wait for other programs, though WebGPU does not guarantee progress
    software: bool = False  # a driver on the CPU, which takes minutes over loops that it unrolls

    @property
    def shared_words(self) -> int:
        return self.shared_bytes // 4 - 64  # some stays for flags and counters
