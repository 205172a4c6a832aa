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
from wgpt.infer import turns

pytestmark = pytest.mark.gpu
PROMPTS = [[5, 44, 130, 7], [9, 8, 7, 6, 5, 4], [201, 90, 33], [12] * 20]
OPTIONS = {"max_tokens": 12, "ignore_eos": True}


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


def test_another_thread_waits_for_a_half_read_stream(shared: Model) -> None:
    expected = [shared.generate(prompt, **OPTIONS).ids for prompt in PROMPTS[:2]]
    stream = shared.stream(PROMPTS[0], **OPTIONS)
    next(stream)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(lambda: shared.generate(PROMPTS[1], **OPTIONS).ids)
        score = together(lambda: shared.perplexity(PROMPTS[3]))  # disturbs nothing and does not wait
        assert score and not other.done()
        list(stream)
        assert stream.completion.ids == expected[0]
        assert other.result(timeout=60) == expected[1]


@pytest.mark.parametrize("way", ["closed", "dropped", "a dead thread's", "not read any more"])
def test_streams_that_are_left_do_not_hold_others_up(
    shared: Model, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    expected = shared.generate(PROMPTS[1], **OPTIONS).ids
    stream = shared.stream(PROMPTS[0], **OPTIONS)
    if way == "a dead thread's":
        together(lambda: next(stream))
    else:
        next(stream)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(lambda: shared.generate(PROMPTS[1], **OPTIONS).ids)
        time.sleep(0.1)
        if way == "closed":
            stream.close()
        if way == "dropped":
            del stream
        if way == "not read any more":
            assert not other.done()
            monkeypatch.setattr(turns, "ABANDONED_SECONDS", 0.05)
        assert other.result(timeout=60) == expected
    if way in ("a dead thread's", "not read any more"):
        with pytest.raises(WgptError, match="this stream cannot continue"):
            list(stream)


def test_a_stream_that_waits_while_the_session_is_replaced(truth: Golden, device: GpuDevice) -> None:
    """It takes the session when it begins: the one that was there when it was made may be gone."""
    with load(truth.folder, cache="f32", device=device) as model:
        expected = model.generate(PROMPTS[0], **OPTIONS).ids
        stream = model.stream(PROMPTS[0], **OPTIONS)
        model.generate(PROMPTS[:3], **OPTIONS)
        list(stream)
        assert stream.completion.ids == expected


def test_closing_while_others_generate(truth: Golden, device: GpuDevice) -> None:
    """The running call succeeds; later ones get an error."""
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
