"""tt.dot: both operands staged in workgroup memory, a 2-D tile of registers per thread."""

from __future__ import annotations

from .elements import rounded, unsupported, wgsl_type
from .emit import add, i32
from .errors import Refused
from .ir import Op, Type, Value
from .layout import REG, Layout, dims_bits, log2
from .lower import Lowering, handles
from .pool import of_word, word_of


@handles("tt.dot")
def dot(c: Lowering, op: Op) -> None:
    a, b, acc = op.operands
    kind = op.result.type
    shape = kind.shape
    inner = a.type.shape[-1]
    for value in (a, b, acc):
        if value.type.elem not in ("f16", "bf16", "f32", "i8", "i32"):
            raise Refused(f"dot of {unsupported(value.type) if value.type.elem[0] == 'f' else value.type.elem}")
    layout = c.layouts.of(op.result)
    start = c.regs(acc, layout)
    sources = [(v, c.home(v) if id(v) not in c.lazy else c.layouts.of(v)) for v in (a, b)]
    regs = [c.regs(v, where) for v, where in sources]
    batches = 1
    for n in shape[:-2]:
        batches *= n
    rows, columns = shape[-2], shape[-1]
    chunk = inner
    # A and a transposed B are written along the inner dimension: one more word per row avoids bank conflicts.
    stride, width_b = rows + 1, columns + (sources[1][1].bits[:1] != (0,))
    while batches * (stride + width_b) * chunk > c.pool.room and chunk > 1:
        chunk //= 2
    wgsl = wgsl_type(kind)
    whole = wgsl == "i32"
    totals = [c.e.var(wgsl, x) for x in start]
    size_a = batches * stride * chunk
    bits = dims_bits(shape)
    width = len(bits[-1])
    row_at = c.coordinate(layout, width, width + len(bits[-2]))
    column_at = c.coordinate(layout, 0, width)
    batch_at = c.coordinate(layout, width + len(bits[-2]), len(layout.bits))
    for base in range(0, inner, chunk):
        c.pool.begin(batches * (stride + width_b) * chunk)
        # A as [batch, k, row], B as [batch, k, column], so that a step of k reads contiguous elements.
        _stage(c, a, sources[0][1], regs[0], base, chunk, 0, stride, transposed=True)
        _stage(c, b, sources[1][1], regs[1], base, chunk, size_a, width_b, transposed=False)
        c.pool.barrier()
        k = c.e.fresh("k")
        with c.block(f"for (var {k} = 0i; {k} < {c.bound(chunk)}; {k} = {k} + 1i)"):
            offsets = [_split(o, width, len(bits[-2])) for o in layout.offsets]
            a_at = c.e.let(add(row_at, f"(({add(f'({batch_at} * {chunk}i)', k)}) * {stride}i)"))
            b_at = c.e.let(add(add(column_at, i32(size_a)), f"(({add(f'({batch_at} * {chunk}i)', k)}) * {width_b}i)"))
            left: dict[tuple[int, int], str] = {}
            right: dict[tuple[int, int], str] = {}
            for batch, row, column in offsets:
                if (batch, row) not in left:
                    left[batch, row] = c.e.named(_read(a.type, whole, add(a_at, i32(batch * chunk * stride + row))))
                if (batch, column) not in right:
                    at = add(b_at, i32(batch * chunk * width_b + column))
                    right[batch, column] = c.e.named(_read(b.type, whole, at))
            for name, (batch, row, column) in zip(totals, offsets, strict=True):
                x, y = left[batch, row], right[batch, column]
                c.e.line(f"{name} = {name} + {x} * {y};" if whole else f"{name} = fma({x}, {y}, {name});")
        c.pool.end()
    outputs = list(totals)
    if kind.elem in ("f16", "bf16"):
        outputs = [c.e.named(rounded(c.e, kind.elem, x)) for x in totals]
    c.define(op.result, layout, outputs)


def _read(kind: Type, whole: bool, index: str) -> str:
    return of_word(Type("i32") if whole else Type("f32"), f"pool[{index}]")


def _split(offset: int, width: int, height: int) -> tuple[int, int, int]:
    return offset >> (width + height), offset >> width & ((1 << height) - 1), offset & ((1 << width) - 1)


def _stage(
    c: Lowering,
    value: Value,
    layout: Layout,
    regs: list[str],
    base: int,
    chunk: int,
    start: int,
    stride: int,
    transposed: bool,
) -> None:
    """Write base .. base + chunk of an operand's inner dimension into the pool, one line per index."""
    bits = dims_bits(value.type.shape)
    inner_dim = -1 if transposed else -2
    outer_dim = -2 if transposed else -1
    inner, outer = bits[inner_dim], bits[outer_dim]
    owner = c.owner(layout)
    outer_at = c.coordinate(layout, outer[0] if outer else 0, (outer[-1] + 1) if outer else 0)
    matrix = len(inner) + len(outer)
    batch_at = c.coordinate(layout, matrix, len(layout.bits))
    high = log2(chunk)
    is_static = all(layout.bits[k] == REG for k in inner[high:])
    groups: dict[str, list[str]] = {}
    above = c.coordinate(layout, inner[high], inner[-1] + 1) if len(inner) > high else "0i"
    below = c.coordinate(layout, inner[0], inner[0] + high) if high else "0i"
    for r, expr in enumerate(regs):
        offset = layout.offsets[r]
        at_inner = _bits(offset, inner)
        at_outer = _bits(offset, outer)
        at_batch = offset >> matrix
        conditions = [owner] if owner else []
        where = add(below, i32(at_inner & (chunk - 1)))
        if len(inner) > high:
            if is_static:
                if at_inner // chunk != base // chunk:
                    continue
            else:
                conditions.append(f"{add(above, i32(at_inner // chunk))} == {base // chunk}i")
        batch = add(batch_at, i32(at_batch))
        line = where if batch == "0i" else f"({batch} * {chunk}i + {where})"
        index = add(add(f"({line} * {stride}i)", add(outer_at, i32(at_outer))), i32(start))
        groups.setdefault(" && ".join(conditions), []).append(f"pool[{index}] = {word_of(value.type, expr)};")
    for condition, lines in groups.items():
        if condition:
            with c.block(f"if ({condition})"):
                for text in lines:
                    c.e.line(text)
        else:
            for text in lines:
                c.e.line(text)


def _bits(offset: int, positions: list[int]) -> int:
    return sum((offset >> k & 1) << i for i, k in enumerate(positions))


@handles("tt.dot_scaled")
def scaled(c: Lowering, op: Op) -> None:
    raise Refused("dot_scaled: block-scaled formats are unsupported")
