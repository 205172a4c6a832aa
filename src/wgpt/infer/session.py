"""Session: sequences in a KV cache, and the Programs that extend them."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..engine.batch import TILE, Chunk, chunks
from ..engine.chunk_sizes import chunk_of_uploads, engine_chunk, most_rows
from ..engine.context_slices import slices_at
from ..engine.errors import ContextError, check_length
from ..engine.handle import Progress
from ..gpu import AllocationError, Heap, Pending, Program, Recorder, readable_bytes
from ..gpu.arguments import one_of
from ..kernels.attention.attending import PADDING
from ..kernels.sampling.slots import POSITION, RECORD_WORDS, TOKEN
from ..models.network import Network
from ..ops.cache import PagedCache
from ..ops.engine import ENGINES, PRECISIONS
from ..ops.fallbacks import Fallbacks
from ..ops.forward import Forward, Rows
from ..ops.lora_pool import LoraPool
from ..ops.some_rows import some_rows

Rows2D = dict[int, NDArray[np.float32]]  # by slot

_PROGRAMS = 8  # most prefill Programs of different sizes to keep
_FIRST = "first"  # what `first` wants of a chunk
_LOGIT_BYTES = 64 << 20  # most bytes of a chunk's logits, if all of them are needed


class Session:
    """Up to `slots` sequences of up to `capacity` tokens.

    `prefill` puts tokens into the cache; `step` replays one recorded Program that runs the newest token of every
    sequence, draws the next one and leaves it on the GPU, where the following step finds it.

    >>> session = Session(network, capacity=256)                # doctest: +SKIP
    >>> session.start({0: prompt_ids})
    >>> first, second = session.step(), session.step()          # the GPU continues while we read
    >>> first.result()["ids"]
    """

    def __init__(
        self,
        network: Network,
        capacity: int,
        slots: int = 1,
        cache: str = "f16",
        *,
        logits: bool = False,
        kernels: str = "wgsl",
        precision: str = "exact",
        fallbacks: Fallbacks | None = None,
    ) -> None:
        network.check_generates()
        network.check_whole("a session")
        one_of("kernels", kernels, ENGINES)
        one_of("precision", precision, PRECISIONS)
        self.network, self.device = network, network.device
        self._engine = partial(ENGINES[kernels], precision=precision)
        self.fallbacks = fallbacks if fallbacks is not None else Fallbacks()  # of all Programs recorded here
        config = network.config
        if not 1 <= capacity <= config.context:
            raise ContextError(f"capacity must be from 1 to the model's context of {config.context}, not {capacity}")
        self.capacity, self.slots = capacity, slots
        self._want_logits = logits
        self.released = False
        try:
            self.cache = PagedCache(self.device, config.cache_layers, capacity, slots, cache, states=config.states)
        except AllocationError as e:
            raise AllocationError(f"{e} (KV cache of {slots} x {capacity} positions: use a shorter context)") from e
        self.heap = Heap(self.device)
        # Records of the sequences, then begin_step's epoch. The control changes nothing: row i is always slot i.
        self._state = self.device.tensor(np.zeros(slots * RECORD_WORDS + 1, np.uint32), label="sequences")
        self._control = self.device.tensor(np.array([0, 0, *range(slots)], np.uint32), label="control")
        self._records = self._state.window(0, slots, RECORD_WORDS)
        self._steps: dict[int, Program] = {}  # by slices of the context
        self._prefills: OrderedDict[tuple[object, ...], Program] = OrderedDict()
        self.lengths = [0] * slots  # tokens in each sequence, including those of queued steps
        self._active = [False] * slots
        self.released = False
        self._loras: tuple[LoraPool, int] | None = None
        self.chunk = engine_chunk(config, self.device)
        if network.uploads:
            self.chunk = chunk_of_uploads(config, self.device, self.chunk)

    def attach(self, loras: tuple[LoraPool, int] | None) -> None:
        """Use the LoRA adapter with this index from now on, or none. The cache is cleared: it depends on the adapter.

        Recorded Programs have an input "loras" with the index for each row.
        """
        self._loras = loras
        self._release_programs()
        for slot in range(self.slots):
            self.forget(slot)

    # Sequences --------------------------------------------------------------------------------------------

    def start(self, prompts: Mapping[int, Sequence[int]], progress: Progress | None = None) -> None:
        """Begin or extend sequences (by slot) with tokens; the last ones run with the next step.

        Running sequences continue, but all their steps must have been read.
        """
        for slot, tokens in prompts.items():
            self._check(slot, tokens)
        before = {slot: tokens[:-1] for slot, tokens in prompts.items()}
        with self._released_if_out_of_memory():
            for _ in self._forwards(before, "", self.chunk, progress):
                pass
        self._activate(prompts)

    def first(self, prompts: Mapping[int, Sequence[int]]) -> Pending:
        """`start` and `step`; the last chunk chooses the first tokens, if all prompts end in it and nothing else runs.

        A step of its own would read all weights once more.
        """
        for slot, tokens in prompts.items():
            self._check(slot, tokens)
        waiting = chunks(prompts, {slot: self.lengths[slot] for slot in prompts}, self.chunk)
        last = waiting[-1]
        if any(self._active) or last.decoding or last.where.keys() != prompts.keys() or self._want_logits:
            self.start(prompts)
            return self.step()
        before = {slot: tokens[: len(tokens) - len(last.where[slot])] for slot, tokens in prompts.items()}
        with self._released_if_out_of_memory():
            for _ in self._forwards(before, "", self.chunk, None):
                pass
            self._activate(prompts)
            pending = self._submit(last, _FIRST)
        self.lengths = [n + a for n, a in zip(self.lengths, self._active, strict=True)]
        return pending

    def _activate(self, prompts: Mapping[int, Sequence[int]]) -> None:
        """These run from the next step on, with their last tokens."""
        for slot, tokens in prompts.items():
            self.lengths[slot] += len(tokens)
            self._active[slot] = True
            self._set(slot, self.lengths[slot] - 1, tokens[-1])
        for slot, active in enumerate(self._active):
            if not active:
                self._set(slot, PADDING)

    def prepare(self, prompts: Mapping[int, Sequence[int]]) -> None:
        """Record and compile what `start` of these prompts and the first step will need."""
        for slot, tokens in prompts.items():
            self._check(slot, tokens)
        before = {slot: tokens[:-1] for slot, tokens in prompts.items()}
        with self._released_if_out_of_memory():
            for chunk in chunks(before, dict(enumerate(self.lengths)), self.chunk):
                self.forward_program(chunk)
            self.step_program(max(self.lengths[slot] + len(tokens) for slot, tokens in prompts.items()))

    def _set(self, slot: int, position: int, token: int | None = None) -> None:
        """Set a slot's position and token for the next step."""
        first, words = (POSITION, [position]) if token is None else (TOKEN, [token, position])
        self.device.write(self._records.window(slot * RECORD_WORDS + first, len(words)), np.array(words, np.uint32))

    def _check(self, slot: int, tokens: Sequence[int]) -> None:
        if not tokens:
            raise ContextError("the prompt is empty: at least one token is required")
        check_ids(tokens, self.network.config.vocab)
        if self.lengths[slot] + len(tokens) > self.capacity:
            raise ContextError(
                f"{self.lengths[slot] + len(tokens)} tokens exceed the context length of {self.capacity}: "
                "shorten the prompt or use a longer context"
            )

    def stop(self, slot: int) -> None:
        """Stop a sequence; the others continue."""
        self._active[slot] = False
        self._set(slot, PADDING)

    def forget(self, slot: int, length: int = 0) -> None:
        """Shorten a sequence to its first `length` tokens. Only to none of them if the model's layers have states."""
        if length and self.cache.states:
            raise ContextError(
                f"a sequence cannot be shortened to {length} tokens: the states of {self.network.config.family} "
                "models cannot go back; forget all of it"
            )
        self.lengths[slot] = min(self.lengths[slot], length)
        self._active[slot] = False

    # Running ----------------------------------------------------------------------------------------------

    def step(self) -> Pending:
        """Run the newest tokens and choose the next ones; the result has `ids` (and `logits`, if requested)."""
        running = [n for n, active in zip(self.lengths, self._active, strict=True) if active]
        if not running:
            raise ContextError("no sequence is running: call start() first")
        if max(running) > self.capacity:
            raise ContextError(f"the context of {self.capacity} tokens is full")
        with self._released_if_out_of_memory():
            program = self.step_program(max(running))
            pending = program.submit(*(("ids", "logits") if self._want_logits else ("ids",)))
        self.lengths = [n + a for n, a in zip(self.lengths, self._active, strict=True)]
        return pending

    def _splits(self, length: int) -> tuple[int, int]:
        """(the longest context, slices of it) for decoding rows at this length."""
        return slices_at(self.network, self.slots, length, adapted=self._loras is not None)

    def step_program(self, length: int) -> Program:
        """The Program of a step at this length."""
        most, splits = self._splits(length)
        if splits not in self._steps:
            self._steps[splits] = self._record_step(splits, most)
        return self._steps[splits]

    def _record_step(self, splits: int, context: int) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            f = self._forward(recorder, self._newest(recorder), splits, context)
            logits = f.linear(self.network.family.forward(f), self.network.family.head)
            ids = f.greedy(logits, self._records)
            return self.fallbacks.note(recorder.finish(ids=ids, logits=logits))

    def _newest(self, recorder: Recorder) -> Rows:
        """The newest token of each slot."""
        problem = {"rows": self.slots, "most_rows": self.slots, "words": self._state.size}
        begun = self._engine(recorder).apply("begin_step", problem, control=self._control, state=self._state)
        return Rows(self.slots, begun["ids"], begun["rows"], decoding=True)

    def _forward(self, recorder: Recorder, rows: Rows, splits: int = 1, context: int | None = None) -> Forward:
        uploads, loras = self.network.uploads, None
        if self._loras is not None:
            pool, index = self._loras
            loras = pool, recorder.upload(np.full(rows.m, index, np.uint32), "loras")
        return Forward(self._engine(recorder), rows, self.cache, splits, context, loras, uploads)

    # Forwards over many rows ------------------------------------------------------------------------------

    def hidden(self, sequences: Mapping[int, Sequence[int]], progress: Progress | None = None) -> Rows2D:
        """Hidden states after the final norm, [tokens, hidden] of each sequence, from its beginning.

        As many rows as memory allows run at once: each weight is read once for all of them.
        """
        return self._read(sequences, "hidden", self._most_rows(), progress)

    def logits(self, sequences: Mapping[int, Sequence[int]], progress: Progress | None = None) -> Rows2D:
        """Logits, [tokens, vocabulary] of each sequence, from its beginning."""
        return self._read(sequences, "logits", self._logit_rows(), progress)

    def _most_rows(self) -> int:
        return most_rows(self.network.config, self.device)

    def _logit_rows(self) -> int:
        """Most rows of a chunk if all of its logits exist at once."""
        most = _LOGIT_BYTES // (4 * self.network.config.vocab) // TILE * TILE
        return max(TILE, min(self.chunk, most))

    def _read(self, sequences: Mapping[int, Sequence[int]], want: str, most: int, progress: Progress | None) -> Rows2D:
        for slot, tokens in sequences.items():
            self.forget(slot)
            self._check(slot, tokens)
        read: dict[int, list[NDArray[np.float32]]] = {}
        with self._released_if_out_of_memory():
            for chunk, result in self._forwards(sequences, want, most, progress):
                for slot, rows in chunk.where.items():
                    read.setdefault(slot, []).append(result[want][rows])
        return {slot: parts[0] if len(parts) == 1 else np.concatenate(parts) for slot, parts in read.items()}

    def _forwards(
        self, sequences: Mapping[int, Sequence[int]], want: str, most: int, progress: Progress | None
    ) -> Iterator[tuple[Chunk, dict[str, NDArray[np.float32]]]]:
        """Extend sequences chunk by chunk; a chunk is queued while the one before it runs.

        Not on a software driver: it accepts the next submit only when the chunk is done, seconds later, and Ctrl-C
        is not noticed during a submit.
        """
        most_queued = 1 if self.device.software else 2
        queued: deque[tuple[Chunk, Pending]] = deque()
        waiting = chunks(sequences, {slot: self.lengths[slot] for slot in sequences}, most)
        total = sum(map(len, sequences.values()))
        done = 0
        while waiting or queued:
            if waiting and len(queued) < most_queued:
                chunk = waiting.pop(0)
                queued.append((chunk, self._submit(chunk, want)))
                continue
            chunk, pending = queued.popleft()
            result = pending.result()
            done += sum(len(rows) for rows in chunk.where.values())
            if progress is not None:
                progress(done, total, "reading the prompt")
            yield chunk, result

    def _submit(self, chunk: Chunk, want: str) -> Pending:
        program = self.forward_program(chunk, want)
        program.write("ids", chunk.ids)
        program.write("places", chunk.places)
        if want == _FIRST:
            ends = np.zeros(self.slots, np.uint32)
            for slot, rows in chunk.where.items():
                ends[slot] = rows[-1]
            program.write("ends", ends)
        return program.submit()

    def forward_program(self, chunk: Chunk, want: str = "") -> Program:
        """The Program of a forward over such rows; `want`: "hidden", "logits", _FIRST or ""."""
        how = self._splits(chunk.length) if chunk.decoding else chunk.tile
        key = (chunk.m, want, how)
        program = self._prefills.get(key)
        if program is None:
            program = self._prefills[key] = self._record_forward(chunk, want)
            while len(self._prefills) > _PROGRAMS:
                self._prefills.popitem(last=False)[1].release()
        self._prefills.move_to_end(key)
        return program

    def _record_forward(self, chunk: Chunk, want: str) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            m = chunk.m
            ids = recorder.upload(np.zeros(m, np.uint32), "ids")
            places = recorder.upload(np.zeros((m, 2), np.uint32), "places")
            context, splits = self._splits(chunk.length) if chunk.decoding else (None, 1)
            f = self._forward(recorder, Rows(m, ids, places, chunk.decoding, chunk.tile), splits, context)
            hidden = self.network.family.forward(f)
            # Read one word even if no output is requested, so the host knows when the chunk is done.
            outputs = {"done": ids.window(0, 1)}
            if want == "hidden":
                outputs = {want: f.value(hidden)}
            elif want == _FIRST:
                ends = recorder.upload(np.zeros(self.slots, np.uint32), "ends")
                picked, newest = some_rows(self._engine(recorder), hidden, ends), self._newest(recorder)
                f = self._forward(recorder, newest)
                logits = f.linear(picked, self.network.family.head)
                outputs = {"ids": f.greedy(logits, self._records)}
            elif want:
                outputs = {want: f.linear(hidden, self.network.family.head)}
            return self.fallbacks.note(recorder.finish(**outputs))

    @property
    def nbytes(self) -> int:
        """GPU memory, without the weights."""
        return self.cache.nbytes + self.heap.nbytes

    def _release_programs(self) -> None:
        for program in (*self._steps.values(), *self._prefills.values()):
            program.release()
        self._steps, self._prefills = {}, OrderedDict()

    @contextmanager
    def _released_if_out_of_memory(self) -> Iterator[None]:
        """If the cache leaves no memory for the Programs, free it, so that a smaller session fits."""
        try:
            yield
        except AllocationError:
            self.release()
            raise

    def release(self) -> None:
        self.released = True
        self._release_programs()
        self.heap.release()
        self.cache.release()
        for tensor in (self._state, self._control):
            tensor.buffer.release()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"Session({self.slots} x {self.capacity} positions, {readable_bytes(self.nbytes)})"


def check_ids(tokens: Sequence[int], vocab: int) -> None:
    """Refuse token ids outside the vocabulary."""
    wrong = next((t for t in tokens if not 0 <= t < vocab), None)
    if wrong is not None:
        raise ContextError(f"token id {wrong} is outside the vocabulary of {vocab}")


def capacity_for(prompts: Sequence[Sequence[int]], max_tokens: int, context: int, name: str = "prompt") -> int:
    """Cache positions for the prompts and the new tokens; refuses prompts that do not fit."""
    longest = max(map(len, prompts))
    check_length(longest, context, name)
    return min(context, -(-(longest + max_tokens) // 64) * 64)
