"""griffe extension: the examples in docstrings become Python blocks of the API reference."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"(?:^[ ]*(?:>>>|\.\.\.).*\n?)(?:^[ ]*\S.*\n?)*", re.MULTILINE)


class FencedExamples(griffe.Extension):
    """A block that begins with >>> and ends with an empty line is code."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    return _EXAMPLE.sub(lambda match: f"\n```pycon\n{match.group().rstrip()}\n```\n\n", text)
