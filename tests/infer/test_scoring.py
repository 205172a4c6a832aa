"""Log-probabilities of many texts at once: those of each alone, and of NumPy from all logits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wgpt import Model, load
from wgpt.gpu import GpuDevice, WgptError

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
