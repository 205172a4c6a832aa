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
from wgpt.infer.tiny_models import random_weights, write_folder

from .cases import ACCEPTED, REFUSED, Case, Rng, area, pick

_REFUSED: tuple[dict[str, Any], ...] = (
    *({"head_dim": n} for n in (2, 10, 14, 22, 36, 260)),
    *({"num_attention_heads": n} for n in (3, 5, 7)),  # of two key-value heads
)


@area("sizes", seconds=60.0)  # a software driver compiles a few dozen shaders for each
def odd_sizes(rng: Rng, folder: Path) -> Case:
    place = folder / "odd"
    if rng.random() < 0.2:
        changes = pick(rng, _REFUSED)
        return Case(f"a llama with {changes}", REFUSED, lambda: _refused(place, changes))
    family = pick(rng, families())
    model = drawn(place, family.name, rng)
    name = pick(rng, [name for name in checks_of(model) if name != exported.__name__])  # that compiles too much
    shown = {key: value for key, value in model.config.items() if isinstance(value, int)}
    return Case(f"{name} of {family.name} {shown}"[:600], ACCEPTED, lambda: CHECKS[name](model, default_device(), rng))


def _refused(place: Path, changes: dict[str, Any]) -> None:
    sound = dict(named("llama").tiny)
    place.mkdir(parents=True, exist_ok=True)
    write_folder(place, sound | changes, random_weights(sound))
    write_tokenizer(place)
    load(place)
