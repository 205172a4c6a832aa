"""Models that also read images: their text part is opened, whatever its tensors are called; no GPU."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.config import normalised
from wgpt.formats.nested import plain_name, text_config
from wgpt.formats.peft import _target

from ..models import golden

GEMMA_4B: dict[str, Any] = {  # as the hub has it, apart from the vision part
    "architectures": ["Gemma3ForConditionalGeneration"],
    "boi_token_index": 255999,
    "eoi_token_index": 256000,
    "eos_token_id": [1, 106],
    "image_token_index": 262144,
    "initializer_range": 0.02,
    "mm_tokens_per_image": 256,
    "model_type": "gemma3",
    "text_config": {
        "hidden_size": 2560,
        "intermediate_size": 10240,
        "model_type": "gemma3_text",
        "num_hidden_layers": 34,
        "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
        "sliding_window": 1024,
    },
    "torch_dtype": "bfloat16",
    "vision_config": {"hidden_size": 1152, "model_type": "siglip_vision_model"},
}


def renamed(tmp_path: Path, name: str, layers: str, head: str, vision: str) -> Path:
    """A golden folder with other prefixes."""
    folder = tmp_path / name
    shutil.copytree(golden.folder_of(name), folder)
    tensors = load_file(folder / "model.safetensors")
    new = {}
    for key, value in tensors.items():
        key = key.replace("language_model.model.", layers).replace("language_model.lm_head", head)
        new[f"{vision}{key}" if key.startswith(("vision_tower", "multi_modal")) else key] = value
    save_file(new, folder / "model.safetensors", {"format": "pt"})
    return folder


@pytest.mark.parametrize("name", ["mistral3-vision", "gemma3-vision"])
def test_both_ways_to_nest_tensors(tmp_path: Path, name: str) -> None:
    with open_checkpoint(golden.folder_of(name)) as first:
        assert first.aside.startswith("text only: ") and "vision_tower" in first.aside
        for head in ("lm_head", "language_model.lm_head"):
            folder = renamed(tmp_path / head, name, "model.language_model.", head, "model.")
            with open_checkpoint(folder) as second:
                assert second.config == first.config and second.aside == first.aside
                assert second.tensors.keys() == first.tensors.keys()
                for key, stored in second.tensors.items():
                    np.testing.assert_array_equal(stored.rows(0, 3), first.tensors[key].rows(0, 3))


def test_tensors_of_neither_part_are_refused(tmp_path: Path) -> None:
    folder = renamed(tmp_path, "mistral3-vision", "language_model.model.", "language_model.lm_head", "")
    tensors = load_file(folder / "model.safetensors")
    save_file(tensors | {"speech_tower.conv.weight": np.ones((2, 2), np.float32)}, folder / "model.safetensors")
    with pytest.raises(FormatError, match=r"unexpected 'speech_tower\.conv\.weight'"):
        open_checkpoint(folder)
    save_file(tensors | {"model.norm.weight": np.ones(32, np.float32)}, folder / "model.safetensors")
    with pytest.raises(FormatError, match=r"has 'model\.norm\.weight' twice"):
        open_checkpoint(folder)


def test_what_the_first_gemma_configs_leave_out() -> None:
    config = normalised(text_config(GEMMA_4B, "here") | {"tie_word_embeddings": True}, "here")
    sizes = ("vocab_size", "num_attention_heads", "num_key_value_heads", "head_dim", "max_position_embeddings")
    assert [config[key] for key in sizes] == [262208, 8, 4, 256, 131072]
    assert config["eos_token_id"] == [1, 106]
    assert config["rope_scaling"] == {"rope_type": "linear", "factor": 8.0}
    assert config["layer_types"][4:6] == ["sliding_attention", "full_attention"]
    assert (config["rope_theta"], config["local_rope_theta"]) == (1e6, 1e4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model_type": "paligemma"}, r"unsupported model_type 'paligemma'; supported: .*gemma3_text, .*gemma3, .*"),
        ({"text_config": {"model_type": "gemma"}}, r"unsupported text_config\.model_type 'gemma' of a gemma3 model"),
        ({"text_config": {}}, r"unsupported text_config\.model_type None of a gemma3 model; supported: gemma3_text"),
        ({"text_config": 3}, r"text_config is 3, not an object"),
    ],
)
def test_other_models_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        text_config(GEMMA_4B | change, "here")


def test_a_config_of_a_text_model_stays() -> None:
    truth = json.loads((golden.folder_of("qwen3") / "config.json").read_text())
    assert text_config(truth, "here") == truth


def test_names_in_adapters() -> None:
    plain = "model.layers.3.self_attn.q_proj"
    for prefix in ("", "language_model.", "model.language_model."):
        name = prefix + (plain if prefix != "model.language_model." else plain.removeprefix("model."))
        assert _target(name) == plain
    assert plain_name("language_model.lm_head.weight") == "lm_head.weight"


def test_a_merged_model_keeps_its_vision_part(tmp_path: Path) -> None:
    from wgpt.formats.write_model import write_model

    with open_checkpoint(golden.folder_of("mistral3-vision")) as checkpoint:
        changes = {"model.layers.1.self_attn.q_proj.weight": lambda lo, hi, read: 2 * read()}
        write_model(checkpoint, changes.get, tmp_path)
    old = load_file(golden.folder_of("mistral3-vision") / "model.safetensors")
    new = load_file(tmp_path / "model.safetensors")
    assert new.keys() == old.keys()
    for name in old:
        factor = 2 if name == "language_model.model.layers.1.self_attn.q_proj.weight" else 1
        np.testing.assert_array_equal(new[name], factor * old[name], name)
