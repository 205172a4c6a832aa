"""The Programs of the engine: a forward over a chunk of prompts, and a step of many rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..gpu import Heap, Program, Recorder, Tensor
from ..models.network import Network
from ..ops.backend import GpuBackend, Kernels
from ..ops.cache import PagedCache
from ..ops.forward import Forward, Rows
from ..ops.lora_pool import LoraPool
from ..ops.some_rows import some_rows
from .packed_rows import PackedRows, RowTensors
from .proposer import Proposer
from .read_outputs import Outputs
from .sampling import Mode, Sampling
from .slots import Slots

SHORT_ROWS = 64  # of a prompt's end whose commands take as long to record as to run: they are recorded ahead
DECODING = 0  # instead of a tile: every row belongs to another sequence


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


@dataclass(eq=False)
class ForwardRecorder:
    """Records the Programs of a Runner, from what the Runner keeps on the GPU."""

    network: Network
    kernels: Kernels
    precision: str
    slots: Slots
    cache: PagedCache
    heap: Heap
    sampling: Sampling
    speculation: Proposer | None = None
    pool: LoraPool | None = None  # of the LoRA adapters that the Programs use
    forward_type: Callable[..., Forward] = Forward
    logits: Tensor | None = None  # by row, of the sequences with a grammar, between the halves of their step

    def backend(self, recorder: Recorder, *, exact: bool = False) -> GpuBackend:
        return self.kernels.backend(recorder, "exact" if exact else self.precision)

    def step(self, shape: Shape) -> Program:
        with Recorder(self.network.device, self.heap) as recorder:
            begun = self.begin(recorder, shape.rows)
            if self.speculation is not None and shape.width > 1:
                return self._guesses(recorder, begun, shape, self.speculation)
            rows = Rows(shape.rows, begun["ids"], begun["rows"], decoding=True)
            if shape.part == "choice":
                f, logits = self.forward(self.backend(recorder), rows, None), self._kept(shape.rows)
            else:
                f = self.forward(self.backend(recorder), rows, begun["loras"], shape.splits, shape.context)
                logits = f.linear(self.network.family.forward(f), self.network.family.head)
            if shape.part == "forward":
                recorder.put(logits, self._kept(shape.rows))
                return recorder.finish()
            outputs = self.sampling.record(f, logits, self.slots.records, shape.mode)
            if self.speculation is not None and shape.part == "step":
                outputs |= self.speculation.record_end(recorder, begun, 1, {"drawn": outputs["tokens"]})
            return recorder.finish(**outputs)

    def _kept(self, rows: int) -> Tensor:
        assert self.logits is not None
        return self.logits.window(0, rows, self.logits.shape[1])

    def _guesses(self, recorder: Recorder, begun: dict[str, Tensor], shape: Shape, speculation: Proposer) -> Program:
        """A step of several rows of each sequence: its newest token, and guesses of those that follow."""
        backend, sizes, records = GpuBackend(recorder), speculation.sizes(shape.rows, shape.width), self.slots.records
        speculation.record_guesses(recorder, begun, shape.width, shape.splits, shape.context)
        every = backend.apply("spec_rows", sizes, **begun, slots=records, guesses=speculation.state["guesses"])
        # A tile of one row: attention then has a workgroup for each row, where few rows would not fill the GPU.
        rows = Rows(shape.rows * shape.width, every["all_ids"], every["all_rows"], tile=1)
        f = self.forward(self.backend(recorder), rows, every["all_loras"], context=shape.context)
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

    def chunk(self, m: int, tile: int, outputs: Outputs) -> Program:
        with Recorder(self.network.device, self.heap) as recorder:
            self.begin(recorder, 0)
            packed = PackedRows.record(recorder, m)
            f = outputs.measured(self._chunk_forward(self.backend(recorder, exact=outputs.exact), packed, tile))
            hidden = self.network.family.forward(f)
            # Read one word even if no output is requested, so the host knows when the chunk is done.
            done = {"done": f.rows.ids.window(0, 1)}
            return recorder.finish(**(outputs.record(recorder, f, hidden, self.network.family.head) or done))

    def first(self, shape: FirstShape) -> Program:
        with Recorder(self.network.device, self.heap) as recorder:
            begun, backend = self.begin(recorder, 1), self.backend(recorder)
            if shape.rows <= SHORT_ROWS:
                packed = PackedRows.split(self.slots.ahead(PackedRows.size(shape.rows)), shape.rows)
            else:
                packed = PackedRows.record(recorder, shape.rows)
            hidden = self.network.family.forward(self._chunk_forward(backend, packed, shape.tile))
            hidden = some_rows(backend, hidden, packed.last)
            f = self.forward(backend, Rows(1, begun["ids"], begun["rows"], decoding=True), begun["loras"])
            logits = f.linear(hidden, self.network.family.head)
            outputs = self.sampling.record(f, logits, self.slots.records, shape.mode)
            return recorder.finish(**outputs)

    def _chunk_forward(self, backend: GpuBackend, packed: RowTensors, tile: int) -> Forward:
        rows = Rows(packed.ids.size, packed.ids, packed.places, tile == DECODING, tile or 1)
        return self.forward(backend, rows, packed.loras)

    def begin(self, recorder: Recorder, rows: int) -> dict[str, Tensor]:
        problem = {"rows": rows, "most_rows": self.slots.most_rows, "words": self.slots.state.size}
        tensors = {"control": self.slots.control, "state": self.slots.state}
        backend = self.backend(recorder) if rows else GpuBackend(recorder)  # without rows, there is nothing to compute
        return backend.apply("begin_step", problem, **tensors)

    def forward(
        self, backend: GpuBackend, rows: Rows, indices: Tensor | None, splits: int = 1, context: int | None = None
    ) -> Forward:
        loras = (self.pool, indices) if self.pool is not None and indices is not None else None
        return self.forward_type(backend, rows, self.cache, splits, context, loras, self.network.uploads)
