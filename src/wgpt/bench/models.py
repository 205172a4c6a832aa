"""The model that a benchmark runs: from a file, or a preset's sizes with random weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.errors import PreconditionError
from ..core.progress import Progress
from ..engine.chunk_sizes import session_bytes
from ..engine.errors import ContextError
from ..formats import open_checkpoint
from ..formats.sources import DEFAULT, resolve
from ..gpu import GpuDevice
from ..models.config import Config
from ..models.network import AnyNetwork, Network
from ..models.presets import PRESETS
from ..models.random_source import DEFAULT as RANDOM_TYPE
from ..models.random_source import random_kinds
from ..models.split_network import SplitNetwork
from ..models.weight_recipe import WeightRecipe
from ..quant.weights import weight_type


@dataclass(frozen=True)
class Chosen:
    """A `model` as `wgpt.load` takes it, its matrices converted to the recipe `dtype` if given; or the sizes of a
    `preset` with random weights of `dtype` (f16), the embedding and the head of `table`. `resident`: see wgpt.load."""

    model: str | None = None
    preset: str | None = None
    dtype: str | None = None
    table: str | None = None
    resident: str = "all"

    def __post_init__(self) -> None:
        if self.model is not None and self.preset is not None:
            raise PreconditionError(f"choose the model {self.model} or the preset {self.preset}, not both")
        if self.preset is not None and self.preset not in PRESETS:
            raise PreconditionError(f"unknown preset {self.preset!r}; known: {', '.join(PRESETS)}")
        if self.table is not None and self.preset is None:
            raise PreconditionError("a table type needs random weights: the table of a file keeps its type")
        if self.preset is not None:  # refuse unsuitable types before opening a device
            random_kinds(PRESETS[self.preset], self.dtype or RANDOM_TYPE, self.table)

    def __str__(self) -> str:
        if self.preset is None:
            return f"{self.model or DEFAULT}{f' as {self.dtype}' if self.dtype else ''}"
        table = f" with a {self.table} table" if self.table else ""
        return f"{self.preset}, random {self.dtype or RANDOM_TYPE} weights{table}"

    def to_dict(self) -> dict[str, Any]:
        """As plain data. `table`: the type of embedding and head; None: as stored, or set by the recipe."""
        recipe = WeightRecipe.parse(self.dtype or (RANDOM_TYPE if self.preset else None))
        table = self.table or recipe.one_type
        if table is not None and self.table is None and weight_type(table).layers_only:
            table = RANDOM_TYPE if self.preset else None
        name = self.preset or self.model or DEFAULT
        return {"name": name, "random": self.preset is not None, "dtype": str(recipe) or None, "table": table}

    def load(self, device: GpuDevice | Sequence[GpuDevice], progress: Progress | None = None) -> AnyNetwork:
        """Load the model on the device, or split over several."""
        devices = [device] if isinstance(device, GpuDevice) else list(device)
        options: dict[str, Any] = {"resident": self.resident}
        if self.preset is not None:
            config, dtype = PRESETS[self.preset], self.dtype or RANDOM_TYPE
            options |= {"reserve": session_bytes(config, devices[0]), "table": self.table}
            if len(devices) > 1:
                return SplitNetwork.random_split(devices, config, dtype, **options)
            return Network.random(devices[0], config, dtype, **options)
        with open_checkpoint(resolve(self.model, progress)) as checkpoint:
            options["reserve"] = session_bytes(Config.of(checkpoint.config), devices[0])
            if len(devices) > 1:
                return SplitNetwork.load_split(devices, checkpoint, self.dtype, progress, **options)
            return Network.load(devices[0], checkpoint, self.dtype, progress, **options)


def prompts(network: AnyNetwork, batch: int, tokens: int) -> dict[int, list[int]]:
    """Random token ids by slot."""
    rng = np.random.default_rng(0)
    return {slot: rng.integers(0, network.config.vocab, tokens).tolist() for slot in range(batch)}


def check_room(network: AnyNetwork, needed: int, context: int) -> None:
    if needed > network.config.context:
        raise ContextError(
            f"a context of {context} and the generated tokens need {needed} positions; the model's context length is "
            f"{network.config.context}: use a shorter context or fewer tokens"
        )
