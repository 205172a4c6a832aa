"""The one exception of this floor: a model file that cannot be read, and why."""

from __future__ import annotations

from ..gpu.errors import WgptError


class FormatError(WgptError):
    """A model file is damaged, incomplete or of a kind that is not read here. One line: file, fault, way out."""


def shown(value: object, limit: int = 80) -> str:
    """A value from a file for a message: on one line, printable anywhere, never long."""
    if isinstance(value, dict):
        return f"an object of {len(value)} keys"
    if isinstance(value, list) and any(isinstance(v, list | dict) for v in value):
        return f"a nested list of {len(value)}"  # its text could be as deep as the stack
    text = ascii(value[: limit + 1] if isinstance(value, str | bytes | list) else value)
    return text if len(text) <= limit else f"{text[:limit]}..."
