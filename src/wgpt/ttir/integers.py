"""Elementwise operations on integers."""

from __future__ import annotations

from collections.abc import Callable

from .elements import Table, elem_of, unsigned, wrapped
from .emit import Emitter, add, i32, int_of, mul, u32
from .errors import Refused
from .ir import Op

TABLE = Table()


def _integer(name: str, narrow: Callable[[str, str], str], long: str, on_bool: str | None = None) -> None:
    def lower(e: Emitter, op: Op, args: list[str]) -> str:
        elem = elem_of(op)
        if elem == "i64":
            return e.call(long, *args)
        if elem == "i1":
            if on_bool is None:
                raise Refused(f"{op.name} of i1")
            return on_bool.format(*args)
        return wrapped(e, elem, narrow(*args))

    TABLE[name] = lower


_integer("arith.addi", add, "l_add", "({0} != {1})")
_integer("arith.subi", lambda a, b: _subtract(a, b), "l_sub", "({0} != {1})")
_integer("arith.muli", mul, "l_mul", "({0} & {1})")
_integer("arith.divsi", lambda a, b: f"({a} / {b})", "l_sdiv", "({0} & {1})")
_integer("arith.remsi", lambda a, b: f"({a} % {b})", "l_srem", "({0} & !{1})")


def _subtract(a: str, b: str) -> str:
    x, y = int_of(a), int_of(b)
    if x is not None and y is not None:
        return i32(x - y)
    return a if y == 0 else f"({a} - {b})"


@TABLE.lowers("arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui")
def _min_max(e: Emitter, op: Op, args: list[str]) -> str:
    elem, fn = elem_of(op), op.name[6:9]
    signed = op.name.endswith("si")
    if elem == "i64":
        less = e.call("l_slt" if signed else "l_ult", *args)
        a, b = args
        return f"select({b}, {a}, {less})" if fn == "min" else f"select({a}, {b}, {less})"
    if elem == "i1":
        # As a signed number, true is -1.
        return f"({args[0]} {'|' if (fn == 'min') == signed else '&'} {args[1]})"
    if signed:
        return f"{fn}({args[0]}, {args[1]})"
    a, b = (unsigned(elem, x) for x in args)
    return wrapped(e, elem, f"bitcast<i32>({fn}({a}, {b}))")


@TABLE.lowers("arith.divui", "arith.remui")
def _unsigned_division(e: Emitter, op: Op, args: list[str]) -> str:
    elem, sign = elem_of(op), "/" if op.name == "arith.divui" else "%"
    if elem == "i64":
        return e.call("l_udiv" if sign == "/" else "l_urem", *args)
    if elem == "i1":
        return f"({args[0]} & {args[1]})" if sign == "/" else f"({args[0]} & !{args[1]})"
    return wrapped(e, elem, f"bitcast<i32>({unsigned(elem, args[0])} {sign} {unsigned(elem, args[1])})")


@TABLE.lowers("arith.floordivsi", "arith.ceildivsi")
def _rounding_division(e: Emitter, op: Op, args: list[str]) -> str:
    if elem_of(op) != "i32":
        raise Refused(f"{op.name} of {elem_of(op)}")
    return e.call("floor_div" if op.name == "arith.floordivsi" else "ceil_div", *args)


@TABLE.lowers("arith.andi", "arith.ori", "arith.xori")
def _bitwise(e: Emitter, op: Op, args: list[str]) -> str:
    a, b = args
    kind = op.name[6:-1]
    if elem_of(op) == "i1":
        if kind == "xor":
            return f"!{a}" if b == "true" else f"({a} != {b})"
        if kind == "and" and "true" in (a, b):
            return b if a == "true" else a
        return f"({a} {'&' if kind == 'and' else '|'} {b})"
    return f"({a} {'&' if kind == 'and' else '|' if kind == 'or' else '^'} {b})"


