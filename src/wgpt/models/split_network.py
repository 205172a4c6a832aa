"""A model whose layers are split over several GPUs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from ..core.errors import PreconditionError, WgptError
from ..core.naming import argument
from ..core.progress import Progress
from ..formats import Checkpoint
from ..gpu import GpuDevice
from ..ops.streaming import Upload
from .config import Config
from .network import AnyNetwork, Network
from .random_source import DEFAULT, RandomSource, random_kinds
from .residency import Residency, Resident, parse_resident
from .source import FromCheckpoint, Kinds, converted_weights, kinds_of
from .stages import Stage, plan_stages, stage_sizes

Build = Callable[[GpuDevice, Stage, Residency], Network]


class SplitNetwork(AnyNetwork):
    """`stages` are Networks with some of the layers each, in order; only the engine runs them."""

    def __init__(self, stages: Sequence[Network], residency: Residency) -> None:
        self.stages, self.residency = list(stages), residency
        self.device, self.released = self.stages[0].device, False

    @property
    def parts(self) -> list[Network]:
        return self.stages

    @property
    def config(self) -> Config:
        return self.stages[0].config

    @property
    def nbytes(self) -> int:
        return sum(network.nbytes for network in self.stages)

    @property
    def uploads(self) -> Mapping[int, Upload]:
        return {}

    def whole(self, purpose: str) -> NoReturn:
        raise PreconditionError(
            f"{purpose}: the model is split over {len(self.stages)} GPUs, which only generates, scores and embeds "
            f"texts: load it on one ({argument('gpu', 0)})"
        )

    def check_resident(self, purpose: str) -> None:
        if purpose in ("fine-tuning", "training"):
            raise PreconditionError(
                f"{purpose}: the model is split over {len(self.stages)} GPUs: load it on one ({argument('gpu', 0)}); "
                "several GPUs share a run through Ray (workers, --ray --workers: docs/scale.md)"
            )
        self.whole(purpose)

    def release(self) -> None:
        self.released = True
        for network in self.stages:
            network.release()

    @classmethod
    def load_split(
        cls,
        devices: Sequence[GpuDevice],
        checkpoint: Checkpoint,
        dtype: str | None = None,
        progress: Progress | None = None,
        table: str | None = None,
        resident: Resident = "all",
        reserve: int = 0,
        context: int | None = None,
    ) -> SplitNetwork:
        """Load a checkpoint's weights, each stage's onto its GPU; see Network.load."""
        config, kinds = Config.of(checkpoint.config).limited(context), kinds_of(checkpoint, dtype, table)
        converted, done = converted_weights(devices[0], checkpoint, dtype, table), 0

        def advance(now: int, total: int, name: str) -> None:
            if progress is not None:
                progress(min(done + now, total), total, name)

        def build(device: GpuDevice, stage: Stage, residency: Residency) -> Network:
            nonlocal done
            arena, total = residency.arena(device), residency.sizes.total
            source = FromCheckpoint(device, checkpoint, dtype, advance, table, total, arena, converted)
            network = Network.of_source(device, config, source, source.arena, residency, stage, kinds)
            try:
                source.finish()
            except BaseException:
                network.release()
                raise
            done += source.done
            return network

        try:
            split = cls._split(devices, config, kinds, resident, reserve, build)
        except BaseException:
            converted.discard()
            raise
        converted.finish()
        return split

    @classmethod
    def random_split(
        cls,
        devices: Sequence[GpuDevice],
        config: Config,
        dtype: str = DEFAULT,
        seed: int = 0,
        table: str | None = None,
        resident: Resident = "all",
        reserve: int = 0,
    ) -> SplitNetwork:
        """Random weights; not those of Network.random: each stage begins with the same seed."""
        kinds = random_kinds(config, dtype, table)

        def build(device: GpuDevice, stage: Stage, residency: Residency) -> Network:
            source = RandomSource(device, kinds, seed, residency.sizes.total, residency.arena(device))
            return Network.of_source(device, config, source, source.arena, residency, stage, kinds)

        return cls._split(devices, config, kinds, resident, reserve, build)

    @classmethod
    def _split(
        cls, devices: Sequence[GpuDevice], config: Config, kinds: Kinds, resident: Resident, reserve: int, build: Build
    ) -> SplitNetwork:
        check_split(config, resident)
        sizes = Network.sizes(devices[0], config, kinds)
        stages, built = plan_stages(sizes, devices, config.tied, reserve), list[Network]()
        try:
            for device, stage in zip(devices, stages, strict=True):
                built.append(build(device, stage, Residency(stage_sizes(sizes, stage))))
        except BaseException:
            for network in built:
                network.release()
            raise
        return cls(built, Residency(sizes))


def check_split(config: Config, resident: Resident) -> None:
    """Refuse what cannot be split."""
    if config.encoder is not None:
        raise PreconditionError(f"gpu: the model is an encoder ({config.family}), which runs on one GPU: choose one")
    layers = [config.layer(i) for i in range(config.layers)]
    if config.states or len(set(config.cache_layers)) > 1 or any(c.per_layer_input for c in layers):
        raise PreconditionError(f"gpu: splitting {config.family} models over several GPUs is unsupported: choose one")
    check_resident(resident)


def check_resident(resident: Resident) -> None:
    if parse_resident(resident).kind not in ("auto", "all"):
        raise WgptError(
            f"{argument('resident')} and several GPUs exclude each other: all layers of a split model are resident"
        )
