"""`wgpt info`: the adapters, and what the chosen one can do."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..bench import crossover
from ..gpu import GpuDevice, list_adapters, native, probe, readable_bytes
from ..gpu.device import FAULTY_REMEDY, WANTED_FEATURES
from ..gpu.versions import versions
from ..kernels import tuning
from ..table import Column, number, show
from .common import Adapter, Json, opened, print_json, stdout

_FEATURES = {
    "shader-f16": ("16-bit arithmetic", "halves are unpacked to f32 instead"),
    "subgroup": ("lanes that add up without barriers", "reductions use workgroup memory instead"),
    "timestamp-query": ("GPU time per dispatch", "times come from the host's clock; no profiles"),
    "timestamp-query-inside-passes": ("timestamps between dispatches", "one pass per timestamp instead"),
    "immediates": ("parameters without a buffer", "uniform buffers instead"),
}
_LIMITS = {
    "max-buffer-size": "largest buffer",
    "max-storage-buffer-binding-size": "largest binding",
    "max-compute-workgroup-storage-size": "workgroup memory",
    "max-compute-invocations-per-workgroup": "threads per workgroup",
    "max-storage-buffers-per-shader-stage": "storage buffers per kernel",
}


def command(
    adapter: Adapter = None,
    brief: Annotated[bool, typer.Option("--brief", help="One line: the adapter that would be used.")] = False,
    json: Json = False,
) -> None:
    """Show the adapters, the one chosen, and what it can do.

    It opens the adapter even when its driver computes wrong numbers, and shows the fault.

    \b
    Examples:
      wgpt info
      wgpt info --brief
      wgpt info --adapter llvmpipe
      wgpt info --json | jq .chosen.reason
    """
    with opened(adapter, allow_faulty=True) as device:
        if brief and not json:
            said = Text(f"{device.info}: {device.reason}"), _faults(list(device.faults))
            stdout().print(*said, sep="; faults: ", soft_wrap=True)
            return
        facts = gather(device)
    if json:
        print_json(facts)
    else:
        print_info(facts, stdout())


def gather(device: GpuDevice) -> dict[str, Any]:
    """Everything `wgpt info` knows, as plain data."""
    table = tuning.table(device)
    return {
        "adapters": [{**asdict(info), "software": info.software} for info, _ in list_adapters()],
        "chosen": {"index": device.info.index, "name": device.info.name, "reason": device.reason},
        "limits": device.limits,
        "features": {name: name in device.features for name in WANTED_FEATURES},
        "subgroup_size": device.subgroup_size,
        "copy_bytes_per_second": probe.copy_bandwidth(device),
        "faults": list(device.faults),
        "tuning": {
            "file": str(tuning.path(device)),
            "present": bool(table),
            "variants": sum(len(found) for found in table.get("variants", {}).values()),
            "gpu_min_size": table.get("gpu_min_size"),
        },
        "native_replay": native.available,
        "versions": versions(),
    }


def print_info(facts: dict[str, Any], console: Console) -> None:
    chosen = facts["chosen"]["index"]
    console.print("Adapters", style="bold")
    columns = [
        Column(""),
        Column("#"),
        Column("name", words=True, least=20),
        Column("kind", words=True),
        Column("backend", words=True, least=7),
        Column("driver", words=True, drop=1),
    ]
    rows = [
        ("*" if a["index"] == chosen else "", str(a["index"]), a["name"], a["kind"], a["backend"], a["driver"])
        for a in facts["adapters"]
    ]
    show(console, columns, rows)
    console.print()
    details = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    details.add_column(style="bold", no_wrap=True)
    details.add_column(overflow="fold")
    details.add_row("Chosen", Text(f"{chosen}: {facts['chosen']['name']}, {facts['chosen']['reason']}"))
    details.add_row("Faults", _faults(facts["faults"]))
    details.add_row("Limits", _limits(facts["limits"]))
    details.add_row("Features", _features(facts["features"]))
    size = facts["subgroup_size"]
    details.add_row("Subgroups", f"{size} lanes (probed)" if size else "none that work")
    details.add_row("Copy", f"{number(facts['copy_bytes_per_second'] / 1e9)} GB/s (measured, read + written)")
    details.add_row("Tuning", _tuning(facts["tuning"]))
    native_path = "direct C calls" if facts["native_replay"] else "wgpu-py's public API (the slow way)"
    details.add_row("Replay", native_path)
    details.add_row("Versions", Text(", ".join(f"{name} {v}" for name, v in facts["versions"].items())))
    console.print(details)


def _faults(faults: list[str]) -> Text:
    if not faults:
        return Text("none found", style="green")
    return Text("\n".join([*(f"computes wrong numbers: {f}" for f in faults), FAULTY_REMEDY]), style="bold red")


def _limits(limits: dict[str, int]) -> Text:
    lines = []
    for key, words in _LIMITS.items():
        value = limits[key]
        lines.append(f"{words} {value if 'invocations' in key or 'buffers-per' in key else readable_bytes(value)}")
    return Text("\n".join(lines))


def _features(features: dict[str, bool]) -> Text:
    out = Text()
    for name, present in features.items():
        gives, instead = _FEATURES[name]
        out.append("yes  " if present else "no   ", style="green" if present else "yellow")
        out.append(f"{name}: {gives if present else instead}\n")
    out.rstrip()
    return out


def _tuning(found: dict[str, Any]) -> Text:
    if not found["present"]:
        return Text("not tuned yet, defaults are used; `wgpt tune` measures what is fastest here")
    least, since = found["gpu_min_size"], ""
    if isinstance(least, int):
        since = ", CPU at every size" if least >= crossover.NEVER else f", GPU from {least:,} elements"
    return Text(f"{found['variants']} choices{since} ({found['file']})")
