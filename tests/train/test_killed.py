"""A run that is killed repeatedly ends with the same weights as an uninterrupted one."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wgpt.formats.peft import WEIGHTS
from wgpt.train import checkpoint

from . import golden

pytestmark = [pytest.mark.gpu, pytest.mark.slow]
KILLS = 10


def command(folder: Path, data: Path, *more: str) -> list[str]:
    run = ["finetune", "-m", str(golden.load("llama-gqa").model), "--data", str(data), "--out", str(folder)]
    recipe = "--steps 120 --batch 2 --rank 4 --targets q,v --lr 5e-3 --save-every 1 --hold-out 0.2 --max-tokens 48"
    return [sys.executable, "-m", "wgpt", *run, *recipe.split(), *more]


def steps_in(folder: Path) -> int:
    """Of the latest checkpoint."""
    newest = checkpoint.latest(folder)
    return -1 if newest is None else int(newest.name.rsplit("-", 1)[1])


def killed(args: list[str], folder: Path, delay: float) -> bool:
    """Start, wait for progress and a moment more, then send SIGKILL. False if it had ended by then."""
    before = steps_in(folder)
    with subprocess.Popen(args, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stderr is not None
        while process.poll() is None and steps_in(folder) <= before:
            time.sleep(0.002)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        if process.wait() == 0:
            return False
        assert process.returncode == -signal.SIGKILL, process.stderr.read()
    return True


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_killed_at_ten_random_moments_it_ends_with_the_same_weights(tmp_path):
    rng = random.Random(7)
    words = ["wind", "kite", "string", "cloud", "harbour", "bell", "lamp", "river", "stone"]
    lines = [{"prompt": f"{a} {b}", "completion": f" {b} {a}"} for a in words for b in words[:3] if a != b]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    process = subprocess.run(command(whole, data, "--json"), check=True, capture_output=True, text=True)
    unbroken = json.loads(process.stdout)
    step = unbroken["seconds"] / unbroken["steps"]
    steps = []
    for _ in range(KILLS):
        assert killed(command(broken, data, "--resume"), broken, rng.uniform(0, 4 * step)), f"it ended after {steps}"
        steps.append(steps_in(broken))
    assert steps == sorted(set(steps)), "each made progress"
    subprocess.run(command(broken, data, "--resume"), check=True, capture_output=True)
    assert (broken / WEIGHTS).read_bytes() == (whole / WEIGHTS).read_bytes()
    uninterrupted, resumed = (checkpoint.load(checkpoint.latest(folder)) for folder in (whole, broken))
    assert uninterrupted.losses == resumed.losses and uninterrupted.evaluations == resumed.evaluations
    assert not list(broken.glob(".unfinished-*")), "unfinished files are removed"
