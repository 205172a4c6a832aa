"""JSON schemas beside `jsonschema`: each is refused, or every text that its grammar allows validates."""

from __future__ import annotations

import decimal
import json
from contextlib import suppress
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np

from tests.formats.test_tokenizer import GOLDEN
from wgpt.engine.grammar import Grammar, fill_masks, started
from wgpt.formats.tokenizer import Tokenizer, load_tokenizer

from .cases import EITHER, Case, Rng, area, pick

TEXTS = 4  # from each grammar
MOST_TOKENS = 400  # of a text; a longer one is given up
_HURRY = 60  # after so many tokens, a text ends as soon as it may
_NAMES = ("a", "b", "ab", "c d", 'q"', "é", "")
_PATTERNS = ("^a", "b$", "^[a-c]+$", "x", r"^\d{2,4}$", r"\w", "^(ab|c)*$", ".", "^.{2}$", "^é?$", r"\s", "^$")
_FORMATS = ("date", "time", "date-time", "ipv4", "ipv6", "uuid", "email", "duration", "hostname", "uri", "regex")
_NUMBERS: tuple[int | float, ...] = (
    *(0, 1, -1, 2, 3, 7, 9, 10, 11, 99, 100, 101, -9, -10, -99, 12345, -0.0, 1.0, -2.0),
    *(0.5, -0.5, 0.1, -0.1, 0.001, -0.001, 1.5, -1.5, 0.25, 0.75, 1.25, 9.99, 10.01, -3.7, 99.5, 0.999, 1.001),
    *(1e-7, -1e-7, 1e-20, 2.5e-9, 1e6, 1e15, 1e16, 1e22, -1e22, 1e300, 123456.789, 0.1 + 0.2),
    *(2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 10**18, 10**19, 10**30),
)
_STEPS: tuple[int | float, ...] = (1, 2, 3, 5, 7, 10, 0.5, 0.1, 0.01, 0.25, 0.3, 1.5, 0.07, 0.57, 1e-7, 100, 997, 1e10)
_VALUES: tuple[Any, ...] = (
    *(None, True, False, "", "a", "ab", 'q"\\', "é\n", "\u2028", "😀", [], {}, [1, "a"], {"a": 1}, {"a": {"b": []}}),
    *(0, 1, -1, 1.0, 0.5, -0.5, 1e-7, 100, 2**53 + 1, 2**63, 2**64, 10**30, 1e22, -0.0, 1e300),
)


@area("schemas")
def schema(rng: Rng, folder: Path) -> Case:
    made = _document(rng)

    def run() -> None:
        grammar = Grammar.json_schema(made)
        tokenizer = _tokenizer()
        grammar.check(tokenizer)
        for _ in range(TEXTS):
            text = sampled(grammar, tokenizer, rng)
            if text is not None:
                check(made, text)

    return Case(json.dumps(made), EITHER, run)


@cache
def _tokenizer() -> Tokenizer:
    return load_tokenizer(GOLDEN / "folder")


def sampled(grammar: Grammar, tokenizer: Tokenizer, rng: Rng) -> str | None:
    """A text by a random walk through the tokens that the grammar allows; None where it does not end in time."""
    matcher = started(grammar, tokenizer, tokenizer.vocab_size)
    ids: list[int] = []
    while not matcher.complete and len(ids) < MOST_TOKENS:
        bits = np.unpackbits(matcher.mask.view(np.uint8), bitorder="little")
        allowed = np.flatnonzero(bits).tolist()
        ends = [i for i in allowed if i in tokenizer.eos_ids]
        allowed = [i for i in allowed if i not in tokenizer.eos_ids]
        assert ends or allowed, f"no token may follow {tokenizer.decode(ids)!r}"
        if ends and (not allowed or len(ids) > _HURRY or rng.random() < 0.4):
            return tokenizer.decode(ids)
        closing = [i for i in allowed if i in _closing()]
        chance = 0.95 if len(ids) > _HURRY else 0.25
        token = pick(rng, closing if closing and rng.random() < chance else allowed)
        ids.append(token)
        matcher.accept(token)
        if not matcher.complete:
            fill_masks([matcher])
            matcher.check()
    return tokenizer.decode(ids) if matcher.complete else None


@cache
def _closing() -> frozenset[int]:
    """Tokens that lead to an end."""
    tokenizer = _tokenizer()
    return frozenset(i for i in range(tokenizer.vocab_size) if tokenizer.decode([i]) in set('"]}09'))


def check(schema: Any, text: str) -> None:
    """Raise unless a text fits: with its numbers read as decimals, and as the floats that most readers make of them."""
    # A $ref may lead to itself, and a number may be too large for the decimal module.
    with decimal.localcontext(prec=2000), suppress(RecursionError, decimal.InvalidOperation):
        exact = json.loads(json.dumps(schema), parse_float=Decimal)
        _Exact(exact, format_checker=_Exact.FORMAT_CHECKER).validate(json.loads(text, parse_float=Decimal))
        _Rounded(schema).validate(json.loads(text))


