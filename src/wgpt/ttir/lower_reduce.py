"""Reductions and scans with any combine function: first in registers, then across threads in workgroup memory."""

from __future__ import annotations

from .elements import rounded, wgsl_type
from .emit import add, i32
from .ir import Op, Region, Type
from .layout import Layout, along, dims_bits, log2
from .lower import Lowering, handles
from .lower_control import run_blocks
from .passes import SCALAR

_FEW = 4  # with more results per thread, threads share the work
_GROUP = 4  # thread bits per round through workgroup memory


def combined(c: Lowering, region: Region, first: list[str], second: list[str], wide: bool = True) -> list[str]:
    """The combine function, inlined for one pair."""
    outer = c.in_combine, c.e.wide
    c.in_combine, c.e.wide = True, wide
    block = region.block
    if len(region.blocks) == 1:
        c.push()
        for arg, expr in zip(block.args, [*first, *second], strict=True):
            c.define(arg, SCALAR, [expr])
        c.run(block.ops[:-1])
        outputs = [c.scalar(v) for v in block.ops[-1].operands]
        c.pop()
    else:
        last = next(b.ops[-1] for b in region.blocks if b.ops[-1].name.endswith("return"))
        results = [(SCALAR, [c.e.var(wgsl_type(v.type))]) for v in last.operands]
        with c.block():
            for arg, expr in zip(block.args, [*first, *second], strict=True):
                c.define(arg, SCALAR, [expr])
            run_blocks(c, block, results)
        outputs = [regs[0] for _, regs in results]
    c.in_combine, c.e.wide = outer
    return outputs


