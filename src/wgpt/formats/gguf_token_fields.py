"""The `tokenizer.ggml.*` fields of a GGUF file, checked: lists, numbers for each token, ids, flags."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any

from .errors import FormatError, shown

KEY = "tokenizer.ggml."


def list_of(metadata: Mapping[str, Any], name: str) -> list[Any] | None:
    value = metadata.get(KEY + name)
    if value is None:
        return None
    if hasattr(value, "tolist"):  # a NumPy array
        value = value.tolist()
    if not isinstance(value, list | tuple):
        raise FormatError(f"{KEY}{name} is {shown(value)}, not a list")
    return list(value)


def numbers(metadata: Mapping[str, Any], name: str, length: int, kind: type) -> list[Any] | None:
    """A list of numbers, one per token."""
    values = list_of(metadata, name)
    if values is None:
        return None
    if len(values) != length:
        raise FormatError(f"{KEY}{name} has {len(values)} entries for {length} tokens: the file is damaged")
    try:
        sound = set(map(type, values)) <= {int, kind} and all(map(math.isfinite, values))
    except OverflowError:  # an integer beyond every float
        sound = False
    if not sound:
        wrong = next(v for v in values if type(v) not in (int, kind) or not abs(v) <= sys.float_info.max)
        raise FormatError(f"{KEY}{name} has {shown(wrong)} among its numbers: the file is damaged")
    return values


def token_id(metadata: Mapping[str, Any], name: str, tokens: list[str]) -> int | None:
    value = metadata.get(f"{KEY}{name}_token_id")
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise FormatError(f"{KEY}{name}_token_id is {shown(value)}, not a token id")
    number = int(value)
    if number in (0xFFFFFFFF, -1):  # some converters write this for "none"
        return None
    if not 0 <= number < len(tokens):
        raise FormatError(f"{KEY}{name}_token_id is {number}, but the vocabulary has {len(tokens)} tokens")
    return number


def flag(metadata: Mapping[str, Any], name: str, default: bool) -> bool:
    value = metadata.get(KEY + name, default)
    if not isinstance(value, bool) and value not in (0, 1):
        raise FormatError(f"{KEY}{name} is {shown(value)}, not true or false")
    return bool(value)
