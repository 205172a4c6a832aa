"""A Runner for a model that is split over several GPUs: what the engine's loop needs, from all stages together.

Every stage has its own KV cache for its layers, with the same pages, and its own copy of the page table. The last one
has the sequences' records and chooses the tokens; they go back to the first stage through the host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Sequenced
from dataclasses import dataclass, replace
from typing import Any

from ..gpu import AllocationError
from ..kernels.attention.attending import PADDING
from ..kernels.sampling.slots import IDLE
from ..models.network import AnyNetwork
from .batch import Chunk
from .flow import Flow, Part, Results, Stages
from .forward_recorder import Shape
from .packed_rows import ROWS, PackedRows
from .read_outputs import Outputs, Plan
from .runner import Runner
from .sampling import Mode, by_row, masks_of
from .sequence import Sequence
from .stage_runner import PartShape, StageRunner


@dataclass(eq=False)
class _Newest:
    """The token of a sequence that runs next, its position, and the index of its LoRA adapter (0: none).

    `chosen`: the work that chooses the token, if that is not there yet. Another sequence in the same slot has another
    one.
    """

    token: int
    position: int
    lora: int = 0
    chosen: Flow | None = None


class SplitSlots:
    """The slots of all stages: each has a page table."""

    def __init__(self, stages: Sequenced[Runner]) -> None:
        self._slots = [stage.slots for stage in stages]
        self.count = self._slots[0].count

    def set_pages(self, slot: int, first: int, pages: Sequenced[int]) -> None:
        for slots in self._slots:
            slots.set_pages(slot, first, pages)


class SplitCache:
    """The KV caches of all stages."""

    def __init__(self, stages: Sequenced[Runner]) -> None:
        self.pages, self.nbytes = stages[0].cache.pages, sum(stage.cache.nbytes for stage in stages)


class SplitRunner:
    """`groups`: into how many groups the running sequences are divided, so that each stage has one to work on."""

    speculation = None
    substituted = False
    snapshots = 0

    def __init__(self, network: AnyNetwork, *, slots: int, **settings: Any) -> None:
        self.network, self.device = network, network.device
        self.stages: list[StageRunner] = []
        try:
            for i, stage in enumerate(network.parts):
                self.stages.append(StageRunner(stage, slots=slots, **settings))
                self.stages[-1].part = i
        except AllocationError:
            for made in self.stages:
                made.release()
            raise
        self.last, self.groups = self.stages[-1], len(self.stages)
        self.deterministic, self.most_rows = self.last.deterministic, self.last.most_rows
        self.slots, self.cache = SplitSlots(self.stages), SplitCache(self.stages)
        self.rounds = any(stage.rounds for stage in self.stages)
        self._flows = Stages(network.devices)
        self._newest: dict[int, _Newest] = {}  # by slot

    @property
    def nbytes(self) -> int:
        """GPU memory, without the weights."""
        return sum(stage.nbytes for stage in self.stages)

    @property
    def compile_seconds(self) -> float:
        return sum(stage.compile_seconds for stage in self.stages)

    @property
    def compiling(self) -> bool:
        return any(stage.compiling for stage in self.stages)

    @property
    def recorded(self) -> int:
        return sum(stage.recorded for stage in self.stages)

    @property
    def busy_seconds(self) -> tuple[float, ...]:
        """For how long each GPU had work so far."""
        return tuple(clock.seconds for clock in self._flows.clocks)

    def copy_states(self, slot: int, place: int, *, back: bool) -> None:
        """See Runner.copy_states: there are no places."""

    def start(self, sequence: Sequence) -> None:
        """See Runner.start."""
        assert sequence.slot is not None
        mode = Mode.of([sequence])
        if mode.penalised or mode.biased:  # set at once, while earlier work may still use the slot's last sequence
            self._flows.drain()
        self.last.start(sequence)
        lora = 0 if sequence.lora is None else sequence.lora.index
        self._newest[sequence.slot] = _Newest(sequence.tokens[-1], sequence.to_fill, lora)

    # Submitting ---------------------------------------------------------------------------------------------

    def step(self, slots: Sequenced[int], length: int, mode: Mode, width: int = 1) -> Flow:
        """See Runner.step. It begins when the tokens before are known."""
        return self._choosing(slots, self._step_flow(slots, self.last.shape(len(slots), length, mode)))

    def choose(self, sequences: Sequenced[Sequence], mode: Mode) -> Flow:
        """See Runner.choose."""
        rows, last = by_row(sequences), self.last
        program = last.step_program(Shape(last.bucket(len(rows)), 0, 0, mode, part="choice"))
        last.slots.set_rows(rows)
        part = Part(program, [*last.slots.writes(), *last.sampling.mask_writes(masks_of(sequences))])
        return self._choosing(rows, Flow(self._flows, {len(self.stages) - 1: part}))

    def run_newest(self, sequences: Sequenced[Sequence], length: int) -> Flow:
        """See Runner.run_newest. It begins when the tokens are known."""
        rows = by_row(sequences)
        shape = replace(self.last.shape(len(rows), length, Mode()), part="forward")
        return self._flows.run(self._step_flow(rows, shape))

    def prefill(self, chunk: Chunk, loras: Mapping[int, int], plan: Plan | None = None, *, exact: bool = False) -> Flow:
        """See Runner.prefill."""
        self._use_newest_pools()
        outputs = replace(Outputs() if plan is None else plan.outputs, exact=exact)
        last = self.last.chunk_program(chunk.m, chunk.tile, outputs)
        packed = PackedRows.of(chunk, loras)
        parts = self._parts(PartShape(chunk.m, False, chunk.tile, exact=exact), packed)
        planned = [] if plan is None else plan.writes(last)
        ending = Part(last, [*self.last.slots.writes(), (last.inputs[ROWS], packed.words), *planned])
        return self._flows.run(Flow(self._flows, dict(enumerate([*parts, ending]))))

    def try_first(self, chunk: Chunk, loras: Mapping[int, int], mode: Mode) -> None:
        """There is no such Program: the token is chosen on another GPU than that which has the prompt's rows."""

    def prepare(self, chunk: int) -> None:
        """Nothing to do: here no Program stands in for another one."""

    def prepare_ahead(self) -> None:
        """Nothing to do: while GPUs work, `read` has the commands of what follows recorded."""

    def read(self, flow: Flow, meanwhile: Callable[[], bool]) -> Results:
        """Wait for the results of the last stage; `meanwhile`: what to do while GPUs work."""
        return flow.result(meanwhile)

    def before_recording(self, call: Callable[[], None]) -> None:
        """It is not called: the work under way is sent to the next GPU by the thread that would wait for it."""

    def _choosing(self, slots: Sequenced[int], flow: Flow) -> Flow:
        """Have it run: the tokens that it chooses run next in these slots."""
        running = self._running(slots)

        def follow(results: Results) -> None:
            for newest, token in zip(running, results["tokens"].tolist(), strict=False):
                if newest is not None:
                    newest.token = token

        for newest in running:
            if newest is not None:
                newest.chosen = flow
        flow.accept = follow
        return self._flows.run(flow)

    def _running(self, slots: Sequenced[int]) -> list[_Newest | None]:
        """What runs in each row; None: padding."""
        return [None if slot == IDLE else self._newest[slot] for slot in slots]

    def _step_flow(self, slots: Sequenced[int], shape: Shape) -> Flow:
        """The newest tokens of these slots through all stages."""
        self._use_newest_pools()
        last, running = self.last.step_program(shape), self._running(slots)
        packed, chosen = PackedRows(shape.rows), dict[Flow, None]()  # in order
        packed.places.fill(PADDING)
        for row, (slot, newest) in enumerate(zip(slots, running, strict=True)):
            if newest is not None:
                packed.places[row], packed.loras[row] = (slot, newest.position), newest.lora
                newest.position += 1
                if newest.chosen is not None:
                    chosen[newest.chosen] = None

        def fill() -> None:
            for row, newest in enumerate(running):
                if newest is not None:
                    packed.ids[row] = newest.token

        parts = self._parts(PartShape(shape.rows, True, 0, shape.splits, shape.context), packed)
        self.last.slots.set_rows(slots)
        parts.append(Part(last, list(self.last.slots.writes())))
        return Flow(self._flows, dict(enumerate(parts)), tuple(chosen), fill)

    def _parts(self, shape: PartShape, packed: PackedRows) -> list[Part]:
        """Those of the stages before the last. Changes of the page tables are taken now: they belong to this work."""
        programs = [(stage, stage.part_program(shape)) for stage in self.stages[:-1]]
        return [
            Part(p, [*stage.slots.writes(), (p.inputs[ROWS], packed.words)], (p.inputs[ROWS],)) for stage, p in programs
        ]

    def _use_newest_pools(self) -> None:
        if any(stage.has_new_pool for stage in self.stages):
            self._flows.drain()  # what waits needs its Programs
            for stage in self.stages:
                stage.use_newest_pool()

    def forget_programs(self) -> None:
        self._flows.drain()
        for stage in self.stages:
            stage.forget_programs()

    def release(self) -> None:
        self._flows.close()
        for stage in self.stages:
            stage.release()