@handles("tt.reduce")
def reduce(c: Lowering, op: Op) -> None:
    axis = int(op.attrs["axis"])
    source = op.operands[0]
    shape = source.type.shape
    layout = c.layouts.of(next((v for v in op.operands if id(v) not in c.lazy), source))
    own = set(dims_bits(shape)[axis])
    kept = [k for k in range(len(layout.bits)) if k not in own]
    target = layout.select(kept)
    body = op.regions[0]
    operands = [c.regs(v, layout) for v in op.operands]
    kinds = [v.type for v in op.operands]
    # First within the registers that differ only along the axis.
    groups: dict[int, list[int]] = {}
    for r, offset in enumerate(layout.offsets):
        groups.setdefault(target.register_at(_packed(offset, kept)), []).append(r)
    results: list[list[str]] = []
    for register in range(target.registers):
        members = groups[register]
        value = [regs[members[0]] for regs in operands]
        for r in members[1:]:
            value = combined(c, body, value, [regs[r] for regs in operands])
        results.append(value)
    ordered = [layout.bits[k] for k in sorted(own) if layout.bits[k] >= 0]
    if ordered and len(results) > _FEW:
        results = _across_many(c, body, kinds, results, ordered)
        ordered = []
    rounds = -(-len(ordered) // _GROUP) if ordered else 0
    for n in range(rounds):
        size = -(-len(ordered) // (rounds - n))
        ordered, bits = ordered[:-size], ordered[-size:]
        results = _across(c, body, kinds, results, bits)
    for k, result in enumerate(op.results):
        c.define(result, target, [_narrow(c, result.type, value[k]) for value in results])


def _packed(offset: int, kept: list[int]) -> int:
    return sum((offset >> k & 1) << i for i, k in enumerate(kept))


def _across(c: Lowering, body: Region, kinds: list[Type], values: list[list[str]], bits: list[int]) -> list[list[str]]:
    """Combine the 2^len(bits) threads that differ in these bits; all of them get the result."""
    types = kinds
    words = sum(2 if k.elem == "i64" else 1 for k in types)
    per_round = max(1, c.pool.room // (words * c.threads))
    totals: list[list[str]] = []
    mask = sum(1 << b for b in bits)
    base = c.prologue(f"lane & {(c.threads - 1) & ~mask}i")
    for start in range(0, len(values), per_round):
        part = values[start : start + per_round]
        c.pool.begin(len(part) * words * c.threads)
        places: list[list[tuple[int, int]]] = []
        at = 0
        for value in part:
            row = []
            for kind, expr in zip(types, value, strict=True):
                long = 2 if kind.elem == "i64" else 1
                row.append((at, long))
                c.pool.write(kind, _place("lane", at, long), expr)
                at += long * c.threads
            places.append(row)
        c.pool.barrier()
        for row in places:
            parts = []
            for k in range(1 << len(bits)):
                partner = sum(1 << b for i, b in enumerate(bits) if k >> i & 1)
                who = base if partner == 0 else add(base, i32(partner))
                spots = zip(types, row, strict=True)
                parts.append([c.pool.read(kind, _place(who, at, long)) for kind, (at, long) in spots])
            # Combine halves first, as Triton does: the result for NaN may depend on the order.
            while len(parts) > 1:
                half = len(parts) // 2
                parts = [combined(c, body, x, y) for x, y in zip(parts[:half], parts[half:], strict=True)]
            total = parts[0]
            totals.append(total)
        c.pool.end()
    return totals


def _spread(value: str, bits: list[int]) -> str:
    """The bits of a number moved to these positions, lowest first."""
    parts = []
    for at, low, length in Layout(tuple(bits)).runs():
        part = f"(({value} >> {low}u) & {(1 << length) - 1}i)" if low else f"({value} & {(1 << length) - 1}i)"
        parts.append(f"({part} << {at}u)" if at else part)
    return f"({' | '.join(parts)})" if parts else "0i"


def _gathered(value: str, bits: list[int]) -> str:
    """The bits at these positions, packed into a number."""
    parts = []
    for at, low, length in Layout(tuple(bits)).runs():
        part = f"(({value} >> {at}u) & {(1 << length) - 1}i)" if at else f"({value} & {(1 << length) - 1}i)"
        parts.append(f"({part} << {low}u)" if low else part)
    return f"({' | '.join(parts)})" if parts else "0i"


def _across_many(
    c: Lowering, body: Region, kinds: list[Type], values: list[list[str]], bits: list[int]
) -> list[list[str]]:
    """The same for many results: each is computed by a few threads in a loop, and read by all that need it."""
    long = [2 if k.elem == "i64" else 1 for k in kinds]
    words = sum(long)
    group = 1 << len(bits)
    others = [b for b in range(log2(c.threads)) if b not in bits]
    columns = c.threads // group
    per_round = group
    while per_round > 1 and per_round * words * c.threads > c.pool.room:
        per_round //= 2
    combinations: list[list[str]] = []
    for start in range(0, len(values), per_round):
        part = values[start : start + per_round]
        outputs = len(part) * columns
        share = max(1, min(group, c.threads // outputs))  # threads that work on one result
        starts = [sum(long[:i]) * len(part) * c.threads for i in range(len(kinds))]
        c.pool.begin(len(part) * words * c.threads)
        for r, value in enumerate(part):
            for kind, n, at, expr in zip(kinds, long, starts, value, strict=True):
                c.pool.write(kind, _place("lane", at + r * n * c.threads, n), expr)
        c.pool.barrier()
        each = group // share
        output = c.prologue(f"(lane / {share}i) % {outputs}i")
        column = c.prologue(f"({output}) % {columns}i")
        line = c.prologue(f"(({output}) / {columns}i) * {c.threads}i + {_spread(column, others)}")
        first = c.prologue(f"(lane % {share}i) * {each}i")
        totals = _looped(
            c,
            body,
            kinds,
            long,
            starts,
            each,
            f"({line} + {_spread(f'({first} + @)', bits)})",
        )
        c.pool.barrier()
        if share > 1:
            for kind, n, at, name in zip(kinds, long, starts, totals, strict=True):
                c.pool.write(kind, _place("lane", at, n), name)
            c.pool.barrier()
            totals = _looped(
                c,
                body,
                kinds,
                long,
                starts,
                share,
                f"((lane % {c.threads // share}i) * {share}i + @)",
            )
            c.pool.barrier()
        with c.block(f"if (lane < {outputs}i)"):
            for kind, n, at, name in zip(kinds, long, starts, totals, strict=True):
                c.pool.write(kind, _place("lane", at, n), name)
        c.pool.barrier()
        mine = c.prologue(_gathered("lane", others)) if others else "0i"
        for r in range(len(part)):
            spots = zip(kinds, long, starts, strict=True)
            combinations.append([c.pool.read(k, _place(add(mine, i32(r * columns)), at, n)) for k, n, at in spots])
        c.pool.end()
    return combinations


def _looped(
    c: Lowering,
    body: Region,
    kinds: list[Type],
    long: list[int],
    starts: list[int],
    count: int,
    where: str,
) -> list[str]:
    """Variables with the combination of `count` entries of the pool; `where` is the index of entry number @."""

    def read(k: str) -> list[str]:
        at = c.e.let(where.replace("@", k))
        return [c.pool.read(kind, _place(at, start, n)) for kind, n, start in zip(kinds, long, starts, strict=True)]

    totals = [c.e.var(wgsl_type(kind), x) for kind, x in zip(kinds, read("0i"), strict=True)]
    if count > 1:
        step = c.e.fresh("s")
        with c.block(f"for (var {step} = 1i; {step} < {c.bound(count)}; {step} = {step} + 1i)"):
            new = combined(c, body, list(totals), read(step))
            for name, x in zip(totals, [c.e.named(x) for x in new], strict=True):
                c.e.line(f"{name} = {x};")
    return totals


def _place(index: str, at: int, long: int) -> str:
    """An index into the pool in units of the element; the preceding data is a multiple of its size."""
    return add(index, i32(-(-at // long)))


@handles("tt.scan")
def scan(c: Lowering, op: Op) -> None:
    axis, backwards = int(op.attrs["axis"]), bool(op.attrs.get("reverse", False))
    shape = op.operands[0].type.shape
    layout = along(shape, axis, c.threads)
    bits = dims_bits(shape)[axis]
    body = op.regions[0]
    operands = [c.regs(v, layout) for v in op.operands]
    kinds = [v.type for v in op.operands]
    inside = [k for k in bits if layout.bits[k] < 0]
    across = [k for k in bits if layout.bits[k] >= 0]
    # One line of registers per combination of register bits outside the axis.
    lines: dict[int, list[int]] = {}
    along_mask = sum(1 << k for k in inside)
    for r, offset in enumerate(layout.offsets):
        lines.setdefault(offset & ~along_mask, []).append(r)
    scanned = [list(regs) for regs in operands]
    for members in lines.values():
        ordered = members[::-1] if backwards else members
        value = [regs[ordered[0]] for regs in operands]
        for r in ordered[1:]:
            value = combined(c, body, value, [regs[r] for regs in operands])
            for regs, x in zip(scanned, value, strict=True):
                regs[r] = x
    if across:
        for members in lines.values():
            _scan_threads(c, body, kinds, scanned, members, [layout.bits[k] for k in across], backwards)
    for result, regs in zip(op.results, scanned, strict=True):
        c.define(result, layout, [_narrow(c, result.type, x) for x in regs])


def _narrow(c: Lowering, kind: Type, value: str) -> str:
    """Round the result of a reduction: halves are combined in f32 and rounded once, at the end."""
    return c.e.let(rounded(c.e, kind.elem, value)) if kind.elem in ("f16", "bf16") else value


def _scan_threads(
    c: Lowering,
    body: Region,
    kinds: list[Type],
    scanned: list[list[str]],
    members: list[int],
    bits: list[int],
    backwards: bool,
) -> None:
    """Combine the totals of the earlier threads of the line into this thread's registers."""
    last = members[0] if backwards else members[-1]
    long = [2 if k.elem == "i64" else 1 for k in kinds]
    c.pool.begin(sum(long) * c.threads)
    places = []
    at = 0
    for kind, n, regs in zip(kinds, long, scanned, strict=True):
        places.append((at, n))
        c.pool.write(kind, _place("lane", at, n), regs[last])
        at += n * c.threads
    c.pool.barrier()
    mask = sum(1 << b for b in bits)
    base = c.prologue(f"lane & {(c.threads - 1) & ~mask}i")
    low = bits[0]  # the thread bits of an axis are consecutive and in order
    mine = c.prologue(f"(lane >> {low}u) & {(1 << len(bits)) - 1}i")
    count = c.prologue(f"{(1 << len(bits)) - 1}i - ({mine})") if backwards else mine

    def read(position: str) -> list[str]:
        who = c.e.let(f"{base} + (({position}) << {low}u)")
        return [c.pool.read(kind, _place(who, at, n)) for kind, (at, n) in zip(kinds, places, strict=True)]

    outs = [[c.e.var(wgsl_type(kind), regs[r]) for r in members] for kind, regs in zip(kinds, scanned, strict=True)]
    with c.block(f"if ({count} > 0i)"):
        end = (1 << len(bits)) - 1
        first = read(f"{end}i" if backwards else "0i")
        totals = [c.e.var(wgsl_type(kind), x) for kind, x in zip(kinds, first, strict=True)]
        step = c.e.fresh("s")
        with c.block(f"for (var {step} = 1i; {step} < {count}; {step} = {step} + 1i)"):
            other = read(f"{end}i - {step}" if backwards else step)
            new = combined(c, body, list(totals), other)
            for name, x in zip(totals, [c.e.named(x) for x in new], strict=True):
                c.e.line(f"{name} = {x};")
        before = [c.e.named(t) for t in totals]
        for i, r in enumerate(members):
            new = combined(c, body, before, [regs[r] for regs in scanned])
            for out, x in zip(outs, new, strict=True):
                c.e.line(f"{out[i]} = {x};")
    c.pool.end()
    for regs, out in zip(scanned, outs, strict=True):
        for i, r in enumerate(members):
            regs[r] = out[i]
