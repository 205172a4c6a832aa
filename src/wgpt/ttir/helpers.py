"""WGSL functions for lowered kernels. A shader contains only those that it uses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_FILES = ("floats", "integers", "long", "exact", "transcendental")


def _split() -> dict[str, str]:
    folder = Path(__file__).parent / "wgsl"
    text = "".join((folder / f"{name}.wgsl").read_text("utf-8") for name in _FILES)
    functions = re.finditer(r"^(?:var<private> \w+[^\n]*\n)?fn (\w+)\(.*?^}\n", text, re.M | re.S)
    return {match.group(1): match.group() for match in functions}


_SOURCES = _split()
_NEEDS = {
    name: {other for other in re.findall(r"\b(\w+)\(", text) if other in _SOURCES and other != name}
    for name, text in _SOURCES.items()
}


def source(names: Iterable[str]) -> str:
    """The text of these functions and of those they call, in a fixed order."""
    included: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in included:
            included.add(name)
            todo += _NEEDS[name]
    return "".join(_SOURCES[name] for name in _SOURCES if name in included)
