"""Atomic operations: those of WGSL for words, compare-and-exchange for floats and halves."""

from __future__ import annotations

from . import elements
from .buffers import Buffer
from .elements import from_bits, memory_bytes, to_bits, wgsl_type
from .errors import Refused
from .ir import Op, Type
from .layout import Layout
from .lower import Lowering, handles
from .lower_memory import order
from .passes import SCALAR
from .waiting import WAITS

_RMW = {1: "atomicAnd", 2: "atomicOr", 3: "atomicXor", 4: "atomicAdd", 6: "max", 7: "min", 8: "atomicMax"}
_RMW |= {9: "atomicMin", 10: "atomicExchange", 5: "add"}
_ATOMICS = "atomics"


@handles("tt.atomic_rmw")
def rmw(c: Lowering, op: Op) -> None:
    pointer, value = op.operands[0], op.operands[1]
    mask = op.operands[2] if len(op.operands) > 2 else None
    kind = int(op.attrs["atomic_rmw_op"])
    layout = c.layouts.of(op.result)
    buffer = c.buffers.of(pointer)
    elem = value.type.elem
    _check(elem)
    order(c, buffer, _ATOMICS, read=False, write=True)
    offsets, values = c.regs(pointer, layout), c.regs(value, layout)
    masks = c.regs(mask, layout) if mask is not None else ["true"] * len(offsets)
    function = _rmw_function(c, buffer, elem, kind)
    _each(c, op, layout, masks, [f"{function}({at}, {x})" for at, x in zip(offsets, values, strict=True)])


@handles("tt.atomic_cas")
def cas(c: Lowering, op: Op) -> None:
    pointer, compare, value = op.operands
    layout = c.layouts.of(op.result)
    buffer = c.buffers.of(pointer)
    elem = value.type.elem
    _check(elem)
    order(c, buffer, _ATOMICS, read=False, write=True)
    operands = [c.regs(v, layout) for v in (pointer, compare, value)]
    function = _cas_function(c, buffer, elem)
    masks = ["true"] * len(operands[0])
    _each(c, op, layout, masks, [f"{function}({at}, {x}, {y})" for at, x, y in zip(*operands, strict=True)])


@handles("tt.atomic_poll")
def poll(c: Lowering, op: Op) -> None:
    raise Refused(WAITS)


def _check(elem: str) -> None:
    if elem not in ("i32", "f32", "f16", "bf16"):
        raise Refused(f"atomics of {elem}: WebGPU supports only 32-bit words")


def _each(c: Lowering, op: Op, layout: Layout, masks: list[str], calls: list[str]) -> None:
    """One thread per element executes it; threads with copies get the old value through workgroup memory."""
    used = any(v is op.result for other in c.module.kernel.walk() for v in other.operands)
    if c.buffers.locks:
        c.e.line("storageBarrier();")  # earlier stores become visible to the next owner of the lock
    owner = c.owner(layout)
    kind = op.result.type
    names = []
    for condition, call in zip(masks, calls, strict=True):
        name = c.e.var(wgsl_type(kind), elements.constant(c.e, 0, kind))
        names.append(name)
        conditions = [x for x in (owner, condition) if x is not None and x != "true"]
        if conditions:
            with c.block(f"if ({' && '.join(conditions)})"):
                c.e.line(f"{name} = {call};")
        else:
            c.e.line(f"{name} = {call};")
    if used and owner is not None:
        words = len(layout.offsets) * max(1, c.threads)
        c.pool.begin(min(words, 1 << len(layout.bits)) if layout is not SCALAR else 1)
        with c.block(f"if ({owner})"):
            for r, name in enumerate(names):
                c.pool.write(kind, c.element(layout, r), name)
        c.pool.barrier()
        names = [c.pool.read(kind, c.element(layout, r)) for r in range(layout.registers)]
        c.pool.end()
    if c.buffers.locks:
        c.e.line("storageBarrier();")
    c.define(op.result, layout, names)


def _rmw_function(c: Lowering, buffer: Buffer, elem: str, kind: int) -> str:
    wgsl = elements.WGSL[elem]
    label = _RMW[kind]
    name = f"{label}_{elem}_{buffer.name}"
    place = f"&{buffer.name}[index]"
    if elem == "i32" and label.startswith("atomic"):
        body = f"    return bitcast<i32>({label}({place}, bitcast<u32>(value)));"
    elif elem == "f32" and label == "atomicExchange":
        body = f"    return bitcast<f32>(atomicExchange({place}, bitcast<u32>(value)));"
    else:
        if label == "add":
            new = elements.rounded(c.e, elem, "before + value")
        elif label in ("max", "min") and elem in ("i32", "f32"):
            new = f"{label}(before, value)"
        elif label == "atomicExchange":
            new = "value"
        else:
            raise Refused(f"atomic {label} of {elem}")
        body = _loop(c, buffer, elem, new)
    c.globals[name] = f"fn {name}(index: i32, value: {wgsl}) -> {wgsl} {{\n{body}\n}}"
    return name


def _loop(c: Lowering, buffer: Buffer, elem: str, new: str, unless: str = "") -> str:
    """A compare-and-exchange loop on the word that holds the element."""
    if memory_bytes(elem) == 4:
        word, shift, mask = "index", "0u", "0xffffffffu"
    else:
        word, shift, mask = "index >> 1u", "u32(index & 1i) * 16u", "0xffffu"
    stop = f"        if ({unless}) {{\n            return before;\n        }}\n" if unless else ""
    return f"""    let at = {word};
    let shift = {shift};
    var old = atomicLoad(&{buffer.name}[at]);
    loop {{
        let before = {from_bits(c.e, elem, f"((old >> shift) & {mask})")};
{stop}        let changed = {to_bits(c.e, elem, new)};
        let wanted = (old & ~({mask} << shift)) | (changed << shift);
        let swapped = atomicCompareExchangeWeak(&{buffer.name}[at], old, wanted);
        if (swapped.exchanged) {{
            return before;
        }}
        old = swapped.old_value;
    }}
    return {elements.constant(c.e, 0, Type(elem))};"""


def _cas_function(c: Lowering, buffer: Buffer, elem: str) -> str:
    wgsl = elements.WGSL[elem]
    name = f"cas_{elem}_{buffer.name}"
    same = f"{to_bits(c.e, elem, 'before')} != {to_bits(c.e, elem, 'compare')}"
    body = _loop(c, buffer, elem, "value", same)
    c.globals[name] = f"fn {name}(index: i32, compare: {wgsl}, value: {wgsl}) -> {wgsl} {{\n{body}\n}}"
    return name
