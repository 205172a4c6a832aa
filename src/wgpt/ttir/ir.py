"""The typed IR: Triton's operations as plain Python objects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Type:
    """A scalar, a pointer, or a tensor of either. `shape` is () for a scalar."""

    elem: str  # i1 i8 i16 i32 i64 f16 bf16 f32, "ptr", or another type as in the text
    shape: tuple[int, ...] = ()
    pointee: str = ""  # element type of a pointer
    block: tuple[int, ...] = ()  # shape of a block pointer or tensor descriptor

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def is_ptr(self) -> bool:
        return self.elem == "ptr"

    @property
    def is_int(self) -> bool:
        return self.elem[0] == "i" and self.elem[1:].isdigit()

    @property
    def is_float(self) -> bool:
        return self.elem in ("f16", "bf16", "f32", "f64") or self.elem.startswith("f8")

    @property
    def bits(self) -> int:
        return BITS[self.elem]

    def with_shape(self, shape: tuple[int, ...]) -> Type:
        return Type(self.elem, shape, self.pointee, self.block)

    @property
    def scalar(self) -> Type:
        return self.with_shape(())

    def __str__(self) -> str:
        elem = f"!tt.ptr<{self.pointee}>" if self.is_ptr else self.elem
        return f"tensor<{'x'.join(map(str, self.shape))}x{elem}>" if self.shape else elem


BITS = {"i1": 1, "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}


@dataclass(eq=False)
class Value:
    """The result of an operation, or a block argument (then `op` is None)."""

    type: Type
    op: Op | None = None
    index: int = 0
    block: Block | None = None
    name: str = ""


@dataclass(eq=False)
class Op:
    """One operation: dialect.name, operands, results, attributes, regions, successors."""

    name: str
    operands: list[Value]
    results: list[Value] = field(default_factory=list)
    attrs: dict[str, Any] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)
    successors: list[Block] = field(default_factory=list)
    line: str = ""

    @property
    def result(self) -> Value:
        return self.results[0]

    def walk(self) -> Iterator[Op]:
        """This operation and all operations inside it."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for op in block.ops:
                    yield from op.walk()


@dataclass(eq=False)
class Block:
    args: list[Value] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)


@dataclass(eq=False)
class Region:
    blocks: list[Block] = field(default_factory=list)

    @property
    def block(self) -> Block:
        return self.blocks[0]


@dataclass(eq=False)
class Module:
    """Functions by name; `entry` is the kernel."""

    functions: dict[str, Op]
    entry: str

    @property
    def kernel(self) -> Op:
        return self.functions[self.entry]
