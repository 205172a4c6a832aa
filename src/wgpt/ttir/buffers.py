"""Buffer access: how each pointer argument is bound, and how its elements are read and written.

Elements of 4 or 8 bytes are bound with their own type, halves as f16 if the GPU supports it. Everything else, and
every buffer that is accessed with two types, is bound as words. A store of less than a word is a
compare-and-exchange loop, so that threads that write to the same word do not race.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .elements import from_bits, memory_bytes, to_bits
from .emit import Emitter
from .ir import Op, Value
from .options import Options
from .passes import Pointers
from .waiting import waits

_NATURAL = {"f32": "f32", "i32": "i32", "i64": "vec2<u32>", "f16": "f16"}


@dataclass
class Buffer:
    """One binding: the memory of one pointer argument, or of several that share it."""

    name: str
    args: list[int] = field(default_factory=list)  # positions among the kernel's arguments
    elems: set[str] = field(default_factory=set)
    is_read: bool = False
    is_written: bool = False
    atomic: bool = False
    natural: str = ""  # the element type of the binding; "" for words

    @property
    def access(self) -> str:
        return "read_write" if self.is_written else "read"

    @property
    def kind(self) -> str:
        if self.natural:
            return self.natural
        return "atomic<u32>" if self.atomic else "u32"


class Buffers:
    """All buffers of a kernel, by pointer argument."""

    def __init__(
        self, kernel: Op, options: Options, pointers: Pointers, emitter: Emitter, declarations: dict[str, str]
    ) -> None:
        self._options, self._pointers, self._e, self._declarations = options, pointers, emitter, declarations
        arguments = kernel.regions[0].block.args
        self.by_arg: dict[int, Buffer] = {}
        self.arguments = {id(a): a for a in arguments}
        self.all: list[Buffer] = []
        own = [a for a in arguments if a.type.is_ptr]
        alias = options.alias or tuple(range(len(own)))
        for i, arg in enumerate(own):
            if alias[i] == i:
                self.all.append(Buffer(_identifier(arg, i)))
                self.by_arg[id(arg)] = self.all[-1]
            else:
                self.by_arg[id(arg)] = self.by_arg[id(own[alias[i]])]
            self.by_arg[id(arg)].args.append(arg.index)
        for op in kernel.walk():
            if op.name in ("tt.load", "tt.store", "tt.atomic_rmw", "tt.atomic_cas"):
                self._note(op)
        # With locks, programs must see each other's stores; only atomic accesses guarantee that.
        self.locks = options.locks and any(waits(op) for op in kernel.walk() if op.regions)
        for buffer in self.all:
            buffer.atomic |= self.locks and buffer.is_written
        for buffer in self.all:
            self._bind(buffer, options.f16)
        self.written_args = {key for key, buffer in self.by_arg.items() if buffer.is_written}

    def _note(self, op: Op) -> None:
        pointer = op.operands[0]
        buffer = self.of(pointer)
        elem = pointer.type.pointee
        size = memory_bytes(elem)
        buffer.elems.add(elem)
        buffer.is_read |= op.name != "tt.store"
        buffer.is_written |= op.name != "tt.load"
        if op.name.startswith("tt.atomic") or (
            op.name == "tt.store" and size < 4 and not (elem == "f16" and self._options.f16)
        ):
            buffer.atomic = True

    def _bind(self, buffer: Buffer, f16: bool) -> None:
        if len(buffer.elems) == 1 and not buffer.atomic:
            (elem,) = buffer.elems
            if elem in _NATURAL and (elem != "f16" or f16):
                buffer.natural = _NATURAL[elem]
        elif buffer.is_written and not buffer.atomic and any(e in ("f16",) for e in buffer.elems):
            buffer.atomic = True  # f16 and another type: bound as words

    def of(self, pointer: Value) -> Buffer:
        return self.by_arg[id(self._pointers.of(pointer))]

    def _word(self, buffer: Buffer, index: str) -> str:
        return f"atomicLoad(&{buffer.name}[{index}])" if buffer.atomic else f"{buffer.name}[{index}]"

    def load(self, buffer: Buffer, elem: str, index: str) -> str:
        """The element at an index, in its WGSL type."""
        e = self._e
        if buffer.natural:
            read = f"{buffer.name}[{index}]"
            return f"f32({read})" if buffer.natural == "f16" else read
        size = memory_bytes(elem)
        if size == 8:
            return f"vec2<u32>({self._word(buffer, f'2i * {index}')}, {self._word(buffer, f'2i * {index} + 1i')})"
        if size == 4:
            return from_bits(e, elem, self._word(buffer, index))
        shift = 2 if size == 1 else 1
        word = self._word(buffer, f"({index} >> {shift}u)")
        at = f"u32({index} & {4 // size - 1}i) * {8 * size}u"
        if elem in ("i8", "i16"):
            return f"extractBits(bitcast<i32>({word}), {at}, {8 * size}u)"
        return from_bits(e, elem, f"extractBits({word}, {at}, {8 * size}u)")

    def store(self, buffer: Buffer, elem: str, index: str, value: str) -> None:
        e = self._e
        if buffer.natural:
            e.line(f"{buffer.name}[{index}] = {f'f16({value})' if buffer.natural == 'f16' else value};")
            return
        size = memory_bytes(elem)
        if size == 8:
            for i, part in enumerate("xy"):
                place = f"{buffer.name}[2i * {index} + {i}i]"
                e.line(f"atomicStore(&{place}, {value}.{part});" if buffer.atomic else f"{place} = {value}.{part};")
        elif size == 4:
            bits = to_bits(e, elem, value)
            place = f"{buffer.name}[{index}]"
            e.line(f"atomicStore(&{place}, {bits});" if buffer.atomic else f"{place} = {bits};")
        else:
            e.line(f"{self._part_store(buffer, size)}({index}, {to_bits(e, elem, value)});")

    def _part_store(self, buffer: Buffer, size: int) -> str:
        """A function that writes one or two bytes of a word and does not change the others."""
        name = f"put{8 * size}_{buffer.name}"
        shift = 2 if size == 1 else 1
        mask = "0xffu" if size == 1 else "0xffffu"
        self._declarations[name] = f"""fn {name}(index: i32, bits: u32) {{
    let at = index >> {shift}u;
    let shift = u32(index & {4 // size - 1}i) * {8 * size}u;
    var old = atomicLoad(&{buffer.name}[at]);
    loop {{
        let word = (old & ~({mask} << shift)) | ((bits & {mask}) << shift);
        let swapped = atomicCompareExchangeWeak(&{buffer.name}[at], old, word);
        if (swapped.exchanged) {{
            break;
        }}
        old = swapped.old_value;
    }}
}}"""
        return name


def _identifier(arg: Value, position: int) -> str:
    word = re.sub(r"\W", "_", arg.name)
    return f"g_{word}" if word and not word[0].isdigit() else f"g_{position}"
