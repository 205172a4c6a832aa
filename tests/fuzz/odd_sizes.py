"""Whole models of odd sizes on the GPU: each is right, by the float64 reference, or refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.models.odd_checks import CHECKS, checks_of, exported
from tests.models.odd_sizes import drawn
from tests.models.vocabulary import write_tokenizer
from wgpt import load
from wgpt.formats.family import families, named
from wgpt.gpu import default_device
from wgpt.models.tiny_models import random_weights, write_folder

from .cases import ACCEPTED, REFUSED, Case, Limits, Rng, area, pick

_HEADS = (2, 10, 14, 22, 36, 260)  # no multiples of 8, or too large


@area("sizes", Limits(seconds=60))  # a software driver compiles a few dozen shaders for each
def odd_sizes(rng: Rng, folder: Path) -> Case:
    place = folder / "odd"
    if rng.random() < 0.3:
        head_dim, vocab = pick(rng, _HEADS), int(rng.integers(30, 331))
        config = {**named("llama").tiny, "head_dim": head_dim, "vocab_size": vocab}
        return Case(f"a llama with heads of {head_dim}, {vocab} tokens", REFUSED, lambda: _loaded(place, config))
    family = pick(rng, families())
    model = drawn(place, family.name, rng)
    name = pick(rng, [name for name in checks_of(model) if name != exported.__name__])  # that compiles too much
    shown = {key: value for key, value in model.config.items() if isinstance(value, int)}
    return Case(f"{name} of {family.name} {shown}"[:600], ACCEPTED, lambda: CHECKS[name](model, default_device(), rng))


def _loaded(place: Path, config: dict[str, Any]) -> None:
    place.mkdir(parents=True, exist_ok=True)
    write_folder(place, config, random_weights(config))
    write_tokenizer(place)
    load(place)
