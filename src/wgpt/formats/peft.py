"""LoRA adapters in PEFT's format: adapter_config.json and adapter_model.safetensors.

PEFT has no place for the names of classes. They are in a file of our own beside these two, labels.json, which names
them as a model's config.json does: {"id2label": {"0": "ham", "1": "spam"}}.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..gpu.dtypes import from_bf16
from .aside import new_folder, replacing
from .errors import FormatError, shown
from .mapped import Mapped
from .safetensors_scan import read_json, scan
from .safetensors_write import write_safetensors
from .stored import PLAIN, Entry

CONFIG, WEIGHTS, LABELS = "adapter_config.json", "adapter_model.safetensors", "labels.json"
Shapes = Mapping[str, tuple[int, int]]  # of a model's linear layers: target -> (N, K); models/targets.py
MAX_RANK = 1 << 12
_PREFIX = "base_model.model."
_SCORE = "score"  # the classification head, as transformers' *ForSequenceClassification have it
_TASKS = ("CAUSAL_LM", "SEQ_CLS")
_F32 = NDArray[np.float32]
# What would change the mathematics, and is not computed here: each must be missing, or as empty as peft writes it.
_REFUSED = (
    *("use_dora", "use_qalora", "use_bdlora", "lora_bias", "layer_replication", "trainable_token_indices"),
    *("target_parameters", "alora_invocation_tokens", "arrow_config", "kasa_config", "monteclora_config"),
    "velora_config",
)
# A pattern that is a name, or the end of one: module names with dots, plain or escaped, and peft's own anchor.
_SIMPLE = re.compile(r"\^?(?:\w|\\?\.)+\$?")


class Factors(NamedTuple):
    """What is added to a layer: y += scale * (x A^T) B^T."""

    a: _F32  # [r, K]
    b: _F32  # [N, r]
    scale: float

    @property
    def rank(self) -> int:
        return len(self.a)


@dataclass(frozen=True, eq=False)
class Adapter:
    """A LoRA adapter. Targets are layers by their checkpoint names: model.layers.0.self_attn.q_proj, h.0.attn.c_attn.

    rank, alpha and rslora are those of the adapter as a whole; what is computed is each target's own `scale`.
    """

    targets: Mapping[str, Factors] = field(repr=False)
    rank: int
    alpha: float
    rslora: bool = False
    dropout: float = 0.0
    base: str | None = None  # the model it belongs to, for people
    task: str = "CAUSAL_LM"
    score: _F32 | None = field(default=None, repr=False)  # [labels, hidden], of a SEQ_CLS adapter
    labels: tuple[str, ...] = ()  # names of its classes, where they are known

    @property
    def gpt2(self) -> bool:
        return any(target.startswith("h.") for target in self.targets)

    @property
    def parameters(self) -> int:
        return sum(f.a.size + f.b.size for f in self.targets.values()) + (0 if self.score is None else self.score.size)

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of its classes; nameless ones are called as transformers calls them."""
        return self.labels or tuple(f"LABEL_{i}" for i in range(0 if self.score is None else len(self.score)))

    def check(self, shapes: Shapes, where: str = "the adapter") -> None:
        """Refuse a model that has other layers than these."""
        other = f"it belongs to another model{f', {shown(self.base)}' if self.base else ''}"
        for target, factors in self.targets.items():
            if target not in shapes:
                kinds = sorted({name.rsplit(".", 1)[-1] for name in shapes})
                there = f"{len(shapes)} layers named {', '.join(kinds)}"
                if target == "lm_head":
                    raise FormatError(f"{where}: adapts 'lm_head', which is not run here; it may adapt {there}")
                raise FormatError(f"{where}: adapts {shown(target)}, which the model does not have ({there}): {other}")
            n, k = shapes[target]
            if factors.a.shape[1] != k or factors.b.shape[0] != n:
                found = [factors.b.shape[0], factors.a.shape[1]]
                raise FormatError(
                    f"{where}: its factors for {target} make a {found} matrix, the model's is {[n, k]}: {other}"
                )


