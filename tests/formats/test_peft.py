"""PEFT's adapters: those that peft wrote are read, ours are written the same way, bad ones are refused; no GPU."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from tests.train import golden
from wgpt.core.errors import PreconditionError
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.peft import Factors, LoraAdapter, read_lora, target_modules, write_lora
from wgpt.models.config import Config
from wgpt.models.targets import chosen, linear_shapes

CONFIG, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"


def shapes_of(name: str):
    with open_checkpoint(golden.load(name).model) as checkpoint:
        return linear_shapes(Config.of(checkpoint.config))


def stored(folder: Path) -> dict[str, np.ndarray]:
    return load_file(folder / WEIGHTS)


@pytest.mark.parametrize("name", golden.NAMES)
def test_peft_wrote_it(name):
    folder = golden.load(name).adapter
    adapter = read_lora(folder, shapes_of(name))
    tensors = stored(folder)
    assert 2 * len(adapter.targets) == len(tensors)
    assert {f"{target}.{side}" for target in adapter.targets for side in "AB"} == set(golden.load(name).gradients)
    for target, factors in adapter.targets.items():
        module = f"base_model.model.{'transformer.' if name == 'gpt2' else ''}{target}"
        assert np.array_equal(factors.a, tensors[f"{module}.lora_A.weight"])
        assert np.array_equal(factors.b, tensors[f"{module}.lora_B.weight"])
        assert factors.scale == (4 if name == "qwen2-rslora" else 2)
    assert (adapter.rank, adapter.alpha, adapter.rslora) == (4, 8, name == "qwen2-rslora")
    assert adapter.base == golden.load(name).model.name.replace("model", "nf4")


@pytest.mark.parametrize("name", golden.NAMES)
def test_written_as_peft_writes_it(name, tmp_path):
    folder = golden.load(name).adapter
    adapter = read_lora(folder)
    write_lora(adapter, tmp_path / "new" / "adapter")
    ours, theirs = stored(tmp_path / "new" / "adapter"), stored(folder)
    assert set(ours) == set(theirs) and all(np.array_equal(ours[key], theirs[key]) for key in ours)
    our_config = json.loads((tmp_path / "new" / "adapter" / CONFIG).read_text())
    their_config = json.loads((folder / CONFIG).read_text())
    assert sorted(their_config.pop("target_modules")) == our_config.pop("target_modules")
    for key, value in our_config.items():
        assert their_config[key] == value, key
    again = read_lora(tmp_path / "new" / "adapter")
    assert replace(again, targets={}).__dict__ == replace(adapter, targets={}).__dict__
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["adapter"]  # no temporary files are left


def random_lora(**targets: tuple[int, float]) -> LoraAdapter:
    """Targets of [6, 8] matrices: rank and scale of each, `_` for `.` in layer numbers."""
    rng = np.random.default_rng(1)
    factors = {}
    for key, (rank, scale) in targets.items():
        layer, kind = key.split("_", 1)
        a, b = (rng.standard_normal(shape).astype(np.float32) for shape in ((rank, 8), (6, rank)))
        factors[f"model.layers.{layer[1:]}.self_attn.{kind}"] = Factors(a, b, scale)
    return LoraAdapter(factors, rank=4, alpha=8)


@pytest.mark.parametrize("rslora", [False, True])
def test_ranks_and_scales_of_their_own(rslora, tmp_path):
    adapter = replace(random_lora(l0_q_proj=(4, 2.0), l1_q_proj=(2, 0.3), l11_q_proj=(4, 7.0)), rslora=rslora)
    write_lora(adapter, tmp_path / "a")
    config = json.loads((tmp_path / "a" / CONFIG).read_text())
    assert config["rank_pattern"] == {"model.layers.1.self_attn.q_proj": 2}
    again = read_lora(tmp_path / "a")
    for target, factors in adapter.targets.items():
        assert again.targets[target].rank == factors.rank
        assert again.targets[target].scale == pytest.approx(factors.scale, rel=1e-12)


def test_patterns_as_people_write_them(tmp_path):
    write_lora(
        random_lora(l0_q_proj=(4, 2.0), l0_v_proj=(2, 2.0), l1_q_proj=(8, 2.0), l1_v_proj=(2, 2.0)), tmp_path / "a"
    )
    change(tmp_path / "a", rank_pattern={r"layers\.1\.self_attn\.q_proj$": 8, "v_proj": 2}, alpha_pattern={"v_proj": 3})
    targets = read_lora(tmp_path / "a").targets
    assert [factors.scale for factors in targets.values()] == [2.0, 1.5, 1.0, 1.5]


Q0, Q1 = "model.layers.0.self_attn.q_proj", "model.layers.1.self_attn.q_proj"


@pytest.mark.parametrize(
    ("patterns", "scales"),
    [
        # As peft 0.21's get_pattern_key does: re.match(rf"(.*\.)?({key})$", name), the first key that matches.
        ({"q_proj": 16}, [4.0, 4.0]),
        ({"^q_proj": 16}, [2.0, 2.0]),  # the name does not begin with it
        ({f"^{Q0}": 16}, [4.0, 2.0]),
        ({f"^{Q0}$": 16}, [4.0, 2.0]),
        ({"^layers.0.self_attn.q_proj": 16}, [2.0, 2.0]),
        ({"layers.0.self_attn.q_proj": 16}, [4.0, 2.0]),
        ({"roj": 16}, [2.0, 2.0]),  # not after a dot
        ({"q.proj": 16}, [4.0, 4.0]),  # a dot is any character
        (r"q\.proj", [2.0, 2.0]),
        ({"layers.1.self.attn.q.proj": 16}, [2.0, 4.0]),
        ({"q_proj": 16, Q0: 32}, [4.0, 4.0]),  # the first that matches, not the longest
        ({Q0: 32, "q_proj": 16}, [8.0, 4.0]),
        ({Q1: 32, "q_proj": 16, Q0: 64}, [4.0, 8.0]),
    ],
)
def test_patterns_as_peft_matches_them(patterns, scales, tmp_path):
    write_lora(random_lora(l0_q_proj=(4, 2.0), l1_q_proj=(4, 2.0)), tmp_path)
    change(tmp_path, alpha_pattern={patterns: 16} if isinstance(patterns, str) else patterns)
    assert [factors.scale for factors in read_lora(tmp_path).targets.values()] == scales


def test_patterns_match_the_names_that_peft_has(tmp_path):
    """GPT-2's modules begin with `transformer.` there; a checkpoint's do not here."""
    shutil.copytree(golden.load("gpt2").adapter, tmp_path / "a")
    change(tmp_path / "a", alpha_pattern={"^transformer.h.0.attn.c_attn": 16, "^h.1.attn.c_attn": 32})
    targets = read_lora(tmp_path / "a").targets
    assert (targets["h.0.attn.c_attn"].scale, targets["h.1.attn.c_attn"].scale) == (4.0, 2.0)


@pytest.mark.parametrize("init", [True, False, None, "gaussian", "eva", "orthogonal", "mica"])
def test_an_init_that_leaves_the_base_alone(init, tmp_path):
    write_lora(random_lora(l0_q_proj=(4, 2.0)), tmp_path)
    change(tmp_path, init_lora_weights=init, eva_config={"rho": 2.0}, loftq_config={})
    assert len(read_lora(tmp_path).targets) == 1


def test_what_peft_writes_today_is_known(tmp_path):
    """All keys of peft 0.21 with the values that it writes for a plain LoRA."""
    write_lora(random_lora(l0_q_proj=(4, 2.0)), tmp_path)
    nothing = (
        *("alora_invocation_tokens", "arrow_config", "auto_mapping", "corda_config", "eva_config", "exclude_modules"),
        *("kasa_config", "layer_replication", "layers_pattern", "layers_to_transform", "lora_ga_config"),
        *("megatron_config", "modules_to_save", "monteclora_config", "revision", "target_parameters"),
        *("trainable_token_indices", "use_bdlora", "velora_config"),
    )
    flags = dict.fromkeys(("ensure_weight_tying", "lora_bias", "use_dora", "use_qalora"), False)
    texts = {"megatron_core": "megatron.core", "peft_version": "0.21.2", "qalora_group_size": 16, "loftq_config": {}}
    change(tmp_path, **dict.fromkeys(nothing), **flags, **texts, init_lora_weights=True, a_key_of_tomorrow=None)
    assert len(read_lora(tmp_path).targets) == 1


def test_a_base_with_any_characters(tmp_path):
    write_lora(replace(random_lora(l0_q_proj=(4, 2.0)), base="m\U0001f600\u00e9"), tmp_path)
    change(tmp_path)  # escaped, as two surrogates
    assert read_lora(tmp_path).base == "m\U0001f600\u00e9"


def test_a_folder_that_is_there_keeps_its_other_files(tmp_path):
    (tmp_path / "loss.png").write_bytes(b"png")
    write_lora(random_lora(l0_q_proj=(4, 2.0)), tmp_path)
    write_lora(random_lora(l0_q_proj=(4, 2.0), l1_q_proj=(4, 2.0)), tmp_path)
    assert len(read_lora(tmp_path).targets) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == [CONFIG, WEIGHTS, "loss.png"]
    with pytest.raises(FormatError, match="is a file; give a folder"):
        write_lora(random_lora(l0_q_proj=(4, 2.0)), tmp_path / "loss.png")


def test_half_precision(tmp_path):
    adapter = random_lora(l0_q_proj=(4, 2.0))
    write_lora(adapter, tmp_path)
    save_file({name: value.astype(np.float16) for name, value in stored(tmp_path).items()}, tmp_path / WEIGHTS)
    (factors,) = read_lora(tmp_path).targets.values()
    (exact,) = adapter.targets.values()
    assert factors.a.dtype == np.float32 and np.array_equal(factors.a, exact.a.astype(np.float16).astype(np.float32))


def test_a_classification_head(tmp_path):
    score = np.arange(24, dtype=np.float32).reshape(3, 8)
    write_lora(replace(random_lora(l0_q_proj=(4, 2.0)), task="SEQ_CLS", score=score), tmp_path)
    adapter = read_lora(tmp_path)
    assert adapter.task == "SEQ_CLS" and adapter.score is not None and np.array_equal(adapter.score, score)
    change(tmp_path, task_type="CAUSAL_LM", modules_to_save=None)
    with pytest.raises(FormatError, match="has a classification head, but the adapter's task_type is CAUSAL_LM"):
        read_lora(tmp_path)


def test_which_names_peft_needs():
    qv = [f"model.layers.{i}.self_attn.{x}_proj" for i in range(3) for x in "qv"]
    assert target_modules(qv) == ["q_proj", "v_proj"]
    assert target_modules(qv[:-1]) == sorted(qv[:-1])  # one layer lacks one: only whole names say so
    assert target_modules(qv[2:]) == sorted(qv[2:])
    both = [f"h.{i}.{x}.c_proj" for i in range(2) for x in ("attn", "mlp")]
    assert target_modules(both) == ["c_proj"]
    assert target_modules([*both[::2], "h.0.attn.c_attn", "h.1.attn.c_attn"]) == ["attn.c_proj", "c_attn"]
    with pytest.raises(FormatError, match="'lm_head' is not a layer that an adapter can have"):
        target_modules(["lm_head"])


@pytest.mark.parametrize("name", ["llama-gqa", "llama3-rope", "mistral", "qwen2", "qwen3", "gpt2"])
def test_shapes_are_the_checkpoints(name):
    with open_checkpoint(golden.load(name).model) as checkpoint:
        shapes = linear_shapes(Config.of(checkpoint.config))
        layered = {
            key for key, t in checkpoint.tensors.items() if len(t.shape) == 2 and (".layers." in key or "h." in key)
        }
        assert {f"{target}.weight" for target in shapes} == layered
        assert all(checkpoint.tensors[f"{target}.weight"].shape == shape for target, shape in shapes.items())


def test_choosing_layers():
    with open_checkpoint(golden.load("llama-gqa").model) as checkpoint:
        config = Config.of(checkpoint.config)
    assert len(chosen(config, ["q", "v_proj"])) == 6
    assert list(chosen(config, ["v", "q"]))[:2] == [
        "model.layers.0.self_attn.q_proj",
        "model.layers.0.self_attn.v_proj",
    ]
    assert chosen(config, ["all"]) == linear_shapes(config)
    assert list(chosen(config, ["layers.1.mlp.up_proj"])) == ["model.layers.1.mlp.up_proj"]
    with pytest.raises(
        PreconditionError, match="unknown target layer 'c_attn' of this llama model; supported: down_proj"
    ):
        chosen(config, ["q_proj", "c_attn"])


def test_another_models_adapter():
    for name, other, message in (
        ("qwen3", "llama-gqa", r"make a \[96, 40\] matrix, but the model's is \[48, 48\]: it belongs to another model"),
        ("gpt2", "qwen3", "adapts 'h.0.attn.c_attn', which the model does not have"),
        ("llama-gqa", "qwen3", "belongs to another model"),
    ):
        with pytest.raises(FormatError, match=message):
            read_lora(golden.load(name).adapter, shapes_of(other))


def change(folder: Path, **values) -> None:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps(config | values))


BAD_CONFIGS = {
    "another method": ({"peft_type": "IA3"}, "peft_type is 'IA3'; supported: LORA"),
    "DoRA": ({"use_dora": True}, "unsupported use_dora True"),
    "biases": ({"bias": "all"}, "bias is 'all'"),
    "whole layers": ({"modules_to_save": ["lm_head"]}, r"modules_to_save is \['lm_head'\]"),
    "no rank": ({"r": None}, "r is None, not a rank"),
    "rank 0": ({"r": 0}, "r is 0, not a rank from 1"),
    "a rank of truth": ({"r": True}, "r is True, not a rank"),
    "another rank": ({"r": 8}, r"are \[4, 48\] and \[48, 4\]; adapter_config.json says their rank is 8"),
    "no number": ({"lora_alpha": "8"}, "lora_alpha is '8', not a number"),
    "not finite": ({"lora_alpha": math.inf}, "lora_alpha is inf, not a number"),
    "a regular expression": (
        {"rank_pattern": {".*q_proj": 4}},
        r"rank_pattern has the pattern '\.\*q_proj'; supported: names of layers",
    ),
    "a pattern's rank": ({"rank_pattern": {"q_proj": "4"}}, "rank_pattern is '4', not a rank"),
    "a pattern's alpha": ({"alpha_pattern": {"q_proj": None}}, "alpha_pattern has None for 'q_proj'"),
    "no pattern": ({"alpha_pattern": [1]}, r"alpha_pattern is \[1\], not an object"),
    "dropout": ({"lora_dropout": 1.0}, "lora_dropout is 1, not from 0 up to 1"),
    "a task": ({"task_type": "SEQ_2_SEQ_LM"}, "unsupported task_type 'SEQ_2_SEQ_LM'; supported:"),
    "no head": ({"task_type": "SEQ_CLS"}, "lacks base_model.model.score.weight"),
    "another init": ({"init_lora_weights": "of_tomorrow"}, "init_lora_weights is 'of_tomorrow', which changes"),
    "an init of none": ({"init_lora_weights": 1}, "init_lora_weights is 1, which changes"),
    "a huge alpha": ({"lora_alpha": 1e300}, r"lora_alpha is 1e\+300, not a number up to 1e\+09"),
    "an endless alpha": ({"lora_alpha": 10**400}, "lora_alpha is 1000+.*, not a number up to"),
    "a huge alpha of a pattern": ({"alpha_pattern": {"q_proj": 10**400}}, "alpha_pattern has 1000+.* for 'q_proj'"),
    "an endless dropout": ({"lora_dropout": 10**400}, "lora_dropout is 1000+"),
    "nested modules": ({"modules_to_save": [[]]}, "modules_to_save is a nested list of 1 items; fully trained layers"),
    "modules of none": ({"modules_to_save": 5}, "modules_to_save is 5; fully trained layers"),
    "a key of tomorrow": ({"use_better_lora": True}, "unknown setting 'use_better_lora' with the value True"),
    "a nested key of tomorrow": (
        {"better_config": {"a": 1}},
        "unknown setting 'better_config' with the value an object with 1 keys",
    ),
    "other targets": ({"target_modules": ["v_proj"]}, "target_modules does not name 'model.layers.0.*_proj'"),
    "targets of none": ({"target_modules": [[]]}, "target_modules is a nested list of 1 items, not a list of names"),
    "excluded": ({"exclude_modules": ["q_proj"]}, "exclude_modules names 'model.layers.0.self_attn.q_proj', whose"),
    "other layers": ({"layers_to_transform": [0]}, "layers_to_transform leaves out 'model.layers.1"),
    "layers of none": ({"layers_to_transform": ["0"]}, r"layers_to_transform is \['0'\], not the numbers"),
    "half a character": ({"base_model_name_or_path": "\ud800"}, "has half a surrogate pair"),
    "a base of none": ({"base_model_name_or_path": ["x"]}, r"base_model_name_or_path is \['x'\], not a string"),
    "a flag": ({"use_rslora": "yes"}, "use_rslora is 'yes', not true or false"),
}


# These initialisations change the base weights in PEFT, so the factors alone do not give the same model.
_BASE_CHANGING = ("pissa", "pissa_niter_16", "olora", "corda", "loftq", "lora_ga")
BAD_CONFIGS |= {
    init: ({"init_lora_weights": init}, f"init_lora_weights is '{init}', which changes the base model's weights")
    for init in _BASE_CHANGING
}


@pytest.mark.parametrize(("values", "message"), BAD_CONFIGS.values(), ids=BAD_CONFIGS)
def test_bad_configs(values, message, tmp_path):
    shutil.copytree(golden.load("llama-gqa").adapter, tmp_path / "a")
    change(tmp_path / "a", **values)
    with pytest.raises(FormatError, match=message) as e:
        read_lora(tmp_path / "a")
    assert "\n" not in str(e.value) and str(e.value).startswith(str(tmp_path))


def test_bad_files(tmp_path):
    folder = shutil.copytree(golden.load("llama-gqa").adapter, tmp_path / "a")
    good = stored(folder)
    first = "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight"
    for tensors, message in (
        ({k: v for k, v in good.items() if k != first}, "lacks lora_A of 'model.layers.0.self_attn.q_proj'"),
        (good | {"base_model.model.lm_head.weight": good[first]}, "lm_head.weight', which is not a LoRA matrix"),
        (good | {first: good[first][0]}, r"is \[48\], not a matrix"),
        (good | {first: good[first].astype(np.int32)}, "has the unsupported type i32; supported: f32, f16, bf16"),
        (good | {first: np.full_like(good[first], np.nan)}, "infinite or not numbers"),
        ({}, "has no LoRA matrices"),
    ):
        save_file({name: np.ascontiguousarray(value) for name, value in tensors.items()}, folder / WEIGHTS)
        with pytest.raises(FormatError, match=message):
            read_lora(folder)
    whole = (golden.load("llama-gqa").adapter / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(whole[:-1])
    with pytest.raises(FormatError, match="truncated or damaged"):
        read_lora(folder)
    (folder / WEIGHTS).rename(folder / "adapter_model.bin")
    with pytest.raises(FormatError, match=r"only adapter_model.bin, which is unsupported"):
        read_lora(folder)
    with pytest.raises(FormatError, match="it is a model, not an adapter"):
        read_lora(golden.load("llama-gqa").model)
    with pytest.raises(FormatError, match="give the folder of a PEFT adapter"):
        read_lora(tmp_path / "nowhere")
