"""The engine on the GPU: many requests give what each gives alone, whatever joins, leaves or runs out meanwhile."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from wgpt import Engine, Model, Request, WgptError
from wgpt.engine.errors import ContextError, EngineError, QueueFullError
from wgpt.engine.loop import Loop
from wgpt.engine.memory import page_bytes
from wgpt.engine.runner import Runner
from wgpt.gpu import DeviceLostError, Pending, Program, ValidationError

pytestmark = pytest.mark.gpu
OPTIONS = {"max_tokens": 12, "ignore_eos": True}


def prompts(rng: random.Random, count: int, longest: int, vocab: int = 300) -> list[list[int]]:
    """Half of them begin the same way."""
    common = [rng.randrange(vocab) for _ in range(longest)]
    made = []
    for _ in range(count):
        shared = common[: rng.randrange(longest - 3)] if rng.random() < 0.5 else []
        made.append(shared + [rng.randrange(vocab) for _ in range(rng.randrange(3, longest - len(shared) + 1))])
    return made


def small_cache(model: Model, pages: int) -> int:
    return (pages + 1) * page_bytes(model.config, "f32")


@pytest.fixture(scope="module", params=["usual", "deterministic"])
def engine(request: pytest.FixtureRequest, model: Model) -> Iterator[Engine]:
    """With few pages and slots, so that sequences wait, and give way where that is allowed."""
    cache_bytes = small_cache(model, 8)
    with Engine(model, max_batch=6, cache_bytes=cache_bytes, deterministic=request.param == "deterministic") as made:
        yield made


@pytest.mark.parametrize("engine", ["usual", pytest.param("deterministic", marks=pytest.mark.full)], indirect=True)
def test_arriving_at_random_with_cancels(engine: Engine) -> None:
    """Token for token what each request gives alone."""
    rng = random.Random(3)
    texts = prompts(rng, 40, 120)
    lengths = [rng.randrange(1, 90) for _ in texts]
    options = [{"max_tokens": n, "ignore_eos": True} for n in lengths]
    alone = [engine.submit(p, **o).result().ids for p, o in zip(texts, options, strict=True)]
    requests: list[Request] = []
    for prompt, o in zip(texts, options, strict=True):
        requests.append(engine.submit(prompt, **o))
        if rng.random() < 0.2:
            rng.choice(requests).cancel()
        time.sleep(rng.random() * 0.005)
    cancelled = 0
    for request, expected in zip(requests, alone, strict=True):
        completion = request.result(timeout=60)
        cancelled += completion.reason == "cancelled"
        assert completion.reason in ("length", "cancelled")
        assert completion.ids == expected[: len(completion.ids)]
        assert completion.reason == "cancelled" or len(completion.ids) == len(expected)
    assert 0 < cancelled < 20
    health = engine.health
    assert health.alive and health.pages_used == 0 and health.running == health.waiting == 0


def test_a_seed_beside_others(engine: Engine) -> None:
    """Always the same text where that was asked for, and where it is not ensured, nobody may rely on it."""
    options = {"max_tokens": 30, "ignore_eos": True, "temperature": 1.0, "deterministic": True}
    if not engine._core.runner.deterministic:
        with pytest.raises(WgptError, match="deterministic needs an engine opened for it"):
            engine.submit([1, 2, 3], **options)
        assert engine.submit([1, 2, 3], **{**options, "deterministic": False}).result().ids
        return
    texts = prompts(random.Random(77), 3, 102)
    alone = [engine.submit(text, seed=77 + i, **options).result().ids for i, text in enumerate(texts)]
    others = [engine.submit(text, **OPTIONS, temperature=1.0) for text in prompts(random.Random(5), 16, 63)]
    beside = [engine.submit(text, seed=77 + i, **options) for i, text in enumerate(texts)]
    assert [request.result().ids for request in beside] == alone
    assert all(len(other.result().ids) == 12 for other in others)


def test_health_tells_compiling_from_running(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    compiling = []
    with Engine(model) as engine:
        runner = engine._core.runner
        record = runner._programs._add
        monkeypatch.setattr(
            runner._programs, "_add", lambda *of: (compiling.append(engine.health.compiling), record(*of))
        )
        engine.submit([5, 6, 7], max_tokens=3, ignore_eos=True).result()
        assert compiling and all(compiling)
        health = engine.health
        assert not health.compiling and 0 < health.longest_step < 60


def test_pages_that_run_out(model: Model) -> None:
    """Four sequences of four pages each in a cache of eight: the younger ones give way, and end with the same text."""
    with Engine(model, cache_bytes=small_cache(model, 8)) as engine:
        texts = prompts(random.Random(5), 4, 60)
        options = {"max_tokens": 180, "ignore_eos": True}
        alone = [engine.submit(p, **options).result().ids for p in texts]
        together = [engine.submit(p, **options) for p in texts]
        assert [r.result().ids for r in together] == alone
        assert engine.health.preemptions > 0 and engine.health.pages_used == 0


def test_what_can_never_fit_is_refused_with_its_numbers(model: Model) -> None:
    with Engine(model, cache_bytes=small_cache(model, 2)) as engine:
        with pytest.raises(ContextError, match=r"100 prompt tokens and 50 new ones need 149 positions, but .* has 128"):
            engine.submit([1] * 100, max_tokens=50)
        with pytest.raises(ContextError, match="the prompt has 257 tokens, but the context length is 256"):
            engine.submit([1] * 257)
        assert len(engine.submit([1] * 100, max_tokens=29, ignore_eos=True).result().ids) == 29


def test_the_queue_has_a_limit(model: Model) -> None:
    with Engine(model, max_batch=1, max_queue=1) as engine:
        first = engine.submit([1, 2, 3], max_tokens=200, ignore_eos=True)
        next(iter(first))
        second = engine.submit([4, 5], **OPTIONS)
        with pytest.raises(QueueFullError, match="1 requests are waiting, and max_queue is 1"):
            engine.submit([6, 7], **OPTIONS)
        first.cancel()
        assert len(second.result().ids) == 12


def test_all_prompts_of_a_request_or_none(model: Model) -> None:
    with Engine(model, max_batch=2, max_queue=3) as engine:
        with pytest.raises(QueueFullError):
            engine.submit_all([[1, 2], [3, 4]], n=2, max_tokens=3)
        assert engine.health.running + engine.health.waiting == 0
        samples = engine.submit_all([[1, 2, 3]], n=3, max_tokens=3, temperature=1.0, seed=5)
        texts = [request.result() for request in samples[0]]
        assert [text.seed for text in texts] == [5, 6, 7] and all(text.queue_s > 0 for text in texts)
        assert texts[2].queue_s > texts[0].first_token_s  # it waited for one of the others


def test_a_call_after_every_turn(model: Model) -> None:
    """In the engine's thread, with the newest tokens; the last one comes after the end of the last request."""
    seen: list[tuple[str, int, bool]] = []
    request = None

    def on_turn() -> None:
        if request is not None:
            seen.append((threading.current_thread().name, len(request.completion.ids), request.done))

    with Engine(model, on_turn=on_turn) as engine:
        request = engine.submit([1, 2, 3], max_tokens=5, ignore_eos=True)
        request.result()
        engine.submit([1, 2, 3], max_tokens=1).result()
    assert {name for name, _, _ in seen} == {"wgpt-engine"}
    assert {1, 2, 3, 4, 5} <= {tokens for _, tokens, _ in seen} and (seen[-1][1:]) == (5, True)


