"""A worker of a data-parallel run, on its own GPU: it computes gradients and takes the leader's steps."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import WgptError
from ..formats import open_checkpoint
from ..formats.lora import LoraAdapter
from ..formats.sources import resolve
from ..gpu import GpuDevice
from ..models.network import Network
from ..train.batches import Position
from ..train.checkpoint import TrainingState
from ..train.data import Dataset
from ..train.identity import identity_of
from ..train.parts import Part
from ..train.recipe import Recipe
from ..train.trainer import Trainer
from .connection import gpu_here, ray_module


@dataclass(frozen=True, eq=False)
class Job:
    """What a follower needs to know of the run."""

    model: str | None  # as `wgpt.load` takes it: every machine finds its own copy
    name: str
    dtype: str | None
    context: int | None
    recipe: Recipe
    training: Dataset
    held_out: Dataset | None
    init: LoraAdapter | None


class Follower:
    """Runs in an actor of its own."""

    def __init__(self, job: Job, swap: tuple[str, int, int] | None = None) -> None:
        """`swap`: on the node (its id), take the second GPU where Ray has given out the first, which the leader has."""
        ray = ray_module()
        gpu = gpu_here(ray.get_gpu_ids())
        if swap is not None and (ray.get_runtime_context().get_node_id(), gpu) == swap[:2]:
            gpu = swap[2]
        self._done = -1  # steps; -1 before `begin`
        self._device = GpuDevice.open(gpu)
        with open_checkpoint(resolve(job.model)) as files:
            identity = identity_of(files, job.name, job.dtype)
            self._network = Network.load(self._device, files, job.dtype, context=job.context)
        self._trainer = Trainer(self._network, job.recipe, job.training, job.held_out, identity=identity, init=job.init)

    def about(self) -> dict[str, Any]:
        return {"gpu": str(self._device.info), "host": socket.gethostname(), "pid": os.getpid()}

    def begin(self, state: TrainingState) -> None:
        """Continue from the leader's state."""
        self._done = -1
        self._trainer.resume(state)
        self._done = state.step

    def parts(self, position: Position, step: int, first: int, every: int) -> list[Part]:
        """The gradients of a step's micro-batches, from `first` on, one of every `every`."""
        if step != self._done + 1:
            raise WgptError(f"this worker has done {self._done} steps, and is asked for step {step}")
        batches = self._trainer.batches_at(position)
        return [self._trainer.part(batches[i], step, i) for i in range(first, len(batches), every)]

    def update(self, gradient: list[NDArray[np.float32]], step: int) -> None:
        """Take the step that the leader takes."""
        self._trainer.write_gradient(gradient)
        self._trainer.update(step).result()
        self._done = step
