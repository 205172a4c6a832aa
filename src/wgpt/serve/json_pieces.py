"""Writes JSON in pieces: serialising megabytes at once would block all other clients."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

_DEEPEST = 8  # levels of nested objects and lists that are written in pieces; deeper ones are written at once
_SEPARATE = 4  # levels on which a list's elements are split, too
_ELEMENTS = 64  # elements of a list to write at once
_BYTES = 32 << 10  # smallest size of a piece: about a millisecond


def json_bytes(value: Any) -> Iterator[bytes]:
    """Some 32 KiB at a time. An iterator becomes a list; floats that JSON lacks become null.

    >>> list(json_bytes({"ids": iter([1, 2]), "text": "é", "none": float("nan")}))
    [b'{"ids":[1,2],"text":"\\xc3\\xa9","none":null}']
    """
    kept, size = [], 0
    for piece in _pieces(value, 0):
        kept.append(piece)
        size += len(piece)
        if size >= _BYTES:
            yield b"".join(kept)
            kept, size = [], 0
    if kept:
        yield b"".join(kept)


def _pieces(value: Any, depth: int) -> Iterator[bytes]:
    if isinstance(value, dict) and value and depth < _DEEPEST:
        before = b"{"
        for key, item in value.items():
            yield before + _dumps(str(key)) + b":"
            yield from _pieces(item, depth + 1)
            before = b","
        yield b"}"
    elif isinstance(value, list | tuple | Iterator) and depth < _DEEPEST:
        yield b"["
        yield from _elements(iter(value), depth)
        yield b"]"
    else:
        yield _dumps(value)


def _elements(values: Iterator[Any], depth: int) -> Iterator[bytes]:
    before = b""
    while some := list(islice(values, _ELEMENTS)):
        if depth < _SEPARATE and any(map(_is_nested, some)):
            for each in some:
                yield before
                yield from _pieces(each, depth + 1)
                before = b","
        else:
            yield before + _dumps(some)[1:-1]
            before = b","


def _is_nested(value: Any) -> bool:
    """Whether it contains objects or lists, and so may be large."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return any(isinstance(item, dict | list | tuple) for item in items) or len(items) > _ELEMENTS


def _dumps(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (UnicodeEncodeError, ValueError):  # half a surrogate pair, or NaN
        return json.dumps(_finite(value), separators=(",", ":")).encode()


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and value - value != 0 else value