def scale_of(alpha: float, rank: int, rslora: bool) -> float:
    """alpha / r, or alpha / sqrt(r)."""
    return alpha / (math.sqrt(rank) if rslora else rank)


# Reading ----------------------------------------------------------------------------------------------------


def read_adapter(folder: str | Path, shapes: Shapes | None = None) -> Adapter:
    """An adapter that peft or `write_adapter` saved; with `shapes`, checked against that model's layers."""
    folder = Path(folder)
    for name in (CONFIG, WEIGHTS):
        if not os.path.isfile(folder / name):
            raise FormatError(f"{folder}: has no {name}{_instead(folder, name)}")
    config = _Config(read_json(folder / CONFIG), str(folder / CONFIG))
    file = Mapped(folder / WEIGHTS)
    try:
        entries = dict(scan(file))
        score = _take_score(file, entries, config)
        found = _pairs(file, entries)
        targets = {target: _factors(file, target, *pair, config) for target, pair in found.items()}
    finally:
        file.close()
    if not targets:
        raise FormatError(f"{folder / WEIGHTS}: has no LoRA matrices: it is empty or of another kind")
    labels = () if score is None else _labels(folder, len(score))
    adapter = Adapter(
        targets, config.rank, config.alpha, config.rslora, config.dropout, config.base, config.task, score, labels
    )
    if shapes is not None:
        adapter.check(shapes, str(folder))
    return adapter


def _labels(folder: Path, count: int) -> tuple[str, ...]:
    path = folder / LABELS
    if not os.path.isfile(path):
        return ()
    names = read_json(path).get("id2label")
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise FormatError(f"{path}: id2label is {shown(names)}, not an object of names by number")
    if set(names) != {str(i) for i in range(count)} or len(set(names.values())) != count:
        raise FormatError(f"{path}: names {len(set(names.values()))} classes; the adapter tells {count} apart")
    return tuple(names[str(i)] for i in range(count))


def _instead(folder: Path, name: str) -> str:
    if not os.path.isdir(folder):
        return ": give the folder of a PEFT adapter"
    if name == WEIGHTS and os.path.isfile(folder / "adapter_model.bin"):
        return ", only adapter_model.bin, which is not read: load and save it once with peft, which writes safetensors"
    if os.path.isfile(folder / "config.json"):
        return ", but a config.json: it is a model, not an adapter"
    return ": give the folder of a PEFT adapter"


