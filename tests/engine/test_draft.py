"""A draft model: its guesses change how fast tokens come, never which ones."""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engine.test_engine import prompts
from tests.models.golden import Golden
from wgpt import Engine, Model, Request, WgptError, load
from wgpt.engine.draft import Draft
from wgpt.engine.errors import EngineError
from wgpt.engine.memory import page_bytes
from wgpt.formats.lora import LoraAdapter
from wgpt.gpu import GpuDevice
from wgpt.kernels.sampling.reference import masses
from wgpt.kernels.sampling.settings import Settings
from wgpt.models import reference
from wgpt.models.tiny_models import random_weights, write_folder

pytestmark = pytest.mark.gpu
MANY = {"max_tokens": 60, "ignore_eos": True}
TEXTS = [[5, 44, 130, 7, 201, 90] * 6, [9, 44, 300] * 5, [1, 2, 3], [7] * 30]


def folder_of(path: Path, truth: Golden, noise: float = 0.0, **config: Any) -> Path:
    """A model with the golden one's tokenizer: its weights with some noise, or random ones of another configuration."""
    path.mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json", "generation_config.json"):
        shutil.copy(truth.folder / name, path)
    changed = {**truth.config, **config}
    if config:
        weights = random_weights(changed, seed=5)
    else:
        rng = np.random.default_rng(0)
        weights = {
            name: (w + noise * w.std() * rng.standard_normal(w.shape)).astype(np.float32)
            for name, w in truth.weights.items()
        }
    write_folder(path, changed, weights)
    return path


@pytest.fixture(scope="module")
def same(truth: Golden, device: GpuDevice) -> Iterator[Model]:
    """The model again."""
    with load(truth.folder, cache="f32", device=device) as loaded:
        yield loaded


@pytest.fixture(scope="module")
def noisy(truth: Golden, device: GpuDevice, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    """One that is often right."""
    with load(folder_of(tmp_path_factory.mktemp("d") / "noisy", truth, noise=0.3), device=device) as loaded:
        yield loaded


@pytest.fixture(scope="module")
def other(truth: Golden, device: GpuDevice, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    """One of another size, with random weights and a shorter context."""
    sizes = {"num_hidden_layers": 1, "hidden_size": 64, "head_dim": 16, "num_attention_heads": 4}
    path = folder_of(tmp_path_factory.mktemp("d") / "other", truth, **sizes, max_position_embeddings=100)
    with load(path, device=device) as loaded:
        yield loaded


def of(engine: Engine) -> Draft:
    draft = engine._core.runner.speculation
    assert isinstance(draft, Draft)
    return draft


def with_widths(engine: Engine, width: Callable[[], int]) -> Draft:
    """Let steps have these widths, whatever pays."""
    draft = of(engine)
    draft.pace.width = lambda sequences: width()  # type: ignore[method-assign]
    return draft


def in_runs(seed: int) -> Callable[[], int]:
    """Some plain steps, some with guesses, and so on."""
    rng, left, width = random.Random(seed), 0, 1

    def choose() -> int:
        nonlocal left, width
        if not left:
            left, width = rng.randrange(1, 9), rng.choice([1, 4, 8])
        left -= 1
        return width

    return choose


def made_lora() -> LoraAdapter:
    rng = np.random.default_rng(0)
    factors = [
        (rng.standard_normal((4, 48)).astype(np.float32), rng.standard_normal((rows, 4)).astype(np.float32))
        for _ in range(3)
        for rows in (48, 16)
    ]
    return LoraAdapter.of_qv(factors, alpha=4)


@pytest.mark.parametrize("width", [4, 8])
def test_the_model_itself_is_always_right(model: Model, same: Model, width: int) -> None:
    plain = [model.generate(p, **MANY).ids for p in TEXTS]
    with Engine(model, draft=same) as engine:
        draft = with_widths(engine, lambda: width)
        assert [engine.submit(p, **MANY).result().ids for p in TEXTS] == plain
        requests = [engine.submit(p, **MANY) for p in TEXTS]
        assert [r.result().ids for r in requests] == plain
        assert draft.accepted == draft.drafted >= 8 * 60 * (width - 1) // width


@pytest.mark.full
@pytest.mark.parametrize("options", [{}, {"temperature": 0.3, "seed": 4}], ids=["greedy", "sampled"])
@pytest.mark.parametrize("which", ["noisy", "other"])
def test_tokens_are_those_of_plain_decoding(
    model: Model, which: str, options: dict[str, float], request: pytest.FixtureRequest
) -> None:
    """Also in steps without guesses in between, and beyond the draft model's context."""
    many = {"max_tokens": 90, "ignore_eos": True, **options}
    plain = [model.generate(p, **many).ids for p in TEXTS]
    with Engine(model, draft=request.getfixturevalue(which)) as engine:
        draft = with_widths(engine, in_runs(1))
        assert [engine.submit(p, **many).result().ids for p in TEXTS] == plain
        requests = [engine.submit(p, **many) for p in TEXTS]
        assert [r.result().ids for r in requests] == plain
        assert draft.drafted > 100
        right = draft.accepted / draft.drafted
        assert 0.1 < right < 0.9 if which == "noisy" else right < 0.5


@pytest.mark.full
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.full), pytest.param(3, marks=pytest.mark.full)])
def test_joining_leaving_and_running_out_of_pages(model: Model, same: Model, seed: int) -> None:
    """Many requests at random times, with cancels, shared beginnings, pages that run out, and steps of all kinds. The
    draft model is the model itself: a single wrong key in its cache would make some guess wrong."""
    rng = random.Random(seed)
    texts = prompts(rng, 30, 120)
    options = [{"max_tokens": rng.randrange(1, 90), "ignore_eos": True} for _ in texts]
    alone = [model.generate(p, **o).ids for p, o in zip(texts, options, strict=True)]
    cache_bytes = 9 * 2 * page_bytes(model.config, "f32")
    with Engine(model, draft=same, max_batch=6, cache_bytes=cache_bytes) as engine:
        draft = with_widths(engine, in_runs(seed))
        requests: list[Request] = []
        for prompt, o in zip(texts, options, strict=True):
            requests.append(engine.submit(prompt, **o))
            if rng.random() < 0.2:
                rng.choice(requests).cancel()
            time.sleep(rng.random() * 0.01)
        for request, expected in zip(requests, alone, strict=True):
            completion = request.result(timeout=60)
            assert completion.ids == expected[: len(completion.ids)]
            assert completion.reason == "cancelled" or len(completion.ids) == len(expected)
        health = engine.health
        assert health.preemptions > 0 and health.pages_used == 0 and health.pages == 8
        assert any(request.completion.cached_tokens for request in requests)
        assert draft.accepted == draft.drafted > 100


