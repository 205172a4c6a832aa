"""Loads and stores with masks, and the barriers that keep a program's accesses in order."""

from __future__ import annotations

from contextlib import nullcontext

from . import elements
from .buffers import Buffer
from .elements import wgsl_type
from .ir import Op, Value
from .layout import Layout
from .lower import Lowering, handles


def order(c: Lowering, buffer: Buffer, access: object, read: bool, write: bool) -> None:
    """Emit a barrier if an access must come after an earlier one of another thread."""
    if not buffer.is_written or c.in_combine or c.threads == 1:
        return
    h = c.hazards
    key = id(buffer)
    waits = h.writes.get(key, set()) - {access}
    if write:
        waits = waits | (h.reads.get(key, set()) - {access})
    if waits:
        c.e.line("storageBarrier();")
        h.reads.clear()
        h.writes.clear()
    if read:
        h.reads.setdefault(key, set()).add(access)
    if write:
        h.writes.setdefault(key, set()).add(access)


def access_key(c: Lowering, pointer: Value, layout: Layout) -> object:
    """A key that is equal for accesses in which each thread accesses the same elements."""
    if c.owner(layout) is not None:
        return object()  # replicated: another thread may write what this one reads
    return (id(pointer), layout)


def before_loop(c: Lowering, op: Op) -> None:
    """Record the accesses of the loop body, which precede those of the next iteration."""
    h = c.hazards
    for inner in op.walk():
        if inner.name in ("tt.load", "tt.store"):
            buffer = c.buffers.of(inner.operands[0])
            if buffer.is_written:
                (h.reads if inner.name == "tt.load" else h.writes).setdefault(id(buffer), set()).add(
                    ("loop", id(inner))
                )


def segments(op: Op, count: int) -> list[Value | None]:
    """The operands of an operation with optional operands; None for absent ones."""
    sizes = op.attrs.get("operandSegmentSizes")
    if sizes is None:
        return [*op.operands, *([None] * (count - len(op.operands)))]
    operands: list[Value | None] = []
    at = 0
    for size in sizes:
        operands.append(op.operands[at] if size else None)
        at += size
    return operands


@handles("tt.load")
def load(c: Lowering, op: Op) -> None:
    pointer, mask, other = segments(op, 3)
    assert pointer is not None
    kind = op.result.type
    wgsl_type(kind)
    layout = c.layouts.of(op.result)
    buffer = c.buffers.of(pointer)
    offsets = c.regs(pointer, layout)
    masks = c.regs(mask, layout) if mask is not None else ["true"] * len(offsets)
    if other is not None:
        others = c.regs(other, layout)
    else:
        others = [c.e.let(elements.constant(c.e, 0, kind))] * len(offsets)
    order(c, buffer, access_key(c, pointer, layout), read=True, write=False)
    done: dict[tuple[str, str, str], str] = {}
    registers = []
    for key in zip(offsets, masks, others, strict=True):
        at, condition, default = key
        if key not in done:
            if condition == "true":
                done[key] = c.e.named(c.buffers.load(buffer, kind.elem, at), "x")
            elif condition == "false":
                done[key] = default
            else:
                # No branch: a masked load reads element 0, which always exists, and its result is discarded.
                safe = c.e.let(f"select(0i, {at}, {condition})")
                value = c.e.named(c.buffers.load(buffer, kind.elem, safe), "x")
                done[key] = c.e.let(f"select({default}, {value}, {condition})")
        registers.append(done[key])
    c.define(op.result, layout, registers)


@handles("tt.store")
def store(c: Lowering, op: Op) -> None:
    pointer, value = op.operands[0], op.operands[1]
    mask = op.operands[2] if len(op.operands) > 2 else None
    layout = c.layouts.of(value if id(value) not in c.lazy else pointer)
    buffer = c.buffers.of(pointer)
    offsets = c.regs(pointer, layout)
    values = c.regs(value, layout)
    masks = c.regs(mask, layout) if mask is not None else ["true"] * len(offsets)
    order(c, buffer, access_key(c, pointer, layout), read=False, write=True)
    owner = c.owner(layout)
    elem = pointer.type.pointee
    groups: dict[str, list[tuple[str, str]]] = {}
    for at, stored, condition in zip(offsets, values, masks, strict=True):
        conditions = [x for x in (owner, condition) if x is not None and x != "true"]
        if "false" not in conditions:
            groups.setdefault(" && ".join(conditions), []).append((at, stored))
    for condition, places in groups.items():
        with c.block(f"if ({condition})") if condition else nullcontext():
            for at, stored in places:
                c.buffers.store(buffer, elem, at, stored)


@handles("gpu.barrier", "ttg.barrier", "ttg.local_barrier", "tt.debug_barrier")
def barrier(c: Lowering, op: Op) -> None:
    c.e.line("storageBarrier();")
    c.pool.barrier()
    c.hazards.reads.clear()
    c.hazards.writes.clear()
