"""Code shared by the peer scripts: command-line options, task sizes and output lines.

Each line is one JSON object {peer, mode, what, model, value, unit, skipped}: a value, or the reason why there is none.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

CONTEXT, PROMPT = 64, 512  # context length before decoding, and prompt length
BATCH, LENGTH, RANK = 4, 512, 16  # of one LoRA training step on q and v
UNITS = {"decode": "tok/s", "prefill": "ms", "lora": "ms"}


@dataclass(frozen=True)
class Task:
    """The job: the model's sizes (as in wgpt's presets), the measurements and how often to repeat them."""

    sizes: dict[str, Any]
    measurements: tuple[str, ...]
    quick: bool

    @property
    def tokens(self) -> int:
        return 8 if self.quick else 128

    @property
    def repeats(self) -> int:
        return 1 if self.quick else 5


def task(description: str) -> Task:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--sizes", required=True, type=json.loads, help="a model's sizes as JSON; `wgpt bench` sends it"
    )
    parser.add_argument("--only", action="append", choices=list(UNITS), help="only this task; may be repeated")
    parser.add_argument("--quick", action="store_true", help="few tokens, one repetition")
    options = parser.parse_args()
    return Task(options.sizes, tuple(options.only or UNITS), options.quick)


def say(
    task: Task, peer: str, mode: str, measurement: str, value: float | None = None, skipped: str | None = None
) -> None:
    """Print one measurement immediately, so it is not lost if a later one crashes."""
    reason = None if skipped is None else " ".join(skipped.split())[:300] or "no reason given"
    line = {"peer": peer, "mode": mode, "what": measurement, "model": task.sizes["name"]}
    print(json.dumps({**line, "value": value, "unit": UNITS[measurement], "skipped": reason}), flush=True)


def attempt(task: Task, peer: str, mode: str, measurement: str, measure: Callable[[], float]) -> None:
    """Print the result of `measure`, or why it failed."""
    try:
        value = measure()
    except Exception as e:  # any exception of a compiler or driver becomes the reason
        say(task, peer, mode, measurement, skipped=f"{type(e).__name__}: {e}")
    else:
        say(task, peer, mode, measurement, value)


def middle(task: Task, seconds: Callable[[], float]) -> float:
    """The median over `task.repeats` runs."""
    return median(seconds() for _ in range(task.repeats))
