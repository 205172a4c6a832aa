"""Reads the header of a safetensors file strictly, and JSON files in general.

The safetensors library checks its input too, but it hands out copies and has no bf16 for NumPy; the header is
a length and a JSON object, so it is read here and the data stays in the memory map.
"""

from __future__ import annotations

import json
import math
import re
import struct
from pathlib import Path
from typing import Any

from .errors import FormatError, shown
from .mapped import Mapped, impostor
from .stored import Entry, refuse_overlaps

# A dense model has a few thousand tensors of about 150 bytes of header each. Parsed JSON can take twenty times
# its own size, so the limit bounds the memory that a hostile header gets.
MAX_HEADER = 8 << 20
MAX_DIMS = 8
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
# Bits of an element, for checking sizes; the types that are read are those of `stored.TYPES`.
_BITS = {"F64": 64, "F32": 32, "F16": 16, "BF16": 16, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "C64": 64}
_BITS |= {"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6}
_BITS |= {"I64": 64, "I32": 32, "I16": 16, "I8": 8, "U64": 64, "U32": 32, "U16": 16, "U8": 8, "BOOL": 8}


def scan(file: Mapped) -> dict[str, Entry]:
    """The tensors by their names in the file; the data is not touched."""
    head = bytes(file.data[:4096])
    if why := impostor(head):
        raise file.error(why)
    if file.size < 8:
        raise file.error(f"has {file.size} bytes, too few for a safetensors file: download it again")
    (length,) = struct.unpack_from("<Q", head)
    start = 8 + length
    if start > file.size:
        raise file.error(
            f"its header should have {length} bytes, but the file has {file.size}: "
            "it is truncated, or not a safetensors file"
        )
    if length > MAX_HEADER:
        raise file.error(f"its header has {length} bytes; the limit is {MAX_HEADER}: the file is damaged")
    header = parse_object(bytes(file.data[8:start]), f"{file.path}: its header")
    header.pop("__metadata__", None)
    tensors = {name: _entry(file, name, facts, start) for name, facts in header.items()}
    refuse_overlaps(tensors.values())
    return tensors


def _entry(file: Mapped, name: str, facts: Any, start: int) -> Entry:
    if not isinstance(facts, dict):
        raise file.error(f"tensor {shown(name)} is described by {shown(facts)}, not by an object: the file is damaged")
    kind: Any = facts.get("dtype")
    shape: Any = facts.get("shape")
    span: Any = facts.get("data_offsets")
    if not isinstance(kind, str) or kind not in _BITS:
        raise file.error(f"tensor {shown(name)} has the unknown dtype {shown(kind)}; supported: F32, F16, BF16")
    if not _naturals(shape) or len(shape) > MAX_DIMS:
        raise file.error(f"tensor {shown(name)} has the shape {shown(shape)}: the file is damaged")
    if not _naturals(span) or len(span) != 2 or span[0] > span[1]:
        raise file.error(f"tensor {shown(name)} has the data_offsets {shown(span)}: the file is damaged")
    nbytes = span[1] - span[0]
    if math.prod(shape) * _BITS[kind] != nbytes * 8:
        raise file.error(f"tensor {shown(name)}, {kind} {shape}, does not fill its {nbytes} bytes: the file is damaged")
    if start + span[1] > file.size:
        raise file.error(
            f"tensor {shown(name)} ends at byte {start + span[1]}, the file at {file.size}: "
            "the file is truncated or damaged; download it again"
        )
    return Entry(name, kind.lower(), tuple(shape), nbytes, file, start + span[0])


def _naturals(value: Any) -> bool:
    return isinstance(value, list) and all(type(v) is int and 0 <= v < 1 << 63 for v in value)


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file."""
    file = Mapped(path)
    if file.size > MAX_HEADER:
        raise file.error(f"has {file.size} bytes; the limit for a JSON file is {MAX_HEADER}")
    text = file.data.tobytes()
    if why := impostor(text[:4096]):
        raise file.error(why)
    return parse_object(text, str(path))


def parse_object(text: bytes, label: str) -> dict[str, Any]:
    try:
        value = json.loads(text.decode("utf-8-sig"), object_pairs_hook=_unique)
        if _SURROGATE.search(text):  # a lone surrogate could not be printed or written again
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise FormatError(f"{label} is nested too deeply: the file is damaged") from None
    except UnicodeEncodeError as e:
        raise FormatError(f"{label} has half a surrogate pair ({e.object[e.start]!a})") from None
    except ValueError as e:  # errors of JSON and UTF-8, and numbers with thousands of digits
        raise FormatError(f"{label} is not JSON: {shown(str(e))}") from None
    if not isinstance(value, dict):
        raise FormatError(f"{label} is {shown(value)}, not a JSON object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise ValueError(f"duplicate key {name!r}")
        values[name] = value
    return values
