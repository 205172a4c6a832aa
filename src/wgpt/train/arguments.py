"""Argument checks: an error names the argument, its value and what is allowed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..formats.errors import shown
from ..gpu.errors import PreconditionError
from ..gpu.whole import as_whole


def whole_number(name: str, value: Any, least: int, most: int | None = None) -> int:
    """The value as an int; NumPy integers are accepted, True and 2.0 are not."""
    allowed = f"a whole number of at least {least}" if most is None else f"a whole number from {least} to {most}"
    number = as_whole(value)
    if number is None or number < least or (most is not None and number > most):
        raise refused(name, value, allowed)
    return number


def number_between(name: str, value: Any, least: float, below: float) -> float:
    """The value as a float, from `least` to below `below`."""
    number = _number(value)
    if not least <= number < below:
        raise refused(name, value, f"a number from {least:g} to below {below:g}")
    return number


def positive_number(name: str, value: Any, most: float, *, zero: bool = False) -> float:
    """The value as a float above 0 (or 0, with `zero`), of at most `most`."""
    number = _number(value)
    if not (0 <= number <= most if zero else 0 < number <= most):
        raise refused(name, value, f"a number {'of 0 or more' if zero else 'above 0'}, at most {most:g}")
    return number


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise refused(name, value, "True or False")
    return value


def one_of(name: str, value: Any, choices: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise refused(name, value, f"{', '.join(choices[:-1])} or {choices[-1]}")
    return value


def refused(name: str, value: Any, allowed: str) -> PreconditionError:
    return PreconditionError(f"{name} must be {allowed}, not {shown(value)}")


def _number(value: Any) -> float:
    """The value as a float; NaN if it is not a number, so that every range check fails."""
    if isinstance(value, bool | str | bytes):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
