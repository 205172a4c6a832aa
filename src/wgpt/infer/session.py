"""A session: sequences in a KV cache, and the Programs that extend them."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..gpu import AllocationError, Heap, Pending, Program, Recorder, Tensor, WgptError, readable_bytes
from ..kernels.attending import PADDING
from ..kernels.mark_seen import seen_words
from ..kernels.sampling_settings import RECORD_WORDS, Settings
from ..models.network import Network
from ..ops.adapters import Adapters, Lora
from ..ops.cache import KVCache
from ..ops.engine import ENGINES
from ..ops.forward import Forward, Rows
from .batch import TILE, Chunk, chunks

Progress = Callable[[int, int, str], None]  # (tokens done, of how many, what)
Rows2D = dict[int, NDArray[np.float32]]  # by slot

_CHUNK, _SOFTWARE_CHUNK = 512, 128  # rows of a prefill step; a software driver is better interrupted sooner
# Steps under way at once: one is recorded and one submitted while a GPU runs another.
_AHEAD, _SOFTWARE_AHEAD = 3, 2
_PROGRAMS = 6  # prefill Programs of different sizes that are kept
# Slices of a decode step's context, by its length: each is a workgroup of its own, but adding them up is a dispatch.
_SPLITS = ((160, 1), (1024, 4), (1 << 30, 12))
_SOFTWARE_SPLITS = ((512, 1), (1 << 30, 4))
_LOGIT_BYTES = 64 << 20  # logits of a chunk at most, where all of them are wanted


class ContextError(WgptError, ValueError):
    """More tokens than the context holds."""


class Session:
    """Up to `slots` sequences of up to `capacity` tokens.

    `prefill` puts tokens into the cache; `step` replays one recorded Program that runs the newest token of every
    sequence, draws the next one and leaves it on the GPU, where the following step finds it.

    >>> session = Session(network, capacity=256)                # doctest: +SKIP
    >>> session.start({0: prompt_ids})
    >>> first, second = session.step(), session.step()          # the GPU goes on while we read
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
    ) -> None:
        if kernels not in ENGINES:
            raise WgptError(f"kernels are written in {' or '.join(ENGINES)}, not in {kernels!r}")
        self.network, self.device, self._engine = network, network.device, ENGINES[kernels]
        config = network.config
        if not 1 <= capacity <= config.context:
            raise ContextError(f"a context of {capacity} was asked for; the model's is {config.context}")
        self.capacity, self.slots = capacity, slots
        self._want_logits = logits
        try:
            shape = (config.layers, config.kv_heads, config.head_dim, capacity, slots)
            self.cache = KVCache(self.device, *shape, cache)
        except AllocationError as e:
            raise AllocationError(f"{e} (the KV cache of {slots} x {capacity}: ask for a shorter context)") from e
        self.heap = Heap(self.device)
        self._ids = self.device.empty((slots,), "u32", "next ids")
        self._places = self.device.empty((slots, 2), "u32", "next places")
        self._settings: Tensor | None = None
        self._counter = self.device.tensor(np.zeros(slots, np.uint32), label="counter")
        self._seen: Tensor | None = None
        self._bias: Tensor | None = None
        self._mode: tuple[bool, bool, bool] = (False, False, False)  # sampled, with a bias, with a penalty
        self._steps: dict[tuple[object, ...], Program] = {}
        self._prefills: OrderedDict[tuple[int, str], Program] = OrderedDict()
        self.lengths = [0] * slots  # tokens in each sequence, those of queued steps included
        self._active = [False] * slots
        self._history: list[list[int]] = [[] for _ in range(slots)]
        self.owner: object = None  # who generates with it now
        self._loras: Mapping[str, Lora] = {}
        self.chunk = _SOFTWARE_CHUNK if self.device.software else _CHUNK
        self.ahead = _SOFTWARE_AHEAD if self.device.software else _AHEAD

    def attach(self, adapters: Adapters | None) -> None:
        """Run with an adapter from now on, or without one. What the cache holds is forgotten: it is another model's."""
        self._loras = adapters.layers if adapters is not None else {}
        self._release_programs()
        for slot in range(self.slots):
            self.forget(slot)
            self._history[slot] = []

    # Sampling ---------------------------------------------------------------------------------------------

    def sample(self, settings: Sequence[Settings], bias: NDArray[np.float32] | None = None) -> None:
        """How each slot draws its tokens from now on; all greedy if never called."""
        greedy = all(s.temperature == 0 and s.repetition_penalty == 1 for s in settings) and bias is None
        penalty = any(s.repetition_penalty != 1 for s in settings)
        vocab = self.network.config.vocab
        self._mode = (not greedy, bias is not None, penalty)
        if greedy:
            return
        records = np.stack([s.words() for s in settings])
        if self._settings is None:
            self._settings = self.device.empty((self.slots, RECORD_WORDS), "u32", "settings")
        self.device.write(self._settings, records)
        self.device.write(self._counter, np.zeros(self.slots, np.uint32))
        if penalty:
            shape = (self.slots, seen_words(vocab))
            if self._seen is None:
                self._seen = self.device.empty(shape, "u32", "seen tokens")
            self.device.write(self._seen, np.zeros(shape, np.uint32))
        if bias is not None:
            if self._bias is None:
                self._bias = self.device.empty((vocab,), "f32", "logit bias")
            self.device.write(self._bias, bias)

    def mark_seen(self, slot: int, tokens: Sequence[int]) -> None:
        """The tokens that a sequence's repetition penalty counts; those it draws are added by themselves."""
        if not self._mode[2] or self._seen is None:
            return
        words = self._seen.shape[1]
        seen, ids = np.zeros(words, np.uint32), np.asarray(tokens, np.uint32)
        np.bitwise_or.at(seen, ids // 32, np.uint32(1) << (ids % 32))
        self.device.write(self._seen.window(words * slot, words), seen)

    # Sequences --------------------------------------------------------------------------------------------

    def start(self, prompts: Mapping[int, Sequence[int]], progress: Progress | None = None) -> None:
        """Begin or extend sequences (by slot) with tokens; the last ones run with the next step.

        Sequences that are running go on, but all their steps must have been read.
        """
        for slot, tokens in prompts.items():
            self._check(slot, tokens)
        before = {slot: tokens[:-1] for slot, tokens in prompts.items()}
        for _ in self._forwards(before, "", self.chunk, progress):
            pass
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
        for chunk in chunks(before, dict(enumerate(self.lengths)), self.chunk):
            self.forward_program(chunk.m)
        self.step_program(max(self.lengths[slot] + len(tokens) for slot, tokens in prompts.items()))

    def _set(self, slot: int, position: int, token: int | None = None) -> None:
        """What the next step finds in a slot."""
        self.device.write(self._places.window(2 * slot, 2), np.array([slot, position], np.uint32))
        if token is not None:
            self.device.write(self._ids.window(slot, 1), np.array([token], np.uint32))

    def _check(self, slot: int, tokens: Sequence[int]) -> None:
        if not tokens:
            raise ContextError("there are no tokens to begin with: give a prompt of at least one")
        check_ids(tokens, self.network.config.vocab)
        if self.lengths[slot] + len(tokens) > self.capacity:
            raise ContextError(
                f"{self.lengths[slot] + len(tokens)} tokens exceed the context of {self.capacity}: "
                "shorten the prompt or ask for a longer context"
            )

    def stop(self, slot: int) -> None:
        """A sequence that needs no more tokens; the others go on."""
        self._active[slot] = False
        self._set(slot, PADDING)

    def forget(self, slot: int, length: int = 0) -> None:
        """Shorten a sequence to its first `length` tokens."""
        self.lengths[slot] = min(self.lengths[slot], length)
        self._history[slot] = self._history[slot][:length]
        self._active[slot] = False

    def remember(self, slot: int, tokens: Sequence[int]) -> None:
        """Say what a sequence's cache holds, so that a prompt that begins alike need not be read again."""
        self._history[slot] = list(tokens[: min(self.lengths[slot] - 1, len(tokens))])

    def reuse(self, slot: int, prompt: Sequence[int]) -> int:
        """Cut a sequence to what it has in common with a prompt; how many tokens that is, all but one at most."""
        known, self._history[slot] = self._history[slot], []
        same = 0
        while same < min(len(known), len(prompt) - 1) and known[same] == prompt[same]:
            same += 1
        self.forget(slot)
        self.lengths[slot] = same
        return same

    def room(self, slot: int) -> int:
        """Steps that this sequence can still take: the token it draws last needs no place in the cache."""
        return self.capacity - self.lengths[slot] + 1

    # Running ----------------------------------------------------------------------------------------------

    def step(self) -> Pending:
        """Run the newest tokens and draw the next ones; read `ids` (and `logits`, if asked for) from the result."""
        running = [n for n, active in zip(self.lengths, self._active, strict=True) if active]
        if not running:
            raise ContextError("no sequence is running: call start() first")
        if max(running) > self.capacity:
            raise ContextError(f"the context of {self.capacity} tokens is full")
        pending = self.step_program(max(running)).submit()
        self.lengths = [n + a for n, a in zip(self.lengths, self._active, strict=True)]
        return pending

    def step_program(self, length: int) -> Program:
        """The Program of a step at this length."""
        table = _SOFTWARE_SPLITS if self.device.software else _SPLITS
        most, splits = next(row for row in table if length <= row[0])
        key = (splits, *self._mode)
        if key not in self._steps:
            self._steps[key] = self._record_step(splits, most)
        return self._steps[key]

    def _record_step(self, splits: int, context: int) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            rows = Rows(self.slots, self._ids, self._places, decoding=True)
            f = Forward(self._engine(recorder), rows, self.cache, splits, context, self._loras)
            logits = f.linear(self.network.family.forward(f), self.network.family.head)
            self._record_choice(f, logits)
            wanted = {"ids": self._ids, "logits": logits} if self._want_logits else {"ids": self._ids}
            return recorder.finish(**wanted)

    def _record_choice(self, f: Forward, logits: Tensor) -> None:
        sampled, biased, penalised = self._mode
        if not sampled:
            f.greedy(logits)
            return
        assert self._settings is not None
        f.sample(
            logits,
            self._settings,
            self._counter,
            self._bias if biased else None,
            self._seen if penalised else None,
        )

    # Forwards over many rows ------------------------------------------------------------------------------

    def hidden(self, sequences: Mapping[int, Sequence[int]], progress: Progress | None = None) -> Rows2D:
        """Hidden states after the final norm, [tokens, hidden] of each sequence, which begin anew."""
        return self._read(sequences, "hidden", self.chunk, progress)

    def logits(self, sequences: Mapping[int, Sequence[int]], progress: Progress | None = None) -> Rows2D:
        """Logits, [tokens, vocabulary] of each sequence, which begin anew."""
        return self._read(sequences, "logits", self._logit_rows(), progress)

    def losses(self, sequences: Mapping[int, Sequence[int]], progress: Progress | None = None) -> Rows2D:
        """-log of the probability of each token but the first, given those before it."""
        found = self._read(sequences, "losses", self._logit_rows(), progress)
        return {slot: array[:-1] for slot, array in found.items()}

    def _logit_rows(self) -> int:
        """Rows of a chunk whose logits all exist at once."""
        most = _LOGIT_BYTES // (4 * self.network.config.vocab) // TILE * TILE
        return max(TILE, min(self.chunk, most))

    def _read(
        self, sequences: Mapping[int, Sequence[int]], want: str, most: int, progress: Progress | None
    ) -> Rows2D:
        self.owner = None
        for slot, tokens in sequences.items():
            self.forget(slot)
            self._check(slot, tokens)
        found: dict[int, list[NDArray[np.float32]]] = {slot: [] for slot in sequences}
        for chunk, result in self._forwards(sequences, want, most, progress):
            for slot, rows in chunk.where.items():
                found[slot].append(result[want][rows])
        return {slot: np.concatenate(parts) for slot, parts in found.items()}

    def _forwards(
        self, sequences: Mapping[int, Sequence[int]], want: str, most: int, progress: Progress | None
    ) -> Iterator[tuple[Chunk, dict[str, NDArray[np.float32]]]]:
        """Run sequences from where they are, chunk by chunk; a chunk is queued while the one before it runs."""
        queued: deque[tuple[Chunk, Pending]] = deque()
        waiting = chunks(sequences, {slot: self.lengths[slot] for slot in sequences}, most)
        total = sum(map(len, sequences.values()))
        done = 0
        while waiting or queued:
            if waiting and len(queued) < 2:
                chunk = waiting.pop(0)
                queued.append((chunk, self._submit(chunk, sequences, want)))
                continue
            chunk, pending = queued.popleft()
            result = pending.result()
            done += sum(len(rows) for rows in chunk.where.values())
            if progress is not None:
                progress(done, total, "reading the prompt")
            yield chunk, result

    def _submit(self, chunk: Chunk, sequences: Mapping[int, Sequence[int]], want: str) -> Pending:
        program = self.forward_program(chunk.m, want)
        program.write("ids", chunk.ids)
        program.write("places", chunk.places)
        if want == "losses":
            program.write("targets", _targets(chunk, sequences, self.lengths))
        return program.submit()

    def forward_program(self, m: int, want: str = "") -> Program:
        """The Program of a forward over this many rows; `want`: "hidden", "logits", "losses" or nothing."""
        key = (m, want)
        program = self._prefills.get(key)
        if program is None:
            program = self._prefills[key] = self._record_forward(m, want)
            while len(self._prefills) > _PROGRAMS:
                self._prefills.popitem(last=False)[1].release()
        self._prefills.move_to_end(key)
        return program

    def _record_forward(self, m: int, want: str) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            ids = recorder.upload(np.zeros(m, np.uint32), "ids")
            places = recorder.upload(np.zeros((m, 2), np.uint32), "places")
            f = Forward(self._engine(recorder), Rows(m, ids, places), self.cache, adapters=self._loras)
            hidden = self.network.family.forward(f)
            # Without a wish, a word is read all the same: so that the host knows when the chunk is done.
            found = {"done": ids.window(0, 1)}
            if want == "hidden":
                found = {want: f.value(hidden)}
            elif want:
                logits = f.linear(hidden, self.network.family.head)
                found = {want: logits}
                if want == "losses":
                    targets = recorder.upload(np.zeros(m, np.int32), "targets")
                    found = {want: f.losses(logits, targets)}
            return recorder.finish(**found)

    @property
    def nbytes(self) -> int:
        """GPU memory beside the weights."""
        return self.cache.nbytes + self.heap.nbytes

    def _release_programs(self) -> None:
        self.owner = None
        for program in (*self._steps.values(), *self._prefills.values()):
            program.release()
        self._steps, self._prefills = {}, OrderedDict()

    def release(self) -> None:
        self._release_programs()
        self.heap.release()
        self.cache.release()
        for tensor in (self._ids, self._places, self._counter, self._settings, self._seen, self._bias):
            if tensor is not None:
                tensor.buffer.release()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"Session({self.slots} x {self.capacity} positions, {readable_bytes(self.nbytes)})"


def check_ids(tokens: Sequence[int], vocab: int) -> None:
    """Refuse what no row of the table stands for."""
    wrong = next((t for t in tokens if not 0 <= t < vocab), None)
    if wrong is not None:
        raise ContextError(f"token id {wrong} is outside the vocabulary of {vocab}")


def _targets(chunk: Chunk, sequences: Mapping[int, Sequence[int]], starts: Sequence[int]) -> NDArray[np.int32]:
    """The token after each row's; the last one of a sequence, and padding, have 0."""
    targets = np.zeros(chunk.m, np.int32)
    for slot, rows in chunk.where.items():
        following = chunk.places[rows, 1].astype(np.int64) - starts[slot] + 1
        tokens = np.append(np.asarray(sequences[slot], np.int32), np.int32(0))
        targets[rows] = tokens[following]
    return targets
