"""Log-probabilities of many texts at once: those of each alone, and of NumPy from all logits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.models.compare import TOLERANCE
from tests.models.golden import Golden
from wgpt import Model, load
from wgpt.core.errors import WgptError
from wgpt.gpu import GpuDevice
from wgpt.models import reference

TINY = Path(__file__).parents[1] / "golden" / "models" / "llama-gqa"
LENGTHS = (3, 200, 1, 17, 64, 65, 9, 2, 33, 100, 12, 256)

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def model(device: GpuDevice) -> Iterator[Model]:
    with load(TINY, device=device) as model:
        yield model


@pytest.fixture(scope="module")
def texts(model: Model) -> list[list[int]]:
    rng = np.random.default_rng(0)
    return [rng.integers(0, model.config.vocab, length).tolist() for length in LENGTHS]


def test_each_is_what_it_is_alone(model: Model, texts: list[list[int]]):
    several = model.logprobs(texts)
    assert [len(logprobs) for logprobs in several] == [length - 1 for length in LENGTHS]
    for ids, logprobs in zip(texts, several, strict=True):
        assert np.allclose(logprobs, model.logprobs(ids), atol=1e-4)


def test_the_most_likely_token_of_each_place(model: Model, texts: list[list[int]]):
    for ids, (logprobs, likeliest) in zip(texts, model.logprobs(texts, argmax=True), strict=True):
        logits = model.logits(ids)[:-1].astype(np.float64)
        shifted = logits - logits.max(axis=1, keepdims=True)
        expected = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        assert np.allclose(logprobs, expected[np.arange(len(ids) - 1), ids[1:]], atol=1e-4)
        chosen = logits[np.arange(len(ids) - 1), likeliest]
        assert likeliest.shape == logprobs.shape and np.allclose(chosen, logits.max(axis=1), atol=1e-5)


def test_one_prompt_and_lists_of_one(model: Model):
    alone = model.logprobs("The quick brown")
    assert isinstance(alone, np.ndarray)
    (listed,) = model.logprobs(["The quick brown"])
    assert np.array_equal(alone, listed)
    logprobs, likeliest = model.logprobs(model.ids("The quick brown"), argmax=True)
    assert np.allclose(logprobs, alone, atol=1e-6) and likeliest.dtype == np.int64


def test_what_is_refused(model: Model):
    with pytest.raises(WgptError, match="the prompt has 300 tokens, but the context length is 256"):
        model.logprobs([[1, 2], [3] * 300])
    with pytest.raises(WgptError, match="argmax must be True or False"):
        model.logprobs("A", argmax="yes")  # type: ignore[call-overload]
    with pytest.raises(WgptError, match="empty"):
        model.logprobs(["A", ""])


# Perplexity -------------------------------------------------------------------------------------------------------


def as_transformers(truth: Golden, ids: list[int], context: int, stride: int) -> float:
    """The loop of Hugging Face's documentation, with the float64 reference; a mean of tokens, not of windows."""
    losses, before = [], 0
    for begin in range(0, len(ids), stride):
        end = min(begin + context, len(ids))
        window = ids[begin:end]
        labels = np.array(window)
        labels[: before - begin if before else 0] = -100
        logits, labels = reference.logits(truth.config, truth.weights, window)[:-1], labels[1:]
        learnt = np.flatnonzero(labels != -100)
        losses += (np.logaddexp.reduce(logits, axis=1)[learnt] - logits[learnt, labels[learnt]]).tolist()
        before = end
        if end == len(ids):
            break
    assert len(losses) == len(ids) - 1
    return float(np.exp(np.mean(losses)))


@pytest.mark.parametrize(
    ("count", "context", "stride"),
    [(38, 37, None), (39, 37, 36), (43, 37, 1), (102, 37, 13), (37, 37, None), (2, 37, 5), (15, 2, None), (75, 63, 31)],
)
def test_perplexity_is_that_of_transformers_on_the_same_windows(
    shared: Model, truth: Golden, count: int, context: int, stride: int | None
) -> None:
    ids = np.random.default_rng(count).integers(5, 300, count).tolist()
    expected = as_transformers(truth, ids, context, max(1, context // 2) if stride is None else stride)
    assert shared.perplexity(ids, context=context, stride=stride) == pytest.approx(expected, rel=TOLERANCE)


def test_the_last_token_counts(short: Model) -> None:
    """One more than the context length: it was left out."""
    ids = [5, 6, 7] * 16
    assert short.context == len(ids)
    assert len({short.perplexity([*ids, last]) for last in (5, 9, 44)} | {short.perplexity(ids)}) == 4


def test_windows_that_cannot_be(model: Model) -> None:
    for options, message in (
        ({"context": 1}, "context must be"),
        ({"context": 257}, "context must be"),
        ({"stride": 0}, "stride must be"),
        ({"stride": 256}, "stride must be"),
        ({"context": 8, "stride": 8}, "stride must be .*7"),
    ):
        with pytest.raises(WgptError, match=message):
            model.perplexity([5, 6, 7], **options)
