"""Scalar induction: replaces loop-carried tensors (mostly pointers) that a loop only shifts by a scalar.

    x = init; for ...: x = x + splat(d)     becomes     s = 0; for ...: use init + splat(s); s = s + d

Only the scalar is carried. The tensor is a lazy expression of its initial value, and needs no registers.
"""

from __future__ import annotations

from .ir import Block, Op, Type, Value


def scalar_induction(kernel: Op) -> None:
    for region in kernel.regions:
        for block in region.blocks:
            _in_block(kernel, block)


def _in_block(root: Op, block: Block) -> None:
    at = 0
    while at < len(block.ops):
        op = block.ops[at]
        for region in op.regions:
            for inner in region.blocks:
                _in_block(root, inner)  # innermost first: the sum of an inner loop is a step of the outer one
        if op.name == "scf.for":
            for k in range(len(op.results)):
                _carry_scalar(root, block, op, k)
            at = block.ops.index(op)
        at += 1


def new_op(name: str, operands: list[Value], kind: Type, **attrs: object) -> Op:
    op = Op(name, operands, attrs=dict(attrs))
    op.results = [Value(kind, op)]
    return op


def replace_uses(root: Op, old: Value, new: Value) -> None:
    for op in root.walk():
        if any(v is old for v in op.operands):
            op.operands = [new if v is old else v for v in op.operands]


def splat_source(value: Value) -> Value | int | None:
    """The scalar or constant that all elements of a tensor are equal to; None if it is not known."""
    while value.op is not None and value.op.name in ("tt.broadcast", "tt.expand_dims", "tt.reshape"):
        value = value.op.operands[0]
    if value.op is None:
        return None
    if value.op.name == "tt.splat":
        return value.op.operands[0]
    if value.op.name == "arith.constant" and isinstance(value.op.attrs["value"], int):
        return int(value.op.attrs["value"])
    return None


def _step(arg: Value, yielded: Value) -> tuple[str, Value] | None:
    """(operation, increment) if the loop only adds to the argument, otherwise None."""
    op = yielded.op
    if op is None:
        return None
    if op.name == "tt.addptr" and op.operands[0] is arg:
        return op.name, op.operands[1]
    if op.name == "arith.addi" and arg.type.elem in ("i32", "i64"):
        for mine, other in (op.operands, op.operands[::-1]):
            if mine is arg:
                return op.name, other
    return None


def _carry_scalar(root: Op, block: Block, loop: Op, k: int) -> None:
    body = loop.regions[0].block
    arg, init, result = body.args[k + 1], loop.operands[k + 3], loop.results[k]
    step = _step(arg, body.ops[-1].operands[k])
    if not arg.type.shape or step is None:
        return
    name, added = step
    delta = splat_source(added)
    kind = added.type.scalar
    if delta is None or kind.elem not in ("i32", "i64"):
        return
    setup = [new_op("arith.constant", [], kind, value=0)]
    if isinstance(delta, int):
        setup.append(new_op("arith.constant", [], kind, value=delta))
        delta = setup[-1].result
    counter = Value(kind, None, arg.index, body, f"{arg.name}_shift")
    body.args[k + 1] = counter
    spread = new_op("tt.splat", [counter], kind.with_shape(arg.type.shape))
    shifted = new_op(name, [init, spread.result], arg.type)
    replace_uses(loop, arg, shifted.result)
    total = new_op("arith.addi", [counter, delta], kind)
    body.ops[0:0] = [spread, shifted]
    body.ops[-1:-1] = [total]
    body.ops[-1].operands = [total.result if i == k else v for i, v in enumerate(body.ops[-1].operands)]
    loop.operands = [setup[0].result if i == k + 3 else v for i, v in enumerate(loop.operands)]
    loop.results[k] = Value(kind, loop, k)
    spread_after = new_op("tt.splat", [loop.results[k]], kind.with_shape(arg.type.shape))
    after = new_op(name, [init, spread_after.result], arg.type)
    replace_uses(root, result, after.result)
    at = block.ops.index(loop)
    block.ops[at : at + 1] = [*setup, loop, spread_after, after]
