"""LoRA adapters in PEFT's format: adapter_config.json and adapter_model.safetensors.

PEFT does not store the names of classes. They are in an additional file, labels.json, which names them as a model's
config.json does: {"id2label": {"0": "ham", "1": "spam"}}.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.atomic import named, new_folder, replacing
from ..gpu.dtypes import from_bf16
from .errors import FormatError, shown
from .family import families, of_target
from .lora import Factors, LoraAdapter, Shapes
from .mapped import Mapped
from .nested import plain_name
from .peft_config import SCORE, PeftConfig
from .safetensors_scan import read_json, scan
from .safetensors_write import write_safetensors
from .stored import PLAIN, Entry
from .wanted import layer_kinds

CONFIG, WEIGHTS, LABELS = "adapter_config.json", "adapter_model.safetensors", "labels.json"
_PREFIX = "base_model.model."
_F32 = NDArray[np.float32]


# Reading ----------------------------------------------------------------------------------------------------


def read_lora(folder: str | Path, shapes: Shapes | None = None) -> LoraAdapter:
    """An adapter that peft or `write_lora` saved; with `shapes`, checked against that model's layers."""
    folder = Path(folder)
    for name in (CONFIG, WEIGHTS):
        if not os.path.isfile(folder / name):
            raise FormatError(f"{folder}: has no {name}{_instead(folder, name)}")
    config = PeftConfig(read_json(folder / CONFIG), str(folder / CONFIG))
    file = Mapped(folder / WEIGHTS)
    try:
        entries = dict(scan(file))
        score = _take_score(file, entries, config)
        pairs = _pairs(file, entries)
        config.check_modules(list(pairs))
        targets = {_target(module): _factors(file, module, *pair, config) for module, pair in pairs.items()}
    finally:
        file.close()
    if not targets:
        raise FormatError(f"{folder / WEIGHTS}: has no LoRA matrices: it is empty or not a LoRA adapter")
    if len(targets) < len(pairs):
        raise FormatError(f"{folder / WEIGHTS}: has the factors of a layer twice, under two names: the file is damaged")
    labels = () if score is None else _labels(folder, len(score))
    adapter = LoraAdapter(
        targets, config.rank, config.alpha, config.rslora, config.dropout, config.base, config.task, score, labels
    )
    adapter.check_values(str(folder))
    if shapes is not None:
        adapter.check(shapes, str(folder))
    return adapter


def _labels(folder: Path, count: int) -> tuple[str, ...]:
    path = folder / LABELS
    if not os.path.isfile(path):
        return ()
    names = read_json(path).get("id2label")
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise FormatError(f"{path}: id2label is {shown(names)}, not an object that maps numbers to names")
    if set(names) != {str(i) for i in range(count)} or len(set(names.values())) != count:
        raise FormatError(f"{path}: names {len(set(names.values()))} classes, but the adapter has {count}")
    return tuple(names[str(i)] for i in range(count))


def _instead(folder: Path, name: str) -> str:
    if not os.path.isdir(folder):
        return ": give the folder of a PEFT adapter"
    if name == WEIGHTS and os.path.isfile(folder / "adapter_model.bin"):
        return ", only adapter_model.bin, which is unsupported: save it again with peft, which writes safetensors"
    if os.path.isfile(folder / "config.json"):
        return ", but it has a config.json: it is a model, not an adapter"
    return ": give the folder of a PEFT adapter"


def _take_score(file: Mapped, entries: dict[str, Entry], config: PeftConfig) -> _F32 | None:
    entry = entries.pop(f"{_PREFIX}{SCORE}.weight", None)
    if config.task != "SEQ_CLS":
        if entry is not None:
            raise file.error(f"has a classification head, but the adapter's task_type is {config.task}")
        return None
    if entry is None:
        raise file.error(f"lacks {_PREFIX}{SCORE}.weight, the head of a SEQ_CLS adapter")
    return _matrix(file, entry)


def _pairs(file: Mapped, entries: Mapping[str, Entry]) -> dict[str, tuple[_F32, _F32]]:
    """A and B by the names that the modules have in peft."""
    entries_by_module: dict[str, dict[str, Entry]] = {}
    for name, entry in entries.items():
        match = re.fullmatch(rf"{re.escape(_PREFIX)}([\w.]+)\.lora_([AB])\.weight", name)
        if not match:
            raise file.error(f"has the tensor {shown(name)}, which is not a LoRA matrix of a linear layer")
        entries_by_module.setdefault(match[1], {})[match[2]] = entry
    for module, pair in entries_by_module.items():
        for side in "AB":
            if side not in pair:
                raise file.error(f"lacks lora_{side} of {shown(_target(module))}: it is incomplete")
    return {module: (_matrix(file, pair["A"]), _matrix(file, pair["B"])) for module, pair in entries_by_module.items()}


def _target(module: str) -> str:
    """A module of transformers as a target here. Bare models lack the prefix of names, and models that also read images
    have nested layers."""
    plain = plain_name(module)
    return next((target for family in families() if (target := family.target(plain))), module)


