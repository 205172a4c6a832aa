"""Texts that are only read: scores and embeddings are those of NumPy, whatever else runs in the engine."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.models.compare import TOLERANCE, error
from tests.models.golden import Golden
from tests.train import golden as golden_loras
from wgpt import Engine, Model, ReadRequest, WgptError, load
from wgpt.engine import read_outputs
from wgpt.engine.errors import ContextError, EngineError, QueueFullError, RequestCancelledError
from wgpt.engine.memory import page_bytes
from wgpt.gpu import GpuDevice, Pending, ValidationError
from wgpt.models.network import Network

pytestmark = pytest.mark.gpu
LENGTHS = (3, 200, 1, 17, 64, 65, 9, 2, 33, 129, 12, 256, 1, 128)
OPTIONS = {"max_tokens": 30, "ignore_eos": True}
CLOSE = {"atol": 2e-4, "rtol": 0}  # of log-probabilities: rounding to f32 in another order


@pytest.fixture(scope="module")
def texts(model: Model) -> list[list[int]]:
    """Some begin the same way."""
    rng = np.random.default_rng(0)
    common = rng.integers(0, model.config.vocab, 256)
    made = [rng.integers(0, model.config.vocab, length) for length in LENGTHS]
    return [np.concatenate([common[: len(t) // 2], t[len(t) // 2 :]]).tolist() for t in made]


@pytest.fixture(scope="module")
def logprobs(model: Model, texts: list[list[int]]) -> list[np.ndarray]:
    """Of NumPy in float64, from the logits of each text alone: [tokens - 1, vocabulary]."""
    every = []
    for ids in texts:
        logits = model.logits(ids)[:-1].astype(np.float64)
        every.append(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))
    return every


@pytest.fixture(scope="module")
def hidden(model: Model, texts: list[list[int]]) -> list[np.ndarray]:
    return [model.hidden(ids) for ids in texts]


@pytest.fixture(scope="module", params=["usual", "deterministic"])
def engine(request: pytest.FixtureRequest, model: Model) -> Iterator[Engine]:
    """With few pages and slots, so that sequences wait and give way."""
    few = 9 * page_bytes(model.config, "f32")
    with Engine(model, max_batch=6, cache_bytes=few, deterministic=request.param == "deterministic") as made:
        yield made


def check_score(ids: list[int], expected: np.ndarray, request: ReadRequest, first: int = 1) -> None:
    score = request.result(timeout=60)
    rows = np.arange(first - 1, len(ids) - 1)
    np.testing.assert_allclose(score.logprobs, expected[rows, ids[first:]], **CLOSE)
    assert score.likeliest.dtype == np.int64 and score.likeliest.shape == rows.shape
    np.testing.assert_allclose(expected[rows, score.likeliest], expected[rows].max(axis=1, initial=-1e9), **CLOSE)
    assert (score.first, score.prompt_tokens) == (first, len(ids)) and score.cached_tokens < first


def check_vector(expected: np.ndarray, request: ReadRequest) -> None:
    assert error(request.result(timeout=60).vector, expected) < TOLERANCE


@pytest.mark.full
def test_beside_generation_and_cancels(
    engine: Engine, texts: list[list[int]], logprobs: list[np.ndarray], hidden: list[np.ndarray]
) -> None:
    """In any order, again and again: each result is what the text gives alone."""
    rng = random.Random(1)
    prompts = [[5, 44, 130, 7], [9, 8, 7, 6, 5, 4], texts[1][:100]]
    written = [engine.submit(prompt, **OPTIONS).result().ids for prompt in prompts]
    for _ in range(3):
        jobs = [(kind, i) for kind in ("score", "late", "mean", "last") for i in range(len(texts))]
        jobs += [("write", i) for i in range(len(prompts))] + [("cancel", i) for i in range(6)]
        rng.shuffle(jobs)
        submitted = []
        for kind, i in jobs:
            ids = texts[i] if i < len(texts) else []
            if kind == "write":
                submitted.append((kind, i, engine.submit(prompts[i], **OPTIONS)))
            elif kind in ("mean", "last"):
                submitted.append((kind, i, engine.embed(ids, pooling=kind, normalise=False)))
            else:
                first = max(1, len(ids) * 3 // 4) if kind == "late" else 1
                submitted.append((kind, i, engine.score(ids, first=first)))
            if kind == "cancel":
                submitted[-1][2].cancel()
        for kind, i, request in submitted:
            if kind == "write":
                assert request.result(timeout=60).ids == written[i]
            elif kind in ("mean", "last"):
                check_vector(hidden[i].mean(axis=0) if kind == "mean" else hidden[i][-1], request)
            elif kind == "cancel":
                request.wait()
                if request._error is None and request._result is None:
                    with pytest.raises(RequestCancelledError, match="the request was cancelled"):
                        request.result()
            else:
                first = max(1, len(texts[i]) * 3 // 4) if kind == "late" else 1
                check_score(texts[i], logprobs[i], request, first)
    health = engine.health
    assert health.alive and health.pages_used == health.running == health.waiting == 0


@pytest.mark.full
def test_deterministic_to_the_last_bit(model: Model, texts: list[list[int]]) -> None:
    with Engine(model, deterministic=True) as engine:
        scores = [engine.score(ids).result().logprobs for ids in texts]
        vectors = [engine.embed(ids).result().vector for ids in texts]
        writing = engine.submit(texts[0], max_tokens=200, ignore_eos=True)
        requests = [(engine.score(ids), engine.embed(ids)) for ids in reversed(texts)]
        for i, (score, embedding) in enumerate(reversed(requests)):
            assert np.array_equal(score.result().logprobs, scores[i])
            assert np.array_equal(embedding.result().vector, vectors[i])
        writing.cancel()


def test_prompts_of_two_tokens_in_a_deterministic_engine(model: Model) -> None:
    """One row each: they share no tile."""
    prompts = [[i + 5, 2 * i + 1] for i in range(8)]
    with Engine(model, deterministic=True) as engine:
        alone = [engine.submit(prompt, **OPTIONS).result().ids for prompt in prompts]
        engine._core.forget()
        with engine._core.paused():
            together = [engine.submit(prompt, **OPTIONS) for prompt in prompts]
        assert [request.result().ids for request in together] == alone


def test_embeddings_of_the_golden_models(truth: Golden, model: Model) -> None:
    """transformers' hidden states; normalised by default."""
    for run in truth.runs:
        mean, last = run.hidden.astype(np.float64).mean(axis=0), run.hidden[-1]
        assert error(model.embed(run.ids), mean / np.linalg.norm(mean)) < TOLERANCE
        assert error(model.embed(run.ids, pooling="last", normalise=False), last) < TOLERANCE
    every = model.embed([run.ids for run in truth.runs])
    assert every.shape == (len(truth.runs), model.config.hidden) and every.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(every, axis=1), 1, rtol=1e-6)


