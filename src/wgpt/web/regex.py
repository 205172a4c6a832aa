"""Translates tokenizers' regular expressions to JavaScript."""

from __future__ import annotations

import re

from .errors import WebExportError

# Letters that match others when case is ignored, besides their own upper and lower case.
_FOLDED = {"s": "ſ", "k": "\u212a"}
_CLASSES = {"s": r"\p{White_Space}", "S": r"\P{White_Space}", "d": r"\p{Nd}", "D": r"\P{Nd}"}
# as in Oniguruma, which includes ², ½ and so on
_WORD = r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u00b2\u00b3\u00b9\u00bc-\u00be]"
_BOUNDARY = rf"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))"  # JavaScript's own \b is limited to ASCII
_SYNTAX = set(r"^$\.*+?()[]{}|/")
_REFUSED = (
    *(r"\(\?>", r"\{[\d,]+\}\+", r"\[\[:", r"&&"),
    *(r"\\[AzZGhHRXBwWK]", r"\(\?[a-z]+\)", r"\(\?[a-hj-z-]+:"),
)


def for_javascript(pattern: str) -> str:
    """The same expression for `new RegExp(..., "u")`.

    >>> for_javascript(r"(?i:'s)| ?[^\\s\\p{L}]+")
    "(?:'[sSſ])| ?[^\\\\p{White_Space}\\\\p{L}]+"
    """
    for refused in _REFUSED:
        if match := re.search(refused, pattern):
            raise WebExportError(f"the tokenizer's expression {pattern!r} has {match[0]!r}, which JavaScript has not")
    out, at, folds = "", 0, list[bool]()
    in_class = False
    atom: int | None = None  # index in `out` of the item that a quantifier would repeat; None: a group, or nothing
    possessive = 0
    while at < len(pattern):
        c = pattern[at]
        if c == "\\":
            atom = atom if in_class else len(out)
            escape, at = _escape(pattern, at, in_class)
            out += escape
            continue
        if in_class:
            in_class = c != "]"
            if c == "[" or (any(folds) and c == "-"):
                what = "a class within a class" if c == "[" else "a range whose case does not matter"
                raise WebExportError(f"the tokenizer's expression {pattern!r} has {what}")
            if any(folds) and c.isalpha():
                c = _either_case(c)
        elif c in "*+?" and pattern.startswith("+", at + 1):  # never backtracks, because a lookahead does not
            if atom is None:
                raise WebExportError(f"the tokenizer's expression {pattern!r} has '{c}+' after a group")
            possessive += 1
            c = f"(?=(?<p{possessive}>{out[atom:]}{c}))\\k<p{possessive}>"
            out, at, atom = out[:atom] + c, at + 2, None
            continue
        elif c == "[":
            in_class, atom = True, len(out)
        elif c == "(":
            folds.append(pattern.startswith("(?i:", at) or any(folds))
            if pattern.startswith("(?i:", at):
                out, at, atom = out + "(?:", at + 4, None
                continue
            atom = None
        else:
            atom = None if c in ")*+?{}|^$" else len(out)
            if c == ")" and folds:
                folds.pop()
            elif any(folds) and c.isalpha():
                c = f"[{_either_case(c)}]"
        out, at = out + c, at + 1
    return out


def _either_case(c: str) -> str:
    return f"{c.lower()}{c.upper()}{_FOLDED.get(c.lower(), '')}"


def _escape(pattern: str, at: int, in_class: bool) -> tuple[str, int]:
    """A translated escape, and where it ends. JavaScript allows few escapes of punctuation."""
    if at + 1 == len(pattern):
        raise WebExportError(f"the tokenizer's expression {pattern!r} ends in the middle of an escape")
    c = pattern[at + 1]
    if c in _CLASSES:
        return _CLASSES[c], at + 2
    if c == "b" and not in_class:
        return _BOUNDARY, at + 2
    if c in "pP":
        end = pattern.index("}", at) + 1
        return pattern[at:end], end
    if c in "rntfv" or c in _SYNTAX or (in_class and c == "-"):
        return f"\\{c}", at + 2
    if c.isalnum():
        raise WebExportError(f"the tokenizer's expression {pattern!r} has '\\{c}', which is unsupported in a page")
    return c, at + 2
