"""Checkpoints of a training run: one folder each, complete or absent, whenever the run is killed.

SHA256SUMS is in the format of `sha256sum -c`, so that damage on disk is noticed and not trained on.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.atomic import PREFIX, new_folder, sweep
from ..formats import FormatError
from ..formats.mapped import Mapped
from ..formats.safetensors_scan import read_json, scan
from ..formats.safetensors_write import write_safetensors
from .batches import Position

STATE, TENSORS, SUMS = "state.json", "state.safetensors", "SHA256SUMS"
_VERSION = 2
_WITHOUT_SUMS = 1  # the version before checksums
_NAME = re.compile(r"checkpoint-(\d{1,12})")
_DTYPES: dict[str, np.dtype[Any]] = {"f32": np.dtype("<f4"), "u32": np.dtype("<u4"), "i32": np.dtype("<i4")}


@dataclass(frozen=True, eq=False)
class TrainingState:
    """Everything a run needs to continue as if it had never stopped."""

    step: int  # optimiser steps done
    position: Position  # in the data
    seed: int
    tensors: Mapping[str, NDArray[Any]] = field(repr=False)  # params, m, v: f32, u32 or i32
    config: Mapping[str, Any] = field(default_factory=dict)  # the run's settings
    losses: list[float] = field(default_factory=list, repr=False)  # of every step so far
    evaluations: list[tuple[int, float]] = field(default_factory=list, repr=False)  # (step, held-out loss)
    accuracies: list[tuple[int, float]] = field(default_factory=list, repr=False)  # (step, accuracy) of classification


def save(folder: str | Path, state: TrainingState, keep: int = 2) -> Path:
    """Write folder/checkpoint-STEP and remove all but the `keep` latest."""
    if keep < 1:
        raise ValueError(f"at least one checkpoint must be kept, not {keep}")
    folder = Path(folder)
    path = folder / f"checkpoint-{state.step}"
    sweep(folder)
    if path.exists():
        _remove(path)  # of the same step; the previous checkpoint still exists
    with new_folder(path) as aside:
        write_safetensors(aside / TENSORS, {name: np.ascontiguousarray(a) for name, a in state.tensors.items()})
        text = json.dumps(_as_json(state), indent=1, ensure_ascii=False)
        (aside / STATE).write_text(text + "\n", encoding="utf-8")
        sums = "".join(f"{_sha256(aside / name)}  {name}\n" for name in (STATE, TENSORS))
        (aside / SUMS).write_text(sums, encoding="ascii")
    for other in folders(folder):
        # A later checkpoint is damaged or from another run: otherwise this run would have continued from it.
        if _step_of(other) > state.step:
            _remove(other)
    for old in checkpoints(folder)[:-keep]:
        _remove(old)
    return path


def checkpoints(folder: str | Path) -> list[Path]:
    """The checkpoints in a folder whose headers are complete, the latest last. `load` also checks their contents."""
    return [path for path in folders(Path(folder)) if _complete(path)]


def latest(folder: str | Path) -> Path | None:
    """The last complete checkpoint, if there is one."""
    return next(reversed(checkpoints(folder)), None)


def load_latest(folder: str | Path) -> TrainingState | None:
    """The state of the last undamaged checkpoint, with a warning for each damaged one.

    None if there are no checkpoints; FormatError if all are damaged.
    """
    faults = []
    for path in reversed(folders(Path(folder))):
        try:
            state = load(path)
        except FormatError as e:
            faults.append(str(e))
        else:
            for fault in faults:
                warnings.warn(f"{fault}; continuing from the older {path.name}", stacklevel=2)
            return state
    if faults:
        damaged = "its only checkpoint is" if len(faults) == 1 else f"all {len(faults)} checkpoints are"
        raise FormatError(
            f"{folder}: cannot be resumed: {damaged} damaged ({'; '.join(faults)}): start a new run in another folder, "
            "or restore a checkpoint from a backup"
        )
    return None


def load(path: str | Path) -> TrainingState:
    """Read a checkpoint; FormatError if it is invalid or damaged."""
    path = Path(path)
    _check_sums(path)
    raw = _read(path)
    if not (path / SUMS).exists():
        warnings.warn(f"{path}: has no checksums (from an older version), so damage is not detected", stacklevel=2)
    file = Mapped(path / TENSORS)
    tensors = {}
    for name, entry in scan(file).items():
        if entry.type not in _DTYPES:
            raise file.error(f"tensor {name} has the unsupported type {entry.type}; supported: {', '.join(_DTYPES)}")
        data = file.data[entry.offset : entry.offset + entry.nbytes]
        tensors[name] = data.view(_DTYPES[entry.type]).reshape(entry.shape).copy()
    try:
        return TrainingState(
            step=raw["step"],
            position=_position(raw["position"]),
            seed=raw["seed"],
            tensors=tensors,
            config=raw["config"],
            losses=[float(x) for x in raw["losses"]],
            evaluations=[(int(step), float(loss)) for step, loss in raw["evaluations"]],
            accuracies=[(int(step), float(share)) for step, share in raw.get("accuracies", [])],
        )
    except (TypeError, ValueError, OverflowError) as e:
        raise FormatError(f"{path / STATE}: is damaged: {e}") from None


def _check_sums(path: Path) -> None:
    """Refuse files that have changed since they were written. Older versions wrote no checksums."""
    sums = path / SUMS
    if not sums.exists():
        return
    try:
        lines = sums.read_text(encoding="ascii").splitlines()
        expected = {name: digest for digest, name in (line.split("  ") for line in lines)}
        if set(expected) != {STATE, TENSORS}:
            raise FormatError(f"{sums}: is damaged")
        for name, digest in expected.items():
            if _sha256(path / name) != digest:
                raise FormatError(f"{path / name}: is damaged: its checksum does not match")
    except ValueError:
        raise FormatError(f"{sums}: is damaged") from None
    except OSError as e:
        raise FormatError(f"{path}: cannot be read: {e.strerror or e}") from None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _position(raw: list[Any]) -> Position:
    epoch, index = raw
    if type(epoch) is not int or type(index) is not int or epoch < 0 or index < 0:
        raise ValueError(f"position is {raw}")
    return Position(epoch, index)


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


def _read(path: Path) -> dict[str, Any]:
    """Read state.json, and check that the tensors it names are complete."""
    raw = read_json(path / STATE)
    where = path / STATE
    version = raw.get("version")
    if version not in (_VERSION, _WITHOUT_SUMS):
        raise FormatError(f"{where}: unsupported version {version!r}; supported: {_WITHOUT_SUMS} and {_VERSION}")
    if version == _VERSION and not (path / SUMS).is_file():
        raise FormatError(f"{path}: is damaged: {SUMS} is missing")
    kinds = {"step": int, "position": list, "seed": int, "config": dict, "tensors": dict, "losses": list}
    kinds |= {"evaluations": list} | ({"accuracies": list} if "accuracies" in raw else {})  # older ones have none
    for key, kind in kinds.items():
        if type(raw.get(key)) is not kind:
            raise FormatError(f"{where}: is damaged: {key} is missing or not a {kind.__name__}")
    if raw["step"] != _step_of(path):
        raise FormatError(f"{where}: is damaged: it has step {raw['step']}, which does not match {path.name}")
    file = Mapped(path / TENSORS)
    shapes = {name: list(entry.shape) for name, entry in scan(file).items()}
    file.close()
    if shapes != raw["tensors"]:
        raise FormatError(f"{path / TENSORS}: is damaged: its tensors are not those that {STATE} names")
    return raw


def folders(folder: Path) -> list[Path]:
    """All folders named like checkpoints, damaged or not, the latest last."""
    if not folder.is_dir():
        return []
    return sorted((p for p in folder.iterdir() if _NAME.fullmatch(p.name) and p.is_dir()), key=_step_of)


def _step_of(path: Path) -> int:
    match = _NAME.fullmatch(path.name)
    if match is None:
        raise FormatError(f"{path}: is not a checkpoint: checkpoints are named checkpoint-STEP")
    return int(match[1])


def _complete(path: Path) -> bool:
    try:
        _read(path)
    except FormatError:
        return False
    return True


def _remove(path: Path) -> None:
    """Rename it first, so that a killed removal does not leave half a checkpoint behind."""
    aside = path.with_name(f"{PREFIX}old-{path.name}")
    shutil.rmtree(aside, ignore_errors=True)
    os.rename(path, aside)
    shutil.rmtree(aside, ignore_errors=True)