class _Config:
    """adapter_config.json, checked."""

    def __init__(self, raw: dict[str, Any], where: str) -> None:
        self.raw, self.where = raw, where
        if raw.get("peft_type") != "LORA":
            self._refuse(f"peft_type is {shown(raw.get('peft_type'))}; only LORA adapters are run")
        for key in _REFUSED:
            if raw.get(key):
                self._refuse(f"{key} is {shown(raw[key])}; adapters are run only without it")
        if raw.get("bias", "none") != "none":
            self._refuse(f"bias is {shown(raw['bias'])}; adapters are run only with bias none")
        self.rank = self._rank(raw.get("r"), "r")
        self.alpha = self._number("lora_alpha", 8)
        self.rslora = self._flag("use_rslora")
        self.dropout = self._number("lora_dropout", 0.0)
        if not 0 <= self.dropout < 1:
            self._refuse(f"lora_dropout is {self.dropout:g}, not from 0 up to 1")
        base, task = raw.get("base_model_name_or_path"), raw.get("task_type") or "CAUSAL_LM"
        self.base = base if isinstance(base, str) else None
        if task not in _TASKS:
            self._refuse(f"task_type is {shown(task)}; there are {', '.join(_TASKS)}")
        self.task: str = task
        saved = raw.get("modules_to_save") or []
        if not isinstance(saved, list) or set(saved) - ({_SCORE, "classifier"} if task == "SEQ_CLS" else set()):
            self._refuse(f"modules_to_save is {shown(saved)}; whole layers beside LoRA's are not run")
        self.ranks = {name: self._rank(rank, "rank_pattern") for name, rank in self._pattern("rank_pattern").items()}
        self.alphas = self._pattern("alpha_pattern")
        for name, alpha in self.alphas.items():
            if type(alpha) not in (int, float) or not math.isfinite(alpha):
                self._refuse(f"alpha_pattern has {shown(alpha)} for {shown(name)}, not a number")

    def _refuse(self, message: str) -> NoReturn:
        raise FormatError(f"{self.where}: {message}")

    def _rank(self, value: Any, key: str) -> int:
        if type(value) is not int or not 1 <= value <= MAX_RANK:
            self._refuse(f"{key} is {shown(value)}, not a rank from 1 to {MAX_RANK}")
        return int(value)

    def _number(self, key: str, default: float) -> float:
        value = self.raw.get(key, default)
        if type(value) not in (int, float) or not math.isfinite(value):
            self._refuse(f"{key} is {shown(value)}, not a number")
        return float(value)

    def _flag(self, key: str) -> bool:
        value = self.raw.get(key) or False
        if not isinstance(value, bool):
            self._refuse(f"{key} is {shown(value)}, not true or false")
        return bool(value)

    def _pattern(self, key: str) -> dict[str, Any]:
        patterns = self.raw.get(key) or {}
        if not isinstance(patterns, dict):
            self._refuse(f"{key} is {shown(patterns)}, not an object")
        for name in patterns:
            if not _SIMPLE.fullmatch(name):
                self._refuse(f"{key} has the pattern {shown(name)}; only names of layers, or their ends, are read")
        return {name.removeprefix("^").removesuffix("$").replace("\\.", "."): v for name, v in patterns.items()}

    def of(self, target: str) -> tuple[int, float]:
        """The rank and the scale of a target."""
        rank = _matched(self.ranks, target, self.rank)
        return rank, scale_of(float(_matched(self.alphas, target, self.alpha)), rank, self.rslora)


def _matched(patterns: Mapping[str, Any], target: str, default: Any) -> Any:
    """As peft: the first name that is the whole target or its end after a dot."""
    for spelled in (target, f"transformer.{target}"):
        for name, value in patterns.items():
            if spelled == name or spelled.endswith(f".{name}"):
                return value
    return default


def _take_score(file: Mapped, entries: dict[str, Entry], config: _Config) -> _F32 | None:
    entry = entries.pop(f"{_PREFIX}{_SCORE}.weight", None)
    if config.task != "SEQ_CLS":
        if entry is not None:
            raise file.error(f"has a classification head, but the adapter's task_type is {config.task}")
        return None
    if entry is None:
        raise file.error(f"lacks {_PREFIX}{_SCORE}.weight, the head of a SEQ_CLS adapter")
    return _matrix(file, entry)


def _pairs(file: Mapped, entries: Mapping[str, Entry]) -> dict[str, tuple[_F32, _F32]]:
    found: dict[str, dict[str, Entry]] = {}
    for name, entry in entries.items():
        match = re.fullmatch(rf"{re.escape(_PREFIX)}([\w.]+)\.lora_([AB])\.weight", name)
        if not match:
            raise file.error(f"has the tensor {shown(name)}, which is no LoRA matrix of a linear layer")
        found.setdefault(_target(match[1]), {})[match[2]] = entry
    for target, pair in found.items():
        for side in "AB":
            if side not in pair:
                raise file.error(f"lacks lora_{side} of {shown(target)}: it is incomplete")
    return {target: (_matrix(file, pair["A"]), _matrix(file, pair["B"])) for target, pair in found.items()}


def _target(module: str) -> str:
    """A module's name in transformers as a checkpoint here has it; bare models are saved without their prefix."""
    module = module.removeprefix("transformer.")
    return f"model.{module}" if module.startswith("layers.") else module


