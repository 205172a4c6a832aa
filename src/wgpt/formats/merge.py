"""Folds an adapter into a model: a Hugging Face folder of safetensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from .aside import new_folder
from .checkpoint import Checkpoint
from .errors import FormatError
from .peft import Adapter, Factors
from .write_model import F32, Change, Progress, write_model


def merge(
    checkpoint: Checkpoint,
    adapter: Adapter,
    folder: str | Path,
    dtype: str | None = None,
    progress: Progress | None = None,
    *,
    force: bool = False,
) -> list[str]:
    """W + scale * B A of every target, all else as it was, in a new folder that transformers and wgpt load.

    dtype: f32, f16 or bf16; by default a Hugging Face model keeps its own, a GGUF file's weights become f16.
    force: replace a model that is there. What it returns are sentences: what could not be written, and why.
    """
    folder = Path(folder)
    check_place(folder, checkpoint.path, force)
    if adapter.task != "CAUSAL_LM":
        raise FormatError(f"an adapter for {adapter.task} is not merged: its head would be lost")
    shapes = {
        name.removesuffix(".weight"): (t.shape[0], t.shape[1])
        for name, t in checkpoint.tensors.items()
        if len(t.shape) == 2
    }
    adapter.check(shapes)

    def changes(name: str) -> Change | None:
        factors = adapter.targets.get(name.removesuffix(".weight"))
        return None if factors is None else _adding(factors)

    with new_folder(folder, replace=force) as aside:
        return write_model(checkpoint, changes, aside, dtype, progress)


def check_place(folder: Path, base: Path, force: bool = False) -> None:
    """Refuse to write over anything; `force` allows the folder of a model, unless the base is in it."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not force:
        raise FormatError(f"{folder}: is there already: give the merged model a new folder, or --force to replace it")
    if folder.resolve() in (base.resolve(), *base.resolve().parents):
        raise FormatError(f"{folder}: is where the base model is, which is still needed: give another folder")
    if not (folder / "config.json").is_file():
        raise FormatError(f"{folder}: is no model's folder (it has no config.json), and only models are replaced")


def _adding(factors: Factors) -> Change:
    """W + scale * B A, rounded once."""

    def change(lo: int, hi: int, before: Callable[[], F32]) -> F32:
        delta = factors.scale * (factors.b[lo:hi].astype(np.float64) @ factors.a.astype(np.float64))
        return (before().astype(np.float64) + delta).astype(np.float32)

    return change
