"""A tokenizer as plain data for runtime/tokenizer.js: BPE over bytes, or over characters as in SentencePiece."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..formats.tokenizer import Tokenizer
from .errors import WebExportError
from .regex import for_javascript

_FORMS = ("NFC", "NFD", "NFKC", "NFKD")
# GPT-2's own expression, which a ByteLevel step implies.
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_SPECIAL = r"^$\.*+?()[]{}|/"


def tokenizer_data(tokenizer: Tokenizer, name: str) -> dict[str, Any]:
    """The data for the browser. Unknown steps of a tokenizer are refused by name."""
    description = json.loads(tokenizer.to_json())
    model = description["model"]
    if model.get("type") != "BPE":
        raise _refused(name, f"a {model.get('type')} model")
    for key in ("dropout", "continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(key):
            raise _refused(name, key)
    tokens: list[str | None] = [None] * tokenizer.vocab_size
    for token, i in model["vocab"].items():
        tokens[i] = token
    return {
        "tokens": tokens,
        "merges": [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]],
        "byte_fallback": bool(model.get("byte_fallback")),
        "ignore_merges": bool(model.get("ignore_merges")),
        "unknown": None if model.get("unk_token") is None else model["vocab"].get(model["unk_token"]),
        "fuse_unknown": bool(model.get("fuse_unk")),
        "normalise": _normalisers(description["normalizer"], name),
        "split": _splits(description["pre_tokenizer"], name),
        "join": _decoder(tokenizer, name),
        "added": [_added(token, name) for token in description["added_tokens"]],
        "around": _around(tokenizer, name),
        "ends": sorted(tokenizer.eos_ids),
    }


def _around(tokenizer: Tokenizer, name: str) -> list[list[int]]:
    """The ids before and after a prompt."""
    bare, full = (tokenizer.encode("a", special=special) for special in (False, True))
    if not bare:
        raise WebExportError(f"the tokenizer of {name} has no token for the letter a: a page could not encode texts")
    at = next(i for i in range(len(full)) if full[i : i + len(bare)] == bare)
    return [full[:at], full[at + len(bare) :]]


def _refused(name: str, step: str) -> WebExportError:
    return WebExportError(f"the tokenizer of {name} has {step}, which is unsupported in a page")


def _sequence(step: Mapping[str, Any] | None, key: str) -> list[Mapping[str, Any]]:
    if step is None:
        return []
    if step["type"] != "Sequence":
        return [step]
    return [inner for each in step[key] for inner in _sequence(each, key)]


def _normalisers(description: Any, name: str) -> list[list[str]]:
    steps = []
    for step in _sequence(description, "normalizers"):
        kind = step["type"]
        if kind in _FORMS:
            steps.append(["form", kind])
        elif kind == "Prepend":
            steps.append(["prepend", step["prepend"]])
        elif kind == "Replace" and "String" in step["pattern"]:
            steps.append(["replace", step["pattern"]["String"], step["content"]])
        else:
            raise _refused(name, f"the normalizer {kind}")
    return steps


def _splits(description: Any, name: str) -> list[list[Any]]:
    """Steps: ["match", expression] keeps matches and what is between them apart, ["only", expression] drops the rest,
    ["before", expression] ends a piece after each match; ["bytes"] spells bytes; ["mark", mark, when, split]."""
    steps: list[list[Any]] = []
    for step in _sequence(description, "pretokenizers"):
        kind = step["type"]
        if kind == "ByteLevel":
            if step.get("add_prefix_space"):
                steps.append(["prefix"])
            if step.get("use_regex", True):
                steps.append(["match", for_javascript(_GPT2)])
            steps.append(["bytes"])
        elif kind == "Digits":
            steps.append(["match", r"\p{Nd}|\p{Nl}|\p{No}" if step["individual_digits"] else r"[\p{Nd}\p{Nl}\p{No}]+"])
        elif kind == "Split":
            steps.append(_split(step, name))
        elif kind == "Metaspace":
            steps.append(["mark", step["replacement"], step.get("prepend_scheme", "always"), step.get("split", True)])
        else:
            raise _refused(name, f"the pre-tokenizer {kind}")
    return steps


def _split(step: Mapping[str, Any], name: str) -> list[Any]:
    pattern = step["pattern"]
    expression = for_javascript(pattern["Regex"]) if "Regex" in pattern else _escaped(pattern["String"])
    behaviour, inverted = step["behavior"].lower(), bool(step.get("invert"))
    kinds = {("isolated", False): "match", ("isolated", True): "match", ("removed", True): "only",
             ("mergedwithprevious", False): "before"}  # fmt: skip
    if (behaviour, inverted) not in kinds:
        raise _refused(name, f"a Split that is {step['behavior']}{' and inverted' if inverted else ''}")
    return [kinds[behaviour, inverted], expression]


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in _SPECIAL else c for c in text)


def _decoder(tokenizer: Tokenizer, name: str) -> list[Any]:
    """["bytes"], or ["pieces", mark, space, stripped, count]; formats/detokenise.py tells the same apart."""
    steps = _sequence(tokenizer.decoder, "decoders")
    kinds = [step["type"] for step in steps]
    if kinds == ["ByteLevel"]:
        return ["bytes"]
    if kinds[:3] == ["Replace", "ByteFallback", "Fuse"] and kinds[3:] in ([], ["Strip"]):
        strip: Mapping[str, Any] = steps[3] if steps[3:] else {"content": " ", "start": 0, "stop": 0}
        if "String" in steps[0]["pattern"] and not strip["stop"]:
            return ["pieces", steps[0]["pattern"]["String"], steps[0]["content"], strip["content"], strip["start"]]
    raise _refused(name, f"the decoder {' + '.join(map(str, kinds)) or 'none'}")


def _added(token: Mapping[str, Any], name: str) -> dict[str, Any]:
    if token["single_word"]:
        raise _refused(name, f"the token {token['content']!r} that must be a word of its own")
    flags = {key: True for key in ("lstrip", "rstrip", "normalized", "special") if token[key]}
    return {"id": token["id"], "text": token["content"], **flags}
