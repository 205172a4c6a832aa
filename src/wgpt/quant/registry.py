"""All weight types: the modules of types/, and types that other packages register."""

from __future__ import annotations

import importlib
import pkgutil

from ..core.arguments import brief
from . import types
from .weight_type import WeightType

_CODE_BITS = {
    "floats": (16, 32),
    "bytes": (8,),
    "nibbles": (4,),
    "high": (4,),
    "table": (4,),
    "pairs": (2,),
    "grid": (2,),
}


def _shipped() -> dict[str, WeightType]:
    """The types in types/ by name, the largest first."""
    modules = (importlib.import_module(f"{types.__name__}.{m.name}") for m in pkgutil.iter_modules(types.__path__))
    kinds = [module.TYPE for module in modules]
    return {kind.name: kind for kind in sorted(kinds, key=lambda kind: (-kind.bits_per_weight, kind.name))}


TYPES = _shipped()


def weight_type(name: str) -> WeightType:
    if not isinstance(name, str) or name not in TYPES:
        raise ValueError(f"unknown weight type {brief(name)}; supported: {', '.join(TYPES)}")
    return TYPES[name]


def stacked_type(kind: WeightType, matrices: int, n: int, k: int) -> WeightType:
    """The type in which this number of matrices [n, k] is stored, one after the other.

    >>> stacked_type(weight_type("nf4_dq"), 32, 2880, 2880).name   # 506.25 groups each
    'nf4'
    """
    return kind if matrices == 1 or kind.ends_with_a_group(n, k) else weight_type(kind.expanded)


def example(kind: str) -> str:
    """The name of the type that represents a kind of types in cases and benchmarks."""
    return next(t.name for t in TYPES.values() if t.stands_for == kind)


def register(kind: WeightType) -> WeightType:
    """Add a type: it can be loaded as (`dtype=`), kernels read it, and contracts have its rows, from now on.

    >>> register(WeightType("q6_a", ...))       # doctest: +SKIP
    """
    if kind.name in TYPES:
        raise ValueError(f"weight type {kind.name} is already registered")
    if not kind.name.isidentifier() or kind.name != kind.name.lower():
        raise ValueError(f"invalid weight type name {kind.name!r}: use lower-case letters, digits and underscores")
    if kind.shader is None or not kind.shader.is_file():
        raise ValueError(f"{kind.name}: shader must be the path of its WGSL file, not {kind.shader}")
    if kind.bits not in _CODE_BITS.get(kind.codes, ()):
        raise ValueError(f"{kind.name}: kernels do not support {kind.codes} of {kind.bits} bits")
    if (kind.codes == "floats") != (kind.scale_bits == 0):
        raise ValueError(f"{kind.name}: all types except floats must have scales")
    if kind.group > 1 and not _expands(kind):
        raise ValueError(f"{kind.name}: expanded must name a type of the same codes with an f32 for each block")
    if kind.block % kind.chunk and kind.scale_bits:
        raise ValueError(f"{kind.name}: a block of {kind.block} is not a multiple of the chunk size {kind.chunk}")
    if kind.planes is None or kind.gguf_form is not None or kind.plain is not None:
        raise ValueError(f"{kind.name}: set `planes`; only wgpt's own types have a GGUF form")
    TYPES[kind.name] = kind
    return kind


def unregister(name: str) -> None:
    """Remove what `register` added."""
    if weight_type(name).shader is None:
        raise ValueError(f"{name} is built into wgpt and cannot be removed")
    del TYPES[name]


def _expands(kind: WeightType) -> bool:
    other = TYPES.get(kind.expanded)
    return other is not None and (other.scale_bits, other.block, other.table) == (32, kind.block, kind.table)
