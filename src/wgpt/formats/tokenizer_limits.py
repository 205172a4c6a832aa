"""What a tokenizer's description may ask for, checked before `tokenizers` builds it.

That library trusts its input: nine replacements that make each character ten take gigabytes for a word, an expression
that backtracks without end panics or hangs, and a million added tokens take minutes. The limits are far above any
published tokenizer.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import Any

from .errors import FormatError, shown
from .regex_limits import regex_problem

MAX_TOKENS = 1 << 20  # tokens; the largest vocabularies have 262,144
MAX_MERGES = 1 << 20  # merges; the largest have about 515,000
MAX_ADDED = 1 << 16
MAX_ADDED_CHARACTERS = 1 << 20
MAX_BYTES = 64 << 20  # bytes of a file; the largest have 33 MB
MAX_STEPS = 32  # most normalizers, pre-tokenizers or decoders
MAX_GROWTH = 64  # most characters that normalisation may make of one
MAX_AROUND = 64  # most tokens around a text
# punctuation in the JSON text: memory use depends on it, not on the size
_MAX_CONTAINERS, _MAX_COMMAS = 2 << 20, 6 << 20
_SEQUENCES = {"normalizer": "normalizers", "pre_tokenizer": "pretokenizers", "decoder": "decoders"}


def check_text(text: bytes, path: str) -> None:
    """Check a JSON text before it is parsed."""
    if len(text) > MAX_BYTES:
        raise FormatError(f"{path} has {len(text)} bytes; the limit for a tokenizer is {MAX_BYTES}")
    if text.count(b"[") + text.count(b"{") > _MAX_CONTAINERS or text.count(b",") > _MAX_COMMAS:
        raise FormatError(f"{path} has more lists, objects or values than any tokenizer: the file is damaged")


def check_description(description: dict[str, Any], path: str) -> None:
    """Check a tokenizer.json. Unknown forms are left to `tokenizers`, which refuses them."""
    added = description.get("added_tokens")
    check_added((t.get("content") for t in added if isinstance(t, dict)) if isinstance(added, list) else (), path)
    for part, inner in _SEQUENCES.items():
        steps = list(_flat(description.get(part), inner))
        if len(steps) > MAX_STEPS:
            raise FormatError(f"{path}: its {part} has {len(steps)} steps; the limit is {MAX_STEPS}")
        growth = 1.0
        for step in steps:
            growth *= max(1.0, _growth(step, f"{path}: its {part}"))
        if growth > MAX_GROWTH:
            raise FormatError(
                f"{path}: its {part} makes up to {growth:.3g} characters of one; the limit is {MAX_GROWTH}"
            )
    for step in _flat(description.get("post_processor"), "processors"):
        _check_around(step, path)


def check_added(contents: Iterable[Any], path: str) -> None:
    """Check the added tokens: the automaton that finds them in texts needs a state per character."""
    lengths = [len(content) for content in contents if isinstance(content, str)]
    if len(lengths) > MAX_ADDED or sum(lengths) > MAX_ADDED_CHARACTERS:
        raise FormatError(
            f"{path}: has {len(lengths)} special or added tokens of {sum(lengths)} characters in all; at most "
            f"{MAX_ADDED} of {MAX_ADDED_CHARACTERS} are read"
        )


def _flat(node: Any, inner: str) -> Iterator[dict[str, Any]]:
    """The steps of a sequence, which may contain sequences."""
    pending = [node]
    while pending:
        step = pending.pop()
        if not isinstance(step, dict):
            continue
        if step.get("type") == "Sequence" and isinstance(step.get(inner), list):
            pending += reversed(step[inner])
        else:
            yield step


def _growth(step: dict[str, Any], where: str) -> float:
    """The most characters that a step makes of one; its regular expression is checked, too."""
    pattern, content = step.get("pattern"), step.get("content")
    regex = pattern.get("Regex") if isinstance(pattern, dict) else None
    if isinstance(regex, str) and (problem := regex_problem(regex)):
        raise FormatError(f"{where} has the regular expression {shown(regex)}, which {problem}")
    if isinstance(prefix := step.get("prepend"), str) and len(prefix) > MAX_GROWTH:
        raise FormatError(f"{where} prepends {len(prefix)} characters; the limit is {MAX_GROWTH}")
    if isinstance(blob := step.get("precompiled_charsmap"), str):
        return _growth_of_map(blob, where)
    if step.get("type") != "Replace" or not isinstance(content, str):
        return 1.0
    text = pattern.get("String") if isinstance(pattern, dict) else None
    if isinstance(text, str) and text:
        return len(content) / len(text)
    return 1.0 + len(content)  # an expression that matches nothing matches between all characters


def _growth_of_map(blob: str, where: str) -> float:
    """SentencePiece's table of replacements: the size of a trie, the trie, and zero-terminated texts."""
    try:
        raw = base64.b64decode(blob)
    except ValueError:
        raise FormatError(f"{where} has a precompiled_charsmap that is not base64") from None
    check_charsmap(raw, where)
    return 4.0  # Unicode normalisation makes up to 18 characters of one, but usually two or three


def check_charsmap(raw: bytes, where: str) -> None:
    size = int.from_bytes(raw[:4], "little")
    if len(raw) < 4 or size % 4 or 4 + size > len(raw):
        raise FormatError(f"{where} has {len(raw)} bytes, which do not hold the trie that they announce")
    longest = max(map(len, raw[4 + size :].split(b"\0")), default=0)
    if longest > MAX_GROWTH:
        raise FormatError(f"{where} replaces a character by {longest} bytes; the limit is {MAX_GROWTH}")


def _check_around(step: dict[str, Any], path: str) -> None:
    """Check that a template names only tokens that it lists: otherwise `tokenizers` panics at the first text."""
    listed = step.get("special_tokens")
    for name in ("single", "pair"):
        pieces = step.get(name)
        if not isinstance(pieces, list):
            continue
        if len(pieces) > MAX_AROUND:
            raise FormatError(f"{path}: its post_processor has {len(pieces)} pieces; the limit is {MAX_AROUND}")
        for piece in pieces:
            special = piece.get("SpecialToken") if isinstance(piece, dict) else None
            token = special.get("id") if isinstance(special, dict) else None
            if token is not None and (not isinstance(listed, dict) or token not in listed):
                raise FormatError(f"{path}: its post_processor names the token {shown(token)}, which it does not list")
    for entry in listed.values() if isinstance(listed, dict) else ():
        ids = entry.get("ids") if isinstance(entry, dict) else None
        if isinstance(ids, list) and len(ids) > MAX_AROUND:
            raise FormatError(f"{path}: its post_processor adds {len(ids)} ids at once; the limit is {MAX_AROUND}")
