"""Comparison of the GPU's results with the references."""

from __future__ import annotations

import numpy as np

from wgpt import Model
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.models import reference
from wgpt.models.network import Network
from wgpt.models.reference import Array, Config, Weights

from .golden import Golden

CHOICES = {"max_tokens": 12, "ignore_eos": True}  # as many as golden models have
TOLERANCE = 1e-4  # of logits and hidden states with f32 weights and an f32 cache


def error(result: Array, expected: Array) -> float:
    """The largest difference, relative to the largest value."""
    assert result.shape == expected.shape and np.isfinite(result).all()
    return float(np.abs(result - expected).max() / np.abs(expected).max())


def check_values(truth: Golden, model: Model) -> None:
    """Logits and hidden states of a golden model's texts."""
    for run in truth.runs:
        assert error(model.logits(run.ids), run.logits) < TOLERANCE
        assert error(model.hidden(run.ids), run.hidden) < TOLERANCE


def check_greedy(truth: Golden, model: Model) -> None:
    """The likeliest tokens after its texts, alone and together."""
    for run in truth.runs:
        assert model.generate(run.ids, **CHOICES).ids == run.greedy
    completions = model.generate([run.ids for run in truth.runs], **CHOICES)
    assert [completion.ids for completion in completions] == [run.greedy for run in truth.runs]


def decoded(network: Network, prompt: list[int], count: int, capacity: int = 64) -> tuple[list[int], Array]:
    """The likeliest tokens after a prompt, a step each, and the logits that each was chosen by."""
    with FixedBatch(network, capacity, cache="f32", logits=True) as batch:
        batch.start({0: prompt})
        results = [batch.step().result() for _ in range(count)]
    return [int(step["tokens"][0]) for step in results], np.concatenate([step["logits"] for step in results])


def error_of_decoding(network: Network, config: Config, weights: Weights, prompt: list[int], count: int = 4) -> float:
    """The error of the logits of single steps; each chosen token must have the largest logit."""
    ids, logits = decoded(network, prompt, count)
    assert ids == logits.argmax(axis=1).tolist()
    return error(logits, reference.logits(config, weights, [*prompt, *ids[:-1]])[-count:])


def error_of_prefill(network: Network, config: Config, weights: Weights, ids: list[int]) -> float:
    """The error of the logits of all tokens at once."""
    with FixedBatch(network, -(-len(ids) // 16) * 16, cache="f32") as batch:
        return error(batch.logits({0: ids})[0], reference.logits(config, weights, ids))
