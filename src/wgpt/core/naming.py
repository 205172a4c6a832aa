"""How messages name an argument: `top_k` to those who call from Python, `--top-k` to those at the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_OPTIONS = {"cache_bytes": "cache_memory"}  # those with another name
_AS_OPTIONS = ContextVar("wgpt_argument_names_as_options", default=False)


@contextmanager
def as_options() -> Iterator[None]:
    """Within it, arguments are named as options of the command line."""
    token = _AS_OPTIONS.set(True)
    try:
        yield
    finally:
        _AS_OPTIONS.reset(token)


@contextmanager
def as_keywords() -> Iterator[None]:
    """Within it, arguments are named as in Python, also at the command line: for fields of a file's lines."""
    token = _AS_OPTIONS.set(False)
    try:
        yield
    finally:
        _AS_OPTIONS.reset(token)


def argument(name: str, value: object = "") -> str:
    """An argument's name, with the value to give it if there is one.

    >>> argument("top_k"), argument("tokenizer", "DIR")
    ('top_k', "tokenizer='DIR'")
    >>> with as_options():
    ...     argument("top_k"), argument("tokenizer", "DIR"), argument("force", True)
    ('--top-k', '--tokenizer DIR', '--force')
    """
    if not _AS_OPTIONS.get():
        return name if value == "" else f"{name}={value!r}"
    option = f"--{_OPTIONS.get(name, name).replace('_', '-')}"
    return option if value == "" or value is True else f"{option} {value}"