def test_a_text_that_slides_out_of_the_context(model: Model, same: Model) -> None:
    options = {"max_tokens": 150, "ignore_eos": True, "overflow": "slide"}
    with Engine(model, context=96) as engine:
        plain = engine.submit(TEXTS[0], **options).result().ids
    with Engine(model, context=96, draft=same) as engine:
        draft = with_widths(engine, lambda: 8)
        assert engine.submit(TEXTS[0], **options).result().ids == plain
        assert draft.accepted == draft.drafted > 100


def test_it_reads_a_prompt_once(model: Model, same: Model) -> None:
    """Samples of one prompt share what it has read; so does a later turn."""
    prompt = [5 + i % 90 for i in range(150)]
    with Engine(model, draft=same) as engine:
        draft = with_widths(engine, lambda: 4)
        samples = [engine.submit(prompt, max_tokens=8, temperature=1.0, seed=i, ignore_eos=True) for i in range(4)]
        assert all(len(request.result().ids) == 8 for request in samples)
        assert draft.read_tokens < 149 + 3 * (149 - 128) + 4 * 8
        answer = engine.submit(TEXTS[1], max_tokens=100, ignore_eos=True).result()
        before = draft.read_tokens
        later = engine.submit([*TEXTS[1], *answer.ids, 5, 6], max_tokens=8, ignore_eos=True).result()
        assert later.cached_tokens >= 100
        assert draft.read_tokens - before <= 30, "it has run most of the answer when it guessed it"


def test_it_does_not_guess_before_it_has_read_the_prompt(model: Model, same: Model) -> None:
    """In chunks of 16 tokens: after the first one, a token or two are missing."""
    texts = [list(range(5, 23)), list(range(40, 60)), [7, 8, 9], list(range(9, 60))]
    plain = [model.generate(p, **MANY).ids for p in texts]
    with Engine(model, draft=same) as engine:
        draft = with_widths(engine, lambda: 4)
        draft._chunk = 16
        requests = [engine.submit(p, **MANY) for p in texts]
        assert [r.result().ids for r in requests] == plain
        assert draft.accepted == draft.drafted > 100


