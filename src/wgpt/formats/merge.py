"""Folds an adapter into a model: a Hugging Face folder of safetensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..core.atomic import named, new_folder
from ..core.naming import argument
from ..core.progress import Progress
from .checkpoint import Checkpoint
from .errors import FormatError
from .lora import Factors, LoraAdapter
from .write_model import F32, Change, write_model


def merge(
    checkpoint: Checkpoint,
    adapter: LoraAdapter,
    folder: str | Path,
    dtype: str | None = None,
    progress: Progress | None = None,
    *,
    force: bool = False,
) -> list[str]:
    """W + scale * B A of every target, everything else unchanged, in a new folder that transformers and wgpt load.

    dtype: f32, f16 or bf16; by default a Hugging Face model keeps its own, a GGUF file's weights become f16.
    force: overwrite an existing model. Returns sentences: what could not be written, and why.
    """
    folder = named(folder)
    check_place(folder, checkpoint.path, force)
    if adapter.task != "CAUSAL_LM":
        raise FormatError(f"a {adapter.task} adapter cannot be merged: its head would be lost")
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
    """Refuse to overwrite anything; `force` allows a model folder, unless it contains the base model."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not force:
        way_out = f"give the merged model a new folder, or {argument('force', True)} to replace it"
        raise FormatError(f"{folder}: already exists: {way_out}")
    if folder.resolve() in (base.resolve(), *base.resolve().parents):
        raise FormatError(f"{folder}: contains the base model, which is still needed: give another folder")
    if not (folder / "config.json").is_file():
        raise FormatError(f"{folder}: is not a model folder (it has no config.json); only model folders are replaced")


def _adding(factors: Factors) -> Change:
    """W + scale * B A, rounded once."""

    def change(lo: int, hi: int, before: Callable[[], F32]) -> F32:
        delta = factors.scale * (factors.b[lo:hi].astype(np.float64) @ factors.a.astype(np.float64))
        return (before().astype(np.float64) + delta).astype(np.float32)

    return change
