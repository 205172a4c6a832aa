"""Control flow, which is uniform in Triton: for, if, while, branches of early returns, inlined functions."""

from __future__ import annotations

from .elements import wgsl_type
from .elementwise import TABLE
from .errors import Refused
from .hazards import Hazards
from .inline import INLINE
from .ir import Block, Op, Type, Value
from .layout import Layout
from .lower import Lowering, handles
from .lower_memory import before_loop
from .passes import SCALAR, successors
from .waiting import WAITS, waits


def carried(c: Lowering, value: Value, init: Value) -> tuple[Layout, list[str]]:
    """Variables for a value that changes between iterations."""
    layout = c.layouts.of(value)
    start = c.regs(init, layout)
    return layout, [c.e.var(wgsl_type(value.type), x) for x in start]


def declared(c: Lowering, value: Value) -> tuple[Layout, list[str]]:
    layout = c.layouts.of(value)
    return layout, [c.e.var(wgsl_type(value.type)) for _ in range(layout.registers)]


def assign(c: Lowering, variables: list[tuple[Layout, list[str]]], values: list[Value]) -> None:
    """Assign simultaneously: all new values are read before any variable is overwritten."""
    names = {name for _, regs in variables for name in regs}
    news = []
    for (layout, regs), value in zip(variables, values, strict=True):
        registers = c.regs(value, layout)
        news.append([x if x not in names or x == own else c.e.named(x) for own, x in zip(regs, registers, strict=True)])
    for (_, regs), registers in zip(variables, news, strict=True):
        for own, new in zip(regs, registers, strict=True):
            if own != new:
                c.e.line(f"{own} = {new};")


@handles("scf.for")
def for_loop(c: Lowering, op: Op) -> None:
    body = op.regions[0].block
    induction = body.args[0]
    kind = induction.type
    low, high, step = (c.uniformly(v) for v in op.operands[:3])
    variables = [carried(c, arg, init) for arg, init in zip(body.args[1:], op.operands[3:], strict=True)]
    before_loop(c, op)
    at_entry = c.hazards.copy()
    c.pool.busy = True
    name = c.e.fresh("i")
    long = kind.elem == "i64"
    wgsl = wgsl_type(kind)
    compare = _fake("arith.cmpi", [kind, kind], Type("i1"), predicate=6 if op.attrs.get("unsignedCmp") else 2)
    less = TABLE["arith.cmpi"](c.e, compare, [name, high])
    forward = c.e.call("l_add", name, step) if long else f"{name} + {step}"
    with c.block(f"for (var {name}: {wgsl} = {low}; {less}; {name} = {forward})"):
        c.define(induction, SCALAR, [name])
        for arg, (layout, regs) in zip(body.args[1:], variables, strict=True):
            c.define(arg, layout, regs)
        c.run(body.ops[:-1])
        assign(c, variables, body.ops[-1].operands)
    for result, (layout, regs) in zip(op.results, variables, strict=True):
        c.define(result, layout, regs)
    c.hazards.merge(at_entry)
    c.pool.busy = True


def _fake(name: str, operands: list[Type], result: Type, **attrs: object) -> Op:
    op = Op(name, [Value(t) for t in operands], attrs=dict(attrs))
    op.results = [Value(result, op)]
    return op


@handles("scf.if")
def branch(c: Lowering, op: Op) -> None:
    condition = c.uniformly(op.operands[0])
    variables = [declared(c, result) for result in op.results]
    start = c.hazards.copy()
    busy = c.pool.busy
    after: list[tuple[Hazards, bool]] = []
    heads = [f"if ({condition})", "else"]
    for head, region in zip(heads, op.regions, strict=False):
        if not region.blocks or not region.block.ops:
            continue
        if head == "else" and len(region.block.ops) == 1 and not op.results:
            continue
        c.hazards = start.copy()
        c.pool.busy = busy
        with c.block(head):
            c.run(region.block.ops[:-1])
            assign(c, variables, region.block.ops[-1].operands)
        after.append((c.hazards, c.pool.busy))
    c.hazards = start
    for hazards, was_busy in after:
        start.merge(hazards)
        busy = busy or was_busy
    c.pool.busy = busy
    for result, (layout, regs) in zip(op.results, variables, strict=True):
        c.define(result, layout, regs)


