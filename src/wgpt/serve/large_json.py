"""Reads JSON of many megabytes in parts: no other thread runs while the parser makes objects, in one call."""

from __future__ import annotations

import re
from typing import Any

import msgspec

_PART = 1 << 20  # bytes that are parsed in one call
_DEPTH = 8  # containers inside each other that are taken apart: each of them is looked through once more
_SMALL = 256  # bytes: parsing many values that are smaller takes less time than taking them apart
_SPACE = re.compile(rb"[ \t\r\n]*")
_Values = msgspec.Raw | memoryview | bytes | bytearray
_decoder = msgspec.json.Decoder()
_infinite = msgspec.json.Decoder(float_hook=float)  # slower, but reads 1e999 as infinity, as Python does
_objects = msgspec.json.Decoder(dict[str, msgspec.Raw])
_lists = msgspec.json.Decoder(list[msgspec.Raw])


class LongStringError(ValueError):
    """A string of more bytes than are read."""


def decoded(data: _Values, most: int, depth: int = 0) -> Any:
    """A JSON value. Raises LongStringError for a string of more than `most` bytes, which is not even copied, and what
    msgspec raises.

    >>> decoded(b'{"a": [1, 1e999]}', most=100)
    {'a': [1, inf]}
    """
    view = memoryview(data)
    if len(view) <= _PART or depth == _DEPTH:
        return _whole(view)
    space = _SPACE.match(view)
    first = view[space.end() if space else 0 :][:1].tobytes()
    if first == b"{":
        members = _objects.decode(view)
        if len(members) * _SMALL < len(view):
            return {name: decoded(value, most, depth + 1) for name, value in members.items()}
    elif first == b"[":
        values = _lists.decode(view)
        if len(values) * _SMALL < len(view):
            return [decoded(value, most, depth + 1) for value in values]
    elif first == b'"' and len(view) > most + 2:
        raise LongStringError(f"a string has {len(view) - 2} bytes; at most {most} are read")
    return _whole(view)


def _whole(view: memoryview) -> Any:
    try:
        return _decoder.decode(view)
    except msgspec.DecodeError as e:
        if "out of range" not in str(e):
            raise
        return _infinite.decode(view)