@TABLE.lowers("arith.shli", "arith.shrsi", "arith.shrui")
def _shift(e: Emitter, op: Op, args: list[str]) -> str:
    elem = elem_of(op)
    kind = op.name[6:]
    a, n = args
    if elem == "i1":
        raise Refused(f"{op.name} of i1")
    if elem == "i64":
        by = f"({n}.x & 63u)"
        wide = f"({n}.y != 0u || {n}.x > 63u)"
        if kind == "shrsi":
            return e.call("l_sar", a, f"select({by}, 63u, {wide})")
        return f"select({e.call('l_shl' if kind == 'shli' else 'l_shr', a, by)}, vec2<u32>(0u, 0u), {wide})"
    width = int(elem[1:])
    literal = int_of(n)
    if literal is not None:
        by = u32(min(max(literal, 0), 31))
        if not 0 <= literal < width:
            return f"({a} >> 31u)" if kind == "shrsi" else "0i"
        if kind == "shli":
            return wrapped(e, elem, f"({a} << {by})")
        if kind == "shrsi":
            return f"({a} >> {by})"
        return wrapped(e, elem, f"bitcast<i32>({unsigned(elem, a)} >> {by})")
    # LLVM leaves larger amounts undefined; like GPUs, shift all bits out.
    amount = unsigned(elem, n)
    if kind == "shrsi":
        return f"({a} >> min({amount}, 31u))"
    shifted = (
        f"({a} << ({amount} & 31u))" if kind == "shli" else f"bitcast<i32>({unsigned(elem, a)} >> ({amount} & 31u))"
    )
    return wrapped(e, elem, f"select({shifted}, 0i, {amount} > {width - 1}u)")


_SIGNED = {2: "<", 3: "<=", 4: ">", 5: ">="}
_UNSIGNED = {6: "<", 7: "<=", 8: ">", 9: ">="}


@TABLE.lowers("arith.cmpi")
def _compare(e: Emitter, op: Op, args: list[str]) -> str:
    elem, p = elem_of(op), int(op.attrs["predicate"])
    a, b = args
    if elem == "i64":
        if p < 2:
            same = e.call("l_eq", a, b)
            return same if p == 0 else f"!{same}"
        fn = "l_slt" if p < 6 else "l_ult"
        sign = (_SIGNED | _UNSIGNED)[p]
        if sign in ("<", ">="):
            return e.call(fn, a, b) if sign == "<" else f"!{e.call(fn, a, b)}"
        return e.call(fn, b, a) if sign == ">" else f"!{e.call(fn, b, a)}"
    if elem == "i1":
        if p < 2:
            return f"({a} {'==' if p == 0 else '!='} {b})"
        sign = (_SIGNED | _UNSIGNED)[p]
        a, b = f"select(0i, {-1 if p < 6 else 1}i, {a})", f"select(0i, {-1 if p < 6 else 1}i, {b})"
        return f"({a} {sign} {b})"
    if p < 2:
        return f"({a} {'==' if p == 0 else '!='} {b})"
    if p in _SIGNED:
        return f"({a} {_SIGNED[p]} {b})"
    return f"({unsigned(elem, a)} {_UNSIGNED[p]} {unsigned(elem, b)})"


@TABLE.lowers("arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.index_castui")
def _resize(e: Emitter, op: Op, args: list[str]) -> str:
    source, target = elem_of(op), op.result.type.elem
    (a,) = args
    if source == target:
        return a
    if op.name in ("arith.trunci", "arith.index_cast") and source == "i64":
        low = f"bitcast<i32>({a}.x)"
        return f"(({low} & 1i) != 0i)" if target == "i1" else wrapped(e, target, low)
    if target == "i1":
        return f"(({a} & 1i) != 0i)"
    if source == "i1":
        true = "(-1i)" if op.name == "arith.extsi" else "1i"
        if target == "i64":
            high = "0xffffffffu" if op.name == "arith.extsi" else "0u"
            low = "0xffffffffu" if op.name == "arith.extsi" else "1u"
            return f"select(vec2<u32>(0u, 0u), vec2<u32>({low}, {high}), {a})"
        return f"select(0i, {true}, {a})"
    if target == "i64":
        return f"vec2<u32>({unsigned(source, a)}, 0u)" if op.name.endswith("ui") else e.call("l_sext", a)
    if op.name == "arith.extui":
        return f"bitcast<i32>({unsigned(source, a)})"
    return wrapped(e, target, a)


@TABLE.lowers("math.absi")
def _absolute(e: Emitter, op: Op, args: list[str]) -> str:
    elem = elem_of(op)
    return e.call("l_abs", *args) if elem == "i64" else wrapped(e, elem, f"abs({args[0]})")


@TABLE.lowers("tt.mulhiui")
def _mulhi(e: Emitter, op: Op, args: list[str]) -> str:
    elem = elem_of(op)
    if elem == "i64":
        return e.call("l_umulhi", *args)
    if elem != "i32":
        raise Refused(f"umulhi of {elem}")
    return f"bitcast<i32>({e.call('umulhi', *(unsigned(elem, a) for a in args))})"
