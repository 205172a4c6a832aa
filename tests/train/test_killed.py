"""A run that is killed, again and again, ends with the weights of one that was not."""

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

pytestmark = pytest.mark.gpu
KILLS = 10


def command(folder: Path, data: Path, *more: str) -> list[str]:
    run = ["finetune", "-m", str(golden.load("llama-gqa").model), "--data", str(data), "--out", str(folder)]
    recipe = "--steps 120 --batch 2 --rank 4 --targets q,v --lr 5e-3 --save-every 1 --hold-out 0.2 --max-tokens 48"
    return [sys.executable, "-m", "wgpt", *run, *recipe.split(), *more]


def killed(args: list[str], delay: float) -> bool:
    """Start, wait for the first steps and a moment more, then SIGKILL. False if it had ended by then."""
    with subprocess.Popen(args, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stderr is not None
        told = []
        for line in process.stderr:
            told.append(line)
            if line.startswith("step "):
                break
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        if process.wait() == 0:
            return False
        assert process.returncode == -signal.SIGKILL, "".join([*told, process.stderr.read()])
    return True


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_killed_at_ten_random_moments_it_ends_with_the_same_weights(tmp_path):
    rng = random.Random(7)
    words = ["wind", "kite", "string", "cloud", "harbour", "bell", "lamp", "river", "stone"]
    lines = [{"prompt": f"{a} {b}", "completion": f" {b} {a}"} for a in words for b in words[:3] if a != b]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    subprocess.run(command(whole, data), check=True, capture_output=True)
    seen = []
    for _ in range(KILLS):
        assert killed(command(broken, data, "--resume"), rng.uniform(0, 0.25)), (
            "it ended before it was killed ten times"
        )
        found = checkpoint.latest(broken)
        seen.append(-1 if found is None else checkpoint.load(found).step)
    assert seen == sorted(seen) and len(set(seen)) > KILLS // 2, f"the kills fell on steps {seen}"
    subprocess.run(command(broken, data, "--resume"), check=True, capture_output=True)
    assert (broken / WEIGHTS).read_bytes() == (whole / WEIGHTS).read_bytes()
    one, other = (checkpoint.load(checkpoint.latest(folder)) for folder in (whole, broken))
    assert one.losses == other.losses and one.evaluations == other.evaluations
    assert not list(broken.glob(".unfinished-*")), "what the killed ones left is swept up"
