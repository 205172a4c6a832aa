"""Prints the results of `wgpt bench` as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.console import Console

from ..table import Column, number, percent, show
from . import kernels
from .comparison import TASKS, Figure, by_task
from .everything import Everything, ModelRun
from .explain import print_explained
from .generation import Bench
from .training import print_training


def print_everything(run: Everything, console: Console) -> None:
    name = run.origin["gpu"]["name"]
    console.print(f"{name}: {run.roofs}" if run.roofs else name, style="bold", markup=False)
    _print_models(run.models, console)
    _print_sweep("context length", {str(m.chosen): m.contexts for m in run.models}, lambda b: b.context, console)
    _print_sweep("batch size", {str(m.chosen): m.batches for m in run.models}, lambda b: b.batch, console)
    for model in run.models:
        if model.timeline:
            console.print()
            print_explained(model.timeline, console)
        if model.train:
            console.print()
            print_training(model.train, console)
    _print_peers(run.comparison(), console)
    bench = run.kernel_bench()
    if bench:
        console.print()
        kernels.print_bench(bench, console)
    for part, reason in run.skipped.items():
        console.print(f"skipped {part}: {reason}", style="yellow", markup=False)


def _print_models(models: Sequence[ModelRun], console: Console) -> None:
    rows = [_model_cells(m) for m in models if m.decode or m.prefill]
    if not rows:
        return
    columns = [
        Column("model", words=True, least=24),
        Column("decode tok/s"),
        Column("GPU us", drop=2),
        Column("CPU us", drop=3),
        Column("dispatches", drop=5),
        Column("% of copy", drop=4),
        Column("prefill tok/s"),
        Column("prompt", drop=1),
    ]
    console.print()
    show(console, columns, rows)


def _model_cells(m: ModelRun) -> tuple[str, ...]:
    step = m.decode.step if m.decode else None
    return (
        str(m.chosen),
        number(m.decode.rate, 4) if m.decode else "",
        number(step.gpu_seconds * 1e6) if step else "",
        number(step.cpu_seconds * 1e6) if step else "",
        str(step.dispatches) if step else "",
        percent(step.of_copy) if step else "",
        number(m.prefill.rate, 4) if m.prefill else "",
        str(m.prefill.context) if m.prefill else "",
    )


def _print_sweep(title: str, runs: Mapping[str, Sequence[Bench]], at: Callable[[Bench], int], console: Console) -> None:
    """Tokens per second, with a line per model and a column per size."""
    sizes = sorted({at(b) for benches in runs.values() for b in benches})
    if not sizes:
        return
    columns = [Column(f"decode tok/s by {title}", words=True, least=24), *(Column(f"{p:,}") for p in sizes)]
    rows = []
    for name, benches in runs.items():
        rates = {at(b): number(b.rate, 4) for b in benches}
        rows.append((name, *(rates.get(p, "") for p in sizes)))
    console.print()
    show(console, columns, rows)


def _print_peers(figures: Sequence[Figure], console: Console) -> None:
    if not figures:
        return
    columns = [
        Column("model", words=True),
        Column("task", words=True, least=20),
        Column("program", words=True, least=20),
        Column("value"),
        Column("unit", words=True, least=5),
        Column("skipped", words=True, drop=1, least=24),
    ]
    rows = [
        (model, TASKS[task], f"{f.peer}, {f.mode}", number(f.value, 4), unit, f.skipped or "")
        for (model, task, unit), group in by_task(figures).items()
        for f in group
    ]
    console.print()
    show(console, columns, rows)
