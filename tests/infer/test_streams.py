"""Abandoned streams, and calls between their pieces: an error, never a wrong continuation."""

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
    "the session's own scoring": lambda model: model.session(32).logits({0: OTHER}),
}


@pytest.mark.parametrize("between", BETWEEN)
def test_a_stream_cannot_go_on_after(short: Model, truth: Golden, between: str) -> None:
    run = truth.runs[1]
    stream = short.stream(run.ids, **OPTIONS)
    next(stream)
    BETWEEN[between](short)
    with pytest.raises(WgptError, match="this stream"):
        list(stream)
    assert stream.completion.ids == run.greedy[: len(stream.completion.ids)]
    assert short.generate(run.ids, **OPTIONS).ids == run.greedy


@pytest.mark.parametrize("between", BETWEEN)
def test_a_stream_that_is_closed_after(short: Model, truth: Golden, between: str) -> None:
    """The cache has changed since the stream stopped."""
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
    """Made together, begun in turn: nothing happens before the first piece is asked for."""
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
    with load(truth.folder, device=device) as model:
        stream = model.stream(truth.runs[1].ids, **OPTIONS)
        if begun:
            next(stream)
    message = "the model was closed or used for something else meanwhile" if begun else "was closed: load it again"
    with pytest.raises(WgptError, match=message):
        next(stream)


def test_a_stream_that_begins_after_a_batch_goes_its_way(truth: Golden, device: GpuDevice) -> None:
    with load(truth.folder, device=device) as model:
        expected = model.generate(truth.runs[1].ids, **OPTIONS).text
        stream = model.stream(truth.runs[1].ids, **OPTIONS)
        model.generate([OTHER, OTHER], **OPTIONS)
        assert "".join(stream) == expected
