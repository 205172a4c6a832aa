"""Recipes of weight types: parsing, the types they give a model's matrices, and models loaded with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from wgpt.core.errors import PreconditionError
from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network
from wgpt.models.presets import PRESETS
from wgpt.models.random_source import random_kinds
from wgpt.models.reference import Array
from wgpt.models.source import kinds_of
from wgpt.models.targets import linear_shapes
from wgpt.models.weight_recipe import WeightRecipe, canonical
from wgpt.quant.weights import pack, unpack

from . import made_up
from .compare import TOLERANCE, error_of_decoding, error_of_prefill
from .gguf_maker import write_gguf

LLAMA, GPT2 = PRESETS["llama-3.2-1b"], PRESETS["gpt2"]
UNTIED = replace(LLAMA, tied=False)


def type_names(recipe: str, config=LLAMA) -> dict[str, str | None]:
    """The types of all matrices."""
    types = WeightRecipe.parse(recipe).types(config)
    tables = ["wte", "wpe"] if config.family == "gpt2" else ["model.embed_tokens"]
    tables += [] if config.tied else ["lm_head"]
    return {name: kind.name if (kind := types(name)) else None for name in [*tables, *linear_shapes(config)]}


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("q4_1", "q4_1"),
        ("Q4_K_M", "q4_k_m"),
        (" ffn=q4_1 , embed = Q8_0", "embed=q8_0,ffn=q4_1"),
        ("nf4,v=q8_0,head=f16", "nf4,head=f16,v=q8_0"),
        ("8/4/4,down=q8_0", "8/4/4,down=q8_0"),
    ],
)
def test_one_spelling(text: str, spelled: str) -> None:
    assert canonical(text) == spelled
    assert canonical(spelled) == spelled


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q3", "unknown weight type 'q3'; supported: f32, .*the mixes q4_k_m, .*such as embed="),
        ("", "unknown weight type ''"),
        ("attn=q3", "unknown weight type 'q3' of a part; supported: f32"),
        ("attn=q4_k_m", "unknown weight type 'q4_k_m' of a part"),
        ("attention=q4_1", "unknown part 'attention' in the recipe 'attention=q4_1'; supported: embed, head, attn"),
        ("attn=q4_1,q8_0", "'q8_0' in the recipe 'attn=q4_1,q8_0': write PART=TYPE"),
        ("q4_1,", "'' in the recipe 'q4_1,': write PART=TYPE"),
        ("ffn=q4_1,ffn=q8_0", "names ffn twice"),
    ],
)
def test_what_is_no_recipe(text: str, message: str) -> None:
    with pytest.raises(PreconditionError, match=message):
        WeightRecipe.parse(text)


def test_by_part() -> None:
    types = type_names("attn=q8_0,ffn=q4_1,v=f16,down=q5_1")
    layer = {name.rsplit(".", 1)[-1]: kind for name, kind in types.items() if ".layers.7." in name}
    assert layer == {
        **{f"{x}_proj": "q8_0" for x in "qko"},
        "v_proj": "f16",
        **{"gate_proj": "q4_1", "up_proj": "q4_1", "down_proj": "q5_1"},
    }
    assert types["model.embed_tokens"] is None, "matrices that are not named keep their type"


def test_a_base_for_what_is_not_named() -> None:
    assert set(type_names("q4_1").values()) == {"q4_1"}
    types = type_names("q4_1,embed=q8_0", UNTIED)
    assert types.pop("model.embed_tokens") == "q8_0" and set(types.values()) == {"q4_1"}
    of_layers = type_names("nf4", GPT2)
    assert of_layers.pop("wte") is None and of_layers.pop("wpe") is None and set(of_layers.values()) == {"nf4"}
    assert type_names("nf4,embed=q8_0", GPT2)["wpe"] == "q8_0"


def test_tied_embedding_and_head_are_one_matrix() -> None:
    assert type_names("head=q6_k")["model.embed_tokens"] == "q6_k"
    assert type_names("embed=q8_0,head=q8_0")["model.embed_tokens"] == "q8_0"
    assert type_names("head=q8_0", GPT2)["wte"] == "q8_0" and type_names("head=q8_0", GPT2)["wpe"] is None
    with pytest.raises(PreconditionError, match=r"embed=q4_0,head=q8_0: .* are one matrix"):
        type_names("embed=q4_0,head=q8_0")
    untied = type_names("embed=q4_0,head=q8_0", UNTIED)
    assert (untied["model.embed_tokens"], untied["lm_head"]) == ("q4_0", "q8_0")


@pytest.mark.parametrize(("recipe", "config"), [("v=q8_0", GPT2), ("gate=f16", GPT2), ("qkv=f16", LLAMA)])
def test_a_part_that_the_model_has_not(recipe: str, config) -> None:
    with pytest.raises(PreconditionError, match=f"this {config.family} model has no .* matrix; it has embed, "):
        type_names(recipe, config)


@pytest.mark.parametrize(("name", "usual", "qkv"), [("q4_k_m", "q4_k", "q5_k"), ("q5_k_m", "q5_k", "q6_k")])
def test_the_mixes_of_llama_cpp(name: str, usual: str, qkv: str) -> None:
    """Of 16 layers, llama.cpp gives more bits to the first and last two and to every third between."""
    types = type_names(name)
    more = {0, 1, 4, 7, 10, 13, 14, 15}
    for layer in range(16):
        for part in ("self_attn.v_proj", "mlp.down_proj"):
            assert types[f"model.layers.{layer}.{part}"] == ("q6_k" if layer in more else usual)
        for part in ("self_attn.q_proj", "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj"):
            assert types[f"model.layers.{layer}.{part}"] == usual
    assert types["model.embed_tokens"] == "q6_k", "it is the head, too"
    untied = type_names(name, UNTIED)
    assert (untied["model.embed_tokens"], untied["lm_head"]) == (usual, "q6_k")
    gpt2 = type_names(name, GPT2)
    assert (gpt2["h.5.attn.c_attn"], gpt2["wte"], gpt2["wpe"]) == (qkv, "q6_k", None)


def test_rows_that_are_no_whole_blocks_of_256() -> None:
    """As llama.cpp does for hidden sizes such as SmolLM2's 576; its feed-forward rows of 1536 are whole blocks."""
    types = type_names("q4_k_m", PRESETS["smollm2-135m"])
    assert types["model.embed_tokens"] == "q8_0" and types["model.layers.0.self_attn.v_proj"] == "q8_0"
    assert types["model.layers.0.self_attn.q_proj"] == "q5_0" and types["model.layers.0.mlp.down_proj"] == "q6_k"


