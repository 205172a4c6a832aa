"""JSON schemas in fewer keywords that mean the same, for grammars, which refuse what they cannot keep.

A `oneOf` whose branches exclude each other is an `anyOf`. llguidance finds that out by itself unless a branch refers to
a schema that contains it, as in a tree of tagged unions. A `propertyNames` that any name fits says nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from ..formats.errors import shown
from .errors import GrammarError
from .json_numbers import check_constants, check_steps, with_inclusive_bounds

# All but \u: with it, an additional property could spell the name of a declared one, and so avoid its schema.
ESCAPES = 'nrbtf"\\'
_VALUES = ("const", "enum")
_COMBINING = frozenset(("allOf", "anyOf", "oneOf", "$ref", "patternProperties"))
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_ANY_NAME: tuple[Any, ...] = (True, {}, {"type": "string"})  # as propertyNames
_MOST_REFERENCES = 16


def simplified(schema: Any) -> Any:
    """The schema, with `anyOf` for each `oneOf` whose branches exclude each other, and without empty `propertyNames`.

    Its numbers are as json_numbers.py says; a GrammarError names one that cannot be kept.

    >>> simplified({"oneOf": [{"type": "string"}, {"type": "null"}]})
    {'anyOf': [{'type': 'string'}, {'type': 'null'}]}
    """
    rewriting = _Rewriting(schema)
    try:
        result = rewriting.rewritten(schema)
    except RecursionError:
        raise GrammarError("the JSON schema is nested too deeply") from None
    check_steps(rewriting.steps, rewriting.combines)
    return result


class _Rewriting:
    """One document. `steps`: its values of multipleOf; `combines`: whether several schemas may hold for one value."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.moved = "/oneOf/" in json.dumps(root)  # a reference into a branch would break
        self.steps: list[Any] = []
        self.combines = False

    def rewritten(self, schema: Any) -> Any:
        """References may point anywhere, so unknown keywords are searched for schemas as well."""
        if isinstance(schema, list):
            return [self.rewritten(each) for each in schema]
        if not isinstance(schema, Mapping):
            return _short(schema)
        self.combines |= not _COMBINING.isdisjoint(schema)
        self.steps += [schema["multipleOf"]] if "multipleOf" in schema else []
        _check_least(schema)
        result: dict[str, Any] = {}
        for name, value in schema.items():
            if name in _VALUES:
                check_constants(value)
                result[name] = value
                continue
            if name == "propertyNames" and value in _ANY_NAME:
                continue
            result["anyOf" if self._excluding(schema, name) else name] = self._value(name, value)
        return with_inclusive_bounds(result)

    def _value(self, name: str, value: Any) -> Any:
        if name in _NAMED and isinstance(value, Mapping):  # a property may have a keyword's name
            return {key: self.rewritten(each) for key, each in value.items()}
        return self.rewritten(value)

    def _excluding(self, schema: Mapping[str, Any], name: str) -> bool:
        branches = schema[name] if name == "oneOf" and "anyOf" not in schema and not self.moved else None
        return isinstance(branches, list) and _exclude(branches, self.root)


def _check_least(schema: Mapping[str, Any]) -> None:
    """Refuse a minProperties that needs different names: grammars allow an additional property twice."""
    least, required = schema.get("minProperties"), {name for name in _required(schema) if isinstance(name, str)}
    if isinstance(least, int) and least > max(1, len(required)):
        raise GrammarError(
            f"unsupported minProperties {shown(least)}: it may be 0, 1, or at most the number of required properties; "
            "name those that must be there in required"
        )


def _short(value: Any) -> Any:
    """An integer of more than 64 bits, which llguidance does not take, as a float: nothing but comments has one."""
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        try:
            return float(value)
        except OverflowError:
            raise GrammarError(f"the JSON schema has a number that is too large: {shown(value)}") from None
    return value


def _exclude(branches: list[Any], root: Any) -> bool:
    """Whether no value fits two of them."""
    resolved = [_resolved(branch, root) for branch in branches]
    return all(_disjoint(a, b, root) for a, b in combinations(resolved, 2))


def _resolved(schema: Any, root: Any) -> Mapping[str, Any]:
    """The schema that a reference within the document points to; without any keyword if that is not known."""
    for _ in range(_MOST_REFERENCES):
        if not isinstance(schema, Mapping):
            return {}
        pointer = schema.get("$ref")
        if pointer is None:
            return schema
        if not isinstance(pointer, str) or not pointer.startswith("#/"):
            return {}
        schema = root
        for part in pointer[2:].split("/"):
            part = part.replace("~1", "/").replace("~0", "~")
            schema = schema.get(part) if isinstance(schema, Mapping) else None
    return {}


def _disjoint(a: Mapping[str, Any], b: Mapping[str, Any], root: Any) -> bool:
    types = _types(a), _types(b)
    if _apart(_values(a), _values(b)) or _apart(*types):
        return True
    return types[0] == types[1] == {"object"} and any(_differ(a, b, name, root) for name in _required(a))


def _differ(a: Mapping[str, Any], b: Mapping[str, Any], name: Any, root: Any) -> bool:
    """Whether both objects must have this property, with different values: what tells tagged unions apart."""
    if name not in _required(b):
        return False
    properties = [schema.get("properties") for schema in (a, b)]
    own = [_resolved(each[name], root) for each in properties if isinstance(each, Mapping) and name in each]
    return len(own) == 2 and _apart(_values(own[0]), _values(own[1]))


def _apart(one: set[str] | None, other: set[str] | None) -> bool:
    """Whether both are known and have nothing in common."""
    return one is not None and other is not None and not one & other


def _required(schema: Mapping[str, Any]) -> list[Any]:
    required = schema.get("required")
    return required if isinstance(required, list) else []


def _values(schema: Mapping[str, Any]) -> set[str] | None:
    """The only values that fit, by `const` or `enum`; None: there may be others. Numbers are left to llguidance."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if not isinstance(values, list) or not all(isinstance(value, str | bool | None) for value in values):
        return None
    return {json.dumps(value) for value in values}


def _types(schema: Mapping[str, Any]) -> set[str] | None:
    """The types that fit; None: any."""
    types = schema.get("type")
    types = [types] if isinstance(types, str) else types
    if not isinstance(types, list) or not all(isinstance(each, str) for each in types):
        return None
    return {"number" if each == "integer" else each for each in types}
