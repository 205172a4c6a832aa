"""Tables for RESULTS.md from what `wgpt verify --json` and `wgpt bench kernels --json` printed.

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


def main() -> None:
    for path in map(Path, sys.argv[1:]):
        data = json.loads(path.read_text())
        is_bench = "copy_bytes_per_second" in data
        print(bench_table(data) if is_bench else verify_table(data), end="\n\n")


if __name__ == "__main__":
    main()
