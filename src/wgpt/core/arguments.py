"""Argument checks: an error names the argument, its value and what is allowed."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from .errors import PreconditionError
from .naming import argument


def brief(value: object, most: int = 60) -> str:
    """A value on one line, short enough for a message."""
    if isinstance(value, np.ndarray):
        return f"an array {value.shape} {value.dtype}"
    text = repr(value[: most + 1] if isinstance(value, str | bytes) else value)
    text = " ".join(text.split("\n"))
    return text if len(text) <= most else f"{text[: most - 3]}..."


def shown(value: object) -> str:
    """A value and its type, short enough for a message."""
    return "None" if value is None else f"{brief(value)} ({type(value).__name__})"


def refused(name: str, value: Any, allowed: str) -> PreconditionError:
    """The error for a value of the right type that is out of range."""
    return PreconditionError(f"{argument(name)} must be {allowed}, not {brief(value)}")


def wrong_type(name: str, value: Any, allowed: str) -> PreconditionError:
    """The error for a value of another type, which it names: '4' and 4 look alike."""
    return PreconditionError(f"{argument(name)} must be {allowed}, not {shown(value)}")


def as_whole(value: Any) -> int | None:
    """The whole number that a value is, Python's or NumPy's; None for True, 2.0 and everything else.

    >>> as_whole(5), as_whole(True), as_whole(2.0), as_whole("5")
    (5, None, None, None)
    """
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def whole_number(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """The value as an int; NumPy integers are accepted, True and 2.0 are not.

    >>> whole_number("rank", 0, 1, 4096)
    Traceback (most recent call last):
    wgpt.core.errors.PreconditionError: rank must be a whole number from 1 to 4096, not 0
    """
    number = as_whole(value)
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        limits = "" if least is None else f" of at least {least}"
        limits = limits if most is None else f" from {least} to {_power(most)}"
        raise (wrong_type if number is None else refused)(name, value, f"a whole number{limits}")
    return number


def _power(number: int) -> str:
    """A limit as people write it: 2^32 - 1."""
    bits = number.bit_length()
    return f"2^{bits} - 1" if bits > 30 and number == 2**bits - 1 else str(number)


def as_number(value: Any) -> float:
    """The value as a float; NaN if it is not a number, so that every range check fails."""
    if isinstance(value, bool | str | bytes):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def number_between(name: str, value: Any, least: float, below: float) -> float:
    """The value as a float, from `least` to below `below`."""
    number = as_number(value)
    if not least <= number < below:
        raise refused(name, value, f"a number from {least:g} to below {below:g}")
    return number


def positive_number(name: str, value: Any, most: float, *, zero: bool = False) -> float:
    """The value as a float above 0 (or 0, with `zero`), of at most `most`."""
    number = as_number(value)
    if not (0 <= number <= most if zero else 0 < number <= most):
        raise refused(name, value, f"a number {'of 0 or more' if zero else 'above 0'}, at most {most:g}")
    return number


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise wrong_type(name, value, "True or False")
    return bool(value)


def usable_path(name: str, value: str | os.PathLike[str]) -> None:
    """Refuse what cannot be a path anywhere: too long, or with a NUL."""
    try:
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            os.lstat(value)
    except (OSError, ValueError) as e:
        reason = getattr(e, "strerror", None) or str(e)
        raise PreconditionError(f"{argument(name)} must be a path, not {brief(value)}: {reason}") from None


def one_of(name: str, value: Any, choices: Iterable[str]) -> str:
    """The value, which must be one of these names.

    >>> one_of("cache", "f8", ["f16", "f32"])
    Traceback (most recent call last):
    wgpt.core.errors.PreconditionError: cache must be f16 or f32, not 'f8'
    """
    names = list(choices)
    if not isinstance(value, str) or value not in names:
        *first, last = names
        allowed = f"{', '.join(first)} or {last}" if first else last
        raise (refused if isinstance(value, str) else wrong_type)(name, value, allowed)
    return value


def check_type(name: str, value: object, allowed: str, *types: type) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, types)):
        raise wrong_type(name, value, allowed)


def check_progress(progress: object) -> None:
    if progress is not None and not callable(progress):
        raise wrong_type("progress", progress, "a function")


def is_token_id(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_list(value: Any) -> bool:
    """Whether it is a list, tuple, array, ...; strings and bytes do not count."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview)


def token_ids(name: str, ids: Any, allowed: str = "a list of token ids") -> list[int]:
    """Token ids as a list, from any sequence or array of whole numbers."""
    if isinstance(ids, np.ndarray) and ids.ndim == 1 and np.issubdtype(ids.dtype, np.integer):
        return [int(token) for token in ids]
    if not is_list(ids):
        raise PreconditionError(f"{name} must be {allowed}, not {shown(ids)}")
    for token in ids:
        if not is_token_id(token):
            raise PreconditionError(f"{name}: token ids must be whole numbers, not {shown(token)}")
    return [int(token) for token in ids]
