"""Ctrl-C at random moments in real processes: `python -m tests.gpu.interrupts [TRIALS]` tells how each ended.

A trial starts a program, waits until it is at work and a random time longer, sends one SIGINT and measures how long the
process takes to end. It must exit with 130, without a traceback of its own, soon. SIGTERM must end it as a signal does.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.models import golden

SOON = 1.0  # seconds from the signal to the end of the process; a loaded machine may take a little more
_STUCK = 30.0
NEW_FOLDER = "NEW_FOLDER"  # an argument: one that each trial has for itself

# Generates for ever, and exits with 130 when KeyboardInterrupt is raised, after one more answer by the same model.
GENERATE = """
import sys
import wgpt
model = wgpt.load(sys.argv[1])
expected = model.generate([5, 6, 7], max_tokens=8, ignore_eos=True).ids
print("at work", flush=True)
try:
    while True:
        model.generate([5, 6, 7, 8, 9], max_tokens=200, ignore_eos=True)
except KeyboardInterrupt:
    assert model.generate([5, 6, 7], max_tokens=8, ignore_eos=True).ids == expected
    sys.exit(130)
"""

# Each is at work for ever, and has nothing to say about SIGTERM.
ENGINE = """
import sys
import wgpt
with wgpt.load(sys.argv[1]) as model, wgpt.Engine(model) as engine:
    print("at work", flush=True)
    while True:
        engine.submit([5, 6, 7, 8, 9], max_tokens=200, ignore_eos=True).result()
"""

# Trains in the folder of its second argument, if there is one. A script that goes on after its training ends with 0.
FINETUNE = """
import sys
import wgpt
model = wgpt.load(sys.argv[1])
lines = [{"text": f"the bell of tower {i} rings"} for i in range(40)]
def progress(moment):
    if moment.step == 3:
        print("at work", flush=True)
model.finetune(lines, steps=100000, rank=4, progress=progress, out=sys.argv[2] if sys.argv[2:] else None)
print("went on")
"""


class Ended(NamedTuple):
    """How a process ended after the signal."""

    code: int | None  # None if it did not end and was killed
    seconds: float
    errors: str  # the end of its stderr

    @property
    def well(self) -> bool:
        # To a shell, a process that ends by the signal itself exits with 130, too: CPython does that where the
        # exception has passed through exec(), as of a dataclass that is being made.
        return self.code in (130, -signal.SIGINT) and self.quiet

    @property
    def quiet(self) -> bool:
        return "Traceback" not in self.errors and "ignored" not in self.errors


@dataclass(frozen=True)
class Program:
    """A command line; the signal comes up to `span` seconds after it has begun to work, or after its start."""

    name: str
    args: tuple[str, ...]
    announces: bool = False  # "at work" on stdout
    span: float = 5.0

    def interrupted(self, delay: float, number: int = signal.SIGINT) -> Ended:
        with tempfile.TemporaryDirectory() as new:
            return self._interrupted(delay, number, [new if arg == NEW_FOLDER else arg for arg in self.args])

    def _interrupted(self, delay: float, number: int, args: Sequence[str]) -> Ended:
        python = [sys.executable, *args]
        paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with subprocess.Popen(python, env=paths, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            if self.announces and process.stdout.readline() != "at work\n":
                return Ended(process.wait(), 0.0, process.communicate()[1][-2000:])
            time.sleep(delay)
            began = time.monotonic()
            process.send_signal(number)
            try:
                errors = process.communicate(timeout=_STUCK)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                return Ended(None, _STUCK, process.communicate()[1][-2000:])
            return Ended(process.returncode, time.monotonic() - began, errors[-2000:])


def model_folder() -> str:
    return str(golden.load("llama-gqa").folder)


def programs(folder: Path) -> list[Program]:
    model = model_folder()
    data = folder / "data.jsonl"
    data.write_text("".join(f'{{"text": "the bell of tower {i} rings"}}\n' for i in range(40)))
    wgpt, many = ("-m", "wgpt"), "1000"
    train = ("finetune", "-m", model, "-d", str(data), "-o", NEW_FOLDER, "--steps", "100000")
    return [
        Program("generate", ("-c", GENERATE, model), announces=True, span=1.0),
        Program("engine", ("-c", ENGINE, model), announces=True, span=1.0),
        Program("training", ("-c", FINETUNE, model), announces=True, span=1.0),
        Program("bench decode", (*wgpt, "bench", "decode", "-m", model, "--repeats", many)),
        Program("bench prefill", (*wgpt, "bench", "prefill", "-m", model, "--context", "64", "--repeats", many)),
        Program("bench train", (*wgpt, "bench", "train", "-m", model, "--steps", many)),
        Program("finetune", (*wgpt, *train)),
        Program("verify", (*wgpt, "verify")),
        Program("imports", (*wgpt, "info"), span=0.8),
    ]


def main(args: Sequence[str]) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it, and so do children
    trials, only = int(args[0]) if args else 40, args[1:]
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        for program in programs(Path(folder)):
            if only and program.name not in only:
                continue
            # A Python that has not run its first line yet prints a traceback whatever a program does.
            ends = [program.interrupted(rng.uniform(0.15, program.span)) for _ in range(trials)]
            well, soon = [end for end in ends if end.well], [end for end in ends if end.seconds < SOON]
            slowest = max(end.seconds for end in ends)
            print(f"{program.name}: {len(well)} of {trials} exit 130, {len(soon)} within {SOON:g} s, ", end="")
            print(f"the slowest took {slowest:.2f} s", flush=True)
            for end in ends:
                if not end.well:
                    print(f"  {end.code} after {end.seconds:.2f} s: {end.errors[-1200:]}")


if __name__ == "__main__":
    main(sys.argv[1:])