def _integer(checker: Any, value: Any) -> bool:
    if isinstance(value, Decimal):
        _, digits, power = value.as_tuple()
        return not any(digits[len(digits) + min(0, int(power)) :]) if -int(power) < len(digits) else not any(digits)
    return isinstance(value, int) and not isinstance(value, bool)


_Exact = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", _integer),
)
_Rounded = jsonschema.validators.extend(  # 0.3 is no multiple of 0.1 in binary
    jsonschema.Draft202012Validator, validators={"multipleOf": lambda *arguments: None}
)


def _document(rng: Rng) -> Any:
    made = _schema(rng, 0)
    if isinstance(made, dict) and rng.random() < 0.2:
        made["$defs"] = {"d": _schema(rng, 2), "e": {"type": "object", "properties": {"next": {"$ref": "#/$defs/d"}}}}
    return made


def _schema(rng: Rng, depth: int) -> Any:
    kinds = [_number, _number, _number, _string, _constant, _simple]
    if depth < 3:
        kinds += [_array, _object, _object, _combined, _combined]
    made = pick(rng, kinds)(rng, depth)
    if isinstance(made, dict) and rng.random() < 0.05 and depth < 3:
        made |= _combined(rng, depth)
    return made


def _some(rng: Rng, options: dict[str, Any], chance: float = 0.4) -> dict[str, Any]:
    kept = {name: make() for name, make in options.items() if rng.random() < chance}
    names = list(kept)
    rng.shuffle(names)
    return {name: kept[name] for name in names}


def _number(rng: Rng, depth: int) -> Any:
    near = pick(rng, _NUMBERS)

    def bound() -> Any:
        if rng.random() < 0.4:
            return pick(rng, _NUMBERS)
        return near + pick(rng, (0, 1, -1, 0.5, 0.1, 0.001, 10, 100))

    limits = _some(rng, dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), bound))
    if rng.random() < 0.25:
        limits["multipleOf"] = pick(rng, _STEPS)
    types = pick(rng, ("number", "number", "integer", ["integer", "null"], ["number", "string"], None))
    return limits if types is None else {"type": types} | limits


def _string(rng: Rng, depth: int) -> Any:
    options = {
        "minLength": lambda: int(rng.integers(0, 5)),
        "maxLength": lambda: int(rng.integers(0, 8)),
        "pattern": lambda: pick(rng, _PATTERNS),
    }
    made = _some(rng, options)
    if rng.random() < 0.15:
        made["format"] = pick(rng, _FORMATS)
    return made if rng.random() < 0.1 else {"type": "string"} | made


def _constant(rng: Rng, depth: int) -> Any:
    if rng.random() < 0.5:
        made: Any = {"const": pick(rng, _VALUES)}
    else:
        made = {"enum": [pick(rng, _VALUES) for _ in range(int(rng.integers(1, 5)))]}
    return made | (pick(rng, (_number, _string))(rng, depth) if rng.random() < 0.2 else {})


def _simple(rng: Rng, depth: int) -> Any:
    types = ("null", "boolean", "string", "number", "integer", "object", "array")
    return pick(rng, ({}, True, False, *({"type": each} for each in types), {"$ref": "#/$defs/d"}, {"$ref": "#"}))


def _array(rng: Rng, depth: int) -> Any:
    options = {
        "items": lambda: _schema(rng, depth + 1),
        "prefixItems": lambda: [_schema(rng, depth + 1) for _ in range(int(rng.integers(1, 3)))],
        "minItems": lambda: int(rng.integers(0, 4)),
        "maxItems": lambda: int(rng.integers(0, 5)),
    }
    rare = {"uniqueItems": lambda: True, "contains": lambda: _schema(rng, depth + 1)}
    return {"type": "array"} | _some(rng, options, 0.5) | _some(rng, rare, 0.05)


def _object(rng: Rng, depth: int) -> Any:
    def several(names: tuple[str, ...]) -> dict[str, Any]:
        return {pick(rng, names): _schema(rng, depth + 1) for _ in range(int(rng.integers(1, 4)))}

    options = {
        "properties": lambda: several(_NAMES),
        "required": lambda: sorted({pick(rng, _NAMES) for _ in range(int(rng.integers(1, 3)))}),
        "additionalProperties": lambda: pick(rng, (False, True, _schema(rng, depth + 1))),
    }
    rare = {
        "patternProperties": lambda: several(_PATTERNS),
        "minProperties": lambda: int(rng.integers(0, 4)),
        "maxProperties": lambda: int(rng.integers(0, 5)),
        "propertyNames": lambda: _string(rng, depth),
        "dependentRequired": lambda: {"a": ["b"]},
    }
    made = _some(rng, options, 0.6) | _some(rng, rare, 0.15)
    return made if rng.random() < 0.1 else {"type": "object"} | made


def _combined(rng: Rng, depth: int) -> Any:
    name = pick(rng, ("anyOf", "anyOf", "allOf", "allOf", "oneOf", "not", "if"))
    if name in ("not", "if"):
        return {name: _schema(rng, depth + 1)}
    return {name: [_schema(rng, depth + 1) for _ in range(int(rng.integers(1, 4)))]}
