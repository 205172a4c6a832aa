"""Mixtures of experts: as transformers computes them, from files of all kinds, alone and together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from wgpt import Model, load
from wgpt.core.errors import PreconditionError
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.config import normalised
from wgpt.formats.family import model_types
from wgpt.formats.lora import Factors, LoraAdapter
from wgpt.formats.merge import merge
from wgpt.formats.peft import write_lora
from wgpt.formats.safetensors_write import write_safetensors
from wgpt.formats.write_gguf import write_gguf as write_model_as_gguf
from wgpt.formats.write_model import check_writable
from wgpt.gpu import AllocationError, GpuDevice
from wgpt.gpu.bindings import most_bytes
from wgpt.gpu.dry import DryDevice
from wgpt.models import reference
from wgpt.models.config import Config
from wgpt.models.network import Network
from wgpt.models.presets import PRESETS
from wgpt.models.random_source import random_kinds
from wgpt.models.targets import check_trainable, chosen, linear_shapes
from wgpt.models.tiny_models import random_weights, write_folder
from wgpt.quant.nf4 import CODEBOOK
from wgpt.quant.weights import pack, unpack

from . import golden
from .compare import CHOICES, TOLERANCE, check_greedy, check_values, error
from .expert_files import stacked, write_experts
from .gguf_maker import write_gguf
from .golden import Golden, read_safetensors
from .packed_values import values_of
from .vocabulary import SIZE, write_tokenizer

NAMES = tuple(sorted(path.parent.name for path in (golden.FOLDER / "experts").glob("*/config.json")))
SIZES = {"hidden_size": 64, "moe_intermediate_size": 32, "intermediate_size": 32, "head_dim": 16, "mlp_only_layers": []}
SIZES |= {"vocab_size": SIZE, "shared_expert_intermediate_size": 96}
IDS = np.random.default_rng(0).integers(0, 64, 41).tolist()


FEW = [pytest.param(name, marks=[pytest.mark.full] if name == "gpt-oss" else []) for name in NAMES]


@pytest.fixture(scope="module", params=NAMES)
def case(request: pytest.FixtureRequest, device: GpuDevice) -> Iterator[tuple[Golden, Model]]:
    truth = golden.load(request.param, "experts")
    with load(truth.folder, cache="f32", dtype="f32", device=device) as model:
        yield truth, model


def test_every_family_with_experts_has_a_golden_model():
    mixtures = {kind for kind, family in model_types().items() if "num_experts_per_tok" in family.tiny}
    # test_latent.py and test_states.py have these.
    elsewhere = {*model_types()["deepseek_v3"].model_types, "lfm2_moe", "qwen3_next", "qwen3_5_moe_text"}
    assert {golden.load(name, "experts").config["model_type"] for name in NAMES} == {*mixtures - elsewhere, "mixtral"}


@pytest.mark.gpu
@pytest.mark.parametrize("case", FEW, indirect=True)
def test_logits_and_hidden_states(case: tuple[Golden, Model]) -> None:
    check_values(*case)


@pytest.mark.gpu
@pytest.mark.parametrize("case", FEW, indirect=True)
def test_greedy_continuations_alone_and_together(case: tuple[Golden, Model]) -> None:
    check_greedy(*case)


def test_the_reference_is_what_transformers_computes() -> None:
    for name in NAMES:
        truth = golden.load(name, "experts")
        run = truth.runs[1]
        assert error(reference.logits(truth.config, truth.weights, run.ids), run.logits) < 1e-5


def _tiny(kind: str, **more: object) -> dict[str, object]:
    tiny = dict(model_types()[kind].tiny)
    if kind == "mixtral":
        tiny |= {"model_type": kind, "num_local_experts": 4, "num_experts_per_tok": 2}
    keys = {key: size for key, size in SIZES.items() if key in tiny or key != "shared_expert_intermediate_size"}
    return tiny | keys | more


@pytest.mark.gpu
@pytest.mark.parametrize(
    "kind",
    [pytest.param("qwen3_moe", marks=pytest.mark.full), "qwen2_moe", "mixtral", "olmoe", "granitemoe"],
)
def test_gguf_files(kind: str, device: GpuDevice, tmp_path: Path) -> None:
    """Quantised, gates and ups of different types."""
    config = _tiny(kind)
    weights = random_weights(config)
    truth = write_experts(tmp_path / "model.gguf", config, weights, "q8_0", ffn_up_exps="q4_1", ffn_gate_inp="f32")
    with load(tmp_path / "model.gguf", cache="f32", device=device) as model:
        assert error(model.logits(IDS), reference.logits(config, truth, IDS)) < TOLERANCE
        assert error(model.logits(IDS[:1]), reference.logits(config, truth, IDS[:1])) < TOLERANCE


@pytest.mark.gpu
def test_a_golden_model_written_as_gguf(device: GpuDevice, tmp_path: Path) -> None:
    """By our own writer, which stacks the experts."""
    truth = golden.load("olmoe", "experts")
    with open_checkpoint(truth.folder) as checkpoint:
        write_model_as_gguf(checkpoint, tmp_path / "model.gguf", "f32")
    with load(tmp_path / "model.gguf", cache="f32", device=device) as model:
        assert error(model.logits(truth.runs[2].ids), truth.runs[2].logits) < TOLERANCE


@pytest.mark.gpu
def test_a_gguf_file_with_sinks_and_biases(device: GpuDevice, tmp_path: Path) -> None:
    truth = golden.load("gpt-oss", "experts")
    window = {"attention.sliding_window": truth.config["sliding_window"]}
    window |= {"expert_count": 6, "expert_used_count": 2, "expert_feed_forward_length": 16}
    # A file has no place for the gate's limit, which is that of the published models.
    limit = {"swiglu_limit": 7.0}
    write_gguf(tmp_path / "model.gguf", truth.config, stacked(truth.weights), "f32", window)
    with load(tmp_path / "model.gguf", cache="f32", device=device) as model:
        for ids in (IDS, IDS[:1]):
            expected = reference.logits(truth.config | limit, truth.weights, ids)
            assert error(model.logits(ids), expected) < TOLERANCE


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("dtype", ["f16", "q4_k", "q4_k_m", "nf4_dq", "8/8/4"])
def test_conversion_leaves_the_router_alone(dtype: str, device: GpuDevice, tmp_path: Path) -> None:
    config = _tiny("qwen2_moe")
    write_folder(tmp_path, config, random_weights(config))
    write_tokenizer(tmp_path)
    with load(tmp_path, dtype=dtype, device=device) as model:
        layer = model.network.family.layers[1]
        assert {part.weight.type.name for part in layer.ffn.router.parts} == {"f32"}
        assert {part.weight.type.name for part in layer.ffn.gate_up.parts} != {"f32"}
        assert np.isfinite(model.logits(IDS)).all()


@pytest.mark.gpu
@pytest.mark.parametrize("file", ["folder", "gguf"])
def test_each_expert_has_its_own_mean_of_scales(file: str, device: GpuDevice, tmp_path: Path) -> None:
    """As if each were quantised by itself: matrices of 192 x 256 are three groups of 256 blocks."""
    config = _tiny("qwen3_moe") | {"hidden_size": 192, "moe_intermediate_size": 256}
    weights, rng = random_weights(config), np.random.default_rng(4)
    for name in weights:
        if ".experts." in name:
            weights[name] *= np.float32(rng.uniform(0.2, 5))
    write_folder(tmp_path, config, weights)
    write_tokenizer(tmp_path)
    with open_checkpoint(tmp_path) as checkpoint:
        write_model_as_gguf(checkpoint, tmp_path / "model.gguf", "f32")
    with open_checkpoint(tmp_path / "model.gguf" if file == "gguf" else tmp_path) as checkpoint:
        network = Network.load(device, checkpoint, "nf4_dq")
        for linear in (network.family.layers[1].ffn.gate_up, network.family.layers[1].ffn.down):
            values = np.concatenate([values_of(device, part.weight) for part in linear.parts])
            for name, at, n in linear.slices:
                rows = checkpoint.tensors[f"{name}.weight"].rows(0, n)
                experts = np.split(rows, config["num_experts"])
                expected = np.concatenate([unpack(pack(expert, "nf4_dq")) for expert in experts])
                np.testing.assert_allclose(values[at : at + n], expected, rtol=2e-6)
        network.release()


def bitsandbytes_values(matrix: np.ndarray) -> np.ndarray:
    """NF4 with double quantisation of one matrix whose rows are whole blocks, step by step."""
    with np.load(golden.FOLDER / "bitsandbytes.npz") as saved:
        dynamic = np.sort(saved["map"].astype(np.float64))
    blocks = matrix.reshape(-1, 64).astype(np.float64)
    absmax = np.abs(blocks).max(axis=1)
    rest = absmax - absmax.mean()
    scales = np.empty_like(absmax)
    for first in range(0, len(rest), 256):
        group = rest[first : first + 256]
        largest = np.abs(group).max()
        nearest = np.abs(group[:, None] / largest - dynamic).argmin(axis=1)
        scales[first : first + 256] = dynamic[nearest] * largest + absmax.mean()
    nearest = np.abs(blocks[..., None] / absmax[:, None, None] - CODEBOOK.astype(np.float64)).argmin(axis=-1)
    return (CODEBOOK.astype(np.float64)[nearest] * scales[:, None]).reshape(matrix.shape)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["nf4_dq", "ffn=nf4_dq"])
@pytest.mark.parametrize("file", ["folder", "gguf"])
def test_experts_without_whole_groups_are_quantised_by_themselves(
    dtype: str, file: str, device: GpuDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three experts of 320 x 192: 960 blocks, 3.75 groups. Written in slabs that end within experts and groups."""
    config = _tiny("qwen3_moe") | {"hidden_size": 192, "moe_intermediate_size": 320, "num_experts": 3}
    config |= {"num_experts_per_tok": 2}
    weights, rng = random_weights(config), np.random.default_rng(6)
    for name in weights:
        if ".experts." in name:  # sizes that differ within a matrix and between experts
            each = np.exp(rng.standard_normal((len(weights[name]), 1)))
            weights[name] *= (rng.uniform(0.2, 5) * each).astype(np.float32)
    write_folder(tmp_path, config, weights)
    write_tokenizer(tmp_path)
    with open_checkpoint(tmp_path) as checkpoint:
        write_model_as_gguf(checkpoint, tmp_path / "model.gguf", "f32")
    monkeypatch.setattr("wgpt.models.source._SLAB", 1)
    for _ in range(2):  # the second time out of the cache of converted weights
        with open_checkpoint(tmp_path / "model.gguf" if file == "gguf" else tmp_path) as checkpoint:
            network = Network.load(device, checkpoint, dtype)
            for linear in (network.family.layers[1].ffn.gate_up, network.family.layers[1].ffn.down):
                values = np.concatenate([values_of(device, part.weight) for part in linear.parts])
                for name, at, n in linear.slices:
                    experts = np.split(checkpoint.tensors[f"{name}.weight"].rows(0, n), config["num_experts"])
                    expected = np.concatenate([bitsandbytes_values(expert) for expert in experts])
                    f32 = 1e-6 * np.abs(expected).max()  # of the scale and the mean, whose sum may be small
                    np.testing.assert_allclose(values[at : at + n], expected, rtol=2e-6, atol=f32, err_msg=name)
                    alone = np.concatenate([unpack(pack(expert, "nf4_dq")) for expert in experts])
                    np.testing.assert_allclose(values[at : at + n], alone, rtol=2e-6, err_msg=name)
            network.release()


