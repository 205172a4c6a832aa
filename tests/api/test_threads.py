"""One Model in several threads: each thread gets the same results as alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.models.golden import Golden
from wgpt import ForwardPass, Model, WgptError, load
from wgpt.gpu import GpuDevice

pytestmark = pytest.mark.gpu
PROMPTS = [[5, 44, 130, 7], [9, 8, 7, 6, 5, 4], [201, 90, 33], [12] * 20]
OPTIONS = {"max_tokens": 12, "ignore_eos": True}
ENDLESS = {"max_tokens": 10**6, "ignore_eos": True, "overflow": "slide"}


def together(*calls: Callable[[], object]) -> list[object]:
    """The results of the calls, each in its own thread, started at the same time."""
    begin = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        begin.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(run, call) for call in calls]]


def test_generation_in_four_threads(shared: Model) -> None:
    """Of different lengths, sampled, in batches and as streams, again and again."""

    def stream(prompt: list[int]) -> list[int]:
        stream = shared.stream(prompt, **OPTIONS)
        list(stream)
        return stream.completion.ids

    calls: list[Callable[[], object]] = [
        lambda: shared.generate(PROMPTS[0], **OPTIONS).ids,
        lambda: shared.generate(PROMPTS[1], temperature=1.0, seed=3, **OPTIONS).ids,
        lambda: [c.ids for c in shared.generate(PROMPTS[2:], **OPTIONS)],
        lambda: stream(PROMPTS[3]),
    ]
    expected = [call() for call in calls]
    for _ in range(5):
        assert together(*calls) == expected


def test_everything_else_in_threads(shared: Model) -> None:
    calls: list[Callable[[], object]] = [
        lambda: shared.generate(PROMPTS[0], **OPTIONS).ids,
        lambda: shared.perplexity(PROMPTS[3]),
        lambda: shared.logits(PROMPTS[1]).tolist(),
        lambda: shared.hidden(PROMPTS[2]).tolist(),
        lambda: shared.logprobs(PROMPTS[2]).tolist(),
        shared.detach,
        shared.forget,
    ]
    expected = [call() for call in calls]
    for _ in range(3):
        assert together(*calls) == expected


def test_a_forward_pass_in_threads(shared: Model) -> None:
    forward = ForwardPass(device=shared.device).with_resident_weights(shared)
    expected = [forward.forward_hidden(prompt) for prompt in PROMPTS]
    for _ in range(3):
        hidden = together(*[lambda prompt=prompt: forward.forward_hidden(prompt) for prompt in PROMPTS])
        assert all((np.asarray(a) == b).all() for a, b in zip(hidden, expected, strict=True))
    forward.release()


def test_other_threads_do_not_wait_for_a_half_read_stream(shared: Model) -> None:
    expected = [shared.generate(prompt, **OPTIONS).ids for prompt in PROMPTS[:2]]
    stream = shared.stream(PROMPTS[0], **ENDLESS)
    next(stream)
    other, score = together(lambda: shared.generate(PROMPTS[1], **OPTIONS).ids, lambda: shared.perplexity(PROMPTS[3]))
    assert other == expected[1] and score
    assert stream.completion.reason == "", "it runs all the while"
    while len(stream.completion.ids) < 12:
        next(stream)
    stream.close()
    assert stream.completion.ids[:12] == expected[0]


@pytest.mark.parametrize("way", ["closed", "dropped", "a dead thread's", "not read any more"])
def test_streams_that_are_left_do_not_hold_others_up(shared: Model, way: str) -> None:
    expected = shared.generate(PROMPTS[1], **OPTIONS).ids
    engine = shared._engines.generator()
    stream = shared.stream(PROMPTS[0], **ENDLESS)
    if way == "a dead thread's":
        together(lambda: next(stream))
    else:
        next(stream)
    completion = stream.completion
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(lambda: shared.generate(PROMPTS[1], **OPTIONS).ids)
        if way == "closed":
            stream.close()
        if way == "dropped":
            del stream
        assert other.result(timeout=60) == expected
    if way in ("a dead thread's", "not read any more"):  # it goes on, for any thread
        assert completion.reason == "" and next(stream)
        stream.close()
    deadline = time.monotonic() + 10
    while engine.health.running and time.monotonic() < deadline:
        time.sleep(0.01)
    assert engine.health.running == 0 and completion.reason == "cancelled", "nothing is generated for nobody"


def test_a_stream_and_a_batch_at_the_same_time(truth: Golden, device: GpuDevice) -> None:
    with load(truth.folder, cache="f32", device=device) as model:
        expected = model.generate(PROMPTS[0], **OPTIONS).ids
        stream = model.stream(PROMPTS[0], **OPTIONS)
        model.generate(PROMPTS[:3], **OPTIONS)
        list(stream)
        assert stream.completion.ids == expected


def test_closing_while_others_generate(truth: Golden, device: GpuDevice) -> None:
    """Each call succeeds or gets an error that says so; later ones get the error."""
    model = load(truth.folder, cache="f32", device=device)
    expected = model.generate(PROMPTS[0], **OPTIONS).ids

    def generate() -> object:
        try:
            return model.generate(PROMPTS[0], **OPTIONS).ids
        except WgptError as error:
            return str(error)

    *outcomes, _ = together(generate, generate, generate, model.close)
    assert all(outcome == expected or "was closed: load it again" in str(outcome) for outcome in outcomes)
    assert "was closed" in str(generate())
