"""The next token: settings, generator and filters against plain NumPy, then draws on the GPU and their statistics."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.kernels.sampling_steps import any_settings, chi_square, plainly, problem_of, run, state, xtc_as_llama_cpp

from wgpt.core.errors import PreconditionError
from wgpt.core.generation import SAMPLING, SETTINGS_WORDS
from wgpt.gpu import GpuDevice, Program, Recorder
from wgpt.kernels.registry import get
from wgpt.kernels.sampling.argmax import parts_for
from wgpt.kernels.sampling.reference import (
    distribution,
    draw_token,
    excludes,
    is_steady,
    language_logits,
    mask_words,
    masses,
    order_key,
    philox,
    sample_token,
    scores,
    uniforms,
)
from wgpt.kernels.sampling.settings import Settings
from wgpt.kernels.sampling.slots import (
    BIASED,
    COUNTER,
    IDLE,
    MASKED,
    MIN_TOKENS,
    NO_TOKEN,
    PENALISED,
    POSITION,
    PROMPTED,
    RECORD_WORDS,
    STOP_COUNT,
    STOP_IDS,
    TOKEN,
)
from wgpt.kernels.sampling.start_slot import entries_of

DRAWS = 20_000


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


# Settings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"temperature": -0.1}, r"temperature .*0 \(greedy\).*-0.1"),
        ({"temperature": 1.1e6}, "temperature .*1e6.*1100000"),
        ({"temperature": math.nan}, "temperature .*nan"),
        ({"temperature": math.inf}, "temperature .*inf"),
        ({"temperature": "hot"}, "temperature .*'hot'"),
        ({"top_p": None}, "top_p .*None"),
        ({"top_k": -1}, r"top_k .*2\^32.*-1"),
        ({"top_k": 2**32}, "top_k .*4294967296"),
        ({"top_k": 2.5}, "top_k .*whole number.*2.5"),
        ({"top_p": 0.0}, "top_p .*above 0.*0.0"),
        ({"top_p": 1.01}, "top_p .*at most 1.*1.01"),
        ({"min_p": 1.0}, "min_p .*below 1.*1.0"),
        ({"min_p": math.nan}, "min_p .*nan"),
        ({"repetition_penalty": 0.0}, "repetition_penalty .*above 0.*0.0"),
        ({"seed": -1}, r"seed .*2\^64.*-1"),
        ({"seed": 2**64}, "seed .*18446744073709551616"),
        ({"presence_penalty": 2.1}, "presence_penalty .*from -2 to 2.*2.1"),
        ({"frequency_penalty": -2.1}, "frequency_penalty .*from -2 to 2.*-2.1"),
        ({"frequency_penalty": math.nan}, "frequency_penalty .*nan"),
    ],
)
def test_wrong_settings_are_refused_by_name(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(PreconditionError, match=message):
        Settings(**wrong)


def test_a_record_says_what_the_settings_say() -> None:
    settings = Settings(0.75, 40, 0.5, 0.25, 1.5, 2**63 + 5, -0.5, 2.0, xtc_threshold=0.25)
    words = settings.words()
    assert words.shape == (SETTINGS_WORDS,) and words.dtype == np.uint32
    assert Settings.of_words(words) == settings
    assert words[0] == np.float32(0.75).view(np.uint32) and words[1] == 40 and words[5:7].tolist() == [5, 2**31]
    assert words[7:9].view(np.float32).tolist() == [-0.5, 2.0]


def test_a_temperature_beyond_f32_is_greedy() -> None:
    assert Settings(temperature=1e-30).words()[0] == 0


# The reference ----------------------------------------------------------------------------------------------


def test_philox_gives_the_published_numbers() -> None:
    """From the known-answer file of Random123, the authors' own library."""
    assert philox((0, 0, 0, 0), (0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    ones = 0xFFFFFFFF
    assert philox((ones,) * 4, (ones,) * 2) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
    pi = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0)
    assert philox(*pi) == (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


def test_keys_are_in_the_order_of_the_floats() -> None:
    ordered = np.array([np.nan, -np.inf, -3e38, -1.5, -1e-40, 0.0, 1e-40, 1.5, 3e38, np.inf], np.float32)
    keys = order_key(ordered)
    assert (np.diff(keys.astype(np.int64)) > 0).all()
    assert order_key(np.array([-0.0], np.float32)) == order_key(np.array([0.0], np.float32))


def test_filters_are_the_textbooks(rng: np.random.Generator) -> None:
    for i in range(200):
        z, s = language_logits(rng, (1, int(rng.integers(1, 500))))[0].astype(np.float64), any_settings(rng, i >= 100)
        weights = masses(z, s)
        np.testing.assert_allclose(weights / weights.sum(), plainly(z, s), atol=1e-12)
        if s.xtc_threshold <= 0.5:
            weights = masses(z, s, excludes=True)
            expected = xtc_as_llama_cpp(plainly(z, s), s.xtc_threshold)
            np.testing.assert_allclose(weights / weights.sum(), expected, atol=1e-12)


def test_xtc_draws_as_often_as_it_says() -> None:
    """At each step of each seed anew; never at 0, always at 1, and not with a threshold above one half."""
    for probability in (0.0, 0.25, 1.0):
        draws = [excludes(Settings(xtc_probability=probability, seed=1), step) for step in range(4000)]
        assert abs(sum(draws) / 4000 - probability) < 0.03 and (0 < probability < 1) == (len({*draws}) == 2)
    assert not excludes(Settings(xtc_probability=1.0, xtc_threshold=0.51), 0)


def test_xtc_keeps_the_least_likely_of_those_above_its_threshold() -> None:
    z = np.log([0.5, 0.3, 0.15, 0.05])
    assert (masses(z, Settings(xtc_threshold=0.1), excludes=True) > 0).tolist() == [False, False, True, True]
    assert (masses(z, Settings(xtc_threshold=0.4), excludes=True) > 0).tolist() == [True] * 4


def test_the_penalty_makes_seen_tokens_less_likely_whatever_their_sign() -> None:
    counts = np.array([1, PROMPTED, 0, 0], np.uint32)
    z = scores(np.array([2.0, -2.0, 2.0, -2.0]), Settings(repetition_penalty=2.0), counts, None)
    assert z.tolist() == [1.0, -4.0, 2.0, -2.0]


def test_presence_and_frequency_count_generated_tokens_only() -> None:
    counts = np.array([0, PROMPTED, 1, 3, PROMPTED + 3], np.uint32)
    z = scores(np.zeros(5), Settings(presence_penalty=0.5, frequency_penalty=-2.0), counts, None)
    assert z.tolist() == [0.0, 0.0, 1.5, 5.5, 5.5]


def test_equals_at_a_threshold_stay_together() -> None:
    z = np.array([1.0, 3.0, 3.0, 2.0, 2.0, 2.0])
    assert (masses(z, Settings(top_k=4)) > 0).tolist() == [False, True, True, True, True, True]
    assert (masses(z, Settings(top_p=0.01)) > 0).tolist() == [False, True, True, False, False, False]


def test_a_draw_takes_each_token_by_its_mass(rng: np.random.Generator) -> None:
    """Over a grid of (0, 1]^3 each token's share is its mass: three steps are one inverse transform."""
    mass = np.zeros(9001)
    mass[[0, 5, 6, 4101, 4103, 8197, 8999]] = rng.random(7)  # 5 to 8197 share a lane
    grid = (np.arange(24) + 0.5) / 24
    counts = np.zeros(mass.size)
    for u in np.stack(np.meshgrid(grid, grid, grid), -1).reshape(-1, 3):
        counts[draw_token(mass, u)] += 1
    np.testing.assert_allclose(counts / counts.sum(), mass / mass.sum(), atol=0.03)
    assert not counts[mass == 0].any()


def test_uniforms_are_never_zero_and_depend_on_everything() -> None:
    assert all(0 < u <= 1 for step in range(100) for u in uniforms(1, step))
    assert len({tuple(uniforms(seed, step)) for seed in (1, 2, 2**40, 2**63) for step in (0, 1, 7)}) == 12


# On the GPU -------------------------------------------------------------------------------------------------


# Each option that the sampler has code of its own for, at its trials.
FILTERED = [
    replace(
        Settings(temperature=1.3, top_k=60, min_p=0.01),
        **{entry.name: value},
        **({entry.part_of: SAMPLING[entry.part_of].trials[0]} if entry.part_of else {}),
    )
    for entry in SAMPLING.values()
    if entry.filters
    for value in entry.trials
]


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(temperature=0.8, top_k=20, top_p=0.95),
        Settings(temperature=2.0, top_p=0.7),
        Settings(temperature=1.5, top_k=30, min_p=0.05),
        *FILTERED,
    ],
    ids=str,
)
def test_draws_have_the_filtered_distribution(settings: Settings, device: GpuDevice, rng: np.random.Generator) -> None:
    """Half the rows differ in their seeds, half in their steps: both must be random."""
    z = (0.5 * language_logits(rng, (1, 200))).astype(np.float32)
    z[0, 7] = z[0, 8]  # a tie
    half = DRAWS // 2
    seeds = [*range(half), *[123] * half]
    inputs = {
        "logits": np.repeat(z, DRAWS, axis=0),
        **state(DRAWS, [replace(settings, seed=s) for s in seeds], [0] * half + [*range(half)]),
    }
    more = {"filters": True} if settings.filtered else {}
    tokens = run(device, "sample", inputs, problem_of(DRAWS, 200, **more))["tokens"]
    p = distribution(z[0].astype(np.float64), settings)
    for part in (tokens[:half], tokens[half:], tokens):
        counts = np.bincount(part, minlength=200)
        assert not counts[p == 0].any(), "a token that was filtered out"
        assert chi_square(counts, p) < 3.5


