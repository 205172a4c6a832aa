"""The figures that `wgpt bench train` derives from its measurements; no GPU."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from wgpt.bench.models import Chosen
from wgpt.bench.training import Training, Work, default_targets, print_training
from wgpt.models.presets import PRESETS

MIB = 1 << 20
MADE_UP = Training(
    {"gpu": {"name": "Fast [1]"}},
    Chosen(preset="smollm2-135m", dtype="nf4"),
    batch=4,
    length=512,
    rank=16,
    targets=("q_proj", "v_proj"),
    checkpointing=True,
    precision="exact",
    parameters=921_600,
    seconds=(0.2, 0.1, 0.05),
    gpu_seconds=0.08,
    cpu_seconds=0.004,
    dispatches=1500,
    flops=1_600_000_000_000,
    flops_per_second=40e12,
    memory={"weights": 100 * MIB, "activations and logits": 400 * MIB, "the rest": 12 * MIB},
    peak_bytes=512 * MIB,
    kernels=(Work("gemm_fused", 120, 0.06, 1_200_000_000_000, 3_000_000_000), Work("embed", 1, 0.02, 0, 0)),
)


def printed(bench: Training) -> list[str]:
    out = io.StringIO()
    print_training(bench, Console(file=out, width=160, highlight=False))
    return out.getvalue().splitlines()


def test_the_median_counts():
    data = MADE_UP.to_dict()
    assert data["step_ms"] == pytest.approx(100) and data["tokens"] == 2048
    assert data["tokens_per_second"] == pytest.approx(20480)
    assert data["of_f32_arithmetic"] == pytest.approx(0.5)
    assert data["model"] == {"name": "smollm2-135m", "random": True, "dtype": "nf4", "table": "f16"}
    assert data["memory_bytes"]["weights"] == 100 * MIB and data["peak_bytes"] == 512 * MIB
    assert data["kernels"][0] == {
        "kernel": "gemm_fused",
        "dispatches": 120,
        "gpu_ms": pytest.approx(60),
        "flops": 1_200_000_000_000,
        "bytes": 3_000_000_000,
    }
    json.dumps(data)


def test_what_is_printed():
    lines = printed(MADE_UP)
    assert lines[0] == "smollm2-135m, random nf4 weights, on Fast [1]"
    assert lines[1] == "train: 100.0 ms a step, 20,480 tok/s"
    assert "4 x 512 tokens; LoRA of rank 16 on q_proj, v_proj: 921,600 parameters" in lines[2]
    assert lines[2].endswith(", activations recomputed, exact products")
    assert "median of 3, from 50.00 to 200.0 ms" in lines[3]
    assert "1500 dispatches, 80.0 ms on the GPU, 4.00 ms on the CPU to submit" in lines[4]
    assert "1.60 TFLOPs: 50% of the 40.0 TFLOPS" in lines[5]
    assert "peak GPU memory 512.0 MiB: weights 100.0 MiB, activations and logits 400.0 MiB" in lines[6]
    assert lines[7].split() == ["kernel", "dispatches", "ms", "%", "of", "step", "GFLOPS", "%", "of", "f32", "GB/s"]
    assert lines[8].split() == ["gemm_fused", "120", "60.0", "75%", "20,000", "50%", "50.0"]
    assert lines[9].split() == ["embed", "1", "20.0", "25%", "0"]
    assert lines[10].split() == ["sum,", "timed", "one", "by", "one", "121", "80.0"]


def test_without_timestamps_there_is_no_table():
    assert len(printed(replace(MADE_UP, kernels=()))) == 7
    assert replace(MADE_UP, gpu_seconds=0.0).of_arithmetic == 0


def test_what_is_adapted_by_default():
    assert default_targets(PRESETS["gpt2"]) == ("c_attn",)
    assert default_targets(PRESETS["qwen3-4b"]) == ("q_proj", "v_proj")


def test_a_files_table_is_as_it_came():
    assert Chosen(model="a.gguf", dtype="nf4").to_dict()["table"] is None
    assert Chosen(model="a.gguf", dtype="q8_0").to_dict()["table"] == "q8_0"
    assert Chosen(preset="gpt2", dtype="nf4", table="q8_0").to_dict()["table"] == "q8_0"
