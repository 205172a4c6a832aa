"""`wgpt bench train` on tiny models."""

from __future__ import annotations

from pathlib import Path

import pytest

from wgpt.models import presets
from wgpt.models.config import Config

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
NF4 = str(Path(__file__).parents[1] / "golden" / "training" / "nf4" / "model")
SMALL = Config("gpt2", 512, 64, 96, 2, 4, 4, 16, 64, 1e-5, qkv_bias=True, out_bias=True, ffn_bias=True)


def test_usage_errors(wgpt):
    for args, message in (
        (("--preset", "gpt5"), f"choose one of {', '.join(presets.PRESETS)}"),
        (("--random", "-m", "x"), "--random goes with --preset"),
        (("--dtype", "nf5"), "unknown weight type 'nf5'; supported: f32"),
        (("--steps", "1"), "--steps"),
        (("--seq", "1"), "--seq"),
        (("--rank", "0"), "--rank"),
    ):
        result = wgpt("bench", "train", *args)
        assert result.exit_code == 2 and message in result.stderr, result.stderr


@pytest.mark.gpu
def test_a_file(wgpt_json):
    args = ("bench", "train", "-m", TINY, "--batch", "2", "--seq", "20", "--rank", "4", "--steps", "3")
    data = wgpt_json(*args, "--targets", "q, v ,down")
    assert (data["bench"], data["batch"], data["seq"], data["tokens"]) == ("train", 2, 20, 40)
    assert data["targets"] == ["q", "v", "down"] and data["rank"] == 4
    # q: 48 to 48, v: 48 to 16, down: 112 to 48; in three layers.
    assert data["parameters"] == 3 * 4 * (48 + 48 + 48 + 16 + 112 + 48)
    assert len(data["seconds"]) == 3 and data["step_ms"] == pytest.approx(1e3 * sorted(data["seconds"])[1])
    assert data["tokens_per_second"] == pytest.approx(40e3 / data["step_ms"])
    # Every product of a layer's matrices with 64 rows, there and back; the head too.
    products = 3 * (80 * 48 + 48 * 48 + 2 * 112 * 48 + 48 * 112) + 320 * 48
    assert data["flops"] > 2 * 2 * 64 * products * 0.8
    assert data["gpu_ms"] > 0 and 0 < data["of_f32_arithmetic"] < 2
    memory = data["memory_bytes"]
    assert data["peak_bytes"] == sum(memory.values()) and min(memory.values()) >= 0
    assert memory["adapters, gradients and moments"] >= 4 * 4 * data["parameters"]
    kernels = {work["kernel"]: work for work in data["kernels"]}
    assert {"gemm_fused", "gemm_input_grad", "attention_backward_kv", "adamw_flat", "clip"} <= kernels.keys()
    assert sum(work["dispatches"] for work in kernels.values()) == data["dispatches"]
    times = [work["gpu_ms"] for work in data["kernels"]]
    assert times == sorted(times, reverse=True) and times[0] > 0


@pytest.mark.gpu
@pytest.mark.full
def test_checkpointing_takes_less_memory_and_more_work(wgpt_json):
    args = ("bench", "train", "-m", NF4, "--dtype", "nf4", "--batch", "1", "--seq", "60", "--steps", "3")
    plain, again = wgpt_json(*args), wgpt_json(*args, "--checkpointing")
    assert again["checkpointing"] and not plain["checkpointing"]
    assert again["flops"] > 1.1 * plain["flops"]
    for part in ("activations and logits", "keys and values"):
        assert again["memory_bytes"][part] < plain["memory_bytes"][part]
    assert again["memory_bytes"]["weights"] == plain["memory_bytes"]["weights"]


@pytest.mark.gpu
@pytest.mark.full
def test_random_weights_and_what_cannot_be(wgpt, monkeypatch):
    monkeypatch.setitem(presets.PRESETS, "gpt2", SMALL)
    args = ("bench", "train", "--preset", "gpt2", "--batch", "1", "--rank", "2", "--steps", "3")
    text = wgpt(*args, "--seq", "16")
    assert text.exit_code == 0 and text.stderr == "", text.stderr
    assert "gpt2, random f16 weights" in text.stdout and "LoRA of rank 2 on c_attn: 1,024 parameters" in text.stdout
    assert "sum, timed one by one" in text.stdout
    for more, message in (
        (("--seq", "65"), "a sequence length of 65 exceeds the model's context length of 64: use a shorter --seq"),
        (("--seq", "16", "--targets", "q"), "unknown target layer 'q' of this gpt2 model"),
    ):
        refused = wgpt(*args, *more)
        assert refused.exit_code == 2 and message in refused.stderr, refused.stderr
