"""Hugging Face folders: damaged safetensors and indices, tensors of other shapes and names."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from tests.formats import made

from .cases import ACCEPTED, EITHER, REFUSED, Case, Rng, area, pick
from .mutations import BINARY, reheaded, reworded
from .opened import use_checkpoint

_FAMILIES = ("llama", "mistral", "qwen2", "qwen3", "gpt2")
_EXTRA = ("score.weight", "model.layers.7.mlp.up_proj.weight", "h.5.ln_1.bias", "lm_head.bias", "x.weight", "")


@area("safetensors")
def safetensors_folder(rng: Rng, folder: Path) -> Case:
    family = pick(rng, _FAMILIES)
    model = made.config(family)
    weights = made.state(model)
    place = folder / "m"
    shutil.rmtree(place, ignore_errors=True)
    chance = rng.random()
    shards = 1 + int(rng.integers(3))
    if chance < 0.1:
        made.write_hf(place, model, weights, shards=shards)
        return Case(f"a sound {family} in {shards} files", ACCEPTED, lambda: use_checkpoint(place))
    if chance < 0.16:
        name = pick(rng, _EXTRA)
        made.write_hf(place, model, weights | {name: np.ones((3, 4), np.float32)}, shards=shards)
        return Case(f"a {family} with the tensor {name!r}", REFUSED, lambda: use_checkpoint(place))
    if chance < 0.2:
        name = pick(rng, sorted(weights))
        other = pick(
            rng, (weights[name][:-1], weights[name][None], weights[name].astype(np.int16), weights[name].T[1:])
        )
        changed = {**weights, name: np.ascontiguousarray(other)}
        made.write_hf(place, model, changed, shards=shards)
        return Case(f"a {family} whose {name} is {other.dtype} {other.shape}", REFUSED, lambda: use_checkpoint(place))
    made.write_hf(place, model, weights, shards=shards)
    file = pick(rng, sorted(p for p in place.iterdir() if p.name != "config.json"))
    raw = bytearray(file.read_bytes())
    binary = file.suffix == ".safetensors"
    header = 8 + int.from_bytes(raw[:8], "little") if binary else len(raw)
    for _ in range(int(rng.choice([1, 1, 1, 2, 4]))):
        mutation = pick(rng, (*BINARY, *[reheaded if binary else reworded] * 6))
        mutation(raw, rng, max(1, min(header, len(raw))))
    file.write_bytes(raw)
    return Case(f"a {family} whose {file.name} is damaged", EITHER, lambda: use_checkpoint(place))
