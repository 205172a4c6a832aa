"""Looks C types up by name, without a C parser.

cffi parses each new type such as `WGPUBufferDescriptor *` after all typedefs known so far: 10 to 40 ms for each of the
forty types that wgpu-py uses before the first token. The named types, pointers, arrays and callbacks are in cffi's own
tables already.
"""

from __future__ import annotations

import re
from typing import Any

_SIMPLE = re.compile(r"\s*(\w+)\s*?( const)?\s*(\*|\[\])?\s*")
_CALLBACK = re.compile(r"\s*void\s*\(([\w\s*,]+)\)\s*")


def look_up_first(ffi: Any) -> bool:
    """Have `ffi` look up simple types before parsing them. Returns False if cffi's internals are unknown."""
    try:
        from cffi import model  # type: ignore[import-untyped, unused-ignore]

        parser, declared = ffi._parser, ffi._parser._declarations
        parse, pointer, const = parser.parse_type, parser._get_type_pointer, model.Q_CONST
        primitives, primitive = model.PrimitiveType.ALL_PRIMITIVE_TYPES, model.PrimitiveType
        array, function, void = model.ArrayType, model.RawFunctionType, model.void_type
    except (ImportError, AttributeError):  # pragma: no cover - another cffi
        return False

    def known(name: str) -> tuple[Any, int] | None:
        if name == "void":
            return void, 0
        entry: tuple[Any, int] | None = declared.get(f"typedef {name}")
        return (primitive(name), 0) if entry is None and name in primitives else entry

    def simple(text: str) -> Any:
        match = _SIMPLE.fullmatch(text)
        entry = known(match[1]) if match else None
        if match is None or entry is None:
            return None
        kind, qualifiers = entry
        if match[3] == "*":
            return pointer(kind, qualifiers | (const if match[2] else 0))
        if match[2] or kind is void:
            return None
        return array(kind, None) if match[3] else kind

    def parse_type(text: str) -> Any:
        match = _CALLBACK.fullmatch(text)
        if match is None:
            kind = simple(text)
            return parse(text) if kind is None else kind
        takes = [simple(part) for part in match[1].split(",")]
        if any(kind is None or isinstance(kind, array) for kind in takes):
            return parse(text)
        return function(tuple(takes), void, False)

    parser.parse_type = parse_type
    return True