@pytest.mark.full
def test_requests_of_all_kinds_side_by_side(model: Model, noisy: Model) -> None:
    kinds = [
        {},
        {"temperature": 0.8, "seed": 3},
        {"logit_bias": {17: 3.0}},
        {"repetition_penalty": 1.3},
        {"temperature": 1.0, "top_k": 20, "seed": 9, "presence_penalty": 0.5},
        {"min_tokens": 5},
    ]
    options = {"max_tokens": 30, "ignore_eos": True}
    alone = [model.generate([9, 8, 7], **options, **kind).ids for kind in kinds]
    with Engine(model, draft=noisy) as engine:
        draft = with_widths(engine, lambda: 4)
        together = [engine.submit([9, 8, 7], **options, **kind) for kind in kinds]
        assert [request.result().ids for request in together] == alone
        assert draft.accepted > 0
        completion = engine.submit([9, 8, 7], logprobs=2, **options).result()
        assert completion.ids == alone[0] and len(completion.top_logprobs) == 30


@pytest.mark.full
def test_lora_adapters_do_not_change_the_draft_model(model: Model, same: Model) -> None:
    name = model.load_lora(made_lora(), "shift")
    try:
        adapted = [model.generate(p, lora=name, **MANY).ids for p in TEXTS]
        plain = [model.generate(p, **MANY).ids for p in TEXTS]
        assert adapted != plain
        with Engine(model, draft=same) as engine:
            draft = with_widths(engine, lambda: 4)
            requests = [engine.submit(p, lora=name if i % 2 else None, **MANY) for i, p in enumerate(TEXTS)]
            expected = [adapted[i] if i % 2 else plain[i] for i in range(len(TEXTS))]
            assert [request.result().ids for request in requests] == expected
            assert 0 < draft.accepted < draft.drafted
    finally:
        model.unload(name)


def test_a_draft_model_that_is_never_right_is_given_up(model: Model, truth: Golden, tmp_path: Path) -> None:
    """It guesses the least likely token. All but a few steps are plain: those before that is known, and trials."""
    weights = {**truth.weights, "model.norm.weight": -truth.weights["model.norm.weight"]}
    write_folder(folder_of(tmp_path / "never", truth), truth.config, weights)
    with load(tmp_path / "never", device=model.device) as never, Engine(model, draft=never) as engine:
        draft, times = of(engine), {1: 1.0, 4: 2.0, 8: 3.5}
        timed = draft.pace.timed
        draft.pace.timed = lambda rows, width, _: timed(rows, width, times[width])  # type: ignore[method-assign]
        for request in [engine.submit(p, max_tokens=200, ignore_eos=True) for p in TEXTS]:
            request.result()
        first = draft.drafted
        assert draft.accepted == 0 < first <= 4 * 3 * 10
        for p in TEXTS:
            engine.submit(p, max_tokens=100, ignore_eos=True).result()
        assert draft.accepted == 0 < draft.drafted - first <= 3 * 2 * 4


@pytest.mark.slow
def test_the_distribution_of_samples_is_the_models(model: Model, noisy: Model, truth: Golden) -> None:
    """Three tokens of the four likeliest each: 64 texts, and how often each came, against their probabilities."""
    settings, prompt, samples = Settings(temperature=1.5, top_k=4), [5, 44, 130], 1600
    texts: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(3):
        longer = {}
        for text, chance in texts.items():
            logits = reference.logits(truth.config, truth.weights, [*prompt, *text])[-1]
            mass = masses(np.asarray(logits, np.float64), settings)
            longer |= {(*text, int(i)): chance * mass[i] / mass.sum() for i in np.flatnonzero(mass)}
        texts = longer
    with Engine(model, draft=noisy, max_batch=8) as engine:
        draft = with_widths(engine, lambda: 4)
        options = {"max_tokens": 3, "temperature": 1.5, "top_k": 4, "ignore_eos": True}
        requests = [engine.submit(prompt, seed=i, **options) for i in range(samples)]
        seen = [tuple(request.result().ids) for request in requests]
        assert draft.accepted > samples / 3
    assert set(seen) <= set(texts)
    expected = np.array(list(texts.values())) * samples
    counts = np.array([seen.count(text) for text in texts])
    rare = expected < 5
    expected, counts = (np.append(x[~rare], x[rare].sum()) for x in (expected, counts))
    chi, free = float(((counts - expected) ** 2 / expected).sum()), len(counts) - 1
    assert free > 10 and chi < free + 4 * (2 * free) ** 0.5


def test_its_memory_is_part_of_the_cache(model: Model, same: Model) -> None:
    size = 9 * page_bytes(model.config, "f32")
    with Engine(model, cache_bytes=size) as alone, Engine(model, cache_bytes=2 * size, draft=same) as engine:
        assert engine.health.pages == alone.health.pages == 8
        core = engine._core
        assert of(engine).cache.nbytes == core.runner.cache.nbytes <= size
        assert core.nbytes > alone.nbytes + core.runner.cache.nbytes


