"""Lowering: walks a kernel's operations in order and writes WGSL.

A tensor is a list of expressions, one per register, in some layout. Views and index tensors are computed where they
are used; everything else is computed at its operation, in the layout of its class. A value that is used in another
layout is converted through workgroup memory. All control flow in Triton is uniform (scalars), so barriers are allowed
anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from . import elements, elementwise, emit
from .buffers import Buffers
from .convert import converted
from .elements import memory_bytes, wgsl_type
from .emit import Emitter, add
from .errors import Refused
from .hazards import Hazards
from .induction import scalar_induction
from .inline import inline_calls
from .ir import Module, Op, Value
from .layout import REG, Layout, dims_bits, log2
from .options import Options
from .passes import SCALAR, VIEWS, Layouts, Pointers, index_values, pointer_provenance, remove_dead, uniform_values
from .pool import Pool

_LONG_LOW = {
    "arith.addi": "+",
    "arith.subi": "-",
    "arith.muli": "*",
    "arith.andi": "&",
    "arith.ori": "|",
    "arith.xori": "^",
}


Handler = Callable[["Lowering", Op], None]
HANDLERS: dict[str, Handler] = {}


def handles(*names: str) -> Callable[[Handler], Handler]:
    def keep(fn: Handler) -> Handler:
        for name in names:
            HANDLERS[name] = fn
        return fn

    return keep


class Lowering:
    """The state of one lowering. Handlers of operations are in lower_*.py."""

    def __init__(self, module: Module, options: Options) -> None:
        self.module, self.options = module, options
        self.e = Emitter()
        self.threads = options.threads
        inline_calls(module)
        kernel = module.kernel
        scalar_induction(kernel)
        remove_dead(kernel)
        self.pointers: Pointers = pointer_provenance(module)
        self.lazy = index_values(module)
        self.layouts = Layouts(module, self.lazy, self.threads)
        self.globals: dict[str, str] = {}  # additional declarations by name
        self.buffers = Buffers(module.kernel, options, self.pointers, self.e, self.globals)
        self.uniform = uniform_values(module, self.buffers.written_args, self.pointers)
        self._memo: list[dict[tuple[object, ...], list[str]]] = [{}]
        self._home: dict[int, tuple[Layout, list[str]]] = {}
        self._prologue: dict[str, str] = {}
        self.prologue_lines: list[str] = []
        self.pool = Pool(self.e, options.shared_words, self.threads)
        self.hazards = Hazards()
        self.in_combine = False
        self.line = ""
        self.uses_num_programs = False
        self.notes: list[str] = []
        self.uses_program_id = False

    # Values -----------------------------------------------------------------------------------------------

    def define(self, value: Value, layout: Layout, regs: list[str]) -> None:
        """Record the layout and the registers of a computed value."""
        self._home[id(value)] = (layout, regs)
        self._memo[-1][(id(value), layout)] = regs

    def push(self) -> None:
        self._memo.append({})

    def pop(self) -> None:
        self._memo.pop()

    def home(self, value: Value) -> Layout:
        """The layout of a computed value, or the best one to compute it in."""
        defined = self._home.get(id(value))
        if defined is not None:
            return defined[0]
        return self.layouts.of(value)

    def scalar(self, value: Value) -> str:
        return self.regs(value, SCALAR)[0]

    def regs(self, value: Value, layout: Layout) -> list[str]:
        """The registers of a value in this layout, computed or converted if necessary."""
        if not value.type.shape and layout != SCALAR:
            return [self.scalar(value)] * layout.registers  # e.g. the condition of a select between tensors
        key = (id(value), layout)
        for scope in reversed(self._memo):
            if key in scope:
                return scope[key]
        if id(value) in self._home:
            registers = converted(self, value.type, *self._home[id(value)], layout)
        else:
            registers = self._computed(value, layout)
        self._memo[-1][key] = registers
        return registers

    def _computed(self, value: Value, layout: Layout) -> list[str]:
        op = value.op
        if op is None:
            raise Refused("an argument of a block that was not bound")
        n = layout.registers
        shape = value.type.shape
        if op.name == "arith.constant":
            return [self.e.let(elements.constant(self.e, op.attrs["value"], value.type))] * n
        if op.name == "ub.poison":  # any value will do
            return [self.e.let(elements.constant(self.e, 0, value.type))] * n
        if op.name == "tt.make_range":
            base = self.coordinate(layout, 0, len(layout.bits))
            start = int(op.attrs["start"])
            return [self.e.let(add(base, emit.i32(start + offset))) for offset in layout.offsets]
        if op.name == "tt.splat":
            return [self.scalar(op.operands[0])] * n
        if op.name == "tt.unsplat":
            if op.operands[0].type.size != 1:
                raise Refused("unsplat of many elements")
            return self.view(op.operands[0], layout, [])
        if op.name in ("tt.expand_dims", "tt.reshape"):
            return self.regs(op.operands[0], layout)
        if op.name == "tt.broadcast":
            source = op.operands[0]
            bits = dims_bits(shape)
            kept = [k for d in reversed(range(len(shape))) if source.type.shape[d] != 1 for k in bits[d]]
            return self.view(source, layout, kept)
        if op.name == "tt.trans":
            order = [int(i) for i in op.attrs["order"]]
            bits = dims_bits(shape)
            kept = [k for d in reversed(range(len(shape))) for k in bits[order.index(d)]]
            return self.view(op.operands[0], layout, kept)
        if op.name == "tt.split":
            source = op.operands[0]
            wide = Layout((REG, *layout.bits))
            registers = self.regs(source, wide)
            return [registers[wide.register_at(offset << 1 | value.index)] for offset in layout.offsets]
        if op.name == "tt.join":
            return self._joined(op, layout)
        if op.name == "tt.addptr":
            at, by = self.regs(op.operands[0], layout), self.low(op.operands[1], layout)
            return [self.e.let(add(a, b)) for a, b in zip(at, by, strict=True)]
        if op.name in elementwise.TABLE:
            return self.elementwise(op, layout)
        raise Refused(f"{op.name} was used before it was computed")

    def view(self, source: Value, layout: Layout, kept: list[int]) -> list[str]:
        """Registers of a view; element bit k of its source is bit kept[k] of the view."""
        sub = layout.select(kept)
        registers = self.regs(source, sub)
        return [registers[sub.register_at(gather_bits(offset, kept, sub))] for offset in layout.offsets]

    def _joined(self, op: Op, layout: Layout) -> list[str]:
        sub = layout.select(range(1, len(layout.bits)))
        first, second = (self.regs(v, sub) for v in op.operands)
        registers = []
        for offset in layout.offsets:
            r = sub.register_at(offset >> 1)
            if layout.bits[0] == REG:
                registers.append(second[r] if offset & 1 else first[r])
            else:
                bit = f"((lane & {1 << layout.bits[0]}i) != 0i)"
                registers.append(self.e.let(f"select({first[r]}, {second[r]}, {self.e.let(bit)})"))
        return registers

    def elementwise(self, op: Op, layout: Layout) -> list[str]:
        """One expression per register; pointers are offsets."""
        if op.result.type.is_ptr and op.name == "tt.bitcast":
            return self._pointer_cast(op, layout)
        if not op.result.type.is_ptr:
            wgsl_type(op.result.type)
        operands = [self.regs(v, layout) for v in op.operands]
        lower = elementwise.TABLE[op.name]
        return [self.e.let(lower(self.e, op, list(args))) for args in zip(*operands, strict=True)]

    def _pointer_cast(self, op: Op, layout: Layout) -> list[str]:
        old, new = memory_bytes(op.operands[0].type.pointee), memory_bytes(op.result.type.pointee)
        offsets = self.regs(op.operands[0], layout)
        if old == new:
            return offsets
        if old > new:
            return [self.e.let(f"({x} * {old // new}i)") for x in offsets]
        return [self.e.let(f"({x} >> {log2(new // old)}u)") for x in offsets]

    def low(self, value: Value, layout: Layout) -> list[str]:
        """Integer narrowing: only the low 32 bits, which are enough for an address."""
        if value.type.elem != "i64":
            return self.regs(value, layout)
        key = ("low", id(value), layout)
        for scope in reversed(self._memo):
            if key in scope:
                return scope[key]
        registers = self._low(value, layout)
        self._memo[-1][key] = registers
        return registers

    def _low(self, value: Value, layout: Layout) -> list[str]:
        op, e = value.op, self.e
        lazy = id(value) in self.lazy or not value.type.shape
        if op is not None and lazy:
            if op.name in ("arith.extsi", "arith.extui") and op.operands[0].type.elem != "i1":
                return self._low_extended(op, layout)
            if op.name in _LONG_LOW:
                a, b = self.low(op.operands[0], layout), self.low(op.operands[1], layout)
                fold = {"+": emit.add, "*": emit.mul}.get(_LONG_LOW[op.name])
                sign = _LONG_LOW[op.name]
                return [e.let(fold(x, y) if fold else f"({x} {sign} {y})") for x, y in zip(a, b, strict=True)]
            if op.name == "arith.constant":
                return [emit.i32(int(op.attrs["value"]))] * layout.registers
            if op.name == "tt.splat":
                return self.low(op.operands[0], SCALAR) * layout.registers
            if op.name == "tt.broadcast":
                bits = dims_bits(value.type.shape)
                shape = op.operands[0].type.shape
                kept = [k for d in reversed(range(len(shape))) if shape[d] != 1 for k in bits[d]]
                sub = layout.select(kept)
                registers = self.low(op.operands[0], sub)
                return [registers[sub.register_at(gather_bits(o, kept, sub))] for o in layout.offsets]
            if op.name in ("tt.expand_dims", "tt.reshape"):
                return self.low(op.operands[0], layout)
        return [e.let(f"bitcast<i32>({x}.x)") for x in self.regs(value, layout)]

    def _low_extended(self, op: Op, layout: Layout) -> list[str]:
        source = op.operands[0]
        registers = self.regs(source, layout)
        if op.name == "arith.extsi" or source.type.elem == "i32":
            return registers
        return [self.e.let(f"bitcast<i32>({elements.unsigned(source.type.elem, x)})") for x in registers]

    def note(self, text: str) -> int:
        """Register a message of debug mode; return its number."""
        self.notes.append(text)
        return len(self.notes) - 1

    # Threads ----------------------------------------------------------------------------------------------

    def coordinate(self, layout: Layout, first: int, last: int) -> str:
        """The thread's contribution to bits first..last of the element index, as an i32 expression."""
        parts = []
        for thread, at, length in layout.runs(first, last):
            part = "lane" if thread == 0 else f"(lane >> {thread}u)"
            if (1 << (thread + length)) < self.threads:
                part = f"({part} & {(1 << length) - 1}i)"
            parts.append(f"({part} << {at}u)" if at else part)
        return self.prologue(" | ".join(parts)) if parts else "0i"

    def prologue(self, expr: str) -> str:
        """A name for an expression that depends only on the thread; it is computed once at the top."""
        if expr == "lane":
            return expr
        if expr not in self._prologue:
            name = self.e.fresh("t")
            self._prologue[expr] = name
            self.prologue_lines.append(f"    let {name} = {expr};")
        return self._prologue[expr]

    def bound(self, count: int) -> str:
        """A loop bound. For software drivers it is hidden from the compiler, which would otherwise unroll the loop."""
        if not self.options.software or count < 4:
            return f"{count}i"
        self.uses_num_programs = True
        hidden = self.prologue("i32(nwg.x >> 31u)")
        return f"({count}i + {hidden})"

    def owner(self, layout: Layout) -> str | None:
        """The condition that this thread is the first of those with the same elements; None if all differ."""
        unused = (self.threads - 1) & ~layout.thread_mask
        return self.prologue(f"(lane & {unused}i) == 0i") if unused else None

    def element(self, layout: Layout, register: int) -> str:
        """The flat index of a register's element."""
        return add(self.coordinate(layout, 0, len(layout.bits)), emit.i32(layout.offsets[register]))

    # Structure --------------------------------------------------------------------------------------------

    @contextmanager
    def block(self, head: str = "") -> Iterator[None]:
        with self.e.block(head):
            self._memo.append({})
            yield
            self._memo.pop()

    def uniformly(self, value: Value) -> str:
        """A scalar for control flow; made explicitly uniform if a WGSL compiler cannot prove that it is."""
        expr = self.scalar(value)
        if id(value) in self.uniform or expr in ("true", "false") or emit.int_of(expr) is not None or self.in_combine:
            return expr
        kind = value.type
        if kind.elem == "i64":
            raise Refused("a loop or branch on a 64-bit value from memory")
        stored = f"select(0u, 1u, {expr})" if kind.elem == "i1" else f"bitcast<u32>({expr})"
        self.globals["uniform_slot"] = "var<workgroup> uniform_slot: u32;"
        with self.block("if (lane == 0i)"):
            self.e.line(f"uniform_slot = {stored};")
        loaded = self.e.named("workgroupUniformLoad(&uniform_slot)")
        return f"({loaded} != 0u)" if kind.elem == "i1" else self.e.let(f"bitcast<{wgsl_type(kind)}>({loaded})")

    def run(self, ops: list[Op]) -> None:
        for op in ops:
            self.lower(op)

    def lower(self, op: Op) -> None:
        if op.line:
            self.line = op.line
        if op.name in HANDLERS:
            HANDLERS[op.name](self, op)
        elif (
            op.name in VIEWS
            or op.name in ("arith.constant", "tt.make_range", "tt.split", "ub.poison")
            or (op.results and id(op.result) in self.lazy)
        ):
            for result in op.results:
                if not result.type.shape and op.name != "tt.splat":
                    self.define(result, SCALAR, self._computed(result, SCALAR))
        elif op.name in elementwise.TABLE or op.name == "tt.addptr":
            layout = self.layouts.of(op.result)
            self.define(op.result, layout, self._computed(op.result, layout))
        else:
            raise Refused(f"{op.name} is unsupported")


def gather_bits(offset: int, kept: list[int], sub: Layout) -> int:
    """The register bits of the source's element index for a register with this offset."""
    return sum((offset >> k & 1) << i for i, k in enumerate(kept) if sub.bits[i] == REG)