@pytest.mark.gpu
def test_experts_whose_rows_are_no_whole_blocks(device: GpuDevice, tmp_path: Path) -> None:
    """Rows of 100 are padded to 128 values, as those of every matrix; and what the engine computes is finite."""
    config = _tiny("qwen3_moe") | {"hidden_size": 102, "moe_intermediate_size": 100, "num_experts": 3}
    config |= {"num_experts_per_tok": 2}
    write_folder(tmp_path, config, random_weights(config))
    write_tokenizer(tmp_path)
    with load(tmp_path, dtype="nf4_dq", device=device) as model, open_checkpoint(tmp_path) as checkpoint:
        down = model.network.family.layers[1].ffn.down
        (name, _, n), (part,) = down.slices[0], down.parts
        experts = np.split(checkpoint.tensors[f"{name}.weight"].rows(0, n), 3)
        alone = np.concatenate([unpack(pack(expert, "nf4_dq")) for expert in experts])
        np.testing.assert_allclose(values_of(device, part.weight), alone, rtol=2e-6)
        assert np.isfinite(model.logits(IDS)).all()


@pytest.mark.gpu
def test_the_engine(device: GpuDevice) -> None:
    """Requests that come and go, a prefix that is shared, and the same tokens whatever else runs."""
    truth = golden.load("qwen3moe", "experts")
    prompts = [run.ids for run in truth.runs]
    with load(truth.folder, cache="f32", dtype="f32", device=device, deterministic=True) as model:
        together = [c.ids for c in model.generate([*prompts, prompts[2][:20] + prompts[1]], **CHOICES)]
        assert together[:3] == [run.greedy for run in truth.runs]
        again = [model.generate(prompt, **CHOICES).ids for prompt in [*prompts, prompts[2][:20] + prompts[1]]]
        assert again == together