def test_priorities(model: Model) -> None:
    with Engine(model, max_batch=1) as engine:
        running = engine.submit([1, 2, 3], max_tokens=100, ignore_eos=True)
        next(iter(running))
        submitted = time.perf_counter()
        usual = engine.submit([4, 5], **OPTIONS)
        later = time.perf_counter()
        urgent = engine.submit([4, 6], priority=-1, **OPTIONS)
        assert later + urgent.result().seconds < submitted + usual.result().first_token_s


def test_cancel_in_every_stage(model: Model) -> None:
    with Engine(model, max_batch=1) as engine:
        running, waiting = engine.submit([1, 2], max_tokens=250, ignore_eos=True), engine.submit([3, 4], **OPTIONS)
        pieces = iter(running)
        next(pieces)
        waiting.cancel()
        assert waiting.result(timeout=10).reason == "cancelled" and waiting.completion.ids == []
        running.cancel()
        assert running.result(timeout=10).reason == "cancelled" and 0 < len(running.completion.ids) < 250
        running.cancel()  # again: nothing happens
        assert engine.health.pages_used == 0
        assert len(engine.submit([5, 6], **OPTIONS).result().ids) == 12


def test_streams_in_asyncio(model: Model) -> None:
    async def all_of_them(engine: Engine) -> list[str]:
        requests = [engine.submit([i + 1, 2, 3], **OPTIONS) for i in range(5)]
        streams = ["".join([piece async for piece in request]) for request in requests[:3]]
        return [*streams, *[(await request).text for request in requests[3:]]]

    with Engine(model) as engine:
        expected = [engine.submit([i + 1, 2, 3], **OPTIONS).result().text for i in range(5)]
        assert asyncio.run(all_of_them(engine)) == expected