def test_the_statistic_sees_a_wrong_distribution(rng: np.random.Generator) -> None:
    p = rng.dirichlet(np.ones(50))
    counts = rng.multinomial(DRAWS, p)
    assert chi_square(counts, p) < 3.5 < chi_square(counts, 0.97 * p + 0.03 / 50)


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize(
    ("vocab", "extra", "filters"), [(20_000, False, False), (9001, True, False), (5003, False, True)]
)
def test_any_settings_give_the_references_token(
    vocab: int, extra: bool, filters: bool, device: GpuDevice, rng: np.random.Generator
) -> None:
    rows = 60
    logits = (language_logits(rng, (rows, vocab)) * rng.uniform(0.1, 2.0, (rows, 1))).astype(np.float32)
    steps = rng.integers(0, 2**32 - 1, rows, np.uint32)
    counts = (rng.integers(0, 3, (rows, vocab)) | rng.integers(0, 2, (rows, vocab)) * PROMPTED).astype(np.uint32)
    bias = rng.normal(0, 1, (rows, vocab)).astype(np.float32)
    chosen, expected = [], []
    for b in range(rows):
        while True:
            s = Settings.of_words(any_settings(rng, filters).words())
            more = (counts[b], bias[b].astype(np.float64)) if extra else (None, None)
            z = scores(logits[b], s, *more)
            if is_steady(z, s, int(steps[b])):
                break
        chosen.append(s)
        expected.append(sample_token(z, s, int(steps[b])))
    inputs = {"logits": logits, **state(rows, chosen, steps, PENALISED | BIASED)}
    if extra:
        inputs |= {"counts": counts, "bias": bias}
    more = {"filters": True} if filters else {}
    results = run(device, "sample", inputs, problem_of(rows, vocab, bias=extra, counts=extra, **more))
    assert results["tokens"].tolist() == expected == results["slots"][:, TOKEN].tolist()
    assert results["slots"][:, COUNTER].tolist() == [int(s) + 1 for s in steps]


