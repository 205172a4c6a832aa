"""The compiled kernels, read when they are first asked for."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..ttir.artifact import Artifact

COMPILED = Path(__file__).parent / "compiled"


@cache
def shipped() -> frozenset[str]:
    """Names of all of them."""
    return frozenset(path.stem for path in COMPILED.glob("*.json"))


@cache
def artifact(name: str) -> Artifact:
    return Artifact.load(COMPILED / f"{name}.json")
