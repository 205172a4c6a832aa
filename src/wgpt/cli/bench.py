"""`wgpt bench`: how fast models and kernels are, and what a dispatch costs the CPU."""

from __future__ import annotations

from typing import Annotated

import typer

from ..bench import generation, training
from ..bench import kernels as kernel_bench
from ..bench import replay as replay_bench
from ..bench.models import Chosen
from ..core.errors import WgptError
from ..formats import sources
from ..formats.peft_config import MAX_RANK
from ..gpu.gpus import several
from ..quant.weights import TYPES
from . import bench_all, bench_embed, bench_engine, bench_serve
from .common import Gpu, Json, KernelName, opened, print_json, stdout
from .options import Cache, Dtype, Kernels, ModelName, Preset, Resident, TrainingPrecision, on_device, one_of
from .progress import progress_bar

app = typer.Typer(cls=bench_all.AllByDefault, rich_markup_mode=None)
app.command("all")(bench_all.command)
app.command("embed")(bench_embed.command)
app.command("engine")(bench_engine.command)
app.command("serve")(bench_serve.command)


@app.callback()
def group() -> None:
    """\b
    Examples:
      wgpt bench --html report.html
      wgpt bench decode
      wgpt bench prefill --preset qwen2.5-1.5b --random
      wgpt bench embed --preset bert-base
      wgpt bench engine --requests 1,16,128
      wgpt bench serve --clients 1,16,64
      wgpt bench train --preset smollm2-135m --random --batch 4 --seq 512
      wgpt bench kernels
      wgpt bench replay --dispatches 300
    """


Random = Annotated[bool, typer.Option("--random", help="Use random weights: nothing is downloaded.")]
Table = Annotated[
    str | None,
    typer.Option(
        metavar="TYPE",
        callback=one_of(*TYPES),
        help="Weight type of a random embedding table and head. Default: as --dtype; f16 if that is for layers only.",
        show_default=False,
    ),
]
Batch = Annotated[int, typer.Option(min=1, max=1024, help="Batch size, in sequences.")]
Repeats = Annotated[int, typer.Option(min=3, max=1000, help="Number of repetitions; the median is reported.")]


def _chosen(
    model: str | None,
    preset: str | None,
    random: bool,
    dtype: str | None,
    table: str | None,
    resident: str = "all",
) -> Chosen:
    if random and model is not None:
        raise typer.BadParameter("--random goes with --preset, not with --model")
    return Chosen(model, preset or (sources.DEFAULT if random else None), dtype, table, resident)


def _check_one_gpu(gpu: str | None, verb: str, batch: int, context: int, new: int) -> None:
    """Refuse several GPUs: times of a single Program and the share of the copy rate are those of one GPU."""
    if several(gpu) is not None:
        instead = f"wgpt bench engine --gpu {gpu} --requests {batch} --prompt {context} --new {new}"
        raise WgptError(
            f"wgpt bench {verb} times the Programs of one GPU, and a model on several has one on each: for rates and "
            f"the time to the first token, use `{instead}`"
        )


