"""The pool of workgroup memory that is reused for all data exchange between threads."""

from __future__ import annotations

from .elements import wgsl_type
from .emit import Emitter
from .errors import TooLarge
from .ir import Type


class Pool:
    """Use it in the order begin, write, barrier, read, end. The next `begin` waits until all threads have read."""

    def __init__(self, e: Emitter, room: int, threads: int) -> None:
        self._e, self._threads = e, threads
        self.room = room  # words
        self.used = 0  # words, maximum so far
        self.busy = False  # other threads may still be reading

    def begin(self, words: int) -> None:
        """Call before writing."""
        if words > self.room:
            reason = f"{words * 4} bytes of workgroup memory are needed, {self.room * 4} are available"
            raise TooLarge(reason, resource="shared memory", needed=words * 4, limit=self.room * 4)
        self.used = max(self.used, words)
        if self.busy:
            self.barrier()

    def barrier(self) -> None:
        if self._threads > 1:
            self._e.line("workgroupBarrier();")
        self.busy = False

    def end(self) -> None:
        """Call after reading; the next write needs a barrier."""
        self.busy = True

    def write(self, kind: Type, index: str, value: str) -> None:
        if kind.elem == "i64":
            self._e.line(f"pool[2i * ({index})] = {value}.x;")
            self._e.line(f"pool[2i * ({index}) + 1i] = {value}.y;")
        else:
            self._e.line(f"pool[{index}] = {word_of(kind, value)};")

    def read(self, kind: Type, index: str) -> str:
        if kind.elem == "i64":
            return self._e.named(f"vec2<u32>(pool[2i * ({index})], pool[2i * ({index}) + 1i])")
        return self._e.named(of_word(kind, f"pool[{index}]"))


def word_of(kind: Type, value: str) -> str:
    """An element of up to 32 bits as a word of workgroup memory."""
    wgsl = wgsl_type(kind)
    return f"select(0u, 1u, {value})" if wgsl == "bool" else f"bitcast<u32>({value})"


def of_word(kind: Type, word: str) -> str:
    wgsl = wgsl_type(kind)
    return f"({word} != 0u)" if wgsl == "bool" else f"bitcast<{wgsl}>({word})"
