"""The golden training runs: adapters that peft wrote, and what torch computes when it trains them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.models import golden as models

FOLDER = Path(__file__).parents[1] / "golden"
FOLDERS = ("training", "dense_training")  # archives of them
NAMES = tuple(sorted(path.name for each in FOLDERS for path in (FOLDER / each).glob("*") if path.is_dir()))
CURVES = ("losses", "losses_accumulated", "losses_table")
# How every curve was made: warm-up and cosine to 0, betas 0.9 and 0.999, eps 1e-8.
STEPS, WARMUP, RATE, DECAY, CLIP = 50, 5, 1e-2, 0.01, 1.0
IGNORED = -100


@dataclass(frozen=True)
class Example:
    ids: list[int]
    labels: list[int]  # the same ids where they are answers, else IGNORED

    @property
    def targets(self) -> list[int]:
        """For each token the one that it should predict, or -1: labels one earlier, as `Batch.targets` has them."""
        return [-1 if label == IGNORED else label for label in [*self.labels[1:], IGNORED]]


@dataclass(frozen=True)
class Curve:
    """Fifty steps; step s takes `accumulate` micro-batches from s * accumulate on, its loss the mean of all targets."""

    losses: NDArray[np.float64]
    norms: NDArray[np.float64]  # of the gradient, before it is clipped
    rates: NDArray[np.float64]
    accumulate: int
    table: bool = False  # the embedding was rounded through NF4, too


@dataclass(frozen=True)
class Training:
    adapter: Path  # adapter_config.json and adapter_model.safetensors
    model: Path  # the model that it adapts
    examples: list[Example]
    logits: list[NDArray[np.float32]]  # of the last eight tokens of each example, adapter attached
    loss: float
    gradients: Mapping[str, NDArray[np.float32]]  # by target and .A or .B: model.layers.0.self_attn.q_proj.A
    cycle: list[list[Example]]  # the curves' micro-batches
    curves: Mapping[str, Curve]


def load(name: str) -> Training:
    folder = next(FOLDER / each / name for each in FOLDERS if (FOLDER / each / name).is_dir())
    base = {"llama-gqa-seven": "llama-gqa", "qwen2-rslora": "qwen2"}.get(name, name)
    with np.load(folder / "golden.npz") as saved:
        arrays = {key: saved[key] for key in saved}
    count = sum(key.startswith("ids_") for key in arrays)
    batches = sorted({int(key.split("_")[2]) for key in arrays if key.startswith("curve_ids_")})
    return Training(
        adapter=folder,
        model=folder / "model" if name == "nf4" else models.folder_of(base),
        examples=[Example(arrays[f"ids_{i}"].tolist(), arrays[f"labels_{i}"].tolist()) for i in range(count)],
        logits=[arrays[f"logits_{i}"] for i in range(count)],
        loss=float(arrays["loss"]),
        gradients=_under(arrays, "grad."),
        cycle=[_micro_batch(arrays, b) for b in batches],
        curves={kind: _curve(arrays, kind) for kind in CURVES if kind in arrays},
    )


def _under(arrays: Mapping[str, NDArray], prefix: str) -> dict[str, NDArray]:
    return {key.removeprefix(prefix): value for key, value in arrays.items() if key.startswith(prefix)}


def _micro_batch(arrays: Mapping[str, NDArray], b: int) -> list[Example]:
    ids = _under(arrays, f"curve_ids_{b}_")
    labels = _under(arrays, f"curve_labels_{b}_")
    return [Example(ids[i].tolist(), labels[i].tolist()) for i in sorted(ids, key=int)]


def _curve(arrays: Mapping[str, NDArray], kind: str) -> Curve:
    accumulate = 2 if kind == "losses_accumulated" else 1
    return Curve(arrays[kind], arrays[f"{kind}.norms"], arrays[f"{kind}.rates"], accumulate, kind == "losses_table")
