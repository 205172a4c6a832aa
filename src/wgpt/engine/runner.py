"""The Programs of the engine: a forward over a chunk of prompts, and a step of many rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Sequenced
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from ..core.arguments import one_of
from ..gpu import AllocationError, Heap, Pending, Program, Recorder, Tensor
from ..gpu.programs import Programs
from ..models.network import Network
from ..ops.backend import PRECISIONS, GpuBackend, backends, has_matrices, in_integers
from ..ops.cache import PagedCache
from ..ops.fallbacks import Fallbacks
from ..ops.forward import Forward, Rows
from ..ops.lora_pool import LoraPool
from ..ops.some_rows import some_rows
from .batch import BUCKETS as PREFILL_BUCKETS
from .batch import Chunk, padded
from .context_slices import FIXED, slices_at
from .draft import Draft, DraftModel
from .loras import Pools
from .ngram_proposer import NgramProposer
from .packed_rows import ROWS, PackedRows, RowTensors
from .proposer import Proposer
from .read_outputs import Outputs, Plan
from .sampling import Mode, Sampling, by_row, masks_of, record_of
from .sequence import Sequence
from .slots import Slots

BUCKETS = (1, 2, 4, 8, 16, 32, 48, 64, 96, 128)  # rows of a step
_LEAST_GUESSED = 1024  # the context of steps with guesses, at least: one size less to record
_SHORT_ROWS = 64  # of a prompt's end whose commands take as long to record as to run: they are recorded ahead
_DECODING = 0  # instead of a tile: every row belongs to another sequence
FIXED_ROWS = 16  # if results must not depend on the other rows


@dataclass(frozen=True)
class Shape:
    """The parts of a step's Program that are fixed when it is recorded."""

    rows: int
    context: int
    splits: int
    mode: Mode
    width: int = 0  # rows of each sequence; 0 and 1: one of them, with 1 a guess is made of what follows
    part: str = "step"  # or one half of it: "forward" leaves the logits for "choice"


@dataclass(frozen=True)
class FirstShape:
    """The fixed parts of a Program that ends a prompt and chooses the first token after it."""

    rows: int
    tile: int
    mode: Mode


