"""Golden models of odd sizes, one of each family: transformers' results, the reference's and the GPU's."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from wgpt import load
from wgpt.formats.family import families
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.models.reference import Array, Config, Weights

from .compare import CHOICES, TOLERANCE, error
from .golden import FOLDER, read_safetensors
from .odd_sizes import of_each_kind
from .vocabulary import write_tokenizer

NAMES = sorted(path.parent.name for path in (FOLDER / "odd").glob("*/config.json"))
EXACT = 1e-5  # transformers keeps norms and angles in float32


@dataclass(frozen=True)
class Golden:
    folder: Path
    config: Config
    weights: Weights
    ids: list[int]
    result: Array  # logits; an encoder's hidden states
    greedy: list[int]  # none of an encoder

    @classmethod
    def load(cls, name: str) -> Golden:
        folder = FOLDER / "odd" / name
        config = json.loads((folder / "config.json").read_text())
        with np.load(folder / "golden.npz") as saved:
            truth = (saved["ids"].tolist(), saved["result"], saved["greedy"].tolist())
        return cls(folder, config, read_safetensors(folder / "model.safetensors"), *truth)


def test_there_is_one_of_every_family() -> None:
    assert sorted(family.name for family in families()) == NAMES
    for config in (Golden.load(name).config for name in NAMES):
        inner = [config[key] for key in config if key == "n_inner" or "intermediate_size" in key]
        assert config["vocab_size"] % 2 and inner and all(size % 2 for size in inner)


@pytest.mark.parametrize("name", NAMES)
def test_the_reference(name: str) -> None:
    truth = Golden.load(name)
    compute = reference.logits if truth.greedy else reference.hidden
    assert error(compute(truth.config, truth.weights, truth.ids), truth.result) < EXACT
    if truth.greedy:
        assert reference.greedy(truth.config, truth.weights, truth.ids, len(truth.greedy)) == truth.greedy


def on_the_gpu(name: str, device: GpuDevice, tmp_path: Path) -> None:
    truth = Golden.load(name)
    write_tokenizer(tmp_path)
    cache = {"cache": "f32"} if truth.greedy else {}
    with load(truth.folder, device=device, tokenizer=tmp_path, **cache) as model:
        result = model.logits(truth.ids) if truth.greedy else model.hidden(truth.ids)
        assert error(result, truth.result) < TOLERANCE
        if truth.greedy:
            assert model.generate(truth.ids, **CHOICES).ids == truth.greedy


@pytest.mark.gpu
def test_a_llama_on_the_gpu(device: GpuDevice, tmp_path: Path) -> None:
    on_the_gpu("llama", device, tmp_path)


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("name", of_each_kind())
def test_a_family_of_each_kind_on_the_gpu(name: str, device: GpuDevice, tmp_path: Path) -> None:
    on_the_gpu(name, device, tmp_path)


@pytest.mark.gpu
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name not in of_each_kind()])
def test_the_others_on_the_gpu(name: str, device: GpuDevice, tmp_path: Path) -> None:
    on_the_gpu(name, device, tmp_path)
