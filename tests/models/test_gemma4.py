"""Gemma 4: as transformers computes it, from files of all kinds, alone and together; what is unsupported is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wgpt import Model, load
from wgpt.core.errors import PreconditionError
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.config import normalised
from wgpt.formats.family import model_types
from wgpt.formats.safetensors_write import write_safetensors
from wgpt.formats.write_gguf import write_gguf as write_model_as_gguf
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.models.config import Config
from wgpt.models.targets import check_trainable
from wgpt.models.tiny_models import random_weights, write_folder
from wgpt.ops.cache import KVShape
from wgpt.web.errors import WebExportError
from wgpt.web.site import _check_family

from . import golden
from .compare import TOLERANCE, check_greedy, check_values, error
from .gguf_maker import write_gguf
from .golden import Golden
from .vocabulary import SIZE, write_tokenizer

NAMES = ("gemma4", "gemma4-experts", "gemma4-inputs")
TINY = dict(model_types()["gemma4_text"].tiny)


@pytest.fixture(scope="module", params=NAMES)
def case(request: pytest.FixtureRequest, device: GpuDevice) -> Iterator[tuple[Golden, Model]]:
    truth = golden.load(request.param, "latent")
    with load(truth.folder, cache="f32", dtype="f32", device=device) as model:
        yield truth, model


@pytest.mark.gpu
def test_logits_and_hidden_states(case: tuple[Golden, Model]) -> None:
    """The longest text reaches beyond the window."""
    truth, model = case
    assert len(truth.runs[2].ids) > truth.config["sliding_window"]
    check_values(truth, model)


@pytest.mark.gpu
def test_greedy_continuations_alone_and_together(case: tuple[Golden, Model]) -> None:
    check_greedy(*case)


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_is_what_transformers_computes(name: str) -> None:
    truth = golden.load(name, "latent")
    for run in truth.runs:
        assert error(reference.logits(_hub(truth), truth.weights, run.ids), run.logits) < 1e-5


def _hub(truth: Golden) -> dict[str, object]:
    """The config as folders on the hub have it, without transformers 5.22's per_layer_config."""
    config = dict(truth.config)
    each = next(iter(config.pop("per_layer_config").values()))
    return config | {"global_head_dim": each["head_dim"], "num_global_key_value_heads": each.get("num_key_value_heads")}


def test_both_ways_to_say_what_layers_without_a_window_have() -> None:
    for name in NAMES:
        truth = golden.load(name, "latent")
        assert "per_layer_config" in truth.config
        assert normalised(_hub(truth), "here") == normalised(truth.config, "here")


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_gguf_files(name: str, device: GpuDevice, tmp_path: Path) -> None:
    """As llama.cpp's converter writes them, and as our own writer does: the same config, the same logits."""
    truth = golden.load(name, "latent")
    bare = ("layer_scalar", "experts.gate_up_proj", "experts.down_proj")
    named = {f"{n}.weight" if n.endswith(bare) else n: w for n, w in truth.weights.items()}
    write_gguf(tmp_path / "model.gguf", _hub(truth), named)
    with open_checkpoint(truth.folder) as checkpoint, open_checkpoint(tmp_path / "model.gguf") as other:
        write_model_as_gguf(checkpoint, tmp_path / "own.gguf", "f32")
        same = {k: v for k, v in checkpoint.config.items() if not isinstance(v, float | dict) and "token_id" not in k}
        assert {key: other.config[key] for key in same} == same
    for path in ("model.gguf", "own.gguf"):
        with load(tmp_path / path, cache="f32", device=device) as model:
            assert error(model.logits(truth.runs[2].ids), truth.runs[2].logits) < TOLERANCE


