"""Emits WGSL text: statements, names, scopes, helper functions. Independent of Triton."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager

from . import helpers

_ATOM = re.compile(r"[A-Za-z_]\w*(?:\.[a-z]\w*)*|\d[\w.]*|\(-\d[\w.]*\)")
_INT = re.compile(r"\(?(-?\d+)i\)?")


class Emitter:
    """Collects the body of `main`. `let` names a pure expression once per scope."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.helpers: set[str] = set()
        self.wide = False  # inside a reduction, halves stay in f32 and are rounded at the end
        self._known: list[dict[str, str]] = [{}]
        self._count = 0
        self._indent = 1

    def fresh(self, prefix: str = "v") -> str:
        self._count += 1
        return f"{prefix}{self._count}"

    def line(self, text: str) -> None:
        self.lines.append("    " * self._indent + text)

    def let(self, expr: str) -> str:
        """A name for a pure expression; the same expression gets the same name."""
        if _ATOM.fullmatch(expr):
            return expr
        for scope in reversed(self._known):
            if expr in scope:
                return scope[expr]
        name = self.fresh()
        self.line(f"let {name} = {expr};")
        self._known[-1][expr] = name
        return name

    def named(self, expr: str, prefix: str = "v") -> str:
        """A new name for the current value of an impure expression."""
        name = self.fresh(prefix)
        self.line(f"let {name} = {expr};")
        return name

    def var(self, kind: str, value: str | None = None, prefix: str = "m") -> str:
        name = self.fresh(prefix)
        self.line(f"var {name}: {kind};" if value is None else f"var {name}: {kind} = {value};")
        return name

    @contextmanager
    def block(self, head: str = "") -> Iterator[None]:
        self.line(f"{head} {{".strip())
        self._indent += 1
        self._known.append({})
        yield
        self._known.pop()
        self._indent -= 1
        self.line("}")

    def call(self, name: str, *args: str) -> str:
        """A call of a helper function, which is added to the shader."""
        self.helpers.add(name)
        return f"{name}({', '.join(args)})"

    def source_of_helpers(self) -> str:
        return helpers.source(self.helpers)


def int_of(expr: str) -> int | None:
    """The value of an i32 literal; None if it is not a literal."""
    match = _INT.fullmatch(expr)
    return int(match.group(1)) if match else None


def i32(value: int) -> str:
    value = (value + 2**31) % 2**32 - 2**31
    if value == -(2**31):
        return "i32(-2147483648)"
    return f"{value}i" if value >= 0 else f"({value}i)"


def u32(value: int) -> str:
    return f"{value & 0xFFFFFFFF}u"


def i64(value: int) -> str:
    value &= 2**64 - 1
    return f"vec2<u32>({value & 0xFFFFFFFF}u, {value >> 32}u)"


def f32(value: float, emitter: Emitter) -> str:
    """A literal; inf, NaN and subnormal numbers are written as their bits."""
    if math.isfinite(value):
        try:
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
        except OverflowError:
            bits = 0x7F800000 if value > 0 else 0xFF800000
    else:
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
    exponent = bits >> 23 & 0xFF
    if exponent == 0xFF or (exponent == 0 and bits & 0x7FFFFF):
        return emitter.call("special", u32(bits))
    exact = struct.unpack("<f", struct.pack("<I", bits))[0]
    text = shortest(exact)
    return f"({text}f)" if text.startswith("-") else f"{text}f"


def shortest(value: float) -> str:
    """The shortest decimal that parses to the same f32."""
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if struct.pack("<f", float(text)) == struct.pack("<f", value):
            return text if "." in text or "e" in text else f"{text}.0"
    return f"{value:.9g}"


def add(a: str, b: str) -> str:
    """a + b of i32, with literals folded."""
    x, y = int_of(a), int_of(b)
    if x is not None and y is not None:
        return i32(x + y)
    if x == 0:
        return b
    return a if y == 0 else f"({a} + {b})"


def mul(a: str, b: str) -> str:
    """a * b of i32, with literals folded."""
    x, y = int_of(a), int_of(b)
    if x is not None and y is not None:
        return i32(x * y)
    if x == 0 or y == 0:
        return "0i"
    if x == 1:
        return b
    return a if y == 1 else f"({a} * {b})"
