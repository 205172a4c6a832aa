"""The exceptions that every floor raises: each names the request, the limit and the way out."""

from __future__ import annotations


class WgptError(Exception):
    """Base of everything wgpt raises on purpose.

    >>> try:
    ...     wgpt.load("no-such-model.gguf")
    ... except wgpt.WgptError as error:
    ...     print(type(error).__name__)
    SourceError
    """


class PreconditionError(WgptError, ValueError):
    """Invalid arguments, or a problem outside a kernel's contract; nothing was dispatched."""
