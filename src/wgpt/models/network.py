"""A model's weights, for all families."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..core.errors import PreconditionError, WgptError
from ..core.naming import argument
from ..core.progress import Progress
from ..formats import Checkpoint
from ..gpu import AllocationError, GpuDevice
from ..gpu.dry import DryDevice
from ..ops.parameters import Weights
from ..ops.resident import Arena, Linear
from ..ops.streaming import StreamingArena, Upload
from .config import Config
from .empty_source import EmptySource
from .family import Transformer, family_of
from .inventory import Inventory
from .random_source import DEFAULT, RandomSource, random_kinds
from .residency import Residency, Resident, Sizes, parse_resident, plan
from .rope import Ropes
from .source import FromCheckpoint, Kinds, kinds_of
from .stages import Stage, StageSource
from .targets import linear_shapes
from .weight_source import Source


class AnyNetwork(ABC):
    """A model's weights, on one GPU (Network) or split over several (SplitNetwork). `release` frees the memory."""

    device: GpuDevice
    residency: Residency
    released: bool

    @property
    @abstractmethod
    def parts(self) -> list[Network]:
        """The networks that the weights are in: one for each GPU."""

    @property
    def devices(self) -> list[GpuDevice]:
        """The GPUs that the weights are on."""
        return [part.device for part in self.parts]

    @property
    @abstractmethod
    def config(self) -> Config: ...

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """GPU memory of the weights."""

    @property
    @abstractmethod
    def uploads(self) -> Mapping[int, Upload]:
        """The uploads of every forward: weights of blocks that are not resident."""

    @abstractmethod
    def whole(self, purpose: str) -> Network:
        """The weights on one GPU; raises PreconditionError if the model is split over several."""

    @abstractmethod
    def check_resident(self, purpose: str) -> None:
        """Raise PreconditionError unless all weights are on one GPU."""

    def check_generates(self) -> None:
        """Raise PreconditionError for an encoder."""
        e = self.config.encoder
        if e is not None:
            able = "scores texts (rerank)" if e.labels else "turns texts into vectors (embed)"
            raise PreconditionError(f"the model is an encoder ({self.config.family}): it {able}, but generates no text")

    def check_open(self) -> None:
        """Raise WgptError if the weights are no longer there."""
        if self.released:
            raise WgptError("the model was closed, and its weights with it: load it again")

    @abstractmethod
    def release(self) -> None: ...


