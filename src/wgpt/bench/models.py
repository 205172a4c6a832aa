"""The model that a benchmark runs: a file's, or a known model's sizes with random weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..formats import open_checkpoint
from ..formats.sources import DEFAULT, resolve
from ..gpu import GpuDevice, PreconditionError
from ..infer.session import ContextError
from ..models.network import Network
from ..models.presets import PRESETS
from ..models.random_source import table_of
from ..models.source import Progress
from ..quant.weights import weight_type


@dataclass(frozen=True)
class Chosen:
    """A `model` as `wgpt.load` takes it, its matrices converted to `dtype` if given; or the sizes of a `preset` with
    random weights of `dtype` (f16), the embedding and the head of `table`."""

    model: str | None = None
    preset: str | None = None
    dtype: str | None = None
    table: str | None = None

    def __post_init__(self) -> None:
        if self.model is not None and self.preset is not None:
            raise PreconditionError(f"choose the model {self.model} or the preset {self.preset}, not both")
        if self.preset is not None and self.preset not in PRESETS:
            raise PreconditionError(f"no preset {self.preset!r}; there are {', '.join(PRESETS)}")
        if self.table is not None and self.preset is None:
            raise PreconditionError("a type for the table is for random weights: a file's table is as it is")

    def __str__(self) -> str:
        if self.preset is None:
            return f"{self.model or DEFAULT}{f' as {self.dtype}' if self.dtype else ''}"
        table = f" with a {self.table} table" if self.table else ""
        return f"{self.preset}, random {self.dtype or 'f16'} weights{table}"

    def to_dict(self) -> dict[str, Any]:
        dtype = self.dtype or ("f16" if self.preset else None)
        name = self.preset or self.model or DEFAULT
        if dtype and self.preset:
            table: str | None = table_of(dtype, self.table)
        else:
            table = None if dtype is None or weight_type(dtype).layers_only else dtype  # None: as it came
        return {"name": name, "random": self.preset is not None, "dtype": dtype, "table": table}

    def load(self, device: GpuDevice, progress: Progress | None = None) -> Network:
        """Onto the device."""
        if self.preset is not None:
            return Network.random(device, PRESETS[self.preset], self.dtype or "f16", table=self.table)
        with open_checkpoint(resolve(self.model, progress)) as checkpoint:
            return Network.load(device, checkpoint, self.dtype, progress)


def prompts(network: Network, batch: int, tokens: int) -> dict[int, list[int]]:
    """Random ids, by slot."""
    rng = np.random.default_rng(0)
    return {slot: rng.integers(0, network.config.vocab, tokens).tolist() for slot in range(batch)}


def check_room(network: Network, needed: int, context: int) -> None:
    if needed > network.config.context:
        raise ContextError(
            f"a context of {context} and what is generated need {needed} positions; the model has "
            f"{network.config.context}: ask for a shorter context or fewer tokens"
        )