@pytest.mark.gpu
def test_a_seed_gives_the_same_tokens_in_any_row_and_batch(device: GpuDevice, rng: np.random.Generator) -> None:
    logits = np.repeat(language_logits(rng, (1, 1000)), 6, axis=0)
    settings = [Settings(temperature=3.0, seed=seed) for seed in (1, 2, 3, 1, 2, 1 + 2**32)]
    together = run(device, "sample", {"logits": logits, **state(6, settings)}, problem_of(6, 1000))["tokens"]
    alone = run(device, "sample", {"logits": logits[:1], **state(1, settings[:1])}, problem_of(1, 1000))["tokens"]
    assert together[0] == together[3] == alone[0] and together[1] == together[4]
    assert len({*together.tolist()}) == 4, "every word of the seed counts"


@pytest.mark.gpu
def test_filters_that_are_off_change_nothing(device: GpuDevice, rng: np.random.Generator) -> None:
    """A sequence gets the same tokens beside one with filters as beside none."""
    logits = language_logits(rng, (200, 1003))
    inputs = {"logits": logits, **state(200, [replace(any_settings(rng), seed=seed) for seed in range(200)])}
    plain = run(device, "sample", inputs, problem_of(200, 1003))["tokens"]
    assert run(device, "sample", inputs, problem_of(200, 1003, filters=True))["tokens"].tolist() == plain.tolist()


