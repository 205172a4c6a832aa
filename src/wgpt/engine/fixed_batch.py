"""Sequences in the slots of a Runner, which the caller runs itself: for texts that are read as a whole, and to measure
the Programs that the engine runs. Requests that come and go are the engine's."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..core.progress import Progress
from ..core.sizes import readable_bytes
from ..gpu import AllocationError, Pending, Program
from ..kernels.sampling.slots import IDLE, LORA, POSITION, RECORD_WORDS, TOKEN
from ..models.network import Network
from ..ops.backend import Kernels
from ..ops.fallbacks import Fallback
from ..ops.lora_pool import LoraPool
from .batch import TILE, Chunk, bucket, chunks, ends_with_step, single_rows
from .chunk_sizes import chunk_of_uploads, engine_chunk, most_rows
from .errors import ContextError
from .forward_recorder import FirstShape
from .packed_rows import ROWS, PackedRows
from .read_outputs import HIDDEN, LOGITS, SQUARES, Outputs, Plan
from .runner import Runner
from .sampling import Mode

Rows2D = dict[int, NDArray[np.float32]]  # by slot

_LOGIT_BYTES = 64 << 20  # most bytes of a chunk's logits, if all of them are needed
_CHUNK = Plan(Outputs(), {}, (), ())  # keys and values only


@dataclass(eq=False)
class _Attached:
    """The pool of LoRA adapters that the Programs use."""

    pools: list[LoraPool | None] = field(default_factory=lambda: [None])


class FixedBatch:
    """Up to `slots` sequences of up to `capacity` tokens, each with its own part of the KV cache.

    `start` puts tokens into the cache; `step` runs the newest token of every sequence, chooses the likeliest next one
    and leaves it on the GPU, where the following step finds it. `logits`: steps also return the logits.

    >>> batch = FixedBatch(network, capacity=256)                   # doctest: +SKIP
    >>> batch.start({0: prompt_ids})
    >>> first, second = batch.step(), batch.step()                  # the GPU continues while we read
    >>> first.result()["tokens"]                                    # by slot
    """

    def __init__(
        self,
        network: Network,
        capacity: int,
        slots: int = 1,
        cache: str = "f16",
        *,
        logits: bool = False,
        kernels: str | Kernels = "wgsl",
        precision: str = "exact",
    ) -> None:
        network.check_generates()
        config = network.config
        if not 1 <= capacity <= config.context:
            raise ContextError(f"capacity must be from 1 to the model's context of {config.context}, not {capacity}")
        self.network, self.device, self.capacity, self.slots = network, network.device, capacity, slots
        self._loras, self._index, self._kernels = _Attached(), [0] * slots, Kernels.of(kernels)
        try:
            self.runner = Runner(
                network,
                slots=slots,
                capacity=capacity,
                cache=cache,
                kernels=self._kernels,
                precision=precision,
                loras=self._loras,
            )
        except AllocationError as e:
            raise AllocationError(f"{e} (KV cache of {slots} x {capacity} positions: use a shorter context)") from e
        self.mode = Mode(logits=logits)
        self.lengths = [0] * slots  # tokens in each sequence, including those of queued steps
        self._active = [False] * slots
        self.released = False
        self.chunk = engine_chunk(config, self.device)
        if network.uploads:
            self.chunk = chunk_of_uploads(config, self.device, self.chunk)

    @property
    def fallbacks(self) -> list[Fallback]:
        """The operations that ran on hand-written kernels although others were asked for."""
        return self._kernels.fallbacks

    def attach(self, loras: tuple[LoraPool, int] | None) -> None:
        """Use the LoRA adapter with this index for all sequences from now on, or none. They are forgotten: what is in
        the cache depends on the adapter."""
        pool, index = loras or (None, 0)
        self._loras.pools = [pool]
        self.runner.use_newest_pool()
        self.attach_each([index] * self.slots)

    def attach_each(self, indices: Sequence[int]) -> None:
        """The same for another adapter of the pool in each slot."""
        self._index = list(indices)
        for slot in range(self.slots):
            self.forget(slot)

    # Sequences --------------------------------------------------------------------------------------------

    def start(self, prompts: Mapping[int, Sequence[int]], progress: Progress | None = None) -> None:
        """Begin or extend sequences (by slot) with tokens; the last ones run with the next step.

        Running sequences continue, but all their steps must have been read.
        """
        for slot, tokens in prompts.items():
            self._check(slot, tokens)
        self._fill({slot: tokens[:-1] for slot, tokens in prompts.items()}, progress)
        self._activate(prompts)

    def first(self, prompts: Mapping[int, Sequence[int]]) -> Pending:
        """`start` and `step`; of a single sequence in one Program with the last chunk where the engine does so, as a
        step of its own would read all weights once more."""
        last = self.last_chunk(prompts)
        if last is None:
            self.start(prompts)
            return self.step()
        ((slot, tokens),) = prompts.items()
        self._check(slot, tokens)
        self._fill({slot: tokens[: len(tokens) - len(last.where[slot])]}, None)
        self._activate(prompts)
        with self._released_if_out_of_memory():
            pending = self.runner.first(last, self._placed, self.mode)
        self.lengths[slot] += 1
        return pending

    def last_chunk(self, prompts: Mapping[int, Sequence[int]]) -> Chunk | None:
        """The chunk with the end of the only prompt, if a step can run in the same Program."""
        if self.slots > 1 or self.mode.logits or self._active[0]:
            return None
        ((slot, tokens),) = prompts.items()
        count = (len(tokens) - 2) % self.chunk + 1  # of the last chunk before the newest token
        if len(tokens) < 2 or count == self.chunk or not ends_with_step(count):
            return None
        at = len(tokens) - 1 - count
        (chunk,) = chunks({slot: tokens[at:]}, {slot: self.lengths[slot] + at}, self.chunk, bucket)
        return self._tiled(chunk)

    def last_program(self, prompts: Mapping[int, Sequence[int]]) -> tuple[Program, int]:
        """The Program with which `first` ends prompts, or the last one before the first step; and its tokens."""
        last = self.last_chunk(prompts)
        if last is not None:
            program = self.runner.first_program(FirstShape(last.m, last.tile, self.mode))
        else:
            before = {slot: tokens[:-1] for slot, tokens in prompts.items()}
            last = self._tiled(chunks(before, dict(enumerate(self.lengths)), self.chunk, bucket)[-1])
            program = self.chunk_program(last)
        return program, sum(map(len, last.where.values()))

    def _fill(self, before: Mapping[int, Sequence[int]], progress: Progress | None) -> None:
        """Put these tokens into the cache: in chunks like the engine's."""
        waiting = chunks(before, dict(enumerate(self.lengths)), self.chunk, bucket)
        for _ in self._run([self._tiled(chunk) for chunk in waiting], _CHUNK, progress):
            pass

    def _tiled(self, chunk: Chunk) -> Chunk:
        rows = sum(map(len, chunk.where.values()))
        return replace(chunk, tile=1) if single_rows(rows, chunk.length, self.device) else chunk

    def _activate(self, prompts: Mapping[int, Sequence[int]]) -> None:
        """These run from the next step on, with their last tokens."""
        for slot, tokens in prompts.items():
            self.lengths[slot] += len(tokens)
            self._active[slot] = True
            record = np.zeros(RECORD_WORDS, np.uint32)
            record[TOKEN], record[POSITION] = tokens[-1], self.lengths[slot] - 1
            record[LORA] = self._index[slot]
            self.runner.slots.set_record(slot, record)

    @property
    def _placed(self) -> dict[int, int]:
        return dict(enumerate(self._index))

    def _check(self, slot: int, tokens: Sequence[int]) -> None:
        if not tokens:
            raise ContextError("the prompt is empty: at least one token is required")
        check_ids(tokens, self.network.config.vocab)
        if self.lengths[slot] + len(tokens) > self.capacity:
            raise ContextError(
                f"{self.lengths[slot] + len(tokens)} tokens exceed the context length of {self.capacity}: "
                "shorten the prompt or use a longer context"
            )

    def forget(self, slot: int, length: int = 0) -> None:
        """Shorten a sequence to its first `length` tokens. Only to none of them if the model's layers have states."""
        if length and not self.shortens:
            raise ContextError(
                f"a sequence cannot be shortened to {length} tokens: the states of {self.network.config.family} "
                "models cannot go back; forget all of it"
            )
        self.lengths[slot] = min(self.lengths[slot], length)
        self._active[slot] = False

    @property
    def shortens(self) -> bool:
        """Whether a sequence can go back to an earlier length."""
        return not self.network.config.states

    # Steps ------------------------------------------------------------------------------------------------

    def step(self) -> Pending:
        """Run the newest tokens and choose the next ones; the result has `tokens` (and `logits`, if requested)."""
        running = [n for n, active in zip(self.lengths, self._active, strict=True) if active]
        if not running:
            raise ContextError("no sequence is running: call start() first")
        if max(running) > self.capacity:
            raise ContextError(f"the context of {self.capacity} tokens is full")
        with self._released_if_out_of_memory():
            pending = self.runner.step(self._rows, max(running), self.mode)
        self.lengths = [n + a for n, a in zip(self.lengths, self._active, strict=True)]
        return pending

    @property
    def _rows(self) -> list[int]:
        return [slot if active else IDLE for slot, active in enumerate(self._active)]

    def step_program(self, length: int) -> Program:
        """The Program of a step at this length."""
        self.runner.use_newest_pool()
        return self.runner.step_program(self.runner.shape(self.slots, length, self.mode))

    def send(self) -> None:
        """Send what the next step needs, so that its Program can be replayed alone."""
        self.runner.slots.set_rows(self._rows)
        for tensor, words in self.runner.slots.writes():
            self.device.write(tensor.window(0, words.size), words)

    # All rows ---------------------------------------------------------------------------------------------

    def hidden(self, sequences: Mapping[int, Sequence[int]], progress: Progress | None = None) -> Rows2D:
        """Hidden states after the final norm, [tokens, hidden] of each sequence, from its beginning.

        As many rows as memory allows run at once: each weight is read once for all of them.
        """
        return self._read(sequences, HIDDEN, most_rows(self.network.config, self.device), progress)

    def logits(self, sequences: Mapping[int, Sequence[int]], progress: Progress | None = None) -> Rows2D:
        """Logits, [tokens, vocabulary] of each sequence, from its beginning."""
        most = _LOGIT_BYTES // (4 * self.network.config.vocab) // TILE * TILE
        return self._read(sequences, LOGITS, max(TILE, min(self.chunk, most)), progress)

    def squares(self, ids: Sequence[int]) -> dict[str, NDArray[np.float32]]:
        """Sums of the squares of each projection's inputs over a text (importance.py), which is one chunk: its length
        must be a multiple of TILE, as padding would count."""
        self.forget(0)
        (chunk,) = chunks({0: ids}, {0: 0}, len(ids))
        assert chunk.m == len(ids)
        ((_, sums),) = self._run([chunk], Plan.whole(SQUARES), None)
        return sums

    def chunk_program(self, chunk: Chunk, whole: str = "") -> Program:
        """The Program of a chunk, with its rows; `whole`: HIDDEN, LOGITS or SQUARES."""
        self.runner.use_newest_pool()
        chunk, program = self.runner.chunk_program_for(chunk, Outputs(whole=whole))
        program.write(ROWS, PackedRows.of(chunk, self._placed).words)
        return program

    def _read(self, sequences: Mapping[int, Sequence[int]], whole: str, most: int, progress: Progress | None) -> Rows2D:
        for slot, tokens in sequences.items():
            self.forget(slot)
            self._check(slot, tokens)
        read: dict[int, list[NDArray[np.float32]]] = {}
        waiting = chunks(sequences, dict(enumerate(self.lengths)), most)
        for chunk, result in self._run(waiting, Plan.whole(whole), progress):
            for slot, rows in chunk.where.items():
                read.setdefault(slot, []).append(result[whole][rows])
        return {slot: parts[0] if len(parts) == 1 else np.concatenate(parts) for slot, parts in read.items()}

    def _run(
        self, waiting: list[Chunk], plan: Plan, progress: Progress | None
    ) -> Iterator[tuple[Chunk, dict[str, NDArray[np.float32]]]]:
        """A chunk is queued while the one before it runs.

        Not on a software driver: it accepts the next submit only when the chunk is done, seconds later, and Ctrl-C
        is not noticed during a submit.
        """
        most_queued = 1 if self.device.software else 2
        queued: deque[tuple[Chunk, Pending]] = deque()
        total, done = sum(len(rows) for chunk in waiting for rows in chunk.where.values()), 0
        while waiting or queued:
            if waiting and len(queued) < most_queued:
                chunk = waiting.pop(0)
                with self._released_if_out_of_memory():
                    queued.append((chunk, self.runner.prefill(chunk, self._placed, plan)))
                continue
            chunk, pending = queued.popleft()
            with self._released_if_out_of_memory():
                result = pending.result()
            done += sum(len(rows) for rows in chunk.where.values())
            if progress is not None:
                progress(done, total, "reading the prompt")
            yield chunk, result

    # Memory -----------------------------------------------------------------------------------------------

    @property
    def nbytes(self) -> int:
        """GPU memory, without the weights."""
        return self.runner.nbytes

    @contextmanager
    def _released_if_out_of_memory(self) -> Iterator[None]:
        """If the cache leaves no memory for the Programs, free it, so that a smaller batch fits."""
        try:
            yield
        except AllocationError:
            self.release()
            raise

    def release(self) -> None:
        if not self.released:
            self.released = True
            self.runner.release()

    def __enter__(self) -> FixedBatch:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"FixedBatch({self.slots} x {self.capacity} positions, {readable_bytes(self.nbytes)})"


def check_ids(tokens: Sequence[int], vocab: int) -> None:
    """Refuse token ids outside the vocabulary."""
    wrong = next((t for t in tokens if not 0 <= t < vocab), None)
    if wrong is not None:
        raise ContextError(f"token id {wrong} is outside the vocabulary of {vocab}")
