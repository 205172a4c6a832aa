"""Initial values: new factors, initialised like peft's (A uniform within 1/sqrt(K), B zero; heads like A), or those of
an adapter."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..formats.lora import Factors, LoraAdapter, scale_of
from ..formats.peft import target_modules
from ..models.config import Config
from ..models.targets import chosen, linear_shapes
from .recipe import Recipe


def factors_of(config: Config, recipe: Recipe, init: LoraAdapter | None = None) -> dict[str, Factors]:
    """The factors of every layer that the recipe adapts: those of `init`, or new ones from the seed."""
    layers = chosen(config, recipe.targets)
    if init is not None:
        return {name: init.targets[name] for name in layers}
    return {
        name: Factors(
            _uniform(name, (recipe.rank, k), recipe.seed), np.zeros((n, recipe.rank), np.float32), recipe.scale
        )
        for name, (n, k) in layers.items()
    }


def starting_from(init: LoraAdapter, source: str, recipe: Recipe, passed: Collection[str], config: Config) -> Recipe:
    """The recipe with the adapter's rank, alpha, rslora and targets. Options that were `passed` must match them."""
    if recipe.full:
        raise PreconditionError("init_lora continues an adapter, but full trains none: use one of them")
    init.check(linear_shapes(config), source)
    scale = scale_of(init.alpha, init.rank, init.rslora)
    if any(f.rank != init.rank or not math.isclose(f.scale, scale, rel_tol=1e-6) for f in init.targets.values()):
        raise PreconditionError(f"{source}: its layers differ in rank or alpha; training needs the same for all layers")
    options = {"rank": recipe.rank, "alpha": recipe.lora_alpha, "rslora": recipe.rslora}
    for name, value in options.items():
        if name in passed and value != getattr(init, name):
            raise PreconditionError(f"{name} is {value}, but {source} has {getattr(init, name)}: omit {name}")
    if "targets" in passed and chosen(config, recipe.targets).keys() != init.targets.keys():
        names = ", ".join(target_modules(list(init.targets)))
        raise PreconditionError(f"targets are {', '.join(recipe.targets)}, but {source} has {names}: omit targets")
    targets = recipe.targets if "targets" in passed else _short_names(init, config)
    return replace(recipe, rank=init.rank, alpha=init.alpha, rslora=init.rslora, targets=targets)


def check_head(init: LoraAdapter, source: str, labels: Sequence[str]) -> None:
    """Refuse an adapter with a head for other classes, or whose head would be dropped."""
    if init.score is not None and tuple(labels) != init.classes:
        ours = f"the data has {', '.join(labels)}" if labels else "this run does not classify"
        raise PreconditionError(f"{source} classifies {', '.join(init.classes)}, but {ours}")


def _short_names(init: LoraAdapter, config: Config) -> tuple[str, ...]:
    """The shortest target names that select exactly the adapter's layers."""
    layers = linear_shapes(config)
    kinds = {re.split(r"\.\d+\.", name, maxsplit=1)[-1] for name in init.targets}  # without the block's number
    if init.targets.keys() == layers.keys():
        return ("all",)
    exact = chosen(config, sorted(kinds)).keys() == init.targets.keys()
    return tuple(sorted(kinds)) if exact else tuple(name for name in layers if name in init.targets)


def score_of(config: Config, classes: int, seed: int) -> NDArray[np.float32]:
    """A classification head [classes, hidden]."""
    return _uniform("score", (classes, config.hidden), seed)


def _uniform(name: str, shape: tuple[int, int], seed: int) -> NDArray[np.float32]:
    """Each layer has its own random stream: its values do not depend on which others are adapted."""
    key = int.from_bytes(hashlib.blake2b(f"{seed}:{name}".encode(), digest_size=16).digest(), "little")
    raw = np.random.Philox(key=key).random_raw(shape[0] * shape[1])
    unit = (raw >> np.uint64(40)).astype(np.float64) / (1 << 23) - 1  # 24 bits, in [-1, 1)
    return (unit / math.sqrt(shape[1])).astype(np.float32).reshape(shape)
