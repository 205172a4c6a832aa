"""Models of odd sizes, drawn at random: every way through them, and every family, against the float64 reference.

The reference itself is compared with transformers' results: test_reference.py, tests/golden/check_odd_sizes.py.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wgpt import convert, load
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.family import families, named
from wgpt.gpu import GpuDevice
from wgpt.models.tiny_models import random_weights, write_folder

from .odd_checks import CHECKS, checks_of, exported, generates, generates_with_lora
from .odd_sizes import Drawn, drawn, of_each_kind, sizes
from .vocabulary import write_tokenizer

NAMES = [family.name for family in families()]
FOLDERS = 100
COMMON = {"hidden_size": 63, "intermediate_size": 55, "vocab_size": 97, "head_dim": 24}


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    rng = np.random.default_rng(0)
    return drawn(tmp_path_factory.mktemp("odd") / "llama", "llama", rng, **COMMON, num_attention_heads=3)


@pytest.mark.gpu
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.full] if name == "generates_with_lora" else [])
        for name in CHECKS
        if name != exported.__name__
    ],
)
def test_every_way_through_a_llama(llama: Drawn, device: GpuDevice, name: str) -> None:
    CHECKS[name](llama, device, np.random.default_rng(1))


@pytest.mark.gpu
@pytest.mark.full
def test_the_programs_of_a_web_page(llama: Drawn, device: GpuDevice) -> None:
    exported(llama, device, np.random.default_rng(1))


@pytest.mark.gpu
@pytest.mark.parametrize("hidden", [75, 90, 102, 105, 331])
def test_the_first_token_of_a_prompt(device: GpuDevice, tmp_path: Path, hidden: int) -> None:
    """It is chosen in the Program of the prompt's last chunk, from some of its rows."""
    rng = np.random.default_rng(hidden)
    model = drawn(tmp_path, "llama", rng, **COMMON | {"hidden_size": hidden}, num_hidden_layers=1)
    generates(model, device, rng)


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("family", of_each_kind())
def test_a_family_of_each_kind(device: GpuDevice, tmp_path: Path, family: str) -> None:
    rng = np.random.default_rng(2)
    model = drawn(tmp_path, family, rng)
    CHECKS[checks_of(model)[0]](model, device, rng)


@pytest.mark.gpu
@pytest.mark.slow
@pytest.mark.parametrize("number", range(FOLDERS))
def test_a_hundred_folders(device: GpuDevice, tmp_path: Path, number: int) -> None:
    """All families in turn: logits, first tokens, greedy ones, batches, LoRA, and another way through each."""
    rng = np.random.default_rng(number)
    model = drawn(tmp_path, NAMES[number % len(NAMES)], rng)
    able = checks_of(model)
    first = [name for name in able if name in (generates.__name__, generates_with_lora.__name__)]
    for name in (*first, str(rng.choice([name for name in able if name not in first]))):
        CHECKS[name](model, device, rng)


@pytest.mark.parametrize("head_dim", [10, 14, 22])
def test_heads_that_are_refused_by_name(tmp_path: Path, head_dim: int) -> None:
    config = {**named("llama").tiny, "head_dim": head_dim}
    write_folder(tmp_path, config, random_weights(config))
    write_tokenizer(tmp_path)
    with pytest.raises(FormatError, match=f"head_dim is {head_dim}; .*it must be a multiple of 8 up to"):
        load(tmp_path)


@pytest.mark.parametrize("family", NAMES)
def test_odd_sizes_are_drawn(family: str) -> None:
    """Of every family, within a few draws: feed-forwards and vocabularies that neither 2 nor 4 divides."""
    rng = np.random.default_rng(5)
    configs = [sizes(family, rng) for _ in range(20)]
    assert any(config["vocab_size"] % 2 for config in configs)
    inner = [config[key] for config in configs for key in config if key == "n_inner" or "intermediate_size" in key]
    assert any(size % 2 for size in inner) and any(size % 4 == 2 for size in inner)


def test_what_llama_cpps_converter_loses(tmp_path: Path) -> None:
    """GGUF has a place for StableLM's theta, and none for the layers of SmolLM3 that do not rotate."""
    rng = np.random.default_rng(0)
    stablelm, smollm3 = (drawn(tmp_path / name, name, rng, vocab_size=331) for name in ("stablelm", "smollm3"))
    convert(stablelm.folder, tmp_path / "stablelm.gguf", "f32")
    with open_checkpoint(tmp_path / "stablelm.gguf") as checkpoint:
        assert checkpoint.config["rope_theta"] == stablelm.config["rope_theta"] == 500.0
    with pytest.raises(FormatError, match=r"cannot express no_rope_layers = \[1, 0\]: it would be read as \[1, 1\]"):
        convert(smollm3.folder, tmp_path / "smollm3.gguf", "f32")