def test_lora_adapts_attention_only() -> None:
    config = Config.of(_normal("qwen3_moe"))
    assert {name.rsplit(".", 1)[-1] for name in linear_shapes(config)} == {"q_proj", "k_proj", "v_proj", "o_proj"}
    with pytest.raises(PreconditionError, match="unknown target layer 'gate_proj'"):
        chosen(config, ["gate_proj"])


@pytest.mark.gpu
def test_a_lora_of_attention_attached_and_merged(device: GpuDevice, tmp_path: Path) -> None:
    truth, rng = golden.load("mixtral", "experts"), np.random.default_rng(2)
    with open_checkpoint(truth.folder) as checkpoint:
        shapes = chosen(Config.of(checkpoint.config), ["q", "o"])

    def thin(*shape: int) -> np.ndarray:
        return (0.1 * rng.standard_normal(shape)).astype(np.float32)

    targets = {name: Factors(thin(4, k), thin(n, 4), 2.0) for name, (n, k) in shapes.items()}
    adapter = LoraAdapter(targets, rank=4, alpha=8)
    added = {f"{name}.weight": f.scale * (f.b @ f.a) for name, f in targets.items()}
    expected = reference.logits(truth.config, {n: w + added.get(n, 0) for n, w in truth.weights.items()}, IDS)
    write_lora(adapter, tmp_path / "lora")
    with load(truth.folder, cache="f32", dtype="f32", device=device) as model:
        model.attach(tmp_path / "lora")
        assert error(model.logits(IDS), expected) < TOLERANCE
    with open_checkpoint(truth.folder) as checkpoint:
        merge(checkpoint, adapter, tmp_path / "merged", "f32")
    with load(tmp_path / "merged", cache="f32", device=device) as model:
        assert error(model.logits(IDS), expected) < TOLERANCE


