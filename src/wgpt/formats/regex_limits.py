"""Whether a tokenizer's regular expression can take time without end on some text.

The library that matches them (Oniguruma) backtracks. What makes that explode is a repetition around something that
can match the same text in more than one way: (a+)+, (a|a)*, (.*)*. The expressions of published tokenizers have no
such thing, so an expression that does is refused before it is compiled; no attempt is made to tell harmless ones apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MAX_LENGTH = 4096
MAX_REPETITIONS = 6  # repetitions in a row within one alternative; real expressions have up to three
_MANY = 9  # a repetition with at most this bound counts as that many copies, others as unbounded
_QUANTIFIER = re.compile(r"([*+?])|\{(\d{0,6})(,?)(\d{0,6})\}")
_OPENING = re.compile(r"\(\?(?:[imxaDSWPy-]*:|=|!|>|<=|<!|<\w+>|[imxaDSWPy-]+(?=\)))|\((?!\?)")
_ESCAPE = re.compile(r"\\(?:[pPx]\{[^{}]*\}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|[^1-9gkX])", re.DOTALL)


@dataclass
class _Group:
    """The state of an open group."""

    most: int = 0  # repetitions in its previous alternatives
    here: int = 0  # repetitions in the current alternative
    ambiguous: bool = False  # whether it can match the same text in more than one way, or texts of several lengths
    last: _Group | None = field(default=None, repr=False)  # the item that a quantifier would repeat

    @property
    def repetitions(self) -> int:
        return max(self.most, self.here)


def regex_problem(pattern: str) -> str | None:
    """Why this expression is refused; None if it is safe."""
    if len(pattern) > MAX_LENGTH:
        return f"is {len(pattern)} characters long; the limit is {MAX_LENGTH}"
    groups, at = [_Group()], 0
    while at < len(pattern):
        group, char = groups[-1], pattern[at]
        if quantifier := _QUANTIFIER.match(pattern, at) if group.last else None:
            at = quantifier.end()
            if pattern[at : at + 1] in ("?", "+"):  # lazy or possessive
                at += 1
            if problem := _repeat(group, quantifier):
                return problem
            continue
        group.last = _Group()
        if char == "\\":
            escape = _ESCAPE.match(pattern, at)
            if not escape:
                return f"has {pattern[at : at + 2]!a}, which is unsupported"
            at = escape.end()
        elif char == "[":
            at = _end_of_class(pattern, at)
        elif char == "(":
            opening = _OPENING.match(pattern, at)
            if not opening:
                return f"has a group that begins with {pattern[at : at + 4]!a}, which is unsupported"
            groups.append(_Group())
            at = opening.end()
        elif char == ")" and len(groups) > 1:
            done = groups.pop()
            groups[-1].here += done.repetitions
            groups[-1].ambiguous |= done.ambiguous
            groups[-1].last = done
            at += 1
        elif char == "|":
            group.most, group.here, group.ambiguous, group.last = group.repetitions, 0, True, None
            at += 1
        else:
            at += 1
        if any(g.repetitions > MAX_REPETITIONS for g in groups):
            return f"has more than {MAX_REPETITIONS} consecutive repetitions"
    return None


def _repeat(group: _Group, quantifier: re.Match[str]) -> str | None:
    """Apply a quantifier to the group's last item."""
    sign, low, comma, high = quantifier.groups()
    least = {"*": 0, "+": 1, "?": 0}[sign] if sign else int(low or 0)
    most = 1 if sign == "?" else None if sign or (comma and not high) else int(high if comma else low or 0)
    atom = group.last
    assert atom
    if atom.ambiguous and (most is None or most > _MANY):
        return "repeats something that is itself repeated or optional, which can take forever"
    if most is None or most > _MANY:
        group.here += least != most
    elif most > 1:
        group.here += (most - 1) * atom.repetitions + (least != most)
    group.ambiguous |= least != most
    # A second quantifier on the same item repeats the first.
    group.last = _Group(here=atom.repetitions + 1, ambiguous=True) if least != most or atom.ambiguous else _Group()
    return None


def _end_of_class(pattern: str, at: int) -> int:
    """The position after the bracket that closes the class at `at`; classes nest."""
    depth = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            at += 1
        elif pattern[at] == "[":
            depth += 1
        elif pattern[at] == "]":
            depth -= 1
        at += 1
        if not depth:
            return at
    return at
