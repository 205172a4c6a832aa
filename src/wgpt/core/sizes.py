"""Sizes in bytes, such as 800MiB or 4GB, and that of a page of the KV cache."""

from __future__ import annotations

import os
import re

from .arguments import brief
from .errors import WgptError

PAGE = 64  # positions of a page of the KV cache
MEMORY_LIMIT = "WGPT_MEMORY_LIMIT"
_UNITS = {"": 1, "b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12} | {
    unit: 1 << power for unit, power in (("ki", 10), ("mi", 20), ("gi", 30), ("ti", 40))
}
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*([kmgt]?i?)b?", re.IGNORECASE)


def parse_bytes(text: str, name: str) -> int:
    """'1.5GiB' -> 1610612736; `name` is for the message if it is invalid.

    >>> parse_bytes("2GB", "--resident")
    2000000000
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None or match[2].lower() not in _UNITS:
        raise WgptError(f"{name} must be a number of bytes, such as 800MiB or 4GB, not {brief(text)}")
    return int(float(match[1]) * _UNITS[match[2].lower()])


def memory_limit() -> int | None:
    """The GPU memory that wgpt may use, where the user limits it."""
    text = os.environ.get(MEMORY_LIMIT)
    return parse_bytes(text, MEMORY_LIMIT) if text else None


def readable_bytes(n: float) -> str:
    """1536 -> '1.5 KiB'."""
    n = min(n, 1e30)  # beyond that, a whole number may be no float
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(n) < 1024:
            return f"{n:.0f} {unit}" if unit == "B" else f"{n:.1f} {unit}"
        n /= 1024
    return f"{n:.1f} TiB"