@pytest.mark.gpu
def test_masked_tokens_stay_masked_at_the_highest_temperature(device: GpuDevice) -> None:
    logits = np.full((500, 7), -np.inf, np.float32)
    logits[:, [2, 4]] = [[90.0, -90.0]]
    settings = [Settings(temperature=1e6, seed=seed) for seed in range(500)]
    tokens = run(device, "sample", {"logits": logits, **state(500, settings)}, problem_of(500, 7))["tokens"]
    assert set(tokens.tolist()) == {2, 4} and 150 < (tokens == 2).sum() < 350


def greedy_program(device: GpuDevice, logits: NDArray[np.float32], slots: NDArray[np.uint32], parts: int) -> Program:
    """A step that begins with begin_step; row i is slot i."""
    count, vocab = logits.shape
    recorder = Recorder(device)
    tensors = {
        "logits": recorder.upload(logits),
        "parts": recorder.tensor((count, parts, 2), "u32"),
        "control": recorder.upload(np.array([0, 0, *range(count)], np.uint32)),
        "state": recorder.upload(np.append(slots.reshape(-1), np.uint32(0))),
        "ids": recorder.tensor((count,), "u32"),
        "rows": recorder.tensor((count, 2), "u32"),
        "loras": recorder.tensor((count,), "u32"),
        "tokens": recorder.tensor((count,), "u32"),
    }
    tensors["slots"] = tensors["state"].window(0, *slots.shape)
    begin = {"rows": count, "most_rows": count, "words": slots.size + 1}
    recorder.launch(get("begin_step").launch(device, tensors, begin))
    recorder.launch(get("argmax_parts").launch(device, tensors, {"rows": count, "vocab": vocab, "parts": parts}))
    recorder.launch(get("argmax_pick").launch(device, tensors, {"rows": count, "parts": parts, "slots": count}))
    return recorder.finish(**{name: tensors[name] for name in ("ids", "rows", "tokens", "slots")})


@pytest.mark.gpu
@pytest.mark.parametrize("vocab", [1, 50, 4096, 5001])
def test_greedy_is_numpys_argmax_and_moves_on(vocab: int, device: GpuDevice, rng: np.random.Generator) -> None:
    logits = np.round(4 * rng.standard_normal((9, vocab))).astype(np.float32)  # ties
    inputs = state(9, [Settings(temperature=0.0)] * 9)
    slots = inputs["slots"].copy()
    slots[4, POSITION] = IDLE
    with greedy_program(device, logits, slots, parts_for(vocab, device.software)) as program:
        program.run()
        results = program.read()  # the second step
    expected = logits.argmax(axis=1)
    after = np.where(np.arange(9) == 4, 0, expected)
    for tokens in (results["tokens"], results["ids"], results["slots"][:, TOKEN]):
        assert tokens.tolist() == after.tolist()
    assert results["slots"][:, POSITION].tolist() == [IDLE if i == 4 else 7 for i in range(9)]
    assert results["rows"].tolist() == [[i, IDLE if i == 4 else 6] for i in range(9)]
    sampled = run(device, "sample", {"logits": logits, **inputs}, problem_of(9, vocab))["tokens"]
    assert sampled.tolist() == expected.tolist()


@pytest.mark.gpu
def test_a_strong_penalty_never_repeats_and_prompts_count(device: GpuDevice, rng: np.random.Generator) -> None:
    """Step after step on the GPU alone: tokens come from the most to the least likely, those of the prompt never."""
    vocab, steps = 40, 12
    logits = rng.permutation(np.arange(1, vocab + 1)).astype(np.float32)[None]
    prompt = [3, 8, 33]
    recorder = Recorder(device)
    inputs = state(1, [Settings(0.0, repetition_penalty=1e6)], flags=PENALISED)
    inputs["counts"] = np.zeros((1, vocab), np.uint32)
    inputs["counts"][0, prompt] = PROMPTED
    tensors = {name: recorder.upload(array) for name, array in {"logits": logits, **inputs}.items()}
    tensors["tokens"] = recorder.tensor((1,), "u32")
    for _ in range(steps):
        recorder.launch(get("sample").launch(device, tensors, problem_of(1, vocab, counts=True)))
    with recorder.finish(**{name: tensors[name] for name in ("counts", "tokens", "slots")}) as program:
        results = program.read()
    expected = [int(i) for i in np.argsort(-logits[0]) if i not in prompt][:steps]
    counts = inputs["counts"][0].copy()
    counts[expected] = 1
    assert results["counts"][0].tolist() == counts.tolist()
    assert results["tokens"].tolist() == [expected[-1]]
    assert results["slots"][0, [POSITION, COUNTER]].tolist() == [5 + steps, steps]


