"""Integer arguments, Python's or NumPy's."""

from __future__ import annotations

import operator
from typing import Any


def as_whole(value: Any) -> int | None:
    """The whole number that a value is, Python's or NumPy's; None of True, of 2.0 and of what is none at all.

    >>> as_whole(5), as_whole(True), as_whole(2.0), as_whole("5")
    (5, None, None, None)
    """
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None
