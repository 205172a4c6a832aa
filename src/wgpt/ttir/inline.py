"""Inlines device functions that Triton left as calls."""

from __future__ import annotations

from .errors import Refused
from .ir import Block, Module, Op, Region, Value

INLINE = "wgpt.inline"  # an operation with one region, whose tt.return gives the results


def inline_calls(module: Module) -> None:
    """Replace every tt.call, innermost last. Recursion is unsupported."""
    for block in _blocks(module.kernel):
        _inline_block(module, block, [module.entry])
    module.functions = {module.entry: module.kernel}


def _blocks(op: Op) -> list[Block]:
    return [block for region in op.regions for block in region.blocks]


def _inline_block(module: Module, block: Block, stack: list[str]) -> None:
    for op in block.ops:
        if op.name == "tt.call":
            name = str(op.attrs["callee"])
            if name in stack:
                raise Refused(f"{name} calls itself", line=op.line)
            op.name = INLINE
            op.regions = [_cloned(module.functions[name].regions[0], {})]
            for inner in op.regions[0].blocks:
                _inline_block(module, inner, [*stack, name])
        for inner in _blocks(op):
            _inline_block(module, inner, stack)


def _cloned(region: Region, copies: dict[int, Value]) -> Region:
    blocks = {id(b): Block() for b in region.blocks}
    for old in region.blocks:
        new = blocks[id(old)]
        for arg in old.args:
            copies[id(arg)] = Value(arg.type, None, arg.index, new, arg.name)
            new.args.append(copies[id(arg)])
    for old in region.blocks:
        for op in old.ops:
            copy = Op(op.name, [copies.get(id(v), v) for v in op.operands], attrs=dict(op.attrs), line=op.line)
            for result in op.results:
                copies[id(result)] = Value(result.type, copy, result.index, name=result.name)
                copy.results.append(copies[id(result)])
            copy.regions = [_cloned(r, copies) for r in op.regions]
            copy.successors = [blocks[id(b)] for b in op.successors]
            blocks[id(old)].ops.append(copy)
    return Region([blocks[id(b)] for b in region.blocks])
