"""A model's weights on a GPU, whatever its family."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ..formats import Checkpoint, FormatError
from ..gpu import AllocationError, GpuDevice, Tensor
from ..gpu.dry import DryDevice
from ..ops.forward import Forward, Normed
from ..ops.parameters import Weights
from ..ops.resident import Arena, Linear
from .config import Config
from .empty_source import EmptySource
from .gpt2 import Gpt2
from .inventory import Inventory
from .llama import Llama
from .qwen2 import Qwen2
from .qwen3 import Qwen3
from .random_source import RandomSource, random_kinds
from .rope import steps_of
from .source import FromCheckpoint, Kinds, Progress, Source

FAMILIES: dict[str, Callable[..., Family]] = {"llama": Llama, "qwen2": Qwen2, "qwen3": Qwen3, "gpt2": Gpt2}


class Family(Protocol):
    """What every family's file provides."""

    config: Config
    head: Linear

    def forward(self, f: Forward) -> Tensor | Normed:
        """Hidden states of all rows after the final norm."""
        ...


@dataclass(eq=False)
class Network:
    """Resident weights and the forward that uses them. `release` frees the memory."""

    device: GpuDevice
    family: Family
    arena: Arena
    steps: Tensor
    inventory: Inventory

    @property
    def config(self) -> Config:
        return self.family.config

    @property
    def nbytes(self) -> int:
        return self.arena.nbytes

    @classmethod
    def load(
        cls,
        device: GpuDevice,
        checkpoint: Checkpoint,
        dtype: str | None = None,
        progress: Progress | None = None,
        table: str | None = None,
    ) -> Network:
        """Stream a checkpoint's weights to the GPU; `dtype` converts its matrices on the way, `table` the embedding
        and the head. NF4 without a `table` is for the layers' matrices alone: the others stay as they came."""
        source = FromCheckpoint(device, checkpoint, dtype, progress, table)
        return cls._build(device, Config.of(checkpoint.config), source, source.arena)

    @classmethod
    def random(
        cls, device: GpuDevice, config: Config, dtype: str = "f16", seed: int = 0, table: str | None = None
    ) -> Network:
        """Random weights, made on the GPU; `table`: another type for the embedding and the head."""
        expected = cls._planned(device, config, random_kinds(dtype, table))
        source = RandomSource(device, dtype, seed, table, expected)
        return cls._build(device, config, source, source.arena)

    @classmethod
    def empty(cls, device: GpuDevice, config: Config, kinds: Kinds) -> tuple[Network, dict[str, int]]:
        """Weights without contents, and the bytes of each type of them."""
        source = EmptySource(device, kinds, cls._planned(device, config, kinds))
        return cls._build(device, config, source, source.arena), source.sizes

    @classmethod
    def _planned(cls, device: GpuDevice, config: Config, kinds: Kinds) -> int:
        """Bytes of all weights."""
        dry = DryDevice(device)
        source = EmptySource(dry, kinds)
        cls._build(dry, config, source, source.arena)
        return source.total

    @classmethod
    def _build(cls, device: GpuDevice, config: Config, source: Source, arena: Arena) -> Network:
        if config.family not in FAMILIES:
            raise FormatError(f"{config.family} is no family that is run here; there are {', '.join(FAMILIES)}")
        steps, inventory = device.tensor(steps_of(config), label="rope"), Inventory(source)
        try:
            return cls(device, FAMILIES[config.family](config, inventory, steps), arena, steps, inventory)
        except AllocationError as e:
            arena.release()
            steps.buffer.release()
            way_out = "convert them to a smaller type, such as q4_1, or take a smaller model"
            raise AllocationError(f"the model's weights do not fit: {e} ({way_out})") from e
        except BaseException:
            arena.release()
            steps.buffer.release()
            raise

    def weights(self) -> Weights:
        """All of them, to train: they must be f32."""
        return Weights(self.inventory.linears, self.inventory.vectors)

    def release(self) -> None:
        self.arena.release()
        self.steps.buffer.release()
