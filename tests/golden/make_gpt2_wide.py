"""Writes tests/golden/gpt2-wide.npz: what transformers computes from GPT-2's real width, of seeded weights.

Run by hand, and again only when tests/models/gpt2_wide.py changes (needs no GPU, 2 GB of memory; about a minute):

    golden-venv/bin/python -m tests.golden.make_gpt2_wide        # the environment of make_models.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModelForCausalLM

from tests.golden.make_models import forward
from tests.models import gpt2_wide

TOKENS = 16  # one tile of rows, to be quick on a software driver
FOLLOWING = 4
CLEAR = 0.02  # between the likeliest token and the next one: far more than f32 rounding can change
# Rows on both sides of where a 128 MiB binding ends in a table of 768 f32, and the ends of the table.
BOUNDARY = 43648
ENDS = [0, 1, BOUNDARY - 1, BOUNDARY, BOUNDARY + 1, 43690, 43691, 50255, 50256]


def main() -> None:
    weights = gpt2_wide.weights()
    with tempfile.TemporaryDirectory() as folder:
        gpt2_wide.write_folder(Path(folder), weights)
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).double().eval()
    rng = np.random.default_rng(14)
    vocab = gpt2_wide.CONFIG["vocab_size"]
    greedy: list[int] | None = None
    while greedy is None:
        ids = rng.permutation([*ENDS, *rng.integers(0, vocab, TOKENS - len(ENDS)).tolist()]).tolist()
        greedy = follow(model, ids)
    logits, _ = forward(model, ids)
    positions = np.array([0, 7, TOKENS - 1])
    columns = np.unique([*ENDS, *logits.argmax(1), *greedy, *rng.integers(0, vocab, 2000)])
    np.savez_compressed(
        gpt2_wide.FILE,
        ids=np.array(ids, np.int32),
        logsumexp=np.logaddexp.reduce(logits, axis=1).astype(np.float32),
        argmax=logits.argmax(1).astype(np.int32),
        positions=positions,
        columns=columns.astype(np.int32),
        logits=logits[positions][:, columns].astype(np.float32),
        greedy=np.array(greedy, np.int32),
        checksum=gpt2_wide.checksum(weights),
    )
    print(f"logits up to {np.abs(logits).max():.1f}, spread {logits.std():.2f}; then {greedy}")


def follow(model: torch.nn.Module, ids: list[int]) -> list[int] | None:
    """The greedy continuation, if every choice is clear and it does not just repeat a token."""
    sequence = list(ids)
    for _ in range(FOLLOWING):
        last = forward(model, sequence)[0][-1]
        second, first = np.sort(last)[-2:]
        if first - second < CLEAR:
            return None
        sequence.append(int(last.argmax()))
    after = sequence[len(ids) :]
    return after if len(set(after)) > 2 else None


if __name__ == "__main__":
    main()
