"""The NumPy models against transformers' logits; no GPU."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from wgpt.models import reference

from . import golden, made_up
from .compare import error
from .golden import Golden, Run

TOLERANCE = 1e-5  # relative to the largest value: transformers keeps norms and angles in float32


def error_of_logits(model: Golden, run: Run) -> float:
    return error(reference.logits(model.config, model.weights, run.ids), run.logits)


@pytest.mark.parametrize("name", golden.NAMES)
def test_as_transformers_computes(name: str) -> None:
    model = golden.load(name)
    assert [len(run.ids) for run in model.runs] == ([17, 23, 41] if name in ("phi3-long", "phi4-mini") else [1, 17, 41])
    for run in model.runs:
        assert error_of_logits(model, run) < TOLERANCE
        assert error(reference.hidden(model.config, model.weights, run.ids), run.hidden) < TOLERANCE
        assert reference.greedy(model.config, model.weights, run.ids, len(run.greedy)) == run.greedy


@pytest.mark.parametrize("name", ["llama-gqa", "mistral", "gpt2"])
def test_blocks_of_rows_change_nothing(name: str) -> None:
    """41 rows are one block by default: here six, the last of them ragged."""
    model, run = golden.load(name), golden.load(name).runs[-1]
    assert error(reference.logits(model.config, model.weights, run.ids, block=7), run.logits) < TOLERANCE


@pytest.mark.parametrize(
    "name, change",
    [
        ("mistral", {"sliding_window": None}),
        ("mistral", {"sliding_window": 17}),
        ("llama3-rope", {"rope_scaling": None}),
        ("llama-linear-rope", {"rope_scaling": None}),
        ("qwen2", {"rope_parameters": {"rope_theta": 1e4}}),
        ("qwen3", {"model_type": "llama"}),
        ("llama-gqa", {"rms_norm_eps": 1e-2}),
        ("gpt2", {"layer_norm_epsilon": 1e-2}),
        ("gemma", {"rms_norm_eps": 1e-2}),
        ("gemma2", {"sliding_window": None}),
        ("gemma2", {"layer_types": ["full_attention", "sliding_attention", "full_attention"]}),
        ("gemma2", {"attn_logit_softcapping": None}),
        ("gemma2", {"final_logit_softcapping": None}),
        ("gemma2", {"query_pre_attn_scalar": 16}),
        ("gemma3", {"sliding_window": None}),
        ("gemma3", {"query_pre_attn_scalar": 16}),
        ("phi3", {"rope_parameters": {"rope_theta": 1e4}}),
        ("phi3-long", {"sliding_window": None}),
        ("phi4-mini", {"rope_parameters": {"rope_theta": 1e4, "partial_rotary_factor": 0.75}}),
        ("phi3-long", {"rope_parameters": {"rope_theta": 1e4}}),
        ("ministral", {"sliding_window": None}),
        ("ministral", {"layer_types": None}),
        ("ministral", {"rope_parameters": {"rope_theta": 1e4}}),
        ("olmo2", {"rms_norm_eps": 1e-2}),
        ("olmo3", {"sliding_window": None}),
        ("olmo3", {"layer_types": ["sliding_attention"] * 4}),
        ("smollm3", {"no_rope_layers": [1] * 5}),
        ("granite", {"embedding_multiplier": 1.0}),
        ("granite", {"residual_multiplier": 1.0}),
        ("granite", {"attention_multiplier": 0.35}),
        ("granite", {"logits_scaling": 1.0}),
    ],
)
def test_every_setting_matters(name: str, change: dict[str, object]) -> None:
    """A golden model that computes the same without a setting would not notice code that ignores it."""
    model = golden.load(name)
    assert error_of_logits(replace(model, config=model.config | change), model.runs[-1]) > 100 * TOLERANCE


NAMES = ("llama-gqa", "qwen2", "qwen3", "gpt2", "gemma", "gemma2", "gemma3", "phi4-mini", "olmo2")


@pytest.mark.parametrize("name", NAMES)
def test_every_tensor_matters(name: str) -> None:
    model = golden.load(name)
    for tensor, values in model.weights.items():
        upside_down = replace(model, weights=model.weights | {tensor: values[::-1]})
        assert error_of_logits(upside_down, model.runs[-1]) > 100 * TOLERANCE, tensor


def test_a_long_context_in_float32() -> None:
    """4,160 tokens in seconds, and their first ones as if nothing followed."""
    config = made_up.llama_like("llama", hidden=64, layers=2, heads=4, kv_heads=2, ffn=128, positions=8192)
    weights = made_up.random_weights(config, seed=11)
    ids = np.random.default_rng(12).integers(0, config["vocab_size"], 4160)
    started = time.perf_counter()
    logits = reference.logits(config, weights, ids, np.float32)
    assert logits.shape == (4160, 320) and logits.dtype == np.float32
    assert time.perf_counter() - started < 60  # about 2 s alone on two cores
    assert error(logits[:300], reference.logits(config, weights, ids[:300])) < TOLERANCE
