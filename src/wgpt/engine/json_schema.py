"""JSON schemas in fewer keywords that mean the same, for grammars, which refuse what they cannot keep.

A `oneOf` whose branches exclude each other is an `anyOf`. llguidance finds that out by itself unless a branch refers to
a schema that contains it, as in a tree of tagged unions. A `propertyNames` that any name fits says nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import combinations
from typing import Any

# Keywords whose values are a schema, a list of schemas, or schemas by name.
_ONE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_ANY_NAME: tuple[Any, ...] = (True, {}, {"type": "string"})  # as propertyNames
_MOST_REFERENCES = 16


def simplified(schema: Any) -> Any:
    """The schema, with `anyOf` for each `oneOf` whose branches exclude each other, and without empty `propertyNames`.

    >>> simplified({"oneOf": [{"type": "string"}, {"type": "null"}]})
    {'anyOf': [{'type': 'string'}, {'type': 'null'}]}
    """
    try:
        moved = "/oneOf/" in json.dumps(schema)  # a reference into a branch would break
        return schema if moved else _rewritten(schema, schema)
    except RecursionError:
        return schema  # llguidance refuses it


def _rewritten(schema: Any, root: Any) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    result: dict[str, Any] = {}
    for name, value in schema.items():
        if name == "propertyNames" and value in _ANY_NAME:
            continue
        if name in _ONE:
            value = _rewritten(value, root)
        elif name in _SEVERAL and isinstance(value, list):
            value = [_rewritten(each, root) for each in value]
        elif name in _NAMED and isinstance(value, Mapping):
            value = {key: _rewritten(each, root) for key, each in value.items()}
        excluding = name == "oneOf" and isinstance(value, list) and "anyOf" not in schema and _exclude(value, root)
        result["anyOf" if excluding else name] = value
    return result


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
