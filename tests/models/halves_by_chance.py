"""How far a KV cache of halves moves SmolLM2's log-probabilities, whichever way its values are rounded.

    python -m tests.models.halves_by_chance ~/.cache/wgpt/models/SmolLM2-135M-Instruct.Q4_1.gguf

Values are disturbed by a millionth, which is what the order of f32 sums does, before they are rounded to halves: those
that lie between two halves then go either way. test_smollm2.py takes its bounds from what this prints.
"""

from __future__ import annotations

import sys
from unittest import mock

import numpy as np

from wgpt.formats import open_checkpoint
from wgpt.models import reference
from wgpt.models.reference import Array
from wgpt.models.source import floats, values

from .golden import FOLDER

TOKENS, WAYS = 40, 40


def main(path: str) -> None:
    weights: dict[str, Array] = {}
    with open_checkpoint(path) as checkpoint:
        config = checkpoint.config
        for name, stored in checkpoint.tensors.items():
            rows = stored.rows(0, stored.shape[0])
            weights[name] = np.asarray(values(rows, stored) if len(stored.shape) == 2 else floats(rows), np.float32)
    with np.load(FOLDER / "smollm2.npz") as truth:
        ids, expected = truth["ids_2"][:TOKENS], truth["logprobs_2"][: TOKENS - 1]
    attention, errors = reference.attention, []
    for seed in range(WAYS):
        rng = np.random.default_rng(seed)

        def rounded(x: Array, rng: np.random.Generator = rng) -> Array:
            return (x * (1 + rng.normal(0, 1e-6, x.shape))).astype(np.float16).astype(x.dtype)

        with mock.patch.object(
            reference, "attention", lambda q, k, v, *more, rounded=rounded: attention(q, rounded(k), rounded(v), *more)
        ):
            logits = reference.logits(config, weights, ids, np.float32).astype(np.float64)
        logits -= logits.max(axis=1, keepdims=True)
        logprobs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        difference = logprobs[np.arange(TOKENS - 1), ids[1:]] - expected
        errors.append((np.abs(difference).max(), abs(difference.mean())))
    for name, column in zip(("largest", "mean"), np.array(errors).T, strict=True):
        print(f"{name}: {column.min():.4f} to {column.max():.4f}, on average {column.mean():.4f} +- {column.std():.4f}")


if __name__ == "__main__":
    main(sys.argv[1])
