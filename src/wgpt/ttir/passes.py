"""Analyses of a kernel before lowering; each pass has a name and one result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from . import layout as layouts
from .elementwise import TABLE as ELEMENTWISE
from .errors import Refused
from .inline import INLINE
from .ir import Block, Module, Op, Value
from .layout import Layout, dims_bits

VIEWS = {"tt.splat", "tt.expand_dims", "tt.broadcast", "tt.reshape", "tt.trans", "tt.unsplat", "tt.join"}
_INDEX = {
    *("arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.divui", "arith.remsi", "arith.remui"),
    *("arith.andi", "arith.ori", "arith.xori", "arith.shli", "arith.shrsi", "arith.shrui", "arith.cmpi"),
    *("arith.extsi", "arith.extui", "arith.trunci", "arith.select", "tt.addptr", "tt.bitcast"),
    *("arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui"),
}
_STRUCTURAL = {"tt.expand_dims", "tt.reshape"}  # these keep the flat order of elements


def remove_dead(kernel: Op) -> None:
    """Remove pure operations whose results are not used."""
    while True:
        used = {id(v) for op in kernel.walk() for v in op.operands}
        dropped = False
        for op in list(kernel.walk()):
            for region in op.regions:
                for block in region.blocks:
                    kept = [o for o in block.ops if not _dead(o, used)]
                    dropped |= len(kept) != len(block.ops)
                    block.ops = kept
        if not dropped:
            return


def _dead(op: Op, used: set[int]) -> bool:
    pure = op.name in ELEMENTWISE or op.name in VIEWS or op.name in PURE
    return pure and not any(id(r) in used for r in op.results)


PURE = {"arith.constant", "tt.make_range", "tt.addptr", "tt.get_program_id", "tt.get_num_programs", "tt.split"}
PURE |= {"tt.ptr_to_int", "tt.make_tensor_descriptor", "ub.poison"}


@dataclass
class Pointers:
    """Pointer provenance: the kernel argument that each pointer is derived from."""

    base: dict[int, Value] = field(default_factory=dict)

    def of(self, value: Value) -> Value:
        argument = self.base.get(id(value))
        if argument is None:
            raise Refused("a pointer that does not come from a kernel argument (but from an integer or from memory)")
        return argument


def pointer_provenance(module: Module) -> Pointers:
    """Trace every pointer back to a kernel argument. A pointer derived from two arguments is unsupported."""
    pointers = Pointers()
    base = pointers.base
    changed = True

    def put(value: Value, source: Value) -> None:
        nonlocal changed
        origin = base.get(id(source))
        if origin is None or not value.type.is_ptr:
            return
        if id(value) not in base:
            base[id(value)] = origin
            changed = True
        elif base[id(value)] is not origin:
            raise Refused("a pointer that may come from two arguments")

    for arg in module.kernel.regions[0].block.args:
        if arg.type.is_ptr:
            base[id(arg)] = arg
    while changed:
        changed = False
        for function in module.functions.values():
            for op in function.walk():
                _flow(op, put)
    return pointers


def _flow(op: Op, put: Callable[..., None]) -> None:
    """Call put(target, source) wherever the operation passes a value on, unchanged or shifted."""
    name = op.name
    if name in VIEWS or name in ("tt.addptr", "tt.bitcast", "arith.select", "tt.split", "tt.gather"):
        for operand in op.operands:
            for result in op.results:
                put(result, operand)
    elif name == "scf.for":
        body = op.regions[0].block
        for k, result in enumerate(op.results):
            for source in (op.operands[k + 3], body.ops[-1].operands[k]):
                put(body.args[k + 1], source)
                put(result, source)
    elif name == "scf.if":
        for region in op.regions:
            if region.blocks and region.block.ops:
                for result, source in zip(op.results, region.block.ops[-1].operands, strict=False):
                    put(result, source)
    elif name == "scf.while":
        before, after = op.regions[0].block, op.regions[1].block
        for k, arg in enumerate(before.args):
            put(arg, op.operands[k])
            put(arg, after.ops[-1].operands[k])
        for k, result in enumerate(op.results):
            put(result, before.ops[-1].operands[k + 1])
            put(after.args[k], before.ops[-1].operands[k + 1])
    elif name == INLINE:
        region = op.regions[0]
        for arg, operand in zip(region.block.args, op.operands, strict=True):
            put(arg, operand)
        for inner in (last for block in region.blocks for last in block.ops):
            if inner.name == "tt.return":
                for result, source in zip(op.results, inner.operands, strict=True):
                    put(result, source)
    elif name in ("cf.br", "cf.cond_br"):
        for block, values in successors(op):
            for arg, source in zip(block.args, values, strict=True):
                put(arg, source)


def successors(op: Op) -> list[tuple[Block, list[Value]]]:
    """The targets of a branch, with the values that are passed."""
    if op.name == "cf.br":
        return [(op.successors[0], op.operands)]
    sizes = op.attrs["operandSegmentSizes"]
    first = op.operands[1 : 1 + sizes[1]]
    second = op.operands[1 + sizes[1] :]
    return [(op.successors[0], first), (op.successors[1], second)]


def index_values(module: Module) -> set[int]:
    """Lazy index values: tensors computed from ranges and scalars by cheap integer operations.

    They are not materialised, but computed where they are used, in the layout of their use.
    """
    indices: set[int] = set()
    for function in module.functions.values():
        for op in function.walk():
            if not op.results or not op.results[0].type.shape:
                continue
            if op.name in ("arith.constant", "tt.make_range", "ub.poison"):
                indices.add(id(op.result))
            elif op.name in _INDEX or (op.name in VIEWS and op.name != "tt.join"):
                if op.result.type.is_float and op.name not in VIEWS:
                    continue
                if all(not v.type.shape or id(v) in indices for v in op.operands):
                    indices.add(id(op.result))
    return indices


def uniform_values(module: Module, written_args: set[int], pointers: Pointers) -> set[int]:
    """Uniformity: scalars that a WGSL compiler can prove to be the same in all threads."""
    uniform: set[int] = set()
    for arg in module.kernel.regions[0].block.args:
        uniform.add(id(arg))
    for op in module.kernel.walk():
        if op.name == "scf.for":
            if all(id(v) in uniform for v in op.operands[:3]):
                uniform.add(id(op.regions[0].block.args[0]))
            continue
        if op.name == "tt.load" and not op.results[0].type.shape:
            if all(id(v) in uniform for v in op.operands) and id(pointers.of(op.operands[0])) not in written_args:
                uniform.add(id(op.result))
            continue
        if not op.results or op.regions or any(r.type.shape for r in op.results):
            continue
        simple = op.name in ELEMENTWISE or op.name in PURE or op.name == "tt.addptr"
        if simple and all(id(v) in uniform for v in op.operands):
            uniform.update(id(r) for r in op.results)
    return uniform


class Layouts:
    """Layout assignment: operands and results of an elementwise operation share a class, and a class has a layout.

    The result of a dot determines the layout of its class, with lower priority a reduction along the last dimension.
    The result of a reduction, or the operand of a broadcast, gets the matching part of the larger tensor's layout. All
    others are flat.
    """

    def __init__(self, module: Module, lazy: set[int], threads: int) -> None:
        self._threads = threads
        self._parent: dict[int, int] = {}
        self._size: dict[int, int] = {}
        self._lazy = lazy
        self._fixed: dict[int, Layout] = {}
        self._dots: list[Value] = []
        self._preferred: list[tuple[Value, Layout]] = []
        self._links: list[tuple[Value, Value, list[int]]] = []  # (small, large, bits of large that small has)
        self._assigned: dict[int, Layout] = {}
        for function in module.functions.values():
            for op in function.walk():
                self._visit(op)
        self._assign()

    def _find(self, value: Value) -> int:
        key = id(value)
        self._parent.setdefault(key, key)
        self._size.setdefault(key, value.type.size)
        while self._parent[key] != key:
            self._parent[key] = self._parent[self._parent[key]]
            key = self._parent[key]
        return key

    def _join(self, *values: Value) -> None:
        shaped = [v for v in values if v.type.shape and id(v) not in self._lazy]
        for a, b in pairwise(shaped):
            if a.type.size == b.type.size:
                self._parent[self._find(a)] = self._find(b)

    def _visit(self, op: Op) -> None:
        for result in op.results:
            if result.type.shape and id(result) not in self._lazy:
                self._find(result)
        if (
            op.name in ELEMENTWISE
            or op.name in _STRUCTURAL
            or op.name in ("tt.load", "tt.store", "tt.map_elementwise")
            or op.name in ("tt.atomic_rmw", "tt.atomic_cas", "tt.addptr")
        ):
            self._join(*op.operands, *op.results)
        elif op.name == "tt.dot":
            self._join(op.operands[2], op.result)
            shape = op.result.type.shape
            self._fixed[id(op.result)] = layouts.tile(shape, self._threads)
            self._dots.append(op.result)
        elif op.name == "tt.reduce":
            source, axis = op.operands[0], int(op.attrs["axis"])
            bits = dims_bits(source.type.shape)
            kept = [k for d, own in enumerate(bits) if d != axis for k in own]
            self._join(*op.operands)
            shape = source.type.shape
            if axis == len(shape) - 1 > 0 and id(source) not in self._lazy:
                self._preferred.append((source, layouts.rows(shape, self._threads)))
            for result in op.results:
                self._links.append((result, source, sorted(kept)))
        elif op.name == "tt.trans":
            bits = dims_bits(op.operands[0].type.shape)
            order = [int(i) for i in op.attrs["order"]]
            moved = [k for d in reversed(range(len(order))) for k in bits[order[d]]]
            self._links.append((op.result, op.operands[0], moved))
        elif op.name == "tt.broadcast":
            small, large = op.operands[0], op.result
            bits = dims_bits(large.type.shape)
            kept = [k for d, own in enumerate(bits) if small.type.shape[d] != 1 for k in own]
            self._links.append((small, large, sorted(kept)))
        if op.name != "tt.trans":  # it changes the order of elements
            _flow(op, self._join)

    def _assign(self) -> None:
        for value in self._dots:
            self._assigned.setdefault(self._find(value), self._fixed[id(value)])
        for value, layout in self._preferred:
            self._assigned.setdefault(self._find(value), layout)
        classes: dict[int, int] = {}
        for key in list(self._parent):
            root = key
            while self._parent[root] != root:
                root = self._parent[root]
            classes[root] = self._size[key]
        for root, size in sorted(classes.items(), key=lambda item: -item[1]):
            if root in self._assigned:
                continue
            for small, large, kept in self._links:
                if small.type.shape and id(small) not in self._lazy and self._find(small) == root:
                    larger = self._assigned.get(self._find(large)) if id(large) not in self._lazy else None
                    if larger is not None and len(kept) == len(layouts.flat(size, self._threads).bits):
                        part = larger.select(kept)
                        if part.registers <= 64:
                            self._assigned[root] = part
                            break
            else:
                self._assigned[root] = layouts.flat(size, self._threads)

    def of(self, value: Value) -> Layout:
        if not value.type.shape:
            return SCALAR
        if id(value) in self._lazy:
            return layouts.flat(value.type.size, self._threads)
        layout = self._assigned.get(self._find(value))
        return layout if layout is not None else layouts.flat(value.type.size, self._threads)


SCALAR = Layout(())
