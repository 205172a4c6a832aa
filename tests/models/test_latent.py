"""Latent attention (DeepSeek, GLM-4.7-Flash): as transformers computes it, from files of all kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wgpt import Model, load
from wgpt.core.errors import PreconditionError
from wgpt.core.sizes import PAGE
from wgpt.engine.memory import page_bytes
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.config import normalised
from wgpt.formats.family import model_types
from wgpt.formats.safetensors_write import write_safetensors
from wgpt.formats.write_gguf import write_gguf as write_model_as_gguf
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.models.config import Config
from wgpt.models.targets import check_trainable

from . import golden
from .compare import TOLERANCE, check_greedy, check_values, error
from .golden import Golden

NAMES = ("deepseek2", "deepseek3", "glm4-lite")
TINY = dict(model_types()["deepseek_v3"].tiny)


@pytest.fixture(scope="module", params=NAMES)
def case(request: pytest.FixtureRequest, device: GpuDevice) -> Iterator[tuple[Golden, Model]]:
    truth = golden.load(request.param, "latent")
    with load(truth.folder, cache="f32", dtype="f32", device=device) as model:
        yield truth, model


@pytest.mark.gpu
def test_logits_and_hidden_states(case: tuple[Golden, Model]) -> None:
    check_values(*case)


@pytest.mark.gpu
def test_greedy_continuations_alone_and_together(case: tuple[Golden, Model]) -> None:
    check_greedy(*case)


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_is_what_transformers_computes(name: str) -> None:
    truth = golden.load(name, "latent")
    for run in truth.runs:
        assert error(reference.logits(truth.config, truth.weights, run.ids), run.logits) < 1e-5


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_gguf_files(name: str, device: GpuDevice, tmp_path: Path) -> None:
    """Our own writer's, with the matrices of heads that llama.cpp's converter makes of kv_b_proj."""
    truth = golden.load(name, "latent")
    with open_checkpoint(truth.folder) as checkpoint:
        write_model_as_gguf(checkpoint, tmp_path / "model.gguf", "f32")
    with load(tmp_path / "model.gguf", cache="f32", device=device) as model:
        assert error(model.logits(truth.runs[2].ids), truth.runs[2].logits) < TOLERANCE


@pytest.mark.gpu
def test_layers_that_predict_further_tokens_are_left_aside(device: GpuDevice, tmp_path: Path) -> None:
    truth = golden.load("deepseek3", "latent")
    for file in truth.folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = {name: np.asarray(w, np.float32) for name, w in truth.weights.items()}
    further = {"model.layers.2.eh_proj.weight": np.ones((4, 8), np.float32)}
    write_safetensors(tmp_path / "model.safetensors", weights | further)
    with load(tmp_path, cache="f32", device=device) as model:
        assert error(model.logits(truth.runs[1].ids), truth.runs[1].logits) < TOLERANCE
    write_safetensors(
        tmp_path / "model.safetensors", weights | {"model.layers.1.eh_proj.weight": np.ones((4, 8), np.float32)}
    )
    with pytest.raises(FormatError, match=r"unexpected 'model\.layers\.1\.eh_proj\.weight'"):
        load(tmp_path, device=device)


def test_a_position_takes_one_latent_vector() -> None:
    """Of 32 and 8 dimensions in f16 in each of two layers, however many heads there are."""
    for heads in (4, 16):
        config = Config.of(normalised(TINY | {"num_attention_heads": heads, "num_key_value_heads": heads}, "here"))
        assert page_bytes(config, "f16") == PAGE * 2 * (32 + 8) * 2


def test_fine_tuning_is_refused() -> None:
    with pytest.raises(
        PreconditionError, match="fine-tuning of deepseek2 models is unsupported: gradients of their att"
    ):
        check_trainable(Config.of(normalised(TINY, "here")))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_group": 3}, "8 experts cannot be in 3 groups"),
        ({"n_group": 8, "topk_group": 4}, "n_group is 8: groups of 1 experts are too small"),
        ({"kv_lora_rank": 30}, "kv_lora_rank is 30; it must be a multiple of 8"),
        ({"kv_lora_rank": 1024}, "head_dim is 1032; it must be a multiple of 8 up to 576"),
        ({"moe_layer_freq": 2}, "unsupported moe_layer_freq 2; supported: 1"),
        ({"scoring_func": "softmax"}, "unsupported scoring_func 'softmax'; supported: 'sigmoid'"),
        ({"model_type": "deepseek_v2", "topk_method": "noaux_tc", "norm_topk_prob": False}, "unsupported topk_method"),
        ({"model_type": "glm4_moe_lite", "mlp_layer_types": ["sparse", "dense"]}, "mlp_layer_types is"),
    ],
)
def test_unsupported_settings_are_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Config.of(normalised(TINY | change, "here"))
