"""Argument checks."""

from __future__ import annotations

from ..gpu.arguments import wrong_type


def check_type(name: str, value: object, allowed: str, *types: type) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, types)):
        raise wrong_type(name, value, allowed)


def check_progress(progress: object) -> None:
    if progress is not None and not callable(progress):
        raise wrong_type("progress", progress, "a function")
