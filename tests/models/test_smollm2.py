"""The real SmolLM2-135M against transformers, which computes in float64 with the same file's weights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wgpt import Model, load
from wgpt.gpu import GpuDevice

from .compare import error
from .golden import FOLDER

pytestmark = [pytest.mark.gpu, pytest.mark.slow]
Truth = dict[str, np.ndarray]


@pytest.fixture(scope="module")
def truth() -> Truth:
    with np.load(FOLDER / "smollm2.npz") as saved:
        return dict(saved)


@pytest.fixture(scope="module")
def model(device: GpuDevice, smollm2_path: Path) -> Iterator[Model]:
    with load(smollm2_path, device=device) as found:
        yield found


# Keys and values rounded to halves, and nothing else, move one token of the chat by 0.022: so NumPy says in float64.
@pytest.mark.parametrize("cache, most, mean", [("f32", 3e-4, 1e-4), ("f16", 0.025, 0.001)])
def test_every_token_is_as_likely(model: Model, truth: Truth, cache: str, most: float, mean: float) -> None:
    texts = [truth[f"ids_{i}"].tolist() for i in range(3)]
    scorer = Model(model.network, None, cache=cache)
    off = [scorer.logprobs(ids) - truth[f"logprobs_{i}"] for i, ids in enumerate(texts)]
    scorer.session(64, slots=1).release()
    assert all(np.abs(one).max() < most and abs(one.mean()) < mean for one in off)


def test_hidden_states(model: Model, truth: Truth) -> None:
    """Of the first half of each text, whose second half they do not depend on."""
    for i in range(3):
        rows = truth[f"rows_{i}"][:5]
        found = model.hidden(truth[f"ids_{i}"][: rows[-1] + 1].tolist())[rows]
        assert error(found, truth[f"hidden_{i}"][:5]) < 1e-3


def test_it_knows_a_capital(model: Model, truth: Truth) -> None:
    question = [{"role": "user", "content": "What is the capital of France?"}]
    assert model.chat_ids(question) == truth["france_prompt"].tolist()
    answer = model.chat(question)
    assert answer.ids == truth["france_answer"].tolist()
    assert (answer.text, answer.reason) == ("The capital of France is Paris.", "eos")
    assert "".join(model.stream_chat(question)) == answer.text
    assert model.generate(truth["france_prompt"].tolist()).ids == answer.ids
