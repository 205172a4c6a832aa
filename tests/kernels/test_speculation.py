"""Speculative decoding by n-gram lookup: the kernels together, on a small model, choose what plain decoding chooses.

Decoding and prefill kernels round differently, so two runs are only comparable where no choice is close. The tests
check that with the float64 reference: the likeliest logit leads by more than 0.01, and a draw that moves by 0.001
gives the same token. Rounding errors are below 1e-4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from tests.contracts.made_up import LAVAPIPE
from tests.models import golden
from tests.models.golden import Golden

from wgpt import Model, load
from wgpt.contracts import trial
from wgpt.core.errors import PreconditionError
from wgpt.engine.batch import chunks
from wgpt.engine.options import Options
from wgpt.engine.runner import Runner
from wgpt.engine.sampling import Mode
from wgpt.engine.sequence import Sequence as EngineSequence
from wgpt.gpu import GpuDevice, Program, Recorder
from wgpt.kernels.kernel import Case
from wgpt.kernels.registry import get
from wgpt.kernels.sampling.propose import history_entries
from wgpt.kernels.sampling.reference import draw_token, masses, scores, uniforms
from wgpt.kernels.sampling.slots import PROMPTED
from wgpt.kernels.sampling.speculation import GUESS_WORDS, HIT_WORDS
from wgpt.models import reference
from wgpt.ops.backend import GpuBackend
from wgpt.ops.forward import Forward, Rows

CAPACITY, SLOTS, ROWS, TOKENS = 128, 5, 4, 40
LOOP = [5, 44, 130, 7, 201, 90] * 4
PROMPTS = {3: LOOP, 0: [9, 44, 300, 9, 44, 300, 9, 44], 2: [1, 2, 3]}  # by slot, in the order of the rows


@pytest.fixture(scope="module")
def truth() -> Golden:
    return golden.load("llama-gqa")


@pytest.fixture(scope="module")
def model(truth: Golden, device: GpuDevice) -> Iterator[Model]:
    with load(truth.folder, cache="f32", device=device) as loaded:
        yield loaded


class Decoder:
    """Sequences by slot in an engine's runner, and the state of speculation beside it."""

    def __init__(self, model: Model, options: dict[int, Options]) -> None:
        self.runner = Runner(model.network, slots=SLOTS, capacity=CAPACITY, pages=3 * SLOTS, cache="f32")
        self.device, self.sampled = self.runner.device, any(o != Options(seed=0) for o in options.values())
        self.slots = list(PROMPTS)
        self.tokens: dict[int, list[int]] = {slot: [] for slot in self.slots}
        sizes = {"history": CAPACITY, "guesses": GUESS_WORDS, "hits": HIT_WORDS}
        rng = np.random.default_rng(0)  # whatever the slots had before does not matter
        self.state = {
            name: self.device.tensor(rng.integers(0, 9, (SLOTS, size), np.uint32)) for name, size in sizes.items()
        }
        vocab = model.network.config.vocab
        counts = np.zeros((SLOTS, vocab), np.uint32)
        self.sequences = []
        for slot, prompt in PROMPTS.items():
            sequence = EngineSequence(prompt, options[slot], None)
            sequence.slot = slot
            counts[slot, prompt] = PROMPTED
            self.sequences.append(sequence)
            self.runner.slots.set_pages(slot, 0, [3 * slot + i for i in (2, 0, 1)][: -(-CAPACITY // 64)])
            self.runner.start(sequence)
            self._start(slot, prompt)
        self.counts = self.device.tensor(counts)
        (chunk,) = chunks({slot: p[:-1] for slot, p in PROMPTS.items()}, dict.fromkeys(PROMPTS, 0), 128)
        self.runner.prefill(chunk, {}).result()
        self._programs: dict[int, Program] = {}

    def _start(self, slot: int, prompt: Sequence[int]) -> None:
        with Recorder(self.device) as recorder:
            entries = recorder.upload(history_entries(slot, prompt), "entries")
            problem = {"words": entries.size, "slots": SLOTS, "capacity": CAPACITY}
            GpuBackend(recorder).apply("write_history", problem, entries=entries, **self.state)
            with recorder.finish() as program:
                program.run()

    def plain(self) -> None:
        """A step of the engine, without speculation."""
        tokens = self.runner.step(self.slots, CAPACITY, Mode.of(self.sequences)).result()["tokens"]
        for slot, token in zip(self.slots, tokens.tolist(), strict=False):
            self.tokens[slot].append(token)

    def step(self, width: int) -> dict[str, np.ndarray]:
        """A step that guesses what follows; with width 1, it does not use the guesses."""
        if width not in self._programs:
            self._programs[width] = self._record(width)
        self.runner.slots.set_rows(self.slots)
        results = self._programs[width].submit(writes=self.runner.slots.writes()).result()
        drawn = results["drawn"].reshape(ROWS, width)
        counts = results.get("count", np.array([1, 1, 1, 0]))
        for row, slot in enumerate(self.slots):
            self.tokens[slot] += drawn[row, : counts[row]].tolist()
        assert counts[len(self.slots) :].tolist() == [0], "the last row is idle"
        return {**results, "count": counts}

    def _record(self, width: int) -> Program:
        runner, network, records = self.runner, self.runner.network, self.runner.slots.records
        sizes = {"rows": ROWS, "slots": SLOTS, "capacity": CAPACITY, "width": width}
        with Recorder(self.device, runner.heap) as recorder:
            backend = GpuBackend(recorder)
            begin = {"rows": ROWS, "most_rows": runner.slots.most_rows, "words": runner.slots.state.size}
            begun = backend.apply("begin_step", begin, control=runner.slots.control, state=runner.slots.state)
            rows = Rows(ROWS, begun["ids"], begun["rows"], decoding=True)
            if width > 1:
                every = backend.apply("spec_rows", sizes, **begun, slots=records, guesses=self.state["guesses"])
                rows = Rows(ROWS * width, every["all_ids"], every["all_rows"], tile=width)
            f = Forward(backend, rows, runner.cache)
            logits = f.linear(network.family.forward(f), network.family.head)
            if self.sampled:
                drawn = {"drawn": f.next_token.sample(logits, records, self.counts, advance=width == 1)}
            else:
                drawn = {"drawn": f.next_token.greedy(logits, records, advance=width == 1)}
            if width > 1:
                problem = {**sizes, "counts": self.sampled, "vocab": logits.shape[1]}
                tensors = {"tokens": drawn["drawn"], "ids": rows.ids, "rows": rows.places, "slots": records}
                accepted = backend.apply("accept", problem, **tensors, counts=self.counts)
                drawn = {name: accepted[name] for name in ("drawn", "count")}
            backend.apply("propose", sizes, rows=begun["rows"], **drawn, **self.state)
            outputs = {**drawn, **{name: self.state[name] for name in ("history", "guesses", "hits")}}
            return recorder.finish(**outputs, records=records)

    def release(self) -> None:
        for program in self._programs.values():
            program.release()
        for tensor in (*self.state.values(), self.counts):
            tensor.buffer.release()
        self.runner.release()


def plainly(model: Model, options: dict[int, Options]) -> dict[int, list[int]]:
    decoder = Decoder(model, options)
    for _ in range(TOKENS):
        decoder.plain()
    decoder.release()
    return decoder.tokens


def check_clear(truth: Golden, slot: int, tokens: list[int], options: Options) -> None:
    """No choice is so close that rounding could change it."""
    prompt, s = PROMPTS[slot], options.settings()
    logits = reference.logits(truth.config, truth.weights, prompt + tokens)[len(prompt) - 1 : -1]
    for i, (row, token) in enumerate(zip(logits, tokens, strict=True)):
        counts = np.bincount(tokens[:i], minlength=len(row)).astype(np.uint32)
        counts[prompt] |= PROMPTED
        z = scores(np.asarray(row), s, counts if s.penalised else None, None)
        if s.temperature == 0:
            highest, second = np.sort(z)[[-1, -2]]
            assert z.argmax() == token and highest - second > 0.01, f"token {i}"
        else:
            draws = [np.clip(uniforms(s.seed, i) + move, 1e-9, 1.0) for move in (0.0, 1e-3, -1e-3)]
            assert {draw_token(masses(z, s), u) for u in draws} == {token}, f"token {i}"


@pytest.mark.gpu
@pytest.mark.parametrize("width", [4, 8, 16])
def test_greedy_tokens_are_those_of_plain_decoding_in_fewer_steps(width: int, model: Model, truth: Golden) -> None:
    options = dict.fromkeys(PROMPTS, Options(seed=0))
    expected = plainly(model, options)
    decoder, steps = Decoder(model, options), 0
    while min(len(tokens) for tokens in decoder.tokens.values()) < TOKENS:
        results = decoder.step(width)
        steps += 1
    decoder.release()
    assert steps < 0.75 * TOKENS
    for slot, tokens in decoder.tokens.items():
        assert tokens[:TOKENS] == expected[slot]
        check_clear(truth, slot, expected[slot], options[slot])
        text = PROMPTS[slot] + tokens
        assert results["history"][slot, : len(text)].tolist() == text
        right, made = results["hits"][slot].tolist()
        assert 0 < right <= made < steps
        assert results["records"][slot, :3].tolist() == [tokens[-1], len(text) - 1, len(tokens)]


@pytest.mark.gpu
@pytest.mark.full
def test_sampled_tokens_are_those_of_plain_decoding_for_the_same_seed(model: Model, truth: Golden) -> None:
    """One sequence draws, one has penalties, which it may only guess without, and one is greedy. Also with plain steps
    between the speculative ones."""
    options = {
        3: Options(temperature=0.2, seed=1),
        0: Options(temperature=0.2, top_k=20, repetition_penalty=1.05, seed=7),
        2: Options(seed=0),
    }
    expected = plainly(model, options)
    decoder, steps = Decoder(model, options), 0
    while min(len(decoder.tokens[slot]) for slot in (3, 2)) < TOKENS:
        results = decoder.step(1 if steps % 10 == 9 else 8)
        steps += 1
        assert results["count"][1] == 1, "a sequence with penalties takes one token at a time"
    while len(decoder.tokens[0]) < TOKENS:
        decoder.step(8)
    decoder.release()
    assert steps < 0.8 * TOKENS
    for slot, tokens in decoder.tokens.items():
        check_clear(truth, slot, expected[slot], options[slot])
        assert tokens[:TOKENS] == expected[slot]


# The kernels alone -----------------------------------------------------------------------------------------


def proposed(device: GpuDevice, text: list[int], drawn: list[int], **lengths: int) -> list[int]:
    """The guesses after `text` and what is drawn then."""
    width, capacity = 4, 40
    history = np.full((1, capacity), 99, np.uint32)
    history[0, : len(text)] = text
    inputs = {
        "rows": np.array([[0, len(text) - 1]], np.uint32),
        "drawn": np.array([drawn + [0] * (width - len(drawn))], np.uint32),
        "count": np.array([len(drawn)], np.uint32),
        "history": history,
        "guesses": np.zeros((1, GUESS_WORDS), np.uint32),
        "hits": np.zeros((1, HIT_WORDS), np.uint32),
    }
    problem = {"rows": 1, "width": width, "slots": 1, "capacity": capacity, **lengths}
    prepared = trial.Prepared(get("propose"), Case(problem, "made for a test"), inputs, {})
    guesses = trial.run(prepared, device)[0]["guesses"][0].tolist()
    assert not any(guesses[1 + guesses[0] :])
    return guesses[1 : 1 + guesses[0]]


@pytest.mark.gpu
def test_guesses_are_what_followed(device: GpuDevice) -> None:
    """And where that ends, the same again: a text that has run into a loop goes on so."""

    def looped(tokens: list[int]) -> list[int]:
        return np.resize(tokens, 15).tolist()

    assert proposed(device, [1, 2, 3, 4, 5, 1], [2, 3]) == looped([4, 5, 1, 2, 3])
    assert proposed(device, [1, 2, 3, 4], [5]) == [], "nothing occurs twice"
    assert proposed(device, [1, 2, 3], [2]) == [], "one token is not enough"
    assert proposed(device, [1, 2, 3], [2], shortest=1) == looped([3, 2])
    assert proposed(device, [7, 8, 1, 7, 8, 2, 7], [8]) == looped([2, 7, 8]), "the most recent occurrence"
    assert proposed(device, [6, 7, 8, 1, 7, 8, 2, 6, 7], [8]) == looped([1, 7, 8, 2, 6, 7, 8]), "the longest one"
    assert proposed(device, [6, 7, 8, 1, 7, 8, 2, 6, 7], [8], longest=2) == looped([2, 6, 7, 8])
    assert proposed(device, [5, 5, 5], [5]) == looped([5]), "an occurrence overlaps the end"
    assert proposed(device, [1, 2] * 19, [1, 2]) == looped([1, 2])
    assert proposed(device, [1, 2] * 19, [1, 2, 1]) == [], "the context is full"
    assert proposed(device, [*range(20), *range(3)], [3]) == list(range(4, 19)), "at most 15"


@pytest.mark.parametrize("kernel", ["spec_rows", "accept"])
def test_other_widths_are_refused(kernel: str) -> None:
    problem = {"rows": 1, "width": 5, "slots": 1, "capacity": 9}
    with pytest.raises(PreconditionError, match="width must be one of 4, 8, 16, and is 5"):
        get(kernel).usable(LAVAPIPE, problem)


def test_propose_refuses_what_it_cannot_search() -> None:
    problem = {"rows": 1, "width": 1, "slots": 1, "capacity": 9}
    with pytest.raises(PreconditionError, match="shortest <= longest <= 8, and are 3 and 2"):
        get("propose").usable(LAVAPIPE, {**problem, "longest": 2, "shortest": 3})
    with pytest.raises(PreconditionError, match="capacity must be below 268435456"):
        get("propose").usable(LAVAPIPE, {**problem, "capacity": 1 << 28})
