"""Numbers of JSON schemas in a form that llguidance keeps to the digit, or a GrammarError.

llguidance reads bounds and constants as 64-bit floats, with an error in the last digit if they have many, and writes
them in their shortest decimal digits. It lets an exclusive bound that is an integer through where the other bound has
the same integer part: `0` for {"exclusiveMinimum": 0, "exclusiveMaximum": 0.001}. So every bound becomes the nearest
inclusive one with few enough digits on its inner side. Nothing outside the schema is then allowed, read exactly or as
floats, and hardly a number inside it is lost.

Of what it loses by itself, numbers whose digits a bound begins with (`0.9` for {"maximum": 0.95}, which wants `0.90`)
are allowed by name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from itertools import combinations
from typing import Any

from ..formats.errors import shown
from .errors import GrammarError

BOUNDS = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
_LARGEST = 2.0**63  # llguidance counts in 64-bit integers
_LAST = int(math.nextafter(_LARGEST, 0))
_SMALLEST = 1e-40  # next to 0: llguidance takes no expression for a hundred digits
_DIGITS, _FEW = 15, 13  # significant ones
_POWER = 22  # of ten, at most, that floats have exactly
_MOST_PRODUCT = 2**32 - 1


def with_inclusive_bounds(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with `minimum` and `maximum` for all of its bounds.

    >>> with_inclusive_bounds({"type": "integer", "exclusiveMinimum": 3})
    {'type': 'integer', 'minimum': 4}
    """
    if not any(_is_number(schema.get(name)) for name in BOUNDS):
        return dict(schema)
    if wrong := [name for name in BOUNDS if not isinstance(schema.get(name, 0), int | float)]:
        raise GrammarError(f"{wrong[0]} must be a number, not {shown(schema[wrong[0]])}")
    result = {name: value for name, value in schema.items() if name not in BOUNDS}
    whole = _only_integers(schema.get("type"))
    bounds: dict[str, int | float] = {}
    for name, exclusive, up in (("minimum", "exclusiveMinimum", True), ("maximum", "exclusiveMaximum", False)):
        limits = []
        if name in schema:
            # A boolean says of the other bound that it is exclusive (draft 4).
            limits.append(_inside(name, schema[name], up, whole, schema.get(exclusive) is True))
        if exclusive in schema and not isinstance(schema[exclusive], bool):
            limits.append(_inside(exclusive, schema[exclusive], up, whole, True))
        if limits:
            bounds[name] = max(limits) if up else min(limits)
    beside = [] if whole else _beside(bounds)
    if not beside:
        return result | bounds
    among = [*schema.get("allOf", ())] if isinstance(schema.get("allOf"), list) else []
    kind = {"type": schema["type"]} if "type" in schema else {}
    return result | {"allOf": [*among, {"anyOf": [kind | bounds, {"enum": beside}]}]}


def _beside(bounds: Mapping[str, int | float]) -> list[float]:
    """Numbers between the bounds that llguidance takes with more digits only: bounds, and what their digits begin."""
    low, high = bounds.get("minimum", -math.inf), bounds.get("maximum", math.inf)
    numbers: set[float] = set()
    for bound in bounds.values():
        text = f"{Decimal(repr(bound)):f}"
        point = text.find(".")
        if point > 0 and len(text) - point <= _POWER:
            numbers |= {float(text[:end]) for end in range(point + 2, len(text) + 1)}
    return sorted(number for number in numbers if low <= number <= high and number % 1)


def check_constants(value: Any) -> None:
    """Refuse a value of `const` or `enum` that would be written with other digits."""
    for number in _numbers(value):
        if not _exact(number):
            raise GrammarError(f"unsupported number in const or enum: {shown(number)} has too many digits")


def check_steps(steps: list[Any], combines: bool) -> None:
    """Refuse values of `multipleOf` whose common multiple, where schemas combine, llguidance cannot compute."""
    for step in steps:
        if _is_number(step) and not _exact(step):
            raise GrammarError(f"unsupported multipleOf {shown(step)}: it has too many digits")
    numbers = [Decimal(repr(step)) for step in steps if _is_number(step) and step > 0]
    for one, other in combinations(set(numbers), 2) if combines else ():
        scale = max(0, *(-int(number.normalize().as_tuple().exponent) for number in (one, other)))
        if one * other * Decimal(10) ** (2 * scale) > _MOST_PRODUCT:
            raise GrammarError(
                f"unsupported multipleOf {one} and {other} in a schema with allOf, anyOf, oneOf or $ref: their common "
                "multiple has too many digits"
            )


def _inside(name: str, bound: int | float, up: bool, whole: bool, exclusive: bool) -> int | float:
    """The nearest value on the inner side of a bound (`up`: above it) that llguidance reads and writes exactly."""
    if whole:
        rounded = (math.ceil if up else math.floor)(bound)
        if exclusive and rounded == bound:
            rounded += 1 if up else -1
        bound, exclusive = rounded, False
        if bound <= -_LARGEST if up else bound >= _LARGEST:
            return -_LAST if up else _LAST
    if bound == 0:
        return (_SMALLEST if up else -_SMALLEST) if exclusive else 0
    outer = Decimal(repr(bound))
    if not exclusive and _exact(bound):
        inner = outer
    else:
        # Decimals that few floats are between: the error of reading one does not reach the bound.
        digits = Context(min(_DIGITS, max(_FEW, outer.adjusted() + _POWER + 1)), ROUND_CEILING if up else ROUND_FLOOR)
        inner = digits.plus(outer)
        if inner == outer:
            inner = digits.next_plus(outer) if up else digits.next_minus(outer)
    if abs(inner) >= _LARGEST:
        raise GrammarError(f"unsupported {name} {shown(bound)}: bounds must be between -2^63 and 2^63")
    return int(inner) if inner == inner.to_integral_value() else float(inner)


def _exact(number: int | float) -> bool:
    """Whether llguidance writes the digits that it reads: a significand and a power of ten that floats have exactly."""
    if isinstance(number, int):  # read as an integer of 64 bits, written as a float
        return abs(number) < 2**63 and int(Decimal(repr(float(number)))) == int(float(number)) == number
    _, digits, power = Decimal(repr(number)).normalize().as_tuple()
    return int("".join(map(str, digits))) <= 2**53 and abs(int(power)) <= _POWER


def _only_integers(types: Any) -> bool:
    return "number" not in types if isinstance(types, list) and "integer" in types else types == "integer"


def _numbers(value: Any) -> Iterator[int | float]:
    if isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _numbers(item)
    elif _is_number(value):
        yield value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
