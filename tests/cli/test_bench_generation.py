"""`wgpt bench decode`, `wgpt bench prefill` and the model they choose."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from tests.models import golden

from wgpt import load
from wgpt.bench import generation, layer
from wgpt.bench.generation import Bench, Step
from wgpt.bench.layer import LayerTime, layer_shapes, time_layer
from wgpt.bench.models import Chosen
from wgpt.core.errors import PreconditionError
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.models import presets
from wgpt.models.config import Config
from wgpt.models.network import Network

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
SMALL = Config("llama", 512, 64, 96, 2, 4, 2, 16, 128, 1e-5)
GPT2 = Config("gpt2", 512, 64, 96, 2, 4, 4, 16, 128, 1e-5, qkv_bias=True, out_bias=True, ffn_bias=True)
STEP = Step(
    dispatches=154,
    gpu_seconds=1e-3,
    cpu_seconds=2e-4,
    weight_bytes=270_000_000,
    copy_bytes_per_second=5.4e11,
    layer=LayerTime(layers=30, gpu_seconds=3e-5, numpy_seconds=7.5e-4),
)
MADE_UP = Bench(
    "decode",
    {"gpu": {"name": "Fast [1]"}},
    Chosen(preset="smollm2-135m", dtype="q4_1", table="q8_0"),
    "f16",
    batch=4,
    context=64,
    tokens=512,
    seconds=(0.5, 1.0, 0.25),
    gpu_bytes=300 << 20,
    step=STEP,
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A preset that is fast on any GPU."""
    monkeypatch.setitem(presets.PRESETS, "gpt2", SMALL)


def printed(bench: Bench) -> list[str]:
    out = io.StringIO()
    generation.print_generation(bench, Console(file=out, width=160, highlight=False))
    return out.getvalue().splitlines()


def test_the_median_counts_and_a_batch_adds_up():
    data = MADE_UP.to_dict()
    assert data["tokens_per_second"] == pytest.approx(1024)
    assert data["tokens_per_second_per_sequence"] == pytest.approx(256)
    assert data["step"]["of_copy_bandwidth"] == pytest.approx(0.5)
    layer = {"layers": 30, "gpu_us": 30.0, "numpy_f32_us": 750.0, "numpy_over_gpu": 25.0}
    assert data["step"]["layer"] == pytest.approx(layer)
    assert data["model"] == {"name": "smollm2-135m", "random": True, "dtype": "q4_1", "table": "q8_0"}


def test_what_is_printed():
    lines = printed(MADE_UP)
    assert lines[0] == "smollm2-135m, random q4_1 weights with a q8_0 table, on Fast [1]"
    assert lines[1] == "decode: 1,024 tok/s, 256 each"
    assert "128 tokens for each of 4 sequences, from context length 64" in lines[2] and "300.0 MiB" in lines[2]
    assert "median of 3, from 512.0 to 2,048" in lines[3]
    assert "154 dispatches, 1,000 us on the GPU, 200 us on the CPU" in lines[4]
    assert "257.5 MiB of weights: 50% of the 540 GB/s" in lines[5]
    assert "a layer: 30.0 us on the GPU (the dispatches of all 30 layers in one pass, divided by 30)" in lines[6]
    assert "its matrix products alone take NumPy 750 us in f32: 25.0 times as long" in lines[7]


def test_a_choice_that_contradicts_itself():
    with pytest.raises(PreconditionError, match="not both"):
        Chosen(model="a", preset="gpt2")
    with pytest.raises(PreconditionError, match=f"unknown preset 'gpt5'; known: {', '.join(presets.PRESETS)}$"):
        Chosen(preset="gpt5")
    with pytest.raises(PreconditionError, match="needs random weights"):
        Chosen(model="a", table="q8_0")


def test_usage_errors(wgpt):
    for args, message in (
        (("--preset", "gpt5"), f"choose one of {', '.join(presets.PRESETS)}"),
        (("--random", "-m", "x"), "--random goes with --preset"),
        (("--repeats", "1"), "--repeats"),
        (("--batch", "0"), "--batch"),
    ):
        for bench in ("decode", "prefill"):
            result = wgpt("bench", bench, *args)
            assert result.exit_code == 2 and message in result.stderr, result.stderr