def test_eight_threads(model: Model) -> None:
    texts = prompts(random.Random(8), 8, 100)
    alone = [model.generate(p, **OPTIONS).ids for p in texts]
    results: dict[int, list[int]] = {}

    def work(i: int) -> None:
        for _ in range(3):
            results[i] = model.generate(texts[i], **OPTIONS).ids
            assert results[i] == alone[i]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [results[i] for i in range(8)] == alone


def test_samples_of_one_prompt_share_its_pages(model: Model) -> None:
    prompt = [5 + i % 90 for i in range(150)]
    samples = model.generate(prompt, n=4, temperature=1.0, seed=7, **OPTIONS)
    assert len({tuple(s.ids) for s in samples}) > 1
    assert [s.seed for s in samples] == [7, 8, 9, 10]
    assert [s.cached_tokens for s in samples[1:]] == [128] * 3
    assert model.generate(prompt, temperature=1.0, seed=9, **OPTIONS).ids == samples[2].ids


@pytest.mark.parametrize("option", [{}, {"temperature": 0.8, "seed": 3}, {"logprobs": 2}, {"repetition_penalty": 1.3}])
def test_the_first_token_comes_with_the_end_of_a_prompt(
    model: Model, option: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sequence that is alone gets it from the Program that reads the rest of its prompt; the tokens are the same."""
    common = [5 + i % 90 for i in range(140)]
    texts = [common[:2], common[:37], common[:64], common[:129], [*common, 7, 8, 9], [*common, 9, 8, 7, 6, 5]]
    texts.append([7, *common[:100]])
    firsts: list[int] = []
    first = Runner.first
    monkeypatch.setattr(Runner, "first", lambda *args: (firsts.append(args[1].m), first(*args))[1])
    with Engine(model) as engine:
        together = [engine.submit(p, **OPTIONS, **option).result() for p in texts]
        assert len(firsts) == 6  # the fourth prompt has 64 tokens to read: with one more, they would be padded
        assert [c.cached_tokens for c in together] == [0, 2, 37, 64, 129, 140, 0]
        engine._core.forget()
        running = engine.submit([3, 4], max_tokens=60, ignore_eos=True)
        while not running.completion.ids:
            time.sleep(0.001)
        before = len(firsts)
        engine.submit(common[:20], **OPTIONS, **option).result()
        assert len(firsts) == before or running.done  # with others, it takes part in their steps
        monkeypatch.setattr(Loop, "_is_alone", lambda *_: False)
        engine._core.forget()
        apart = [engine.submit(p, **OPTIONS, **option).result() for p in texts]
    assert [c.ids for c in together] == [c.ids for c in apart]
    for a, b in zip(together, apart, strict=True):
        np.testing.assert_allclose(a.logprobs, b.logprobs, atol=1e-4)


def test_the_end_of_a_prompt_is_prepared_for_the_next_one(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a GPU, where a thread submits. The commands see what belongs to the prompt that uses them."""
    common = [5 + i % 90 for i in range(64)]
    texts = [[*common[: 50 * (i % 2)], 7, i, *range(i)] for i in range(1, 7)]
    first, firsts = Runner.first, list[tuple[int, int]]()
    submit, prepared = Program._submit_prepared, list[Program]()
    monkeypatch.setattr(Runner, "first", lambda *of: (firsts.append((of[1].m, of[1].tile)), first(*of))[1])
    monkeypatch.setattr(Program, "_submit_prepared", lambda *of: (prepared.append(of[0]), submit(*of))[1])
    ids = {}
    for thread in ("0", "1"):
        monkeypatch.setenv("WGPT_SUBMIT_THREAD", thread)
        with Engine(model) as engine:
            firsts.clear()
            engine.submit(common, max_tokens=1).result()  # its pages are there afterwards
            ids[thread] = [engine.submit(text, **OPTIONS).result().ids for text in texts]
    assert ids["1"] == ids["0"] and len({tuple(each) for each in ids["0"]}) > 1
    assert len(prepared) == len(firsts) - len(set(firsts)) >= 3


def test_log_probabilities(model: Model) -> None:
    completion = model.generate([5, 6, 7], logprobs=3, **OPTIONS)
    scores = model.logprobs([5, 6, 7, *completion.ids])
    np.testing.assert_allclose(completion.logprobs, scores[2:], atol=1e-4)
    for token, value, top in zip(completion.ids, completion.logprobs, completion.top_logprobs, strict=True):
        assert next(iter(top)) == token and top[token] == pytest.approx(value, abs=1e-6)
        assert list(top.values()) == sorted(top.values(), reverse=True) and len(top) == 3


def test_penalties_bias_and_min_tokens(model: Model) -> None:
    prompt = [5, 6, 7]
    plain = model.generate(prompt, **OPTIONS).ids
    once = model.generate(prompt, frequency_penalty=2.0, presence_penalty=2.0, repetition_penalty=50.0, **OPTIONS).ids
    assert len(set(once)) == len(once) and not set(once) & set(prompt)
    biased = model.generate(prompt, logit_bias={17: 1000.0}, **OPTIONS).ids
    assert biased == [17] * 12
    stop = plain[2]
    ended = model.generate(prompt, stop_token_ids=[stop], max_tokens=12)
    assert ended.ids == plain[:3] and ended.reason == "stop"
    longer = model.generate(prompt, stop_token_ids=[stop], min_tokens=8, max_tokens=12, ignore_eos=True)
    assert stop not in longer.ids[:8] and len(longer.ids) >= 8


def test_a_bias_that_leaves_no_token_is_refused(model: Model) -> None:
    vocab = model.config.vocab
    everything = dict.fromkeys(range(vocab), -np.inf)
    one = {token: bias for token, bias in everything.items() if token != 102}
    ends = {token: bias for token, bias in everything.items() if token not in (2, 7)}
    with Engine(model) as engine:
        with pytest.raises(WgptError, match=f"logit_bias rules out all {vocab} tokens: leave at least one"):
            engine.submit([1, 2, 3], logit_bias=everything)
        with pytest.raises(WgptError, match="but those that end the text, and min_tokens 3 rules out these"):
            engine.submit([1, 2, 3], logit_bias=ends, stop_token_ids=[2, 7], min_tokens=3)
        assert engine.submit([1, 2, 3], logit_bias=one, max_tokens=2).result().ids == [102, 102]


def test_requests_of_all_kinds_side_by_side(model: Model) -> None:
    """In one batch, each gets what it gets alone."""
    kinds = [
        {},
        {"temperature": 0.8, "seed": 3},
        {"logit_bias": {17: 3.0}},
        {"repetition_penalty": 1.3},
        {"logprobs": 2},
        {"temperature": 1.0, "top_k": 20, "seed": 9, "presence_penalty": 0.5},
        {"min_tokens": 5},
    ]
    with Engine(model) as engine:
        alone = [engine.submit([9, 8, 7], **OPTIONS, **kind).result().ids for kind in kinds]
        together = [engine.submit([9, 8, 7], **OPTIONS, **kind) for kind in kinds]
        assert [request.result().ids for request in together] == alone


@pytest.mark.parametrize("options", [{}, {"temperature": 0.3, "seed": 4}], ids=["greedy", "sampled"])
def test_speculation_gives_the_same_tokens(model: Model, options: dict[str, float]) -> None:
    loop = [5, 44, 130, 7, 201, 90] * 6
    texts = [loop, [9, 44, 300] * 5, [1, 2, 3], [*loop, 9], [7] * 30]
    many = {"max_tokens": 90, "ignore_eos": True, **options}
    plain = [model.generate(p, **many).ids for p in texts]
    with Engine(model, speculation="ngram") as engine:
        assert [engine.submit(p, **many).result().ids for p in texts] == plain
        requests = [engine.submit(p, **many) for p in texts]
        assert [r.result().ids for r in requests] == plain
        speculation = engine._core.runner.speculation
        assert speculation is not None and 0 < speculation.accepted < speculation.drafted


def test_an_error_of_the_gpu_ends_what_it_hit(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine(model, max_batch=1) as engine:
        hit, waiting = engine.submit([1, 2, 3], max_tokens=250, ignore_eos=True), engine.submit([4, 5], **OPTIONS)
        next(iter(hit))
        result = Pending.result
        broken = iter([ValidationError("a faulty step")])

        def fails_once(self: Pending, *args: object) -> object:
            error = next(broken, None)
            if error is not None:
                raise error
            return result(self, *args)  # type: ignore[arg-type]

        monkeypatch.setattr(Pending, "result", fails_once)
        with pytest.raises(ValidationError, match="a faulty step"):
            hit.result(timeout=10)
        assert len(waiting.result(timeout=10).ids) == 12
        assert engine.health.alive and engine.health.pages_used == 0


def test_a_lost_gpu_ends_the_engine(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine(model) as engine:
        running = engine.submit([1, 2, 3], max_tokens=250, ignore_eos=True)
        next(iter(running))

        def lost(self: Pending, *args: object) -> object:
            raise DeviceLostError("the GPU is gone")

        with monkeypatch.context() as patch:
            patch.setattr(Pending, "result", lost)
            with pytest.raises(DeviceLostError, match="the GPU is gone"):
                running.result(timeout=10)
        assert not engine.health.alive and engine.health.error == "the GPU is gone"
        with pytest.raises(EngineError, match="the GPU is gone"):
            engine.submit([1, 2])


def test_closing_ends_requests(model: Model) -> None:
    engine = Engine(model)
    running = engine.submit([1, 2, 3], max_tokens=250, ignore_eos=True)
    next(iter(running))
    engine.close()
    with pytest.raises(EngineError, match="the engine was closed"):
        running.result(timeout=10)
    with pytest.raises(EngineError, match="the engine was closed"):
        engine.submit([1, 2])
    engine.close()


def test_what_is_refused(model: Model) -> None:
    with pytest.raises(WgptError, match="speculation must be ngram, not 'medusa'"):
        Engine(model, speculation="medusa")
    with pytest.raises(WgptError, match="speculation and deterministic exclude each other"):
        Engine(model, speculation="ngram", deterministic=True)
    with Engine(model) as engine:
        with pytest.raises(WgptError, match="unknown option 'mask'"):
            engine.submit([1], mask=3)
        with pytest.raises(WgptError, match="adapter 'x' is not loaded; loaded: none"):
            engine.submit([1], lora="x")
        with pytest.raises(WgptError, match="min_tokens must be a whole number from 0 to 4, not 5"):
            engine.submit([1], max_tokens=4, min_tokens=5)
        with pytest.raises(WgptError, match="stop_token_ids names token 9999, outside the vocabulary"):
            engine.submit([1], stop_token_ids=[9999])
