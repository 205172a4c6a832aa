"""Operations that act on each element alone: one WGSL expression per register.

Elements are held as: i1 bool; i8, i16, i32 an i32 (sign-extended); i64 vec2<u32>; f16, bf16, f32 an f32 that
is a value of the type, for every result is rounded to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import emit
from .emit import Emitter, add, i32, i64, int_of, mul, u32
from .errors import Refused
from .ir import Op, Type

Lower = Callable[[Emitter, Op, list[str]], str]
TABLE: dict[str, Lower] = {}

WGSL = {"i1": "bool", "i8": "i32", "i16": "i32", "i32": "i32", "i64": "vec2<u32>"}
WGSL |= {"f16": "f32", "bf16": "f32", "f32": "f32", "ptr": "i32", "index": "i32"}


def wgsl_type(kind: Type) -> str:
    """How an element of this type is held."""
    if kind.elem not in WGSL:
        raise Refused(unsupported(kind))
    return WGSL[kind.elem]


def unsupported(kind: Type) -> str:
    if kind.elem == "f64":
        return "f64: WebGPU has no 64-bit floats; use float32"
    if kind.elem.startswith("f8"):
        return f"{kind.elem}: 8-bit floats are not compiled; use float16 or bfloat16"
    return f"values of type {kind} are not compiled"


def lowers(*names: str) -> Callable[[Lower], Lower]:
    def keep(fn: Lower) -> Lower:
        for name in names:
            TABLE[name] = fn
        return fn

    return keep


def rounded(e: Emitter, elem: str, expr: str) -> str:
    """An f32 as a value of the float type `elem`."""
    if elem == "f32" or (e.wide and elem in ("f16", "bf16")):
        return expr
    if elem in ("f16", "bf16"):
        return e.call(f"round_{elem}", expr)
    raise Refused(unsupported(Type(elem)))


def wrapped(e: Emitter, elem: str, expr: str) -> str:
    """An i32 cut to a narrower integer type, sign-extended."""
    if elem in ("i32", "index"):
        return expr
    known = int_of(expr)
    width = int(elem[1:])
    if known is not None:
        return i32((known + (1 << (width - 1))) % (1 << width) - (1 << (width - 1)))
    return e.call("sext", expr, u32(width))


def unsigned(elem: str, expr: str) -> str:
    """An integer of up to 32 bits as u32, zero-extended."""
    known = int_of(expr)
    width = 32 if elem == "index" else int(elem[1:])
    if known is not None:
        return u32(known & ((1 << width) - 1))
    if width == 32:
        return f"bitcast<u32>({expr})"
    return f"(bitcast<u32>({expr}) & {hex((1 << width) - 1)}u)"


def constant(e: Emitter, value: Any, kind: Type) -> str:
    """A literal of an element type."""
    elem = kind.elem
    if isinstance(value, list):
        raise Refused("a constant tensor that is not one value throughout")
    if elem == "i1":
        return "true" if value else "false"
    if elem == "i64":
        return i64(int(value))
    if elem in ("i8", "i16", "i32", "index"):
        return wrapped(e, elem, i32(int(value)))
    if elem in ("f16", "bf16", "f32"):
        return emit.f32(float(value), e)
    raise Refused(unsupported(kind))


def _elem(op: Op) -> str:
    return op.operands[0].type.elem


def _integer(name: str, narrow: Callable[[str, str], str], long: str, on_bool: str | None = None) -> None:
    def lower(e: Emitter, op: Op, args: list[str]) -> str:
        elem = _elem(op)
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


@lowers("arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui")
def _min_max(e: Emitter, op: Op, args: list[str]) -> str:
    elem, fn = _elem(op), op.name[6:9]
    signed = op.name.endswith("si")
    if elem == "i64":
        less = e.call("l_slt" if signed else "l_ult", *args)
        a, b = args
        return f"select({b}, {a}, {less})" if fn == "min" else f"select({a}, {b}, {less})"
    if elem == "i1":
        # As a signed number true is -1.
        return f"({args[0]} {'|' if (fn == 'min') == signed else '&'} {args[1]})"
    if signed:
        return f"{fn}({args[0]}, {args[1]})"
    a, b = (unsigned(elem, x) for x in args)
    return wrapped(e, elem, f"bitcast<i32>({fn}({a}, {b}))")


@lowers("arith.divui", "arith.remui")
def _unsigned_division(e: Emitter, op: Op, args: list[str]) -> str:
    elem, sign = _elem(op), "/" if op.name == "arith.divui" else "%"
    if elem == "i64":
        return e.call("l_udiv" if sign == "/" else "l_urem", *args)
    if elem == "i1":
        return f"({args[0]} & {args[1]})" if sign == "/" else f"({args[0]} & !{args[1]})"
    return wrapped(e, elem, f"bitcast<i32>({unsigned(elem, args[0])} {sign} {unsigned(elem, args[1])})")


@lowers("arith.floordivsi", "arith.ceildivsi")
def _rounding_division(e: Emitter, op: Op, args: list[str]) -> str:
    if _elem(op) != "i32":
        raise Refused(f"{op.name} of {_elem(op)}")
    return e.call("floor_div" if op.name == "arith.floordivsi" else "ceil_div", *args)


@lowers("arith.andi", "arith.ori", "arith.xori")
def _bitwise(e: Emitter, op: Op, args: list[str]) -> str:
    a, b = args
    kind = op.name[6:-1]
    if _elem(op) == "i1":
        if kind == "xor":
            return f"!{a}" if b == "true" else f"({a} != {b})"
        if kind == "and" and "true" in (a, b):
            return b if a == "true" else a
        return f"({a} {'&' if kind == 'and' else '|'} {b})"
    return f"({a} {'&' if kind == 'and' else '|' if kind == 'or' else '^'} {b})"


@lowers("arith.shli", "arith.shrsi", "arith.shrui")
def _shift(e: Emitter, op: Op, args: list[str]) -> str:
    elem = _elem(op)
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
    known = int_of(n)
    if known is not None:
        by = u32(min(max(known, 0), 31))
        if not 0 <= known < width:
            return f"({a} >> 31u)" if kind == "shrsi" else "0i"
        if kind == "shli":
            return wrapped(e, elem, f"({a} << {by})")
        if kind == "shrsi":
            return f"({a} >> {by})"
        return wrapped(e, elem, f"bitcast<i32>({unsigned(elem, a)} >> {by})")
    # As LLVM leaves it open and GPUs do it: all bits shifted out.
    amount = unsigned(elem, n)
    if kind == "shrsi":
        return f"({a} >> min({amount}, 31u))"
    shifted = (
        f"({a} << ({amount} & 31u))" if kind == "shli" else f"bitcast<i32>({unsigned(elem, a)} >> ({amount} & 31u))"
    )
    return wrapped(e, elem, f"select({shifted}, 0i, {amount} > {width - 1}u)")


_SIGNED = {2: "<", 3: "<=", 4: ">", 5: ">="}
_UNSIGNED = {6: "<", 7: "<=", 8: ">", 9: ">="}


@lowers("arith.cmpi")
def _compare(e: Emitter, op: Op, args: list[str]) -> str:
    elem, p = _elem(op), int(op.attrs["predicate"])
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


@lowers("arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.index_castui")
def _resize(e: Emitter, op: Op, args: list[str]) -> str:
    source, target = _elem(op), op.result.type.elem
    (a,) = args
    if source == target:
        return a
    if op.name in ("arith.trunci", "arith.index_cast") and source == "i64":
        low = f"bitcast<i32>({a}.x)"
        return f"(({low} & 1i) != 0i)" if target == "i1" else wrapped(e, target, low)
    if target == "i1":
        return f"(({a} & 1i) != 0i)"
    if source == "i1":
        one = "(-1i)" if op.name == "arith.extsi" else "1i"
        if target == "i64":
            high = "0xffffffffu" if op.name == "arith.extsi" else "0u"
            low = "0xffffffffu" if op.name == "arith.extsi" else "1u"
            return f"select(vec2<u32>(0u, 0u), vec2<u32>({low}, {high}), {a})"
        return f"select(0i, {one}, {a})"
    if target == "i64":
        return f"vec2<u32>({unsigned(source, a)}, 0u)" if op.name.endswith("ui") else e.call("l_sext", a)
    if op.name == "arith.extui":
        return f"bitcast<i32>({unsigned(source, a)})"
    return wrapped(e, target, a)


@lowers("arith.select")
def _select(e: Emitter, op: Op, args: list[str]) -> str:
    c, a, b = args
    if c in ("true", "false"):
        return a if c == "true" else b
    return a if a == b else f"select({b}, {a}, {c})"


@lowers("arith.sitofp", "arith.uitofp")
def _int_to_float(e: Emitter, op: Op, args: list[str]) -> str:
    source, target = _elem(op), op.result.type.elem
    (a,) = args
    signed = op.name == "arith.sitofp"
    if source == "i1":
        return f"select(0.0f, {'(-1.0f)' if signed else '1.0f'}, {a})"
    if source == "i64":
        return rounded(e, target, e.call("l_stof" if signed else "l_utof", a))
    return rounded(e, target, f"f32({a})" if signed else f"f32({unsigned(source, a)})")


@lowers("arith.fptosi", "arith.fptoui")
def _float_to_int(e: Emitter, op: Op, args: list[str]) -> str:
    target = op.result.type.elem
    (a,) = args
    signed = op.name == "arith.fptosi"
    if _elem(op) == "f64":
        raise Refused(unsupported(op.operands[0].type))
    if target == "i64":
        return e.call("l_fromf" if signed else "l_fromfu", a)
    if target == "i1":
        return f"({a} != 0.0f)"
    return wrapped(e, target, e.call("f_to_i" if signed else "f_to_u", a))


def _arithmetic(name: str, expr: str) -> None:
    TABLE[name] = lambda e, op, args: rounded(e, _elem(op), expr.format(*args))


_arithmetic("arith.addf", "({0} + {1})")
_arithmetic("arith.subf", "({0} - {1})")
_arithmetic("arith.mulf", "({0} * {1})")
_arithmetic("arith.divf", "({0} / {1})")
_arithmetic("arith.negf", "(-{0})")
_arithmetic("math.fma", "fma({0}, {1}, {2})")
_arithmetic("math.absf", "abs({0})")
_arithmetic("math.floor", "floor({0})")
_arithmetic("math.ceil", "ceil({0})")
_arithmetic("math.trunc", "trunc({0})")
_arithmetic("math.roundeven", "round({0})")
_arithmetic("math.exp2", "exp2({0})")
_arithmetic("math.sqrt", "sqrt({0})")
_arithmetic("math.rsqrt", "inverseSqrt({0})")


def _by_helper(name: str, helper: str) -> None:
    TABLE[name] = lambda e, op, args: rounded(e, _elem(op), e.call(helper, *args))


_by_helper("arith.maxnumf", "fmax_num")
_by_helper("arith.minnumf", "fmin_num")
_by_helper("arith.maximumf", "fmax_nan")
_by_helper("arith.minimumf", "fmin_nan")
_by_helper("arith.remf", "fmod")
_by_helper("math.exp", "exp_of")
_by_helper("math.log", "log_of")
_by_helper("math.log2", "log2_of")
_by_helper("math.sin", "sine")
_by_helper("math.cos", "cosine")
_by_helper("math.erf", "erf_of")
_by_helper("math.tanh", "tanh_of")
_by_helper("tt.precise_divf", "precise_div")
_by_helper("tt.precise_sqrt", "precise_sqrt")


@lowers("math.absi")
def _absolute(e: Emitter, op: Op, args: list[str]) -> str:
    elem = _elem(op)
    return e.call("l_abs", *args) if elem == "i64" else wrapped(e, elem, f"abs({args[0]})")


@lowers("tt.clampf")
def _clamp(e: Emitter, op: Op, args: list[str]) -> str:
    kind = "nan" if int(op.attrs.get("propagateNan", 0)) else "num"
    x, low, high = args
    return e.call(f"fmin_{kind}", e.let(e.call(f"fmax_{kind}", x, low)), high)


@lowers("tt.mulhiui")
def _mulhi(e: Emitter, op: Op, args: list[str]) -> str:
    elem = _elem(op)
    if elem == "i64":
        return e.call("l_umulhi", *args)
    if elem != "i32":
        raise Refused(f"umulhi of {elem}")
    return f"bitcast<i32>({e.call('umulhi', *(unsigned(elem, a) for a in args))})"


_ORDERED = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<="}
_NEGATED = {9: "<=", 10: "<", 11: ">=", 12: ">", 13: "=="}  # true as well where either is NaN


@lowers("arith.cmpf")
def _compare_floats(e: Emitter, op: Op, args: list[str]) -> str:
    p = int(op.attrs["predicate"])
    a, b = args
    nan = lambda x: e.call("is_nan", x)
    if p in (0, 15):
        return "true" if p else "false"
    if a == b and p in (1, 13):  # a test for NaN that a compiler may take for always true
        return f"!{nan(a)}" if p == 1 else nan(a)
    if p in _ORDERED:
        return f"({a} {_ORDERED[p]} {b})"
    if p in _NEGATED:
        return f"(!({a} {_NEGATED[p]} {b}))"
    if p == 6:
        return f"(({a} < {b}) || ({a} > {b}))"
    if p == 8:
        return f"(!(({a} < {b}) || ({a} > {b})))"
    return f"(!{nan(a)} && !{nan(b)})" if p == 7 else f"({nan(a)} || {nan(b)})"


@lowers("arith.extf", "arith.truncf", "tt.fp_to_fp")
def _cast_float(e: Emitter, op: Op, args: list[str]) -> str:
    source, target = op.operands[0].type, op.result.type
    for kind in (source, target):
        if kind.elem not in ("f16", "bf16", "f32"):
            raise Refused(unsupported(kind))
    if target.elem == "f32" or source.elem == target.elem:
        return args[0]
    toward_zero = op.attrs.get("rounding") == 0 or op.attrs.get("roundingmode") == 1
    return e.call(f"round_{target.elem}{'_rtz' if toward_zero else ''}", args[0])


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
    """An element from its bits, which are all there is in the u32."""
    if elem == "i1":
        return f"({expr} != 0u)"
    if elem == "f32":
        return f"bitcast<f32>({expr})"
    if elem == "f16":
        return e.call("from_half", expr)
    if elem == "bf16":
        return f"bitcast<f32>({expr} << 16u)"
    return wrapped(e, elem, f"bitcast<i32>({expr})")


@lowers("tt.bitcast", "arith.bitcast")
def _bitcast(e: Emitter, op: Op, args: list[str]) -> str:
    source, target = op.operands[0].type, op.result.type
    if source.elem == target.elem:
        return args[0]
    if "i64" in (source.elem, target.elem):
        raise Refused(f"a bitcast of {source.elem} to {target.elem}")
    for kind in (source, target):
        wgsl_type(kind)
    return from_bits(e, target.elem, e.let(to_bits(e, source.elem, args[0])))


_LIBDEVICE = {
    **dict.fromkeys(("exp", "fast_exp"), "exp_of"),
    **{"sin": "sine", "cos": "cosine", "erf": "erf_of", "tanh": "tanh_of", "fast_tanh": "tanh_of"},
    **{"log": "log_of", "log2": "log2_of", "fast_log": "log_of", "fast_log2": "log2_of"},
    **{"expm1": "expm1_of", "log1p": "log1p_of", "fmod": "fmod", "div_rn": "precise_div"},
    **{"fast_sin": "sine", "fast_cos": "cosine", "sqrt_rn": "precise_sqrt"},
    **{"max": "fmax_num", "fmax": "fmax_num", "fmin": "fmin_num"},
}
_BUILTIN = {
    **{"sqrt": "sqrt", "rsqrt": "inverseSqrt", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "round"},
    **{"fabs": "abs", "exp2": "exp2", "fma": "fma", "nearbyint": "round"},
}


@lowers("tt.extern_elementwise")
def _libdevice(e: Emitter, op: Op, args: list[str]) -> str:
    symbol = str(op.attrs["symbol"])
    name = symbol.removeprefix("__nv_")
    kinds = [*(v.type for v in op.operands), op.result.type]
    if all(k.elem == "f32" for k in kinds):
        plain = name.removesuffix("f") if name not in _LIBDEVICE and name not in _BUILTIN else name
        if plain in _LIBDEVICE:
            return e.call(_LIBDEVICE[plain], *args)
        if plain in _BUILTIN:
            return f"{_BUILTIN[plain]}({', '.join(args)})"
    raise Refused(f"the library function {symbol}({', '.join(k.elem for k in kinds[:-1])}) is not compiled")