def test_closing_the_draft_model_ends_the_engine(model: Model, truth: Golden) -> None:
    draft = load(truth.folder, cache="f32", device=model.device)
    engine = Engine(model, draft=draft)
    draft.close()
    with pytest.raises(EngineError, match="was closed: load it again"):
        engine.submit([1, 2])
    assert len(model.generate([1, 2], max_tokens=3, ignore_eos=True).ids) == 3
    with pytest.raises(WgptError, match="was closed: load it again"):
        Engine(model, draft=draft)


def test_a_model_loaded_with_a_draft_model(model: Model, truth: Golden) -> None:
    plain = model.generate(TEXTS[1], **MANY).ids
    with load(truth.folder, cache="f32", device=model.device, draft=truth.folder) as both:
        assert both.draft is not None and both.generate(TEXTS[1], **MANY).ids == plain
        assert both._engines._generator is not None and isinstance(both._engines._generator.runner.speculation, Draft)
    with pytest.raises(WgptError, match="was closed"):
        both.draft.generate([1])  # type: ignore[attr-defined]


def test_what_is_refused(model: Model, same: Model, truth: Golden, tmp_path: Path) -> None:
    with pytest.raises(WgptError, match="draft must be a Model"):
        Engine(model, draft="smollm2")  # type: ignore[arg-type]
    with pytest.raises(WgptError, match="draft and deterministic exclude each other"):
        Engine(model, draft=same, deterministic=True)
    with pytest.raises(WgptError, match="draft and deterministic exclude each other"):
        load(truth.folder, draft=truth.folder, deterministic=True, device=model.device)
    with pytest.raises(WgptError, match="draft and speculation='ngram' exclude each other"):
        Engine(model, draft=same, speculation="ngram")
    folder = folder_of(tmp_path / "renamed", truth)
    words = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    vocab = words["model"]["vocab"]
    token, id = max(vocab.items(), key=lambda item: item[1])
    merges = [pair for pair in words["model"].get("merges", []) if "".join(pair).replace(" ", "") != token]
    del vocab[token]
    words["model"]["merges"] = merges
    (folder / "tokenizer.json").write_text(json.dumps(words), encoding="utf-8")
    with load(folder, device=model.device) as fewer, pytest.raises(WgptError, match=r"has a vocabulary of \d+ tokens"):
        Engine(model, draft=fewer)
    vocab["renamed"] = id
    (folder / "tokenizer.json").write_text(json.dumps(words), encoding="utf-8")
    with load(folder, device=model.device) as renamed:
        with pytest.raises(WgptError, match=rf"token {id} is 'renamed' for .*renamed and .* must have the same vocab"):
            Engine(model, draft=renamed)
    with pytest.raises(WgptError, match="must have the same vocabulary"):
        load(truth.folder, draft=folder, device=model.device)


@pytest.mark.slow
def test_smollm2_guesses_for_itself(smollm2_path: Path, device: GpuDevice) -> None:
    """A real model as its own draft model: the same object, with two caches."""
    options = {"max_tokens": 24, "ignore_eos": True}
    with load(smollm2_path, device=device, context=512) as real:
        plain = real.generate("The capital of France is", **options).ids
        with Engine(real, draft=real, max_batch=1) as engine:
            draft = with_widths(engine, lambda: 4)
            assert engine.submit("The capital of France is", **options).result().ids == plain
            assert draft.accepted == draft.drafted >= 18


@pytest.mark.full
def test_another_gpu_device_is_refused(model: Model, truth: Golden) -> None:
    with closing(GpuDevice.open()) as device, load(truth.folder, device=device) as elsewhere:
        with pytest.raises(WgptError, match=r"is on another GPU device .* load both models with the same `device`"):
            Engine(model, draft=elsewhere)


def test_its_table_may_have_another_padding(model: Model, truth: Golden, device: GpuDevice, tmp_path: Path) -> None:
    """Rows of the table that no token has: guesses of those are dropped, and it reads the last row for tokens that it
    does not have."""
    plain = [model.generate(p, **MANY).ids for p in TEXTS]
    size = truth.config["vocab_size"]
    for name, vocab in (("larger", size + 64), ("smaller", 310)):
        with load(folder_of(tmp_path / name, truth, vocab_size=vocab), device=device) as draft:
            with Engine(model, draft=draft) as engine:
                with_widths(engine, lambda: 4)
                assert [engine.submit(p, **MANY).result().ids for p in TEXTS] == plain
                assert of(engine).drafted > 0
