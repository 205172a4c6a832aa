"""The golden runs of full fine-tuning; their examples are those of golden.load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import golden

FOLDER = golden.FOLDER / "whole"
NAMES = ("llama-gqa", "qwen2", "qwen3", "gpt2")
STEPS, RATE, ACCUMULATE = 20, 1e-3, 2  # of the curves; decay and clipping as golden.py has them


@dataclass(frozen=True)
class Whole:
    loss: float
    gradients: Mapping[str, NDArray[np.float32]]  # by the checkpoint's names, as transformers has them
    losses: NDArray[np.float64] | None  # where there is a curve
    norms: NDArray[np.float64] | None


def load(name: str) -> Whole:
    with np.load(FOLDER / f"{name}.npz") as saved:
        arrays = {key: saved[key] for key in saved}
    gradients = {key.removeprefix("grad."): value for key, value in arrays.items() if key.startswith("grad.")}
    return Whole(float(arrays["loss"]), gradients, arrays.get("losses"), arrays.get("norms"))