def test_rows_that_need_no_score_are_left_out(
    model: Model, texts: list[list[int]], logprobs: list[np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few of many rows are picked before the head; and slices of rows where logits are large."""
    planned: list[int] = []
    init = read_outputs.Outputs.__init__

    def noted(self: read_outputs.Outputs, scored: int = 0, **others: Any) -> None:
        planned.append(scored)
        init(self, scored, **others)

    monkeypatch.setattr(read_outputs.Outputs, "__init__", noted)
    with Engine(model) as engine:
        check_score(texts[11], logprobs[11], engine.score(texts[11], first=250), first=250)
        assert 16 in planned
        requests = [engine.score(ids, first=max(1, len(ids) - 2)) for ids in texts]
        for ids, expected, request in zip(texts, logprobs, requests, strict=True):
            check_score(ids, expected, request, first=max(1, len(ids) - 2))
    monkeypatch.setattr(read_outputs, "_LOGIT_BYTES", 4 * 64 * model.config.vocab)
    with Engine(model) as engine:
        check_score(texts[11], logprobs[11], engine.score(texts[11]))
        assert "losses 1" in {name for p in engine._core.runner._programs._programs.values() for name in p.outputs}


def test_what_was_read_is_not_read_again(model: Model, texts: list[list[int]], logprobs: list[np.ndarray]) -> None:
    ids = texts[11]
    with Engine(model) as engine:
        assert engine.score(ids).result().cached_tokens == 0
        assert engine.submit(ids[:200], max_tokens=1).result().cached_tokens == 192, "a score's pages serve others"
        late = engine.score(ids, first=150)
        check_score(ids, logprobs[11], late, first=150)
        assert late.result().cached_tokens >= 128
        assert engine.score(ids).result().cached_tokens == 0
        assert engine.embed(ids).result().cached_tokens == 0
        assert engine.embed(ids, pooling="last").result().cached_tokens >= 192


def test_the_most_likely_tokens(model: Model, texts: list[list[int]], logprobs: list[np.ndarray]) -> None:
    """Beside requests without, and with more of them."""
    with Engine(model) as engine:
        requests = [engine.score(ids, top=top) for ids in texts[:8] for top in (0, 3, 20)]
        for i, request in enumerate(requests):
            ids, expected, top = texts[i // 3], logprobs[i // 3], (0, 3, 20)[i % 3]
            check_score(ids, expected, request)
            likely = request.result().top_logprobs
            assert len(likely) == (len(ids) - 1 if top else 0)
            for row, each in zip(expected, likely, strict=False):
                assert len(each) == top and list(each.values()) == sorted(each.values(), reverse=True)
                np.testing.assert_allclose(list(each.values()), np.sort(row)[::-1][:top], **CLOSE)
                np.testing.assert_allclose(row[list(each)], list(each.values()), **CLOSE)


def test_pages_that_run_out(model: Model, texts: list[list[int]], logprobs: list[np.ndarray]) -> None:
    """An older text that is generated takes the pages of those that are read, which begin again."""
    with Engine(model, cache_bytes=6 * page_bytes(model.config, "f32"), max_stall=0) as engine:
        for _ in range(4):
            writing = [engine.submit([7 + i, 8, 9], max_tokens=120, ignore_eos=True) for i in range(3)]
            next(iter(writing[0]))
            requests = [engine.score(texts[i]) for i in (1, 11, 9)]
            for i, request in zip((1, 11, 9), requests, strict=True):
                check_score(texts[i], logprobs[i], request)
            assert [len(request.result().ids) for request in writing] == [120] * 3
        assert engine.health.preemptions > 0 and engine.health.pages_used == 0


@pytest.mark.full
def test_an_adapter_per_request(device: GpuDevice) -> None:
    seven, two = golden_loras.load("llama-gqa-seven"), golden_loras.load("llama-gqa")
    ids = seven.examples[0].ids
    with load(seven.model, device=device, cache="f32") as model, Engine(model) as engine:
        names = [None, model.load_lora(seven.adapter, "seven"), model.load_lora(two.adapter, "two")]
        expected = []
        for name in names:
            if name is not None:
                model.attach(name)
            expected.append((model.logprobs(ids), model.hidden(ids).mean(axis=0)))
            model.detach()
        assert not np.allclose(expected[0][0], expected[1][0], atol=1e-3)
        requests = [(engine.score(ids, lora=name), engine.embed(ids, lora=name, normalise=False)) for name in names * 2]
        for i, (score, embedding) in enumerate(requests):
            np.testing.assert_allclose(score.result().logprobs, expected[i % 3][0], **CLOSE)
            check_vector(expected[i % 3][1], embedding)
        assert model.embed(ids, lora="two", normalise=False) == pytest.approx(expected[2][1], rel=1e-3, abs=1e-3)


@pytest.mark.full
@pytest.mark.parametrize(("cache", "most"), [("f16", 1e-3), ("q8_0", 0.03)])
def test_other_caches(model: Model, device: GpuDevice, cache: str, most: float) -> None:
    """As accurate as keys and values of this type are (llvmpipe: 6e-5 and 1.4e-3); the model's own scores are f32's."""
    config = replace(model.config, heads=2, kv_heads=1, head_dim=32)
    rng = np.random.default_rng(2)
    texts = [rng.integers(0, config.vocab, length).tolist() for length in LENGTHS]
    with Model(Network.random(device, config), None, cache=cache) as other, Engine(other) as engine:
        largest = 0.0
        for ids, request in zip(texts, [engine.score(ids) for ids in texts], strict=True):
            logits = other.logits(ids)[:-1].astype(np.float64)
            expected = (logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))[np.arange(len(ids) - 1), ids[1:]]
            largest = max(largest, np.abs(request.result().logprobs - expected).max(initial=0))
            np.testing.assert_allclose(other.logprobs(ids), expected, **CLOSE)
        assert 0 < largest < most, "not exact, but close"


def test_more_texts_than_slots_and_pages(model: Model, texts: list[list[int]], logprobs: list[np.ndarray]) -> None:
    """Their slots and pages are free as soon as they are submitted."""
    with Engine(model, max_batch=4, cache_bytes=6 * page_bytes(model.config, "f32")) as engine:
        requests = [engine._core.score(texts) for _ in range(10)]
        for each in requests:
            for ids, expected, request in zip(texts, logprobs, each, strict=True):
                check_score(ids, expected, request)
        assert engine.health.preemptions == 0 and engine.health.pages_used == 0


def test_threads_and_asyncio(model: Model, texts: list[list[int]], logprobs: list[np.ndarray]) -> None:
    def work(i: int) -> None:
        for _ in range(3):
            scored = model.logprobs(texts)
            for ids, expected, each in zip(texts, logprobs, scored, strict=True):
                np.testing.assert_allclose(each, expected[np.arange(len(ids) - 1), ids[1:]], **CLOSE)
            done.append(i)

    done: list[int] = []
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(done) == 12

    async def awaited(engine: Engine) -> int:
        return len((await engine.score(texts[1])).logprobs) + len((await engine.embed(texts[1])).vector)

    with Engine(model) as engine:
        assert asyncio.run(awaited(engine)) == 199 + model.config.hidden


def test_longer_texts_than_the_models_own_cache(truth: Golden, device: GpuDevice) -> None:
    """The engine that scores is replaced by one with more room, also while it is used."""
    with load(truth.folder, device=device, cache_bytes=3 << 20) as model:
        short = model.logprobs([1, 2, 3])
        engines = model._engines
        engines._reader = small = engines._open_reader(64)
        assert np.allclose(model.logprobs([1, 2, 3]), short, atol=1e-6) and engines._reader is small
        long = model.logprobs([5 + i % 90 for i in range(250)])
        assert engines._reader is not small and len(long) == 249
        with pytest.raises(EngineError, match="closed"):
            small.score([[1, 2]])
        assert np.allclose(model.logprobs([1, 2, 3]), short, atol=1e-6)
    with pytest.raises(WgptError, match="was closed: load it again"):
        model.logprobs([1, 2, 3])


def test_errors(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the GPU ends what it hit; what waits goes on."""
    with Engine(model, max_batch=1) as engine:
        result, broken = Pending.result, iter([ValidationError("a faulty chunk")])

        def fails_once(self: Pending, *args: object) -> object:
            error = next(broken, None)
            if error is not None:
                raise error
            return result(self, *args)  # type: ignore[arg-type]

        with engine._core.paused():
            requests = [engine.score([1, 2, 3] * 60) for _ in range(6)]
            monkeypatch.setattr(Pending, "result", fails_once)
        outcomes = []
        for request in requests:
            request.wait()
            outcomes.append(str(request._error) if request._error else len(request.result().logprobs))
        assert set(outcomes) == {"a faulty chunk", 179} and engine.health.pages_used == 0


def test_nan_is_an_error(device: GpuDevice) -> None:
    """It names the cause, and what was cached of the text is not used again."""
    one = golden_loras.load("llama-gqa-seven")
    page = (one.examples[0].ids * 64)[:70]
    with load(one.model, device=device, cache="f32") as model, Engine(model) as engine:
        expected = engine.submit(page, max_tokens=4, ignore_eos=True).result().ids
        _, values = engine._core.runner.cache.layer(0)
        device.write(values, np.full(values.shape, np.nan, np.float32))
        with pytest.raises(WgptError, match=r"cannot score the text: the losses contain NaN or Inf; check the driver"):
            engine.score(page, first=69).result()
        again = engine.submit(page, max_tokens=4, ignore_eos=True).result()
        assert (again.ids, again.cached_tokens) == (expected, 0)
        device.write(values, np.full(values.shape, np.nan, np.float32))
        with pytest.raises(WgptError, match="cannot embed the text: the hidden states contain NaN or Inf"):
            engine.embed(page, pooling="last").result()


def test_what_is_refused(model: Model) -> None:
    with Engine(model, cache_bytes=3 * page_bytes(model.config, "f32"), max_queue=2) as engine:
        with pytest.raises(ContextError, match=r"200 tokens need 200 positions, but the KV cache has 128 "):
            engine.score([1] * 200)
        with pytest.raises(ContextError, match="the prompt has 257 tokens, but the context length is 256"):
            engine.embed([1] * 257)
        with pytest.raises(WgptError, match="first must be a whole number from 1 to 3, not 4"):
            engine.score([1, 2, 3], first=4)
        with pytest.raises(WgptError, match="top must be a whole number from 0 to 20, not 21"):
            engine.score([1, 2, 3], top=21)
        with pytest.raises(WgptError, match="pooling must be mean or last, not 'max'"):
            engine.embed([1, 2, 3], pooling="max")
        with pytest.raises(WgptError, match="normalise must be True or False"):
            engine.embed([1, 2, 3], normalise=1)  # type: ignore[arg-type]
        with pytest.raises(WgptError, match="adapter 'x' is not loaded"):
            engine.embed([1, 2, 3], lora="x")
        with pytest.raises(QueueFullError, match="max_queue is 2"):
            engine._core.score([[1, 2]] * 3)
    with pytest.raises(WgptError, match="first has 1 numbers for 2 prompts"):
        model.logprobs([[1, 2], [3, 4]], first=[1])
    with pytest.raises(WgptError, match="empty"):
        model.embed(["A", ""])
