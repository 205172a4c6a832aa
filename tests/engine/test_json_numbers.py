"""Numbers of JSON schemas: the grammar allows none that is outside the bounds, and those inside that matter."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from tests.formats.test_tokenizer import GOLDEN
from tests.fuzz.schemas import check
from wgpt import Grammar, GrammarError
from wgpt.engine.grammar import started
from wgpt.engine.json_numbers import with_inclusive_bounds
from wgpt.engine.json_schema import simplified
from wgpt.formats.tokenizer import Tokenizer, load_tokenizer


@cache
def tokenizer() -> Tokenizer:
    return load_tokenizer(GOLDEN / "folder")


def allows(schema: Any, text: str) -> bool:
    """Whether a grammar allows a text, whole."""
    matcher = started(Grammar.json_schema(schema), tokenizer(), tokenizer().vocab_size)
    for id in tokenizer().encode(text, special=False):
        try:
            matcher.accept(id)
        except GrammarError:
            return False
    return matcher.complete or bool(matcher._matcher.is_accepting())


TEXTS = (
    *("0", "-0", "0.0", "1", "1.0", "-1", "0.5", "-0.5", "0.001", "0.0009", "0.00001", "-0.0009", "1.5", "1.4999"),
    *("0.99999999999999999999", "1.00000000000000000001", "-1.2", "2"),
    *("9007199254740992", "9007199254740993", "9007199254741000"),
)
BOUNDS: tuple[dict[str, Any], ...] = (
    {"exclusiveMinimum": 0, "exclusiveMaximum": 0.001},
    {"exclusiveMinimum": -0.5, "exclusiveMaximum": 0},
    {"exclusiveMinimum": 1, "maximum": 1.5},
    {"minimum": -1.5, "exclusiveMaximum": -1},
    {"exclusiveMinimum": 0, "exclusiveMaximum": 1},
    {"exclusiveMinimum": 0},
    {"exclusiveMaximum": 0},
    {"minimum": 0.1 + 0.2, "maximum": 1.25},
    {"type": "integer", "exclusiveMinimum": 2**53},
    {"type": "integer", "maximum": 2**53 + 1, "minimum": -1.5},
    {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 2},
    {"allOf": [{"type": "integer"}, {"exclusiveMinimum": 0}, {"exclusiveMaximum": 2.5}]},
    {"type": "integer", "minimum": -(2**63), "maximum": 2**64 - 1},
)


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_every_text_that_is_allowed_fits(bounds: dict[str, Any]) -> None:
    schema = {"type": "number", **bounds}
    allowed = [text for text in TEXTS if allows(schema, text)]
    for text in allowed:
        check(schema, text)
    assert allowed


def test_the_numbers_between_narrow_bounds_are_allowed() -> None:
    narrow = {"type": "number", **BOUNDS[0]}
    assert allows(narrow, "0.0009") and allows(narrow, "0.00001")
    assert not any(allows(narrow, text) for text in ("0", "0.0", "-0", "0.001", "0.1", "1"))
    share = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
    assert all(allows(share, text) for text in ("0.9", "0.99", "0.90", "0.5", "0.123456789", "0.01"))
    assert all(allows({"type": "number", "minimum": 0.5, "maximum": 0.56}, text) for text in ("0.5", "0.55", "0.56"))
    assert not any(allows({"type": "number", "minimum": 0.5, "maximum": 0.56}, text) for text in ("0", "0.4", "0.57"))
    assert allows({"type": ["number", "null"], "minimum": -37.25}, "-37.2")
    assert allows({"type": ["number", "null"], "minimum": -37.25}, "null")
    whole = {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}  # as OpenAPI writes int64
    assert all(allows(whole, text) for text in ("0", "-7", "9223372036854760000", "-9223372036854760000"))
    assert allows({"type": "number", "minimum": 3.141592653589793}, "3.141592653589793")


def test_bounds_become_inclusive() -> None:
    assert with_inclusive_bounds({"type": "integer", "exclusiveMaximum": 10}) == {"type": "integer", "maximum": 9}
    assert with_inclusive_bounds({"minimum": 1, "exclusiveMinimum": True})["allOf"][0]["anyOf"][0] == {
        "minimum": 1.00000000000001
    }
    assert with_inclusive_bounds({"minimum": 5, "exclusiveMinimum": 1.5}) == {"minimum": 5}
    named = {"properties": {"minimum": {"type": "string"}}, "components": {"schemas": {"a": {"exclusiveMinimum": 0}}}}
    assert simplified(named)["properties"] == named["properties"]
    assert simplified(named)["components"]["schemas"]["a"] == {"minimum": 1e-40}


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"const": 10**30}, "number in const or enum: 1000000000000000000000000000000 "),
        ({"enum": ["a", {"b": [2**53 + 1]}]}, "9007199254740993"),
        ({"const": 0.1 + 0.2}, "0.30000000000000004"),
        ({"type": "number", "maximum": 1e300}, r"maximum 1e\+300"),
        ({"type": "number", "maximum": "3"}, "maximum"),
        ({"minimum": {}, "maximum": 3}, "minimum must be a number"),
        ({"type": "number", "minimum": float("inf")}, "cannot be written as JSON"),
        ({"allOf": [{"multipleOf": 65537}, {"multipleOf": 65539}]}, "multipleOf 65537 and 65539|65539 and 65537"),
        ({"multipleOf": 0.1 + 0.2}, "multipleOf"),
        ({"type": "object", "minProperties": 2, "required": ["a"]}, "minProperties 2: .* in required"),
        ({"$ref": "#"}, "no text fits it: it refers to itself without end"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, "refers to itself"),
    ],
    ids=str,
)
def test_what_cannot_be_kept_is_refused_in_one_line(schema: Any, message: str) -> None:
    with pytest.raises(GrammarError, match=message) as error:
        Grammar.json_schema(schema).check(tokenizer())
    assert "\n" not in str(error.value)


def test_cycles_and_depth() -> None:
    circle: dict[str, Any] = {}
    circle["properties"] = {"a": circle}
    deep: dict[str, Any] = {}
    for _ in range(3000):
        deep = {"items": deep}
    for schema in (circle, deep):
        with pytest.raises(GrammarError, match=r"cannot be written as JSON|nested too deeply"):
            Grammar.json_schema(schema).check(tokenizer())


def test_comments_may_have_any_number() -> None:
    Grammar.json_schema({"type": "integer", "default": 10**30, "examples": [10**25]}).check(tokenizer())
    Grammar.json_schema({"type": "object", "minProperties": 2, "required": ["a", "b"]}).check(tokenizer())


def test_an_additional_property_cannot_spell_a_declared_one() -> None:
    schema = {"type": "object", "properties": {"age": {"type": "integer"}}, "additionalProperties": {"type": "string"}}
    assert allows(schema, '{"age": 3, "other": "x\\n\\"\\\\"}')
    assert not allows(schema, '{"age": 3, "\\u0061ge": "x"}')
    assert json.loads('{"age": 3, "\\u0061ge": "x"}') == {"age": "x"}
