"""Reuse of the cache: it must hold the beginning of the next prompt, whatever came between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from wgpt import Model, load
from wgpt.gpu import GpuDevice

TINY = Path(__file__).parents[1] / "golden" / "models" / "llama-gqa"
PROMPT = [5, 44, 130, 7, 201, 90, 33, 12]
OTHER = [9, 44, 131, 7, 17, 18, 19, 20, 21]
OPTIONS = {"max_tokens": 12, "ignore_eos": True}

pytestmark = pytest.mark.gpu


@pytest.fixture
def model(device: GpuDevice) -> Iterator[Model]:
    with load(TINY, device=device, cache="f32", context=48) as model:
        yield model


@pytest.fixture
def roomy(device: GpuDevice) -> Iterator[Model]:
    """A model whose cache has several pages."""
    with load(TINY, device=device, cache="f32") as model:
        yield model


@pytest.fixture
def fresh(device: GpuDevice) -> Iterator[Model]:
    """A model with an unused cache, as the reference."""
    with load(TINY, device=device, cache="f32", context=48) as model:
        yield model


def test_a_continued_prompt_is_read_from_where_it_goes_on(model: Model, fresh: Model) -> None:
    first = model.generate(PROMPT, **OPTIONS)
    longer = [*PROMPT, *first.ids, 3, 4]
    second = model.generate(longer, **OPTIONS)
    assert second.cached_tokens == len(PROMPT) + len(first.ids) - 1
    assert second.ids == fresh.generate(longer, **OPTIONS).ids


def test_a_stream_that_is_closed_keeps_what_it_read(roomy: Model, fresh: Model) -> None:
    stream = roomy.stream(PROMPT, temperature=1.0, seed=1, max_tokens=240, ignore_eos=True)
    for _ in range(3):
        next(stream)
    stream.close()
    so_far = list(stream.completion.ids)
    assert 3 <= len(so_far) < 240 and stream.completion.reason == "cancelled"
    longer = [*PROMPT, *so_far, 3, 4]
    second = roomy.generate(longer, **OPTIONS)
    assert second.cached_tokens == len(PROMPT) + len(so_far) - 1
    roomy.forget()
    anew = roomy.generate(longer, **OPTIONS)
    assert (second.ids, anew.cached_tokens) == (anew.ids, 0)


def test_streams_at_the_same_time_keep_what_they_read(model: Model, fresh: Model) -> None:
    """Of pages that are filled in part, one is kept after each beginning: perhaps the other prompt is read again."""
    stale = model.stream(PROMPT, **OPTIONS)
    next(stale)
    first = model.generate(OTHER, **OPTIONS)
    stale.close()
    again, other = model.generate(PROMPT, **OPTIONS), model.generate(OTHER, **OPTIONS)
    assert again.ids == fresh.generate(PROMPT, **OPTIONS).ids
    assert first.ids == other.ids == fresh.generate(OTHER, **OPTIONS).ids


def test_pages_are_shared_by_those_that_run(roomy: Model) -> None:
    """Three prompts with 130 tokens in common: two pages are read once, by whoever is first."""
    common = [5 + i % 200 for i in range(130)]
    prompts = [[*common, token] for token in (7, 8, 9)]
    expected = [roomy.generate(prompt, **OPTIONS).ids for prompt in prompts]
    roomy.forget()
    together = roomy.generate(prompts, **OPTIONS)
    assert [each.ids for each in together] == expected
    assert [each.cached_tokens for each in together] == [0, 128, 128]
    again = roomy.generate(prompts, **OPTIONS)
    assert [each.ids for each in again] == expected and all(each.cached_tokens >= 128 for each in again)


def test_scoring_in_between(model: Model, fresh: Model) -> None:
    model.generate(PROMPT, **OPTIONS)
    model.logits(OTHER)
    again = model.generate(PROMPT, **OPTIONS)
    assert again.cached_tokens > 0, "scoring has a cache of its own"
    assert again.ids == fresh.generate(PROMPT, **OPTIONS).ids


def test_a_context_that_slid(model: Model, fresh: Model) -> None:
    slid = model.generate(PROMPT, max_tokens=60, ignore_eos=True, overflow="slide")
    assert len(slid.ids) == 60
    again = model.generate(PROMPT, **OPTIONS)
    assert again.cached_tokens == 0
    assert again.ids == fresh.generate(PROMPT, **OPTIONS).ids


def test_options_that_are_refused_change_nothing(model: Model, fresh: Model) -> None:
    first = model.generate(PROMPT, **OPTIONS)
    with pytest.raises(Exception, match="outside the vocabulary"):
        model.generate(OTHER, logit_bias={10**6: 1.0})
    longer = [*PROMPT, *first.ids, 3]
    again = model.generate(longer, **OPTIONS)
    assert again.cached_tokens > 0 and again.ids == fresh.generate(longer, **OPTIONS).ids