@pytest.mark.gpu
def test_decode_of_a_file(wgpt_json):
    data = wgpt_json("bench", "decode", "-m", TINY, "--tokens", "5", "--context", "9", "--repeats", "3")
    assert data["tokens"] == 5 and len(data["seconds"]) == 3
    assert data["tokens_per_second"] == pytest.approx(5 / sorted(data["seconds"])[1])
    # 3 layers of qkv, out, gate and up, down; and the tied table as the head; all f32.
    matrices = 3 * (80 * 48 + 48 * 48 + 2 * 112 * 48 + 48 * 112) + 320 * 48
    assert data["step"]["weight_bytes"] == 4 * matrices
    assert data["step"]["dispatches"] == 2 + 3 * 5 + 3
    assert data["step"]["gpu_us"] > 0 and data["step"]["cpu_us"] > 0
    layer = data["step"]["layer"]
    assert layer["layers"] == 3 and layer["gpu_us"] > 0 and layer["numpy_f32_us"] > 0
    assert layer["numpy_over_gpu"] == pytest.approx(layer["numpy_f32_us"] / layer["gpu_us"])


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.usefixtures("small")
def test_decode_of_a_batch_with_random_weights(wgpt_json, wgpt):
    args = ("bench", "decode", "--preset", "gpt2", "--random", "--tokens", "3", "--context", "20", "--repeats", "3")
    data = wgpt_json(*args, "--batch", "3", "--dtype", "q4_1", "--table", "q8_0")
    assert data["batch"] == 3 and data["tokens"] == 9
    assert data["tokens_per_second_per_sequence"] == pytest.approx(data["tokens_per_second"] / 3)
    text = wgpt(*args)
    assert text.exit_code == 0 and text.stderr == "" and "gpt2, random f16 weights" in text.stdout


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.usefixtures("small")
def test_prefill_counts_every_prompt(wgpt_json, wgpt):
    args = ("bench", "prefill", "--preset", "gpt2", "--context", "40", "--repeats", "3")
    data = wgpt_json(*args, "--batch", "2", "--cache", "f32")
    assert data["tokens"] == 80 and data["step"] is None and data["cache"] == "f32"
    text = wgpt(*args)
    assert text.exit_code == 0 and "a prompt of 40 tokens, up to the first token" in text.stdout


@pytest.mark.gpu
def test_every_repetition_starts_from_the_same_place(device):
    """After a rewind, a batch generates the same tokens again: the prompt stays in the cache."""
    network = Network.random(device, SMALL)
    ids = {0: [5, 9, 200, 31], 1: [7, 7, 100, 3]}
    with FixedBatch(network, 64, 2) as batch:
        batch.start(ids)
        runs = []
        for _ in range(3):
            generation._rewind(batch, ids, 4)
            runs.append([batch.step().result()["tokens"].tolist() for _ in range(6)])
    network.release()
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.gpu
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("config", [SMALL, GPT2], ids=["llama", "gpt2"])
def test_a_layer_is_what_lies_between_embedding_and_head(device, monkeypatch, config, batch):
    """Every dispatch of a layer is timed once, and no other; NumPy multiplies by every matrix."""
    timed = []
    monkeypatch.setattr(layer, "time_steps", lambda device, steps: timed.append(list(steps)) or 6e-3)
    monkeypatch.setattr(layer, "host_seconds", lambda work: 8e-3)
    network = Network.random(device, config)
    with FixedBatch(network, 64, batch) as running:
        program = running.step_program(1)
        layer_time = time_layer(program, config, batch)
        kernels = [launch.kernel for launch in program.launches]
        numbers = [launch.layer for launch in program.launches]
        steps = list(program.steps)
    network.release()
    first = 2 if config is SMALL else 3  # the step's rows, the embedding, and GPT-2's positions
    assert kernels[:first] == ["begin_step", *["embed"] * (first - 1)] and numbers[:first] == [None] * first
    each = numbers.count(0)
    assert each >= 4 and numbers[first : first + 2 * each] == [0] * each + [1] * each
    assert numbers[first + 2 * each :] == [None] * len(numbers[first + 2 * each :])
    assert "argmax_pick" in kernels[first + 2 * each :]
    assert timed == [steps[first : first + 2 * each]]
    assert layer_time == LayerTime(2, pytest.approx(3e-3), pytest.approx(4e-3))  # both layers fit into NumPy's 128 MiB