class Runner:
    """The weights, the KV cache and the Programs: the only way through a forward pass.

    `deterministic`: one size of step and one of chunk. Without `pages`, each slot has its own for `capacity` positions.
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
        kernels: str = "wgsl",
        precision: str = "fast",
        fallbacks: Fallbacks | None = None,
        deterministic: bool = False,
        loras: Pools | None = None,
        speculation: bool = False,
        draft: DraftModel | None = None,
    ) -> None:
        one_of("kernels", kernels, backends())
        self.network, self.device = network, network.device
        one_of("precision", precision, PRECISIONS)
        self._precision, self._kind = precision, backends()[kernels]
        self.fallbacks = fallbacks if fallbacks is not None else Fallbacks()
        self.capacity, self.deterministic, self._loras = capacity, deterministic, loras
        self._pool: LoraPool | None = None  # that Programs were recorded with
        config = network.config
        self.slots = Slots(self.device, slots, capacity, PackedRows.size(_SHORT_ROWS), in_order=pages is None)
        try:
            self.cache = PagedCache(
                self.device,
                [config.cache_layers[i] for i in network.layers],
                capacity,
                slots,
                cache,
                pages=pages,
                table=self.slots.table,
                states=config.states,
            )
        except AllocationError:
            self.slots.release()
            raise
        self.heap = Heap(self.device)
        self.sampling = Sampling(self.device, slots, config.vocab)
        self._logits: Tensor | None = None  # by row, of the sequences with a grammar, between the halves of their step
        self._programs = Programs()
        self._used_first: FirstShape | None = None  # since the last `prepare_first`
        self.speculation: Proposer | None = NgramProposer(self.device, slots, capacity) if speculation else None
        if draft is not None:
            shared: dict[str, Any] = {"heap": self.heap, "programs": self._programs, "fallbacks": self.fallbacks}
            sizes: dict[str, Any] = {"pages": self.cache.pages, "cache": cache, "backend": self._backend}
            try:
                self.speculation = Draft(draft, network, self.slots, capacity, **sizes, **shared)
            except AllocationError:
                self.release()
                raise

    def _backend(self, recorder: Recorder, *, exact: bool = False) -> GpuBackend:
        return self._kind(recorder, "exact" if exact else self._precision)

    @cached_property
    def rounds(self) -> bool:
        """Whether the activations of what it generates are rounded."""
        if self._precision == "exact":
            return False
        if has_matrices(self.device):
            return True
        layers = (*self.network.inventory.linears, self.network.family.head)
        types = {part.weight.type for layer in layers for part in layer.parts}
        return in_integers(self.device) and any(kind.whole_codes for kind in types)

    @property
    def whole(self) -> Runner:
        """The runner of a model that is on one GPU; SplitRunner has none."""
        return self

    @property
    def nbytes(self) -> int:
        """GPU memory, without the weights."""
        guesses = 0 if self.speculation is None else self.speculation.nbytes
        logits = 0 if self._logits is None else self._logits.nbytes
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
        if sequence.matcher is not None and self._logits is None:
            self._logits = self.device.empty((self.slots.count, self.network.config.vocab), "f32", "logits")
        if self.speculation is not None:
            self.speculation.start(sequence)

    # Submitting ---------------------------------------------------------------------------------------------

    def step(self, slots: Sequenced[int], length: int, mode: Mode, width: int = 1) -> Pending:
        """Run the newest token of these slots and choose the next ones; the longest has `length` tokens.

        The result has `tokens`, and `chosen`, `ids` and `values` if the mode asks for log-probabilities. With a `width`
        above 1 guesses are checked: `tokens` are [rows, width], of which `count` [rows] are the new ones. With
        speculation it has what `Proposer.learn` needs.
        """
        self.use_newest_pool()
        program = self.step_program(self.shape(len(slots), length, mode, width if self.speculation else 0))
        self.slots.set_rows(slots)
        return program.submit(writes=self.slots.writes())

    def choose(self, sequences: Sequenced[Sequence], mode: Mode) -> Pending:
        """Choose the next tokens of sequences with a grammar, whose logits are there; the result is that of `step`."""
        rows = by_row(sequences)
        program = self.step_program(Shape(self.bucket(len(rows)), 0, 0, mode, part="choice"))
        self.slots.set_rows(rows)
        return program.submit(writes=[*self.slots.writes(), *self.sampling.mask_writes(masks_of(sequences))])

    def run_newest(self, sequences: Sequenced[Sequence], length: int) -> Pending:
        """Run the newest token of sequences with a grammar, for the logits of the next one. The result is empty."""
        self.use_newest_pool()
        rows = by_row(sequences)
        program = self.step_program(replace(self.shape(len(rows), length, Mode(), 0), part="forward"))
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

    def has_first(self, chunk: Chunk, mode: Mode) -> bool:
        """Whether to use `first`: it takes no longer to record than what it replaces. If a Program exists that can
        replace it, it is recorded beside the work, for the next time."""
        shape, plain = FirstShape(chunk.m, chunk.tile, mode), Outputs()
        if self._programs.has(shape) or self.device.software:
            return True
        if not any(m >= chunk.m and self._programs.has((m, chunk.tile, plain)) for m in PREFILL_BUCKETS):
            return True
        self._programs.record_beside(shape, partial(self._record_first, shape))
        return False

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
        if chunk.m > _SHORT_ROWS:
            return program.submit(writes=[*self.slots.writes(), (program.inputs[ROWS], packed)])
        self._used_first = shape
        return program.submit(writes=self.slots.writes(packed))

    def first_program(self, shape: FirstShape) -> Program:
        return self._programs.get(shape, partial(self._record_first, shape))

    def prepare_first(self) -> None:
        """After a short `first`, while the GPU works: record its commands for the next time, when an idle GPU would
        wait for them."""
        shape, self._used_first = self._used_first, None
        if shape is not None and self._programs.has(shape):
            self.first_program(shape).prepare()

    def shape(self, rows: int, length: int, mode: Mode, width: int = 0) -> Shape:
        """That of a step of so many rows, the longest of them with `length` tokens."""
        if self.deterministic:
            return Shape(self.most_rows, *FIXED, mode)
        bucket = self.bucket(rows)
        if width > 1:
            length = max(length, _LEAST_GUESSED)
        slices = width <= 1 or (self.speculation is not None and self.speculation.slices)
        context, splits = self.capacity, 1
        if slices:
            context, splits = slices_at(self.network, bucket, length, adapted=self._pool is not None)
        return Shape(bucket, context, splits, mode, width)

    def bucket(self, rows: int) -> int:
        return next((min(size, self.slots.count) for size in BUCKETS if rows <= size), self.slots.count)

    # Recording ----------------------------------------------------------------------------------------------

    @property
    def has_new_pool(self) -> bool:
        """Whether the Programs were recorded with another pool of LoRA adapters."""
        return (None if self._loras is None else self._loras.pools[self.part]) is not self._pool

    def use_newest_pool(self) -> None:
        """Forget those Programs."""
        if self.has_new_pool:
            self._programs.clear()
            self._pool = None if self._loras is None else self._loras.pools[self.part]

    def chunk_program_for(self, chunk: Chunk, outputs: Outputs) -> tuple[Chunk, Program]:
        """The Program of a chunk, and the chunk as it takes it: while the right one is being recorded on a GPU, padded
        for a larger one. Not where all rows are needed: they would depend on what was recorded before."""
        # For single tokens whose rows are all needed: the kernels of a step.
        tile = _DECODING if chunk.decoding and outputs.whole else chunk.tile
        shape = (chunk.m, tile, outputs)
        if not self._programs.has(shape) and not self.device.software and not outputs.whole:
            for m in PREFILL_BUCKETS:
                if m > chunk.m and self._programs.has((m, tile, outputs)):
                    self._programs.record_beside(shape, partial(self._record_prefill, *shape))
                    chunk = padded(chunk, m)
                    break
        return chunk, self.chunk_program(chunk.m, tile, outputs)

    def chunk_program(self, m: int, tile: int, outputs: Outputs) -> Program:
        """That of exactly these rows."""
        return self._programs.get((m, tile, outputs), partial(self._record_prefill, m, tile, outputs))

    def step_program(self, shape: Shape) -> Program:
        """That of this shape; on a GPU, while it is being recorded, that of more rows if there is one."""
        if not self._programs.has(shape) and not self.device.software:
            for rows in BUCKETS:
                larger = replace(shape, rows=rows)
                if rows > shape.rows and self._programs.has(larger):
                    self._programs.record_beside(shape, partial(self._record_step, shape))
                    return self._programs.get(larger, partial(self._record_step, larger))
        return self._programs.get(shape, partial(self._record_step, shape))

    def _record_step(self, shape: Shape) -> Program:
        if shape.part != "step":
            return self._record_half(shape)
        with Recorder(self.device, self.heap) as recorder:
            begun = self._begin(recorder, shape.rows)
            if self.speculation is not None and shape.width > 1:
                return self.fallbacks.note(self._record_guesses(recorder, begun, shape, self.speculation))
            rows = Rows(shape.rows, begun["ids"], begun["rows"], decoding=True)
            f = self._forward(recorder, rows, begun["loras"], shape.splits, shape.context)
            logits = f.linear(self.network.family.forward(f), self.network.family.head)
            outputs = self.sampling.record(f, logits, self.slots.records, shape.mode)
            if self.speculation is not None:
                outputs |= self.speculation.record_end(recorder, begun, 1, {"drawn": outputs["tokens"]})
            return self.fallbacks.note(recorder.finish(**outputs))

    def _record_half(self, shape: Shape) -> Program:
        """A forward that leaves the logits, or the choice of tokens from those."""
        assert self._logits is not None
        kept = self._logits.window(0, shape.rows, self._logits.shape[1])
        with Recorder(self.device, self.heap) as recorder:
            begun = self._begin(recorder, shape.rows)
            rows = Rows(shape.rows, begun["ids"], begun["rows"], decoding=True)
            if shape.part == "choice":
                f = self._forward(recorder, rows, None)
                return self.fallbacks.note(
                    recorder.finish(**self.sampling.record(f, kept, self.slots.records, shape.mode))
                )
            f = self._forward(recorder, rows, begun["loras"], shape.splits, shape.context)
            recorder.put(f.linear(self.network.family.forward(f), self.network.family.head), kept)
            return self.fallbacks.note(recorder.finish())

    def _record_guesses(
        self, recorder: Recorder, begun: dict[str, Tensor], shape: Shape, speculation: Proposer
    ) -> Program:
        """A step of several rows of each sequence: its newest token, and guesses of those that follow."""
        backend, sizes, records = GpuBackend(recorder), speculation.sizes(shape.rows, shape.width), self.slots.records
        speculation.record_guesses(recorder, begun, shape.width, shape.splits, shape.context)
        every = backend.apply("spec_rows", sizes, **begun, slots=records, guesses=speculation.state["guesses"])
        # A tile of one row: attention then has a workgroup for each row, where few rows would not fill the GPU.
        rows = Rows(shape.rows * shape.width, every["all_ids"], every["all_rows"], tile=1)
        f = self._forward(recorder, rows, every["all_loras"], context=shape.context)
        logits = f.linear(self.network.family.forward(f), self.network.family.head)
        tokens = self.sampling.choose(f, logits, records, shape.mode, advance=False)
        counts = self.sampling.counts(shape.mode)
        problem = {**sizes, "counts": counts is not None, "vocab": logits.shape[1]}
        counted = {} if counts is None else {"counts": counts}
        accepted = backend.apply(
            "accept", problem, tokens=tokens, ids=rows.ids, rows=rows.places, slots=records, **counted
        )
        drawn = {name: accepted[name] for name in ("drawn", "count")}
        noted = speculation.record_end(recorder, begun, shape.width, drawn)
        return recorder.finish(tokens=drawn["drawn"], count=drawn["count"], **noted)

    def _record_prefill(self, m: int, tile: int, outputs: Outputs) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            self._begin(recorder, 0)
            packed = PackedRows.record(recorder, m)
            f = outputs.measured(self._chunk_forward(recorder, packed, tile, exact=outputs.exact))
            hidden = self.network.family.forward(f)
            # Read one word even if no output is requested, so the host knows when the chunk is done.
            done = {"done": f.rows.ids.window(0, 1)}
            return self.fallbacks.note(
                recorder.finish(**(outputs.record(recorder, f, hidden, self.network.family.head) or done))
            )

    def _record_first(self, shape: FirstShape) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            begun = self._begin(recorder, 1)
            if shape.rows <= _SHORT_ROWS:
                packed = PackedRows.split(self.slots.ahead(PackedRows.size(shape.rows)), shape.rows)
            else:
                packed = PackedRows.record(recorder, shape.rows)
            hidden = self.network.family.forward(self._chunk_forward(recorder, packed, shape.tile))
            hidden = some_rows(self._backend(recorder), hidden, packed.last)
            f = self._forward(recorder, Rows(1, begun["ids"], begun["rows"], decoding=True), begun["loras"])
            logits = f.linear(hidden, self.network.family.head)
            outputs = self.sampling.record(f, logits, self.slots.records, shape.mode)
            return self.fallbacks.note(recorder.finish(**outputs))

    def _chunk_forward(self, recorder: Recorder, packed: RowTensors, tile: int, *, exact: bool = False) -> Forward:
        rows = Rows(packed.ids.size, packed.ids, packed.places, tile == _DECODING, tile or 1)
        return self._forward(recorder, rows, packed.loras, exact=exact)

    def _loras_of(self, indices: Tensor | None) -> tuple[LoraPool, Tensor] | None:
        return (self._pool, indices) if self._pool is not None and indices is not None else None

    def _begin(self, recorder: Recorder, rows: int) -> dict[str, Tensor]:
        problem = {"rows": rows, "most_rows": self.slots.most_rows, "words": self.slots.state.size}
        tensors = {"control": self.slots.control, "state": self.slots.state}
        backend = self._backend(recorder) if rows else GpuBackend(recorder)  # without rows, there is nothing to compute
        return backend.apply("begin_step", problem, **tensors)

    def _forward(
        self,
        recorder: Recorder,
        rows: Rows,
        indices: Tensor | None,
        splits: int = 1,
        context: int | None = None,
        *,
        exact: bool = False,
    ) -> Forward:
        backend, loras = self._backend(recorder, exact=exact), self._loras_of(indices)
        return Forward(backend, rows, self.cache, splits, context, loras, self.network.uploads)

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
        if self._logits is not None:
            self._logits.buffer.release()