@pytest.mark.gpu
def test_layers_in_host_memory(device: GpuDevice, host_memory: None) -> None:
    truth = golden.load("gpt-oss", "experts")
    with load(truth.folder, cache="f32", dtype="f32", device=device, resident=1) as model:
        assert error(model.logits(truth.runs[2].ids), truth.runs[2].logits) < TOLERANCE


@pytest.mark.gpu
def test_experts_beyond_a_binding_are_refused_before_anything_is_loaded() -> None:
    """128 experts of 1536 x 2048 are 805 MB in f16; in q4_k gates and ups fit, each in its own binding."""
    config = replace(PRESETS["qwen3-30b-a3b"], layers=1, vocab=64)
    small = DryDevice()
    small.limits["max-storage-buffer-binding-size"] = 128 << 20
    assert most_bytes(small) == 128 << 20
    with pytest.raises(AllocationError, match="the 128 experts of a layer have more weights of type f16 than one bind"):
        Network.random(small, config, "f16")
    network, _ = Network.empty(small, config, random_kinds(config, "q4_k"))
    assert len(network.family.layers[0].ffn.gate_up.parts) == 2


def test_a_gguf_file_is_not_written_as_a_folder(tmp_path: Path) -> None:
    config = _tiny("olmoe")
    write_experts(tmp_path / "model.gguf", config, random_weights(config))
    with open_checkpoint(tmp_path / "model.gguf") as checkpoint:
        with pytest.raises(FormatError, match="writing a model with experts from a GGUF file is unsupported"):
            check_writable(checkpoint, None)