@dataclass(eq=False)
class Network(AnyNetwork):
    """Weights on a GPU and the forward that uses them."""

    device: GpuDevice
    family: Transformer
    arena: Arena
    ropes: Ropes
    inventory: Inventory
    residency: Residency
    stage: Stage | None = None  # the stage, for a model split over several GPUs (split_network.py)
    released: bool = False

    @property
    def parts(self) -> list[Network]:
        return [self]

    @property
    def layers(self) -> range:
        """The layers whose weights this network has."""
        return range(self.config.layers) if self.stage is None else self.stage.layers

    @property
    def config(self) -> Config:
        return self.family.config

    @cached_property
    def whole_codes(self) -> bool:
        """Whether most weights can be multiplied as integers on a GPU."""
        weights = [part.weight for layer in self.inventory.linears for part in layer.parts]
        return sum((1 if w.type.whole_codes else -1) * w.n * w.k for w in weights) > 0

    @property
    def nbytes(self) -> int:
        return self.arena.nbytes

    @property
    def uploads(self) -> Mapping[int, Upload]:
        return self.arena.uploads if isinstance(self.arena, StreamingArena) else {}

    @property
    def adaptable(self) -> list[Linear]:
        """The linear layers that LoRA adapters can change."""
        names = linear_shapes(self.config)
        return [linear for linear in self.inventory.linears if any(s.name in names for s in linear.slices)]

    @classmethod
    def load(
        cls,
        device: GpuDevice,
        checkpoint: Checkpoint,
        dtype: str | None = None,
        progress: Progress | None = None,
        table: str | None = None,
        resident: Resident = "all",
        reserve: int = 0,
        context: int | None = None,
    ) -> Network:
        """Load a checkpoint's weights onto the GPU; the recipe `dtype` converts its matrices, `table` the embedding
        and the head. NF4 without a `table` converts only the layers. `resident` and `reserve`: see residency.py;
        `context`: see Config.limited."""
        config, kinds = Config.of(checkpoint.config).limited(context), kinds_of(checkpoint, dtype, table)
        sizes = cls.sizes(device, config, kinds)
        residency = plan(parse_resident(resident), sizes, device, reserve)
        source = FromCheckpoint(device, checkpoint, dtype, progress, table, sizes.total, residency.arena(device))
        try:
            network = cls.of_source(device, config, source, source.arena, residency)
        except BaseException:
            source.discard()
            raise
        try:
            source.finish()
        except BaseException:
            network.release()
            raise
        return network

    @classmethod
    def random(
        cls,
        device: GpuDevice,
        config: Config,
        dtype: str = DEFAULT,
        seed: int = 0,
        table: str | None = None,
        resident: Resident = "all",
        reserve: int = 0,
    ) -> Network:
        """Random weights, generated on the GPU; `dtype` is a recipe, `table` the type of the embedding and the head."""
        kinds = random_kinds(config, dtype, table)
        sizes = cls.sizes(device, config, kinds)
        residency = plan(parse_resident(resident), sizes, device, reserve)
        source = RandomSource(device, kinds, seed, sizes.total, residency.arena(device))
        return cls.of_source(device, config, source, source.arena, residency)

    @classmethod
    def empty(cls, device: GpuDevice, config: Config, kinds: Kinds) -> tuple[Network, dict[str, int]]:
        """Weights without contents, and their bytes by type."""
        sizes = cls.sizes(device, config, kinds)
        source = EmptySource(device, kinds, sizes.total)
        return cls.of_source(device, config, source, source.arena, Residency(sizes)), source.sizes

    @classmethod
    def sizes(cls, device: GpuDevice, config: Config, kinds: Kinds) -> Sizes:
        """The size of all weights."""
        dry = DryDevice(device)
        source = EmptySource(dry, kinds)
        cls.of_source(dry, config, source, source.arena, Residency(Sizes((), 0)))
        return Sizes(tuple(source.blocks), source.total - sum(source.blocks), source.embedding)

    @classmethod
    def of_source(
        cls,
        device: GpuDevice,
        config: Config,
        source: Source,
        arena: Arena,
        residency: Residency,
        stage: Stage | None = None,
        kinds: Kinds | None = None,
    ) -> Network:
        """`stage`: build only its weights; `kinds` has the types of all."""
        family, inventory, ropes = family_of(config), Inventory(source), Ropes(device, config)
        weights: Source = inventory
        if stage is not None and kinds is not None:
            weights = StageSource(inventory, EmptySource(DryDevice(device), kinds), stage)
        try:
            built = family.build(config, weights, ropes.by_layer)
            return Network(device, built, arena, ropes, inventory, residency, stage)
        except AllocationError as e:
            arena.release()
            ropes.release()
            way_out = "convert them to a smaller type, such as q4_1, or use a smaller model"
            raise AllocationError(f"the model's weights do not fit: {e} ({way_out})") from e
        except BaseException:
            arena.release()
            ropes.release()
            raise

    def whole(self, purpose: str) -> Network:
        return self

    def check_resident(self, purpose: str) -> None:
        if self.uploads:
            way_out = f"load the model with {argument('resident', 'all')}"
            raise PreconditionError(f"{purpose} needs all layers on the GPU, but {self.residency}: {way_out}")

    def weights(self) -> Weights:
        """All weights, for full fine-tuning; they must be f32."""
        # Weight decay would pull norms relative to 1 towards 0; norms of whole rows have no gradient for their gains.
        if self.config.norm_less or self.config.qk_row_norm:
            raise PreconditionError(
                f"full fine-tuning of {self.config.family} is unsupported, because of its norms: train a LoRA adapter"
            )
        return Weights(self.inventory.linears, self.inventory.vectors)

    def release(self) -> None:
        self.released = True
        self.arena.release()
        self.ropes.release()
