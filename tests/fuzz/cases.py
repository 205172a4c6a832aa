"""Cases, and the areas that make them.

An area is a function that makes one case out of a random generator and a folder of its own. It is registered by
`@area("name")`; `areas()` imports the modules that do so.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

ACCEPTED, REFUSED, EITHER = "accepted", "refused", "either"
Rng = np.random.Generator
T = TypeVar("T")
_MODULES = (
    *("gguf_files", "safetensors_files", "configs", "adapters", "tokenizers", "templates"),
    *("schemas", "api_arguments", "command_line", "odd_sizes"),
)


@dataclass(frozen=True)
class Case:
    """One input. `run` returns where it is accepted and has been used, and raises a WgptError where it is refused."""

    description: str
    expect: str  # ACCEPTED, REFUSED or EITHER
    run: Callable[[], object]


@dataclass(frozen=True)
class Limits:
    """The most that a case may take."""

    seconds: float = 10.0
    bytes: int = 1 << 30  # above what the worker takes before its first case


Area = Callable[[Rng, Path], Case]
_AREAS: dict[str, Area] = {}
_LIMITS: dict[str, Limits] = {}


def area(name: str, limits: Limits = Limits()) -> Callable[[Area], Area]:
    def register(make: Area) -> Area:
        _AREAS[name], _LIMITS[name] = make, limits
        return make

    return register


def limits_of(name: str) -> Limits:
    areas()
    return _LIMITS[name]


def areas() -> dict[str, Area]:
    for name in _MODULES:
        importlib.import_module(f"{__package__}.{name}")
    return _AREAS


def make_case(name: str, seed: int, index: int, folder: Path) -> Case:
    """Deterministic for the same name, seed and index, on any machine."""
    return areas()[name](np.random.default_rng([seed, index, *name.encode()]), folder)


def pick(rng: Rng, choices: Sequence[T]) -> T:
    return choices[int(rng.integers(len(choices)))]
