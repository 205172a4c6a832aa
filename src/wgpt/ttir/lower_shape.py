"""Operations that move elements (gather, histogram, cat), and functions mapped over elements."""

from __future__ import annotations

from .elements import wgsl_type
from .emit import i32
from .errors import Refused
from .ir import Op
from .layout import REG, Layout, dims_bits, log2
from .lower import Lowering, handles
from .lower_reduce import combined


@handles("tt.gather")
def gather(c: Lowering, op: Op) -> None:
    source, index = op.operands
    axis = int(op.attrs["axis"])
    layout = c.layouts.of(index if id(index) not in c.lazy else op.result)
    where = c.home(source)
    values = c.regs(source, where)
    kind = source.type
    words = source.type.size * (2 if kind.elem == "i64" else 1)
    picks = c.low(index, layout)
    c.pool.begin(words)
    owner = c.owner(where)
    with c.block(f"if ({owner})" if owner else ""):
        for r, x in enumerate(values):
            c.pool.write(kind, c.element(where, r), x)
    c.pool.barrier()
    registers = []
    shape, out = source.type.shape, op.result.type.shape
    bits = dims_bits(out)
    strides = [1] * len(shape)
    for d in reversed(range(len(shape) - 1)):
        strides[d] = strides[d + 1] * shape[d + 1]
    for r, pick in enumerate(picks):
        at = f"clamp({pick}, 0i, {shape[axis] - 1}i) * {strides[axis]}i"
        for d, own in enumerate(bits):
            if d != axis and own:
                offset = sum((layout.offsets[r] >> k & 1) << i for i, k in enumerate(own))
                here = c.coordinate(layout, own[0], own[-1] + 1)
                at += f" + ({here} + {offset}i) * {strides[d]}i"
        registers.append(c.pool.read(kind, c.e.let(f"({at})")))
    c.pool.end()
    c.define(op.result, layout, registers)


@handles("tt.histogram")
def histogram(c: Lowering, op: Op) -> None:
    source = op.operands[0]
    mask = op.operands[1] if len(op.operands) > 1 else None
    bins = op.result.type.size
    if op.result.type.elem != "i32" or source.type.elem not in ("i32", "i64", "i8", "i16"):
        raise Refused(f"a histogram of {source.type.elem} in {op.result.type.elem}")
    layout = c.layouts.of(source)
    values = c.low(source, layout)
    masks = c.regs(mask, layout) if mask is not None else ["true"] * len(values)
    name = f"bins{bins}"
    c.globals[name] = f"var<workgroup> {name}: array<atomic<u32>, {bins}>;"
    target = c.layouts.of(op.result)
    places = [c.e.let(c.element(target, r)) for r in range(target.registers)]
    c.pool.barrier()
    for at in places:
        c.e.line(f"atomicStore(&{name}[{at}], 0u);")
    c.pool.barrier()
    owner = c.owner(layout)
    for x, condition in zip(values, masks, strict=True):
        conditions = [n for n in (owner, condition, f"{x} >= 0i", f"{x} < {bins}i") if n is not None and n != "true"]
        c.e.line(f"if ({' && '.join(conditions)}) {{ atomicAdd(&{name}[{x}], 1u); }}")
    c.pool.barrier()
    c.define(op.result, target, [c.e.named(f"bitcast<i32>(atomicLoad(&{name}[{at}]))") for at in places])


@handles("tt.map_elementwise")
def mapped(c: Lowering, op: Op) -> None:
    pack = int(op.attrs.get("pack", 1))
    layout = c.layouts.of(op.result)
    if pack > 1:  # neighbours are passed together, so one thread must hold them
        low = log2(pack)
        layout = Layout((*([REG] * low), *flat_above(op.result.type.size, low, c.threads)))
    body = op.regions[0]
    operands = [c.regs(v, layout) for v in op.operands]
    for result in op.results:
        wgsl_type(result.type)
    outputs: list[list[str]] = [[""] * layout.registers for _ in op.results]
    for start in range(0, layout.registers, pack):
        # Arguments are ordered by operand, then by neighbour.
        args = [regs[start + i] for regs in operands for i in range(pack)]
        out = combined(c, body, args, [], wide=False)
        for k, regs in enumerate(outputs):
            regs[start : start + pack] = out[k * pack : (k + 1) * pack]
    for result, regs in zip(op.results, outputs, strict=True):
        c.define(result, layout, regs)


def flat_above(size: int, low: int, threads: int) -> list[int]:
    """Layout bits for the element bits from `low` on: thread bits first, then register bits."""
    lanes = log2(threads)
    return [k if k < lanes else REG for k in range(log2(size) - low)]


@handles("tt.cat")
def cat(c: Lowering, op: Op) -> None:
    first, second = op.operands
    size = op.result.type.size
    kind = op.result.type
    words = size * (2 if kind.elem == "i64" else 1)
    parts = [(v, c.home(v)) for v in (first, second)]
    regs = [c.regs(v, where) for v, where in parts]
    c.pool.begin(words)
    for n, ((_, where), part) in enumerate(zip(parts, regs, strict=True)):
        owner = c.owner(where)
        with c.block(f"if ({owner})" if owner else ""):
            for r, x in enumerate(part):
                c.pool.write(kind, f"({c.element(where, r)} + {i32(n * first.type.size)})", x)
    c.pool.barrier()
    target = c.layouts.of(op.result)
    c.define(op.result, target, [c.pool.read(kind, c.element(target, r)) for r in range(target.registers)])
    c.pool.end()


_REFUSED = {
    "tt.int_to_ptr": "a pointer converted from an integer",
    "tt.ptr_to_int": "a pointer converted to an integer",
    "tt.elementwise_inline_asm": "inline assembly",
    "tt.descriptor_gather": "descriptor gather",
    "tt.descriptor_scatter": "descriptor scatter",
}


def _refuse(c: Lowering, op: Op) -> None:
    raise Refused(f"{_REFUSED[op.name]} is unsupported")


for _name in _REFUSED:
    handles(_name)(_refuse)
