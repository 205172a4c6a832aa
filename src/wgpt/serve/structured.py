"""Structured output: turns response_format, guided_* and structured_outputs into a rule for the text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..core.errors import WgptError
from ..engine.grammar import Grammar
from ..engine.json_schema import ESCAPES, simplified
from ..formats.errors import shown
from ..formats.tokenizer import Tokenizer
from .openai.fields import FieldError, checked, object_of, refused
from .settings import Limits

FIELDS = ("response_format", "guided_json", "guided_regex", "guided_choice", "guided_grammar", "structured_outputs")
MOST_BYTES = Limits().schema_bytes  # most bytes of a schema, an expression or a grammar
MOST_CHOICES = 1000
MOST_DEPTH = 100  # most nesting of a schema's objects and lists
JSON_SCHEMA, JSON_OBJECT, REGEX, LARK = "json_schema", "json_object", "regex", "lark"
_OUTPUTS = {"json": "guided_json", "regex": "guided_regex", "choice": "guided_choice", "grammar": "guided_grammar"}


@dataclass(frozen=True)
class Part:
    """A JSON schema within a rule. `owner`: what it belongs to, such as a tool with its name."""

    field: str
    schema: Any
    owner: str = ""


@dataclass(frozen=True)
class Rule:
    """What a text must match: the name of a Grammar constructor, its argument, and the request field.

    `parts`: JSON schemas within the source, each with its field and owner, for error messages.
    """

    kind: str
    source: Any
    field: str
    parts: tuple[Part, ...] = ()

    @property
    def is_json(self) -> bool:
        return self.kind in (JSON_SCHEMA, JSON_OBJECT)

    @property
    def lark(self) -> str:
        """The rule as part of a Lark rule."""
        return json_rule(self.part.schema)

    @property
    def part(self) -> Part:
        """The rule as part of another rule."""
        if not self.is_json:
            message = f"{self.field} cannot be combined with tools: use response_format, or no tools"
            raise FieldError(message, self.field)
        return Part(self.field, self.source if self.kind == JSON_SCHEMA else {"type": "object"})


def json_rule(schema: Any) -> str:
    """The JSON that a schema allows, as an expression of a Lark grammar."""
    options = {"json_allowed_escapes": ESCAPES, **schema.get("x-guidance", {})}
    return f"%json {json.dumps({**simplified(schema), 'x-guidance': options})}"


def rule_of(body: Mapping[str, Any]) -> Rule | None:
    """The rule that a request sets; None if its text is free. Refuses two rules."""
    rules = []
    for name in FIELDS:
        if body.get(name) is not None and (rule := _READERS[name](body[name], name)) is not None:
            rules.append(rule)
    if len(rules) > 1:
        raise FieldError(f"{rules[0].field} and {rules[1].field} both constrain the text: give one", rules[1].field)
    return rules[0] if rules else None


def response_format_rule(value: Any, name: str = "response_format") -> Rule | None:
    """{"type": "text" | "json_object" | "json_schema", "json_schema": {"name", "schema", ...}}."""
    format = object_of(value, name, ("type", "json_schema", "schema"))
    kind = format.get("type")
    if kind == "text":
        object_of(value, name, ("type",))
        return None
    if kind == "json_object":
        object_of(value, name, ("type", "schema"))
        if "schema" in format:  # llama.cpp's clients write it this way
            return schema_rule(format["schema"], f"{name}.schema")
        return Rule(JSON_OBJECT, None, name)
    if kind == "json_schema":
        object_of(value, name, ("type", "json_schema"))
        inner = object_of(format.get("json_schema"), f"{name}.json_schema", ("name", "description", "schema", "strict"))
        return named_schema_rule(inner, f"{name}.json_schema")
    raise FieldError(f"{name}.type must be text, json_object or json_schema, not {shown(kind)}", f"{name}.type")


def named_schema_rule(format: Mapping[str, Any], name: str) -> Rule:
    """{"name", "description", "schema", "strict"}. Schemas are always enforced exactly, strict or not."""
    for key, kind in {"name": str, "description": str, "strict": bool}.items():
        if format.get(key) is not None:
            checked(f"{name}.{key}", format[key], kind)
    if format.get("schema") is None:
        raise FieldError(f'{name} needs a "schema"', f"{name}.schema")
    return schema_rule(format["schema"], f"{name}.schema")


def schema_rule(value: Any, name: str) -> Rule:
    """A JSON schema, as an object or as text."""
    if isinstance(value, str):
        _check_size(value, name)
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise FieldError(f"{name} is not JSON", name) from None
    return Rule(JSON_SCHEMA, check_schema(value, name), name)


def check_schema(value: Any, name: str) -> dict[str, Any]:
    """Refuse a JSON schema that is too large. Its keywords are checked when it is compiled."""
    schema: dict[str, Any] = checked(name, value, dict)
    if "x-guidance" in schema:
        raise FieldError(f"{name}: x-guidance is unsupported", name)
    check_depth(schema, name)
    _check_size(json.dumps(schema), name)
    return schema


def check_depth(value: Any, name: str) -> None:
    """Refuse a value that is nested too deeply for the functions that read it."""
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            item
            for each in level
            if isinstance(each, dict | list)
            for item in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise FieldError(f"{name} is nested more than {MOST_DEPTH} levels deep", name)


def _check_size(text: str, name: str) -> None:
    if len(text) > MOST_BYTES:
        raise FieldError(f"{name} may have at most {MOST_BYTES} bytes, not {len(text)}", name)


def _text_rule(kind: str, value: Any, name: str) -> Rule:
    text = checked(name, value, str)
    _check_size(text, name)
    if not text:
        raise refused(name, value, "a text that is not empty")
    return Rule(kind, text, name)


def _choice_rule(value: Any, name: str) -> Rule:
    choices = checked(name, value, list)
    if not 1 <= len(choices) <= MOST_CHOICES:
        raise FieldError(f"{name} must have from 1 to {MOST_CHOICES} texts, not {len(choices)}", name)
    for choice in choices:
        if not isinstance(choice, str) or not choice:
            raise FieldError(f"{name}: each choice must be a text that is not empty, not {shown(choice)}", name)
        if any("\ud800" <= character <= "\udfff" for character in choice):
            raise FieldError(f"{name}: {shown(choice)} is not valid Unicode", name)
    source = f"start: {' | '.join(map(quoted, choices))}\n"
    _check_size(source, name)
    return Rule(LARK, source, name)


def quoted(text: str) -> str:
    """A text as a Lark string."""
    return json.dumps(text, ensure_ascii=False)


def _outputs_rule(value: Any, name: str) -> Rule | None:
    """vLLM's spelling: {"json": ...}, {"regex": ...}, {"choice": [...]} or {"grammar": ...}."""
    outputs = object_of(value, name, (*_OUTPUTS, "json_object"))
    if outputs.get("json_object") is False:
        del outputs["json_object"]
    if len(outputs) != 1:
        raise FieldError(f"{name} must have one of {', '.join(_OUTPUTS)} and json_object, not {len(outputs)}", name)
    ((key, item),) = outputs.items()
    if key == "json_object":
        checked(f"{name}.json_object", item, bool)
        return Rule(JSON_OBJECT, None, name)
    return _READERS[_OUTPUTS[key]](item, f"{name}.{key}")


