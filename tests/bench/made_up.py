"""A made-up run of `wgpt bench` with everything that the report can show; no GPU."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wgpt.bench.comparison import Figure
from wgpt.bench.everything import Everything, ModelRun
from wgpt.bench.explain import Explained, Rates
from wgpt.bench.generation import Bench, Step
from wgpt.bench.kernels import Result
from wgpt.bench.layer import LayerTime
from wgpt.bench.models import Chosen
from wgpt.bench.roofline import Roofs
from wgpt.bench.training import Training, Work
from wgpt.gpu.launch import Launch
from wgpt.gpu.profile import Profile, Timed
from wgpt.kernels import registry
from wgpt.kernels.kernel import BenchCase

ORIGIN: dict[str, Any] = {
    "gpu": {"name": "Fast <1> & [co]"},
    "date": "2026-11-15T08:00:00+00:00",
    "versions": {"wgpt": "0"},
    "native_replay": True,
}
ROOFS = Roofs(4e12, 60e12, 120e12)
CHOSEN = Chosen(preset="smollm2-135m")
STEP = Step(154, 6e-4, 2e-4, 270_000_000, 4e12, LayerTime(30, 1.8e-5, 4.5e-4))
DECODE = Bench("decode", ORIGIN, CHOSEN, "f16", 1, 64, 128, (0.1, 0.1, 0.2), 300 << 20, STEP)
PREFILL = Bench("prefill", ORIGIN, CHOSEN, "f16", 1, 512, 512, (0.01, 0.01, 0.02), 300 << 20)
TRAIN = Training(
    ORIGIN,
    CHOSEN,
    batch=4,
    length=512,
    rank=16,
    targets=("q_proj", "v_proj"),
    checkpointing=False,
    precision="fast",
    parameters=921_600,
    seconds=(0.08, 0.05, 0.05),
    gpu_seconds=0.04,
    cpu_seconds=0.002,
    dispatches=1200,
    flops=1_200_000_000_000,
    flops_per_second=60e12,
    memory={"weights": 270 << 20},
    peak_bytes=3 << 30,
    kernels=(Work("gemm_input_grad", 210, 0.02, 600_000_000_000, 9_000_000_000),),
)
PEERS = (
    Figure("torch", "eager", "decode", "smollm2-135m", 16.0, "tok/s"),
    Figure("torch", "compile", "decode", "smollm2-135m", 648.0, "tok/s"),
    Figure("torch", "eager", "lora", "smollm2-135m", 113.0, "ms"),
    Figure("llama.cpp", "-", "decode", "smollm2-135m", skipped="no <llama-bench> on PATH & no xllamacpp"),
)


def kernel_results() -> list[Result]:
    """The first case of every kernel, at half the speed of a copy."""
    results = []
    for kernel in registry.kernels().values():
        case = kernel.bench_cases[0]
        moved, flops = kernel.bytes(case.problem), kernel.flops(case.problem)
        results.append(Result(kernel.name, case, "threads=256", 2 * moved / ROOFS.bytes_per_second, flops, moved))
    return [*results, Result("gemv", BenchCase({"n": 7}), skipped="asked for 9 GiB")]


def timeline() -> Explained:
    launches = tuple(
        Launch(kernel, "threads=64", "", b"", (), (1, 1, 1), "n=5", 100, 1_000_000)
        for kernel in ("embed", "gemv_fused", "attention_decode", "gemv_fused", "argmax_pick")
    )
    rows = tuple(Timed(launch, 2e-6 * i, 1e-6 * (i + 1)) for i, launch in enumerate(launches))
    plain = {"dispatches": [{"kernel": launch.kernel} for launch in launches], "inputs": {}, "outputs": {}}
    return Explained("a token", ORIGIN, plain, launches, Rates(4e12, 60e12), Profile(rows), 12e-6, grouped=True)


def everything() -> Everything:
    model = ModelRun(
        CHOSEN,
        DECODE,
        PREFILL,
        [replace(DECODE, context=c, seconds=(0.1 + c / 1e5,) * 3) for c in (64, 1024, 4096)],
        [replace(DECODE, batch=b, tokens=128 * b) for b in (1, 4, 16)],
        timeline(),
        TRAIN,
    )
    skipped = {"smollm2-135m: decode of 32": "asked for 9 GiB"}
    return Everything(ORIGIN, False, ROOFS, [model], kernel_results(), list(PEERS), skipped)
