"""`wgpt bench`: how fast models and kernels are, and what a dispatch costs the CPU."""

from __future__ import annotations

from typing import Annotated

import typer

from ..bench import generation, training
from ..bench import kernels as kernel_bench
from ..bench import replay as replay_bench
from ..bench.models import Chosen
from ..formats import sources
from ..formats.peft import MAX_RANK
from ..quant.weights import TYPES
from . import bench_all
from .common import Adapter, Json, KernelName, opened, print_json, progress_bar, stdout
from .options import Cache, Dtype, Kernels, ModelName, Preset, one_of, resident

app = typer.Typer(cls=bench_all.AllByDefault, rich_markup_mode=None)
app.command("all")(bench_all.command)


@app.callback()
def group() -> None:
    """Measure: everything, or a model, its training, the kernels, the CPU time of a dispatch.

    \b
    Examples:
      wgpt bench --html report.html
      wgpt bench decode
      wgpt bench prefill --preset qwen2.5-1.5b --random
      wgpt bench train --preset smollm2-135m --random --batch 4 --seq 512
      wgpt bench kernels
      wgpt bench replay --dispatches 300
    """


Random = Annotated[bool, typer.Option("--random", help="Random weights: nothing is downloaded.")]
Table = Annotated[
    str | None,
    typer.Option(
        metavar="TYPE", callback=one_of(*TYPES), help="Type of a random embedding table and head.", show_default=False
    ),
]
Batch = Annotated[int, typer.Option(min=1, max=1024, help="Sequences at once.")]
Repeats = Annotated[int, typer.Option(min=3, max=1000, help="Repetitions; the median counts.")]


def _chosen(model: str | None, preset: str | None, random: bool, dtype: str | None, table: str | None) -> Chosen:
    if random and model is not None:
        raise typer.BadParameter("--random goes with --preset, not with --model")
    return Chosen(model, preset or (sources.DEFAULT if random else None), dtype, table)


@app.command("decode")
def decode(
    model: ModelName = None,
    preset: Preset = None,
    random: Random = False,
    dtype: Dtype = None,
    table: Table = None,
    cache: Cache = "f16",
    kernels: Kernels = "wgsl",
    batch: Batch = 1,
    context: Annotated[int, typer.Option(min=1, help="Tokens in the cache when it begins.")] = 64,
    tokens: Annotated[
        int | None, typer.Option(min=1, help="Tokens to generate. Default: 128, 16 without a GPU.", show_default=False)
    ] = None,
    repeats: Repeats = 5,
    adapter: Adapter = None,
    json: Json = False,
) -> None:
    """Time the generation of tokens, one after the other.

    Tokens are taken greedily and read by the host, as in `wgpt run`; no text is made of them. Also: the GPU's time
    for one step, the CPU's to submit it, and the weights it reads beside what a copy reaches on this adapter.

    \b
    Examples:
      wgpt bench decode
      wgpt bench decode --preset smollm2-135m --random --dtype q4_1 --table q8_0
      wgpt bench decode -m model.gguf --context 4096 --batch 8 --json
    """
    chosen = _chosen(model, preset, random, dtype, table)
    with resident(chosen, adapter) as network, progress_bar("decoding") as progress:
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
    batch: Batch = 1,
    context: Annotated[int, typer.Option(min=1, help="Tokens of a prompt.")] = 512,
    repeats: Repeats = 5,
    adapter: Adapter = None,
    json: Json = False,
) -> None:
    """Time the reading of prompts, up to the first token of the answer.

    \b
    Examples:
      wgpt bench prefill
      wgpt bench prefill --preset llama-3.2-1b --random --context 2048
      wgpt bench prefill -m ./Qwen2.5-0.5B-Instruct --dtype f16 --json
    """
    chosen = _chosen(model, preset, random, dtype, table)
    with resident(chosen, adapter) as network, progress_bar("reading") as progress:
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
        typer.Option(min=2, help="Tokens of a sequence. Default: 512, 32 without a GPU.", show_default=False),
    ] = None,
    rank: Annotated[int, typer.Option(min=1, max=MAX_RANK, help="Of the adapters.")] = 16,
    targets: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Layers to adapt, such as q,v or all. Default: q,v; of GPT-2 c_attn.",
            show_default=False,
        ),
    ] = None,
    checkpointing: Annotated[
        bool, typer.Option("--checkpointing", help="Less memory: activations are computed again.")
    ] = False,
    steps: Annotated[
        int | None,
        typer.Option(min=3, max=10_000, help="Steps to time. Default: 10, 3 without a GPU.", show_default=False),
    ] = None,
    adapter: Adapter = None,
    json: Json = False,
) -> None:
    """Time a training step: forward, backward, clipping and AdamW of LoRA.

    Each step ends when its loss is read. Also: the GPU's time, by kernel, the FLOPs beside what multiply-adds
    alone reach on this adapter, and the memory by what it is for.

    \b
    Examples:
      wgpt bench train --preset smollm2-135m --random
      wgpt bench train --preset qwen2.5-1.5b --random --dtype nf4 --checkpointing --json
      wgpt bench train -m model.gguf --batch 2 --seq 1024 --rank 8 --targets all
    """
    chosen = _chosen(model, preset, random, dtype, table)
    named = tuple(name.strip() for name in (targets or "").split(",") if name.strip())
    with resident(chosen, adapter) as network, progress_bar("training") as progress:
        result = training.train(network, chosen, batch, seq, rank, named, checkpointing, steps, progress)
    if json:
        print_json(result.to_dict())
    else:
        training.print_training(result, stdout())


@app.command("kernels")
def kernels(kernel: KernelName = None, adapter: Adapter = None, json: Json = False) -> None:
    """Time every kernel at the sizes of real models.

    Times are the GPU's own, medians, of dispatches that wait for each other and find their
    inputs outside the cache. GB/s counts every input read once and every output written once;
    "% of copy" compares with a plain copy on the same adapter, measured in the same run. On a
    software driver, products are timed beside NumPy's.

    \b
    Examples:
      wgpt bench kernels
      wgpt bench kernels --kernel gemv
      wgpt bench kernels --json > kernels.json
    """
    with opened(adapter) as device, progress_bar("timing") as progress:
        result = kernel_bench.run(device, kernel, progress)
    if json:
        print_json(result.to_dict())
    else:
        kernel_bench.print_bench(result, stdout())


@app.command("replay")
def replay(
    dispatches: Annotated[int, typer.Option(min=1, max=100_000, help="Dispatches in the Program.")] = 300,
    adapter: Adapter = None,
    json: Json = False,
) -> None:
    """Time a dispatch on the CPU: replay beside wgpu-py's API.

    Both ways encode and submit the same dispatches, in turns; medians. The CPU, not the GPU,
    is what limits small models.

    \b
    Examples:
      wgpt bench replay
      wgpt bench replay --dispatches 1000 --json
    """
    with opened(adapter) as device, progress_bar("replaying") as progress:
        result = replay_bench.run(device, dispatches, progress=progress)
    if json:
        print_json(result.to_dict())
    else:
        replay_bench.print_replay(result, stdout())
