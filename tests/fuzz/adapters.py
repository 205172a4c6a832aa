"""LoRA adapters: every key of adapter_config.json with values of every kind, and factors that do not fit."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file

from wgpt.formats.lora import Factors, LoraAdapter
from wgpt.formats.peft import CONFIG, WEIGHTS, read_lora, write_lora

from .cases import ACCEPTED, EITHER, REFUSED, Case, Rng, area, pick
from .configs import JUNK
from .mutations import BINARY, reheaded

_SHAPES = {f"model.layers.{i}.self_attn.{x}_proj": (6, 8) for i in range(2) for x in "qv"}
_KEYS = (
    *("r", "lora_alpha", "lora_dropout", "use_rslora", "bias", "task_type", "peft_type", "modules_to_save"),
    *("rank_pattern", "alpha_pattern", "target_modules", "exclude_modules", "layers_to_transform", "layers_pattern"),
    *("init_lora_weights", "base_model_name_or_path", "fan_in_fan_out", "use_dora", "loftq_config", "megatron_config"),
    *("inference_mode", "peft_version", "a_key_of_nobody"),
)
_PATTERNS = (
    "q_proj",
    "^q_proj",
    "q.proj",
    r"layers\.0\.self_attn\.q_proj",
    "(a+)+$",
    "[",
    "",
    ".",
    "x" * 9999,
    "\ud800",
)
# Each changes the result of the adapter, and none is supported.
_OTHER_MATHEMATICS: tuple[dict[str, Any], ...] = (
    *({"init_lora_weights": init} for init in ("pissa", "pissa_niter_4", "olora", "corda", "loftq", "lora_ga", "new")),
    *({key: True} for key in ("use_dora", "use_qalora", "lora_bias", "a_flag_of_tomorrow")),
    *({key: {"a": 1}} for key in ("arrow_config", "kasa_config", "velora_config", "megatron_config")),
    {"bias": "all"},
    {"layer_replication": [[0, 1]]},
    {"modules_to_save": ["lm_head"]},
    {"target_modules": ["k_proj"]},
    {"lora_alpha": 1e300},
    {"peft_type": "IA3"},
)


def _sound(rng: Rng) -> LoraAdapter:
    def matrix(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    return LoraAdapter({name: Factors(matrix(4, k), matrix(n, 4), 2.0) for name, (n, k) in _SHAPES.items()}, 4, 8.0)


def _use(folder: Path) -> None:
    adapter = read_lora(folder, _SHAPES)
    for factors in adapter.targets.values():
        assert np.isfinite(np.float32(factors.scale) * factors.b @ factors.a).all()
    write_lora(adapter, folder / "again")
    again = read_lora(folder / "again", _SHAPES)
    assert [f.scale for f in again.targets.values()] == [f.scale for f in adapter.targets.values()]


@area("adapters")
def adapter_folder(rng: Rng, folder: Path) -> Case:
    place = folder / "a"
    shutil.rmtree(place, ignore_errors=True)
    write_lora(_sound(rng), place)
    config = json.loads((place / CONFIG).read_text())
    chance = rng.random()
    if chance < 0.08:
        return Case("a sound adapter", ACCEPTED, lambda: _use(place))
    if chance < 0.2:
        changes = pick(rng, _OTHER_MATHEMATICS)
        (place / CONFIG).write_text(json.dumps(config | changes))
        return Case(f"an adapter with {changes}", REFUSED, lambda: _use(place))
    if chance < 0.4:
        return _other_factors(rng, place)
    if chance < 0.5:
        key = pick(rng, ("rank_pattern", "alpha_pattern"))
        changes = {key: {pick(rng, _PATTERNS): pick(rng, (*JUNK, 4, 8))}}
    else:
        changes = {pick(rng, _KEYS): pick(rng, JUNK) for _ in range(int(rng.choice([1, 1, 2])))}
    (place / CONFIG).write_text(json.dumps(config | changes))
    return Case(f"an adapter with {changes}"[:300], EITHER, lambda: _use(place))


def _other_factors(rng: Rng, place: Path) -> Case:
    if rng.integers(2):
        raw = bytearray((place / WEIGHTS).read_bytes())
        header = 8 + int.from_bytes(raw[:8], "little")
        pick(rng, (*BINARY, reheaded, reheaded))(raw, rng, header)
        (place / WEIGHTS).write_bytes(raw)
        return Case("an adapter with a damaged header", EITHER, lambda: _use(place))
    tensors = load_file(place / WEIGHTS)
    name = pick(rng, sorted(tensors))
    value = tensors.pop(name)
    damage = pick(rng, ("missing", "NaN", "Inf", "cut", "wider", "renamed", "of integers"))
    if damage in ("NaN", "Inf"):
        value[int(rng.integers(len(value))), 0] = np.nan if damage == "NaN" else -np.inf
    changed = {
        "missing": {},
        "cut": {name: value[:-1]},
        "wider": {name: np.concatenate([value, value], axis=1)},
        "renamed": {name.replace("layers.", "layers.1"): value},
        "of integers": {name: value.astype(np.int32)},
    }
    save_file(
        {k: np.ascontiguousarray(v) for k, v in (tensors | changed.get(damage, {name: value})).items()}, place / WEIGHTS
    )
    return Case(f"an adapter whose {name} is {damage}", REFUSED, lambda: _use(place))
