"""Configs: many spellings are normalised, and unsupported settings are refused; no GPU."""

from __future__ import annotations

import json

import numpy as np
import pytest

from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.config import normalised
from wgpt.formats.hf_config import hf_config
from wgpt.models.config import Config
from wgpt.models.rope import steps_of

from . import made


def config_with(family="llama", **changes):
    """A config with changes; `...` takes a key out."""
    model = made.config(family) | changes
    return {key: value for key, value in model.items() if value is not ...}


ORIGINAL = "original_max_position_embeddings"
LINEAR = {"rope_type": "linear", "factor": 4.0}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 32.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}


@pytest.mark.parametrize(
    "changes, theta, scaling",
    [
        ({"rope_theta": ...}, 1e4, None),
        ({"rope_scaling": None}, 5e4, None),
        ({"rope_scaling": {"rope_type": "default"}}, 5e4, None),
        ({"rope_scaling": {"type": "linear", "factor": 4}}, 5e4, LINEAR),
        ({"rope_scaling": LLAMA3}, 5e4, LLAMA3),
        # transformers 5
        ({"rope_parameters": {"rope_type": "default", "rope_theta": 1e6}}, 1e6, None),
        ({"rope_parameters": LINEAR | {"rope_theta": 2e5}, "rope_theta": ...}, 2e5, LINEAR),
        ({"rope_parameters": LLAMA3 | {"rope_theta": 2e5}, "rope_theta": ...}, 2e5, LLAMA3),
        # Both: rope_scaling counts, and with it nothing of rope_parameters.
        ({"rope_parameters": {"rope_type": "default", "rope_theta": 1e6}, "rope_scaling": LINEAR}, 5e4, LINEAR),
        ({"rope_parameters": {"rope_theta": 1e6}, "rope_scaling": LINEAR, "rope_theta": ...}, 1e4, LINEAR),
        ({"rope_parameters": {"rope_theta": 1e6}, "rope_scaling": LINEAR | {"rope_theta": 2e5}}, 2e5, LINEAR),
        ({"rope_parameters": {"rope_theta": 1e6}, "rope_scaling": {}}, 1e6, None),
        ({"rope_scaling": LLAMA3, "original_max_position_embeddings": 64}, 5e4, LLAMA3 | {ORIGINAL: 64}),
    ],
)
def test_rope(changes, theta, scaling):
    config = normalised(config_with(**changes), "here")
    assert (config["rope_theta"], config["rope_scaling"]) == (theta, scaling)


