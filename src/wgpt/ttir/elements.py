"""How elements of each type are represented in WGSL, and helpers for operations on them.

i1 is a bool; i8, i16 and i32 are an i32 (sign-extended); i64 is a vec2<u32>; f16, bf16 and f32 are an f32, and every
result is rounded to the type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import emit
from .emit import Emitter, i32, i64, int_of, u32
from .errors import Refused
from .ir import Op, Type

Lower = Callable[[Emitter, Op, list[str]], str]  # from the expressions of the operands to that of the result

WGSL = {"i1": "bool", "i8": "i32", "i16": "i32", "i32": "i32", "i64": "vec2<u32>"}
WGSL |= {"f16": "f32", "bf16": "f32", "f32": "f32", "ptr": "i32", "index": "i32"}


class Table(dict[str, Lower]):
    """Operations by name."""

    def lowers(self, *names: str) -> Callable[[Lower], Lower]:
        def keep(fn: Lower) -> Lower:
            self.update(dict.fromkeys(names, fn))
            return fn

        return keep


def wgsl_type(kind: Type) -> str:
    """The WGSL type that represents an element of this type."""
    if kind.elem not in WGSL:
        raise Refused(unsupported(kind))
    return WGSL[kind.elem]


def unsupported(kind: Type) -> str:
    if kind.elem == "f64":
        return "f64: WebGPU has no 64-bit floats; use float32"
    if kind.elem.startswith("f8"):
        return f"{kind.elem}: 8-bit floats are unsupported; use float16 or bfloat16"
    return f"values of type {kind} are unsupported"


def elem_of(op: Op) -> str:
    """The type that an operation works on."""
    return op.operands[0].type.elem


def rounded(e: Emitter, elem: str, expr: str) -> str:
    """An f32 rounded to the float type `elem`."""
    if elem == "f32" or (e.wide and elem in ("f16", "bf16")):
        return expr
    if elem in ("f16", "bf16"):
        return e.call(f"round_{elem}", expr)
    raise Refused(unsupported(Type(elem)))


def wrapped(e: Emitter, elem: str, expr: str) -> str:
    """An i32 truncated to a narrower integer type and sign-extended."""
    if elem in ("i32", "index"):
        return expr
    literal = int_of(expr)
    width = int(elem[1:])
    if literal is not None:
        return i32((literal + (1 << (width - 1))) % (1 << width) - (1 << (width - 1)))
    return e.call("sext", expr, u32(width))


def unsigned(elem: str, expr: str) -> str:
    """An integer of up to 32 bits as u32, zero-extended."""
    literal = int_of(expr)
    width = 32 if elem == "index" else int(elem[1:])
    if literal is not None:
        return u32(literal & ((1 << width) - 1))
    if width == 32:
        return f"bitcast<u32>({expr})"
    return f"(bitcast<u32>({expr}) & {hex((1 << width) - 1)}u)"


def constant(e: Emitter, value: Any, kind: Type) -> str:
    """A literal of an element type."""
    elem = kind.elem
    if isinstance(value, list):
        raise Refused("a constant tensor with more than one value")
    if elem == "i1":
        return "true" if value else "false"
    if elem == "i64":
        return i64(int(value))
    if elem in ("i8", "i16", "i32", "index"):
        return wrapped(e, elem, i32(int(value)))
    if elem in ("f16", "bf16", "f32"):
        return emit.f32(float(value), e)
    raise Refused(unsupported(kind))


def to_bits(e: Emitter, elem: str, expr: str) -> str:
    """The bits of an element of up to 32 bits, as u32."""
    if elem == "i1":
        return f"select(0u, 1u, {expr})"
    if elem == "f32":
        return f"bitcast<u32>({expr})"
    if elem == "f16":
        return e.call("half_bits", expr)
    if elem == "bf16":
        return f"(bitcast<u32>({expr}) >> 16u)"
    return unsigned(elem, expr)


def from_bits(e: Emitter, elem: str, expr: str) -> str:
    """An element from its bits; the other bits of the u32 are 0."""
    if elem == "i1":
        return f"({expr} != 0u)"
    if elem == "f32":
        return f"bitcast<f32>({expr})"
    if elem == "f16":
        return e.call("from_half", expr)
    if elem == "bf16":
        return f"bitcast<f32>({expr} << 16u)"
    return wrapped(e, elem, f"bitcast<i32>({expr})")


def memory_bytes(elem: str) -> int:
    """Bytes of an element in memory: i1 takes one."""
    sizes = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4}
    if elem not in sizes:
        raise Refused(unsupported(Type(elem)) if elem != "ptr" else "a pointer to pointers")
    return sizes[elem]
