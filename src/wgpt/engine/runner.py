"""The only way through a forward pass of a model on one GPU: Programs by shape, recorded once and submitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Sequenced
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from numpy.typing import NDArray

from ..core.arguments import one_of
from ..gpu import AllocationError, Heap, Pending, Program
from ..gpu.programs import Programs
from ..models.network import Network
from ..ops.backend import PRECISIONS, Kernels, has_matrices, in_integers
from ..ops.cache import PagedCache
from .batch import TILE, Chunk, bucket, padded
from .context_slices import FIXED, slices_at
from .draft import Draft, DraftModel
from .forward_recorder import DECODING, SHORT_ROWS, FirstShape, ForwardRecorder, Shape
from .loras import Pools
from .ngram_proposer import NgramProposer
from .packed_rows import ROWS, PackedRows
from .proposer import Proposer
from .read_outputs import Outputs, Plan
from .sampling import Mode, Sampling, by_row, masks_of, record_of
from .sequence import Sequence
from .slots import Slots
from .stand_ins import CHUNKS, STEPS, cost_for_chunk, cost_for_step

BUCKETS = (1, 2, 4, 8, 16, 32, 48, 64, 96, 128)  # rows of a step
_LEAST_GUESSED = 1024  # the context of steps with guesses, at least: one size less to record
FIXED_ROWS = 16  # if results must not depend on the other rows


class Runner:
    """The weights, the KV cache and the Programs, which `record` (forward_recorder.py) makes.

    `deterministic`: one size of step and one of chunk. Without `pages`, each slot has its own for `capacity` positions.
    `snapshots`: places for states of layers that are kept (snapshots.py).
    """

    groups = 1  # of the running sequences, each with steps of its own (split_runner.py)
    busy_seconds: tuple[float, ...] = ()  # of each GPU, if there are several
    part = 0  # of a split model's parts

    def __init__(
        self,
        network: Network,
        *,
        slots: int,
        capacity: int,
        pages: int | None = None,
        cache: str = "f16",
        kernels: str | Kernels = "wgsl",
        precision: str = "fast",
        deterministic: bool = False,
        loras: Pools | None = None,
        speculation: bool = False,
        draft: DraftModel | None = None,
        snapshots: int = 0,
    ) -> None:
        one_of("precision", precision, PRECISIONS)
        self.network, self.device, kernels = network, network.device, Kernels.of(kernels)
        self.capacity, self.deterministic, self._loras = capacity, deterministic, loras
        config = network.config
        self.slots = Slots(self.device, slots, capacity, PackedRows.size(SHORT_ROWS), in_order=pages is None)
        layers, table = [config.cache_layers[i] for i in network.layers], self.slots.table
        try:
            self.cache = PagedCache(
                self.device,
                layers,
                capacity,
                slots,
                cache,
                pages=pages,
                table=table,
                states=config.states,
                places=snapshots,
            )
        except AllocationError:
            self.slots.release()
            raise
        self.snapshots = snapshots
        self.heap, self._programs = Heap(self.device), Programs()
        # Whether another Program may do the work of one that is being recorded; a software driver compiles later still.
        self.substitutes = not self.device.software
        self.substituted = False  # whether it did so for what was submitted last, whose time then says little
        self.sampling = Sampling(self.device, slots, config.vocab)
        self.record = ForwardRecorder(network, kernels, precision, self.slots, self.cache, self.heap, self.sampling)
        self._used_first: FirstShape | None = None  # since the last `prepare_ahead`
        self.speculation: Proposer | None = NgramProposer(self.device, slots, capacity) if speculation else None
        if draft is not None:
            shared: dict[str, Any] = {"heap": self.heap, "programs": self._programs, "backend": self.record.backend}
            sizes: dict[str, Any] = {"pages": self.cache.pages, "cache": cache}
            try:
                self.speculation = Draft(draft, network, self.slots, capacity, **sizes, **shared)
            except AllocationError:
                self.release()
                raise
        self.record.speculation = self.speculation

    @cached_property
    def rounds(self) -> bool:
        """Whether the activations of what it generates are rounded."""
        if self.record.precision == "exact":
            return False
        if has_matrices(self.device):
            return True
        layers = (*self.network.inventory.linears, self.network.family.head)
        types = {part.weight.type for layer in layers for part in layer.parts}
        return in_integers(self.device) and any(kind.whole_codes for kind in types)

    @property
    def nbytes(self) -> int:
        """GPU memory, without the weights."""
        guesses = 0 if self.speculation is None else self.speculation.nbytes
        logits = 0 if self.record.logits is None else self.record.logits.nbytes
        return self.cache.nbytes + self.heap.nbytes + self.slots.nbytes + self.sampling.nbytes + guesses + logits

    @property
    def compile_seconds(self) -> float:
        """Time for which work has waited for Programs to be recorded and compiled."""
        return self._programs.seconds

    def before_recording(self, call: Callable[[], None]) -> None:
        """Have this called before work waits for a Program to be recorded."""
        self._programs.before = call

    @property
    def compiling(self) -> bool:
        """Whether work waits for that now."""
        return self._programs.waited_for

    @property
    def recorded(self) -> int:
        """Programs that were recorded so far."""
        return self._programs.recorded

    @property
    def most_rows(self) -> int:
        """Rows of a step, at most."""
        return min(FIXED_ROWS if self.deterministic else BUCKETS[-1], self.slots.count)

    def start(self, sequence: Sequence) -> None:
        """Tell the GPU what it needs to know of a sequence that begins to run in its slot."""
        assert sequence.slot is not None
        self.slots.set_record(sequence.slot, record_of(sequence))
        self.sampling.start(sequence.slot, sequence)
        if sequence.matcher is not None and self.record.logits is None:
            self.record.logits = self.device.empty((self.slots.count, self.network.config.vocab), "f32", "logits")
        if self.speculation is not None:
            self.speculation.start(sequence)

    def copy_states(self, slot: int, place: int, *, back: bool) -> None:
        """Keep the states of a slot in a place, or take them `back` from there."""
        pairs = []
        for running, kept in zip(self.cache.states, self.cache.kept_states, strict=True):
            for state, copy in zip(running, kept, strict=True):
                size = state.size // state.shape[0]
                ends = state.window(slot * size, size), copy.window(place * size, size)
                pairs.append(ends[::-1] if back else ends)
        self.device.copy(pairs)

    # Submitting ---------------------------------------------------------------------------------------------

    def step(self, slots: Sequenced[int], length: int, mode: Mode, width: int = 1) -> Pending:
        """Run the newest token of these slots and choose the next ones; the longest has `length` tokens.

        The result has `tokens`, and `chosen`, `ids` and `values` if the mode asks for log-probabilities. With a `width`
        above 1 guesses are checked: `tokens` are [rows, width], of which `count` [rows] are the new ones. With
        speculation it has what `Proposer.learn` needs.
        """
        self.use_newest_pool()
        program = self._step_program(self.shape(len(slots), length, mode, width if self.speculation else 0))
        self.slots.set_rows(slots)
        return program.submit(writes=self.slots.writes())

    def choose(self, sequences: Sequenced[Sequence], mode: Mode) -> Pending:
        """Choose the next tokens of sequences with a grammar, whose logits are there; the result is that of `step`."""
        rows = by_row(sequences)
        program = self._step_program(Shape(self.bucket(len(rows)), 0, 0, mode, part="choice"))
        self.slots.set_rows(rows)
        return program.submit(writes=[*self.slots.writes(), *self.sampling.mask_writes(masks_of(sequences))])

    def run_newest(self, sequences: Sequenced[Sequence], length: int) -> Pending:
        """Run the newest token of sequences with a grammar, for the logits of the next one. The result is empty."""
        self.use_newest_pool()
        rows = by_row(sequences)
        program = self._step_program(replace(self.shape(len(rows), length, Mode(), 0), part="forward"))
        self.slots.set_rows(rows)
        pending = program.submit(writes=self.slots.writes())
        program.prepare()  # while the host waits for the token: its next mask is needed soon after
        return pending

    def prefill(
        self, chunk: Chunk, loras: Mapping[int, int], plan: Plan | None = None, *, exact: bool = False
    ) -> Pending:
        """Run the rows of a chunk, so that their keys and values are in the cache. `loras`: index by slot.

        The result has the outputs of the plan.
        """
        self.use_newest_pool()
        outputs = replace(Outputs() if plan is None else plan.outputs, exact=exact)
        chunk, program = self.chunk_program_for(chunk, outputs)
        planned = [] if plan is None else plan.padded(chunk.m).writes(program)
        packed = PackedRows.of(chunk, loras).words
        return program.submit(writes=[*self.slots.writes(), (program.inputs[ROWS], packed), *planned])

    def try_first(self, chunk: Chunk, loras: Mapping[int, int], mode: Mode) -> Pending | None:
        """`first`, unless another Program can replace it while it is recorded beside the work, for the next time."""
        shape = FirstShape(chunk.m, chunk.tile, mode)
        if self.substitutes:
            others = cost_for_chunk(chunk.m, chunk.tile, Outputs())
            if self._programs.near(shape, partial(self.record.first, shape), others) != shape:
                return None
        return self.first(chunk, loras, mode)

    def first(self, chunk: Chunk, loras: Mapping[int, int], mode: Mode) -> Pending:
        """Run a chunk that is the rest of one prompt, its last token included, and choose the token that follows.

        Where a sequence is alone, this takes one Program, and `prefill` and `step` take two.
        """
        self.use_newest_pool()
        shape = FirstShape(chunk.m, chunk.tile, mode)
        program = self.first_program(shape)
        ((slot, rows),) = chunk.where.items()
        self.slots.set_rows([slot])
        packed = PackedRows.of(chunk, loras, int(rows[-1])).words
        if chunk.m > SHORT_ROWS:
            return program.submit(writes=[*self.slots.writes(), (program.inputs[ROWS], packed)])
        self._used_first = shape
        return program.submit(writes=self.slots.writes(packed))

    def first_program(self, shape: FirstShape) -> Program:
        return self._programs.get(shape, partial(self.record.first, shape))

    def prepare_ahead(self) -> None:
        """After a short `first`, while the GPU works: record its commands for the next time, when an idle GPU would
        wait for them."""
        shape, self._used_first = self._used_first, None
        if shape is not None and self._programs.has(shape):
            self.first_program(shape).prepare()

    def shape(self, rows: int, length: int, mode: Mode, width: int = 0) -> Shape:
        """That of a step of `rows` rows, the longest of them with `length` tokens."""
        if self.deterministic:
            return Shape(self.most_rows, *FIXED, mode)
        bucket = self.bucket(rows)
        if width > 1:
            length = max(length, _LEAST_GUESSED)
        slices = width <= 1 or (self.speculation is not None and self.speculation.slices)
        context, splits = self.capacity, 1
        if slices:
            context, splits = slices_at(self.network, bucket, length, adapted=self.record.pool is not None)
        return Shape(bucket, context, splits, mode, width)

    def bucket(self, rows: int) -> int:
        return next((min(size, self.slots.count) for size in BUCKETS if rows <= size), self.slots.count)

    def read(self, pending: Pending, meanwhile: Callable[[], bool]) -> dict[str, NDArray[Any]]:
        """Wait for the results."""
        return pending.result()

    # Choosing Programs --------------------------------------------------------------------------------------

    @property
    def has_new_pool(self) -> bool:
        """Whether the Programs were recorded with another pool of LoRA adapters."""
        return (None if self._loras is None else self._loras.pools[self.part]) is not self.record.pool

    def use_newest_pool(self) -> None:
        """Forget those Programs."""
        if self.has_new_pool:
            self._programs.clear()
            self.record.pool = None if self._loras is None else self._loras.pools[self.part]

    def chunk_program_for(self, chunk: Chunk, outputs: Outputs) -> tuple[Chunk, Program]:
        """The Program of a chunk, and the chunk as it takes it: while the right one is being recorded on a GPU, padded
        for a larger one."""
        # For single tokens whose rows are all needed: the kernels of a step.
        tile = DECODING if chunk.decoding and outputs.whole else chunk.tile
        key = (chunk.m, tile, outputs)
        if self.substitutes:
            key = self._programs.near(key, partial(self.record.chunk, *key), cost_for_chunk(*key))
        self.substituted = key != (chunk.m, tile, outputs)
        chunk = padded(chunk, key[0]) if key[0] > chunk.m else chunk
        return chunk, self.chunk_program(*key)

    def chunk_program(self, m: int, tile: int, outputs: Outputs) -> Program:
        """That of exactly these rows."""
        return self._programs.get((m, tile, outputs), partial(self.record.chunk, m, tile, outputs))

    def step_program(self, shape: Shape) -> Program:
        """That of exactly this shape."""
        return self._programs.get(shape, partial(self.record.step, shape))

    def _step_program(self, shape: Shape) -> Program:
        """While it is being recorded, another one that can do its work."""
        nearest = shape
        if self.substitutes:
            nearest = self._programs.near(shape, partial(self.record.step, shape), cost_for_step(shape))
        self.substituted = nearest != shape
        return self.step_program(nearest)

    def prepare(self, chunk: int) -> None:
        """Record Programs that can stand in for most others, so that requests rarely wait for one: steps with any
        context, sampled or not, and chunks of at most `chunk` rows."""
        if not self.substitutes:
            return
        self.use_newest_pool()
        mode, width = Mode(sampled=True, filtered=True), 0 if self.speculation is None else 1
        chunks = [(bucket(min(rows, chunk)), tile) for rows, tile in CHUNKS]
        with suppress(AllocationError):  # what is too large for this GPU's memory is refused when it comes
            for rows in STEPS:
                self.step_program(self.shape(min(rows, self.most_rows), self.capacity, mode, width))
            for rows, tile in [(chunk, TILE)] if self.deterministic else dict.fromkeys(chunks):
                self.chunk_program(rows, tile, Outputs())

    def forget_programs(self) -> None:
        self._programs.clear()

    def release(self) -> None:
        self.forget_programs()
        self.heap.release()
        self.cache.release()
        self.sampling.release()
        if self.speculation is not None:
            self.speculation.release()
        self.slots.release()
        if self.record.logits is not None:
            self.record.logits.buffer.release()