# Slots ------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_changes_are_applied_once_per_epoch(device: GpuDevice) -> None:
    """Replays with the same control do not undo what the steps have changed; the next epoch does."""
    logits = np.array([[0.0, 1.0, 5.0]], np.float32)
    slots = state(2, [Settings(temperature=0.0)] * 2)["slots"]
    recorder = Recorder(device)
    control = np.array([1, 2, 1, TOKEN + RECORD_WORDS, 77, POSITION + RECORD_WORDS, 40], np.uint32)  # row 0 is slot 1
    tensors = {
        "logits": recorder.upload(logits),
        "control": recorder.upload(control, "control"),
        "state": recorder.upload(np.append(slots.reshape(-1), np.uint32(0))),
        **{name: recorder.tensor((1,), "u32") for name in ("ids", "loras", "tokens")},
        "rows": recorder.tensor((1, 2), "u32"),
        "parts": recorder.tensor((1, 1, 2), "u32"),
    }
    tensors["slots"] = tensors["state"].window(0, 2, RECORD_WORDS)
    for name, problem in (
        ("begin_step", {"rows": 1, "most_rows": 1, "words": slots.size + 1}),
        ("argmax_parts", {"rows": 1, "vocab": 3, "parts": 1}),
        ("argmax_pick", {"rows": 1, "parts": 1, "slots": 2}),
    ):
        recorder.launch(get(name).launch(device, tensors, problem))
    with recorder.finish(ids=tensors["ids"], rows=tensors["rows"], slots=tensors["slots"]) as program:
        steps = [program.read() for _ in range(3)]
        control[0] = 2
        program.write("control", control)
        steps.append(program.read())
    assert [step["ids"].tolist() for step in steps] == [[77], [2], [2], [77]]
    assert [step["rows"].tolist() for step in steps] == [[[1, 40]], [[1, 41]], [[1, 42]], [[1, 40]]]
    assert (steps[-1]["slots"][0] == slots[0]).all(), "the other slot does not change"


@pytest.mark.gpu
def test_a_mask_and_min_tokens_rule_tokens_out(device: GpuDevice) -> None:
    """Greedy and drawn rows; a row whose mask allows nothing reports no token."""
    vocab = 70
    logits = np.tile(np.arange(vocab, dtype=np.float32), (4, 1))
    inputs = state(4, [Settings(temperature=t, seed=3) for t in (0.0, 0.0, 1e-3, 1.0)], counter=2, flags=MASKED)
    inputs["slots"][:, MIN_TOKENS], inputs["slots"][:, STOP_COUNT] = [3, 2, 3, 3], 1
    inputs["slots"][:, STOP_IDS] = 68
    inputs["mask"] = np.full((4, mask_words(vocab)), 0xFFFFFFFF, np.uint32)
    inputs["mask"][:3, 2] = 0b011111  # all but the last token, 69
    inputs["mask"][3] = 0
    results = run(device, "sample", {"logits": logits, **inputs}, problem_of(4, vocab, mask=True))
    assert results["tokens"].tolist() == [67, 68, 67, NO_TOKEN]
    assert results["slots"][:, TOKEN].tolist() == [67, 68, 67, 0]


@pytest.mark.gpu
def test_a_slot_starts_with_the_counts_that_sampling_would_have_made(device: GpuDevice) -> None:
    entries = entries_of(1, prompt=[4, 4, 9], generated=[9, 2, 2], bias={5: -np.inf, 6: 2.5})
    inputs = {
        "entries": entries,
        "counts": np.full((2, 10), 7, np.uint32),
        "bias": np.full((2, 10), 7, np.float32),
    }
    problem = {"vocab": 10, "slots": 2, "counts": True, "bias": True}
    results = run(device, "start_slot", inputs, problem)
    assert results["counts"].tolist() == [[7] * 10, [0, 0, 2, 0, PROMPTED, 0, 0, 0, 0, PROMPTED + 1]]
    assert results["bias"].tolist() == [[7] * 10, [0, 0, 0, 0, 0, -np.inf, 2.5, 0, 0, 0]]