def test_mixes_by_group() -> None:
    types = type_names("8/8/4", GPT2)
    assert (types["wpe"], types["h.0.attn.c_proj"], types["h.0.mlp.c_proj"]) == ("q8_0", "q8_0", "q4_1")
    assert type_names("8/4/4")["model.layers.0.self_attn.q_proj"] == "q4_1"


def test_a_table_beside_a_recipe() -> None:
    kinds = random_kinds(LLAMA, "ffn=q4_1", "q8_0")
    assert kinds("model.embed_tokens").name == "q8_0" and kinds("model.layers.0.mlp.up_proj").name == "q4_1"
    assert kinds("model.layers.0.self_attn.q_proj").name == "f16", "random weights that nothing names"
    with pytest.raises(PreconditionError, match="already names embed: omit the table type"):
        random_kinds(LLAMA, "embed=f16", "q8_0")


# On the GPU -------------------------------------------------------------------------------------------------

# Rows of 192 are no whole block of 256; q, k and v are joined, and so are gate and up.
MODEL = made_up.llama_like("qwen2", hidden=192, layers=2, heads=3, kv_heads=1, ffn=288)
RECIPE = "embed=q8_0,q=q4_k,k=q4_k,v=q6_k,gate=q5_k,up=q4_1,down=q6_k"
IDS = np.random.default_rng(7).integers(0, 320, 19).tolist()


@pytest.mark.full
@pytest.mark.gpu
def test_a_file_loaded_by_a_recipe(device: GpuDevice, tmp_path: Path) -> None:
    weights = write_gguf(tmp_path / "model.gguf", MODEL, made_up.random_weights(MODEL, seed=31))
    with open_checkpoint(tmp_path / "model.gguf") as checkpoint:
        kinds = kinds_of(checkpoint, RECIPE)
        network = Network.load(device, checkpoint, RECIPE)

    def held(name: str, values: Array) -> Array:
        return unpack(pack(values, kinds(name.removesuffix(".weight")).name)) if values.ndim == 2 else values

    truth = {name: held(name, values) for name, values in weights.items()}
    layer = network.family.layers[1]
    linears = {"qkv": layer.qkv, "out": layer.out, "gate_up": layer.ffn.gate_up}
    types = {name: [p.weight.type.name for p in linear.parts] for name, linear in linears.items()}
    assert types == {"qkv": ["q4_k", "q6_k"], "out": ["f32"], "gate_up": ["q5_k", "q4_1"]}
    assert error_of_prefill(network, MODEL, truth, IDS) < TOLERANCE
    assert error_of_decoding(network, MODEL, truth, IDS[:3]) < TOLERANCE
    network.release()


@pytest.mark.gpu
def test_random_weights_by_a_recipe(device: GpuDevice) -> None:
    """Joined matrices are split where types differ; the weights have the planned types."""
    config = replace(
        PRESETS["qwen2.5-1.5b"], vocab=320, hidden=256, ffn=288, layers=2, heads=4, kv_heads=2, head_dim=64
    )
    network = Network.random(device, config, RECIPE)
    layer = network.family.layers[0]
    assert [(p.weight.type.name, p.weight.n) for p in layer.qkv.parts] == [("q4_k", 384), ("q6_k", 128)]
    assert [p.bias.shape for p in layer.qkv.parts] == [(384,), (128,)]
    assert [p.weight.type.name for p in layer.ffn.gate_up.parts] == ["q5_k", "q4_1"]
    assert layer.out.parts[0].weight.type.name == "f16"
    empty, held = Network.empty(device, config, random_kinds(config, RECIPE))
    assert empty.nbytes == network.nbytes and set(held) == {"q8_0", "q4_k", "q6_k", "q5_k", "q4_1", "f16", "vectors"}
    network.release()
    empty.release()
