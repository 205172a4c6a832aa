"""Abandoned streams, and calls between their pieces: the same text as alone, whatever comes in between."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.models.compare import TOLERANCE, error
from tests.models.golden import Golden
from wgpt import Model, WgptError, load
from wgpt.gpu import GpuDevice

pytestmark = pytest.mark.gpu
OTHER = [9, 44, 131, 7, 17, 18, 19, 20, 21]
OPTIONS = {"max_tokens": 12, "ignore_eos": True}
BETWEEN: dict[str, Callable[[Model], object]] = {
    "another prompt": lambda model: model.generate(OTHER, **OPTIONS),
    "another stream": lambda model: next(model.stream(OTHER, **OPTIONS)),
    "a batch": lambda model: model.generate([OTHER, OTHER], **OPTIONS),
    "logits": lambda model: model.logits(OTHER),
}


@pytest.mark.parametrize("between", BETWEEN)
def test_a_stream_goes_on_after(short: Model, truth: Golden, between: str) -> None:
    run = truth.runs[1]
    stream = short.stream(run.ids, **OPTIONS)
    pieces = [next(stream)]
    BETWEEN[between](short)
    pieces += stream
    assert stream.completion.ids == run.greedy and stream.completion.reason == "length"
    assert "".join(pieces) == stream.completion.text == short.tokenizer.decode(run.greedy)
    assert short.generate(run.ids, **OPTIONS).ids == run.greedy


def test_streams_read_in_turn(shared: Model) -> None:
    """A piece of each at a time: endless ones, so that all of them run at once."""
    prompts = [[5, 44, 130, 7], [9, 8, 7, 6, 5, 4], [201, 90, 33]]
    options = {"max_tokens": 10**6, "ignore_eos": True, "overflow": "slide"}
    expected = [shared.generate(prompt, max_tokens=200, ignore_eos=True).ids for prompt in prompts]
    streams = [shared.stream(prompt, **options) for prompt in prompts]
    for _ in range(20):
        for stream in streams:
            next(stream)
    assert all(stream.completion.reason == "" for stream in streams)
    for stream, ids in zip(streams, expected, strict=True):
        stream.close()
        same = min(len(ids), len(stream.completion.ids))
        assert stream.completion.reason == "cancelled" and same >= 20
        assert stream.completion.ids[:same] == ids[:same]


@pytest.mark.parametrize("between", BETWEEN)
def test_a_stream_that_is_closed_after(short: Model, truth: Golden, between: str) -> None:
    """The cache has changed since its first piece."""
    run = truth.runs[1]
    stream = short.stream(run.ids, **OPTIONS)
    next(stream)
    BETWEEN[between](short)
    stream.close()
    assert short.generate(run.ids, **OPTIONS).ids == run.greedy
    assert short.generate([*run.ids, *run.greedy[:6]], max_tokens=6, ignore_eos=True).ids == run.greedy[6:]


def test_scoring_between_the_pieces_disturbs_nothing(short: Model, truth: Golden) -> None:
    run = truth.runs[1]
    stream = short.stream(run.ids, **OPTIONS)
    next(stream)
    assert error(short.logits(truth.runs[2].ids), truth.runs[2].logits) < TOLERANCE
    short.perplexity(OTHER)
    list(stream)
    assert stream.completion.ids == run.greedy
    again = short.generate([*run.ids, *run.greedy], max_tokens=2, ignore_eos=True)
    assert again.cached_tokens == len(run.ids) + 11


def test_streams_one_after_the_other(short: Model, truth: Golden) -> None:
    """Made together, read in turn: both are generated meanwhile."""
    streams = [short.stream(run.ids, max_tokens=8, ignore_eos=True) for run in truth.runs[:2]]
    for stream, run in zip(streams, truth.runs, strict=False):
        assert "".join(stream) == short.tokenizer.decode(run.greedy[:8])
        assert stream.completion.ids == run.greedy[:8]


def test_streams_that_are_left_again_and_again(short: Model, truth: Golden) -> None:
    """As Ctrl-C in a chat does: at any piece, closed or dropped."""
    run = truth.runs[1]
    for pieces in range(1, 6):
        stream = short.stream(run.ids, **OPTIONS)
        for _ in range(pieces):
            next(stream)
        if pieces % 2:
            stream.close()
        del stream
    assert short.generate(run.ids, **OPTIONS).ids == run.greedy


@pytest.mark.parametrize("begun", [False, True], ids=["before its first piece", "after its first piece"])
def test_a_stream_of_a_model_that_was_closed_says_so(truth: Golden, device: GpuDevice, begun: bool) -> None:
    """After the pieces that were generated before."""
    with load(truth.folder, device=device) as model:
        expected = model.generate(truth.runs[1].ids, max_tokens=200, ignore_eos=True).ids
        stream = model.stream(truth.runs[1].ids, max_tokens=10**6, ignore_eos=True, overflow="slide")
        if begun:
            next(stream)
    with pytest.raises(WgptError, match="llama-gqa was closed: load it again"):
        list(stream)
    same = min(200, len(stream.completion.ids))
    assert stream.completion.ids[:same] == expected[:same] and same >= begun


def test_a_stream_that_had_ended_when_the_model_was_closed(truth: Golden, device: GpuDevice) -> None:
    """Nothing is missing, so nothing is wrong."""
    with load(truth.folder, device=device) as model:
        stream = model.stream(truth.runs[1].ids, **OPTIONS)
        model.generate(truth.runs[1].ids, max_tokens=40, ignore_eos=True)  # ends later
    assert "".join(stream) == stream.completion.text == model.tokenizer.decode(truth.runs[1].greedy)