@pytest.mark.gpu
def test_the_text_part_of_a_model_that_reads_images_and_sound(device: GpuDevice, tmp_path: Path) -> None:
    """Tensors of layers that use the keys of others are there, too, and change nothing."""
    truth = golden.load("gemma4-inputs", "latent")
    outer = {"model_type": "gemma4", "text_config": _hub(truth), "vision_config": {}, "audio_config": {}}
    (tmp_path / "config.json").write_text(json.dumps(outer))
    weights = {name.replace("model.", "model.language_model.", 1): w for name, w in truth.weights.items()}
    unused = "model.language_model.layers.{}.self_attn.k_proj.weight"
    weights[unused.format(2)] = weights[unused.format(0)] + 1
    weights |= {
        "model.audio_tower.x.weight": np.ones((2, 2), np.float32),
        "model.embed_vision.y": np.ones(3, np.float32),
    }
    write_safetensors(tmp_path / "model.safetensors", weights)
    write_tokenizer(tmp_path)
    with pytest.warns(UserWarning, match="text only: 2 tensors of the vision part"):
        model = load(tmp_path, cache="f32", device=device)
    with model:
        assert error(model.logits(truth.runs[2].ids), truth.runs[2].logits) < TOLERANCE


def test_caches_have_the_shapes_of_their_layers() -> None:
    config = Config.of(normalised(TINY, "here"))
    assert config.cache_layers == (KVShape(2, 24), KVShape(1, 32), KVShape(0, 24), KVShape(0, 32))


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("cache", ["f16", "q8_0"])
def test_heads_of_256_and_512(cache: str, device: GpuDevice, host_memory: None, tmp_path: Path) -> None:
    """As in published models, with a cache of halves and one of bytes; layers in host memory."""
    config = TINY | {"head_dim": 256, "global_head_dim": 512, "num_attention_heads": 2, "num_key_value_heads": 1}
    config |= {"vocab_size": SIZE, "vocab_size_per_layer_input": SIZE}
    weights = random_weights(config)
    write_folder(tmp_path, config, weights)
    write_tokenizer(tmp_path)
    ids = np.random.default_rng(0).integers(0, 64, 40).tolist()
    expected = reference.logits(config, weights, ids)
    with load(tmp_path, cache=cache, device=device, resident=1) as model:
        assert error(model.logits(ids), expected) < {"f16": 2e-2, "q8_0": 1e-1}[cache]


@pytest.mark.gpu
@pytest.mark.full
def test_experts_with_gates_and_ups_of_different_types(device: GpuDevice, host_memory: None) -> None:
    """Which are two matrices; layers in host memory."""
    truth = golden.load("gemma4-experts", "latent")  # in bf16, and small enough for f16
    with load(truth.folder, cache="f32", dtype="gate_exps=f16", device=device, resident=1) as model:
        for run in truth.runs:
            assert error(model.logits(run.ids), run.logits) < TOLERANCE


def test_fine_tuning_is_refused() -> None:
    with pytest.raises(PreconditionError, match="fine-tuning of gemma4 models is unsupported: gradients of their att"):
        check_trainable(Config.of(normalised(TINY, "here")))


def test_a_web_page_is_refused() -> None:
    with pytest.raises(WebExportError, match="exporting gemma4 models is unsupported"):
        _check_family(Config.of(normalised(TINY, "here")))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"enable_moe_block": True}, "missing required key num_experts"),
        ({"enable_moe_block": True, "num_experts": 4, "top_k_experts": 5}, "top_k_experts is 5, but there are only 4"),
        ({"num_kv_shared_layers": 4}, "num_kv_shared_layers is 4, but no earlier layer is of full_attention"),
        ({"num_kv_shared_layers": 3}, "num_kv_shared_layers is 3, but no earlier layer is of full_attention"),
        ({"use_bidirectional_attention": "all"}, "unsupported use_bidirectional_attention 'all'"),
        ({"vocab_size_per_layer_input": 65}, f"vocab_size_per_layer_input 65; supported: {TINY['vocab_size']}"),
        ({"per_layer_config": {"1": {"head_dim": 32}, "3": {"head_dim": 40}}}, "unsupported per_layer_config"),
        ({"per_layer_config": {"0": {"head_dim": 32}}}, "unsupported per_layer_config"),
        ({"layer_types": ["full_attention"] * 3}, "layer_types is .*, not a list"),
        ({"rope_parameters": {"rope_theta": 5.0}}, "rope_parameters is .*, not an object for full_attention"),
        ({"num_global_key_value_heads": 3}, "num_attention_heads 4 is not a multiple of 3 key-value heads"),
        ({"global_head_dim": 584}, "head_dim is 584; it must be a multiple of 8 up to 576"),
    ],
)
def test_unsupported_settings_are_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Config.of(normalised(TINY | change, "here"))
