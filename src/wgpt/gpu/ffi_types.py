"""C types by name, without a C parser.

cffi reads each new type that is asked for by name, `WGPUBufferDescriptor *` say, with all typedefs known so far before
it: 10 to 40 ms, for each of forty types that wgpu-py uses before the first token is out. Names, pointers to them and
arrays of them are in its own tables already.
"""

from __future__ import annotations

import re
from typing import Any

_SIMPLE = re.compile(r"\s*(\w+)\s*(\*|\[\])?\s*")


def look_up_first(ffi: Any) -> bool:
    """Let `ffi` look a simple type up before it parses it. False where cffi's inside is another one."""
    try:
        from cffi import model  # type: ignore[import-untyped, unused-ignore]

        parser, declared = ffi._parser, ffi._parser._declarations
        parse, pointer, array = parser.parse_type, parser._get_type_pointer, model.ArrayType
    except (ImportError, AttributeError):  # pragma: no cover - another cffi
        return False

    def found(name: str) -> Any:
        match = _SIMPLE.fullmatch(name)
        entry = declared.get(f"typedef {match[1]}") if match else None
        if match is None or entry is None:
            return parse(name)
        kind, qualifiers = entry
        if match[2] == "*":
            return pointer(kind, qualifiers)
        return array(kind, None) if match[2] else kind

    parser.parse_type = found
    return True
