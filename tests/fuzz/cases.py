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


Area = Callable[[Rng, Path], Case]
_AREAS: dict[str, Area] = {}
_SECONDS: dict[str, float] = {}
USUAL_SECONDS = 10.0


def area(name: str, seconds: float = USUAL_SECONDS) -> Callable[[Area], Area]:
    """`seconds`: the most that a case may take."""

    def register(make: Area) -> Area:
        _AREAS[name], _SECONDS[name] = make, seconds
        return make

    return register


def most_seconds(name: str) -> float:
    areas()
    return _SECONDS[name]


def areas() -> dict[str, Area]:
    for name in _MODULES:
        importlib.import_module(f"{__package__}.{name}")
    return _AREAS


def make_case(name: str, seed: int, index: int, folder: Path) -> Case:
    """Deterministic for the same name, seed and index, on any machine."""
    return areas()[name](np.random.default_rng([seed, index, *name.encode()]), folder)


def pick(rng: Rng, choices: Sequence[T]) -> T:
    return choices[int(rng.integers(len(choices)))]
