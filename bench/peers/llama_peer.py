"""llama.cpp at the same task, by llama-bench where that is on PATH, else by the Python package xllamacpp.

    python bench/peers/llama_peer.py --sizes '{...}'        (`wgpt bench --peers` does that)

The model is a GGUF file of the same sizes with random weights, in f16 and in the types of SmolLM2's Q4_1 file.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any

from figures import CONTEXT, PROMPT, Task, attempt, middle, say, task

PEER = "llama.cpp"
FAMILIES = ("llama", "qwen2")


def main() -> None:
    job = task(__doc__ or "")
    for measurement in set(job.measurements) & {"lora"}:
        say(job, PEER, "-", measurement, skipped="llama.cpp trains no LoRA adapters")
    measurements = [measurement for measurement in job.measurements if measurement != "lora"]
    reason = _missing(job)
    if reason:
        for measurement in measurements:
            say(job, PEER, "-", measurement, skipped=reason)
        return
    from gguf_file import TYPES, write

    with tempfile.TemporaryDirectory() as folder:
        for kind in TYPES:
            path = Path(folder) / "random.gguf"
            try:
                write(path, job.sizes, kind)
            except (OSError, ValueError) as e:
                for measurement in measurements:
                    say(job, PEER, kind, measurement, skipped=f"no file to run: {e}")
                continue
            (_by_binary if shutil.which("llama-bench") else _by_package)(job, measurements, path, kind)


def _missing(job: Task) -> str | None:
    """The reason why llama.cpp cannot run here, or None."""
    if job.sizes["family"] not in FAMILIES:
        return f"no random GGUF file is made of {job.sizes['family']} here"
    try:
        import gguf  # noqa: F401
    except ImportError as e:
        return f"no package gguf in this Python, to write a model file with: {e}"
    if shutil.which("llama-bench"):
        return None
    try:
        import xllamacpp  # noqa: F401
    except ImportError as e:
        return f"no llama-bench on PATH, and no package xllamacpp in this Python: {e}"
    return None


def _by_binary(job: Task, measurements: list[str], path: Path, kind: str) -> None:
    for measurement in measurements:
        attempt(job, PEER, f"llama-bench, {kind}", measurement, partial(_llama_bench, job, path, measurement))


def _llama_bench(job: Task, path: Path, measurement: str) -> float:
    if measurement == "decode":
        sizes = ["-p", "0", "-n", str(job.tokens), "-d", str(CONTEXT)]
    else:
        sizes = ["-p", str(PROMPT), "-n", "0"]
    command = [
        "llama-bench",
        "-m",
        str(path),
        *sizes,
        "-ngl",
        "999",
        "-fa",
        "1",
        "-r",
        str(job.repeats),
        "-o",
        "json",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"llama-bench failed with code {done.returncode}: {done.stderr[-200:]}")
    (row,) = json.loads(done.stdout)
    print(f"# {PEER} {row.get('build_commit')}, {row.get('backends')}: {row.get('gpu_info') or row.get('cpu_info')}")
    return float(row["avg_ts"]) if measurement == "decode" else float(row["avg_ns"]) / 1e6


def _by_package(job: Task, measurements: list[str], path: Path, kind: str) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel, params.n_gpu_layers = 1024, 1, 999
    where = _device(xllamacpp)
    try:
        server = xllamacpp.Server(params)
    except Exception as e:  # any exception of the loader becomes the reason
        for measurement in measurements:
            say(job, PEER, f"{where}, {kind}", measurement, skipped=f"{type(e).__name__}: {e}")
        return
    for measurement in measurements:
        measure = partial(_served, server.listening_address, job, measurement)
        attempt(job, PEER, f"{where}, {kind}", measurement, measure)


def _served(address: str, job: Task, measurement: str) -> float:
    """The figure that llama.cpp reports: tokens per second, or milliseconds for the prompt."""

    def seconds() -> float:
        if measurement == "decode":
            timings = _completion(address, job, CONTEXT, job.tokens)
            return timings["predicted_ms"] / timings["predicted_n"] / 1e3
        return _completion(address, job, PROMPT, 1)["prompt_ms"] / 1e3

    seconds()  # warm
    return 1 / middle(job, seconds) if measurement == "decode" else 1e3 * middle(job, seconds)


def _completion(address: str, job: Task, prompt: int, tokens: int) -> dict[str, Any]:
    """The timings that llama.cpp reports for one completion."""
    ids = [(7 * i + 1) % job.sizes["vocab"] for i in range(prompt)]
    request = {"prompt": ids, "n_predict": tokens, "temperature": 0, "cache_prompt": False, "ignore_eos": True}
    body = json.dumps(request).encode()
    with urllib.request.urlopen(
        urllib.request.Request(f"{address}/completion", body, {"Content-Type": "application/json"})
    ) as reply:
        timings = json.load(reply)["timings"]
    if timings["prompt_n"] != prompt or timings["predicted_n"] != tokens:
        raise RuntimeError(f"asked for {prompt} and {tokens} tokens, and was given {timings}")
    return timings


def _device(xllamacpp: Any) -> str:
    """The device it runs on: the first GPU by llama.cpp's name, or the CPU."""
    return next((d["name"] for d in xllamacpp.get_device_info() if d["name"] != "CPU"), "CPU")


if __name__ == "__main__":
    main()