def _matrix(file: Mapped, entry: Entry) -> _F32:
    if len(entry.shape) != 2 or not all(entry.shape):
        raise file.error(f"tensor {shown(entry.name)} is {list(entry.shape)}, not a matrix")
    if entry.type not in PLAIN:
        raise file.error(f"tensor {shown(entry.name)} has the unsupported type {entry.type}; supported: f32, f16, bf16")
    raw = file.data[entry.offset : entry.offset + entry.nbytes].view(PLAIN[entry.type]).reshape(entry.shape)
    values = from_bf16(raw) if entry.type == "bf16" else raw.astype(np.float32)
    if not np.isfinite(values).all():
        raise file.error(f"tensor {shown(entry.name)} has values that are infinite or not numbers: the file is damaged")
    return values


def _factors(file: Mapped, module: str, a: _F32, b: _F32, config: PeftConfig) -> Factors:
    rank, scale = config.of(module)
    if len(a) != rank or b.shape[1] != rank:
        raise file.error(
            f"the factors of {_target(module)} are {list(a.shape)} and {list(b.shape)}; "
            f"{CONFIG} says their rank is {rank}"
        )
    return Factors(a, b, scale)


# Writing ----------------------------------------------------------------------------------------------------


def write_lora(adapter: LoraAdapter, folder: str | Path) -> None:
    """Write an adapter as peft does. A new folder appears complete; in an existing one, each file is replaced."""
    folder = named(folder)
    if folder.exists() and not folder.is_dir():
        raise FormatError(f"{folder}: is a file; give a folder for the adapter")
    if folder.is_dir():
        _write(adapter, folder)
    else:
        with new_folder(folder) as aside:
            _write(adapter, aside)


def _write(adapter: LoraAdapter, folder: Path) -> None:
    write_safetensors(folder / WEIGHTS, tensors_of(adapter))
    texts: dict[str, dict[str, Any]] = {CONFIG: _config(adapter)}
    if adapter.labels:
        names = {str(i): name for i, name in enumerate(adapter.labels)}
        texts = {LABELS: {"id2label": names}, **texts}
    else:
        (folder / LABELS).unlink(missing_ok=True)  # left by another adapter
    for name, value in texts.items():
        with replacing(folder / name) as file:
            file.write((json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode())


def tensors_of(adapter: LoraAdapter) -> dict[str, _F32]:
    """The tensors under peft's names."""
    tensors: dict[str, _F32] = {}
    for target, factors in adapter.targets.items():
        module = _PREFIX + _module(target)
        tensors[f"{module}.lora_A.weight"] = np.asarray(factors.a, np.float32)
        tensors[f"{module}.lora_B.weight"] = np.asarray(factors.b, np.float32)
    if adapter.score is not None:
        tensors[f"{_PREFIX}{SCORE}.weight"] = np.asarray(adapter.score, np.float32)
    return tensors


def _module(target: str) -> str:
    family = of_target(target)
    return target if family is None else family.module(target)


def _config(adapter: LoraAdapter) -> dict[str, Any]:
    ranks, alphas = {}, {}
    for target, factors in adapter.targets.items():
        alpha = factors.scale * (math.sqrt(factors.rank) if adapter.rslora else factors.rank)
        if factors.rank != adapter.rank:
            ranks[_module(target)] = factors.rank
        if not math.isclose(alpha, adapter.alpha, rel_tol=1e-12):
            alphas[_module(target)] = _plain(alpha)
    return {
        "peft_type": "LORA",
        "task_type": adapter.task,
        "base_model_name_or_path": adapter.base,
        "r": adapter.rank,
        "lora_alpha": _plain(adapter.alpha),
        "lora_dropout": adapter.dropout,
        "use_rslora": adapter.rslora,
        "target_modules": target_modules(list(adapter.targets)),
        "rank_pattern": ranks,
        "alpha_pattern": alphas,
        "bias": "none",
        "fan_in_fan_out": any(family.transposed for t in adapter.targets if (family := of_target(t))),
        "modules_to_save": None if adapter.score is None else [SCORE],
        "inference_mode": True,
    }


def _plain(value: float) -> float | int:
    return int(value) if value == int(value) else value


def target_modules(targets: Sequence[str]) -> list[str]:
    """The shortest `target_modules` by which peft finds exactly these targets."""
    layers = {_split(target)[0] for target in targets}
    kinds: dict[str, set[int]] = {}
    for target in targets:
        layer, kind = _split(target)
        kinds.setdefault(kind, set()).add(layer)
    if layers != set(range(len(layers))) or any(numbers != layers for numbers in kinds.values()):
        return sorted(_module(target) for target in targets)
    family = of_target(targets[0])
    assert family is not None
    # Some families have two kinds of layers with the same last name.
    others = {kind.rsplit(".", 1)[-1] for kind in layer_kinds(family) - kinds.keys()}
    last = {kind: kind.rsplit(".", 1)[-1] for kind in kinds}
    return sorted({kind if name in others else name for kind, name in last.items()})


def _split(target: str) -> tuple[int, str]:
    """model.layers.3.self_attn.q_proj -> 3, self_attn.q_proj"""
    family = of_target(target)
    place = None if family is None else family.layer_and_kind(target)
    if place is None:
        layers = " or ".join(sorted({family.layer.format("N") + "*" for family in families()}))
        raise FormatError(f"{shown(target)} is not a layer that an adapter can have: {layers}")
    return place
