"""`wgpt info`: the GPUs, and what the chosen one can do; or a model's files."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..api.model_info import model_info
from ..bench import crossover
from ..core.sizes import readable_bytes
from ..core.versions import versions
from ..gpu import GpuDevice, list_gpus, probe
from ..gpu.implementations import dawn_state
from ..gpu.opening import FAULTY_REMEDY
from ..gpu.webgpu.interface import Matrix
from ..gpu.webgpu.wgpu_native import WANTED_FEATURES
from ..kernels import tuning
from ..table import Column, number, show
from .common import Gpu, Json, opened, print_json, stdout
from .info_model import print_model
from .progress import progress_bar

_FEATURES = {
    "shader-f16": ("16-bit arithmetic", "f16 values are unpacked to f32 instead"),
    "subgroup": ("reductions without barriers", "reductions use workgroup memory instead"),
    "timestamp-query": ("GPU time per dispatch", "times come from the host's clock; no profiles"),
    "timestamp-query-inside-passes": ("timestamps between dispatches", "one pass per timestamp instead"),
    "immediates": ("parameters without a buffer", "uniform buffers instead"),
    "mappable-primary-buffers": ("layers can stream from host memory", "all weights must fit in GPU memory"),
}
_LIMITS = {
    "max-buffer-size": "largest buffer",
    "max-storage-buffer-binding-size": "largest binding",
    "max-compute-workgroup-storage-size": "workgroup memory",
    "max-compute-invocations-per-workgroup": "threads per workgroup",
    "max-storage-buffers-per-shader-stage": "storage buffers per kernel",
}


def command(
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="[MODEL]",
            help="Show this model instead: a known name, a .gguf file, a Hugging Face folder, or ORG/NAME on the hub.",
            show_default=False,
        ),
    ] = None,
    gpu: Gpu = None,
    brief: Annotated[bool, typer.Option("--brief", help="Print one line: the GPU that would be used.")] = False,
    json: Json = False,
) -> None:
    """The GPU is opened even if its driver computes wrong numbers; the fault is shown.

    Of a model only the headers of its files are read, and no GPU is opened: format, architecture, sizes, types of the
    weights, the memory that weights and KV cache take, and if it does not run, why (exit code 1).

    \b
    Examples:
      wgpt info
      wgpt info model.gguf
      wgpt info --brief
      wgpt info --gpu llvmpipe
      wgpt info --json | jq .chosen.reason
    """
    if model is not None:
        if gpu is not None or brief:
            raise typer.BadParameter("--gpu and --brief are about GPUs, not about a model")
        _show_model(model, json)
        return
    with opened(gpu, allow_faulty=True) as device:
        if brief and not json:
            summary = Text(f"{device.info}: {device.reason}"), _faults(list(device.faults))
            stdout().print(*summary, sep="; faults: ", soft_wrap=True)
            return
        facts = gather(device)
    if json:
        print_json(facts)
    else:
        print_info(facts, stdout())


def _show_model(model: str, json: bool) -> None:
    with progress_bar("reading"):
        model_facts = model_info(model)
    if json:
        print_json(model_facts)
    else:
        print_model(model_facts, stdout())
    if not model_facts["runs"]:
        raise typer.Exit(1)


def gather(device: GpuDevice) -> dict[str, Any]:
    """Everything `wgpt info` knows, as plain data."""
    table = tuning.table(device)
    return {
        "gpus": [{**asdict(info), "software": info.software} for info, _ in list_gpus()],
        "chosen": {"index": device.info.index, "name": device.info.name, "reason": device.reason},
        "limits": device.limits,
        "features": {name: name in device.features for name in WANTED_FEATURES},
        "subgroup_size": device.subgroup_size,
        "copy_bytes_per_second": probe.copy_bandwidth(device),
        "faults": list(device.faults),
        "tuning": {
            "file": str(tuning.path(device)),
            "present": bool(table),
            "variants": sum(len(choices) for choices in table.get("variants", {}).values()),
            "gpu_min_size": table.get("gpu_min_size"),
        },
        "webgpu": {
            "name": device.webgpu.name,
            "version": device.webgpu.version,
            "reason": device.webgpu_reason,
            "matrices": [m._asdict() for m in device.webgpu.matrices],
        },
        "dawn": dawn_state(device.software),
        "native_replay": device.webgpu.direct,
        "versions": versions(),
    }


def print_info(facts: dict[str, Any], console: Console) -> None:
    chosen, shown = facts["chosen"]["index"], ("name", "kind", "backend")
    console.print("GPUs", style="bold")
    columns = [
        Column(""),
        Column("#"),
        Column("name", words=True, least=20),
        Column("kind", words=True),
        Column("backend", words=True, least=7),
        Column("PCI id", drop=2),
        Column("driver", words=True, drop=1),
    ]
    rows = [
        ("*" if a["index"] == chosen else "", str(a["index"]), *(a[name] for name in shown), _pci_id(a), a["driver"])
        for a in facts["gpus"]
    ]
    show(console, columns, rows)
    console.print()
    details = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    details.add_column(style="bold", no_wrap=True)
    details.add_column(overflow="fold")
    details.add_row("Chosen", Text(f"{chosen}: {facts['chosen']['name']}, {facts['chosen']['reason']}"))
    if len(facts["gpus"]) > 1:
        details.add_row("Several", "--gpu 0,1 splits a model's layers over GPUs 0 and 1 (docs/scale.md)")
    details.add_row("Faults", _faults(facts["faults"]))
    details.add_row("Limits", _limits(facts["limits"]))
    details.add_row("Features", _features(facts["features"]))
    size = facts["subgroup_size"]
    details.add_row("Subgroups", f"{size} lanes (probed)" if size else "none usable")
    matrices = ", ".join(str(Matrix(**m)) for m in facts["webgpu"]["matrices"])
    details.add_row("Matrices", matrices or "none usable")
    details.add_row("Copy", f"{number(facts['copy_bytes_per_second'] / 1e9)} GB/s (measured, read + written)")
    details.add_row("Tuning", _tuning(facts["tuning"]))
    webgpu = facts["webgpu"]
    details.add_row("WebGPU", Text(f"{webgpu['name']} {webgpu['version']} ({webgpu['reason']})"))
    if webgpu["name"] != "Dawn":
        details.add_row("Dawn", Text(facts["dawn"]))
    native_path = "direct C calls" if facts["native_replay"] else "wgpu-py's public API (slower)"
    details.add_row("Replay", native_path)
    details.add_row("Versions", Text(", ".join(f"{name} {v}" for name, v in facts["versions"].items())))
    console.print(details)


def _pci_id(gpu: dict[str, Any]) -> str:
    """Vendor and device ids, as `lspci -nn` prints them, if the driver reports them."""
    return f"{gpu['vendor_id']:04x}:{gpu['device_id']:04x}" if gpu["vendor_id"] else ""


def _faults(faults: list[str]) -> Text:
    if not faults:
        return Text("none found", style="green")
    return Text("\n".join([*(f"computes wrong numbers: {f}" for f in faults), FAULTY_REMEDY]), style="bold red")


def _limits(limits: dict[str, int]) -> Text:
    lines = []
    for key, label in _LIMITS.items():
        value = limits[key]
        lines.append(f"{label} {value if 'invocations' in key or 'buffers-per' in key else readable_bytes(value)}")
    return Text("\n".join(lines))


def _features(features: dict[str, bool]) -> Text:
    out = Text()
    for name, present in features.items():
        benefit, fallback = _FEATURES[name]
        out.append("yes  " if present else "no   ", style="green" if present else "yellow")
        out.append(f"{name}: {benefit if present else fallback}\n")
    out.rstrip()
    return out


def _tuning(tuned: dict[str, Any]) -> Text:
    if not tuned["present"]:
        return Text("not tuned: defaults are used; `wgpt tune` finds the fastest variants")
    min_size, crossover_note = tuned["gpu_min_size"], ""
    if isinstance(min_size, int):
        crossover_note = ", CPU at every size" if min_size >= crossover.NEVER else f", GPU from {min_size:,} elements"
    return Text(f"{tuned['variants']} choices{crossover_note} ({tuned['file']})")