@pytest.mark.parametrize("scaling", [None, LINEAR | {"factor": 0.2}, LLAMA3 | {"factor": 0.2}])
def test_the_fastest_rotation_that_is_accepted_can_be_computed(scaling):
    config = normalised(config_with(rope_theta=1, rope_scaling=scaling), "here")
    assert steps_of(Config.of(config)).shape == (config["head_dim"] // 2, 2)


@pytest.mark.parametrize(
    "family, changes, window",
    [
        ("llama", {"sliding_window": 9}, None),  # transformers' llama has none
        ("mistral", {}, 16),
        ("mistral", {"sliding_window": None}, None),
        ("qwen2", {"sliding_window": 9, "use_sliding_window": False}, None),
        ("qwen2", {"sliding_window": 9}, None),
        ("qwen2", {"sliding_window": 9, "use_sliding_window": True, "max_window_layers": 2}, None),
        ("qwen3", {"sliding_window": 9, "use_sliding_window": True, "max_window_layers": 0}, 9),
        ("qwen2", {"sliding_window": 9, "use_sliding_window": True, "layer_types": ["sliding_attention"] * 2}, 9),
        ("qwen2", {"sliding_window": 9, "use_sliding_window": True}, None),  # the first 28 layers have none
        ("mistral", {"sliding_window": ...}, 4096),
        ("ministral", {"layer_types": ["full_attention"] * 2}, None),
    ],
)
def test_sliding_window(family, changes, window):
    assert normalised(config_with(family, **changes), "here")["sliding_window"] == window


@pytest.mark.parametrize(
    "family, changes",
    [
        ("ministral", {"layer_types": ["full_attention", "sliding_attention"]}),
        ("qwen2", {"use_sliding_window": True, "max_window_layers": 1}),
        ("qwen3", {"use_sliding_window": True, "layer_types": ["full_attention", "sliding_attention"]}),
    ],
)
def test_a_window_in_some_layers(family, changes):
    normal = normalised(config_with(family, sliding_window=9, **changes), "here")
    config = Config.of(normal)
    assert [config.layer(i).window for i in range(2)] == [0, 9]
    back = hf_config(normal, "f32")
    assert normalised(back, "here") == normal


@pytest.mark.parametrize(
    "changes, bos, eos",
    [
        ({}, 1, [2]),
        ({"bos_token_id": ..., "eos_token_id": None}, None, []),
        ({"eos_token_id": [2, 7, 2]}, 1, [2, 7]),
        ({"bos_token_id": 40, "eos_token_id": [39, 40, -1]}, None, [39]),  # the vocabulary is 0..39
    ],
)
def test_tokens_outside_the_vocabulary_are_left_out(changes, bos, eos):
    config = normalised(config_with(**changes), "here")
    assert (config["bos_token_id"], config["eos_token_id"]) == (bos, eos)


def test_a_null_is_no_other_value():
    for first, second in (("n_embd", "hidden_size"), ("hidden_size", "n_embd")):
        model = {key: value for key, value in config_with("gpt2").items() if key != "n_embd"}
        assert normalised({first: 32, second: None, **model}, "here")["hidden_size"] == 32
        assert normalised({second: None, first: 32, **model}, "here")["hidden_size"] == 32


def test_what_may_be_left_unsaid():
    config = normalised(config_with("llama", num_key_value_heads=..., rms_norm_eps=..., hidden_act=...), "here")
    assert (config["num_key_value_heads"], config["rms_norm_eps"], config["hidden_act"]) == (4, 1e-6, "silu")
    assert normalised(config_with("qwen3", head_dim=...), "here")["head_dim"] == 128
    config = normalised(config_with("gpt2", activation_function=..., layer_norm_epsilon=...), "here")
    assert (config["hidden_act"], config["layer_norm_epsilon"]) == ("gelu_new", 1e-5)
    assert normalised(config_with("gpt2", activation_function="gelu", n_inner=60), "here")["intermediate_size"] == 60


REFUSED = {
    "no type": ({"model_type": ...}, r"unsupported model_type None; supported: .*gpt2, .*llama, mistral, .*qwen2"),
    "another type": ({"model_type": "t5"}, r"unsupported model_type 't5'; supported: .*gpt2, .*llama"),
    "a list for a type": ({"model_type": ["llama"]}, r"unsupported model_type \['llama'\]"),
    "no hidden size": ({"hidden_size": ...}, r"missing required key hidden_size"),
    "no size": ({"hidden_size": 0}, r"hidden_size is 0, not an integer from 1 to 1048576"),
    "a negative size": ({"intermediate_size": -48}, r"intermediate_size is -48"),
    "a size in words": ({"hidden_size": "32"}, r"hidden_size is '32'"),
    "a fraction": ({"hidden_size": 32.0}, r"hidden_size is 32\.0"),
    "true for a number": ({"num_hidden_layers": True}, r"num_hidden_layers is True"),
    "endless layers": ({"num_hidden_layers": 10**12}, r"num_hidden_layers is 1000000000000, not .* to 4096"),
    "a number without end": ({"vocab_size": 10**4000}, r"vocab_size is 1000.*\.\.\., not an integer"),
    "heads that do not divide": (
        {"num_attention_heads": 5},
        r"hidden_size 32 is not a multiple of num_attention_heads 5",
    ),
    "KV heads that do not divide": ({"num_key_value_heads": 3}, r"heads 4 is not a multiple of num_key_value_heads 3"),
    "more KV heads than heads": ({"num_key_value_heads": 8}, r"heads 4 is not a multiple of num_key_value_heads 8"),
    "an odd head": ({"head_dim": 7}, r"head_dim is 7; RoPE rotates pairs"),
    "eps of 0": ({"rms_norm_eps": 0}, r"rms_norm_eps is 0, not a number above 0"),
    "eps of NaN": ({"rms_norm_eps": float("nan")}, r"rms_norm_eps is nan"),
    "a tiny theta": ({"rope_theta": 1e-3}, r"rope_theta is 0\.001, not a number from 1 to 1e\+15"),
    "no theta at all": ({"rope_theta": 0}, r"rope_theta is 0, not a number from 1 to"),
    "a tiny factor": ({"rope_scaling": LINEAR | {"factor": 1e-9}}, r"rope_scaling\.factor is 1e-09, not a number"),
    "a tiny factor of llama3": ({"rope_scaling": LLAMA3 | {"factor": 0.1}}, r"rope_scaling\.factor is 0\.1, not a num"),
    "an infinite theta": ({"rope_theta": float("inf")}, r"rope_theta is inf"),
    "another activation": ({"hidden_act": "gelu"}, r"unsupported hidden_act 'gelu'; supported: 'silu'"),
    "part of the rotation": ({"partial_rotary_factor": 0.5}, r"unsupported partial_rotary_factor 0\.5; supported: 1"),
    "another scaling": (
        {"rope_scaling": {"rope_type": "ntk", "factor": 4.0}},
        r"unsupported rope_scaling type 'ntk'; supported: default, linear, dynamic, llama3, yarn, longrope",
    ),
    "longrope with few factors": (
        {"rope_scaling": {"rope_type": "longrope", "short_factor": [1.0] * 4, "long_factor": [1.0] * 3}},
        r"rope_scaling.long_factor must have 4 values, half of head_dim",
    ),
    "yarn without a base": (
        {"rope_theta": 1, "rope_scaling": {"rope_type": "yarn", "factor": 4.0}},
        r"rope_theta is 1; yarn needs more than 1",
    ),
    "scaling in words": ({"rope_scaling": "linear"}, r"rope_scaling is 'linear', not an object"),
    "a scaling of lists": ({"rope_scaling": {"type": [["linear"]]}}, r"type a nested list of 1 items"),
    "no factor": ({"rope_scaling": {"type": "linear"}}, r"missing required key factor"),
    "a factor in words": ({"rope_scaling": {"type": "linear", "factor": "4"}}, r"rope_scaling.factor is '4'"),
    "llama3 upside down": (
        {"rope_scaling": LLAMA3 | {"low_freq_factor": 4, "high_freq_factor": 1}},
        r"low_freq_factor 4 must be below high_freq_factor 1",
    ),
    "llama3 without its past": (
        {"rope_scaling": {"type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}},
        r"missing required key original_max_position_embeddings",
    ),
    "quantised weights": ({"quantization_config": {"quant_method": "gptq"}}, r"unsupported quantization_config: use"),
    "a flag in words": ({"tie_word_embeddings": "yes"}, r"tie_word_embeddings is 'yes', not true or false"),
    "an end in words": ({"eos_token_id": "</s>"}, r"eos_token_id is \['</s>'\], not a token id"),
    "layer types of a family with one window": (
        {"model_type": "mistral", "sliding_window": 9, "layer_types": ["full_attention"] * 2},
        r"layer_types is \['full_attention', 'full_attention'\], but the window is that of all layers",
    ),
    "layer types of a family without a window": (
        {"layer_types": ["full_attention", "sliding_attention"]},
        r"unsupported layer_types \['full_attention', 'sliding_attention'\]; supported: full_attention in all",
    ),
    "linear attention": (
        {"model_type": "qwen3", "layer_types": ["linear_attention", "full_attention"]},
        r"layer_types is \['linear_attention', 'full_attention'\], but use_sliding_window is false",
    ),
    "too few layer types": (
        {"model_type": "qwen3", "layer_types": ["full_attention"]},
        r"layer_types is \['full_attention'\], not a list with a value for each of 2 layers",
    ),
    "attention in both directions": ({"is_causal": False}, r"unsupported is_causal False; supported: True"),
    "null, which is false": ({"is_causal": None}, r"unsupported is_causal None; supported: True"),
    "other layers": (
        {"per_layer_config": {"1": {"num_key_value_heads": 4}}},
        r"unsupported per_layer_config .*: layers of this family have the same sizes",
    ),
    "both names of a setting": (
        {"model_type": "gpt2", "n_embd": 32, "hidden_size": 64},
        r"(n_embd is 32 but hidden_size is 64|hidden_size is 64 but n_embd is 32): remove one of them",
    ),
    "GGUF's factors": (
        {"rope_scaling": {"rope_type": "factors", "factors": [1.0] * 4}},
        r"unsupported rope_scaling type 'factors'",
    ),
    "RoPE by layer of a family with one": (
        {"rope_parameters": {"full_attention": {"rope_theta": 9e3}}},
        r"unsupported rope_parameters\.full_attention: this family has one RoPE for all layers",
    ),
    "layer types in words": (
        {"model_type": "mistral", "sliding_window": 9, "layer_types": "all"},
        r"layer_types is 'all', not a list",
    ),
    "a layer type too many": (
        {"model_type": "mistral", "sliding_window": 9, "layer_types": ["sliding_attention"] * 3},
        r"not a list of sliding_attention or full_attention for each of 2 layers",
    ),
    "an unknown layer type": (
        {"model_type": "mistral", "sliding_window": 9, "layer_types": ["sliding_attention", "linear_attention"]},
        r"layer_types is \['sliding_attention', 'linear_attention'\], not a list",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    changes, message = REFUSED[case]
    with pytest.raises(FormatError, match=r"^here: .*" + message) as e:
        normalised(config_with(**changes), "here")
    assert "\n" not in str(e.value) and len(str(e.value)) < 800  # it names all that are supported


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"n_embd": 30}, r"n_embd 30 is not a multiple of n_head 4"),
        ({"n_layer": 0}, r"n_layer is 0"),
        ({"activation_function": "relu"}, r"unsupported activation_function 'relu'; supported: 'gelu_new', "),
        ({"scale_attn_by_inverse_layer_idx": True}, r"unsupported scale_attn_by_inverse_layer_idx True"),
    ],
)
def test_gpt2_is_refused_in_its_own_words(changes, message):
    with pytest.raises(FormatError, match=message):
        normalised(config_with("gpt2", **changes), "here")


def test_hf_config_fills_in_from_what_is_there(tmp_path):
    """The vocabulary from the table, tied unless there is a head, ends from generation_config.json as well."""
    for tied in (True, False):
        model = made.config("llama", tie_word_embeddings=tied)
        weights = made.state(model)
        del model["tie_word_embeddings"], model["vocab_size"]
        folder = made.write_hf(tmp_path / str(tied), model, weights)
        (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": [5, 2]}))
        with open_checkpoint(folder) as checkpoint:
            assert checkpoint.config["tie_word_embeddings"] == tied
            assert ("lm_head.weight" in checkpoint.tensors) == (not tied)
            assert checkpoint.config["vocab_size"] == 40
            assert checkpoint.config["eos_token_id"] == [2, 5]


def gguf_config(path, family="llama", **more):
    model = made.config(family)
    with open_checkpoint(made.write_gguf(path / "m.gguf", model, made.state(model), **more)) as checkpoint:
        return checkpoint.config


@pytest.mark.parametrize(
    "more, scaling",
    [
        (
            {"llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 4.0},
            {"rope_type": "linear", "factor": 4.0},
        ),
        ({"llama.rope.scale_linear": 2.0}, {"rope_type": "linear", "factor": 2.0}),
        ({"llama.rope.scaling.type": "none", "llama.rope.scaling.factor": 4.0}, None),
        ({"llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 1.0}, None),
        ({"rope_freqs": np.array([1, 1, 2.5, 8.0])}, {"rope_type": "factors", "factors": [1, 1, 2.5, 8]}),
        (
            {"rope_freqs": np.array([1, 1, 2.5, 8.0]), "llama.rope.scale_linear": 2.0},
            {"rope_type": "factors", "factors": [2, 2, 5, 16]},
        ),
    ],
)
def test_gguf_rope(more, scaling, tmp_path):
    assert gguf_config(tmp_path, **more)["rope_scaling"] == scaling


def test_gguf_lists_for_every_layer(tmp_path):
    more = {"llama.attention.head_count_kv": [2, 2], "llama.feed_forward_length": [48, 48]}
    config = gguf_config(tmp_path, **more)
    assert (config["num_key_value_heads"], config["intermediate_size"]) == (2, 48)


GGUF_REFUSED = {
    "another architecture": ({"general.architecture": "mamba"}, r"architecture 'mamba'; supported: .*llama,"),
    "an adapter": ({"general.type": "adapter"}, r"contains 'adapter' \(general\.type\), not a model"),
    "a piece": ({"split.count": 3}, r"is file 1 of 3 of a split model: rename it .* ends in -00001-of-00003\.gguf"),
    "too many values for layers": (
        {"llama.attention.head_count_kv": [2] * 9},
        r"head_count_kv has 9 values, not one for each of the 2 layers",
    ),
    "too few values for layers": (
        {"llama.feed_forward_length": [48]},
        r"feed_forward_length has 1 values, not one for each of the 2 layers",
    ),
    "experts": ({"llama.expert_count": 8}, r"missing required key llama\.expert_used_count"),
    "part of the rotation": (
        {"llama.rope.dimension_count": 4},
        r"unsupported llama\.rope\.dimension_count 4; supported: 8",
    ),
    "no layers": ({"llama.block_count": None}, r"missing required key llama\.block_count"),
    "no eps": (
        {"llama.attention.layer_norm_rms_epsilon": None},
        r"missing required key llama\.attention\.layer_norm_rms_epsilon",
    ),
    "layers without end": ({"llama.block_count": 4_000_000_000}, r"llama\.block_count is 4000000000, not an integer"),
    "no heads": ({"llama.attention.head_count": 0}, r"llama\.attention\.head_count is 0"),
    "layers in words": ({"llama.block_count": "2"}, r"llama\.block_count is '2'"),
    "unequal layers": (
        {"llama.attention.head_count_kv": [2, 4]},
        r"head_count_kv differs between layers.*\[2, 4\]",
    ),
    "yarn": (
        {"llama.rope.scaling.type": "yarn", "llama.rope.scaling.yarn_log_multiplier": 0.5},
        r"unsupported llama.rope.scaling.yarn_log_multiplier 0.5; supported: 0",
    ),
    "longrope": ({"llama.rope.scaling.type": "longrope"}, r"rope_scaling.short_factor must have 4 values"),
    "too many tokens": (
        {"tokenizer.ggml.tokens": ["a"] * 41},
        r"the tokenizer has 41 tokens but the embedding only 40",
    ),
    "too few factors": (
        {"rope_freqs": np.ones(3)},
        r"rope_freqs\.weight must have 4 values, half of head_dim, not \[1\.0, 1\.0, 1\.0\]",
    ),
    "a factor of 0": ({"rope_freqs": np.zeros(4)}, r"rope_freqs\.weight has a factor that is not finite or below 0\.2"),
    "a tiny factor": (
        {"rope_freqs": np.float32([1, 1, 1, 1e-3])},
        r"rope_freqs\.weight has a factor that is not finite or below 0\.2",
    ),
    "a factor of infinity": (
        {"rope_freqs": np.float32([1, 1, 1, np.inf])},
        r"rope_freqs\.weight has a factor that is not finite",
    ),
    "a tiny linear factor": ({"llama.rope.scale_linear": 1e-3}, r"factor is 0\.001\d*, not a number from 0\.2 to"),
    "a tiny theta": ({"llama.rope.freq_base": 1e-3}, r"llama\.rope\.freq_base is 0\.001\d*, not a number from 1 to"),
}


@pytest.mark.parametrize("case", GGUF_REFUSED)
def test_gguf_refused(case, tmp_path):
    more, message = GGUF_REFUSED[case]
    with pytest.raises(FormatError, match=r"m\.gguf: .*" + message) as e:
        gguf_config(tmp_path, **more)
    assert "\n" not in str(e.value)


def test_gguf_experts_of_a_family_without(tmp_path):
    with pytest.raises(FormatError, match=r"m\.gguf: unsupported qwen2\.expert_count 8; supported: 0"):
        gguf_config(tmp_path, "qwen2", **{"qwen2.expert_count": 8, "qwen2.expert_used_count": 2})
