"""Estimates a training run's GPU memory before anything is loaded, by recording its step on a dry device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.sizes import readable_bytes
from ..gpu import AllocationError, GpuDevice
from ..gpu.dry import DryDevice
from ..models.config import Config
from ..models.network import Network
from ..models.source import Kinds
from ..models.targets import check_trainable, chosen, linear_shapes
from ..ops.lora import LoraLayers
from ..ops.parameters import Learner
from ..ops.score import Score, Scored
from ..quant.weights import TYPES, weight_type
from .batches import rows_of
from .step import TrainStep

_SMALL = tuple(name for name, kind in TYPES.items() if kind.layers_only)  # types for a base's weights, the larger first


@dataclass(frozen=True)
class Run:
    """What memory use depends on: micro-batches of `m` rows in `slots` sequences of up to `length` tokens.

    `kinds` are the types of the base's weights: models.source.kinds_of, or random_kinds. With `packed`, micro-batches
    have a number of rows, not of sequences. With `classes`, a classification head is trained.
    """

    config: Config
    kinds: Kinds
    m: int
    slots: int
    length: int
    rank: int = 16
    targets: Sequence[str] = ("all",)
    checkpointing: bool = False
    dropout: float = 0.0
    precision: str = "fast"
    whole: bool = False  # train all weights, which must be f32, instead of an adapter
    packed: bool = False
    classes: int = 0


@dataclass(frozen=True)
class Estimate:
    """Bytes by purpose."""

    parts: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.parts.values())

    def __str__(self) -> str:
        largest = sorted(self.parts.items(), key=lambda part: -part[1])
        parts = ", ".join(f"{name} {readable_bytes(size)}" for name, size in largest if size >= self.total / 100)
        return f"{readable_bytes(self.total)} ({parts})"


def estimate(run: Run, device: GpuDevice | None = None) -> Estimate:
    """The memory of a run on a device like this one, or on a common GPU.

    AllocationError: no buffer or binding of such a device is large enough, however much memory it has.
    """
    check_trainable(run.config)
    dry = DryDevice(device)
    network, weights = Network.empty(dry, run.config, run.kinds)
    score = Score(dry, np.zeros((run.classes, run.config.hidden), np.float32)) if run.classes else None
    learner: Learner = network.weights() if run.whole else _adapted(LoraLayers(dry, _factors(run)), score)
    step = TrainStep(
        network,
        learner,
        run.m,
        run.slots,
        run.length,
        head=None if score is None else score.linear,
        checkpointing=run.checkpointing,
        dropout=run.dropout,
        precision=run.precision,
    )
    gradients, update = step.record("first"), step.record_update()
    logits = max(b.tensor.buffer.size for launch in gradients.launches for b in launch.bindings if b.name == "logits")
    parts = {f"{name} weights": size for name, size in weights.items() if name != "vectors"}
    parts["norms and biases"] = weights["vectors"]
    parts["unused among the weights"] = network.nbytes - sum(parts.values())
    learning = sum(parameter.nbytes for parameter in learner.parameters)
    parts |= {"adapters": learner.nbytes_beside, "gradients": learning, "moments": 2 * learning}
    parts |= {"keys and values": step.cache.nbytes, "logits": logits, "activations": step.heap.nbytes - logits}
    for program in (gradients, update):
        program.release()
    return Estimate({name: size for name, size in parts.items() if size})


def _adapted(adapters: LoraLayers, score: Score | None) -> Learner:
    return adapters if score is None else Scored(adapters, score)


def _factors(run: Run) -> dict[str, tuple[NDArray[np.float32], NDArray[np.float32], float]]:
    """LoRA factors of the right shapes."""
    shapes = chosen(run.config, run.targets)
    a = np.zeros((run.rank, max(k for _, k in shapes.values())), np.float32)
    b = np.zeros((max(n for n, _ in shapes.values()), run.rank), np.float32)
    return {name: (a[:, :k], b[:n], 1.0) for name, (n, k) in shapes.items()}


# What to change ---------------------------------------------------------------------------------------------


def advice(run: Run, limit: int, device: GpuDevice | None = None) -> list[str]:
    """Empty if the run fits into `limit` bytes; else what it needs, and the fewest changes that make it fit."""
    needed = _tried(run, device)
    if needed is not None and needed.total <= limit:
        return []
    reason = f"it needs {needed}" if needed else "one of its tensors is larger than a binding of this GPU"
    lines, choices = [f"will not fit in {readable_bytes(limit)}: {reason}"], _choices(run)
    most = [options[-1] for options in choices if options]
    least = _tried(_changed(run, most), device)
    if least is None or least.total > limit:
        still = f" it needs {readable_bytes(least.total)}" if least else ""
        even = f"even with {_named(most)}{still}: " if most else ""
        return [*lines, f"{even}use shorter examples, a smaller rank or a smaller model"]
    for changes in _combined(choices):
        estimated = least if changes == most else _tried(_changed(run, changes), device)
        if estimated is not None and estimated.total <= limit:
            return [*lines, f"use {_named(changes)}: it then needs {estimated}"]
    raise AssertionError("the last combination has all changes, and fits")


class Change(NamedTuple):
    """A suggested change of the run."""

    words: str
    make: Callable[[Run], Run]


def _tried(run: Run, device: GpuDevice | None) -> Estimate | None:
    try:
        return estimate(run, device)
    except AllocationError:
        return None


def _choices(run: Run) -> list[list[Change]]:
    """Possible changes, from those that cost only time to those that cost accuracy; of each, the smallest first."""
    again = [] if run.checkpointing else [Change("--checkpointing", lambda r: replace(r, checkpointing=True))]
    fewer = _fewer_rows(run) if run.packed else _fewer_sequences(run)
    if run.whole:
        return [again, fewer, [Change("an adapter instead of --full", lambda r: replace(r, whole=False))]]
    bits = max(_bits(run.kinds(name).name) for name in chosen(run.config, ["all"]))
    smaller = [Change(f"--dtype {name}", _with_layers(name)) for name in _SMALL if _bits(name) < bits]
    return [again, fewer, smaller]


def _fewer_sequences(run: Run) -> list[Change]:
    counts = [run.slots >> i for i in range(1, run.slots.bit_length())]
    return [Change(f"--batch {n} with more --accumulate", _with_slots(n)) for n in counts]


def _fewer_rows(run: Run) -> list[Change]:
    """Half the rows, repeatedly, as long as the longest sequence fits."""
    least = rows_of(run.length)
    sizes = [rows_of(run.m >> i) for i in range(1, run.m.bit_length()) if run.m >> i > least]
    sizes += [least] if run.m > least else []
    return [Change(f"--pack {m} with more --accumulate", _with_rows(m)) for m in sizes]


def _combined(choices: list[list[Change]]) -> list[list[Change]]:
    """Combinations of one change, then of two, then of more; in the order of the choices."""
    picks = product(*([None, *changes] for changes in choices))
    combined = [[change for change in pick if change is not None] for pick in picks]
    places = {id(change): (i, j) for i, changes in enumerate(choices) for j, change in enumerate(changes)}
    return sorted(filter(None, combined), key=lambda pick: (len(pick), [places[id(change)] for change in pick]))


def _changed(run: Run, changes: list[Change]) -> Run:
    for change in changes:
        run = change.make(run)
    return run


def _named(changes: list[Change]) -> str:
    return " and ".join(change.words for change in changes)


def _with_slots(slots: int) -> Callable[[Run], Run]:
    return lambda r: replace(r, slots=slots, m=min(r.m, slots * rows_of(r.length)))


def _with_rows(m: int) -> Callable[[Run], Run]:
    return lambda r: replace(r, m=m, slots=max(1, -(-r.slots * m // r.m)))


def _bits(name: str) -> float:
    kind = weight_type(name)
    return 8 * kind.nbytes(4096, 4096) / 4096**2


def _with_layers(name: str) -> Callable[[Run], Run]:
    layers = weight_type(name)

    def change(run: Run) -> Run:
        own, of_blocks = run.kinds, linear_shapes(run.config)
        return replace(run, kinds=lambda name: layers if name in of_blocks else own(name))

    return change
