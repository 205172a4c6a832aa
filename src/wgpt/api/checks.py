"""Argument checks."""

from __future__ import annotations

from ..gpu import WgptError
from ..gpu.arguments import shown


def check_type(name: str, value: object, allowed: str, *types: type) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, types)):
        raise WgptError(f"{name} must be {allowed}, not {shown(value)}")


def check_progress(progress: object) -> None:
    if progress is not None and not callable(progress):
        raise WgptError(f"progress must be a function, not {shown(progress)}")
