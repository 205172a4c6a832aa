"""Elementwise operations: one WGSL expression per register."""

from __future__ import annotations

from . import floats, integers
from .elements import Table, from_bits, to_bits, wgsl_type
from .emit import Emitter
from .errors import Refused
from .ir import Op

TABLE = Table(integers.TABLE | floats.TABLE)


@TABLE.lowers("arith.select")
def _select(e: Emitter, op: Op, args: list[str]) -> str:
    c, a, b = args
    if c in ("true", "false"):
        return a if c == "true" else b
    return a if a == b else f"select({b}, {a}, {c})"


@TABLE.lowers("tt.bitcast", "arith.bitcast")
def _bitcast(e: Emitter, op: Op, args: list[str]) -> str:
    source, target = op.operands[0].type, op.result.type
    if source.elem == target.elem:
        return args[0]
    if "i64" in (source.elem, target.elem):
        raise Refused(f"a bitcast of {source.elem} to {target.elem}")
    for kind in (source, target):
        wgsl_type(kind)
    return from_bits(e, target.elem, e.let(to_bits(e, source.elem, args[0])))
