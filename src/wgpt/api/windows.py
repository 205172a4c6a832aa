"""Windows over a text that is longer than a context: each token but the first is scored once.

They are those of Hugging Face's documentation ("Perplexity of fixed-length models"): a window begins `stride` tokens
after the one before, and scores the tokens that are new in it, given all tokens of the window before them.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.arguments import whole_number


class Window(NamedTuple):
    """Tokens begin .. end - 1 of a text; number `first` of them and those after it are scored."""

    begin: int
    end: int
    first: int


def windows(tokens: int, context: int, stride: int | None) -> list[Window]:
    """The windows of `context` tokens over a text; stride: half of them by default.

    >>> windows(513, 512, None)
    [Window(begin=0, end=512, first=1), Window(begin=256, end=513, first=256)]
    """
    step = max(1, context // 2) if stride is None else whole_number("stride", stride, 1, context - 1)
    found = [Window(0, min(tokens, context), 1)]
    while found[-1].end < tokens:
        begin, scored = found[-1].begin + step, found[-1].end
        found.append(Window(begin, min(tokens, begin + context), scored - begin))
    return found
