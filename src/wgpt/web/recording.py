"""Records the Programs of a chat with one sequence: prompt chunks by size, and steps by length and sampling."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..core.generation import SETTINGS_WORDS
from ..engine.batch import TILE
from ..engine.context_slices import slices_by_length
from ..engine.forward_recorder import Shape
from ..engine.packed_rows import ROWS, PackedRows
from ..engine.read_outputs import Outputs
from ..engine.runner import Runner
from ..engine.sampling import Mode
from ..gpu import Launch, Program
from ..gpu.exported import Exported, export_programs
from ..kernels.sampling.slots import IDLE, PROMPTED, constants
from ..models.network import Network
from ..ops.lora_pool import LoraPool

PREFILL = (256, 128, 64, 32, 16)  # rows of prompt chunks; the largest first, for the heap
MODES = {  # ways in which a step chooses its token
    "greedy": Mode(logits=True),
    "sample": Mode(sampled=True, logits=True),
    "penalise": Mode(sampled=True, penalised=True, logits=True),
}


class UsedKernel(NamedTuple):
    """A kernel, and the type of its weights if it has some."""

    name: str
    weight: str | None


def used_kernel(launch: Launch) -> UsedKernel:
    weight = re.search(r"\bweight=(\w+)", launch.shape)
    return UsedKernel(launch.kernel, weight[1] if weight else None)


@dataclass(eq=False)
class _Adapter:
    """The pool with the page's LoRA adapter, if it has one."""

    pools: Sequence[LoraPool | None]


class ChatPrograms:
    """Programs of a Runner with one slot of `capacity` positions, for a page to replay."""

    def __init__(self, network: Network, capacity: int, cache: str, lora: LoraPool | None = None) -> None:
        self.network, self.device, self.capacity = network, network.device, capacity
        self._cache, self._lora = cache, lora

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
        """The rows of the prompt Programs, the smallest first."""
        fitting = [rows for rows in sorted(PREFILL) if rows <= -(-self.capacity // TILE) * TILE]
        return tuple(fitting or [TILE])

    def export(self) -> tuple[Exported, set[UsedKernel]]:
        """All Programs for the device's present traits, and their kernels. What the host writes before a prompt has
        names: the sequence's record, and the counts that penalties need."""
        runner = Runner(
            self.network,
            slots=1,
            capacity=self.capacity,
            cache=self._cache,
            precision="exact",
            loras=_Adapter([self._lora]),
        )
        runner.use_newest_pool()
        programs: dict[str, Program] = {}
        for rows in reversed(self.prefill):
            programs[f"prefill/{rows}"] = self._prefill(runner, rows)
        for most, splits in self._splits():
            for name, mode in MODES.items():
                runner.sampling.reserve(mode)
                shape = Shape(1, most, splits, mode)
                programs[f"step/{min(most, self.capacity)}/{name}"] = runner.step_program(shape)
        used = {used_kernel(launch) for program in programs.values() for launch in program.launches}
        counts = runner.sampling.counts(MODES["penalise"])
        assert counts is not None
        # Not released: pooled buffers would be reused before their contents are written.
        return export_programs(programs, {"record": runner.slots.records, "counts": counts}), used

    def _prefill(self, runner: Runner, rows: int) -> Program:
        """A chunk of a prompt. Its parts have names; every row has the page's LoRA adapter, if there is one."""
        program, packed = runner.chunk_program(rows, TILE, Outputs()), PackedRows(rows)
        if self._lora is not None:
            packed.loras[:] = 1
        together = program.inputs.pop(ROWS)
        self.device.write(together, packed.words)
        parts = PackedRows.split(together, rows)
        program.inputs |= {"ids": parts.ids, "places": parts.places}
        return program


def record_layout() -> Mapping[str, int]:
    """The positions of a record's words, for the host."""
    extra = {"SETTINGS_WORDS": SETTINGS_WORDS, "PROMPTED": PROMPTED, "IDLE": IDLE}
    return {**constants(), **extra}
