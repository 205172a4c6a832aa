"""Writes tests/golden/odd: of every family a tiny model whose sizes are odd, and what transformers computes from it.

golden-venv/bin/python -m tests.golden.make_odd [FAMILY ...]

Weights are in bf16, which transformers reads as they are and runs in float64. Where a family's heads determine its
hidden size, that is a multiple of 8; its feed-forward and its vocabulary are odd all the same.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
from safetensors.torch import load_file, save_file

from tests.golden.archives import pack
from tests.golden.check_odd_sizes import LENGTH, for_transformers, run
from tests.models.odd_sizes import SMALL
from wgpt.formats.family import families

FOLDER = Path(__file__).parent / "odd"
TRIES = 50


def write(name: str) -> None:
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    for seed in range(TRIES):
        rng = np.random.default_rng(seed)
        try:
            model = for_transformers(folder, name, rng, **SMALL)
        except AssertionError:  # convolutions need a multiple of 4
            model = for_transformers(folder, name, rng, **SMALL | {"hidden_size": 36})
        tensors = {key: w.bfloat16() for key, w in load_file(folder / "model.safetensors").items()}
        save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
        ids = rng.integers(0, model.vocab, LENGTH).tolist()
        result, greedy, gap = run(model, ids)
        if gap > 0.01:
            break
    else:
        raise SystemExit(f"{name}: no continuation is clear enough")
    for path in folder.glob("tokenizer*"):
        path.unlink()
    arrays = {"ids": np.array(ids, np.int32), "greedy": np.array(greedy, np.int32)}
    np.savez_compressed(folder / "golden.npz", result=result.astype(np.float32), **arrays)
    print(f"{name}: {result.shape}, then {greedy}", flush=True)


if __name__ == "__main__":
    for each in sys.argv[1:] or [family.name for family in families()]:
        write(each)
    pack(FOLDER)
