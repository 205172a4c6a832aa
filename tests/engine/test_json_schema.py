"""`oneOf` in JSON schemas: kept exactly where its branches exclude each other, refused where they may not.

`propertyNames`: dropped where every name fits, refused elsewhere.
"""

from __future__ import annotations

from typing import Any

import pytest

from wgpt import Grammar, GrammarError, Model
from wgpt.engine.json_schema import simplified

pytestmark = pytest.mark.gpu


def tagged(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


TREE = {
    "$defs": {
        "leaf": tagged(kind={"const": "leaf"}, value={"type": "integer"}),
        "node": tagged(
            kind={"const": "node"},
            children={"type": "array", "items": {"oneOf": [{"$ref": "#/$defs/leaf"}, {"$ref": "#/$defs/node"}]}},
        ),
    },
    "$ref": "#/$defs/node",
}
EXCLUDING: dict[str, Any] = {
    "types": {"oneOf": [{"type": "string"}, {"type": ["integer", "null"]}, {"type": "array"}]},
    "constants": {"oneOf": [{"const": "a"}, {"enum": ["b", None]}, {"const": True}]},
    "tags": {"oneOf": [tagged(kind={"const": "cat"}), tagged(kind={"const": "dog"}, name={"type": "string"})]},
    "a tree": TREE,
}
OVERLAPPING: dict[str, Any] = {
    "integers are numbers": [{"type": "number"}, {"type": "integer"}],
    "a common constant": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}],
    "a tag that may be missing": [{"type": "object", "properties": {"k": {"const": tag}}} for tag in "xy"],
    "other values than objects": [{"properties": {"k": {"const": tag}}, "required": ["k"]} for tag in "xy"],
    "a reference out of the document": [{"$ref": "https://example.com/a"}, {"type": "string"}],
    "anything": [True, {"type": "string"}],
}


@pytest.mark.parametrize("name", EXCLUDING)
def test_branches_that_exclude_each_other(name: str, model: Model) -> None:
    assert "oneOf" not in str(simplified(EXCLUDING[name]))
    Grammar.json_schema(EXCLUDING[name]).check(model.tokenizer)


@pytest.mark.parametrize("name", OVERLAPPING)
def test_other_branches_are_left_as_they_are(name: str) -> None:
    schema = {"type": "object", "properties": {"oneOf": {"oneOf": OVERLAPPING[name]}}}
    assert simplified(schema) == schema


@pytest.mark.parametrize("name", list(OVERLAPPING)[:3])
def test_they_are_refused_by_the_keywords_name(name: str, model: Model) -> None:
    with pytest.raises(GrammarError, match=r"oneOf is supported only if .* use anyOf otherwise"):
        Grammar.json_schema({"oneOf": OVERLAPPING[name]}).check(model.tokenizer)


def test_references_and_values_are_not_touched() -> None:
    branches = EXCLUDING["types"]["oneOf"]
    referring = {"properties": {"a": {"oneOf": branches}, "b": {"$ref": "#/properties/a/oneOf/0"}}}
    assert simplified(referring) == referring
    constant = {"const": {"oneOf": branches}, "enum": [{"oneOf": branches}]}
    assert simplified(constant) == constant
    both = {"anyOf": [{}], "oneOf": branches}
    assert simplified(both) == both
    circle = {"$defs": {"a": {"$ref": "#/$defs/a"}}, "oneOf": [{"$ref": "#/$defs/a"}, {"type": "string"}]}
    assert simplified(circle) == circle


def test_property_names(model: Model) -> None:
    named = {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"type": "string"}}
    assert "propertyNames" not in simplified({"properties": {"a": named}})["properties"]["a"]
    Grammar.json_schema(named).check(model.tokenizer)
    with pytest.raises(GrammarError, match="propertyNames"):
        Grammar.json_schema({**named, "propertyNames": {"pattern": "^a"}}).check(model.tokenizer)
