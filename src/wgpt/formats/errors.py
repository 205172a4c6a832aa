"""The exceptions of formats/: a model that cannot be read or obtained, and why."""

from __future__ import annotations

from ..core.errors import WgptError


class FormatError(WgptError):
    """A model file is damaged, incomplete or unsupported. One line: file, problem, way out."""


class SourceError(WgptError):
    """A model cannot be obtained: it is unknown or damaged, or the download failed."""


def shown(value: object, limit: int = 80) -> str:
    """A value from a file, as it appears in an error message: one line, printable, short."""
    if isinstance(value, dict):
        return f"an object with {len(value)} keys"
    if isinstance(value, list) and any(isinstance(v, list | dict) for v in value):
        return f"a nested list of {len(value)} items"  # the text of a deeply nested one could overflow the stack
    text = ascii(value[: limit + 1] if isinstance(value, str | bytes | list) else value)
    text = " ".join(text.split("\n"))  # NumPy prints one line per row
    return text if len(text) <= limit else f"{text[:limit]}..."
