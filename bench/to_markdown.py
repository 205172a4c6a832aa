"""Tables for bench/*.md from what `wgpt verify --json`, `wgpt bench kernels --json` and `wgpt bench --json` printed.

    python bench/to_markdown.py verify.json bench.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def verify_table(report: dict[str, Any]) -> str:
    lines = ["| obligation | trials | largest error | tolerance | verdict |", "| --- | ---: | ---: | ---: | --- |"]
    for row in report["obligations"]:
        error = "" if row["error"] is None else f"{row['error']:.2e}"
        tolerance = "exact" if not row["tolerance"] else f"{row['tolerance']:.2e}"
        lines.append(f"| {row['id']} | {row['trials']} | {error} | {tolerance} | {row['verdict']} |")
    return "\n".join(lines)


def bench_table(bench: dict[str, Any]) -> str:
    rows = [row for row in bench["results"] if "skipped" not in row]
    numpy = any(row["numpy_us"] for row in rows)
    head = "| kernel | problem | us | GB/s | TFLOPS |" + (" x NumPy |" if numpy else "")
    lines = [head, "| --- | --- | ---: | ---: | ---: |" + (" ---: |" if numpy else "")]
    for row in rows:
        problem = " ".join(f"{k}={v}" for k, v in row["problem"].items())
        cells = [row["kernel"], problem, f"{row['us']:,.1f}", f"{row['gb_per_second']:,.1f}", f"{row['tflops']:.2f}"]
        if numpy:
            cells.append("" if row["times_numpy"] is None else f"{row['times_numpy']:.1f}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def everything_tables(run: dict[str, Any]) -> str:
    """Tables of a complete run: wgpt beside its peers, the sweeps and the kernels."""
    figures = ["| model | what | by | | |", "| --- | --- | --- | ---: | --- |"]
    for f in run["figures"]:
        note = f"skipped: {f['skipped']}" if f["value"] is None else f["unit"]
        value = "" if f["value"] is None else f"{f['value']:,.1f}"
        figures.append(f"| {f['model']} | {f['what']} | {f['peer']}, {f['mode']} | {value} | {note} |")
    sweeps = [sweep_table(run["models"], "contexts", "context"), sweep_table(run["models"], "batches", "batch")]
    kernels = bench_table({"results": run["kernels"]}) if run["kernels"] else ""
    return "\n\n".join(part for part in ("\n".join(figures), *sweeps, kernels) if part)


def sweep_table(models: list[dict[str, Any]], sweep: str, key: str) -> str:
    places = sorted({b[key] for m in models for b in m[sweep]})
    if not places:
        return ""
    lines = [f"| tok/s by {key} | {' | '.join(map(str, places))} |", f"| --- | {' | '.join('---:' for _ in places)} |"]
    for m in models:
        rates = {b[key]: f"{b['tokens_per_second']:,.0f}" for b in m[sweep]}
        cells = " | ".join(rates.get(place, "") for place in places)
        lines.append(f"| {m['model']['name']} {m['model']['dtype']} | {cells} |")
    return "\n".join(lines)


def tables(data: dict[str, Any]) -> str:
    if data.get("bench") == "all":
        return everything_tables(data)
    return bench_table(data) if "copy_bytes_per_second" in data else verify_table(data)


def main() -> None:
    for path in map(Path, sys.argv[1:]):
        print(tables(json.loads(path.read_text())), end="\n\n")


if __name__ == "__main__":
    main()
