"""The golden runs of classification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from . import golden

FOLDER = golden.FOLDER / "classify"
NAMES = ("llama-gqa", "qwen3", "gpt2")


@dataclass(frozen=True)
class Classified:
    model: Path
    adapter: Path
    texts: list[list[int]]
    labels: list[int]
    scores: NDArray[np.float64]  # [texts, classes]
    loss: float
    gradients: Mapping[str, NDArray[np.float32]]  # of the adapter's matrices, and of "score"


def load(name: str) -> Classified:
    with np.load(FOLDER / name / "golden.npz") as saved:
        arrays = {key: saved[key] for key in saved}
    return Classified(
        model=golden.FOLDER / "models" / name,
        adapter=FOLDER / name,
        texts=[arrays[f"ids_{i}"].tolist() for i in range(len(arrays["labels"]))],
        labels=arrays["labels"].tolist(),
        scores=arrays["scores"],
        loss=float(arrays["loss"]),
        gradients={key.removeprefix("grad."): value for key, value in arrays.items() if key.startswith("grad.")},
    )