def _matrix(file: Mapped, entry: Entry) -> _F32:
    if len(entry.shape) != 2 or not all(entry.shape):
        raise file.error(f"tensor {shown(entry.name)} is {list(entry.shape)}, not a matrix")
    if entry.type not in PLAIN:
        raise file.error(f"tensor {shown(entry.name)} has the type {entry.type}; f32, f16 and bf16 are read")
    raw = file.data[entry.offset : entry.offset + entry.nbytes].view(PLAIN[entry.type]).reshape(entry.shape)
    values = from_bf16(raw) if entry.type == "bf16" else raw.astype(np.float32)
    if not np.isfinite(values).all():
        raise file.error(f"tensor {shown(entry.name)} has values that are infinite or not numbers: it is damaged")
    return values


def _factors(file: Mapped, target: str, a: _F32, b: _F32, config: _Config) -> Factors:
    rank, scale = config.of(target)
    if len(a) != rank or b.shape[1] != rank:
        raise file.error(
            f"the factors of {target} are {list(a.shape)} and {list(b.shape)}; {CONFIG} says that their rank is {rank}"
        )
    return Factors(a, b, scale)


# Writing ----------------------------------------------------------------------------------------------------


def write_adapter(adapter: Adapter, folder: str | Path) -> None:
    """As peft saves it. A new folder appears whole; in one that is there, each of the files is replaced."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise FormatError(f"{folder}: is a file; give a folder for the adapter")
    if folder.is_dir():
        _write(adapter, folder)
    else:
        with new_folder(folder) as aside:
            _write(adapter, aside)


def _write(adapter: Adapter, folder: Path) -> None:
    write_safetensors(folder / WEIGHTS, tensors_of(adapter))
    texts: dict[str, dict[str, Any]] = {CONFIG: _config(adapter)}
    if adapter.labels:
        names = {str(i): name for i, name in enumerate(adapter.labels)}
        texts = {LABELS: {"id2label": names}, **texts}
    else:
        (folder / LABELS).unlink(missing_ok=True)  # another adapter's
    for name, value in texts.items():
        with replacing(folder / name) as file:
            file.write((json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode())


def tensors_of(adapter: Adapter) -> dict[str, _F32]:
    """By the names that peft gives them."""
    found: dict[str, _F32] = {}
    for target, factors in adapter.targets.items():
        module = _PREFIX + _module(target)
        found[f"{module}.lora_A.weight"] = np.asarray(factors.a, np.float32)
        found[f"{module}.lora_B.weight"] = np.asarray(factors.b, np.float32)
    if adapter.score is not None:
        found[f"{_PREFIX}{_SCORE}.weight"] = np.asarray(adapter.score, np.float32)
    return found


def _module(target: str) -> str:
    return f"transformer.{target}" if target.startswith("h.") else target


def _config(adapter: Adapter) -> dict[str, Any]:
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
        "fan_in_fan_out": adapter.gpt2,
        "modules_to_save": None if adapter.score is None else [_SCORE],
        "inference_mode": True,
    }


def _plain(value: float) -> float | int:
    return int(value) if value == int(value) else value


def target_modules(targets: Sequence[str]) -> list[str]:
    """What peft finds exactly these targets by: their last names, as far as those say enough."""
    layers = {_split(target)[0] for target in targets}
    kinds: dict[str, set[int]] = {}
    for target in targets:
        layer, kind = _split(target)
        kinds.setdefault(kind, set()).add(layer)
    if layers != set(range(len(layers))) or any(found != layers for found in kinds.values()):
        return sorted(_module(target) for target in targets)
    # GPT-2 calls two layers c_proj.
    short = {kind: kind.rsplit(".", 1)[-1] for kind in kinds}
    if short.get("attn.c_proj") != short.get("mlp.c_proj"):
        short = {kind: kind if name == "c_proj" else name for kind, name in short.items()}
    return sorted(set(short.values()))


def _split(target: str) -> tuple[int, str]:
    """model.layers.3.self_attn.q_proj -> 3, self_attn.q_proj"""
    match = re.fullmatch(r"(?:model\.layers|h)\.(\d+)\.([\w.]+)", target)
    if not match:
        raise FormatError(f"{shown(target)} is no layer that an adapter can have: model.layers.N.* or h.N.*")
    return int(match[1]), match[2]