@handles("scf.while")
def while_loop(c: Lowering, op: Op) -> None:
    before, after = op.regions[0].block, op.regions[1].block
    if waits(op) and not c.options.locks:
        raise Refused(WAITS)
    variables = [carried(c, arg, init) for arg, init in zip(before.args, op.operands, strict=True)]
    results = [declared(c, result) for result in op.results]
    before_loop(c, op)
    at_entry = c.hazards.copy()
    c.pool.busy = True
    with c.block("loop"):
        for arg, (layout, regs) in zip(before.args, variables, strict=True):
            c.define(arg, layout, regs)
        c.run(before.ops[:-1])
        passed = before.ops[-1].operands
        assign(c, results, passed[1:])
        condition = c.uniformly(passed[0])
        c.e.line(f"if (!({condition})) {{ break; }}")
        for arg, (layout, regs) in zip(after.args, results, strict=True):
            c.define(arg, layout, regs)
        c.run(after.ops[:-1])
        assign(c, variables, after.ops[-1].operands)
    for result, (layout, regs) in zip(op.results, results, strict=True):
        c.define(result, layout, regs)
    c.hazards.merge(at_entry)
    c.pool.busy = True


@handles("cf.assert", "llvm.intr.assume")
def nothing(c: Lowering, op: Op) -> None:
    pass


def run_blocks(c: Lowering, block: Block, results: list[tuple[Layout, list[str]]], depth: int = 0) -> None:
    """Lower a block and, nested inside it, the blocks it branches to; they form no loops."""
    if depth > 12:
        raise Refused("too many branches to other blocks in one function")
    c.run(block.ops[:-1])
    last = block.ops[-1]
    if last.name.endswith("return"):
        assign(c, results, last.operands)
    elif last.name == "cf.br":
        _enter(c, last, 0, results, depth)
    elif last.name == "cf.cond_br":
        condition = c.uniformly(last.operands[0])
        start, busy = c.hazards.copy(), c.pool.busy
        ends = []
        for k, head in enumerate((f"if ({condition})", "else")):
            c.hazards, c.pool.busy = start.copy(), busy
            with c.block(head):
                _enter(c, last, k, results, depth)
            ends.append((c.hazards, c.pool.busy))
        c.hazards = start
        for hazards, was_busy in ends:
            start.merge(hazards)
            busy = busy or was_busy
        c.pool.busy = busy
    else:
        c.lower(last)


def _enter(c: Lowering, op: Op, k: int, results: list[tuple[Layout, list[str]]], depth: int) -> None:
    block, values = successors(op)[k]
    for arg, value in zip(block.args, values, strict=True):
        layout = c.layouts.of(arg)
        c.define(arg, layout, c.regs(value, layout))
    run_blocks(c, block, results, depth + 1)


@handles(INLINE)
def inlined(c: Lowering, op: Op) -> None:
    region = op.regions[0]
    results = [declared(c, result) for result in op.results]
    with c.block():
        for arg, value in zip(region.block.args, op.operands, strict=True):
            layout = c.layouts.of(arg)
            c.define(arg, layout, c.regs(value, layout))
        run_blocks(c, region.block, results)
    for result, (layout, regs) in zip(op.results, results, strict=True):
        c.define(result, layout, regs)


@handles("tt.get_program_id")
def program_id(c: Lowering, op: Op) -> None:
    c.uses_program_id = True
    c.define(op.result, SCALAR, [f"pid_{'xyz'[int(op.attrs['axis'])]}"])


@handles("tt.get_num_programs")
def num_programs(c: Lowering, op: Op) -> None:
    c.uses_num_programs = True
    c.define(op.result, SCALAR, [f"npid_{'xyz'[int(op.attrs['axis'])]}"])
