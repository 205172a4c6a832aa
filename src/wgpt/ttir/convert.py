"""Layout conversion: every thread writes its elements to workgroup memory and reads those it needs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Protocol

from . import elements, emit
from .elements import wgsl_type
from .emit import Emitter, add
from .errors import Refused
from .ir import Type
from .layout import REG, Layout, log2
from .pool import Pool


class Registers(Protocol):
    """The part of Lowering that is used here: text, workgroup memory, and which element a register holds."""

    e: Emitter
    pool: Pool
    in_combine: bool

    def owner(self, layout: Layout) -> str | None: ...

    def element(self, layout: Layout, register: int) -> str: ...

    def coordinate(self, layout: Layout, first: int, last: int) -> str: ...

    def block(self, head: str) -> AbstractContextManager[None]: ...


def converted(c: Registers, kind: Type, source: Layout, regs: list[str], target: Layout) -> list[str]:
    """Registers of the tensor in another layout, through workgroup memory, in as many rounds as necessary."""
    if source == target:
        return regs
    if len(source.bits) != len(target.bits):
        raise Refused("a tensor converted to a layout of another size: a bug in this backend")
    if c.in_combine:
        raise Refused("a tensor that changes its layout inside a combine function")
    size = 1 << len(source.bits)
    words = 2 if kind.elem == "i64" else 1
    per_round = size
    while per_round * words > c.pool.room:
        per_round //= 2
    registers = [""] * target.registers
    late = per_round < size
    if late:
        zero = elements.constant(c.e, 0, kind) if not kind.is_ptr else "0i"
        registers = [c.e.var(wgsl_type(kind), zero) for _ in registers]
    owner = c.owner(source)
    for base in range(0, size, per_round):
        c.pool.begin(per_round * words)
        _guarded(c, source, base, per_round, owner, lambda r, at: c.pool.write(kind, at, regs[r]))
        c.pool.barrier()
        if late:
            _guarded(c, target, base, per_round, None, partial(_get, c, kind, registers))
        else:
            registers = [c.pool.read(kind, c.e.let(c.element(target, r))) for r in range(target.registers)]
        c.pool.end()
    return registers


def _get(c: Registers, kind: Type, names: list[str], r: int, at: str) -> None:
    c.e.line(f"{names[r]} = {c.pool.read(kind, at)};")


def _guarded(
    c: Registers, layout: Layout, base: int, count: int, owner: str | None, act: Callable[[int, str], None]
) -> None:
    """Call act(register, index in the pool) for the registers whose elements are in base .. base + count."""
    size = 1 << len(layout.bits)
    high = log2(count)
    is_static = all(b == REG for b in layout.bits[high:])
    low = c.coordinate(layout, 0, high)
    groups: dict[str, list[tuple[int, str]]] = {}
    for r, offset in enumerate(layout.offsets):
        at = add(low, emit.i32(offset & (count - 1)))
        conditions = [owner] if owner else []
        if count < size:
            if is_static:
                if offset // count != base // count:
                    continue
            else:
                above = add(c.coordinate(layout, high, len(layout.bits)), emit.i32(offset // count))
                conditions.append(f"{above} == {base // count}i")
        groups.setdefault(" && ".join(conditions), []).append((r, at))
    for condition, places in groups.items():
        if condition:
            with c.block(f"if ({condition})"):
                for r, at in places:
                    act(r, at)
        else:
            for r, at in places:
                act(r, at)
