"""Elementwise operations on floats, conversions to and from integers, and the library functions of CUDA."""

from __future__ import annotations

from .elements import Table, elem_of, rounded, unsigned, unsupported, wrapped
from .emit import Emitter
from .errors import Refused
from .ir import Op

TABLE = Table()


@TABLE.lowers("arith.sitofp", "arith.uitofp")
def _int_to_float(e: Emitter, op: Op, args: list[str]) -> str:
    source, target = elem_of(op), op.result.type.elem
    (a,) = args
    signed = op.name == "arith.sitofp"
    if source == "i1":
        return f"select(0.0f, {'(-1.0f)' if signed else '1.0f'}, {a})"
    if source == "i64":
        return rounded(e, target, e.call("l_stof" if signed else "l_utof", a))
    return rounded(e, target, f"f32({a})" if signed else f"f32({unsigned(source, a)})")


@TABLE.lowers("arith.fptosi", "arith.fptoui")
def _float_to_int(e: Emitter, op: Op, args: list[str]) -> str:
    target = op.result.type.elem
    (a,) = args
    signed = op.name == "arith.fptosi"
    if elem_of(op) == "f64":
        raise Refused(unsupported(op.operands[0].type))
    if target == "i64":
        return e.call("l_fromf" if signed else "l_fromfu", a)
    if target == "i1":
        return f"({a} != 0.0f)"
    return wrapped(e, target, e.call("f_to_i" if signed else "f_to_u", a))


def _arithmetic(name: str, expr: str) -> None:
    TABLE[name] = lambda e, op, args: rounded(e, elem_of(op), expr.format(*args))


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
    TABLE[name] = lambda e, op, args: rounded(e, elem_of(op), e.call(helper, *args))


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


@TABLE.lowers("tt.clampf")
def _clamp(e: Emitter, op: Op, args: list[str]) -> str:
    kind = "nan" if int(op.attrs.get("propagateNan", 0)) else "num"
    x, low, high = args
    return e.call(f"fmin_{kind}", e.let(e.call(f"fmax_{kind}", x, low)), high)


_ORDERED = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<="}
_NEGATED = {9: "<=", 10: "<", 11: ">=", 12: ">", 13: "=="}  # unordered: also true if an operand is NaN


@TABLE.lowers("arith.cmpf")
def _compare_floats(e: Emitter, op: Op, args: list[str]) -> str:
    p = int(op.attrs["predicate"])
    a, b = args
    nan = lambda x: e.call("is_nan", x)
    if p in (0, 15):
        return "true" if p else "false"
    if a == b and p in (1, 13):  # a NaN test that a compiler could optimise away
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


@TABLE.lowers("arith.extf", "arith.truncf", "tt.fp_to_fp")
def _cast_float(e: Emitter, op: Op, args: list[str]) -> str:
    source, target = op.operands[0].type, op.result.type
    for kind in (source, target):
        if kind.elem not in ("f16", "bf16", "f32"):
            raise Refused(unsupported(kind))
    if target.elem == "f32" or source.elem == target.elem:
        return args[0]
    toward_zero = op.attrs.get("rounding") == 0 or op.attrs.get("roundingmode") == 1
    return e.call(f"round_{target.elem}{'_rtz' if toward_zero else ''}", args[0])


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


@TABLE.lowers("tt.extern_elementwise")
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
    raise Refused(f"the library function {symbol}({', '.join(k.elem for k in kinds[:-1])}) is unsupported")
