"""The Programs of a chat with one sequence: prompts in chunks of several sizes, and steps by length and sampling."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from ..engine.batch import TILE
from ..engine.context_slices import slices_by_length
from ..gpu import Heap, Launch, Program, Recorder, Tensor
from ..gpu.exported import Exported, export_programs
from ..kernels.sampling.settings import SETTINGS_WORDS
from ..kernels.sampling.slots import IDLE, PROMPTED, RECORD_WORDS, constants
from ..models.network import Network
from ..ops.cache import PagedCache
from ..ops.engine import GpuEngine
from ..ops.forward import Forward, Rows
from ..ops.lora_pool import LoraPool

PREFILL = (256, 128, 64, 32, 16)  # rows of the chunks that a prompt is run in; the largest first, for the heap
MODES = ("greedy", "sample", "penalise")  # how a step chooses its token; the last one samples, too


class UsedKernel(NamedTuple):
    """A kernel, and the type of its weights if it has any."""

    name: str
    weight: str | None


def used_kernel(launch: Launch) -> UsedKernel:
    weight = re.search(r"\bweight=(\w+)", launch.shape)
    return UsedKernel(launch.kernel, weight[1] if weight else None)


class ChatPrograms:
    """Programs over one KV cache of `capacity` positions. What the host writes has names: `tensors`."""

    def __init__(self, network: Network, capacity: int, cache: str, lora: LoraPool | None = None) -> None:
        self.network, self.device, self.capacity, self._lora = network, network.device, capacity, lora
        config = network.config
        self.cache = PagedCache(self.device, config.cache_layers, capacity, 1, cache)
        # The record of the sequence, then begin_step's epoch. The control changes nothing: row 0 is slot 0.
        record = np.zeros(RECORD_WORDS + 1, np.uint32)
        self._state = self.device.tensor(record, label="sequence")
        self._control = self.device.tensor(np.zeros(3, np.uint32), label="control")
        self._record = self._state.window(0, 1, RECORD_WORDS)
        self._counts = self.device.tensor(np.zeros((1, config.vocab), np.uint32), label="token counts")

    @property
    def tensors(self) -> dict[str, Tensor]:
        """What the host writes before a prompt: the sequence's record, and the counts that penalties need."""
        return {"record": self._record, "counts": self._counts}

    @property
    def steps(self) -> tuple[int, ...]:
        """The longest sequence of each step Program."""
        return tuple(min(most, self.capacity) for most, _ in self._splits())

    def _splits(self) -> Iterator[tuple[int, int]]:
        for most, splits in slices_by_length(self.network, 1, adapted=self._lora is not None):
            yield most, splits
            if most >= self.capacity:
                return

    @property
    def prefill(self) -> tuple[int, ...]:
        """Rows of the prompt Programs, smallest first."""
        fitting = [rows for rows in sorted(PREFILL) if rows <= -(-self.capacity // TILE) * TILE]
        return tuple(fitting or [TILE])

    def export(self) -> tuple[Exported, set[UsedKernel]]:
        """All Programs for the device's present traits, and their kernels."""
        heap = Heap(self.device)
        programs: dict[str, Program] = {}
        for rows in reversed(self.prefill):
            programs[f"prefill/{rows}"] = self._record_prefill(heap, rows)
        for most, splits in self._splits():
            for mode in MODES:
                name = f"step/{min(most, self.capacity)}/{mode}"
                programs[name] = self._record_step(heap, splits, most, mode)
        used = {used_kernel(launch) for program in programs.values() for launch in program.launches}
        # Not released: pooled buffers would be reused while their contents are still to be written.
        return export_programs(programs, self.tensors), used

    def _record_prefill(self, heap: Heap, m: int) -> Program:
        with Recorder(self.device, heap) as recorder:
            ids = recorder.upload(np.zeros(m, np.uint32), "ids")
            places = recorder.upload(np.zeros((m, 2), np.uint32), "places")
            loras = None if self._lora is None else recorder.upload(np.ones(m, np.uint32))
            f = self._forward(recorder, Rows(m, ids, places, tile=TILE), loras)
            self.network.family.forward(f)
            return recorder.finish(done=ids.window(0, 1))

    def _record_step(self, heap: Heap, splits: int, context: int, mode: str) -> Program:
        with Recorder(self.device, heap) as recorder:
            problem = {"rows": 1, "most_rows": 1, "words": self._state.size}
            begun = GpuEngine(recorder).apply("begin_step", problem, control=self._control, state=self._state)
            rows = Rows(1, begun["ids"], begun["rows"], decoding=True)
            f = self._forward(recorder, rows, begun["loras"], splits, context)
            logits = f.linear(self.network.family.forward(f), self.network.family.head)
            if mode == "greedy":
                tokens = f.greedy(logits, self._record)
            else:
                tokens = f.sample(logits, self._record, self._counts if mode == "penalise" else None)
            return recorder.finish(tokens=tokens, logits=logits)

    def _forward(
        self, recorder: Recorder, rows: Rows, loras: Tensor | None, splits: int = 1, context: int | None = None
    ) -> Forward:
        adapters = None if self._lora is None or loras is None else (self._lora, loras)
        return Forward(GpuEngine(recorder), rows, self.cache, splits, context, adapters)


def record_layout() -> Mapping[str, int]:
    """Where the host finds the words of a record."""
    extra = {"SETTINGS_WORDS": SETTINGS_WORDS, "PROMPTED": PROMPTED, "IDLE": IDLE}
    return {**constants(), **extra}