@app.command("decode")
def decode(
    model: ModelName = None,
    preset: Preset = None,
    random: Random = False,
    dtype: Dtype = None,
    table: Table = None,
    cache: Cache = "f16",
    kernels: Kernels = "wgsl",
    resident: Resident = "auto",
    batch: Batch = 1,
    context: Annotated[int, typer.Option(min=1, help="Context length, in tokens, at which decoding starts.")] = 64,
    tokens: Annotated[
        int | None,
        typer.Option(min=1, help="Tokens to generate. Default: 128; 16 on a software driver.", show_default=False),
    ] = None,
    repeats: Repeats = 5,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """Time the generation of tokens, one after another.

    Tokens are chosen greedily and read back by the host, as in `wgpt run`, but not decoded to text. Also shown: the
    GPU time of one step, the CPU time to submit it, the rate at which it reads weights compared with the rate of a
    plain copy on this GPU, and the GPU time of one layer compared with NumPy's for the same products in f32.

    \b
    Examples:
      wgpt bench decode
      wgpt bench decode --preset smollm2-135m --random --dtype q4_1 --table q8_0
      wgpt bench decode --preset llama-3.2-1b --random --dtype q4_k_m
      wgpt bench decode -m model.gguf --context 4096 --batch 8 --json
    """
    _check_one_gpu(gpu, "decode", batch, context, tokens or 128)
    chosen = _chosen(model, preset, random, dtype, table, resident)
    with on_device(chosen, gpu) as network, progress_bar("decoding") as progress:
        result = generation.decode(network, chosen, batch, context, tokens, repeats, cache, progress, kernels)
    _show(result, json)


@app.command("prefill")
def prefill(
    model: ModelName = None,
    preset: Preset = None,
    random: Random = False,
    dtype: Dtype = None,
    table: Table = None,
    cache: Cache = "f16",
    kernels: Kernels = "wgsl",
    resident: Resident = "auto",
    batch: Batch = 1,
    context: Annotated[int, typer.Option(min=1, help="Prompt length, in tokens.")] = 512,
    repeats: Repeats = 5,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """Time the processing of prompts, up to the first token of the answer.

    \b
    Examples:
      wgpt bench prefill
      wgpt bench prefill --preset llama-3.2-1b --random --context 2048
      wgpt bench prefill -m ./Qwen2.5-0.5B-Instruct --dtype f16 --json
    """
    _check_one_gpu(gpu, "prefill", batch, context, 2)
    chosen = _chosen(model, preset, random, dtype, table, resident)
    with on_device(chosen, gpu) as network, progress_bar("prefilling") as progress:
        result = generation.prefill(network, chosen, batch, context, repeats, cache, progress, kernels)
    _show(result, json)


def _show(result: generation.Bench, json: bool) -> None:
    if json:
        print_json(result.to_dict())
    else:
        generation.print_generation(result, stdout())


@app.command("train")
def train(
    model: ModelName = None,
    preset: Preset = None,
    random: Random = False,
    dtype: Dtype = None,
    table: Table = None,
    batch: Batch = 4,
    seq: Annotated[
        int | None,
        typer.Option(
            min=2, help="Sequence length, in tokens. Default: 512; 32 on a software driver.", show_default=False
        ),
    ] = None,
    rank: Annotated[int, typer.Option(min=1, max=MAX_RANK, help="Rank of the LoRA adapter.")] = 16,
    targets: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Layers to adapt, such as q,v or all. Default: q,v, or the fused layer that contains both.",
            show_default=False,
        ),
    ] = None,
    checkpointing: Annotated[
        bool, typer.Option("--checkpointing", help="Save memory: recompute activations in the backward pass.")
    ] = False,
    precision: TrainingPrecision = "fast",
    steps: Annotated[
        int | None,
        typer.Option(
            min=3, max=10_000, help="Training steps to time. Default: 10; 3 on a software driver.", show_default=False
        ),
    ] = None,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """Time a LoRA training step: forward, backward, clipping and AdamW.

    A step ends when its loss has been read. Also shown: the GPU time by kernel, the FLOPs compared with the f32
    multiply-add rate of this GPU, and the GPU memory by purpose.

    \b
    Examples:
      wgpt bench train --preset smollm2-135m --random
      wgpt bench train --preset qwen2.5-1.5b --random --dtype nf4 --checkpointing --json
      wgpt bench train -m model.gguf --batch 2 --seq 1024 --rank 8 --targets all
    """
    chosen = _chosen(model, preset, random, dtype, table)
    target_names = tuple(name.strip() for name in (targets or "").split(",") if name.strip())
    with on_device(chosen, gpu) as network, progress_bar("training") as progress:
        result = training.train(
            network, chosen, batch, seq, rank, target_names, checkpointing, steps, progress, precision
        )
    if json:
        print_json(result.to_dict())
    else:
        training.print_training(result, stdout())


@app.command("kernels")
def kernels(kernel: KernelName = None, gpu: Gpu = None, json: Json = False) -> None:
    """Time every kernel at the sizes of real models.

    Times are medians by the GPU's clock, of dispatches that run one after another with inputs
    that are not in the GPU's cache. GB/s counts every input read once and every output written
    once; "% of copy" compares with a plain copy on the same GPU, measured in the same run. On a
    software driver, matrix products are also timed in NumPy.

    \b
    Examples:
      wgpt bench kernels
      wgpt bench kernels --kernel gemv
      wgpt bench kernels --json > kernels.json
    """
    with opened(gpu) as device, progress_bar("timing") as progress:
        result = kernel_bench.run(device, kernel, progress)
    if json:
        print_json(result.to_dict())
    else:
        kernel_bench.print_bench(result, stdout())


@app.command("replay")
def replay(
    dispatches: Annotated[int, typer.Option(min=1, max=100_000, help="Number of dispatches to replay.")] = 300,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """Time the CPU work per dispatch: replay compared with wgpu-py's API.

    Both encode and submit the same dispatches, in turns; medians are reported. Small models are
    limited by this CPU time, not by the GPU.

    \b
    Examples:
      wgpt bench replay
      wgpt bench replay --dispatches 1000 --json
    """
    with opened(gpu) as device, progress_bar("replaying") as progress:
        result = replay_bench.run(device, dispatches, progress=progress)
    if json:
        print_json(result.to_dict())
    else:
        replay_bench.print_replay(result, stdout())