def test_numpy_multiplies_with_the_layers_matrices():
    assert layer_shapes(SMALL) == [(64, 64), (32, 64), (32, 64), (64, 64), (96, 64), (96, 64), (64, 96)]
    assert layer_shapes(GPT2) == [(192, 64), (64, 64), (96, 64), (64, 96)]


@pytest.mark.gpu
@pytest.mark.parametrize("table", [None, "q8_0"])
def test_a_random_table_of_another_type(device, table):
    network = Network.random(device, SMALL, "q4_1", table=table)
    with FixedBatch(network, 32) as batch:
        weights = generation.weight_bytes(batch.step_program(1))
    layer = (64 + 64) * 64 + 64 * 64 + 2 * 96 * 64 + 64 * 96
    per_weight = {"q4_1": 20 / 32, "q8_0": 34 / 32}
    network.release()
    assert weights == 2 * layer * per_weight["q4_1"] + 512 * 64 * per_weight[table or "q4_1"]


@pytest.mark.gpu
def test_of_experts_those_that_are_chosen(device):
    truth = golden.load("olmoe", "experts")
    with load(truth.folder, dtype="f32", device=device) as model, FixedBatch(model.network, 32) as batch:
        weights = generation.weight_bytes(batch.step_program(1))
    config, hidden = truth.config, truth.config["hidden_size"]
    narrow = config["num_key_value_heads"] * hidden // config["num_attention_heads"]
    experts = config["num_experts"] + config["num_experts_per_tok"] * 3 * config["intermediate_size"]
    layers = config["num_hidden_layers"] * (2 * (hidden + narrow) + experts)
    numbers = hidden * (layers + config["vocab_size"])
    assert 4 * numbers < weights < 4.2 * numbers  # experts count with their inputs and outputs


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("measurement", "counts"),
    [
        pytest.param("decode", {"gemm_fused": 9, "gemv_fused": 12}, marks=pytest.mark.slow),
        pytest.param("prefill", {"gemm_fused": 12}, marks=pytest.mark.full),
    ],
)
def test_kernels_in_triton_and_what_had_none(wgpt, wgpt_json, measurement, counts):
    """What the last of three layers computes of a prompt after its keys is only needed for the token that follows."""
    quick = (measurement, "-m", TINY, "--context", "4", "--repeats", "3", "--dtype", "nf4")
    printed = wgpt("bench", *quick, "--kernels", "triton").stdout
    listed = ", ".join(f"{kernel} with nf4 weights ({count})" for kernel, count in counts.items())
    assert f"hand-written kernels for: {listed}\n" in printed
    fallbacks = wgpt_json("bench", *quick, "--kernels", "triton")["fallbacks"]
    expected = [{"kernel": kernel, "reason": "nf4 weights", "dispatches": count} for kernel, count in counts.items()]
    assert fallbacks == expected
    assert wgpt_json("bench", *quick)["fallbacks"] == []


@pytest.mark.gpu
@pytest.mark.full
def test_what_streaming_costs(wgpt, wgpt_json, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(presets.PRESETS, "gpt2", replace(SMALL, layers=5))
    command = ("bench", "decode", "--preset", "gpt2", "--random", "--resident", "1", "--tokens", "2", "--repeats", "3")
    step = wgpt_json(*command)["step"]
    assert step["streamed_bytes"] > 0 and step["host_bytes_per_second"] > 0
    result = wgpt(*command)
    assert "come from host memory at" in result.stdout and "us at least" in result.stdout
    assert "1 of 5 layers are resident" in result.stderr
    assert wgpt_json(*command[:5], "--tokens", "2", "--repeats", "3")["step"]["streamed_bytes"] == 0


def test_resident_is_checked_before_anything_is_opened(wgpt) -> None:
    result = wgpt("bench", "decode", "--random", "--resident", "half")
    assert result.exit_code == 2 and "must be auto, all, a number of layers" in result.stderr
