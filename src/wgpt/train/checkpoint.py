"""Checkpoints of a training run: a folder each, there whole or not at all, whenever the run is killed."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats import FormatError
from ..formats.aside import PREFIX, new_folder, sweep
from ..formats.mapped import Mapped
from ..formats.safetensors_scan import read_json, scan
from ..formats.safetensors_write import write_safetensors
from .batches import Position

STATE, TENSORS = "state.json", "state.safetensors"
_VERSION = 1
_NAME = re.compile(r"checkpoint-(\d{1,12})")
_DTYPES: dict[str, np.dtype[Any]] = {"f32": np.dtype("<f4"), "u32": np.dtype("<u4"), "i32": np.dtype("<i4")}


@dataclass(frozen=True, eq=False)
class TrainingState:
    """All that a run needs to go on as if it had never stopped."""

    step: int  # optimiser steps done
    position: Position  # in the data
    seed: int
    tensors: Mapping[str, NDArray[Any]] = field(repr=False)  # params, m, v: f32, u32 or i32
    config: Mapping[str, Any] = field(default_factory=dict)  # what the run was asked for
    losses: list[float] = field(default_factory=list, repr=False)  # of every step so far
    evaluations: list[tuple[int, float]] = field(default_factory=list, repr=False)  # (step, held-out loss)
    accuracies: list[tuple[int, float]] = field(default_factory=list, repr=False)  # of a classification, the same way


def save(folder: str | Path, state: TrainingState, keep: int = 2) -> Path:
    """Write folder/checkpoint-STEP and remove all but the `keep` latest."""
    if keep < 1:
        raise ValueError(f"at least one checkpoint must be kept, not {keep}")
    folder = Path(folder)
    path = folder / f"checkpoint-{state.step}"
    sweep(folder)
    if path.exists():
        _remove(path)  # of the same step; the one before it is still there
    with new_folder(path) as aside:
        write_safetensors(aside / TENSORS, {name: np.ascontiguousarray(a) for name, a in state.tensors.items()})
        text = json.dumps(_as_json(state), indent=1, ensure_ascii=False)
        (aside / STATE).write_text(text + "\n", encoding="utf-8")
    for old in checkpoints(folder)[:-keep]:
        _remove(old)
    return path


def checkpoints(folder: str | Path) -> list[Path]:
    """The complete checkpoints in a folder, the latest last."""
    folder = Path(folder)
    if not folder.is_dir():
        return []
    found = [(int(match[1]), path) for path in folder.iterdir() if (match := _NAME.fullmatch(path.name))]
    return [path for step, path in sorted(found) if _complete(path, step)]


def latest(folder: str | Path) -> Path | None:
    """The checkpoint to go on from, if there is one."""
    return next(reversed(checkpoints(folder)), None)


def load(path: str | Path) -> TrainingState:
    """A checkpoint; what is not one, or is damaged, is a FormatError."""
    path = Path(path)
    raw = _read(path)
    file = Mapped(path / TENSORS)
    tensors = {}
    for name, entry in scan(file).items():
        if entry.type not in _DTYPES:
            raise file.error(f"tensor {name} has the type {entry.type}; a checkpoint has {', '.join(_DTYPES)}")
        data = file.data[entry.offset : entry.offset + entry.nbytes]
        tensors[name] = data.view(_DTYPES[entry.type]).reshape(entry.shape).copy()
    return TrainingState(
        step=raw["step"],
        position=Position(*raw["position"]),
        seed=raw["seed"],
        tensors=tensors,
        config=raw["config"],
        losses=[_number(x) for x in raw["losses"]],
        evaluations=[(step, _number(loss)) for step, loss in raw["evaluations"]],
        accuracies=[(step, _number(share)) for step, share in raw.get("accuracies", [])],
    )


def _as_json(state: TrainingState) -> dict[str, Any]:
    return {
        "version": _VERSION,
        "step": state.step,
        "position": [state.position.epoch, state.position.index],
        "seed": state.seed,
        "config": dict(state.config),
        "tensors": {name: list(array.shape) for name, array in state.tensors.items()},
        "losses": [float(x) for x in state.losses],
        "evaluations": [[step, float(loss)] for step, loss in state.evaluations],
        "accuracies": [[step, float(share)] for step, share in state.accuracies],
    }


def _number(value: Any) -> float:
    return float(value)


def _read(path: Path) -> dict[str, Any]:
    """state.json, and that the tensors it names are there entirely."""
    raw = read_json(path / STATE)
    where = path / STATE
    if raw.get("version") != _VERSION:
        raise FormatError(f"{where}: is of version {raw.get('version')!r}; version {_VERSION} is read")
    kinds = {"step": int, "position": list, "seed": int, "config": dict, "tensors": dict, "losses": list}
    kinds |= {"evaluations": list} | ({"accuracies": list} if "accuracies" in raw else {})  # once there were none
    for key, kind in kinds.items():
        if not isinstance(raw.get(key), kind):
            raise FormatError(f"{where}: {key} is missing or no {kind.__name__}: it is damaged")
    file = Mapped(path / TENSORS)
    shapes = {name: list(entry.shape) for name, entry in scan(file).items()}
    file.close()
    if shapes != raw["tensors"]:
        raise FormatError(f"{path / TENSORS}: has not the tensors that {STATE} names: the checkpoint is damaged")
    return raw


def _complete(path: Path, step: int) -> bool:
    try:
        return bool(_read(path)["step"] == step)
    except FormatError:
        return False


def _remove(path: Path) -> None:
    """First out of sight, so that a killed removal leaves no half of a checkpoint behind."""
    aside = path.with_name(f"{PREFIX}old-{path.name}")
    shutil.rmtree(aside, ignore_errors=True)
    os.rename(path, aside)
    shutil.rmtree(aside, ignore_errors=True)