def test_fine_tuning_is_refused() -> None:
    with pytest.raises(PreconditionError, match="fine-tuning of qwen3moe models with experts is unsupported"):
        check_trainable(Config.of(_normal("qwen3_moe")))


def _normal(kind: str, **more: object) -> dict[str, object]:
    return normalised(_tiny(kind, **more), "here")


# Bad files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"num_experts": 7}, r"mlp\.experts\.6\.gate_proj\.weight is missing"),
        ({"num_experts": 5}, r"mlp\.gate\.weight is \[6, 64\], not \[5, 64\]"),
        ({"num_experts_per_tok": 7}, "num_experts_per_tok is 7, but there are only 6 experts"),
        ({"num_experts": 0}, "num_experts is 0, not an integer from 1"),
        ({"num_experts": 100_000}, "unsupported num_experts 100000; supported: up to 1024"),
        ({"moe_intermediate_size": 40}, r"mlp\.experts\.0\.gate_proj\.weight is \[32, 64\], not \[40, 64\]"),
        ({"moe_intermediate_size": "40"}, "moe_intermediate_size is '40', not an integer"),
        ({"mlp_only_layers": 3}, "mlp_only_layers is 3, not a list"),
    ],
)
def test_wrong_counts_are_named(change: dict[str, object], message: str, tmp_path: Path) -> None:
    config = _tiny("qwen3_moe")
    write_folder(tmp_path, config | change, random_weights(config))
    with pytest.raises(FormatError, match=message):
        load(tmp_path)


def test_missing_and_further_experts_are_named(tmp_path: Path) -> None:
    config = _tiny("qwen3_moe")
    weights = random_weights(config)
    gone = "model.layers.1.mlp.experts.4.up_proj.weight"
    write_folder(tmp_path, config, {name: w for name, w in weights.items() if name != gone})
    with pytest.raises(FormatError, match=f"{gone} is missing"):
        load(tmp_path)
    write_folder(tmp_path, config, weights | {gone.replace("experts.4", "experts.6"): weights[gone]})
    with pytest.raises(FormatError, match=r"unexpected .*mlp\.experts\.6\.up_proj"):
        load(tmp_path)


def test_gguf_files_with_too_few_experts_are_refused(tmp_path: Path) -> None:
    config = _tiny("qwen3_moe")
    write_experts(tmp_path / "model.gguf", config | {"num_experts": 8}, random_weights(config))
    with pytest.raises(FormatError, match=r"blk\.0\.ffn_gate_inp\.weight is \[6, 64\], not \[8, 64\]"):
        load(tmp_path / "model.gguf")


@pytest.mark.gpu
def test_a_stacked_tensor_in_bf16(device: GpuDevice, tmp_path: Path) -> None:
    """Granite's experts are one tensor; rows of gates and ups come from its halves, whatever the type."""
    truth = golden.load("granitemoe", "experts")
    stored = read_safetensors(truth.folder / "model.safetensors")
    (tmp_path / "config.json").write_text(json.dumps(truth.config))
    write_safetensors(tmp_path / "model.safetensors", {n: w.astype(np.float32) for n, w in stored.items()})
    write_tokenizer(tmp_path)
    with load(tmp_path, cache="f32", device=device) as wide, load(truth.folder, cache="f32", device=device) as model:
        assert error(wide.logits(IDS), model.logits(IDS)) < TOLERANCE