_READERS: Mapping[str, Callable[[Any, str], Rule | None]] = {
    "response_format": response_format_rule,
    "guided_json": schema_rule,
    "guided_regex": lambda value, name: _text_rule(REGEX, value, name),
    "guided_choice": _choice_rule,
    "guided_grammar": lambda value, name: _text_rule(LARK, value, name),
    "structured_outputs": _outputs_rule,
}


def unchecked_grammar(rule: Rule) -> Grammar:
    """The rule as a grammar that is not compiled yet."""
    try:
        return Grammar.json_object() if rule.kind == JSON_OBJECT else getattr(Grammar, rule.kind)(rule.source)
    except WgptError as e:
        raise FieldError(f"{rule.field}: {e}", rule.field) from None


def grammar_of(rule: Rule, tokenizer: Tokenizer) -> Grammar:
    """The compiled rule. The error for an unsupported rule names its field and the keyword."""
    grammar = unchecked_grammar(rule)
    try:
        grammar.check(tokenizer)
    except WgptError as e:
        for part in rule.parts:
            _check_part(part, tokenizer)
        each = "each schema alone is supported, but not all together: " if rule.parts else ""
        raise FieldError(f"{rule.field}: {each}{e}", rule.field) from None
    return grammar


def _check_part(part: Part, tokenizer: Tokenizer) -> None:
    try:
        Grammar.json_schema(part.schema).check(tokenizer)
    except WgptError as e:
        owner = f" of {part.owner}" if part.owner else ""
        raise FieldError(f"{part.field}{owner}: {e}", part.field) from None
